package cells

import (
	"math"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/lbm"
)

// mostVolumeChange bounds |V/V0 − 1| of a cell, which no force keeps: the fluid's incompressibility does, as
// far as the vertices feel it.
const mostVolumeChange = 0.01

// checks are what a row is held to.
func (s *Spec) checks(drift, volume float64) []harness.Check {
	return []harness.Check{
		{Name: "what the fluid's momentum changes in 16 steps, over the sum of the forces' sizes", Value: drift, Bound: s.driftBound()},
		{Name: "the largest change of a cell's volume", Value: volume, Bound: mostVolumeChange},
	}
}

// momentumDrift makes some steps, and compares what the fluid's momentum changes, which forces without a sum
// must not change, with the sum of the sizes of all forces in them.
func momentumDrift[T lbm.Float](s *hybrid.Simulation[T]) (float64, error) {
	before := momentum(s)
	forces := 0.
	for range 16 {
		s.Step()
		if err := s.Err(); err != nil {
			return 0, err
		}
		for _, c := range s.Cells {
			for _, f := range c.Force() {
				forces += f.Norm()
			}
		}
	}
	return momentum(s).Sub(before).Norm() / forces, nil
}

// momentum is that of all fluid.
func momentum[T lbm.Float](s *hybrid.Simulation[T]) geometry.Vec {
	_, j := s.Fluid.Momentum([3]int{}, s.Fluid.Config().Size)
	return j
}

// volumeChange is the largest |V/V0 − 1| of the cells.
func volumeChange(cells []*flexible.Cell) (most float64) {
	for _, c := range cells {
		most = harness.Worse(most, math.Abs(c.Measure().Volume/c.Membrane.Mesh().Volume()-1))
	}
	return most
}

// driftBound is that of momentumDrift: rounding of populations, which are some thousand times as large as the
// forces, came to 1e-14 to 3e-13 and 1e-7 of these.
func (s *Spec) driftBound() float64 {
	if s.Precision == "f32" {
		return 1e-4
	}
	return 1e-11
}
