package cuda

import (
	"runtime"
	"sync"

	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// flow goes through count items of so many bytes in pieces of as many as half a passage
// holds. first is where a piece begins, n its length.
func (p *passage) flow(count, itemBytes int, do func(first, n, half int) error) error {
	piece := min(count, p.half()/itemBytes)
	for first, half := 0, 0; first < count; first, half = first+piece, half^1 {
		if err := do(first, min(piece, count-first), half); err != nil {
			return err
		}
	}
	return nil
}

// flowBytes is what a passage holds for count items of so many bytes: all in one half, or
// pieces of them.
func flowBytes(count, itemBytes int) int {
	return max(2*(itemBytes+15), min(exchangeBytes/2, 2*(count*itemBytes+15)))
}

// half is where the second half of a passage begins.
func (p *passage) half() int { return len(p.host.Bytes()) / 2 &^ 15 }

// flowOut brings count items, perItem values each, to the host by a stream: from queues
// what gathers n of them from first in a slot of the passage, or finds them where they
// lie, and take uses them, while the next are copied.
func flowOut[E any](p *passage, s *driver.Stream, count, perItem int, from func(first, n int, gather Slot) (Slot, error), take func(first, n int, values []E)) error {
	waiting, waitingN, waitingHalf := -1, 0, 0
	arrive := func() error {
		if waiting < 0 {
			return nil
		}
		if err := p.copied[waitingHalf].Synchronize(); err != nil {
			return blamed(s, err)
		}
		take(waiting, waitingN, driver.View[E](p.host, waitingHalf*p.half(), waitingN*perItem))
		return nil
	}
	err := p.flow(count, perItem*sizeOf[E](), func(first, n, half int) error {
		at := half * p.half()
		slot, err := from(first, n, Slot{p.device, at})
		if err != nil {
			return err
		}
		if err := s.CopyFrom(p.host.Pointer(at), slot.Memory, slot.At, n*perItem*sizeOf[E]()); err != nil {
			return err
		}
		if err := s.Record(p.copied[half]); err != nil {
			return err
		}
		err = arrive()
		waiting, waitingN, waitingHalf = first, n, half
		return err
	})
	if err != nil {
		return err
	}
	return arrive()
}

// flowOut brings values to the host by the fluid's stream.
func (f *Fluid[T]) flowOut(count, perItem int, fill func(first, n int, to Slot) error, take func(first, n int, values []T)) error {
	p := &f.exchange.out
	if err := p.hold(f, f.context, flowBytes(count, perItem*sizeOf[T]())); err != nil {
		return err
	}
	return flowOut(p, f.stream, count, perItem, func(first, n int, to Slot) (Slot, error) { return to, fill(first, n, to) }, take)
}

// flowIn brings count items, perItem values each, to the device: give makes n of them
// from first, drain queues what uses them in a slot, while the next are made.
func (f *Fluid[T]) flowIn(count, perItem int, give func(first, n int, values []T), drain func(first, n int, from Slot) error) error {
	p := &f.exchange.in
	if err := p.hold(f, f.context, flowBytes(count, perItem*sizeOf[T]())); err != nil {
		return err
	}
	err := p.flow(count, perItem*sizeOf[T](), func(first, n, half int) error {
		at := half * p.half()
		if err := p.copied[half].Synchronize(); err != nil {
			return f.fault(err)
		}
		give(first, n, driver.View[T](p.host, at, n*perItem))
		if err := f.stream.CopyTo(p.device, at, p.host.Pointer(at), n*perItem*sizeOf[T]()); err != nil {
			return err
		}
		if err := f.stream.Record(p.copied[half]); err != nil {
			return err
		}
		return drain(first, n, Slot{p.device, at})
	})
	if err != nil {
		return err
	}
	return f.stream.Synchronize() // the passage is free
}

// Box reads density and velocity of the nodes lo ≤ p < hi, x fastest. Either
// destination may be nil.
func (f *Fluid[T]) Box(lo, hi [3]int, rho []T, u [][]T) {
	n := [3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}
	if !f.settled() || n[0] <= 0 || n[1] <= 0 || n[2] <= 0 {
		return
	}
	f.fail(f.flowOut(n[0]*n[1]*n[2], 1+f.cfg.Lattice.Dim, func(first, count int, to Slot) error {
		s := setter{a: f.exchange.args.box}
		f.setLattice(&s)
		f.setBox(&s, lo, n).int64(first).int64(count).pointer(to.Memory, to.At)
		setReals(&s, f.rates.Accel[:]...)
		return f.overNodes(f.kernels.box, count, s.a)
	}, func(first, count int, values []T) {
		if rho != nil {
			copy(rho[first:], values[:count])
		}
		for a := range u {
			copy(u[a][first:], values[(1+a)*count:(2+a)*count])
		}
	}))
}

// setBox sets a box's first node, and its length along x and y.
func (f *Fluid[T]) setBox(s *setter, lo, n [3]int) *setter {
	return s.int32(lo[0]).int32(lo[1]).int32(lo[2]).int32(n[0]).int32(n[1])
}

// Population copies out one direction; see lbm.Fluid.
func (f *Fluid[T]) Population(i int, dst []T) {
	if !f.settled() {
		return
	}
	f.fail(f.flowOut(f.cfg.Nodes(), 1, func(first, count int, to Slot) error {
		s := setter{a: f.exchange.args.copyOut}
		f.setLattice(&s).int64(first).int64(count).int32(i).int32(1).pointer(to.Memory, to.At)
		return f.overNodes(f.kernels.copyOut, count, s.a)
	}, func(first, count int, values []T) { copy(dst[first:], values[:count]) }))
}

// copyIn queues the copy of some nodes' populations, directions from first, into the
// lattice.
func (f *Fluid[T]) copyIn(first, count, dir, dirs int, from Slot) error {
	f.support.changed()
	s := setter{a: f.exchange.args.copyIn}
	f.setLattice(&s).int64(first).int64(count).int32(dir).int32(dirs).pointer(from.Memory, from.At)
	return f.overNodes(f.kernels.copyIn, count, s.a)
}

// SetState restores a state; see lbm.Fluid.
func (f *Fluid[T]) SetState(state lbm.State[T]) error {
	if !f.settled() {
		return f.err
	}
	if err := lbm.CheckState(&f.cfg, state); err != nil {
		return err
	}
	f.fail(f.setState(state))
	return f.err
}

func (f *Fluid[T]) setState(state lbm.State[T]) error {
	for i, p := range state.Populations {
		err := f.flowIn(len(p), 1, func(first, n int, values []T) { copy(values, p[first:first+n]) },
			func(first, n int, from Slot) error { return f.copyIn(first, n, i, 1, from) })
		if err != nil {
			return err
		}
	}
	f.steps = state.Steps
	f.rates.Accel = reals[T](f.cfg.ForceAt(float64(state.Steps)))
	f.refreshRates()
	return f.setOpenFaces(state.Open)
}

// Initialize sets every node from a smooth state; see lbm.Fluid. The state is asked for
// by several goroutines at a time.
func (f *Fluid[T]) Initialize(state func(p [3]float64) (rho float64, u [3]float64)) {
	f.initialize(func(force [3]float64) func(first, n int, values []T) { return giveNodes[T](&f.cfg, force, state) })
}

// giveNodes stores the populations of n nodes from first on, direction by direction.
func giveNodes[T lbm.Float](c *lbm.Config, force [3]float64, state func(p [3]float64) (rho float64, u [3]float64)) func(first, n int, values []T) {
	q := c.Lattice.Q
	return func(first, n int, values []T) {
		shared(n, func(lo, hi int) {
			for k := lo; k < hi; k++ {
				p := c.Position(first + k)
				g := c.Initial([3]float64{float64(p[0]), float64(p[1]), float64(p[2])}, force, state)
				for i := range q {
					values[i*n+k] = T(g[i])
				}
			}
		})
	}
}

// initialize sets every node: give makes what stores the populations of n nodes from first
// on, direction by direction, under a body force.
func (f *Fluid[T]) initialize(give func(force [3]float64) func(first, n int, values []T)) {
	if !f.settled() {
		return
	}
	force := f.cfg.ForceAt(0)
	f.rates.Accel = reals[T](force)
	f.refreshRates()
	q := f.cfg.Lattice.Q
	err := f.flowIn(f.cfg.Nodes(), q, give(force), func(first, n int, from Slot) error { return f.copyIn(first, n, 0, q, from) })
	if err != nil {
		f.fail(err)
		return
	}
	f.steps = 0
	f.fail(f.startOpenFaces())
}

// shared calls do for the shares of n items, on all CPUs.
func shared(n int, do func(lo, hi int)) {
	workers := max(1, min(runtime.GOMAXPROCS(0), n/256))
	var wait sync.WaitGroup
	for w := 1; w < workers; w++ {
		wait.Go(func() { do(n*w/workers, n*(w+1)/workers) })
	}
	do(0, n/workers)
	wait.Wait()
}
