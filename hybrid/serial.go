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
	if !s.move() { // X, supports, ε
		return
	}
	s.fluid.Step() // f ← pull, collide
	start := time.Now()
	s.coupling.Correct(s.fluid) // f(x) += Guo(Σ F δ(x−X) ε) on supports
	s.ibTime += time.Since(start)
}

func (*serial[T]) complete() {}
func (*serial[T]) flush()    {}
func (*serial[T]) discard()  {}
func (*serial[T]) close()    {}
