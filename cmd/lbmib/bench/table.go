package bench

import (
	"fmt"
	"io"
	"strings"

	"lbmib/cmd/lbmib/bench/gauge"
	"lbmib/cmd/lbmib/bench/sheet"
)

// columns of the table of rows.
var columns = []sheet.Property[Row]{
	sheet.Name("lattice", "", func(r *Row) string { return r.Lattice }),
	sheet.Name("size", "nodes", func(r *Row) string { return sizeText(r.Size) }),
	sheet.Name("flow", "", func(r *Row) string { return r.Flow }),
	sheet.Name("precision", "", func(r *Row) string { return r.Precision }),
	sheet.Name("layout", "", func(r *Row) string { return r.spec.layoutText() }),
	sheet.Name("streaming", "", func(r *Row) string { return r.spec.streamingText() }),
	sheet.Name("collision", "", func(r *Row) string { return r.Collision }),
	sheet.Name("backend", "", func(r *Row) string { return r.Backend }),
	sheet.Name("kernel", "", func(r *Row) string { return r.Kernel }),
	sheet.Name("threads", "", func(r *Row) string { return fmt.Sprint(r.Threads) }),
	sheet.Quantity("MFLUPS", "median", mflupsText),
	sheet.Quantity("spread", "%", func(r *Row) string { return rate(r, spread(r)) }),
	sheet.Quantity("bytes", "/node", func(r *Row) string { return fmt.Sprint(r.BytesPerNode) }),
	sheet.Quantity("GB/s", "", func(r *Row) string { return rate(r, fmt.Sprintf("%.1f", r.GBs)) }),
	sheet.Quantity("limit", "GB/s", func(r *Row) string {
		return rate(r, fmt.Sprintf("%s %.1f", r.Limit, r.limitMFLUPS()*float64(r.BytesPerNode)/1e3))
	}),
	sheet.Quantity("share", "", func(r *Row) string { return rate(r, fmt.Sprintf("%.2f", r.Roofline)) }),
	sheet.Quantity("ideal", "MFLUPS", func(r *Row) string { return rate(r, fmt.Sprintf("%.1f", r.Ideal)) }),
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
	sheet.WriteRows(&b, columns, d.Rows, legend)
	for _, line := range reasons(d.Rows) {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

const legend = `
share: of the limit, the fastest copy (ab) or in-place update (inplace) that was found, measured
in turn with the flow, with the same threads over as many bytes: the median of the repeats' own
shares (roofline in JSON), not that of the medians beside it; spread: of all repeats;
ideal: Valero-Lara et al. (2015), eq. (7), the copy's bandwidth, six accesses to every population
`
