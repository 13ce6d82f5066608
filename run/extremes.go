package run

import (
	"math"

	"lbmib/internal/finite"
	"lbmib/lbm"
)

// extremes are the largest values over the looks at all nodes that are due by the case. They
// are part of a checkpoint, so that those of a run that was interrupted are the same.
type extremes struct {
	Speed     float64 `json:"speed"`     // lattice units
	Deviation float64 `json:"deviation"` // of the density from 1
}

// take takes in what a look at a sound state found.
func (e *extremes) take(h lbm.Health) {
	if h.OK && h.Worst[0] >= 0 {
		e.Speed = math.Max(e.Speed, h.MaxSpeed)
		e.Deviation = math.Max(e.Deviation, math.Max(h.MaxRho-1, 1-h.MinRho))
	}
}

// keepExtremes takes in a look at the state of a step, if it was due there.
func (r *run[T]) keepExtremes(step int64, h lbm.Health) {
	if r.watch.healthDue(step) {
		r.extremes.take(h)
	}
}

// audit fills in what the flow itself tells of its worth: the fastest node, the density, and
// whether the field is noise. Of a flow that is lost the last two are those before.
func (r *run[T]) audit(s *Summary) {
	last, lost := r.extremes, r.status == "diverged" || r.status == "failed"
	if !lost {
		last.take(r.Sim.Fluid.Health())
	}
	s.MachMax, s.DensityDeviation, s.GridNoise = finite.Number(last.Speed*math.Sqrt(3)), finite.Number(last.Deviation), finite.Number(math.NaN())
	if !lost {
		s.GridNoise = finite.Number(r.GridNoise())
	}
	if last.Speed == 0 && lost { // no look was sound
		s.MachMax, s.DensityDeviation = finite.Number(math.NaN()), finite.Number(math.NaN())
	}
	if r.Case.Run.StopSteady > 0 {
		rate := finite.Number(r.watch.rate)
		s.Steadiness = &rate
	}
}
