package bench

import (
	"fmt"
	"io"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
)

// columns of the table of rows.
var columns = []table.Property[Row]{
	table.Name("lattice", "", func(r *Row) string { return r.Lattice }),
	table.Name("size", "nodes", func(r *Row) string { return sizeText(r.Size) }),
	table.Name("flow", "", func(r *Row) string { return r.Flow }),
	table.Name("precision", "", func(r *Row) string { return r.Precision }),
	table.Name("layout", "", func(r *Row) string { return r.spec.layoutText() }),
	table.Name("streaming", "", func(r *Row) string { return r.spec.streamingText() }),
	table.Name("collision", "", func(r *Row) string { return r.Collision }),
	table.Name("backend", "", func(r *Row) string { return r.Backend }),
	table.Name("kernel", "", func(r *Row) string { return r.Kernel }),
	table.Name("threads", "", func(r *Row) string { return fmt.Sprint(r.Threads) }),
	table.Quantity("MFLUPS", "median", mflupsText),
	table.Quantity("spread", "%", func(r *Row) string { return rate(r, spread(r)) }),
	table.Quantity("bytes", "/node", func(r *Row) string { return fmt.Sprint(r.BytesPerNode) }),
	table.Quantity("GB/s", "", func(r *Row) string { return rate(r, fmt.Sprintf("%.1f", r.GBs)) }),
	table.Quantity("limit", "GB/s", func(r *Row) string {
		return rate(r, fmt.Sprintf("%s %.1f", r.Limit, r.limitMFLUPS()*float64(r.BytesPerNode)/1e3))
	}),
	table.Quantity("share", "", func(r *Row) string { return rate(r, fmt.Sprintf("%.2f", r.Roofline)) }),
	table.Quantity("ideal", "MFLUPS", func(r *Row) string { return rate(r, fmt.Sprintf("%.1f", r.Ideal)) }),
}

// mflupsText is the rate, or why there is none.
func mflupsText(r *Row) string {
	switch r.Status {
	case harness.Wrong:
		return "FAILED"
	case harness.Refused:
		return "refused"
	}
	return fmt.Sprintf("%.1f", r.MFLUPS)
}

// rate is the text of what only rows that are ok have.
func rate(r *Row, text string) string {
	if r.Status != harness.OK {
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
		if r := &rows[i]; r.Status != harness.OK {
			lines = append(lines, fmt.Sprintf("%v: %s", &r.spec, r.result()))
		}
	}
	return lines
}

// WriteTable writes the document as a table for people.
func (d *Document) WriteTable(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\nlbmib %s, %s\n", d.Host, d.Host.Version, d.Host.Date)
	table.WriteRows(&b, columns, d.Rows, legend)
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
