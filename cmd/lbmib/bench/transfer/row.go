package transfer

import (
	"fmt"

	"lbmib/cmd/lbmib/bench/harness"
)

// Row is what was measured of a Spec. Times and rates of rows that are not ok are 0.
type Row struct {
	Spec
	Device string `json:"device,omitempty"`
	Kernel string `json:"kernel"` // go | avx2 | cuda
	harness.Outcome
	Ms          float64         `json:"ms_per_call"` // median of the repeats
	MsLow       float64         `json:"ms_low"`      // the fastest
	MsHigh      float64         `json:"ms_high"`     // and the slowest of them
	MPoints     float64         `json:"mpoints_per_s"`
	Weights     float64         `json:"weights_per_s"`        // points · nodes of a support · components over the time; 0 of set
	ToSerial    float64         `json:"ratio_to_serial"`      // time over that of serial on one thread, median of the rounds' ratios
	Allocations float64         `json:"allocations_per_call"` // of calls after the first ones
	Bytes       int64           `json:"bytes_per_call"`       // see the package's documentation
	GBs         float64         `json:"gbs"`                  // bytes_per_call over the time
	CopyGBs     float64         `json:"copy_gbs"`             // median of the fastest copy with the same threads
	Roofline    float64         `json:"roofline"`             // median of the rounds' gbs over copy_gbs
	Repeats     int             `json:"repeats"`
	Calls       int             `json:"calls"` // timed, of all repeats
	Checks      []harness.Check `json:"checks,omitempty"`
}

func newRow(s *Spec) Row {
	r := Row{Spec: *s, Kernel: s.Kernel, Outcome: harness.Outcome{Status: harness.OK}}
	if s.onDevice() {
		r.Kernel = "cuda"
	}
	return r
}

// without is the row with a state and a reason instead of times.
func (r Row) without(status, reason string) Row {
	n := newRow(&r.Spec)
	n.Outcome, n.Checks = harness.Outcome{Status: status, Reason: reason}, r.Checks
	return n
}

// Result is what came out in a few words.
func (r Row) Result() string { return fmt.Sprintf("%.3f ms a call", r.Ms) }

// sample is what one repeat measured.
type sample struct {
	ms       float64 // per call
	serialMs float64 // of the serial strategy in the same round
	copyGBs  float64
	calls    int
}

// take fills in the times of the repeats.
func (r *Row) take(all []sample, c *cost) {
	of := func(value func(sample) float64) float64 { return harness.MedianOf(all, value) }
	r.Repeats, r.Calls = len(all), 0
	for _, s := range all {
		r.Calls += s.calls
	}
	r.Bytes = c.of(r.Op)
	gbs := func(ms float64) float64 { return float64(r.Bytes) / ms / 1e6 }
	r.Ms, r.MsLow, r.MsHigh = harness.Range(all, func(s sample) float64 { return s.ms })
	r.MPoints = float64(r.Points) / r.Ms / 1e3
	if r.Op != set {
		r.Weights = float64(c.uses) / r.Ms * 1e3
	}
	r.GBs = gbs(r.Ms)
	r.ToSerial = of(func(s sample) float64 { return s.ms / s.serialMs })
	r.CopyGBs = of(func(s sample) float64 { return s.copyGBs })
	r.Roofline = of(func(s sample) float64 { return gbs(s.ms) / s.copyGBs })
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
	if r := harness.Largest(rows, func(r *Row) (int, int64, float64) { return r.Threads, r.footprint(), r.CopyGBs }); r != nil {
		d.CopyGBs = r.CopyGBs
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
