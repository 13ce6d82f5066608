package cells

import (
	"fmt"
	"io"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
)

// Table is how rows are written.
var Table = harness.Table[Row]{Legend: legend, Columns: []table.Property[Row]{
	table.Name("cells", "", func(r *Row) string { return fmt.Sprint(r.Cells) }),
	table.Name("vertices", "of one", func(r *Row) string { return fmt.Sprint(r.Vertices) }),
	table.Name("law", "", func(r *Row) string { return r.Law }),
	table.Name("D", "nodes", func(r *Row) string { return fmt.Sprintf("%g", r.Diameter) }),
	table.Name("box", "nodes", func(r *Row) string { return r.Size.String() }),
	table.Name("filled", "%", func(r *Row) string { return fmt.Sprintf("%.1f", 100*r.Haematocrit) }),
	table.Name("delta", "", func(r *Row) string { return r.Delta }),
	table.Name("precision", "", func(r *Row) string { return r.Precision }),
	table.Name("strategy", "", func(r *Row) string { return r.Strategy }),
	table.Name("kernel", "", func(r *Row) string { return r.Kernel }),
	table.Name("contact", "nodes", func(r *Row) string { return fmt.Sprintf("%g", r.Contact) }),
	table.Name("threads", "", func(r *Row) string { return fmt.Sprint(r.Threads) }),
	table.Quantity("alone", "ms/step", ms(func(r *Row) float64 { return r.AloneMS }, true)),
	table.Quantity("with cells", "ms/step", ms(func(r *Row) float64 { return r.WithMS }, false)),
	table.Quantity("laws", "ms/step", ms(func(r *Row) float64 { return r.LawsMS }, false)),
	table.Quantity("transfers", "ms/step", ms(func(r *Row) float64 { return r.TransfersMS }, false)),
	table.Quantity("touching", "ms/step", ms(func(r *Row) float64 { return r.ContactMS }, false)),
	table.Quantity("the rest", "ms/step", ms(func(r *Row) float64 { return r.RestMS }, false)),
	table.Quantity("a cell", "µs/step", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.1f", r.CellUS)) }),
	table.Quantity("range", "µs/step", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.1f…%.1f", r.CellUSLow, r.CellUSHigh)) }),
	table.Quantity("laws", "ns/vertex", ns(func(r *Row) float64 { return r.LawsMS })),
	table.Quantity("transfers", "ns/vertex", ns(func(r *Row) float64 { return r.TransfersMS })),
	table.Quantity("touching", "ns/vertex", ns(func(r *Row) float64 { return r.ContactMS })),
	table.Quantity("the rest", "ns/vertex", ns(func(r *Row) float64 { return r.RestMS })),
}}

// ms is the text of a time; the first of a row that is not ok tells its state.
func ms(of func(*Row) float64, first bool) func(*Row) string {
	return func(r *Row) string {
		text := fmt.Sprintf("%.3g", of(r))
		if first {
			return r.OrState(text)
		}
		return r.IfOK(text)
	}
}

// ns is the text of a time in ms per vertex.
func ns(of func(*Row) float64) func(*Row) string {
	return func(r *Row) string { return r.IfOK(fmt.Sprintf("%.0f", r.perVertex(of(r)))) }
}

// WriteTable writes the rows for people.
func (d *Document) WriteTable(w io.Writer) error {
	_, err := io.WriteString(w, Table.Text(d.Host, d.Rows))
	return err
}

const legend = `
alone: the fluid without cells, stepped in turn. laws: forces of the membranes, by themselves, where the
cells are in the end. transfers: one interpolation of velocities and one spreading of forces there, on
fields of the whole box, by themselves. touching: forces of contact there, by themselves, while lists of neighbours
hold. the rest: with cells − alone − laws − transfers − touching, a difference, with
the errors of all: moving vertices, and along membranes, ordering them, listing their neighbours and the nodes that they reach, forces in the
collision of these nodes, velocities and densities that are stored there, and what the fluid alone gains
where two of its steps share a sweep. a cell: (with cells − alone)/cells, median and range of the
repeats. ns: of all workers together
`
