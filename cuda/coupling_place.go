package cuda

import (
	"errors"
	"fmt"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/cuda/transfer"
	"lbmib/hybrid"
	"lbmib/ib"
	"lbmib/lbm"
)

// Place tells where the markers are from the next Correct on.
func (c *placer[T]) Place(p *hybrid.Placement[T]) error {
	if err := c.tryPlace(p); err != nil {
		var full *driver.OutOfMemory
		if errors.As(err, &full) {
			return fmt.Errorf("coupling on the device, with a window of %d × %d × %d nodes around the bodies and %d markers: %w; or let the CPU couple (schedule serial or pipelined)",
				p.Grid.Size[0], p.Grid.Size[1], p.Grid.Size[2], len(p.Markers), err)
		}
		return err
	}
	return nil
}

func (c *placer[T]) tryPlace(p *hybrid.Placement[T]) error {
	if c.fluid.err != nil {
		return c.fluid.err
	}
	fresh := c.transfer == nil || p.NewWindow || len(p.Markers) != c.markers.count || (p.Smear != nil) != c.slots.smeared || hasEddies(p) != c.slots.eddies
	entries := len(p.Nodes) + len(p.Ghosts.At)
	ghosts := len(p.Ghosts.At) > 0 && !c.support.ghosts
	c.support.ghosts = c.support.ghosts || ghosts
	if fresh || ghosts || entries > c.support.stride {
		if err := c.makeRoom(p, fresh); err != nil {
			return err
		}
		c.placed = false
	}
	c.support.count = len(p.Nodes)
	if !c.slots.enough() {
		c.fluid.settle()
	}
	place, batched := c.fluid.nextInBatch()
	batched = batched && c.slots.enough()
	lists := p.NewSupport || p.NewWindow || !c.placed
	c.placed = true
	slot := c.slots.last
	if c.fluid.preceded() { // told again: nothing has come of it yet
		lists = lists || c.slots.ring[slot].lists
	} else {
		var err error
		if slot, err = c.slots.next(batched && place == 0); err != nil {
			return c.fluid.fault(err)
		}
		if batched && (place > 0 || c.inBatch > 0) { // in a graph, which copies them in every step
			lists = true
		}
		c.inBatch = place
	}
	c.slots.write(slot, p, lists)
	c.fluid.precede(c)
	return nil
}

// makeRoom makes room for the markers and the support, and with fresh a window and all that
// goes with it.
func (c *placer[T]) makeRoom(p *hybrid.Placement[T], fresh bool) error {
	c.fluid.forgetGraphs() // they have the numbers of nodes and markers in them
	if c.fluid.preceded() {
		c.fluid.unprecede()
		c.slots.dropLast()
	}
	if c.fluid.err != nil {
		return c.fluid.err
	}
	c.leaveNoMoments()
	if fresh {
		if err := c.setWindow(p); err != nil {
			return err
		}
	}
	if err := c.holdSupport(len(p.Nodes) + len(p.Ghosts.At)); err != nil {
		return err
	}
	n, size := len(p.Markers), device.SizeOf[T]()
	if err := c.slots.hold(c.work.Context, newBlockLayout(n, c.support.stride, p.Smear != nil, hasEddies(p), c.support.ghosts, c.dim, size), c.dim); err != nil {
		return err
	}
	m, s, l := &c.markers, &c.support, &c.slots
	m.placed, m.position, m.weight, m.velocity = l.slot(l.placed), l.slot(l.position), l.slot(l.weight), l.slot(l.blockLayout.velocity)
	m.normal, m.over, m.share, m.area = l.slot(l.normal), l.slot(l.over), l.slot(l.share), l.slot(l.area)
	s.at, s.nodes = l.slot(l.at), l.slot(l.list)
	s.wall, s.mirror, s.chain = l.slot(l.wall), l.slot(l.mirror), l.slot(l.chain)
	for a := range c.field {
		c.field[a] = device.At(s.force.Memory, a*s.stride*size)
	}
	if s.heads.Memory == nil {
		return nil
	}
	s.list = supportNodes{s.heads.Memory, s.nodes, s.next.Memory, s.moments.Memory, s.stride}
	return c.fluid.leaveMoments(&s.list)
}

// lead queues what precedes a step: the copy of its slot, and the placing of markers.
func (c *placer[T]) lead() error {
	l, s := &c.slots, &c.support
	i := l.take()
	slot := &l.ring[i]
	from, bytes := l.from(i)
	if err := c.work.Stream.CopyTo(l.block.Memory, 0, from, bytes); err != nil {
		return err
	}
	if !c.fluid.batch.capturing {
		if err := c.work.Stream.Record(slot.done); err != nil {
			return err
		}
		slot.busy = slot.done
	}
	var nodes transfer.Indexed
	if slot.lists {
		if !c.transfer.Sites[0].Sorts() { // which would take those before out
			if err := c.forgetIndex(); err != nil {
				return err
			}
		}
		nodes = transfer.Indexed{At: s.at, Nodes: s.nodes, Index: c.index.Memory, Listed: s.listed.Memory, Heads: s.heads.Memory, Next: s.next.Memory, Count: s.stride}
	}
	return c.transfer.SetMarkers(c.markers.placed, c.markers.count, nodes)
}

// graphOf is what a graph of the steps that wait depends on beside the coupling: its slots;
// −1 where they cannot be in one.
func (c *placer[T]) graphOf() int { return c.slots.set() }

// launched takes note of a graph of the steps that wait: it reads a set of slots. With again
// it is one from before, and they have not been taken.
func (c *placer[T]) launched(set int, again bool) error {
	l := &c.slots
	for i := range batchSteps {
		if again {
			l.take()
		}
		l.ring[set*batchSteps+i].busy = l.sets[set]
	}
	return c.work.Stream.Record(l.sets[set])
}

// unled puts the slots of a set back, as the first that wait.
func (c *placer[T]) unled(set int) {
	l := &c.slots
	var of []int
	for i := range batchSteps {
		of = append(of, set*batchSteps+i)
	}
	l.waiting = append(of, l.waiting...)
}

// setWindow makes the window, and with it all that depends on the number of markers.
// Windows that follow moving bodies come back to the same memory.
func (c *placer[T]) setWindow(p *hybrid.Placement[T]) error {
	if err := c.fits(p.Grid); err != nil {
		return err
	}
	if err := c.forgetIndex(); err != nil {
		return err
	}
	if c.transfer == nil {
		t, err := transfer.New(c.work.Library, c.work.Stream, c.cfg.Transfer, []ib.Grid{p.Grid}, c.delta)
		if err != nil {
			return err
		}
		c.transfer, t.Launcher = t, c.work
		t.Sites[0].UseNoList(c.work) // the support is known
	} else if err := c.transfer.SetGrid(p.Grid, c.delta); err != nil {
		return err
	}
	if err := c.index.ReserveZero(c.work, p.Grid.Nodes(), 4); err != nil {
		return err
	}
	if err := c.transfer.Reserve(len(p.Markers)); err != nil {
		return err
	}
	if err := c.holdEddies(p); err != nil {
		return err
	}
	return c.holdMarkers(len(p.Markers), p.Smear != nil)
}

// hasEddies tells whether walls are corrected beside an eddy viscosity.
func hasEddies[T lbm.Float](p *hybrid.Placement[T]) bool {
	return p.Smear != nil && p.Smear.Eddies != nil
}

// holdEddies sends the tables of walls beside an eddy viscosity, once.
func (c *placer[T]) holdEddies(p *hybrid.Placement[T]) error {
	if !hasEddies(p) || c.markers.eddies.Memory != nil {
		return nil
	}
	tables := []hybrid.WallEddies[T]{*p.Smear.Eddies}
	if _, err := c.markers.eddies.Reserve(c.work.Context, 1, device.SizeOf[hybrid.WallEddies[T]]()); err != nil {
		return err
	}
	if err := c.stages.Begin(c.work, device.SizeOf[hybrid.WallEddies[T]]()); err != nil {
		return err
	}
	if err := device.Send(&c.stages, device.At(c.markers.eddies.Memory, 0), tables); err != nil {
		return err
	}
	return c.stages.End()
}

// CouplingBytes is the device memory that a Coupling takes for bodies of such a footprint,
// in a flow, whose values take so many bytes each.
func CouplingBytes(cfg hybrid.CouplingConfig, flow *lbm.Config, value int, f *hybrid.Footprint) int64 {
	support, dim := ib.MaxSupport, flow.Lattice.Dim
	if d, err := ib.NewDelta[float64](cfg.Delta); err == nil {
		support = d.Support()
	}
	bytes := windowBytes(transfer.Resolve(cfg.Transfer), f.Window, support, value)
	bytes += headBytes(flow.Nodes()) + f.Support*(24+(1+3*dim)*value)
	if f.Ghosts {
		bytes += f.Support * (8 + dim*value)
	}
	numbers := (4+support)*dim + 8
	if cfg.Offset != 0 && flow.Collision.Smagorinsky != 0 {
		numbers += 2 // area and slope
	}
	bytes += f.Markers * (64 + 4*dim + numbers*value)
	return int64(bytes)
}

// windowBytes is what a window takes: its index, the places of points in its cells, and buffers.
func windowBytes(strategy string, nodes, support, value int) int {
	if strategy == "buffered" || strategy == "buffered-otf" {
		return nodes * (12 + support*value)
	}
	return 12 * nodes
}

// fits refuses a window for which there is no memory before any of it is allocated.
func (c *placer[T]) fits(g ib.Grid) error {
	held, wanted := 0, windowBytes(c.Strategy(), g.Nodes(), c.delta.Support(), device.SizeOf[T]())
	if c.transfer != nil {
		held = c.index.Size() + c.transfer.WindowBytes()
	}
	free, total, err := c.work.Context.MemoryInfo()
	if err != nil || wanted-held <= free {
		return err
	}
	now, _ := c.work.Context.Held()
	return &driver.OutOfMemory{Wanted: wanted, Free: free, Total: total, Held: now}
}

// holdMarkers makes room for what n markers feel and do, at rest where their number is
// another.
func (c *placer[T]) holdMarkers(n int, smeared bool) error {
	m, size, fresh := &c.markers, device.SizeOf[T](), n != c.markers.count || c.markers.push.Memory == nil
	if _, err := m.push.Reserve(c.work.Context, c.dim*n, size); err != nil {
		return err
	}
	if _, err := m.felt.Reserve(c.work.Context, (1+c.dim)*n, size); err != nil {
		return err
	}
	if c.slots.eddies {
		if _, err := m.slope.Reserve(c.work.Context, n, size); err != nil {
			return err
		}
	}
	m.count, m.smeared = n, smeared
	if !fresh {
		return nil
	}
	for _, r := range []device.Buffer{m.push, m.felt} {
		if err := c.work.Stream.Zero(r.Memory, 0, r.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// holdSupport makes room for n support nodes and ghosts. Supports that have changed their size may do
// so again, and get more than they need.
func (c *placer[T]) holdSupport(n int) error {
	s, size := &c.support, device.SizeOf[T]()
	if s.stride > 0 && n > s.stride {
		n += n / 8
	}
	n = max(n, s.stride)
	if s.listed.Size() < 8*n {
		if err := c.forgetIndex(); err != nil {
			return err
		}
	}
	if fresh, err := s.listed.Reserve(c.work.Context, n, 8); err != nil {
		return err
	} else if fresh {
		if err := c.work.Stream.Fill(s.listed.Memory, 0, s.listed.Bytes(), 0xff); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		to      *device.Buffer
		numbers int
	}{{&s.moments, 1 + c.dim}, {&s.force, c.dim}, {&s.felt, c.dim}} {
		if _, err := part.to.Reserve(c.work.Context, n*part.numbers, size); err != nil {
			return err
		}
	}
	if _, err := s.next.Reserve(c.work.Context, n, 4); err != nil {
		return err
	}
	s.stride = n
	return c.holdHeads()
}

// holdHeads makes room for the heads of the support's list. Where there is none the moments
// are read after every sweep.
func (c *placer[T]) holdHeads() error {
	err := c.support.heads.ReserveZero(c.work, headBytes(c.fluid.cfg.Nodes()), 1)
	if err != nil && driver.IsOutOfMemory(err) {
		return nil
	}
	return err
}

// leaveNoMoments is for those who change the support, or end.
func (c *couplingCore[T]) leaveNoMoments() {
	if c.fluid.support.of == &c.support.list {
		_ = c.fluid.leaveMoments(nil) // which cannot fail
	}
}

// forgetIndex takes all nodes out of the index, and of the list by which sweeps find them.
func (c *couplingCore[T]) forgetIndex() error {
	s := &c.support
	if s.listed.Memory == nil {
		return nil
	}
	n := s.listed.Bytes() / 8
	k := &c.forget
	k.Args.Pointer(0, c.index.Memory, 0)
	k.Args.Pointer(1, s.listed.Memory, 0)
	k.Args.Pointer(2, s.heads.Memory, 0)
	k.Args.Int32(3, int32(n))
	if err := c.work.Over(k, n); err != nil {
		return err
	}
	return c.work.Stream.Fill(s.listed.Memory, 0, s.listed.Bytes(), 0xff)
}
