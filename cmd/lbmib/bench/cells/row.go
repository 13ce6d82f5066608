package cells

import (
	"fmt"
	"math"

	"lbmib/cmd/lbmib/bench/harness"
)

// Row is what was measured of a Spec. Times of rows that are not ok are 0.
type Row struct {
	Spec
	SupportNodes int     `json:"support_nodes"` // nodes that vertices reach
	Strategy     string  `json:"strategy"`      // of interpolation and spreading
	Kernel       string  `json:"kernel"`        // of the fluid; transfers have no avx512, it means avx2 there
	Viscosity    float64 `json:"viscosity"`     // of the fluid, lattice units
	Stiffness    float64 `json:"stiffness"`     // K Δt/(μ h) of the membranes

	harness.Outcome
	times
	Repeats int             `json:"repeats"`
	Steps   int64           `json:"steps"` // timed with cells, of all repeats
	Checks  []harness.Check `json:"checks,omitempty"`
}

// times are medians of what the repeats gave.
type times struct {
	AloneMS     float64 `json:"alone_ms"`     // a step of the fluid alone
	WithMS      float64 `json:"with_ms"`      // likewise with cells, in turn with the other
	LawsMS      float64 `json:"laws_ms"`      // forces of the membranes, alone
	TransfersMS float64 `json:"transfers_ms"` // interpolation and spreading, alone
	ContactMS   float64 `json:"contact_ms"`   // forces of contact, alone, without listing neighbours; 0 without
	RestMS      float64 `json:"rest_ms"`      // cells − laws − transfers − contact
	CellUS      float64 `json:"us_per_cell"`  // of the median of with − alone of each repeat
	CellUSLow   float64 `json:"us_per_cell_low"`
	CellUSHigh  float64 `json:"us_per_cell_high"` // the least and the most of the repeats
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
	return fmt.Sprintf("%.4g ms a step, %.4g alone, %.3g µs a cell", r.WithMS, r.AloneMS, r.CellUS)
}

// take fills in the times.
func (r *Row) take(all []sample, p parts) {
	r.Repeats = len(all)
	r.AloneMS = 1e3 * harness.MedianOf(all, func(s sample) float64 { return s.alone })
	r.WithMS = 1e3 * harness.MedianOf(all, func(s sample) float64 { return s.with })
	cells, low, high := harness.Range(all, func(s sample) float64 { return s.with - s.alone })
	per := 1e6 / float64(r.Cells)
	r.CellUS, r.CellUSLow, r.CellUSHigh = per*cells, per*low, per*high
	r.LawsMS, r.TransfersMS, r.ContactMS = 1e3*p.laws, 1e3*p.transfers, 1e3*p.contact
	r.RestMS = 1e3*cells - r.LawsMS - r.TransfersMS - r.ContactMS
	if !(r.AloneMS > 0 && r.WithMS > 0) || math.IsInf(r.WithMS, 0) {
		*r = r.without(harness.Wrong, "no step took any time")
	}
}

// perVertex is a time in ms as ns of all workers together per vertex.
func (r *Row) perVertex(ms float64) float64 {
	return ms * 1e6 * float64(r.Threads) / float64(r.Cells*r.Vertices)
}

// Document is what bench cells --json prints.
type Document struct {
	Host harness.Host `json:"host"`
	Rows []Row        `json:"rows"`
}

// NewDocument puts rows together with the machine that they were measured on.
func NewDocument(h harness.Host, rows []Row) Document {
	return Document{Host: h, Rows: append([]Row{}, rows...)}
}
