package sweep

import (
	"cmp"
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
	"lbmib/internal/finite"
	"lbmib/io/plot"
	"lbmib/run/check"
)

// told are the quantities that are told of with an uncertainty.
var told = namesOf(func(k *kind) bool { return k.told })

// anchored are those of them that are told of only in SI.
var anchored = namesOf(func(k *kind) bool { return k.anchored })

// Converged is converge.json.
type Converged struct {
	Case       string        `json:"case"`
	File       string        `json:"case_file"`
	Resolution []float64     `json:"resolution"` // nodes per L
	Quantities []Convergence `json:"quantities"`
	Notes      []string      `json:"notes"`
	Directory  string        `json:"directory"`
	Runs       []Run         `json:"runs"`
}

// Converge finds what the runs of a document over resolutions tell, and writes converge.json, converge.csv and, of quantities where there are any, converge.png.
// remarks are told with it, before its own notes.
func (p *Plan) Converge(d *Document, remarks ...string) (*Converged, error) {
	c := &Converged{Case: d.Case, File: d.File, Directory: d.Directory, Runs: d.Runs, Notes: []string{}, Quantities: []Convergence{}}
	runs := slices.Clone(d.Runs)
	at := func(r *Run) float64 { v, _ := strconv.ParseFloat(r.Values[ResolutionKey], 64); return v }
	slices.SortStableFunc(runs, func(a, b Run) int { return cmp.Compare(at(&a), at(&b)) })
	for i := range runs {
		c.Resolution = append(c.Resolution, at(&runs[i]))
		if isLost(runs[i].Status) {
			c.Notes = append(c.Notes, fmt.Sprintf("%v nodes per L: %s: no uncertainty is given without it", at(&runs[i]), runs[i].Status))
		}
	}
	lost := len(c.Notes) > 0
	c.Notes = append(slices.Clone(remarks), c.Notes...)
	if len(runs) < FewestGrids || lost {
		return c, p.writeConverged(c)
	}
	finest := &runs[len(runs)-1]
	for _, q := range finest.quantities {
		if q.minor || !slices.Contains(told, q.Name) || !finite.Is(float64(q.Value)) || q.unit == "" && slices.Contains(anchored, q.Name) {
			continue
		}
		of := Convergence{Of: q.Of, Name: q.Name}
		size := 0.
		for i := range runs {
			v := runs[i].find(q.Of, q.Name)
			of.Values = append(of.Values, finite.Number(v))
			size = math.Max(size, math.Abs(v))
		}
		if size < 1e-9 { // rounding, as a lift of 1e-12
			continue
		}
		if isAmplitude(q.Name) && isSteady(runs, q.Of, q.Name) {
			continue
		}
		of.richardson(c.Resolution)
		of.measure(q.si, q.unit)
		c.Quantities = append(c.Quantities, of)
	}
	c.notes(runs)
	return c, p.writeConverged(c)
}

const amplitudeSuffix = "_amplitude"

func isAmplitude(name string) bool { return strings.HasSuffix(name, amplitudeSuffix) }

// isSteady tells of an amplitude whether the flow is steady on all grids: there is no shedding, and the amplitude is a hundredth or less of the mean, of forces of
// the larger mean of drag and lift. It is what is left of the start, which the window tells and not the grid.
func isSteady(runs []Run, of, amplitude string) bool {
	const most = 0.01
	means := []string{strings.TrimSuffix(amplitude, amplitudeSuffix) + "_mean"}
	if amplitude == "cd_amplitude" || amplitude == "cl_amplitude" {
		means = []string{"cd_mean", "cl_mean"}
	}
	for i := range runs {
		r := &runs[i]
		mean := 0.
		for _, name := range means {
			if v := r.find(of, name); !math.IsNaN(v) {
				mean = math.Max(mean, math.Abs(v))
			}
		}
		if r.find(of, "strouhal") > 0 || !(math.Abs(r.find(of, amplitude)) <= most*mean) {
			return false
		}
	}
	return true
}

// notes says in words what the numbers do not.
func (c *Converged) notes(runs []Run) {
	list := func(behaviour string) (names []string) {
		for _, q := range c.Quantities {
			if q.Behaviour == behaviour {
				names = append(names, q.Of+" "+q.Name)
			}
		}
		return names
	}
	if names := list("oscillating"); len(names) > 0 {
		c.Notes = append(c.Notes, strings.Join(names, ", ")+": does not go one way from grid to grid, so that no order is known and nothing is extrapolated; ± is three times the largest difference: take finer grids")
	}
	if names := list("without order"); len(names) > 0 {
		c.Notes = append(c.Notes, strings.Join(names, ", ")+fmt.Sprintf(": changes as much from the second grid to the finest as before (an order below %g), so that these grids do not converge yet; ± is three times the largest difference: take finer grids", leastOrder))
	}
	var high []string
	for i := range c.Quantities {
		if q := &c.Quantities[i]; q.isHigh() {
			high = append(high, q.Of+" "+q.Name)
		}
	}
	if high != nil {
		c.Notes = append(c.Notes, fmt.Sprintf("* %s: an order above %d, which the method does not have: ± and extrapolation are by order %d; the coarsest grid does not converge yet, or what changes is no error of the grid: take finer grids",
			strings.Join(high, ", "), methodOrder, methodOrder))
	}
	for i := range runs {
		var own []string
		for _, of := range runs[i].entries {
			for name, e := range of {
				if value(e, "converged") == false {
					own = append(own, fmt.Sprintf("%v nodes per L: the statistics of %s have not converged, and their scatter is taken for one of grids: run longer", c.Resolution[i], name))
				}
			}
		}
		slices.Sort(own)
		c.Notes = append(c.Notes, own...)
	}
	c.Notes = append(c.Notes, "the uncertainty is that of the grid alone: the Mach number is the same on all, and so is its error; halve reference.velocity to see it")
}

// writeConverged writes the files of a convergence study.
func (p *Plan) writeConverged(c *Converged) error {
	err := durable.WriteJSON(filepath.Join(p.Dir, "converge.json"), c)
	err = errors.Join(err, durable.Write(filepath.Join(p.Dir, "converge.csv"), c.writeCSV))
	if len(c.Quantities) > 0 {
		err = errors.Join(err, c.draw(filepath.Join(p.Dir, "converge.png")))
	}
	return err
}

// writeCSV writes a row per quantity. A cell without a number is empty.
func (c *Converged) writeCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	head := []string{"of", "quantity"}
	for _, n := range c.Resolution {
		head = append(head, fmt.Sprintf("n%v", n))
	}
	w.Write(append(head, "uncertainty", "order", "extrapolated", "behaviour", "value_si", "uncertainty_si", "extrapolated_si", "unit_si"))
	cell := func(v finite.Number) string {
		if !finite.Is(float64(v)) {
			return ""
		}
		return strconv.FormatFloat(float64(v), 'g', 10, 64)
	}
	for _, q := range c.Quantities {
		row := []string{q.Of, q.Name}
		for _, v := range q.Values {
			row = append(row, cell(v))
		}
		row = append(row, cell(q.Uncertainty), cell(q.Order), cell(q.Extrapolate), q.Behaviour)
		if si := q.SI; si != nil {
			row = append(row, cell(si.Value), cell(si.Uncertainty), cell(si.Extrapolate), si.Unit)
		} else {
			row = append(row, "", "", "", "")
		}
		w.Write(row)
	}
	w.Flush()
	return w.Error()
}

// WriteTable writes it for people, within a width: of coarser grids columns are left out; 0: it is as wide as it is.
func (c *Converged) WriteTable(w io.Writer, width int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %d grids\n", c.Case, len(c.Resolution))
	rows, left := fitted(c.rows(), width, func(rows [][]string, column int) int {
		switch title := rows[0][column]; {
		case title == "extrapolated":
			return 1
		case strings.HasPrefix(title, "N = "):
			return 100 - column // the finest is told with its uncertainty
		}
		return 0
	})
	widths := columnWidths(rows)
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			line += " " + cell + strings.Repeat(" ", widths[i]-len([]rune(cell))+1)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	notes := c.Notes
	if len(left) > 0 {
		notes = append([]string{"left out, for the table is wider than the terminal: " + strings.Join(left, ", ") + ": converge.csv has all"}, notes...)
	}
	for _, note := range notes {
		b.WriteString("  " + strings.Join(check.Wrap(note, check.PageWidth-4), "\n    ") + "\n")
	}
	files := "converge.json, converge.csv"
	if len(c.Quantities) > 0 {
		files += ", converge.png"
	}
	fmt.Fprintf(&b, "  %s and the runs in %s\n", files, c.Directory)
	_, err := io.WriteString(w, b.String())
	return err
}

// rows is the table with its head; that in SI is a column where there is any.
func (c *Converged) rows() [][]string {
	head := []string{"", "quantity"}
	for _, n := range c.Resolution {
		head = append(head, fmt.Sprintf("N = %v", n))
	}
	rows := [][]string{append(head, "value ± uncertainty", "order", "extrapolated", "", "in SI")}
	text := func(v finite.Number, format string) string {
		if !finite.Is(float64(v)) {
			return "–"
		}
		return strings.ReplaceAll(fmt.Sprintf(format, float64(v)), "-", "−")
	}
	known := false
	for _, q := range c.Quantities {
		row := []string{q.Of, q.Name}
		for _, v := range q.Values {
			row = append(row, text(v, "%.5g"))
		}
		si, mark := "", ""
		if q.isHigh() {
			mark = "*"
		}
		if q.SI != nil {
			known, si = true, text(q.SI.Value, "%.5g")+" ± "+text(q.SI.Uncertainty, "%.2g")+" "+q.SI.Unit
		}
		rows = append(rows, append(row, text(q.Value, "%.5g")+" ± "+text(q.Uncertainty, "%.2g"), text(q.Order, "%.2f")+mark, text(q.Extrapolate, "%.5g"), q.Behaviour, si))
	}
	if known {
		return rows
	}
	return dropped(rows, func(column int) bool { return column == len(rows[0])-1 })
}

// draw draws the first quantities over the width of nodes: values, ± of the finest, and what they go to at no width.
func (c *Converged) draw(path string) error {
	var panels []plot.Panel
	for _, q := range c.Quantities[:min(len(c.Quantities), 6)] {
		finest := c.Resolution[len(c.Resolution)-1]
		panel := plot.Panel{XLabel: "node width over the finest", YLabel: q.Of + " " + q.Name, Marks: true}
		values := plot.Line{Name: "grids"}
		for i, v := range q.Values {
			values.X, values.Y = append(values.X, finest/c.Resolution[i]), append(values.Y, float64(v))
		}
		panel.Lines = append(panel.Lines, values)
		if u := float64(q.Uncertainty); finite.Is(u) {
			v := float64(q.Value)
			panel.Lines = append(panel.Lines, plot.Line{Name: "± uncertainty", X: []float64{1, 1}, Y: []float64{v - u, v + u}})
		}
		if e := float64(q.Extrapolate); finite.Is(e) {
			panel.Lines = append(panel.Lines, plot.Line{Name: "extrapolated", X: []float64{0, 1}, Y: []float64{e, float64(q.Value)}})
		}
		panels = append(panels, panel)
	}
	columns := 1
	if len(panels) > 2 {
		columns = 2
	}
	return plot.Panels(path, c.Case+": "+fmt.Sprint(len(c.Resolution))+" grids", columns, panels)
}
