package joined

import (
	"fmt"
	"math"

	"lbmib/cmd/lbmib/bench/harness"
	grids "lbmib/lbm/joined"
)

// Row is what was measured of a Spec. Times of rows that are not ok are 0.
type Row struct {
	Spec
	Lattice   string  `json:"lattice"`
	Kernel    string  `json:"kernel"`
	Nodes     int64   `json:"nodes"`      // of all levels, each place counted once
	OneNodes  int64   `json:"one_nodes"`  // of one grid of the finest nodes
	Updates   float64 `json:"updates"`    // of nodes in a step of the finest grid, those of ghosts and covered cells included
	BytesSaid int64   `json:"bytes_said"` // by the plan, of the grids
	Bytes     int64   `json:"bytes"`      // that the grids and their seams took
	SeamBytes int64   `json:"seam_bytes"` // of them: more than the grids alone

	harness.Outcome
	times
	OneStepsPerSweep int             `json:"one_steps_per_sweep"` // 0: it has no room
	Grids            []Grid          `json:"grids,omitempty"`     // alone, the coarsest first
	Repeats          int             `json:"repeats"`
	Steps            int64           `json:"steps"` // of the finest grid timed, joined, of all repeats
	Checks           []harness.Check `json:"checks,omitempty"`
}

// Grid is a level by itself.
type Grid struct {
	Level         int     `json:"level"`
	Updates       float64 `json:"updates"` // of nodes in a step of its own
	MFLUPS        float64 `json:"mflups"`
	StepsPerSweep int     `json:"steps_per_sweep"` // that share one over memory
}

// times are medians of what the repeats gave, of a step of the finest grid.
type times struct {
	JoinedMS float64 `json:"joined_ms"`
	IdealMS  float64 `json:"ideal_ms"` // of all parts, each stepped alone
	OneMS    float64 `json:"one_ms"`   // of one grid of the finest nodes
	OneIs    string  `json:"one_is"`   // measured | estimated: at the rate of the finest level alone, as it has no room

	SeamsMS    float64 `json:"seams_ms"`
	SeamsShare float64 `json:"seams_share"` // of a step

	MFLUPS      float64 `json:"mflups"`       // joined, by updates made
	MFLUPSIdeal float64 `json:"mflups_ideal"` // parts alone
	MFLUPSOne   float64 `json:"mflups_one"`   // one grid

	Efficiency     float64 `json:"efficiency"`     // ideal over joined
	EfficiencyLow  float64 `json:"efficiency_low"` // the least
	EfficiencyHigh float64 `json:"efficiency_high"`
	Gain           float64 `json:"gain"`       // one grid over joined
	GainIdeal      float64 `json:"gain_ideal"` // one grid over ideal
	Allocations    float64 `json:"allocations"`
}

// Whence OneMS is.
const (
	measured  = "measured"
	estimated = "estimated"
)

func newRow(s Spec) Row {
	r := Row{Spec: s, Lattice: "D2Q9", Outcome: harness.Outcome{Status: harness.OK}, OneNodes: int64(s.Size.Nodes())}
	if s.Size.Dim() == 3 {
		r.Lattice = "D3Q19"
	}
	return r
}

// planned takes what the plan of the grids says.
func (r *Row) planned(g *grids.Grids) {
	r.Nodes, r.Updates, r.BytesSaid = g.Nodes(), g.Updates(), g.Bytes(r.valueBytes())
	for l, level := range g.Levels {
		r.Grids = append(r.Grids, Grid{Level: l, Updates: level.Updates * float64(level.Width)})
	}
}

// without is the row with a state and a reason instead of times.
func (r Row) without(status, reason string) Row {
	r.Outcome, r.times, r.Grids = harness.Outcome{Status: status, Reason: reason}, times{}, nil
	return r
}

// Result is what came out in a few words.
func (r Row) Result() string {
	return fmt.Sprintf("%.4g MFLUPS, %.3g of the ideal, %.3g times as fast as one grid, seams %.2g %% of a step", r.MFLUPS, r.Efficiency, r.Gain, 100*r.SeamsShare)
}

// sample is what one repeat measured, in seconds per step of the finest grid.
type sample struct {
	joined, seams float64
	levels        []float64 // alone
	one           float64   // 0: it was not measured
	allocations   float64
}

// ideal is that of all levels alone.
func (s *sample) ideal() (sum float64) {
	for _, t := range s.levels {
		sum += t
	}
	return sum
}

// take fills in the times.
func (r *Row) take(all []sample) {
	of := func(value func(sample) float64) float64 { return harness.MedianOf(all, value) }
	r.Repeats = len(all)
	r.JoinedMS, r.IdealMS = 1e3*of(func(s sample) float64 { return s.joined }), 1e3*of(func(s sample) float64 { return s.ideal() })
	r.SeamsMS, r.SeamsShare = 1e3*of(func(s sample) float64 { return s.seams }), of(func(s sample) float64 { return s.seams / s.joined })
	for l := range r.Grids {
		width := float64(int(1) << (len(r.Grids) - 1 - l)) // of its steps, in those of the finest
		r.Grids[l].MFLUPS = r.Grids[l].Updates / width / of(func(s sample) float64 { return s.levels[l] }) / 1e6
	}
	r.OneIs = measured
	one := func(s sample) float64 { return s.one }
	if all[0].one == 0 {
		r.OneIs = estimated
		finest := len(r.Grids) - 1
		one = func(s sample) float64 { return s.levels[finest] * float64(r.OneNodes) / r.Grids[finest].Updates }
	}
	r.OneMS = 1e3 * of(one)
	r.MFLUPS, r.MFLUPSIdeal, r.MFLUPSOne = r.Updates/r.JoinedMS/1e3, r.Updates/r.IdealMS/1e3, float64(r.OneNodes)/r.OneMS/1e3
	r.Efficiency, r.EfficiencyLow, r.EfficiencyHigh = harness.Range(all, func(s sample) float64 { return s.ideal() / s.joined })
	r.Gain, r.GainIdeal = of(func(s sample) float64 { return one(s) / s.joined }), of(func(s sample) float64 { return one(s) / s.ideal() })
	r.Allocations = math.Inf(1)
	for _, s := range all { // what is allocated beside them comes in some repeats alone
		r.Allocations = math.Min(r.Allocations, s.allocations)
	}
	if !(r.JoinedMS > 0 && r.IdealMS > 0 && r.OneMS > 0) || math.IsInf(r.JoinedMS, 0) {
		*r = r.without(harness.Wrong, "no step took any time")
	}
}

// Document is what bench joined --json prints.
type Document struct {
	Host harness.Host `json:"host"`
	Rows []Row        `json:"rows"`
}

// NewDocument puts rows together with the machine that they were measured on.
func NewDocument(h harness.Host, rows []Row) Document {
	return Document{Host: h, Rows: append([]Row{}, rows...)}
}
