package cuda

import (
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// Correct makes the fluid, which has been asked for its step, move with the markers.
func (c *Coupling[T]) Correct() { c.fluid.follow(c.again) }

// queue queues the correction.
func (c *Coupling[T]) queue() error {
	s := &c.support
	if c.transfer == nil || c.markers.count == 0 {
		return nil
	}
	if !c.system.asked { // else they have been read
		if err := c.readMoments(); err != nil { // ρ, û
			return err
		}
	}
	if err := c.forceFirst(!c.system.asked); err != nil { // ρ, Û = Σ (ρ, û) δ(x−X); F = 2ρ(U_d − Û)ε
		return err
	}
	last := 0
	if c.cfg.Forcing == "multidirect" {
		last = max(1, c.cfg.Iterations) - 1
	}
	if last > 0 {
		if err := c.iterate(last); err != nil {
			return err
		}
	}
	if err := c.give(); err != nil {
		return err
	}
	if c.transfer.Strategy() == "sort-reduce" && !s.ghosts {
		return c.spreadAndCorrect(last) // F(x) = Σ F δ(x−X), and f(x) += Guo(F)
	}
	if err := c.spread(last); err != nil {
		return err
	}
	return c.fluid.CorrectOn(s.nodes, s.stride, device.At(s.force.Memory, 0))
}

// readMoments queues the reading of ρ and û at the support nodes, unless the sweep has left
// them.
func (c *corrector[T]) readMoments() error {
	s := &c.support
	if !c.fluid.momentsLeft(&s.list) {
		if err := c.fluid.MomentsOn(s.nodes, s.stride, device.At(s.moments.Memory, 0)); err != nil {
			return err
		}
	}
	return c.reflected(&s.moments, 1)
}

// reflected queues what ghosts have of vectors of the support nodes, the first of them density
// where first is 1.
func (c *corrector[T]) reflected(of *device.Buffer, first int32) error {
	k, s := &c.reflect, &c.support
	if !s.ghosts {
		return nil
	}
	k.Point(0, s.mirror)
	k.Point(1, s.wall)
	k.Args.Pointer(2, of.Memory, 0)
	k.Args.Int64(3, int64(s.stride))
	k.Args.Int32(4, int32(c.dim))
	k.Args.Int32(5, first)
	return c.work.Over(k, s.stride)
}

// folded queues the addition of what was spread to ghosts to the nodes that they are images
// of. With sort-reduce that of a round which has not come is left as it is.
func (c *corrector[T]) folded(round int) error {
	k, s := &c.foldGhosts, &c.support
	if !s.ghosts {
		return nil
	}
	k.Point(0, s.mirror)
	k.Point(1, s.chain)
	k.Args.Pointer(2, s.force.Memory, 0)
	k.Args.Int64(3, int64(s.stride))
	k.Args.Int32(4, int32(c.dim))
	k.Args.Pointer(5, nil, 0)
	if round > 0 && c.transfer.Strategy() == "sort-reduce" {
		k.Args.Pointer(5, c.rounds.over, 4*round)
	}
	return c.work.Over(k, s.stride)
}

// iterate queues all further rounds of multidirect forcing, but for what the last of them
// spreads: those after slip has come below the bound find that out and do nothing.
func (c *corrector[T]) iterate(last int) error {
	for _, m := range []*driver.Memory{c.rounds.slip, c.rounds.over} {
		if err := c.work.Stream.Zero(m, 0, m.Bytes()); err != nil {
			return err
		}
	}
	for round := 1; round <= last; round++ {
		if err := c.spread(round - 1); err != nil { // F(x) = Σ F δ(x−X)
			return err
		}
		if err := c.forcedFluid(); err != nil { // u = û + F/(2ρ)
			return err
		}
		if err := c.feelAgain(&c.rounds, round, true); err != nil {
			return err
		}
		if err := c.forceMore(round); err != nil {
			return err
		}
	}
	return nil
}

// ofMarkers sets seven arguments from i on: the fields of Markers.
func (c *couplingCore[T]) ofMarkers(k *device.Kernel, i int) {
	m := &c.markers
	k.Point(i, m.velocity)
	k.Point(i+1, m.weight)
	k.Args.Pointer(i+2, nil, 0)
	k.Args.Pointer(i+3, nil, 0)
	k.Args.Pointer(i+4, nil, 0)
	if m.smeared {
		k.Point(i+2, m.normal)
		k.Point(i+3, m.over)
		k.Point(i+4, m.share)
	}
	k.Args.Pointer(i+5, m.push.Memory, 0)
	k.Args.Pointer(i+6, m.felt.Memory, 0)
}

// ofEddies sets three arguments from i on: what walls need beside an eddy viscosity, nothing
// where over and share are to stay as they are.
func (c *couplingCore[T]) ofEddies(k *device.Kernel, i int, meet bool) {
	k.Args.Pointer(i, nil, 0)
	k.Args.Pointer(i+1, nil, 0)
	k.Args.Pointer(i+2, nil, 0)
	if m := &c.markers; meet && c.slots.eddies {
		k.Args.Pointer(i, m.eddies.Memory, 0)
		k.Point(i+1, m.area)
		k.Args.Pointer(i+2, m.slope.Memory, 0)
	}
}

// forceFirst queues interpolation and the first force of every marker; with meet eddies are met
// before it, by the slip.
func (c *corrector[T]) forceFirst(meet bool) error {
	k, site, n := &c.first, c.transfer.Sites[0], c.markers.count
	site.Supports(k, c.transfer.Capacity)
	k.Args.Pointer(4, site.Order(), 0)
	c.ofMarkers(k, 5)
	k.Args.Pointer(12, c.support.moments.Memory, 0)
	k.Args.Pointer(13, c.index.Memory, 0)
	k.Args.Int64(14, int64(c.support.stride))
	c.ofEddies(k, 15, meet)
	k.Args.Pointer(18, c.transfer.Values.Memory, 0)
	k.Args.Int32(19, int32(n))
	return c.work.OverGroups(k, n, c.pointsTogether())
}

// feelAgain queues interpolation of the corrected velocity, and the search for the
// greatest slip; with meet eddies are met before, by the force.
func (c *corrector[T]) feelAgain(r *roundMemory, round int, meet bool) error {
	k, site, n := &c.feel, c.transfer.Sites[0], c.markers.count
	site.Supports(k, c.transfer.Capacity)
	k.Args.Pointer(4, site.Order(), 0)
	c.ofMarkers(k, 5)
	k.Args.Pointer(12, c.support.felt.Memory, 0)
	k.Args.Pointer(13, c.index.Memory, 0)
	k.Args.Int64(14, int64(c.support.stride))
	c.ofEddies(k, 15, meet)
	k.Args.Pointer(18, r.slip, 0)
	k.Args.Pointer(19, r.over, 0)
	k.Args.Int32(20, int32(round))
	k.Args.Int32(21, int32(n))
	return c.work.OverGroups(k, n, c.pointsTogether())
}

// pointsTogether is how many markers a warp has together: pointsTogether of kernels/transfer.h.
func (c *corrector[T]) pointsTogether() int {
	if c.dim == 3 {
		return device.Warp / c.delta.Support()
	}
	return device.Warp
}

// forceMore queues the force of a round.
func (c *corrector[T]) forceMore(round int) error {
	k, site, n := &c.more, c.transfer.Sites[0], c.markers.count
	k.Args.Pointer(0, site.Record, 0)
	k.Args.Pointer(1, site.Order(), 0)
	c.ofMarkers(k, 2)
	k.Args.Int64(9, int64(c.transfer.Capacity))
	k.Args.Pointer(10, c.transfer.Values.Memory, 0)
	k.Args.Pointer(11, c.rounds.slip, 0)
	k.Args.Pointer(12, c.rounds.over, 0)
	k.Args.Int32(13, int32(round))
	k.Args.Float64(14, c.cfg.Tolerance)
	k.Args.Int32(15, int32(n))
	return c.work.Over(k, n)
}

// forcedFluid queues u = û + F/(2ρ) of the support nodes.
func (c *corrector[T]) forcedFluid() error {
	k, s := &c.fluidAt, &c.support
	k.Args.Pointer(0, s.moments.Memory, 0)
	k.Args.Pointer(1, s.force.Memory, 0)
	k.Args.Pointer(2, s.felt.Memory, 0)
	k.Args.Int64(3, int64(s.stride))
	k.Args.Int32(4, int32(c.dim))
	if err := c.work.Over(k, s.stride); err != nil {
		return err
	}
	return c.reflected(&s.felt, 0)
}

// spreadAndCorrect queues the force density on the support nodes, that of all rounds, and
// their correction.
func (c *corrector[T]) spreadAndCorrect(round int) error {
	t, p, f := c.transfer, &c.support, c.fluid
	if p.stride == 0 {
		return nil
	}
	site := t.Sites[0]
	s := device.Setter{Args: c.gatherCorrect.Args}
	f.setLattice(&s).Pointer(site.Record, 0).Pointer(site.First.Memory, 0).Pointer(site.Weight.Memory, 0).Int64(t.Capacity)
	s.Pointer(t.Values.Memory, 0).Pointer(site.Cells.Memory, 0)
	s.Pointer(p.nodes.Memory, p.nodes.At).Pointer(p.at.Memory, p.at.At).Pointer(p.force.Memory, 0).Int64(p.stride)
	if round > 0 {
		s.Pointer(c.rounds.over, 4*round)
	} else {
		s.Pointer(nil, 0)
	}
	f.setRates(&s)
	f.setNoise(&s, lbm.ForCorrection, f.steps)
	f.support.changed()
	return f.overNodes(c.gatherCorrect.Function, p.stride, s.Args)
}

// spread queues the force density on the support nodes: that of all rounds so far.
func (c *corrector[T]) spread(round int) error {
	if err := c.spreadToAll(round); err != nil {
		return err
	}
	return c.folded(round)
}

// spreadToAll is spread, on the support nodes and ghosts.
func (c *corrector[T]) spreadToAll(round int) error {
	t, s := c.transfer, &c.support
	site := t.Sites[0]
	switch {
	case t.Strategy() == "sort-reduce":
		k := &c.gather
		site.Supports(k, t.Capacity)
		k.Args.Pointer(4, t.Values.Memory, 0)
		k.Args.Pointer(5, site.Cells.Memory, 0)
		k.Point(6, s.at)
		k.Args.Pointer(7, s.force.Memory, 0)
		k.Args.Int64(8, int64(s.stride))
		k.Args.Pointer(9, nil, 0)
		if round > 0 {
			k.Args.Pointer(9, c.rounds.over, 4*round)
		}
		return c.work.Over(k, s.stride)
	case t.Buffered():
		return c.spreadBuffered()
	}
	if err := c.work.Stream.Zero(s.force.Memory, 0, c.dim*s.stride*device.SizeOf[T]()); err != nil {
		return err
	}
	if site.Sets.Used() {
		return site.SpreadSets(t.Points(), t.Capacity, t.Values.Memory, c.components, c.field, c.index.Memory)
	}
	return site.SpreadAtomic(t.Points(), t.Capacity, t.Values.Memory, c.components, c.field, c.index.Memory)
}

// spreadBuffered is Algorithm 5, or 6, that ends on the support nodes.
func (c *corrector[T]) spreadBuffered() error {
	t, s, size := c.transfer, &c.support, device.SizeOf[T]()
	site := t.Sites[0]
	for a := range c.dim {
		if t.Strategy() == "buffered-otf" {
			if err := c.work.Stream.Zero(t.Buffer.Memory, 0, c.delta.Support()*site.Nodes*size); err != nil {
				return err
			}
		}
		if err := site.Sweeps(t.Points(), t.Capacity, device.At(t.Values.Memory, a*t.Capacity*size), t.Buffer.Memory); err != nil {
			return err
		}
		k := &c.fold
		k.Point(0, s.at)
		k.Args.Pointer(1, t.Buffer.Memory, 0)
		k.Args.Int64(2, int64(site.Nodes))
		k.Args.Int32(3, int32(c.delta.Support()))
		k.Point(4, c.field[a])
		k.Args.Int64(5, int64(s.stride))
		if err := c.work.Over(k, s.stride); err != nil {
			return err
		}
	}
	return nil
}
