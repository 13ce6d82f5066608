package joined

import (
	"math"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/lbm"
)

// checkedSteps are steps of the coarsest grid after which the flow is looked at.
const checkedSteps = 16

// checkOf makes some steps of the vortex, and holds what has become of it to what it must be.
func checkOf[T lbm.Float](s *Spec, f lbm.Fluid[T]) []harness.Check {
	f.Initialize(s.vortex)
	before, _ := f.Momentum([3]int{}, f.Config().Size)
	for range checkedSteps << s.Levels {
		f.Step()
	}
	after, _ := f.Momentum([3]int{}, f.Config().Size)
	return s.checks(after/before-1, f.Health())
}

// checks are what a row is held to: by how much its mass has changed, of all, and what its nodes are like.
func (s *Spec) checks(gain float64, h lbm.Health) []harness.Check {
	speed := h.MaxSpeed / velocity
	if !h.OK {
		speed = math.NaN()
	}
	return []harness.Check{
		{Name: "what the mass of all grids changes, over the mass", Value: math.Abs(gain), Bound: s.massBound()},
		{Name: "the largest speed over the vortex's", Value: speed, Bound: mostChange},
		{Name: "the vortex's largest speed over what is there", Value: 1 / speed, Bound: mostChange},
	}
}

// mostChange bounds what becomes of the vortex's speed in so few steps.
const mostChange = 1.5

// massBound is that of the change of mass, which is rounding of populations, and of their sum: they came to 2e-16 to 2e-13 of it, and to 8e-12 to 3e-10.
func (s *Spec) massBound() float64 {
	if s.Precision == "f32" {
		return 1e-6
	}
	return 1e-12
}
