package sweep

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lbmib/internal/durable"
	"lbmib/run"
	"lbmib/run/check"
	"lbmib/run/exit"
)

// Document is sweep.json.
type Document struct {
	Case     string   `json:"case"`
	File     string   `json:"case_file"`
	Sets     []string `json:"set,omitempty"`
	Over     []Axis   `json:"over"`
	Version  string   `json:"version"`
	Total    int      `json:"runs_total"`
	Runs     []Run    `json:"runs"` // so far
	Orders   []Order  `json:"orders,omitempty"`
	Warnings []string `json:"warnings,omitempty"`

	Directory string `json:"directory"`
}

// Run is a run of the sweep and what came of it.
type Run struct {
	Name      string            `json:"name"`
	Directory string            `json:"directory"`
	Values    map[string]string `json:"values"`
	Status    string            `json:"status"` // done | steady | stopped | diverged | interrupted | failed
	Error     string            `json:"error,omitempty"`
	Summary   *run.Summary      `json:"summary"`
	Probes    []Quantity        `json:"probes,omitempty"` // their last values

	values     []string
	quantities []Quantity
	entries    map[string]map[string]entry // of the summary
}

// isUnsafe tells whether the run's own cautions call something of it unsafe.
func (r *Run) isUnsafe() bool {
	return r.Summary != nil && slices.ContainsFunc(r.Summary.Cautions, func(c string) bool { return strings.HasPrefix(c, string(check.Unsafe)+":") })
}

func (p *Plan) document(version string) *Document {
	return &Document{Case: p.Case, File: p.File, Sets: p.Sets, Over: p.Axes, Version: version, Total: len(p.Runs), Runs: []Run{}, Directory: p.Dir}
}

// record is what came of a combination. Statistics of a flow that has diverged are
// none.
func (p *Plan) record(c *Combination, s *run.Summary, ended error) (Run, error) {
	r := Run{Name: c.Name, Directory: c.Dir, Values: map[string]string{}, Status: s.Status, Summary: s, values: c.Values}
	for i, a := range p.Axes {
		r.Values[a.Key] = c.Values[i]
	}
	if ended != nil {
		r.Error = ended.Error()
	}
	if s.Status == "diverged" || s.Status == "failed" {
		return r, nil
	}
	r.entries = entriesOf(s)
	probes, err := lastOfProbes(filepath.Join(c.Dir, "probes.csv"))
	r.Probes = slices.Clone(probes)
	for i := range probes {
		if as := toldAs("probes", probes[i].Of, map[string]bool{probes[i].Of: true}); r.entries["probes"][as] != nil {
			probes[i].Of = as
		}
	}
	r.quantities = append(quantitiesOf(s), probes...)
	if err != nil {
		err = &exit.Error{Code: exit.InputOutput, Err: err}
	}
	return r, err
}

// ended is the number of runs that need not be done again.
func (d *Document) ended() (n int) {
	for _, r := range d.Runs {
		if r.Status != "interrupted" && r.Status != "failed" {
			n++
		}
	}
	return n
}

// verdict is an error if a flow diverged or a body stopped a run.
func (d *Document) verdict() error {
	n, first := 0, ""
	for _, r := range d.Runs {
		if isLost(r.Status) {
			if n++; first == "" {
				first = r.Directory
			}
		}
	}
	if n == 0 {
		return nil
	}
	return &exit.Error{Code: exit.Diverged, Err: fmt.Errorf("sweep: %d of %d runs diverged or were stopped by a body, the first in %s: its manifest.json says where and what to change", n, len(d.Runs), first)}
}

// write puts sweep.json and sweep.csv into the directory.
func (p *Plan) write(d *Document) error {
	err := durable.WriteJSON(filepath.Join(p.Dir, "sweep.json"), d)
	err = errors.Join(err, durable.Write(filepath.Join(p.Dir, "sweep.csv"), func(w io.Writer) error { return d.writeCSV(w) }))
	if err != nil {
		return &exit.Error{Code: exit.InputOutput, Err: err}
	}
	return nil
}

// writeCSV writes a row per run: swept keys, then what each body and probe gave,
// in columns NAME.QUANTITY, notes on statistics, and behind them what came last. A cell without a number is empty.
func (d *Document) writeCSV(w io.Writer) error {
	var columns []string
	rank := map[string]int{}
	for _, r := range d.Runs {
		for _, q := range r.quantities {
			if c := q.column(); !slices.Contains(columns, c) {
				columns = append(columns, c)
				rank[c] = q.rank
			}
		}
	}
	slices.SortStableFunc(columns, func(a, b string) int { return rank[a] - rank[b] })
	notes, before := d.noted(), len(columns)
	if i := slices.IndexFunc(columns, func(c string) bool { return rank[c] == last }); i >= 0 {
		before = i
	}
	head := []string{}
	for _, a := range d.Over {
		head = append(head, a.Key)
	}
	out := csv.NewWriter(w)
	if err := out.Write(append(append(head, "run", "status", "steps", "time", "nodes", "wall_seconds", "mflups"), slices.Concat(columns[:before], suffixed(notes, ".note"), columns[before:])...)); err != nil {
		return err
	}
	for _, r := range d.Runs {
		s := r.Summary
		row := append(slices.Clone(r.values), r.Name, r.Status, strconv.FormatInt(s.Steps, 10),
			cell(s.Time), strconv.Itoa(s.Nodes), cell(s.WallSeconds), cell(float64(s.MFLUPS)))
		row = append(row, r.cells(columns[:before])...)
		for _, name := range notes {
			row = append(row, s.Bodies[name].Note)
		}
		row = append(row, r.cells(columns[before:])...)
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// cells are the run's numbers of columns.
func (r *Run) cells(columns []string) (row []string) {
	for _, c := range columns {
		i := slices.IndexFunc(r.quantities, func(q Quantity) bool { return q.column() == c })
		if i < 0 {
			row = append(row, "")
			continue
		}
		row = append(row, cell(float64(r.quantities[i].Value)))
	}
	return row
}

// noted are the bodies whose statistics have a note in some run.
func (d *Document) noted() (names []string) {
	for _, r := range d.Runs {
		for name, b := range r.Summary.Bodies {
			if b.Note != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func suffixed(names []string, suffix string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = n + suffix
	}
	return out
}

// cell is a number as it reads back, or nothing.
func cell(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
