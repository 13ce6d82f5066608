package cuda

import (
	"runtime"
	"sync"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// flowOut brings values to the host by the fluid's stream.
func (f *exchanger[T]) flowOut(count, perItem int, fill func(first, n int, to device.Slot) error, take func(first, n int, values []T)) error {
	p := &f.exchange.out
	if err := p.Reserve(f, f.context, device.PieceBytes(count, perItem*device.SizeOf[T]())); err != nil {
		return err
	}
	return device.StreamOut(p, f.stream, count, perItem, func(first, n int, to device.Slot) (device.Slot, error) { return to, fill(first, n, to) }, take)
}

// flowIn brings count items, perItem values each, to the device: give makes n of them
// from first, drain queues what uses them in a slot, while the next are made.
func (f *exchanger[T]) flowIn(count, perItem int, give func(first, n int, values []T), drain func(first, n int, from device.Slot) error) error {
	p := &f.exchange.in
	if err := p.Reserve(f, f.context, device.PieceBytes(count, perItem*device.SizeOf[T]())); err != nil {
		return err
	}
	err := p.Pieces(count, perItem*device.SizeOf[T](), func(first, n, half int) error {
		at := half * p.Half()
		if err := p.Copied[half].Synchronize(); err != nil {
			return f.fault(err)
		}
		give(first, n, driver.View[T](p.Host, at, n*perItem))
		if err := f.stream.CopyTo(p.Device, at, p.Host.Pointer(at), n*perItem*device.SizeOf[T]()); err != nil {
			return err
		}
		if err := f.stream.Record(p.Copied[half]); err != nil {
			return err
		}
		return drain(first, n, device.At(p.Device, at))
	})
	if err != nil {
		return err
	}
	return f.stream.Synchronize() // the passage is free
}

// Box reads density and velocity of the nodes lo ≤ p < hi, x fastest. Either
// destination may be nil.
func (f *access[T]) Box(lo, hi [3]int, rho []T, u [][]T) {
	n := [3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}
	if !f.settled() || n[0] <= 0 || n[1] <= 0 || n[2] <= 0 {
		return
	}
	f.fail(f.flowOut(n[0]*n[1]*n[2], 1+f.cfg.Lattice.Dim, func(first, count int, to device.Slot) error {
		s := device.Setter{Args: f.exchange.args.box}
		f.setLattice(&s)
		f.setBox(&s, lo, n).Int64(first).Int64(count).Pointer(to.Memory, to.At)
		device.SetReals(&s, f.rates.Accel[:]...)
		return f.overNodes(f.kernels.box, count, s.Args)
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
func (f *core[T]) setBox(s *device.Setter, lo, n [3]int) *device.Setter {
	return s.Int32(lo[0]).Int32(lo[1]).Int32(lo[2]).Int32(n[0]).Int32(n[1])
}

// Population copies out one direction; see lbm.Fluid.
func (f *access[T]) Population(i int, dst []T) {
	if !f.settled() {
		return
	}
	f.fail(f.flowOut(f.cfg.Nodes(), 1, func(first, count int, to device.Slot) error {
		s := device.Setter{Args: f.exchange.args.copyOut}
		f.setLattice(&s).Int64(first).Int64(count).Int32(i).Int32(1).Pointer(to.Memory, to.At)
		return f.overNodes(f.kernels.copyOut, count, s.Args)
	}, func(first, count int, values []T) { copy(dst[first:], values[:count]) }))
}

// copyIn queues the copy of some nodes' populations, directions from first, into the
// lattice.
func (f *access[T]) copyIn(first, count, dir, dirs int, from device.Slot) error {
	f.changed()
	s := device.Setter{Args: f.exchange.args.copyIn}
	f.setLattice(&s).Int64(first).Int64(count).Int32(dir).Int32(dirs).Pointer(from.Memory, from.At)
	return f.overNodes(f.kernels.copyIn, count, s.Args)
}

// SetState restores a state; see lbm.Fluid.
func (f *access[T]) SetState(state lbm.State[T]) error {
	if !f.settled() {
		return f.err
	}
	if err := lbm.CheckState(&f.cfg, state); err != nil {
		return err
	}
	f.fail(f.setState(state))
	return f.err
}

func (f *access[T]) setState(state lbm.State[T]) error {
	for i, p := range state.Populations {
		err := f.flowIn(len(p), 1, func(first, n int, values []T) { copy(values, p[first:first+n]) },
			func(first, n int, from device.Slot) error { return f.copyIn(first, n, i, 1, from) })
		if err != nil {
			return err
		}
	}
	f.steps = state.Steps
	f.rates.Accel = reals[T](f.cfg.ForceAt(float64(state.Steps)))
	f.refreshRates()
	if err := f.setOpenFaces(state.Open); err != nil || f.vessel.vesselTables == nil {
		return err
	}
	return f.setVessel(state.Open[len(state.Open)-len(f.vessel.windkessels)-len(f.vessel.order):])
}

// Initialize sets every node from a smooth state; see lbm.Fluid. The state is asked for
// by several goroutines at a time.
func (f *access[T]) Initialize(state func(p [3]float64) (rho float64, u [3]float64)) {
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
func (f *access[T]) initialize(give func(force [3]float64) func(first, n int, values []T)) {
	if !f.settled() {
		return
	}
	force := f.cfg.ForceAt(0)
	f.rates.Accel = reals[T](force)
	f.refreshRates()
	q := f.cfg.Lattice.Q
	err := f.flowIn(f.cfg.Nodes(), q, give(force), func(first, n int, from device.Slot) error { return f.copyIn(first, n, 0, q, from) })
	if err != nil {
		f.fail(err)
		return
	}
	f.steps = 0
	if f.fail(f.startOpenFaces()) == nil {
		f.fail(f.startVessel())
	}
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
