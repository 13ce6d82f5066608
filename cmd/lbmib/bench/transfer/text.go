package transfer

import (
	"fmt"
	"io"
	"strings"

	"lbmib/cmd/lbmib/bench/gauge"
	"lbmib/cmd/lbmib/bench/sheet"
)

// column is one column of the table of rows. What is the same in all rows is told
// once, above; quantities have no such column.
type column struct {
	title, unit string
	quantity    bool
	text        func(*Row) string
}

var columns = []column{
	{"strategy", "", false, func(r *Row) string { return r.Algorithm }},
	{"operation", "", false, func(r *Row) string { return r.Op }},
	{"order", "", false, func(r *Row) string { return r.Order }},
	{"delta", "", false, func(r *Row) string { return r.Delta }},
	{"grid", "", false, func(r *Row) string { return r.spec.gridText() }},
	{"field", "", false, func(r *Row) string { return r.spec.layoutText() }},
	{"components", "", false, func(r *Row) string { return fmt.Sprint(r.Components) }},
	{"points", "", false, func(r *Row) string { return fmt.Sprint(r.Points) }},
	{"distribution", "", false, func(r *Row) string { return r.spec.placesText() }},
	{"precision", "", false, func(r *Row) string { return r.Precision }},
	{"backend", "", false, func(r *Row) string { return r.Backend }},
	{"kernel", "", false, func(r *Row) string { return r.Kernel }},
	{"threads", "", false, func(r *Row) string { return fmt.Sprint(r.Threads) }},
	{"ms", "median", true, msText},
	{"range", "%", true, func(r *Row) string {
		return timed(r, fmt.Sprintf("−%.0f +%.0f", 100*(1-r.MsLow/r.Ms), 100*(r.MsHigh/r.Ms-1)))
	}},
	{"Mpoints", "/s", true, func(r *Row) string { return timed(r, fmt.Sprintf("%.3g", r.MPoints)) }},
	{"Gweights", "/s", true, func(r *Row) string { return timed(r, number(r.Weights/1e9, "%.2f")) }},
	{"time", "/serial", true, func(r *Row) string { return timed(r, fmt.Sprintf("%.3f", r.ToSerial)) }},
	{"GB/s", "", true, func(r *Row) string { return timed(r, fmt.Sprintf("%.1f", r.GBs)) }},
	{"copy", "GB/s", true, func(r *Row) string { return timed(r, fmt.Sprintf("%.1f", r.CopyGBs)) }},
	{"share", "", true, func(r *Row) string { return timed(r, fmt.Sprintf("%.2f", r.Roofline)) }},
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

// tableOf is the table of rows, and what is the same in all of them.
func tableOf(rows []Row) (table sheet.Sheet, same []string) {
	for _, c := range columns {
		texts := make([]string, len(rows))
		for i := range rows {
			texts[i] = c.text(&rows[i])
		}
		table = append(table, sheet.Column{Title: c.title, Unit: c.unit, Quantity: c.quantity, Cells: texts})
	}
	return table.Fold()
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
values) over its time. Both are medians of the rounds' own ratios. range: of all repeats
`

// WriteTable writes the document as tables for people.
func (d *Document) WriteTable(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\nlbmib %s, %s\n", d.Host, d.Host.Version, d.Host.Date)
	if len(d.Rows) > 0 {
		table, same := tableOf(d.Rows)
		if len(same) > 0 {
			fmt.Fprintf(&b, "all rows: %s\n", strings.Join(same, ", "))
		}
		fmt.Fprintln(&b)
		table.WriteText(&b)
		b.WriteString(legend)
	}
	for _, line := range reasons(d.Rows) {
		fmt.Fprintln(&b, line)
	}
	for i := range d.Tables {
		d.Tables[i].writeText(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
