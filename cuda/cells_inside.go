package cuda

import (
	"slices"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/hybrid/flexible"
	"lbmib/lbm"
)

// cellsInside has the fluid inside cells be more or less viscous than outside: see kernels/inside.h. nil where all cells hold the fluid that
// they are in.
//
// Device memory: what relaxation times of nodes take (nodeTimesBytes), and 32 bytes a vertex.
type cellsInside struct {
	areas, times, slips       device.Kernel
	record, change, area, per *driver.Memory
}

// insideRecord is InsideRecord of kernels/inside.h, field by field.
type insideRecord struct{ own, tau, least, most float64 }

// viscous tells whether some cell holds another fluid than the one that it is in.
func viscous(cells []*flexible.Cell) bool {
	return slices.ContainsFunc(cells, func(c *flexible.Cell) bool { return c.ViscosityRatio() != 1 })
}

// prepareInside allocates, and readies the launches.
func (c *Cells[T]) prepareInside() error {
	if !viscous(c.cells) {
		return nil
	}
	if err := c.fluid.holdTimes(); err != nil {
		return err
	}
	k, tau := &cellsInside{}, c.fluid.cfg.Collision.Tau()
	record := insideRecord{own: tau - 0.5, tau: tau, least: 1, most: 1}
	change := make([]float64, len(c.cells))
	for i, cell := range c.cells {
		inverse := 1 / cell.ViscosityRatio()
		change[i] = inverse - 1
		record.least, record.most = min(record.least, inverse), max(record.most, inverse)
	}
	var err error
	if k.record, err = sent(c, []insideRecord{record}); err != nil {
		return err
	}
	if k.change, err = sent(c, change); err != nil {
		return err
	}
	for _, m := range []struct {
		to    **driver.Memory
		bytes int
	}{{&k.area, 24 * c.points}, {&k.per, 8 * c.points}} {
		if *m.to, err = c.work.Context.Alloc(m.bytes); err != nil {
			return err
		}
		c.held = append(c.held, *m.to)
	}
	of := device.Precision[T]()
	for _, f := range []struct {
		to        *device.Kernel
		name      string
		arguments int
	}{{&k.areas, "inside_areas", 8}, {&k.times, "inside_times_" + of, 13}, {&k.slips, "slip_by_viscosity_" + of, 7}} {
		if *f.to, err = c.work.Kernel("inside", f.name, f.arguments); err != nil {
			return err
		}
	}
	s := &device.Setter{Args: k.areas.Args}
	for _, m := range []*driver.Memory{c.kinds, c.records, c.table, c.scratch, c.position, k.change, k.area, c.faults} {
		s.Pointer(m, 0)
	}
	c.inside = k
	return nil
}

// findAreas queues the areas of vertices, of membranes whose forces have been queued before, beside the fluid's work.
func (c *Cells[T]) findAreas() error {
	if c.inside == nil {
		return nil
	}
	k := &c.inside.areas
	return c.side.Launch(k.Function, [3]int{len(c.cells), 1, 1}, [3]int{c.threads, 1, 1}, 0, k.Args)
}

// relax has nodes relax by the times of where the vertices are, in the step that follows.
func (c *Cells[T]) relax() error {
	if c.inside == nil {
		return nil
	}
	site, f, k := c.transfer.Sites[0], c.fluid, c.inside
	list := site.Listed()
	s := &device.Setter{Args: k.times.Args}
	s.Pointer(k.record, 0).Pointer(site.Record, 0).Pointer(site.Cells.Memory, 0).Pointer(site.Order(), 0)
	s.Pointer(c.position, 0).Pointer(c.contact.of, 0).Pointer(k.area, 0).Pointer(k.change, 0)
	s.Pointer(list.Nodes, 0).Pointer(list.Count, 0).Pointer(list.Marked, 0).Int32(f.cfg.Nodes()).Pointer(f.relaxing.field, 0)
	most := f.cfg.Nodes()
	if list.Nodes != nil {
		most = list.Most
	}
	if err := c.work.Over(&k.times, most); err != nil {
		return err
	}
	f.relaxing.next, f.relaxing.stale = true, true
	return nil
}

// slipBy is what each vertex slips by for each force per area along it, queued; nil: that is the same for all.
func (c *Cells[T]) slipBy() (*driver.Memory, error) {
	if c.inside == nil {
		return nil, nil
	}
	k := c.inside
	s := &device.Setter{Args: k.slips.Args}
	s.Pointer(k.record, 0).Pointer(c.transfer.Sites[0].Record, 0).Pointer(c.position, 0).Pointer(c.fluid.relaxing.field, 0)
	s.Args.Float64(s.Next, c.per)
	s.Next++
	s.Pointer(k.per, 0).Int32(c.points)
	return k.per, c.work.Over(&k.slips, c.points)
}

// putTimes sends the relaxation times of nodes, of where the cells are; nil: all nodes have the collision's.
func (c *Cells[T]) putTimes(times *lbm.Relaxation[T]) error {
	if c.inside == nil || times == nil {
		return nil
	}
	return c.fluid.takeTimes(times)
}

// insideBytes is what it takes in a flow, whose values take so many bytes each.
func insideBytes(cells []*flexible.Cell, flow *lbm.Config, value, points int) int64 {
	if !viscous(cells) {
		return 0
	}
	return nodeTimesBytes(flow, value) + int64(32*points+8*len(cells))
}
