package coupled

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
	{"size", "nodes", false, func(r *Row) string { return fmt.Sprintf("%d×%d", r.Size[0], r.Size[1]) }},
	{"bodies", "", false, func(r *Row) string { return fmt.Sprint(r.Bodies) }},
	{"markers", "", false, func(r *Row) string { return fmt.Sprint(r.Markers) }},
	{"volume", "%", false, func(r *Row) string { return fmt.Sprintf("%.3g", 100*r.VolumeFraction) }},
	{"precision", "", false, func(r *Row) string { return r.Precision }},
	{"delta", "", false, func(r *Row) string { return r.Delta }},
	{"strategy", "", false, (*Row).strategy},
	{"schedule", "", false, func(r *Row) string { return r.Schedule }},
	{"backend", "", false, func(r *Row) string { return r.Backend }},
	{"kernel", "", false, func(r *Row) string { return r.Kernel }},
	{"threads", "", false, func(r *Row) string { return fmt.Sprint(r.Threads) }},
	{"MFLUPS", "alone", true, func(r *Row) string {
		switch r.Status {
		case gauge.OK:
			return fmt.Sprintf("%.4g", r.MFLUPSPure)
		case gauge.Wrong:
			return "FAILED"
		}
		return r.Status
	}},
	{"MFLUPS", "with bodies", true, func(r *Row) string { return timed(r, fmt.Sprintf("%.4g", r.MFLUPSCoupled)) }},
	{"overhead", "%", true, func(r *Row) string { return timed(r, fmt.Sprintf("%.1f", 100*r.Overhead)) }},
	{"range", "%", true, func(r *Row) string {
		return timed(r, fmt.Sprintf("%.1f…%.1f", 100*r.OverheadLow, 100*r.OverheadHigh))
	}},
	{"bodies' share", "% of a step", true, func(r *Row) string { return timed(r, fmt.Sprintf("%.2f", 100*r.IBShare)) }},
}

// timed is the text of what only rows that are ok have.
func timed(r *Row, text string) string {
	if r.Status != gauge.OK {
		return "–"
	}
	return text
}

// strategy names what did the work, and auto where that chose it.
func (r *Row) strategy() string {
	if r.Strategy == r.Algorithm || r.Strategy == "" {
		return r.Algorithm
	}
	return r.Algorithm + ": " + r.Strategy
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

// reasons are one line for every row without a rate.
func reasons(rows []Row) (lines []string) {
	for i := range rows {
		if r := &rows[i]; r.Status != gauge.OK {
			lines = append(lines, fmt.Sprintf("%v: %s", &r.spec, r.result()))
		}
	}
	return lines
}

// WriteTable writes the rows for people.
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
	_, err := io.WriteString(w, b.String())
	return err
}

const legend = `
overhead: 1 − with bodies/alone, rates of the same repeat; range: of all repeats. bodies' share: of
a step with bodies, by the clock around their part
`
