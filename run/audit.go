package run

import (
	"math"

	"lbmib/internal/finite"
)

// audit fills in what the flow itself tells of its worth: the fastest node, the density, and
// whether the field is noise. Of a flow that is lost the last two are those before.
func (r *results[T]) audit(s *Summary) {
	last, lost := r.out.Health.Extremes, r.isLost()
	if !lost {
		found := r.Sim.Fluid.Health()
		last.Take(found)
		end := r.out.Health.PressurePeaks(r.Time(), r.Moved, found)
		last.TakePressure(end)
		s.Pressure = r.pressure(last.Pressure, end)
	}
	s.MachMax, s.DensityDeviation, s.GridNoise = finite.Number(last.Speed*math.Sqrt(3)), finite.Number(last.Deviation), finite.Number(math.NaN())
	if !lost {
		s.GridNoise = finite.Number(r.GridNoise())
	}
	if last.Speed == 0 && lost { // no look was sound
		s.MachMax, s.DensityDeviation = finite.Number(math.NaN()), finite.Number(math.NaN())
	}
	if r.Case.Run.StopSteady > 0 {
		rate := finite.Number(r.out.Steady.Rate())
		s.Steadiness = &rate
	}
}
