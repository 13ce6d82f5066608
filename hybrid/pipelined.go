package hybrid

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// pipelined is the schedule of Valero-Lara et al., J. Comput. Sci. 10 (2015) 249. S be
// the union of supports and S+1 its neighbourhood. Between steps the fluid holds
// f(t), final except that the correction of step t is outstanding on S. Then, at the
// same time,
//
//	the fluid   makes the step to t+1 from what it has: wrong only on S+1
//	the host    corrects f(t) on S, and makes the step on S+1, having fetched what arrives there
//
// after which the host's S+1 replaces the fluid's, and the correction of step t+1 is
// outstanding. The bodies are moved by the host, too: cells with the velocity that the
// correction has found, so that their forces are those of the places that they are moved to,
// and the viscosities of nodes inside: those of nodes beyond S+1 are what they were.
//
// Whoever looks at the fluid in between has the outstanding correction made first, as
// the serial schedule does; the step after it then leaves its own outstanding, without
// anything to do at the same time.
type pipelined[T lbm.Float] struct {
	onHost[T]
	exchange lbm.Exchanger[T]
	overlaps lbm.Overlapped[T] // the same, if it makes steps by itself
	near     *lbm.Local[T]     // the fluid near the bodies, at step t
	pending  bool              // the correction of the step made last is outstanding
	made     bool              // the step at hand is made near the bodies,
	moved    bool              // which are where they are after it
	supports int               // number of the support that near covers
	covered  bool              // it does

	pair  *parallel.Pool // the fluid's step and the host's part, where overlaps is nil
	both  func(worker int)
	times *lbm.Relaxation[T] // of the fluid's step; those of the host's are of where the bodies then are
	took  time.Duration      // the fluid's step, there

	host time.Duration // all of the host's parts so far
}

var errShared = errors.New("the fluid and the bodies share their workers: give each its own, as Split proposes")

// mostTargets is the part of the domain that the host may step beside the fluid because of cells: where their
// supports fill it, all is done twice, and nothing is left to do at the same time.
const mostTargets = 0.5

// newPipelined makes the schedule, on workers that are not the fluid's.
func newPipelined[T lbm.Float](s *Simulation[T], pool *parallel.Pool, _ *Plan[T]) (schedule[T], error) {
	p := &pipelined[T]{onHost: onHost[T]{s}}
	var ok bool
	if p.exchange, ok = s.fluid.(lbm.Exchanger[T]); !ok {
		return nil, errors.New("the fluid cannot exchange populations of single nodes with the host")
	}
	p.overlaps, _ = s.fluid.(lbm.Overlapped[T])
	if v := s.coupling.cells.times(); v != nil {
		if _, ok := s.fluid.(lbm.RelaxesNext[T]); !ok {
			p.overlaps = nil
		}
	}
	if f, ok := s.fluid.(interface{ Workers() *parallel.Pool }); ok && f.Workers() == pool {
		return nil, errShared
	}
	flow := *s.fluid.Config()
	if !slices.Contains(lbm.KernelNames, flow.Kernel) { // a device's
		flow.Kernel = s.coupling.cfg.Kernel
	}
	var err error
	if p.near, err = lbm.NewLocal[T](&flow, pool); err != nil {
		return nil, err
	}
	if lender, ok := s.fluid.(lbm.Lender[T]); ok {
		p.near.Borrow(lender)
	}
	err = p.cover()
	if err == nil && s.coupling.cells != nil {
		err = p.leavesRoom()
	} else if s.coupling.moves() {
		err = nil // where they will be may do
	}
	if err != nil {
		p.near.Close()
		return nil, err
	}
	if s.coupling.cells != nil && s.coupling.cells.viscosity != nil {
		s.coupling.cells.viscosity.alternate()
	}
	if p.overlaps == nil {
		p.pair = parallel.NewPool(2)
		p.both = func(worker int) {
			if worker == 0 {
				p.hostPart()
				return
			}
			begin := time.Now()
			p.s.coupling.stepFreeBy(p.s.fluid, p.times)
			p.took = time.Since(begin)
		}
	}
	return p, nil
}

func (*pipelined[T]) name() string { return "pipelined" }

func (p *pipelined[T]) step() {
	if p.stopped() {
		return
	}
	if p.pending && !p.isReady() {
		p.flush()
	}
	if !p.pending {
		p.fill()
		return
	}
	begin := time.Now()
	p.s.coupling.sumInside(p.s.fluid)
	p.near.Begin(p.s.fluid.Steps())
	p.overlap()
	if p.made {
		p.exchange.Put(p.near.Targets(), p.near.Results())
	}
	p.pending = p.moved
	if p.overlaps == nil {
		p.s.ibTime += time.Since(begin) - p.took
	}
}

// stopped tells whether no step can be made any more. That a cell is no membrane any more is found when it is moved, beside the fluid's
// step: that one is made, with the forces of where the cell is, and the next one is not.
func (p *pipelined[T]) stopped() bool {
	c := p.s.coupling
	if c.failure == nil && c.cells != nil {
		c.failure = c.cells.found
	}
	return c.failure != nil
}

// overlap fetches what the host needs, and lets it and the fluid do their parts of the
// step.
func (p *pipelined[T]) overlap() {
	if p.overlaps != nil {
		if times := p.s.coupling.cells.times(); times != nil {
			p.s.fluid.(lbm.RelaxesNext[T]).RelaxNext(times)
		}
		p.overlaps.StepFetching(p.near.Sources(), p.near.Populations())
		p.hostPart()
		return
	}
	p.exchange.Fetch(p.near.Sources(), p.near.Populations())
	p.times = p.s.coupling.cells.times()
	p.pair.Run(p.both)
}

// fill makes a step that leaves its correction outstanding, when nothing is.
func (p *pipelined[T]) fill() {
	if p.s.Err() == nil && p.s.move() { // a device's error, too
		p.s.coupling.stepFree(p.s.fluid)
		p.pending = true
	}
}

// hostPart is the host's part of a step.
func (p *pipelined[T]) hostPart() {
	begin := time.Now()
	defer func() { p.host += time.Since(begin) }()
	c := p.s.coupling
	p.made, p.moved = false, false
	c.correct(p.near) // f(x, t) += Guo(Σ F δ(x−X) ε) on S
	if c.failure != nil {
		return
	}
	if c.cells != nil {
		c.cells.late = true
		defer func() { c.cells.late = false }()
	}
	p.moved = !c.moves() || c.move(float64(p.near.Steps()+1)) // X, supports, ε of the outstanding correction
	if times := c.cells.times(); times != nil {
		p.near.StepRelaxing(times)
	} else {
		p.near.Step() // f(t+1) on S+1
	}
	p.made = true
}

// flush makes the outstanding correction.
func (p *pipelined[T]) flush() {
	p.stopped()
	if !p.pending {
		return
	}
	p.pending = false
	start := time.Now()
	p.s.coupling.Correct(p.s.fluid)
	p.s.ibTime += time.Since(start)
}

func (p *pipelined[T]) complete() { p.flush() }
func (p *pipelined[T]) discard() {
	p.pending = false
	if c := p.s.coupling.cells; c != nil {
		c.found = nil // of a state that is given up
	}
}

func (p *pipelined[T]) crowd(others bool) {
	if p.pair != nil {
		p.pair.Crowd(others)
	}
}

func (p *pipelined[T]) close() {
	p.near.Close()
	if p.pair != nil {
		p.pair.Close()
		p.pair = nil
	}
}

// isReady tells whether the next step can be made in two places at once. It cannot
// where a body, in the step after it, could come to be where it cannot: that must be
// known before. Nor can it at open faces.
func (p *pipelined[T]) isReady() bool {
	c := p.s.coupling
	if c.moves() && !c.isClear(float64(p.s.fluid.Steps()+1)) {
		return false
	}
	return p.cover() == nil
}

// leavesRoom refuses supports that fill the domain.
func (p *pipelined[T]) leavesRoom() error {
	if beside, all := len(p.near.Targets()), p.s.fluid.Config().Nodes(); float64(beside) > mostTargets*float64(all) {
		return fmt.Errorf("the supports of elastic bodies and the nodes beside them are %d of the domain's %d nodes, which the host would step besides: at most %.0f %% leave the fluid something to do meanwhile",
			beside, all, 100*mostTargets)
	}
	return nil
}

// roomToMove is how many nodes the sets are wider than needed where bodies move, so
// that they need not follow them in every step.
const roomToMove = 1

// cover makes near hold the support, if it does not.
func (p *pipelined[T]) cover() error {
	c := p.s.coupling
	if p.covered && p.supports == c.window.Supports {
		return nil
	}
	room := 0
	if c.moves() {
		room = roomToMove
	}
	if !p.covered || !p.near.Covers(c.window.Nodes) {
		if err := p.near.Cover(c.window.Nodes, room); err != nil {
			p.covered = false
			return err
		}
		if p.s.partial != nil {
			if err := p.s.partial.TakesForces(p.near.Sources()); err != nil {
				p.covered = false
				return fmt.Errorf("the host steps what is near a body beside the fluid: %w", err)
			}
		}
	}
	p.covered, p.supports = true, c.window.Supports
	return nil
}
