package hybrid_test

import (
	"slices"
	"testing"
	"time"

	"lbmib/lbm"
)

// laggard is a fluid that does what it is asked for on a goroutine of its own, in
// order, some time later: as a device does.
type laggard[T lbm.Float] struct {
	of    lbm.Fluid[T]
	steps int64
	queue chan func()
	fault error
	next  *lbm.Relaxation[T] // of the step to come
}

func newLaggard[T lbm.Float](t testing.TB, of lbm.Fluid[T]) *laggard[T] {
	l := &laggard[T]{of: of, queue: make(chan func(), 100)}
	go func() {
		for do := range l.queue {
			do()
		}
	}()
	t.Cleanup(func() { close(l.queue) })
	return l
}

// now is the fluid when it has done all that it was asked for.
func (l *laggard[T]) now() lbm.Fluid[T] {
	_ = l.Wait()
	return l.of
}

func (l *laggard[T]) Wait() error {
	done := make(chan bool)
	l.queue <- func() { close(done) }
	<-done
	return l.fault
}

func (l *laggard[T]) Err() error { return l.fault }

func (l *laggard[T]) Step() {
	l.steps++
	if l.next == nil {
		l.queue <- l.of.Step
		return
	}
	dim := l.of.Config().Lattice.Dim
	free := &lbm.NodeStep[T]{Force: make([][]T, dim), U: make([][]T, dim), Relaxation: l.next}
	free.SetNodes(nil, nil)
	l.next = nil
	l.queue <- func() { lbm.StepNodes(l.of, free) }
}

func (l *laggard[T]) RelaxesNodes() bool { return lbm.TakesRelaxation(l.of) }

// RelaxNext takes a copy of times that may have others when the step is made.
func (l *laggard[T]) RelaxNext(times *lbm.Relaxation[T]) {
	l.next = &lbm.Relaxation[T]{Tau: slices.Clone(times.Tau), First: slices.Clone(times.First), End: slices.Clone(times.End)}
}

func (l *laggard[T]) StepNodes(n *lbm.NodeStep[T]) {
	l.steps++
	lbm.StepNodes(l.now(), n)
}

func (l *laggard[T]) CorrectRelaxing(nodes, at []int32, force [][]T, times *lbm.Relaxation[T]) {
	l.now().(lbm.Relaxing[T]).CorrectRelaxing(nodes, at, force, times)
}

func (l *laggard[T]) StepFetching(nodes []int32, f [][]T) {
	l.now().(lbm.Exchanger[T]).Fetch(nodes, f)
	l.Step()
}

func (l *laggard[T]) Fetch(nodes []int32, f [][]T) { l.now().(lbm.Exchanger[T]).Fetch(nodes, f) }

func (l *laggard[T]) Put(nodes []int32, f [][]T) {
	nodes, g := slices.Clone(nodes), make([][]T, len(f))
	for i := range f {
		g[i] = slices.Clone(f[i])
	}
	l.queue <- func() { l.of.(lbm.Exchanger[T]).Put(nodes, g) }
}

func (l *laggard[T]) Correct(nodes, at []int32, force [][]T) { l.now().Correct(nodes, at, force) }

func (l *laggard[T]) Moments(nodes, at []int32, rho []T, u [][]T) { l.now().Moments(nodes, at, rho, u) }
func (l *laggard[T]) Box(lo, hi [3]int, rho []T, u [][]T)         { l.now().Box(lo, hi, rho, u) }
func (l *laggard[T]) Momentum(lo, hi [3]int) (float64, [3]float64) {
	return l.now().Momentum(lo, hi)
}
func (l *laggard[T]) Inflow(lo, hi [3]int) [3]float64 { return l.now().Inflow(lo, hi) }
func (l *laggard[T]) Population(i int, dst []T)       { l.now().Population(i, dst) }
func (l *laggard[T]) OpenFaces() []float64            { return l.now().OpenFaces() }
func (l *laggard[T]) Health() lbm.Health              { return l.now().Health() }
func (l *laggard[T]) Config() *lbm.Config             { return l.of.Config() }
func (l *laggard[T]) Steps() int64                    { return l.steps }

func (l *laggard[T]) Times() (boundary, bulk time.Duration) { return l.now().Times() }

func (l *laggard[T]) Initialize(state func(p [3]float64) (rho float64, u [3]float64)) {
	l.now().Initialize(state)
	l.steps = 0
}

func (l *laggard[T]) SetState(s lbm.State[T]) error {
	if err := l.now().SetState(s); err != nil {
		return err
	}
	l.steps = s.Steps
	return nil
}
