package cuda

import (
	"fmt"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/lbm"
)

// couplingSums is what MarkerSums needs: see hybrid.DeviceCoupling. It is five
// launches for all bodies together: the velocity that the correction has left, what
// markers feel of it, their sums (and those of the sums' parts), and velocities of nodes.
type couplingSums[T lbm.Float] struct {
	terms   hybrid.MarkerSumsTerms
	most    int // markers of a body
	ring    device.ReadbackRing[hybrid.MarkerSums]
	reduce  device.Reduction
	markers device.Kernel
	watch   device.Kernel
	rounds  roundMemory // of a round that is always made

	first, center *driver.Memory // of each body
	centers       []geometry.Vec // that center holds
	nodes, in, u  *driver.Memory // of the nodes watched: ρ and velocity
}

// OpenMarkerSums makes ready for MarkerSums; see hybrid.DeviceCoupling.
func (c *markerSummer[T]) OpenMarkerSums(terms hybrid.MarkerSumsTerms) error {
	if !c.fluid.settled() {
		return c.fluid.err
	}
	c.sums.close()
	c.sums = couplingSums[T]{terms: terms}
	if err := c.openSums(); err != nil {
		c.sums.close()
		return fmt.Errorf("cuda: sums of %d bodies and of %d nodes: %w", len(terms.First)-1, len(terms.Nodes), err)
	}
	return nil
}

func (c *markerSummer[T]) openSums() (err error) {
	a, context := &c.sums, c.work.Context
	bodies, nodes := len(a.terms.First)-1, len(a.terms.Nodes)
	if a.markers, err = c.work.Kernel("reduction", "marker_sums_"+device.Precision[T](), bodySumsArgs); err != nil {
		return err
	}
	if a.watch, err = c.work.Kernel("reduction", "node_velocity_"+device.Precision[T](), 6); err != nil {
		return err
	}
	for _, m := range []struct {
		to    **driver.Memory
		bytes int
	}{
		{&a.first, 4 * len(a.terms.First)}, {&a.center, 24 * bodies}, {&a.nodes, 4 * nodes}, {&a.in, 4 * nodes}, {&a.u, (1 + c.dim) * nodes * device.SizeOf[T]()},
		{&a.rounds.slip, 2 * 8}, {&a.rounds.over, 2 * 4},
	} {
		if *m.to, err = context.Alloc(max(8, m.bytes)); err != nil {
			return err
		}
		if err := c.work.Stream.Zero(*m.to, 0, (*m.to).Bytes()); err != nil {
			return err
		}
	}
	if a.most, err = c.firstMarkers(a.terms.First, a.first); err != nil {
		return err
	}
	a.centers = make([]geometry.Vec, bodies)
	if err := a.reduce.Open(c.work, device.SizeOf[device.Sums]()); err != nil {
		return err
	}
	return a.ring.Open(context, device.Records[hybrid.MarkerSums]{Stream: c.work.Stream, Copies: c.fluid.copies,
		Bytes: a.nodesAt() + 8*nodes, Places: a.terms.Depth, Read: a.read, Fail: c.fluid.fail})
}

// nodesAt is where velocities begin in a record, behind the sums of bodies.
func (a *couplingSums[T]) nodesAt() int { return len(a.centers) * device.SizeOf[device.Sums]() }

func (a *couplingSums[T]) close() {
	a.ring.Close()
	for _, m := range []*driver.Memory{a.first, a.center, a.nodes, a.in, a.u, a.rounds.slip, a.rounds.over} {
		m.Free()
	}
	a.reduce.Close()
}

// read reads the sums of a request.
func (a *couplingSums[T]) read(to *hybrid.MarkerSums, host *driver.Host, at, _ int) {
	if to.Bodies == nil {
		*to = hybrid.MarkerSums{Bodies: make([]hybrid.BodySums, len(a.centers)), Velocity: make([]float64, len(a.terms.Nodes))}
	}
	for i, t := range driver.View[device.Sums](host, at, len(a.centers)) {
		markers := a.terms.First[i+1] - a.terms.First[i]
		to.Bodies[i] = hybrid.BodySums{Force: geometry.Vec(t.V[:3]), Moment: geometry.Vec(t.V[3:6]), Slip: t.Max, Granted: t.V[6] / float64(markers)}
	}
	copy(to.Velocity, driver.View[float64](host, at+a.nodesAt(), len(a.terms.Nodes)))
}

// MarkerSums sums what the last Correct did; see hybrid.DeviceCoupling.
func (c *markerSummer[T]) MarkerSums(q *hybrid.MarkerSumsRequest) lbm.Pending[*hybrid.MarkerSums] {
	if c.fluid.settled() {
		if p, err := c.queueSums(q); c.fluid.fail(err) == nil {
			return p
		}
	}
	return lbm.Failed[*hybrid.MarkerSums](nil, c.fluid.err)
}

func (c *markerSummer[T]) queueSums(q *hybrid.MarkerSumsRequest) (p lbm.Pending[*hybrid.MarkerSums], err error) {
	a := &c.sums
	to, _, err := a.ring.Next()
	if err != nil {
		return p, err
	}
	if err := c.sendRequest(q); err != nil {
		return p, err
	}
	if err := c.forcedFluid(); err != nil { // u = û + F/(2ρ)
		return p, err
	}
	if err := c.feelAgain(&a.rounds, 1, false); err != nil {
		return p, err
	}
	if err := c.sumBodies(&a.markers, &a.reduce, a.first, a.center, len(a.centers), a.most, to); err != nil {
		return p, err
	}
	if err := c.watchNodes(q.Axis, device.At(to.Memory, to.At+a.nodesAt())); err != nil {
		return p, err
	}
	return a.ring.Wrote(false)
}

// sendRequest sends what is not on the device yet.
func (c *markerSummer[T]) sendRequest(q *hybrid.MarkerSumsRequest) error {
	a := &c.sums
	moved := false
	for i, x := range q.Centers {
		moved = moved || a.centers[i] != x
		a.centers[i] = x
	}
	if !moved && !q.New {
		return nil
	}
	if err := c.stages.Begin(c.work, 24*len(q.Centers)+8*len(q.Nodes)+3*device.StageAlign); err != nil {
		return err
	}
	if err := device.Send(&c.stages, device.At(a.center, 0), a.centers); err != nil {
		return err
	}
	if q.New {
		if err := device.Send(&c.stages, device.At(a.nodes, 0), q.Nodes); err != nil {
			return err
		}
		if err := device.Send(&c.stages, device.At(a.in, 0), q.In); err != nil {
			return err
		}
	}
	return c.stages.End()
}

// bodySumsArgs is the number of arguments of kernels that sum over the markers of bodies.
const bodySumsArgs = 14

// sumBodies queues such sums, of so many bodies of which the largest has most markers.
func (c *markerSummer[T]) sumBodies(k *device.Kernel, of *device.Reduction, first, center *driver.Memory, bodies, most int, to device.Slot) error {
	parts := device.ReductionBlocks(most)
	c.ofMarkers(k, 0)
	k.Args.Int64(7, int64(c.transfer.Capacity))
	k.Args.Int32(8, int32(c.dim))
	k.Point(9, c.markers.position)
	k.Args.Pointer(10, first, 0)
	k.Args.Pointer(11, center, 0)
	k.Args.Int32(12, int32(parts))
	return of.Run(k.Function, k.Args, bodySumsArgs-1, bodies, parts, to)
}

// firstMarkers sends the first markers of bodies to the device, and finds how many the
// largest body has.
func (c *markerSummer[T]) firstMarkers(of []int, to *driver.Memory) (most int, err error) {
	first := make([]int32, len(of))
	for i, k := range of {
		first[i] = int32(k)
		most = max(most, k-of[max(0, i-1)])
	}
	if err := c.stages.Begin(c.work, 4*len(first)); err != nil {
		return 0, err
	}
	if err := device.Send(&c.stages, device.At(to, 0), first); err != nil {
		return 0, err
	}
	return most, c.stages.End()
}

// watchNodes queues the velocities of nodes.
func (c *markerSummer[T]) watchNodes(axis int, to device.Slot) error {
	a, n, s := &c.sums, len(c.sums.terms.Nodes), &c.support
	if n == 0 {
		return nil
	}
	if err := c.fluid.MomentsOn(device.At(a.nodes, 0), n, device.At(a.u, 0)); err != nil {
		return err
	}
	k := &a.watch
	k.Args.Pointer(0, a.u, (1+axis)*n*device.SizeOf[T]())
	k.Args.Pointer(1, a.in, 0)
	k.Args.Pointer(2, s.moments.Memory, 0)
	k.Args.Pointer(3, s.force.Memory, axis*s.stride*device.SizeOf[T]())
	k.Point(4, to)
	k.Args.Int64(5, int64(n))
	return c.work.Over(k, n)
}
