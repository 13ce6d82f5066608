// Command table prints finished runs beside the published numbers that they are
// held against:
//
//	go run ./validation/table RUN_DIR…
//
// It reads summary.json and manifest.json of every run directory and
// validation/gates.csv, prints a Markdown table of every quantity that has a
// gate and one of drag over resolution, and exits with 1 if a gate fails.
package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strconv"
)

// gate bounds one quantity of one case at one resolution.
type gate struct {
	name, quantity, source     string
	resolution                 float64
	reference, lowest, highest float64
}

// result is a finished run with one body.
type result struct {
	Case        string             `json:"case"`
	Status      string             `json:"status"`
	Steps       int64              `json:"steps"`
	Nodes       int64              `json:"nodes"`
	Wall        float64            `json:"wall_seconds"`
	Device      string             `json:"device"`
	Threads     int                `json:"threads"`
	Bodies      map[string]numbers `json:"bodies"`
	resolution  float64
	length      float64 // of the domain, in L
	retraction  float64
	version     string
	onlyNumbers numbers
}

// numbers are the numeric values of a JSON object; others are left out.
type numbers map[string]float64

// UnmarshalJSON keeps what is a number.
func (n *numbers) UnmarshalJSON(text []byte) error {
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	*n = numbers{}
	for k, v := range all {
		if f, ok := v.(float64); ok {
			(*n)[k] = f
		}
	}
	return nil
}

func main() {
	ok, err := run(os.Stdout, "validation/gates.csv", os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run prints the tables; ok is false if a gate fails.
func run(w io.Writer, gateFile string, dirs []string) (ok bool, err error) {
	gates, err := readGates(gateFile)
	if err != nil {
		return false, err
	}
	var results []*result
	for _, d := range dirs {
		r, err := readRun(d)
		if err != nil {
			return false, err
		}
		results = append(results, r)
	}
	sort.SliceStable(results, func(i, j int) bool {
		a, b := results[i], results[j]
		if a.Case != b.Case {
			return a.Case < b.Case
		}
		return a.resolution < b.resolution
	})
	ok = printGates(w, gates, results)
	printRuns(w, results)
	return ok, nil
}

func readGates(path string) ([]gate, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the gates cannot be read: %w: run from the root of the repository", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var gates []gate
	for _, row := range rows[1:] {
		g := gate{name: row[0], quantity: row[2], source: row[6]}
		for i, to := range map[int]*float64{1: &g.resolution, 3: &g.reference, 4: &g.lowest, 5: &g.highest} {
			if *to, err = strconv.ParseFloat(row[i], 64); err != nil {
				return nil, fmt.Errorf("%s: %s %s: column %s: %w", path, g.name, g.quantity, rows[0][i], err)
			}
		}
		gates = append(gates, g)
	}
	return gates, nil
}

func readRun(dir string) (*result, error) {
	var r result
	if err := readJSON(filepath.Join(dir, "summary.json"), &r); err != nil {
		return nil, err
	}
	var m struct {
		Version string `json:"version"`
		Case    struct {
			Reference struct {
				Resolution float64 `json:"resolution"`
			} `json:"reference"`
			Domain struct {
				Size []float64 `json:"size"`
			} `json:"domain"`
			IB struct {
				Retraction float64 `json:"retraction"`
			} `json:"ib"`
		} `json:"case"`
	}
	if err := readJSON(filepath.Join(dir, "manifest.json"), &m); err != nil {
		return nil, err
	}
	if len(r.Bodies) != 1 || len(m.Case.Domain.Size) == 0 {
		return nil, fmt.Errorf("%s: a run with one body is needed, it has %d", dir, len(r.Bodies))
	}
	for _, b := range r.Bodies {
		r.onlyNumbers = b
	}
	r.resolution, r.length, r.retraction, r.version = m.Case.Reference.Resolution, m.Case.Domain.Size[0], m.Case.IB.Retraction, m.Version
	return &r, nil
}

func readJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("no finished run: %w", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func printGates(w io.Writer, gates []gate, results []*result) (ok bool) {
	ok = true
	fmt.Fprintln(w, "| case | D | quantity | value | reference | deviation | bounds | | source |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|")
	for _, g := range gates {
		for _, r := range results {
			v, has := r.onlyNumbers[g.quantity]
			if !has || r.Case != g.name || r.resolution != g.resolution {
				continue
			}
			verdict, deviation := "pass", "–"
			if !(g.lowest <= v && v <= g.highest) {
				verdict, ok = "**FAIL**", false
			}
			if g.reference != 0 {
				deviation = fmt.Sprintf("%+.1f %%", 100*(v/g.reference-1))
			}
			fmt.Fprintf(w, "| %s | %g | %s | %.4g | %.4g | %s | %.4g … %.4g | %s | %s |\n",
				g.name, g.resolution, g.quantity, v, g.reference, deviation, g.lowest, g.highest, verdict, g.source)
		}
	}
	return ok
}

func printRuns(w io.Writer, results []*result) {
	fmt.Fprintln(w, "\n| case | D | length | retraction | Cd | Cd amplitude | Cl amplitude | St | wake | slip | force gap | steps | wall |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range results {
		b := r.onlyNumbers
		fmt.Fprintf(w, "| %s | %g | %g | %g | %.4f | %.4f | %.4f | %.4f | %.3f | %.1e | %.0e | %d | %.0f s |\n",
			r.Case, r.resolution, r.length, r.retraction, b["cd_mean"], b["cd_amplitude"], b["cl_amplitude"], b["strouhal"],
			b["recirculation_length"], b["slip_max"], b["force_gap"], r.Steps, r.Wall)
	}
}
