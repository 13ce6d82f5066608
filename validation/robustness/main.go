// Command robustness does to lbmib what machines and users do: it kills runs at random
// moments, lets the power fail, changes input at random, takes memory, descriptors and
// disk away, and hands it files of older versions. See README.md beside it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// partNames are the parts in the order of the report.
var partNames = []string{"kills", "power", "mutations", "limits", "versions"}

// sizes are how much of everything is done.
type sizes struct {
	kills, power  int // in all
	cases, others int // of mutations: of cases, and of every other kind of input
}

func main() { os.Exit(attack()) }

func attack() (code int) {
	var (
		n       sizes
		seed    = flag.Uint64("seed", uint64(time.Now().UnixNano()), "`number` from which all random choices follow (default: the time of day)")
		jobs    = flag.Int("jobs", 2, "processes at a time")
		report  = flag.String("report", "", "`directory` in which results.json and results.md are brought up to date (default: none)")
		path    = flag.String("lbmib", "", "`program` to test (default: one built from the working tree)")
		machine = flag.String("machine", "", "what the report calls this `machine` (default: its number of cores)")
		version = flag.String("commit", "", "what the report calls the `commit` of the program (default: that of the working tree)")
		only    = flag.String("only", "", "only scenarios whose name has this `text`")
	)
	flag.IntVar(&n.kills, "kills", 1000, "signals")
	flag.IntVar(&n.power, "power", 200, "failures of the power")
	flag.IntVar(&n.cases, "cases", 1_000_000, "changed case files")
	flag.IntVar(&n.others, "others", 20_000, "changed files of every other kind; a twentieth of it runs resumed from changed checkpoints")
	most := flag.Duration("for", 0, "most `time` for the changed inputs of one kind, for instance 30m (default: as long as it takes)")
	found := flag.String("found", "", "`directory` for inputs that show a fault (default: a temporary one)")
	worker := flag.String("worker", "", "read inputs of this `kind`, for the program itself")
	root := flag.String("root", "", "`directory` of the working tree (default: that of the module)")
	from := flag.Int("from", 0, "first input of a worker")
	to := flag.Int("to", 0, "input before which a worker ends")
	flag.Usage = func() {
		fmt.Fprintf(os.Stderr, "usage: go run ./validation/robustness [flags] [PART …]\n\nParts: %s (default: all)\n\n", strings.Join(partNames, ", "))
		flag.PrintDefaults()
	}
	flag.Parse()
	if *worker != "" {
		if err := work(*worker, *root, *seed, *from, *to); err != nil {
			fmt.Fprintln(os.Stderr, "robustness:", err)
			return 1
		}
		return 0
	}
	parts := flag.Args()
	if len(parts) == 0 {
		parts = partNames
	}
	for _, p := range parts {
		if !slices.Contains(partNames, p) {
			fmt.Fprintf(os.Stderr, "robustness: there is no part %q; there are %s\n", p, strings.Join(partNames, ", "))
			return 2
		}
	}
	work, err := workspace()
	if err != nil {
		fmt.Fprintln(os.Stderr, "robustness:", err)
		return 1
	}
	if *root == "" {
		if *root, err = moduleRoot(); err != nil {
			fmt.Fprintln(os.Stderr, "robustness:", err)
			return 1
		}
	}
	if *found == "" {
		*found = filepath.Join(work, "found")
	}
	h := &harness{program: &program{path: *path}, work: work, root: *root, found: *found, seed: *seed, jobs: *jobs, most: *most, log: func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
	}}
	if *path == "" {
		if h.program, err = build(work); err != nil {
			fmt.Fprintln(os.Stderr, "robustness:", err)
			return 1
		}
	}
	commit, class := origin(*machine)
	if *version != "" {
		commit = *version
	}
	failed, without := 0, 0
	for _, p := range parts {
		rows := h.part(p, n, *only)
		for i := range rows {
			rows[i].Commit, rows[i].Machine, rows[i].Seed = commit, class, *seed
			failed += len(rows[i].Failures)
			if rows[i].NotRun != "" {
				without++
			}
		}
		if *report != "" {
			if err := keep(*report, rows); err != nil {
				fmt.Fprintln(os.Stderr, "robustness:", err)
				return 1
			}
		}
	}
	if failed > 0 {
		fmt.Fprintf(os.Stderr, "robustness: %d failures; what they left is in %s\n", failed, work)
		return 1
	}
	os.RemoveAll(work)
	if without > 0 {
		fmt.Fprintf(os.Stderr, "robustness: %d rows could not be run on this machine\n", without)
		return 3
	}
	return 0
}

// part does a part.
func (h *harness) part(name string, n sizes, only string) []row {
	list := slices.DeleteFunc(scenarios(), func(s scenario) bool { return !strings.Contains(s.name, only) })
	switch name {
	case "kills":
		return h.each(list, func(s *scenario) row { return h.kills(s, share(n.kills, len(list))) })
	case "mutations":
		return h.readChanged(n, only)
	case "versions":
		r := h.versions()
		h.log("%s", r.line())
		return []row{r}
	case "limits":
		return h.scarce(only)
	case "power":
		rows := h.each(list, func(s *scenario) row { return h.power(s, fresh, share(n.power, len(list)+2)) })
		resumed := list[:min(2, len(list))]
		return append(rows, h.each(resumed, func(s *scenario) row { return h.power(s, again, share(n.power, len(list)+2)) })...)
	}
	return nil
}

// readChanged is the part of changed inputs.
func (h *harness) readChanged(n sizes, only string) (rows []row) {
	dir, err := os.MkdirTemp(h.work, "inputs-")
	if err != nil {
		panic(err) // the work space is full or gone
	}
	kinds, err := inputs(dir, h.root)
	if err != nil {
		r := row{Part: "mutations", What: "inputs", begun: time.Now()}
		r.fail("%v", err)
		return []row{r.end()}
	}
	for i := range kinds {
		if !strings.Contains(kinds[i].name, only) {
			continue
		}
		count := n.others
		if kinds[i].name == "cases" {
			count = n.cases
		}
		if count > 0 {
			rows = append(rows, h.mutations(&kinds[i], count))
			h.log("%s", rows[len(rows)-1].line())
		}
	}
	if strings.Contains("checkpoints, resumed", only) {
		rows = append(rows, h.resumed(n.others/20))
		h.log("%s", rows[len(rows)-1].line())
	}
	return rows
}

// share is a part of a number, rounded up.
func share(n, parts int) int { return (n + parts - 1) / parts }
