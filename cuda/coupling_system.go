package cuda

import (
	"fmt"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// couplingSystem is what MarkerSystem and MarkerForces need: sums of what markers feel before they
// act, and of what they gave then. Both of a step come to the host by one copy.
type couplingSystem[T lbm.Float] struct {
	most   int // markers of a body
	bodies int

	first, center     *driver.Memory // of each body
	memory            *driver.Memory // what was given, what is felt
	host              *driver.Host
	ready, copied     *driver.Event
	give, feel        device.Kernel
	givenOf, feltOf   device.Reduction
	asked, known, due bool // of given: to be summed by the next Correct, on the host; it has been summed
	felt              []rigid.MarkerEquations
	given             []hybrid.BodySums
}

// OpenMarkerSystem makes ready for MarkerSystem; see hybrid.DeviceCoupling.
func (c *systemSummer[T]) OpenMarkerSystem(first []int) error {
	if !c.fluid.settled() {
		return c.fluid.err
	}
	c.system.close()
	c.system = couplingSystem[T]{bodies: len(first) - 1}
	if err := c.openSystem(first); err != nil {
		c.system.close()
		return fmt.Errorf("cuda: what the markers of %d bodies feel: %w", len(first)-1, err)
	}
	return nil
}

func (c *systemSummer[T]) openSystem(first []int) (err error) {
	f, context := &c.system, c.work.Context
	for _, k := range []struct {
		to   *device.Kernel
		name string
	}{{&f.give, "marker_sums_"}, {&f.feel, "marker_equations_"}} {
		if *k.to, err = c.work.Kernel("reduction", k.name+device.Precision[T](), bodySumsArgs); err != nil {
			return err
		}
	}
	for _, m := range []struct {
		to    **driver.Memory
		bytes int
	}{{&f.first, 4 * len(first)}, {&f.center, 24 * f.bodies}, {&f.memory, f.bytes()}} {
		if *m.to, err = context.Alloc(m.bytes); err != nil {
			return err
		}
	}
	if f.host, err = context.Pinned(f.bytes()); err != nil {
		return err
	}
	for _, e := range []**driver.Event{&f.ready, &f.copied} {
		if *e, err = context.EventUntimed(); err != nil {
			return err
		}
	}
	if err := f.givenOf.Open(c.work, device.SizeOf[device.Sums]()); err != nil {
		return err
	}
	if err := f.feltOf.Open(c.work, device.SizeOf[device.EquationSums]()); err != nil {
		return err
	}
	if f.most, err = c.firstMarkers(first, f.first); err != nil {
		return err
	}
	f.felt, f.given = make([]rigid.MarkerEquations, f.bodies), make([]hybrid.BodySums, f.bodies)
	return c.work.Stream.Zero(f.memory, 0, f.memory.Bytes())
}

// bytes is the memory of both sums; what is felt begins at feltAt.
func (f *couplingSystem[T]) bytes() int {
	return f.feltAt() + f.bodies*device.SizeOf[device.EquationSums]()
}
func (f *couplingSystem[T]) feltAt() int { return f.bodies * device.SizeOf[device.Sums]() }

func (f *couplingSystem[T]) close() {
	for _, m := range []*driver.Memory{f.first, f.center, f.memory} {
		m.Free()
	}
	f.host.Free()
	f.ready.Close()
	f.copied.Close()
	f.givenOf.Close()
	f.feltOf.Close()
}

// MarkerSystem queues what markers feel; see hybrid.DeviceCoupling.
func (c *systemSummer[T]) MarkerSystem(centers []geometry.Vec) lbm.Pending[[]rigid.MarkerEquations] {
	if c.fluid.settled() {
		c.fluid.fail(c.queueSystem(centers))
	}
	if c.fluid.err != nil {
		return lbm.Failed[[]rigid.MarkerEquations](nil, c.fluid.err)
	}
	c.system.asked = true
	return lbm.Later[[]rigid.MarkerEquations]((*pendingSystem[T])(c))
}

// pendingSystem is a coupling as the source of what MarkerSystem has queued.
type pendingSystem[T lbm.Float] systemSummer[T]

func (c *pendingSystem[T]) Ready() bool { return c.fluid.err != nil || c.system.copied.Done() }

func (c *pendingSystem[T]) Wait() ([]rigid.MarkerEquations, error) {
	f := &c.system
	if err := f.copied.Synchronize(); err != nil {
		c.fluid.fail(device.KernelError(c.work.Stream, err))
	}
	if c.fluid.err != nil {
		return nil, c.fluid.err
	}
	f.takeGiven()
	for i, r := range driver.View[device.EquationSums](f.host, f.feltAt(), f.bodies) {
		e, at := &f.felt[i], 0
		for row := range 6 {
			for column := row; column < 6; column++ {
				e.A[row][column], e.A[column][row] = r.V[at], r.V[at]
				at++
			}
		}
		e.RHS = [6]float64(r.V[21:])
	}
	return f.felt, nil
}

// queueSystem queues the interpolation, the sums and their copy to the host, beside what the
// stream does next.
func (c *systemSummer[T]) queueSystem(centers []geometry.Vec) error {
	f, s := &c.system, c.work.Stream
	if err := c.stages.Begin(c.work, 24*len(centers)); err != nil {
		return err
	}
	if err := device.Send(&c.stages, device.At(f.center, 0), centers); err != nil {
		return err
	}
	if err := c.stages.End(); err != nil {
		return err
	}
	if err := c.readMoments(); err != nil { // ρ, û
		return err
	}
	if err := c.forceFirst(true); err != nil { // ρ, Û = Σ (ρ, û) δ(x−X); forces are found anew by Correct
		return err
	}
	if err := c.sumBodies(&f.feel, &f.feltOf, f.first, f.center, f.bodies, f.most, device.At(f.memory, f.feltAt())); err != nil {
		return err
	}
	if err := s.Record(f.ready); err != nil {
		return err
	}
	copies := c.fluid.copies
	if err := copies.Wait(f.ready); err != nil {
		return err
	}
	if err := copies.CopyFrom(f.host.Pointer(0), f.memory, 0, f.bytes()); err != nil {
		return err
	}
	return copies.Record(f.copied)
}

// give queues the sums of what the markers have given, if they felt before.
func (c *systemSummer[T]) give() error {
	f := &c.system
	if !f.asked {
		return nil
	}
	f.asked, f.known, f.due = false, false, true
	return c.sumBodies(&f.give, &f.givenOf, f.first, f.center, f.bodies, f.most, device.At(f.memory, 0))
}

// takeGiven takes over what is on the host.
func (f *couplingSystem[T]) takeGiven() {
	if f.known || !f.due {
		return
	}
	f.known = true
	for i, t := range driver.View[device.Sums](f.host, 0, f.bodies) {
		f.given[i] = hybrid.BodySums{Force: geometry.Vec(t.V[:3]), Moment: geometry.Vec(t.V[3:6])}
	}
}

// MarkerForces is what the markers gave; see hybrid.DeviceCoupling.
func (c *systemSummer[T]) MarkerForces() lbm.Pending[[]hybrid.BodySums] {
	f := &c.system
	switch {
	case !c.fluid.settled():
		return lbm.Failed[[]hybrid.BodySums](nil, c.fluid.err)
	case f.known || !f.due:
		return lbm.Done(f.given)
	}
	return lbm.Later[[]hybrid.BodySums]((*pendingForces[T])(c))
}

// pendingForces is a coupling as the source of sums that have not come with a MarkerSystem.
type pendingForces[T lbm.Float] systemSummer[T]

func (c *pendingForces[T]) Ready() bool { return c.system.known }

func (c *pendingForces[T]) Wait() ([]hybrid.BodySums, error) {
	f, s := &c.system, c.work.Stream
	if !f.known && f.due {
		err := s.CopyFrom(f.host.Pointer(0), f.memory, 0, f.feltAt())
		if err == nil {
			err = s.Synchronize()
		}
		if err != nil {
			c.fluid.fail(err)
			return nil, c.fluid.err
		}
		f.takeGiven()
	}
	return f.given, nil
}
