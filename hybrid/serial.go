package hybrid

import (
	"time"

	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// serial does one thing after the other.
type serial[T lbm.Float] struct{ onHost[T] }

func newSerial[T lbm.Float](s *Simulation[T], _ *parallel.Pool, _ *Plan[T]) (schedule[T], error) {
	return &serial[T]{onHost[T]{s}}, nil
}

func (*serial[T]) name() string { return "serial" }

func (p *serial[T]) step() {
	s := p.s
	s.coupling.sharing.tell(togetherStep)
	if !s.move() { // X, supports, ε
		return
	}
	if len(s.Bodies) == 0 && s.coupling.cells.areKnown() {
		p.stepCells()
		return
	}
	s.coupling.stepFree(s.fluid)      // f ← pull, collide
	if s.coupling.sharing.follows() { // rank 0 says when to correct
		return
	}
	start := time.Now()
	s.coupling.Correct(s.fluid) // f(x) += Guo(Σ F δ(x−X) ε) on supports
	s.ibTime += time.Since(start)
}

// stepCells makes a step with forces in the collision.
func (p *serial[T]) stepCells() {
	s := p.s
	bulk, boundary := s.fluid.Times()
	start := time.Now()
	s.coupling.Step(s.fluid)
	took := time.Since(start)
	nowBulk, nowBoundary := s.fluid.Times()
	s.ibTime += max(0, took-(nowBulk-bulk)-(nowBoundary-boundary))
}

func (*serial[T]) complete() {}
func (*serial[T]) flush()    {}
func (*serial[T]) discard()  {}
func (*serial[T]) close()    {}
