package joined

import (
	"fmt"
	"io"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
)

// Table is how rows are written.
var Table = harness.Table[Row]{Legend: legend, Columns: []table.Property[Row]{
	table.Name("domain", "D", func(r *Row) string { return r.Domain.String() }),
	table.Name("D", "nodes", func(r *Row) string { return fmt.Sprint(r.Diameter) }),
	table.Name("precision", "", func(r *Row) string { return r.Precision }),
	table.Name("backend", "", func(r *Row) string { return r.Backend }),
	table.Name("kernel", "", func(r *Row) string { return r.Kernel }),
	table.Name("threads", "", func(r *Row) string { return fmt.Sprint(r.Threads) }),
	table.Quantity("levels", "", func(r *Row) string { return fmt.Sprint(r.Levels) }),
	table.Quantity("nodes", "10³", thousands(func(r *Row) float64 { return float64(r.Nodes) })),
	table.Quantity("of one grid", "10³", thousands(func(r *Row) float64 { return float64(r.OneNodes) })),
	table.Quantity("updates", "10³/step", thousands(func(r *Row) float64 { return r.Updates })),
	table.Quantity("fewer", "×", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.2f", float64(r.OneNodes)/r.Updates)) }),
	table.Quantity("joined", "MFLUPS", func(r *Row) string { return r.OrState(fmt.Sprintf("%.4g", r.MFLUPS)) }),
	table.Quantity("parts alone", "MFLUPS", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.4g", r.MFLUPSIdeal)) }),
	table.Quantity("by level", "MFLUPS", (*Row).byLevel),
	table.Quantity("one grid", "MFLUPS", (*Row).one),
	table.Quantity("joined", "ms/step", ms(func(r *Row) float64 { return r.JoinedMS })),
	table.Quantity("ideal", "ms/step", ms(func(r *Row) float64 { return r.IdealMS })),
	table.Quantity("one grid", "ms/step", ms(func(r *Row) float64 { return r.OneMS })),
	table.Quantity("seams", "ms/step", ms(func(r *Row) float64 { return r.SeamsMS })),
	table.Quantity("seams", "% of a step", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.1f", 100*r.SeamsShare)) }),
	table.Quantity("of the ideal", "", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.3f", r.Efficiency)) }),
	table.Quantity("range", "", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.2f…%.2f", r.EfficiencyLow, r.EfficiencyHigh)) }),
	table.Quantity("gain", "×", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.2f", r.Gain)) }),
	table.Quantity("ideal gain", "×", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.2f", r.GainIdeal)) }),
	table.Quantity("allocations", "/step", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.2g", r.Allocations)) }),
	table.Quantity("taken", "bytes/node", bytes(func(r *Row) int64 { return r.Bytes })),
	table.Quantity("of seams", "bytes/node", bytes(func(r *Row) int64 { return r.SeamBytes })),
	table.Quantity("planned", "bytes/node", bytes(func(r *Row) int64 { return r.BytesSaid })),
}}

// thousands is the text of a number of nodes.
func thousands(of func(*Row) float64) func(*Row) string {
	return func(r *Row) string { return r.IfOK(fmt.Sprintf("%.1f", of(r)/1e3)) }
}

// ms is the text of a time.
func ms(of func(*Row) float64) func(*Row) string {
	return func(r *Row) string { return r.IfOK(fmt.Sprintf("%.3g", of(r))) }
}

// bytes is the text of memory, by the nodes of all levels.
func bytes(of func(*Row) int64) func(*Row) string {
	return func(r *Row) string { return r.IfOK(fmt.Sprintf("%.0f", float64(of(r))/float64(r.Nodes))) }
}

// byLevel are the rates of the levels alone, the coarsest first; those whose steps share sweeps are marked.
func (r *Row) byLevel() string {
	var all []string
	for _, g := range r.Grids {
		all = append(all, fmt.Sprintf("%.0f%s", g.MFLUPS, shared(g.StepsPerSweep)))
	}
	return r.IfOK(strings.Join(all, " "))
}

// one is the rate of one grid.
func (r *Row) one() string {
	text := fmt.Sprintf("%.4g%s", r.MFLUPSOne, shared(r.OneStepsPerSweep))
	if r.OneIs == estimated {
		text = "≈ " + text
	}
	return r.IfOK(text)
}

// shared marks rates of grids two of whose steps share a sweep.
func shared(stepsPerSweep int) string {
	if stepsPerSweep == 2 {
		return "²"
	}
	return ""
}

// WriteTable writes the rows for people.
func (d *Document) WriteTable(w io.Writer) error {
	_, err := io.WriteString(w, Table.Text(d.Host, d.Rows))
	return err
}

const legend = `
step: of the finest grid, to which a level above has a half, a quarter, … of one of its own. nodes: of all levels, each
place once; updates: of nodes in a step, with ghosts and covered cells. MFLUPS: 10⁶ updates that were made, per second;
²: two steps share a sweep over memory, which fluids do by themselves where they are large. parts alone: the same grids,
each stepped by itself in turn with the others; ideal: what they take. seams: by the clock around them; on a device
what joined takes more than its parts alone. of the ideal: ideal/joined, that is gain/ideal gain, median and range of the repeats. gain: one grid/joined; ≈: it has no room, and is
taken to run at the finest level's rate. allocations: the least of the repeats. bytes: by the nodes of all levels; taken: by
the grids joined, of which up to 4 MiB for each lattice lie beside it, unwritten, so that it begins on a huge page; of seams: what
they have more than the grids alone; planned: what is said of the grids beforehand
`
