package transfer

import (
	"fmt"
	"io"
	"strings"

	"lbmib/cmd/lbmib/bench/gauge"
	"lbmib/cmd/lbmib/bench/sheet"
)

// columns of the table of rows.
var columns = []sheet.Property[Row]{
	sheet.Name("strategy", "", func(r *Row) string { return r.Algorithm }),
	sheet.Name("operation", "", func(r *Row) string { return r.Op }),
	sheet.Name("order", "", func(r *Row) string { return r.Order }),
	sheet.Name("delta", "", func(r *Row) string { return r.Delta }),
	sheet.Name("grid", "", func(r *Row) string { return r.spec.gridText() }),
	sheet.Name("field", "", func(r *Row) string { return r.spec.layoutText() }),
	sheet.Name("components", "", func(r *Row) string { return fmt.Sprint(r.Components) }),
	sheet.Name("points", "", func(r *Row) string { return fmt.Sprint(r.Points) }),
	sheet.Name("distribution", "", func(r *Row) string { return r.spec.placesText() }),
	sheet.Name("precision", "", func(r *Row) string { return r.Precision }),
	sheet.Name("backend", "", func(r *Row) string { return r.Backend }),
	sheet.Name("kernel", "", func(r *Row) string { return r.Kernel }),
	sheet.Name("threads", "", func(r *Row) string { return fmt.Sprint(r.Threads) }),
	sheet.Name("markers", "", func(r *Row) string { return r.Layout }),
	sheet.Quantity("ms", "median", msText),
	sheet.Quantity("range", "%", func(r *Row) string {
		return timed(r, fmt.Sprintf("−%.0f +%.0f", 100*(1-r.MsLow/r.Ms), 100*(r.MsHigh/r.Ms-1)))
	}),
	sheet.Quantity("Mpoints", "/s", func(r *Row) string { return timed(r, fmt.Sprintf("%.3g", r.MPoints)) }),
	sheet.Quantity("Gweights", "/s", func(r *Row) string { return timed(r, number(r.Weights/1e9, "%.2f")) }),
	sheet.Quantity("time", "/serial", func(r *Row) string { return timed(r, fmt.Sprintf("%.3f", r.ToSerial)) }),
	sheet.Quantity("GB/s", "", func(r *Row) string { return timed(r, fmt.Sprintf("%.1f", r.GBs)) }),
	sheet.Quantity("copy", "GB/s", func(r *Row) string { return timed(r, fmt.Sprintf("%.1f", r.CopyGBs)) }),
	sheet.Quantity("share", "", func(r *Row) string { return timed(r, fmt.Sprintf("%.2f", r.Roofline)) }),
}

// msText is the time, or why there is none.
func msText(r *Row) string {
	switch r.Status {
	case gauge.OK:
		return fmt.Sprintf("%.3f", r.Ms)
	case gauge.Wrong:
		return "FAILED"
	}
	return r.Status
}

// timed is the text of what only rows that are ok have.
func timed(r *Row, text string) string {
	if r.Status != gauge.OK {
		return "–"
	}
	return text
}

// kernels are those of the rows.
func kernels(rows []Row) []string { return names(rows, func(r *Row) string { return r.Kernel }) }

// reasons are one line for every row that has no time.
func reasons(rows []Row) (lines []string) {
	for i := range rows {
		if r := &rows[i]; r.Status != gauge.OK {
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
	sheet.WriteRows(&b, columns, d.Rows, legend)
	for _, line := range reasons(d.Rows) {
		fmt.Fprintln(&b, line)
	}
	for i := range d.Tables {
		d.Tables[i].writeText(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
