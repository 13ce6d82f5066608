package hybrid

import (
	"time"

	"lbmib/lbm"
)

// flushed is a fluid that is stepped by a schedule which leaves a part of each step for
// later: before anybody looks at it or changes it, that part is done.
type flushed[T lbm.Float] struct{ s *Simulation[T] }

// now is the fluid with nothing outstanding.
func (f *flushed[T]) now() lbm.Fluid[T] {
	f.s.Flush()
	return f.s.fluid
}

func (f *flushed[T]) Config() *lbm.Config { return f.s.fluid.Config() }
func (f *flushed[T]) Steps() int64        { return f.s.fluid.Steps() }
func (f *flushed[T]) Times() (boundary, bulk time.Duration) {
	return f.s.fluid.Times()
}

func (f *flushed[T]) Step() { f.now().Step() }

func (f *flushed[T]) Moments(nodes, at []int32, rho []T, u [][]T) { f.now().Moments(nodes, at, rho, u) }
func (f *flushed[T]) Correct(nodes, at []int32, force [][]T)      { f.now().Correct(nodes, at, force) }
func (f *flushed[T]) Box(lo, hi [3]int, rho []T, u [][]T)         { f.now().Box(lo, hi, rho, u) }

func (f *flushed[T]) Momentum(lo, hi [3]int) (mass float64, j [3]float64) {
	return f.now().Momentum(lo, hi)
}
func (f *flushed[T]) Inflow(lo, hi [3]int) [3]float64 { return f.now().Inflow(lo, hi) }

func (f *flushed[T]) Population(i int, dst []T) { f.now().Population(i, dst) }
func (f *flushed[T]) OpenFaces() []float64      { return f.now().OpenFaces() }
func (f *flushed[T]) Health() lbm.Health        { return f.now().Health() }

// Initialize forgets what is outstanding: another state comes in its place.
func (f *flushed[T]) Initialize(state func(p [3]float64) (rho float64, u [3]float64)) {
	f.s.discard()
	f.s.fluid.Initialize(state)
}

func (f *flushed[T]) SetState(state lbm.State[T]) error {
	f.s.Flush() // should the state be refused
	f.s.discard()
	return f.s.fluid.SetState(state)
}

// Parts are those of the fluid; see lbm.Parted.
func (f *flushed[T]) Parts() []lbm.Part { return lbm.PartsOf(f.s.fluid) }

func (f *flushed[T]) PartPopulation(part, i int, dst []T) {
	lbm.PartPopulation(f.now(), part, i, dst)
}
func (f *flushed[T]) PartBox(part int, rho []T, u [][]T) { lbm.PartBox(f.now(), part, rho, u) }

func (f *flushed[T]) SetParts(state lbm.PartsState[T]) error {
	f.s.Flush() // should the state be refused
	f.s.discard()
	return lbm.SetParts(f.s.fluid, state)
}
