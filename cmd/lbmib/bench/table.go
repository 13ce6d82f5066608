package bench

import (
	"fmt"
	"io"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
)

// Table is how rows are written.
var Table = harness.Table[Row]{Legend: legend, Columns: []table.Property[Row]{
	table.Name("lattice", "", func(r *Row) string { return r.Lattice }),
	table.Name("size", "nodes", func(r *Row) string { return r.Size.String() }),
	table.Name("flow", "", func(r *Row) string { return r.Flow }),
	table.Name("precision", "", func(r *Row) string { return r.Precision }),
	table.Name("storage", "", func(r *Row) string { return r.Storage }),
	table.Name("layout", "", func(r *Row) string { return r.layoutText() }),
	table.Name("streaming", "", func(r *Row) string { return r.streamingText() }),
	table.Name("collision", "", func(r *Row) string { return r.Collision }),
	table.Name("backend", "", func(r *Row) string { return r.Backend }),
	table.Name("kernel", "", func(r *Row) string { return r.Kernel }),
	table.Name("threads", "", func(r *Row) string { return fmt.Sprint(r.Threads) }),
	table.Quantity("MFLUPS", "median", func(r *Row) string { return r.OrState(fmt.Sprintf("%.1f", r.MFLUPS)) }),
	table.Quantity("spread", "%", func(r *Row) string {
		return r.IfOK(fmt.Sprintf("−%.0f +%.0f", 100*(1-r.MFLUPSLow/r.MFLUPS), 100*(r.MFLUPSHigh/r.MFLUPS-1)))
	}),
	table.Quantity("bytes", "/node", func(r *Row) string { return fmt.Sprint(r.BytesPerNode) }),
	table.Quantity("GB/s", "", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.1f", r.GBs)) }),
	table.Quantity("limit", "GB/s", func(r *Row) string {
		return r.IfOK(fmt.Sprintf("%s %.1f", r.Limit, r.limitGBs()))
	}),
	table.Quantity("share", "", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.2f", r.Roofline)) }),
	table.Quantity("ideal", "MFLUPS", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.1f", r.Ideal)) }),
}}

// WriteTable writes the document as a table for people.
func (d *Document) WriteTable(w io.Writer) error {
	_, err := io.WriteString(w, Table.Text(d.Host, d.Rows))
	return err
}

const legend = `
share: of the limit, the fastest copy (ab) or in-place update (inplace) that was found, measured
in turn with the flow, with the same threads over as many bytes: the median of the repeats' own
shares (roofline in JSON), not that of the medians beside it; spread: of all repeats;
ideal: Valero-Lara et al. (2015), eq. (7), the copy's bandwidth, six accesses to every population
`
