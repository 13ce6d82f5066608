package hybrid

import (
	"time"

	"lbmib/lbm"
)

// settled is a fluid that is stepped by a schedule which leaves a part of each step for
// later: before anybody looks at it or changes it, that part is done.
type settled[T lbm.Float] struct{ s *Simulation[T] }

// now is the fluid with nothing outstanding.
func (f *settled[T]) now() lbm.Fluid[T] {
	f.s.Settle()
	return f.s.fluid
}

func (f *settled[T]) Config() *lbm.Config { return f.s.fluid.Config() }
func (f *settled[T]) Steps() int64        { return f.s.fluid.Steps() }
func (f *settled[T]) Times() (boundary, bulk time.Duration) {
	return f.s.fluid.Times()
}

func (f *settled[T]) Step() { f.now().Step() }

func (f *settled[T]) Moments(nodes, at []int32, rho []T, u [][]T) { f.now().Moments(nodes, at, rho, u) }
func (f *settled[T]) Correct(nodes, at []int32, force [][]T)      { f.now().Correct(nodes, at, force) }
func (f *settled[T]) Box(lo, hi [3]int, rho []T, u [][]T)         { f.now().Box(lo, hi, rho, u) }

func (f *settled[T]) Momentum(lo, hi [3]int) (mass float64, j [3]float64) {
	return f.now().Momentum(lo, hi)
}
func (f *settled[T]) Inflow(lo, hi [3]int) [3]float64 { return f.now().Inflow(lo, hi) }

func (f *settled[T]) Population(i int, dst []T) { f.now().Population(i, dst) }
func (f *settled[T]) OpenFaces() []float64      { return f.now().OpenFaces() }
func (f *settled[T]) Health() lbm.Health        { return f.now().Health() }

// Initialize forgets what is outstanding: another state comes in its place.
func (f *settled[T]) Initialize(state func(p [3]float64) (rho float64, u [3]float64)) {
	f.s.drop()
	f.s.fluid.Initialize(state)
}

func (f *settled[T]) SetState(state lbm.State[T]) error {
	f.s.Settle() // should the state be refused
	f.s.drop()
	return f.s.fluid.SetState(state)
}
