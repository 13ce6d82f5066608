package check

import (
	"math"
	"slices"
	"time"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// Of bodies so many kinds are tried, those with the most markers, for so long each,
// in boxes of at most so many nodes.
const (
	trialKinds = 2
	trialTime  = 150 * time.Millisecond
	trialNodes = 300_000
)

// speeds are the measured speeds of this machine at a case.
type speeds struct {
	mflups float64 // million nodes a second, bodies aside
	marker float64 // seconds that a marker takes in a step; 0 without bodies
	vertex float64 // likewise, of an elastic body
	seam   float64 // likewise, of a node beside a seam between levels; 0 where there are none, nor proposed
}

// seconds is the time that steps of nodes, markers and vertices take.
func (s speeds) seconds(nodes, markers, vertices int, steps int64) float64 {
	return float64(nodes)/(s.mflups*1e6)*float64(steps) + s.bodies(markers, vertices, steps)
}

// bodies is the part of it that markers and vertices take.
func (s speeds) bodies(markers, vertices int, steps int64) float64 {
	return (float64(markers)*s.marker + float64(vertices)*s.vertex) * float64(steps)
}

// measureSpeeds finds the speeds by short trials; of the bodies where there is a
// problem that is computed on the CPU.
func measureSpeeds(c *casefile.Case, p *setup.Problem, kernel setup.Kernel) speeds {
	s := speeds{mflups: measureRate(c, kernel)}
	if p != nil && (p.Needs == nil || p.Needs.Device == 0) { // beside a device, bodies take no time of its own, or little
		s.marker, s.vertex = measureMarkers(p, kernel), measureVertices(p, kernel)
		if found, _ := proposeGrids(p, room{holds: math.Inf(1)}); found != nil || p.Grids != nil {
			s.seam = measureSeam(p, kernel)
		}
	}
	return s
}

// measureMarkers is the time, in seconds, that a marker takes in a step on this
// machine: the mean over the bodies with the most markers, each put alone into a
// small box of fluid and stepped as in a run, moving if it moves. 0 where that
// cannot be done, as of bodies that are refused.
func measureMarkers(p *setup.Problem, kernel setup.Kernel) float64 {
	all, markers := 0., 0.
	for _, k := range kindsOf(p) {
		try := trial[float64]
		if p.Precision().Single {
			try = trial[float32]
		}
		if each := try(p, k.example, kernel); each > 0 {
			all, markers = all+each*float64(k.markers), markers+float64(k.markers)
		}
	}
	if markers == 0 {
		return 0
	}
	return all / markers
}

// kind are the bodies of one table of the case.
type kind struct {
	example int // one of them
	markers int // of all
}

// kindsOf are those with the most markers.
func kindsOf(p *setup.Problem) (all []kind) {
	at := map[string]int{}
	for i, b := range p.Bodies {
		key := p.Case.Bodies[i].Key
		if _, known := at[key]; !known {
			at[key] = len(all)
			all = append(all, kind{example: i})
		}
		all[at[key]].markers += b.Markers.Len()
	}
	slices.SortStableFunc(all, func(a, b kind) int { return b.markers - a.markers })
	return all[:min(len(all), trialKinds)]
}

// trial steps a body like body i in a box of its own and returns the seconds per
// marker and step; NaN where it cannot.
func trial[T lbm.Float](p *setup.Problem, i int, kernel setup.Kernel) float64 {
	nan := math.NaN()
	b, size, err := trialBody(p, i)
	if err != nil {
		return nan
	}
	cfg := p.Coupling
	cfg.Cells, cfg.Feed = nil, nil
	return timed[T](p, cfg, []*rigid.Body{b}, size, kernel) / float64(b.Markers.Len())
}

// timed steps bodies in a box of their own and returns the seconds that they take in a step;
// NaN where they cannot be.
func timed[T lbm.Float](p *setup.Problem, cfg hybrid.CouplingConfig, bodies []*rigid.Body, size [3]int, kernel setup.Kernel) float64 {
	nan := math.NaN()
	flow, err := setup.Bulk(p.Case)
	if err != nil {
		return nan
	}
	flow.Kernel, flow.Size = kernel.Name, size
	pool := parallel.NewPool(p.Case.Run.Threads)
	defer pool.Close()
	fluid, err := lbm.New[T](flow, pool)
	if err != nil {
		return nan
	}
	cfg.Kernel = kernel.Name
	sim, err := hybrid.NewSimulation(fluid, cfg, bodies, pool)
	if err != nil {
		return nan
	}
	sim.Step() // touches all memory
	_, _, before := sim.Times()
	begin, steps := time.Now(), 0
	for ; steps < 2 || time.Since(begin) < trialTime && steps < trialMargin/2/trialSpeed; steps++ {
		if sim.Step(); sim.Err() != nil {
			return nan
		}
	}
	_, _, after := sim.Times()
	return (after - before).Seconds() / float64(steps)
}

// A trial body has so many nodes around it, and moves by so many in a step if it
// moves by itself.
const (
	trialMargin = 12
	trialSpeed  = 0.02
)

// trialBody is a body like body i, or a round one with the same spacing where it
// is large, in the middle of a box of nodes.
func trialBody(p *setup.Problem, i int) (b *rigid.Body, size [3]int, err error) {
	given, dim := p.Case.Bodies[i], p.Flow.Lattice.Dim
	s := p.Bodies[i].Shape
	if size = boxAround(s); size[0]*size[1]*size[2] > trialNodes {
		if dim == 2 {
			s, err = geometry.NewCircle(geometry.Vec{}, math.Sqrt(trialNodes)-2*trialMargin-2)
		} else {
			s, err = geometry.NewSphere(geometry.Vec{}, math.Cbrt(trialNodes)-2*trialMargin-2)
		}
		if err != nil {
			return nil, size, err
		}
		size = boxAround(s)
	}
	spacing, err := p.Spacing(given)
	if err != nil {
		return nil, size, err
	}
	lo, hi := s.Bounds()
	var by geometry.Vec
	for a := range dim {
		by[a] = (float64(size[a]-1) - lo[a] - hi[a]) / 2
	}
	if b, err = rigid.NewBody(given.Name, s.Translated(by), spacing, p.Retraction(given)); err != nil {
		return nil, size, err
	}
	switch b.Hollow = given.Fluid == "inside"; given.Motion.Type {
	case "prescribed", "elastic": // a line that bends moves its markers, too
		b.Motion = &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center(), Axis: geometry.Vec{0, 0, 1}, Shift: [3]kinematics.Track{kinematics.Steady{Rate: trialSpeed}}}
	case "free":
		b.Free = p.Free(given.Motion)
	}
	return b, size, nil
}

// boxAround is the size of a box of nodes around a shape.
func boxAround(s geometry.Shape) [3]int {
	size := [3]int{1, 1, 1}
	lo, hi := s.Bounds()
	for a := range s.Dim() {
		size[a] = int(math.Ceil(math.Min(hi[a]-lo[a], 1<<20))) + 2*trialMargin
	}
	return size
}
