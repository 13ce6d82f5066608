package transfer

import (
	"lbmib/cmd/lbmib/bench/harness"
)

// slow is the state of a row that was left out, as it was not asked for by name; for
// the others see package harness.
const slow = "slow"

// Row is what was measured of a Spec. Times and rates of rows that are not ok are 0.
type Row struct {
	Op           string          `json:"op"` // interpolate | spread | set
	Algorithm    string          `json:"algorithm"`
	Delta        string          `json:"delta"`
	Grid         []int           `json:"grid"`
	Staggered    bool            `json:"staggered"`
	Components   int             `json:"components"`
	Points       int             `json:"points"`
	Distribution string          `json:"distribution"`
	Box          int             `json:"box,omitempty"` // nodes along an axis of the box that holds the points
	Precision    string          `json:"precision"`
	Backend      string          `json:"backend"`
	Device       string          `json:"device,omitempty"`
	Kernel       string          `json:"kernel"`           // go | avx2 | cuda
	Threads      int             `json:"threads"`          // 0 on a device
	Order        string          `json:"order"`            // new | kept | sorted | set
	Status       string          `json:"status"`           // ok | failed | refused | slow
	Reason       string          `json:"reason,omitempty"` // of a row that is not ok
	Ms           float64         `json:"ms_per_call"`      // median of the repeats
	MsLow        float64         `json:"ms_low"`           // the fastest
	MsHigh       float64         `json:"ms_high"`          // and the slowest of them
	MPoints      float64         `json:"mpoints_per_s"`
	Weights      float64         `json:"weights_per_s"`        // points · nodes of a support · components over the time; 0 of set
	ToSerial     float64         `json:"ratio_to_serial"`      // time over that of serial on one thread, median of the rounds' ratios
	Allocations  float64         `json:"allocations_per_call"` // of calls after the first ones
	Bytes        int64           `json:"bytes_per_call"`       // see the package's documentation
	GBs          float64         `json:"gbs"`                  // bytes_per_call over the time
	CopyGBs      float64         `json:"copy_gbs"`             // median of the fastest copy with the same threads
	Roofline     float64         `json:"roofline"`             // median of the rounds' gbs over copy_gbs
	Repeats      int             `json:"repeats"`
	Calls        int             `json:"calls"` // timed, of all repeats
	Checks       []harness.Check `json:"checks,omitempty"`
	Layout       string          `json:"layout"` // of markers: soa | aos

	spec Spec
}

func newRow(s *Spec) Row {
	kernel := s.Kernel
	if s.onDevice() {
		kernel = "cuda"
	}
	return Row{
		Op: s.Op, Algorithm: s.Algorithm, Delta: s.Delta, Grid: append([]int{}, s.Size[:s.Dim]...),
		Staggered: s.Staggered, Components: s.Components, Points: s.Points,
		Distribution: s.Distribution, Box: s.Box, Precision: s.Precision, Backend: s.Backend, Kernel: kernel,
		Threads: s.Threads, Order: s.Order, Layout: s.Layout, Status: harness.OK, spec: *s,
	}
}

// State is the row's status.
func (r Row) State() string { return r.Status }

// Why is the reason of a row that is not ok.
func (r Row) Why() string { return r.Reason }

// Restore makes a row that was read from JSON what it was before.
func (r *Row) Restore() {
	p := Problem{
		Delta: r.Delta, Dim: len(r.Grid), Size: [3]int{1, 1, 1}, Staggered: r.Staggered, Components: r.Components, Points: r.Points,
		Distribution: r.Distribution, Box: r.Box, Precision: r.Precision, Backend: r.Backend, Kernel: r.Kernel,
	}
	copy(p.Size[:], r.Grid)
	if r.Layout == "" { // written before there were others
		r.Layout = soa
	}
	if p.onDevice() {
		p.Kernel = "" // the processor's
	}
	r.spec = Spec{Problem: p, Op: r.Op, Algorithm: r.Algorithm, Threads: r.Threads, Order: r.Order, Layout: r.Layout}
}

// without is the row with a state and a reason instead of times.
func (r Row) without(status, reason string) Row {
	n := newRow(&r.spec)
	n.Status, n.Reason, n.Checks = status, reason, r.Checks
	return n
}

// sample is what one repeat measured.
type sample struct {
	ms       float64 // per call
	serialMs float64 // of the serial strategy in the same round
	copyGBs  float64
	calls    int
}

// take fills in the times of the repeats.
func (r *Row) take(all []sample, c *cost) {
	each := func(of func(sample) float64) float64 {
		v := make([]float64, len(all))
		for i, s := range all {
			v[i] = of(s)
		}
		return harness.Median(v)
	}
	r.Repeats, r.Calls, r.MsLow, r.MsHigh = len(all), 0, all[0].ms, all[0].ms
	for _, s := range all {
		r.Calls += s.calls
		r.MsLow, r.MsHigh = min(r.MsLow, s.ms), max(r.MsHigh, s.ms)
	}
	r.Bytes = c.of(r.Op)
	gbs := func(ms float64) float64 { return float64(r.Bytes) / ms / 1e6 }
	r.Ms = each(func(s sample) float64 { return s.ms })
	r.MPoints = float64(r.Points) / r.Ms / 1e3
	if r.Op != set {
		r.Weights = float64(c.uses) / r.Ms * 1e3
	}
	r.GBs = gbs(r.Ms)
	r.ToSerial = each(func(s sample) float64 { return s.ms / s.serialMs })
	r.CopyGBs = each(func(s sample) float64 { return s.copyGBs })
	r.Roofline = each(func(s sample) float64 { return gbs(s.ms) / s.copyGBs })
}

// limitMs is the time in which the fastest copy moves the bytes of a call.
func (r *Row) limitMs() float64 { return float64(r.Bytes) / r.CopyGBs / 1e6 }

// Document is what bench ib --json prints.
type Document struct {
	Host    harness.Host `json:"host"`
	CopyGBs float64      `json:"copy_gbs"` // of the row with the most threads, and of these of the one with the largest fields
	Rows    []Row        `json:"rows"`
	Tables  []Table      `json:"tables,omitempty"`
}

// NewDocument puts rows and tables together with the machine that they were
// measured on.
func NewDocument(h harness.Host, rows []Row, tables []Table) Document {
	d := Document{Host: h, Rows: append([]Row{}, rows...), Tables: tables}
	var best *Row
	for i := range rows {
		r := &rows[i]
		if r.CopyGBs == 0 || best != nil && (r.Threads < best.Threads || r.Threads == best.Threads && r.spec.footprint() <= best.spec.footprint()) {
			continue
		}
		best = r
	}
	if best != nil {
		d.CopyGBs = best.CopyGBs
	}
	return d
}

// Verdict counts the rows, those of tables included, whose results were wrong and
// those that could not be computed.
func Verdict(rows []Row, tables []Table) (failed, refusals int) {
	failed, refusals = harness.Verdict(rows)
	for _, t := range tables {
		f, r := harness.Verdict(t.Rows)
		failed, refusals = failed+f, refusals+r
	}
	return failed, refusals
}
