package bench

import (
	"fmt"
	"io"
	"strings"

	"lbmib/cmd/lbmib/bench/gauge"
	"lbmib/cmd/lbmib/bench/sheet"
)

// column is one column of the table of rows. What is the same in all rows is
// told once, above; quantities have no such column.
type column struct {
	title, unit string
	quantity    bool
	text        func(*Row) string
}

var columns = []column{
	{"lattice", "", false, func(r *Row) string { return r.Lattice }},
	{"size", "nodes", false, func(r *Row) string { return sizeText(r.Size) }},
	{"flow", "", false, func(r *Row) string { return r.Flow }},
	{"precision", "", false, func(r *Row) string { return r.Precision }},
	{"layout", "", false, func(r *Row) string { return r.spec.layoutText() }},
	{"streaming", "", false, func(r *Row) string { return r.spec.streamingText() }},
	{"collision", "", false, func(r *Row) string { return r.Collision }},
	{"backend", "", false, func(r *Row) string { return r.Backend }},
	{"kernel", "", false, func(r *Row) string { return r.Kernel }},
	{"threads", "", false, func(r *Row) string { return fmt.Sprint(r.Threads) }},
	{"MFLUPS", "median", true, mflupsText},
	{"spread", "%", true, func(r *Row) string { return rate(r, spread(r)) }},
	{"bytes", "/node", true, func(r *Row) string { return fmt.Sprint(r.BytesPerNode) }},
	{"GB/s", "", true, func(r *Row) string { return rate(r, fmt.Sprintf("%.1f", r.GBs)) }},
	{"limit", "GB/s", true, func(r *Row) string {
		return rate(r, fmt.Sprintf("%s %.1f", r.Limit, r.limitMFLUPS()*float64(r.BytesPerNode)/1e3))
	}},
	{"share", "", true, func(r *Row) string { return rate(r, fmt.Sprintf("%.2f", r.Roofline)) }},
}

// mflupsText is the rate, or why there is none.
func mflupsText(r *Row) string {
	switch r.Status {
	case gauge.Wrong:
		return "FAILED"
	case gauge.Refused:
		return "refused"
	}
	return fmt.Sprintf("%.1f", r.MFLUPS)
}

// rate is the text of what only rows that are ok have.
func rate(r *Row, text string) string {
	if r.Status != gauge.OK {
		return "–"
	}
	return text
}

// spread is how far below and above the median the repeats are, in per cent.
func spread(r *Row) string {
	return fmt.Sprintf("−%.0f +%.0f", 100*(1-r.MFLUPSLow/r.MFLUPS), 100*(r.MFLUPSHigh/r.MFLUPS-1))
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

// reasons are one line for every row that has no rate.
func reasons(rows []Row) (lines []string) {
	for i := range rows {
		if r := &rows[i]; r.Status != gauge.OK {
			lines = append(lines, fmt.Sprintf("%v: %s", &r.spec, r.result()))
		}
	}
	return lines
}

// WriteTable writes the document as a table for people.
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
		fmt.Fprintf(&b, "\nshare: of the limit, the fastest copy (ab) or in-place update (inplace) that was found, measured\n"+
			"in turn with the flow, with the same threads over as many bytes: the median of the repeats' own\n"+
			"shares (roofline in JSON), not that of the medians beside it; spread: of all repeats\n")
	}
	for _, line := range reasons(d.Rows) {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
