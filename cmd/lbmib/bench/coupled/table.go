package coupled

import (
	"fmt"
	"io"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
)

// Table is how rows are written.
var Table = harness.Table[Row]{Legend: legend, Columns: []table.Property[Row]{
	table.Name("size", "nodes", func(r *Row) string { return r.Size.String() }),
	table.Name("bodies", "", func(r *Row) string { return fmt.Sprint(r.Bodies) }),
	table.Name("motion", "", func(r *Row) string { return r.Motion }),
	table.Name("markers", "", func(r *Row) string { return fmt.Sprint(r.Markers) }),
	table.Name("volume", "%", func(r *Row) string { return fmt.Sprintf("%.3g", 100*r.VolumeFraction) }),
	table.Name("precision", "", func(r *Row) string { return r.Precision }),
	table.Name("delta", "", func(r *Row) string { return r.Delta }),
	table.Name("strategy", "", (*Row).strategy),
	table.Name("schedule", "", (*Row).schedule),
	table.Name("backend", "", func(r *Row) string { return r.Backend }),
	table.Name("kernel", "", func(r *Row) string { return r.Kernel }),
	table.Name("threads", "", func(r *Row) string { return fmt.Sprint(r.Threads) }),
	table.Quantity("MFLUPS", "alone", func(r *Row) string { return r.OrState(fmt.Sprintf("%.4g", r.MFLUPSPure)) }),
	table.Quantity("MFLUPS", "with bodies", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.4g", r.MFLUPSCoupled)) }),
	table.Quantity("overhead", "%", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.1f", 100*r.Overhead)) }),
	table.Quantity("range", "%", func(r *Row) string {
		return r.IfOK(fmt.Sprintf("%.1f…%.1f", 100*r.OverheadLow, 100*r.OverheadHigh))
	}),
	table.Quantity("bodies' share", "% of a step", func(r *Row) string {
		if r.IBShare == 0 { // not known
			return "–"
		}
		return r.IfOK(fmt.Sprintf("%.2f", 100*r.IBShare))
	}),
	table.Quantity("a marker", "ns", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.0f", r.MarkerNS)) }),
	table.Quantity("its transfers", "ns", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.0f", r.TransferNS)) }),
	table.Quantity("a support node", "ns", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.0f", r.SupportNS)) }),
	table.Quantity("a node alone", "ns", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.2f", r.FluidNS)) }),
}}

// schedule names the schedule, and what auto came to.
func (r *Row) schedule() string {
	if first, _, _ := strings.Cut(r.Chosen, " "); first != "" {
		return r.Schedule + ": " + first
	}
	return r.Schedule
}

// strategy names what did the work, and auto where that chose it.
func (r *Row) strategy() string {
	if r.Strategy == r.Algorithm || r.Strategy == "" {
		return r.Algorithm
	}
	return r.Algorithm + ": " + r.Strategy
}

// WriteTable writes the rows for people.
func (d *Document) WriteTable(w io.Writer) error {
	_, err := io.WriteString(w, Table.Text(d.Host, d.Rows))
	return err
}

const legend = `
overhead: 1 − with bodies/alone, rates of the same repeat; range: of all repeats. bodies' share: of
a step with bodies, by the clock around their part, where nothing else goes on at the same time.
ns: of that part by markers and by nodes that they reach, transfers alone (interpolation and
spreading on fields of the whole domain), and of a step without bodies by nodes
`
