package transfer

import (
	"fmt"
	"io"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
)

// columns of the table of rows.
var columns = []table.Property[Row]{
	table.Name("strategy", "", func(r *Row) string { return r.Algorithm }),
	table.Name("operation", "", func(r *Row) string { return r.Op }),
	table.Name("order", "", func(r *Row) string { return r.Order }),
	table.Name("delta", "", func(r *Row) string { return r.Delta }),
	table.Name("grid", "", func(r *Row) string { return r.spec.gridText() }),
	table.Name("field", "", func(r *Row) string { return r.spec.layoutText() }),
	table.Name("components", "", func(r *Row) string { return fmt.Sprint(r.Components) }),
	table.Name("points", "", func(r *Row) string { return fmt.Sprint(r.Points) }),
	table.Name("distribution", "", func(r *Row) string { return r.spec.placesText() }),
	table.Name("precision", "", func(r *Row) string { return r.Precision }),
	table.Name("backend", "", func(r *Row) string { return r.Backend }),
	table.Name("kernel", "", func(r *Row) string { return r.Kernel }),
	table.Name("threads", "", func(r *Row) string { return fmt.Sprint(r.Threads) }),
	table.Name("markers", "", func(r *Row) string { return r.Layout }),
	table.Quantity("ms", "median", msText),
	table.Quantity("range", "%", func(r *Row) string {
		return timed(r, fmt.Sprintf("−%.0f +%.0f", 100*(1-r.MsLow/r.Ms), 100*(r.MsHigh/r.Ms-1)))
	}),
	table.Quantity("Mpoints", "/s", func(r *Row) string { return timed(r, fmt.Sprintf("%.3g", r.MPoints)) }),
	table.Quantity("Gweights", "/s", func(r *Row) string { return timed(r, number(r.Weights/1e9, "%.2f")) }),
	table.Quantity("time", "/serial", func(r *Row) string { return timed(r, fmt.Sprintf("%.3f", r.ToSerial)) }),
	table.Quantity("GB/s", "", func(r *Row) string { return timed(r, fmt.Sprintf("%.1f", r.GBs)) }),
	table.Quantity("copy", "GB/s", func(r *Row) string { return timed(r, fmt.Sprintf("%.1f", r.CopyGBs)) }),
	table.Quantity("share", "", func(r *Row) string { return timed(r, fmt.Sprintf("%.2f", r.Roofline)) }),
}

// msText is the time, or why there is none.
func msText(r *Row) string {
	switch r.Status {
	case harness.OK:
		return fmt.Sprintf("%.3f", r.Ms)
	case harness.Wrong:
		return "FAILED"
	}
	return r.Status
}

// timed is the text of what only rows that are ok have.
func timed(r *Row, text string) string {
	if r.Status != harness.OK {
		return "–"
	}
	return text
}

// kernels are those of the rows.
func kernels(rows []Row) []string { return names(rows, func(r *Row) string { return r.Kernel }) }

// reasons are one line for every row that has no time.
func reasons(rows []Row) (lines []string) {
	for i := range rows {
		if r := &rows[i]; r.Status != harness.OK {
			lines = append(lines, fmt.Sprintf("%v: %s: %s", &r.spec, msText(r), r.Reason))
		}
	}
	return lines
}

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
	fmt.Fprintf(&b, "%v\nlbmib %s, %s\n", d.Host, d.Host.Version, d.Host.Date)
	table.WriteRows(&b, columns, d.Rows, legend)
	for _, line := range reasons(d.Rows) {
		fmt.Fprintln(&b, line)
	}
	for i := range d.Tables {
		d.Tables[i].writeText(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
