package cuda

import (
	"fmt"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/lbm"
)

// couplingAccount is what tallies need: see hybrid.DeviceCoupling. A tally is five
// launches for all bodies together: the velocity that the correction has left, what
// markers feel of it, their sums (and those of the sums' parts), and velocities of nodes.
type couplingAccount[T lbm.Float] struct {
	terms   hybrid.TallyTerms
	most    int // markers of a body
	ledger  device.ReadbackRing
	sums    device.Reduction
	markers device.Kernel
	watch   device.Kernel
	rounds  roundMemory // of a round that is always made
	opened  bool

	first, center *driver.Memory // of each body
	centers       []geometry.Vec // that center holds
	nodes, in, u  *driver.Memory // of the nodes watched: ρ and velocity
	answer        hybrid.Tally
}

// OpenTally makes ready to tally; see hybrid.DeviceCoupling.
func (c *Coupling[T]) OpenTally(terms hybrid.TallyTerms) error {
	if !c.fluid.settled() {
		return c.fluid.err
	}
	c.account.close()
	c.account = couplingAccount[T]{terms: terms}
	if err := c.openTally(); err != nil {
		c.account.close()
		return fmt.Errorf("cuda: sums of %d bodies and of %d nodes: %w", len(terms.First)-1, terms.Nodes, err)
	}
	return nil
}

func (c *Coupling[T]) openTally() (err error) {
	a, context := &c.account, c.work.Context
	bodies, nodes := len(a.terms.First)-1, a.terms.Nodes
	if a.markers, err = c.work.Kernel("account", "account_markers_"+device.Precision[T](), tallyArgs); err != nil {
		return err
	}
	if a.watch, err = c.work.Kernel("account", "account_watch_"+device.Precision[T](), 6); err != nil {
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
	a.answer = hybrid.Tally{Bodies: make([]hybrid.BodyTally, bodies), Velocity: make([]float64, nodes)}
	if err := a.sums.Open(c.work, device.SizeOf[device.Sums]()); err != nil {
		return err
	}
	a.opened = true
	return a.ledger.Open(context, c.work.Stream, c.fluid.copies, bodies*device.SizeOf[device.Sums]()+8*nodes, a.terms.Depth)
}

func (a *couplingAccount[T]) close() {
	for _, m := range []*driver.Memory{a.first, a.center, a.nodes, a.in, a.u, a.rounds.slip, a.rounds.over} {
		m.Free()
	}
	a.sums.Close()
	if a.ledger.Copies != nil {
		a.ledger.Copies.Synchronize() // an answer may be on its way; errors come too late to matter
	}
	a.ledger.Close()
	a.opened = false
}

// Tally sums what the last Correct did; see hybrid.DeviceCoupling.
func (c *Coupling[T]) Tally(q *hybrid.TallyQuestion) {
	if c.fluid.settled() {
		c.fluid.fail(c.queueTally(q))
	}
}

func (c *Coupling[T]) queueTally(q *hybrid.TallyQuestion) error {
	a, to := &c.account, c.account.ledger.Next()
	if err := c.sendTally(q); err != nil {
		return err
	}
	if err := c.forcedFluid(); err != nil { // u = û + F/(2ρ)
		return err
	}
	if err := c.feelAgain(&a.rounds, 1, false); err != nil {
		return err
	}
	if err := c.tallyMarkers(to); err != nil {
		return err
	}
	if err := c.watchNodes(q.Axis, device.At(to.Memory, to.At+len(a.centers)*device.SizeOf[device.Sums]())); err != nil {
		return err
	}
	return a.ledger.Wrote()
}

// sendTally sends what is not on the device yet.
func (c *Coupling[T]) sendTally(q *hybrid.TallyQuestion) error {
	a := &c.account
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

// tallyMarkers queues the sums over markers.
func (c *Coupling[T]) tallyMarkers(to device.Slot) error {
	a := &c.account
	k, parts := &a.markers, device.ReductionBlocks(a.most)
	c.setTally(k, a.first, a.center, parts)
	return a.sums.Run(k.Function, k.Args, tallyOut, len(a.centers), parts, to)
}

// tallyArgs is the number of arguments of kernels that sum over markers; tallyOut is where
// they leave the sums.
const tallyArgs, tallyOut = 14, 13

// setTally sets all of them but that.
func (c *Coupling[T]) setTally(k *device.Kernel, first, center *driver.Memory, parts int) {
	c.ofMarkers(k, 0)
	k.Args.Int64(7, int64(c.transfer.Capacity))
	k.Args.Int32(8, int32(c.dim))
	k.Point(9, c.markers.position)
	k.Args.Pointer(10, first, 0)
	k.Args.Pointer(11, center, 0)
	k.Args.Int32(12, int32(parts))
}

// firstMarkers sends the first markers of bodies to the device, and finds how many the
// largest body has.
func (c *Coupling[T]) firstMarkers(of []int, to *driver.Memory) (most int, err error) {
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
func (c *Coupling[T]) watchNodes(axis int, to device.Slot) error {
	a, n, s := &c.account, c.account.terms.Nodes, &c.support
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

// Tallied is the oldest tally that has not been taken; see hybrid.DeviceCoupling.
func (c *Coupling[T]) Tallied(wait bool) *hybrid.Tally {
	a := &c.account
	if c.fluid.err != nil || !a.opened {
		return nil
	}
	at, ok, err := a.ledger.Take(wait)
	if err != nil {
		c.fluid.fail(err)
	}
	if !ok {
		return nil
	}
	for i, t := range driver.View[device.Sums](a.ledger.Host, at, len(a.centers)) {
		markers := a.terms.First[i+1] - a.terms.First[i]
		a.answer.Bodies[i] = hybrid.BodyTally{Force: geometry.Vec(t.V[:3]), Moment: geometry.Vec(t.V[3:6]), Slip: t.Max, Granted: t.V[6] / float64(markers)}
	}
	copy(a.answer.Velocity, driver.View[float64](a.ledger.Host, at+len(a.centers)*device.SizeOf[device.Sums](), a.terms.Nodes))
	return &a.answer
}
