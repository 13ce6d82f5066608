package gpureport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"lbmib/cases"
	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/transfer"
)

// watchedRow is what a tool of compute-sanitizer found in a run.
type watchedRow struct {
	Tool   string   `json:"tool"`
	Run    string   `json:"run"`
	Errors *int     `json:"errors"` // null: it did not come to an end, or the run did not do its work
	Says   []string `json:"says"`   // the last of it
}

// watchedRuns are short runs of the program with what the device does in most ways: a
// cylinder that is held, one that moves, one on nested grids, points that a block sorts (10,000: all kernels for
// up to 16,384), and more than fit into a block, which are sorted in several passes.
var watchedRuns = []struct {
	name, file string // of the case that it steps; "": none
	args       []string
}{
	{"fixed cylinder", "cylinder.toml", nil},
	{"moving cylinder", "oscillating-cylinder.toml", nil},
	{"nested grids", "refined-cylinder.toml", nil},
	{"sort–reduce of 10000 points", "", transferred("10000")},
	{"sort–reduce of 20000 points", "", transferred("20000")},
}

// watchedSteps are those of the runs of cases.
const watchedSteps = 20

// transferred are the arguments of a benchmark of so many points, which prints its rows.
func transferred(points string) []string {
	return []string{"bench", "ib", "--backend", "cuda", "--grid", "16", "--points", points, "--algorithm", "sort-reduce", "--order", "new", "--seconds", "0.0001", "--json"}
}

// sanitizerTools in the order of what only they can find.
var sanitizerTools = []string{"racecheck", "synccheck", "memcheck"}

const sanitizerProgram = "compute-sanitizer"

// toolkitFolder is where NVIDIA's toolkit puts its programs, mostly not in PATH.
var toolkitFolder = "/usr/local/cuda/bin"

// sanitizer is the path of the program.
func sanitizer() (string, error) {
	path, err := exec.LookPath(sanitizerProgram)
	if err != nil {
		path, err = exec.LookPath(filepath.Join(toolkitFolder, sanitizerProgram))
	}
	return path, err
}

// sanitizerUnits are the tools on every run; in short reports on the first.
func sanitizerUnits(s scope) (all []unit) {
	if _, err := sanitizer(); err != nil {
		return []unit{{sanitizerProgram, func(j *job) error {
			j.make(sanitizerProgram, func() (any, error) {
				return nil, &refusal{absent, "compute-sanitizer is neither in PATH nor in " + toolkitFolder + "; it comes with NVIDIA's CUDA toolkit"}
			})
			return nil
		}}}
	}
	runs := watchedRuns
	if s.quick {
		runs = runs[:1]
	}
	for _, tool := range sanitizerTools {
		for _, r := range runs {
			all = append(all, unit{tool + ", " + r.name, func(j *job) error {
				j.plan([]string{tool})
				j.make(tool, func() (any, error) { return j.watch(tool, r.name, r.file, r.args) })
				return nil
			}})
		}
	}
	return all
}

// sanitizerErrors is what the tools say in the end: all but racecheck, then racecheck.
var sanitizerErrors = regexp.MustCompile(`(?:ERROR SUMMARY: |RACECHECK SUMMARY: .*\()(\d+) error`)

// unsupported is what the tool says of machines on which it cannot work.
const unsupported = "Device not supported"

// watch lets a tool watch a run of the program. Both are of the unit's group of
// processes, which ends with the unit.
func (j *job) watch(tool, name, file string, args []string) (*watchedRow, error) {
	if file != "" {
		text, err := cases.Files.ReadFile(file)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(j.scratch, file)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return nil, err
		}
		args = append([]string{"run", path, "--backend", "cuda", "--out", filepath.Join(j.scratch, "watched"), "--quiet",
			"--set", "reference.resolution=8.0", "--set", "output.plots=false", "--set", "output.checkpoint.every=0.0", "--steps", strconv.Itoa(watchedSteps)}, args...)
	}
	program, err := sanitizer()
	if err != nil {
		return nil, err
	}
	device := j.device.Info().Name
	j.device.Close() // the other process needs its memory
	j.device = nil
	out, err := j.told(exec.CommandContext(j.ctx, program, append([]string{"--tool", tool, j.program}, args...)...))
	var worked error
	if file != "" {
		worked = caseStepped(filepath.Join(j.scratch, "watched", "summary.json"), device)
	} else {
		out, worked = measuredRows(out)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	r := &watchedRow{Tool: tool, Run: name, Says: lines[max(0, len(lines)-40):]}
	found := sanitizerErrors.FindAllStringSubmatch(out, -1)
	switch {
	case len(found) > 0:
	case j.ctx.Err() != nil:
		return nil, j.ctx.Err()
	case strings.Contains(out, unsupported):
		return r, &refusal{absent, "compute-sanitizer does not work on this machine: " + unsupported}
	default:
		return r, fmt.Errorf("compute-sanitizer did not come to an end (%w): %s", errors.Join(err, errors.New("no summary")), strings.Join(r.Says[max(0, len(r.Says)-5):], " / "))
	}
	n, _ := strconv.Atoi(found[len(found)-1][1]) // digits
	if n > 0 || worked == nil {
		r.Errors = &n
	}
	switch {
	case n > 0:
		return r, fmt.Errorf("compute-sanitizer found %d errors", n)
	case err != nil && file != "": // a benchmark counts allocations, too, which the tool changes
		r.Errors = nil
		return r, fmt.Errorf("the run itself failed: %w", err)
	case worked != nil:
		return r, fmt.Errorf("compute-sanitizer found nothing, but the run did not do its work: %w", errors.Join(worked, err))
	}
	return r, nil
}

// caseStepped tells by its summary whether a run has made all steps, on the device.
func caseStepped(summary, device string) error {
	var s struct {
		Steps  int64
		Device string
	}
	text, err := os.ReadFile(summary)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil && (s.Steps != watchedSteps || s.Device != device) {
		err = fmt.Errorf("it made %d steps on %q, want %d on %q", s.Steps, s.Device, watchedSteps, device)
	}
	return err
}

// measuredRows tells whether a benchmark printed rows that it measured and whose results are
// right, and is what was said without them. Allocations do not count: the tool makes some.
func measuredRows(said string) (rest string, err error) {
	for at, line := 0, ""; at < len(said); at += len(line) {
		line = said[at:]
		if end := strings.IndexByte(line, '\n'); end >= 0 {
			line = line[:end+1]
		}
		var d struct{ Rows []transfer.Row }
		document := json.NewDecoder(strings.NewReader(said[at:]))
		if line[0] != '{' || document.Decode(&d) != nil {
			continue
		}
		rest = said[:at] + said[at+int(document.InputOffset()):]
		if len(d.Rows) == 0 {
			return rest, errors.New("it measured no row")
		}
		for _, r := range d.Rows {
			if r.Status != harness.OK && len(r.Checks) == 0 {
				return rest, fmt.Errorf("%s was not measured: %s", r.Op, r.Reason)
			}
			for _, c := range r.Checks {
				if !c.OK() && !strings.HasPrefix(c.Name, "allocations") {
					return rest, fmt.Errorf("%s: %s is %g, bound %g", r.Op, c.Name, c.Value, c.Bound)
				}
			}
		}
		return rest, nil
	}
	return said, errors.New("it printed no rows")
}

// told runs a command and is what it says, which is passed on, too, so that it is known
// to be at work.
func (j *job) told(cmd *exec.Cmd) (string, error) {
	var out bytes.Buffer
	fmt.Fprintln(j.progress)
	cmd.Stdout = io.MultiWriter(&out, j.progress)
	cmd.Stderr = cmd.Stdout
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) || errors.Is(err, context.DeadlineExceeded) {
		_ = cmd.Process.Kill() // the group's end is the report's
	}
	return out.String(), err
}

// gatherSanitizer adds the errors up. The target is met only where every tool came to its
// end on every run, so not in short reports, which make a part of the runs.
func gatherSanitizer(g *gathering) {
	rows := dataOf[watchedRow](g.Units)
	g.printf("| tool | run | errors |\n|---|---|--:|\n")
	sum, ended := 0, 0
	for _, r := range rows {
		errors := "no end"
		if r.Errors != nil {
			errors = fmt.Sprint(*r.Errors)
			sum += *r.Errors
			ended++
		}
		g.printf("| %s | %s | %s |\n", r.Tool, r.Run, errors)
	}
	if sum > 0 || !g.quick && ended > 0 && ended == len(sanitizerUnits(g.scope)) {
		g.Values["sanitizer"] = float64(sum)
	}
	for _, r := range rows {
		if r.Errors == nil || *r.Errors > 0 {
			g.printf("\n%s, %s:\n\n```text\n%s\n```\n", r.Tool, r.Run, strings.Join(r.Says, "\n"))
		}
	}
}
