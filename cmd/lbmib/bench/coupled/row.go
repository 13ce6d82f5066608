package coupled

import (
	"fmt"
	"math"

	"lbmib/cmd/lbmib/bench/harness"
)

// Row is what was measured of a Spec. Rates of rows that are not ok are 0.
type Row struct {
	Lattice   string `json:"lattice"`
	Size      []int  `json:"size"`
	Bodies    int    `json:"bodies"`
	Diameter  int    `json:"diameter"` // nodes
	Markers   int    `json:"markers"`
	Precision string `json:"precision"`
	Delta     string `json:"delta"`
	Algorithm string `json:"algorithm"`        // as asked for
	Strategy  string `json:"strategy"`         // what it came to, where it was auto
	Schedule  string `json:"schedule"`         // as asked for
	Chosen    string `json:"chosen,omitempty"` // by auto, with what it measured
	Backend   string `json:"backend"`
	Device    string `json:"device,omitempty"`
	Kernel    string `json:"kernel"` // of the fluid; transfers have no avx512, it means avx2 there
	Threads   int    `json:"threads"`

	VolumeFraction float64 `json:"volume_fraction"` // πD²/(NX·NY) per cylinder, as Valero-Lara et al. count
	SolidFraction  float64 `json:"solid_fraction"`  // what the cylinders fill

	Status        string          `json:"status"`           // ok | failed | refused
	Reason        string          `json:"reason,omitempty"` // of a row that is not ok
	MFLUPSPure    float64         `json:"mflups_pure"`      // median of the repeats
	MFLUPSCoupled float64         `json:"mflups_coupled"`   // likewise, in turn with the other
	Overhead      float64         `json:"overhead"`         // median of 1 − coupled/pure
	OverheadLow   float64         `json:"overhead_low"`     // the least
	OverheadHigh  float64         `json:"overhead_high"`    // and the most of them
	IBShare       float64         `json:"ib_share"`         // of the coupled step, by the clock; 0 where that cannot tell
	Repeats       int             `json:"repeats"`
	Steps         int64           `json:"steps"` // timed, of each, of all repeats
	Checks        []harness.Check `json:"checks,omitempty"`

	spec Spec
}

func newRow(s Spec) Row {
	f := s.fraction(s.Bodies)
	return Row{
		Lattice: "D2Q9", Size: append([]int{}, s.Size[:2]...), Bodies: s.Bodies, Diameter: s.Diameter,
		Precision: s.Precision, Delta: s.Delta, Algorithm: s.Algorithm, Schedule: s.Schedule, Backend: s.Backend, Threads: s.Threads,
		VolumeFraction: f, SolidFraction: f / 4, Status: harness.OK, spec: s,
	}
}

// State is the row's status.
func (r Row) State() string { return r.Status }

// Why is the reason of a row that is not ok.
func (r Row) Why() string { return r.Reason }

// Restore makes a row that was read from JSON what it was before.
func (r *Row) Restore() {
	r.spec = Spec{
		Size: [3]int{1, 1, 1}, Diameter: r.Diameter, Bodies: r.Bodies, Precision: r.Precision, Delta: r.Delta,
		Algorithm: r.Algorithm, Schedule: r.Schedule, Backend: r.Backend, Threads: r.Threads,
	}
	copy(r.spec.Size[:], r.Size)
}

// without is the row with a state and a reason instead of rates.
func (r Row) without(status, reason string) Row {
	r.Status, r.Reason = status, reason
	r.MFLUPSPure, r.MFLUPSCoupled, r.Overhead, r.OverheadLow, r.OverheadHigh, r.IBShare = 0, 0, 0, 0, 0, 0
	return r
}

// result is what came out in a few words.
func (r *Row) result() string {
	switch r.Status {
	case harness.Wrong:
		return "FAILED: " + r.Reason
	case harness.Refused:
		return "refused: " + r.Reason
	}
	return fmt.Sprintf("%.4g of %.4g MFLUPS, the bodies take %.2g %% of a step", r.MFLUPSCoupled, r.MFLUPSPure, 100*r.IBShare)
}

// Document is what bench coupled --json prints.
type Document struct {
	Host harness.Host `json:"host"`
	Rows []Row        `json:"rows"`
}

// NewDocument puts rows together with the machine that they were measured on.
func NewDocument(h harness.Host, rows []Row) Document {
	return Document{Host: h, Rows: append([]Row{}, rows...)}
}

// sample is what one repeat measured.
type sample struct{ pure, coupled, share float64 }

// take fills in the rates of the repeats.
func (r *Row) take(all []sample) {
	each := func(of func(sample) float64) []float64 {
		v := make([]float64, len(all))
		for i, s := range all {
			v[i] = of(s)
		}
		return v
	}
	r.Repeats = len(all)
	r.MFLUPSPure = harness.Median(each(func(s sample) float64 { return s.pure }))
	r.MFLUPSCoupled = harness.Median(each(func(s sample) float64 { return s.coupled }))
	over := each(func(s sample) float64 { return 1 - s.coupled/s.pure })
	r.Overhead = harness.Median(over) // sorts
	r.OverheadLow, r.OverheadHigh = over[0], over[len(over)-1]
	r.IBShare = harness.Median(each(func(s sample) float64 { return s.share }))
	if math.IsNaN(r.Overhead) { // no step was timed
		*r = r.without(harness.Wrong, "no step took any time")
	}
}
