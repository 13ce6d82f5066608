package suspension

import (
	"fmt"
	"io"
	"math"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
)

// Row is what was measured of a Spec. Times of rows that are not ok are 0.
type Row struct {
	Spec
	Kernel string `json:"kernel"` // of the fluid

	harness.Outcome
	times
	Repeats int             `json:"repeats"`
	Steps   int64           `json:"steps"` // timed with ellipsoids, of all repeats
	Checks  []harness.Check `json:"checks,omitempty"`
}

// times are medians of what the repeats gave.
type times struct {
	AloneMS    float64 `json:"alone_ms"`    // a step of the fluid alone
	WithMS     float64 `json:"with_ms"`     // likewise with ellipsoids, in turn with the other
	FluidMS    float64 `json:"fluid_ms"`    // of it: the fluid's step, with their forces in its collision
	ForcesMS   float64 `json:"forces_ms"`   // pairs, lists of them too
	MotionMS   float64 `json:"motion_ms"`   // velocities, places, axes
	CouplingMS float64 `json:"coupling_ms"` // velocities and spins of the fluid to the ellipsoids, drags and torques back
	// MUpdates is ellipsoids moved a second and core, in millions: pairs and motion. The least and the most of the repeats with it.
	MUpdates     float64 `json:"mupdates_per_core"`
	MUpdatesLow  float64 `json:"mupdates_per_core_low"`
	MUpdatesHigh float64 `json:"mupdates_per_core_high"`
}

func newRow(s Spec) Row {
	return Row{Spec: s, Outcome: harness.Outcome{Status: harness.OK}}
}

// without is the row with a state and a reason instead of times.
func (r Row) without(status, reason string) Row {
	r.Outcome, r.times = harness.Outcome{Status: status, Reason: reason}, times{}
	return r
}

// Result is what came out in a few words.
func (r Row) Result() string {
	return fmt.Sprintf("%.4g ms a step, %.4g alone, %.3g million ellipsoids a second and core", r.WithMS, r.AloneMS, r.MUpdates)
}

// take fills in the times.
func (r *Row) take(all []sample) {
	r.Repeats = len(all)
	median := func(of func(sample) float64) float64 { return 1e3 * harness.MedianOf(all, of) }
	r.AloneMS, r.WithMS = median(func(s sample) float64 { return s.alone }), median(func(s sample) float64 { return s.with })
	r.ForcesMS, r.MotionMS = median(func(s sample) float64 { return s.forces }), median(func(s sample) float64 { return s.motion })
	r.CouplingMS = median(func(s sample) float64 { return s.coupling })
	r.FluidMS = median(func(s sample) float64 { return s.with - s.forces - s.motion - s.coupling })
	r.MUpdates, r.MUpdatesLow, r.MUpdatesHigh = harness.Range(all, func(s sample) float64 {
		return float64(r.Ellipsoids) / (s.forces + s.motion) / float64(r.Threads) / 1e6
	})
	if !(r.AloneMS > 0 && r.WithMS > 0 && r.MUpdates > 0) || math.IsInf(r.MUpdates, 0) {
		*r = r.without(harness.Wrong, "no step took any time")
	}
}

// nsEach is a time in ms as ns of all workers together per ellipsoid.
func (r *Row) nsEach(ms float64) float64 {
	return ms * 1e6 * float64(r.Threads) / float64(r.Ellipsoids)
}

// Document is what bench suspension --json prints.
type Document struct {
	Host harness.Host `json:"host"`
	Rows []Row        `json:"rows"`
}

// NewDocument puts rows together with the machine that they were measured on.
func NewDocument(h harness.Host, rows []Row) Document {
	return Document{Host: h, Rows: append([]Row{}, rows...)}
}

// Table is how rows are written.
var Table = harness.Table[Row]{Legend: legend, Columns: []table.Property[Row]{
	table.Name("ellipsoids", "", func(r *Row) string { return fmt.Sprint(r.Ellipsoids) }),
	table.Name("a", "nodes", func(r *Row) string { return fmt.Sprintf("%g", r.Equatorial) }),
	table.Name("box", "nodes", func(r *Row) string { return r.Size.String() }),
	table.Name("filled", "%", func(r *Row) string { return fmt.Sprintf("%.1f", 100*r.Haematocrit) }),
	table.Name("delta", "", func(r *Row) string { return r.Delta }),
	table.Name("precision", "", func(r *Row) string { return r.Precision }),
	table.Name("kernel", "", func(r *Row) string { return r.Kernel }),
	table.Name("threads", "", func(r *Row) string { return fmt.Sprint(r.Threads) }),
	table.Quantity("alone", "ms/step", ms(func(r *Row) float64 { return r.AloneMS }, true)),
	table.Quantity("with them", "ms/step", ms(func(r *Row) float64 { return r.WithMS }, false)),
	table.Quantity("fluid", "ms/step", ms(func(r *Row) float64 { return r.FluidMS }, false)),
	table.Quantity("pairs", "ms/step", ms(func(r *Row) float64 { return r.ForcesMS }, false)),
	table.Quantity("motion", "ms/step", ms(func(r *Row) float64 { return r.MotionMS }, false)),
	table.Quantity("coupling", "ms/step", ms(func(r *Row) float64 { return r.CouplingMS }, false)),
	table.Quantity("pairs", "ns each", ns(func(r *Row) float64 { return r.ForcesMS })),
	table.Quantity("motion", "ns each", ns(func(r *Row) float64 { return r.MotionMS })),
	table.Quantity("coupling", "ns each", ns(func(r *Row) float64 { return r.CouplingMS })),
	table.Quantity("updates", "10⁶/s/core", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.3f", r.MUpdates)) }),
	table.Quantity("range", "10⁶/s/core", func(r *Row) string { return r.IfOK(fmt.Sprintf("%.3f…%.3f", r.MUpdatesLow, r.MUpdatesHigh)) }),
}}

// ms is the text of a time; the first of a row that is not ok tells its state.
func ms(of func(*Row) float64, first bool) func(*Row) string {
	return func(r *Row) string {
		text := fmt.Sprintf("%.3g", of(r))
		if first {
			return r.OrState(text)
		}
		return r.IfOK(text)
	}
}

// ns is the text of a time in ms per ellipsoid.
func ns(of func(*Row) float64) func(*Row) string {
	return func(r *Row) string { return r.IfOK(fmt.Sprintf("%.0f", r.nsEach(of(r)))) }
}

// WriteTable writes the rows for people.
func (d *Document) WriteTable(w io.Writer) error {
	_, err := io.WriteString(w, Table.Text(d.Host, d.Rows))
	return err
}

const legend = `
alone: the fluid without ellipsoids, stepped in turn. fluid: its step with their forces in the collision
and velocities stored on all nodes. pairs: forces and torques of all pairs in contact, with lists of those near.
motion: velocities, angular momenta, places and axes. coupling: velocity and spin of the fluid to every
ellipsoid, drag and torque back to it. ns each: of all workers together. updates: ellipsoids
a second and core, by pairs and motion; median and range of the repeats
`
