package coupled

import (
	"fmt"
	"math"

	"lbmib/cmd/lbmib/bench/harness"
)

// Row is what was measured of a Spec. Rates of rows that are not ok are 0.
type Row struct {
	Lattice string `json:"lattice"`
	Spec
	Markers      int    `json:"markers"`
	SupportNodes int    `json:"support_nodes"`    // nodes that markers reach
	Strategy     string `json:"strategy"`         // what the algorithm came to, where it was auto
	Chosen       string `json:"chosen,omitempty"` // schedule, by auto, with what it measured
	Device       string `json:"device,omitempty"`
	Kernel       string `json:"kernel"` // of the fluid; transfers have no avx512, it means avx2 there

	VolumeFraction float64 `json:"volume_fraction"` // πD²/(NX·NY) per cylinder, as Valero-Lara et al. count; of spheres what they fill
	SolidFraction  float64 `json:"solid_fraction"`  // what the bodies fill

	harness.Outcome
	rates
	Repeats int             `json:"repeats"`
	Steps   int64           `json:"steps"` // timed, of each, of all repeats
	Checks  []harness.Check `json:"checks,omitempty"`
}

// rates are what the repeats gave.
type rates struct {
	MFLUPSPure    float64 `json:"mflups_pure"`    // median of the repeats
	MFLUPSCoupled float64 `json:"mflups_coupled"` // likewise, in turn with the other
	Overhead      float64 `json:"overhead"`       // median of 1 − coupled/pure
	OverheadLow   float64 `json:"overhead_low"`   // the least
	OverheadHigh  float64 `json:"overhead_high"`  // and the most of them
	IBShare       float64 `json:"ib_share"`       // of the coupled step, by the clock; 0 where that cannot tell

	// ns of all workers together, medians: of the share by the clock where that can tell, of the
	// overhead else.
	FluidNS    float64 `json:"fluid_ns_per_node"`
	MarkerNS   float64 `json:"ns_per_marker"`
	SupportNS  float64 `json:"ns_per_support_node"`
	TransferNS float64 `json:"transfer_ns_per_marker"` // interpolation and spreading alone, part of MarkerNS
}

func newRow(s Spec) Row {
	f := s.fraction(s.Bodies)
	lattice := "D2Q9"
	if s.Size.Dim() == 3 {
		lattice = "D3Q19"
	}
	return Row{Lattice: lattice, Spec: s, VolumeFraction: f, SolidFraction: s.solid(s.Bodies), Outcome: harness.Outcome{Status: harness.OK}}
}

// without is the row with a state and a reason instead of rates.
func (r Row) without(status, reason string) Row {
	r.Outcome, r.rates = harness.Outcome{Status: status, Reason: reason}, rates{}
	return r
}

// Result is what came out in a few words.
func (r Row) Result() string {
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
	of := func(value func(sample) float64) float64 { return harness.MedianOf(all, value) }
	r.Repeats = len(all)
	r.MFLUPSPure, r.MFLUPSCoupled = of(func(s sample) float64 { return s.pure }), of(func(s sample) float64 { return s.coupled })
	r.Overhead, r.OverheadLow, r.OverheadHigh = harness.Range(all, func(s sample) float64 { return 1 - s.coupled/s.pure })
	r.IBShare = of(func(s sample) float64 { return s.share })
	if math.IsNaN(r.Overhead) { // no step was timed
		*r = r.without(harness.Wrong, "no step took any time")
	}
}

// perMarker says in ns what the rates do.
func (r *Row) perMarker() {
	if r.Status != harness.OK {
		return
	}
	nodes := float64(r.Size.Nodes())
	share := r.IBShare
	if share == 0 {
		share = r.Overhead
	}
	step := nodes / r.MFLUPSCoupled * 1e3
	r.FluidNS = 1e3 / r.MFLUPSPure
	r.MarkerNS, r.SupportNS = share*step/float64(r.Markers), share*step/float64(r.SupportNodes)
}
