package cuda

import (
	"errors"
	"fmt"

	"lbmib/cuda/driver"
	"lbmib/hybrid"
	"lbmib/ib"
	"lbmib/lbm"
)

// Place tells where the markers are from the next Correct on.
func (c *Coupling[T]) Place(p *hybrid.Placement[T]) error {
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

func (c *Coupling[T]) tryPlace(p *hybrid.Placement[T]) error {
	if !c.fluid.settled() {
		return c.fluid.err
	}
	if p.NewSupport || p.NewWindow || len(p.Markers) != c.markers.count {
		c.fluid.forgetGraphs() // they have the numbers of nodes and markers in them
	}
	if c.transfer == nil || p.NewWindow || len(p.Markers) != c.markers.count {
		if err := c.setWindow(p); err != nil {
			return err
		}
	}
	var nodes indexed
	if p.NewSupport || p.NewWindow {
		if err := c.setSupport(p); err != nil {
			return err
		}
		s := &c.support
		if c.transfer.sites[0].sorter == nil { // which would take those before out
			if err := c.forgetIndex(); err != nil {
				return err
			}
		}
		nodes = indexed{Slot{s.number.Memory, 0}, Slot{s.at.Memory, 0}, c.index.Memory, s.listed.Memory,
			s.nodes.Memory, s.heads.Memory, s.next.Memory, s.count}
	}
	if err := c.setMarkers(p); err != nil {
		return err
	}
	if err := c.transfer.setMarkers(Slot{c.markers.placed.Memory, 0}, c.markers.count, nodes); err != nil || nodes.heads == nil {
		return err
	}
	s := &c.support
	s.list = supportNodes{s.heads.Memory, s.nodes.Memory, s.next.Memory, s.moments.Memory, s.count}
	return c.fluid.leaveMoments(&s.list)
}

// setWindow makes the window, and with it all that depends on the number of markers.
// Windows that follow moving bodies come back to the same memory.
func (c *Coupling[T]) setWindow(p *hybrid.Placement[T]) error {
	if err := c.fits(p.Grid); err != nil {
		return err
	}
	if err := c.forgetIndex(); err != nil {
		return err
	}
	c.support.count = 0
	if c.transfer == nil {
		t, err := NewTransfer(c.work.library, c.work.stream, c.cfg.Transfer, []ib.Grid{p.Grid}, c.delta)
		if err != nil {
			return err
		}
		c.transfer, t.tools = t, c.work
		t.sites[0].tools, t.sites[0].list.never = c.work, true // the support is known
	} else if err := c.transfer.setGrid(p.Grid, c.delta); err != nil {
		return err
	}
	if err := c.index.holdZero(c.work, p.Grid.Nodes(), 4); err != nil {
		return err
	}
	if err := c.transfer.hold(len(p.Markers)); err != nil {
		return err
	}
	return c.holdMarkers(len(p.Markers), p.Smear != nil)
}

// CouplingBytes is the device memory that a Coupling takes for bodies of such a footprint,
// in a flow, whose values take so many bytes each.
func CouplingBytes(cfg hybrid.CouplingConfig, flow *lbm.Config, value int, f *hybrid.Footprint) int64 {
	support, dim := ib.MaxSupport, flow.Lattice.Dim
	if d, err := ib.NewDelta[float64](cfg.Delta); err == nil {
		support = d.Support()
	}
	bytes := windowBytes(chosenStrategy(cfg.Transfer), f.Window, support, value)
	bytes += headBytes(flow.Nodes()) + f.Support*(24+(1+3*dim)*value)
	bytes += f.Markers * (64 + 4*dim + ((4+support)*dim+8)*value)
	return int64(bytes)
}

// windowBytes is what a window takes: its index, where cells begin, and buffers.
func windowBytes(strategy string, nodes, support, value int) int {
	if strategy == "buffered" || strategy == "buffered-otf" {
		return nodes * (8 + support*value)
	}
	return 8 * nodes
}

// fits refuses a window for which there is no memory before any of it is allocated.
func (c *Coupling[T]) fits(g ib.Grid) error {
	held, wanted := 0, windowBytes(c.Strategy(), g.Nodes(), c.delta.Support(), sizeOf[T]())
	if c.transfer != nil {
		held = c.index.size() + c.transfer.sites[0].start.size() + c.transfer.buffer.size()
	}
	free, total, err := c.work.context.MemoryInfo()
	if err != nil || wanted-held <= free {
		return err
	}
	now, _ := c.work.context.Held()
	return &driver.OutOfMemory{Wanted: wanted, Free: free, Total: total, Held: now}
}

// holdMarkers makes room for n markers, at rest where their number is another.
func (c *Coupling[T]) holdMarkers(n int, smeared bool) error {
	m, size, fresh := &c.markers, sizeOf[T](), n != c.markers.count || c.markers.velocity.Memory == nil
	for _, part := range []struct {
		to      *room
		numbers int
	}{{&m.velocity, c.dim}, {&m.weight, 1}, {&m.push, c.dim}, {&m.felt, 1 + c.dim}} {
		if _, err := part.to.hold(c.work.context, part.numbers*n, size); err != nil {
			return err
		}
	}
	for _, r := range []*room{&m.position, &m.placed} {
		if _, err := r.hold(c.work.context, 3*n, 8); err != nil {
			return err
		}
	}
	if smeared {
		for _, part := range []struct {
			to      *room
			numbers int
		}{{&m.normal, c.dim}, {&m.over, 1}, {&m.share, 1}} {
			if _, err := part.to.hold(c.work.context, part.numbers*n, size); err != nil {
				return err
			}
		}
	}
	m.count, m.smeared = n, smeared
	if !fresh {
		return nil
	}
	for _, r := range []room{m.velocity, m.push, m.felt} {
		if err := c.work.stream.Zero(r.Memory, 0, r.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// setSupport lists the support nodes.
func (c *Coupling[T]) setSupport(p *hybrid.Placement[T]) error {
	s, n, size := &c.support, len(p.Nodes), sizeOf[T]()
	s.count = 0
	c.leaveNoMoments()
	if s.listed.size() < 4*(1+2*n) {
		if err := c.forgetIndex(); err != nil {
			return err
		}
		if err := s.listed.holdZero(c.work, 1+2*n, 4); err != nil {
			return err
		}
	}
	if err := c.holdHeads(); err != nil {
		return err
	}
	parts := []struct {
		to      *room
		numbers int
		size    int
	}{{&s.nodes, 1, 4}, {&s.at, 1, 4}, {&s.number, 1, 4}, {&s.next, 1, 4}, {&s.moments, 1 + c.dim, size}, {&s.force, c.dim, size}, {&s.felt, c.dim, size}}
	for _, part := range parts {
		if _, err := part.to.hold(c.work.context, n*part.numbers, part.size); err != nil {
			return err
		}
	}
	if err := c.stages.begin(c.work, 2*(4*n+stageAlign)+stageAlign); err != nil {
		return err
	}
	if err := send(&c.stages, Slot{s.nodes.Memory, 0}, p.Nodes); err != nil {
		return err
	}
	if err := send(&c.stages, Slot{s.at.Memory, 0}, p.At); err != nil {
		return err
	}
	if err := send(&c.stages, Slot{s.number.Memory, 0}, []int32{int32(n)}); err != nil {
		return err
	}
	if err := c.stages.end(); err != nil {
		return err
	}
	s.count = n
	for a := range c.field {
		c.field[a] = Slot{s.force.Memory, a * n * size}
	}
	return nil
}

// holdHeads makes room for the heads of the support's list. Where there is none the moments
// are read after every sweep.
func (c *Coupling[T]) holdHeads() error {
	err := c.support.heads.holdZero(c.work, headBytes(c.fluid.cfg.Nodes()), 1)
	if err != nil && driver.IsOutOfMemory(err) {
		return nil
	}
	return err
}

// leaveNoMoments is for those who change the support, or end.
func (c *Coupling[T]) leaveNoMoments() {
	if c.fluid.support.of == &c.support.list {
		_ = c.fluid.leaveMoments(nil) // which cannot fail
	}
}

// forgetIndex takes all nodes out of the index.
func (c *Coupling[T]) forgetIndex() error {
	s := &c.support
	c.leaveNoMoments()
	if s.listed.Memory == nil {
		return nil
	}
	k := &c.forget
	k.args.Pointer(0, c.index.Memory, 0)
	k.args.Pointer(1, s.listed.Memory, 0)
	k.args.Pointer(2, s.heads.Memory, 0)
	if err := c.work.over(k, s.listed.size()/8); err != nil {
		return err
	}
	return c.work.stream.Zero(s.listed.Memory, 0, 4)
}

// setMarkers sends what markers are.
func (c *Coupling[T]) setMarkers(p *hybrid.Placement[T]) error {
	m, n, size := &c.markers, c.markers.count, sizeOf[T]()
	if err := c.stages.begin(c.work, 2*(24*n+stageAlign)+(3+c.dim)*(n*size+stageAlign)); err != nil {
		return err
	}
	if err := send(&c.stages, Slot{m.position.Memory, 0}, p.Markers); err != nil {
		return err
	}
	if err := send(&c.stages, Slot{m.placed.Memory, 0}, p.Placed); err != nil {
		return err
	}
	if err := send(&c.stages, Slot{m.weight.Memory, 0}, p.Weight); err != nil {
		return err
	}
	if p.Smear != nil {
		for a, normal := range p.Smear.Normal {
			if err := send(&c.stages, Slot{m.normal.Memory, a * n * size}, normal); err != nil {
				return err
			}
		}
		if err := send(&c.stages, Slot{m.over.Memory, 0}, p.Smear.Over); err != nil {
			return err
		}
		if err := send(&c.stages, Slot{m.share.Memory, 0}, p.Smear.Share); err != nil {
			return err
		}
	}
	return c.stages.end()
}
