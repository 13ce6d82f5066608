package transfer

import (
	"fmt"
	"io"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
)

// RowTable is how rows are written.
var RowTable = harness.Table[Row]{Legend: legend, Columns: []table.Property[Row]{
	table.Name("strategy", "", func(r *Row) string { return r.Algorithm }),
	table.Name("operation", "", func(r *Row) string { return r.Op }),
	table.Name("order", "", func(r *Row) string { return r.Order }),
	table.Name("delta", "", func(r *Row) string { return r.Delta }),
	table.Name("grid", "", func(r *Row) string { return r.gridText() }),
	table.Name("field", "", func(r *Row) string { return r.layoutText() }),
	table.Name("components", "", func(r *Row) string { return fmt.Sprint(r.Components) }),
	table.Name("points", "", func(r *Row) string { return fmt.Sprint(r.Points) }),
	table.Name("distribution", "", func(r *Row) string { return r.placesText() }),
	table.Name("precision", "", func(r *Row) string { return r.Precision }),
	table.Name("backend", "", func(r *Row) string { return r.Backend }),
	table.Name("kernel", "", func(r *Row) string { return r.Kernel }),
	table.Name("threads", "", func(r *Row) string { return fmt.Sprint(r.Threads) }),
	table.Name("markers", "", func(r *Row) string { return r.Layout }),
	table.Quantity("ms", "median", func(r *Row) string { return r.OrState(fmt.Sprintf("%.3f", r.Ms)) }),
	table.Quantity("range", "%", func(r *Row) string {
		return r.IfOK(fmt.Sprintf("−%.0f +%.0f", 100*(1-r.MsLow/r.Ms), 100*(r.MsHigh/r.Ms-1)))
	}),
	table.Quantity("Mpoints", "/s", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.3g", r.MPoints)) }),
	table.Quantity("Gweights", "/s", func(r *Row) string { return r.IfOK(number(r.Weights/1e9, "%.2f")) }),
	table.Quantity("time", "/serial", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.3f", r.ToSerial)) }),
	table.Quantity("GB/s", "", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.1f", r.GBs)) }),
	table.Quantity("copy", "GB/s", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.1f", r.CopyGBs)) }),
	table.Quantity("share", "", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.2f", r.Roofline)) }),
}}

const legend = `
a call has all components and begins with SetPoints; but for the orders kept and sorted, all points
are at new places. time/serial: over that of serial on one thread with the same operation and order, in
the same rounds. share: of the limit, the fastest copy of memory with the same threads, measured
in the same rounds: the bytes that a call has to touch (each line of a field once, positions,
values) over its time. Both are medians of the rounds' own ratios. range: of all repeats.
markers: soa has a list for every component, aos position, velocity and force side by side
`

// WriteTable writes the document as tables for people.
func (d *Document) WriteTable(w io.Writer) error {
	var b strings.Builder
	b.WriteString(RowTable.Text(d.Host, d.Rows))
	for i := range d.Tables {
		d.Tables[i].writeText(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
