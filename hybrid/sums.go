package hybrid

import (
	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// bodySums requests sums over boxes around bodies and over the fluid inside some of them.
type bodySums struct {
	of      lbm.Reduction
	bodies  []*rigid.Body
	request lbm.ReductionRequest
}

// newBodySums makes ready for sums over the fluid within the bodies that are told, and over a
// box around each where boxes are wanted; depth of them are kept. Where the fluid has no
// reduction, or no memory for it, the host sums at once.
func newBodySums[T lbm.Float](fluid lbm.Fluid[T], loops parallel.Loops, bodies []*rigid.Body, boxes bool, depth int, within func(*rigid.Body) bool) bodySums {
	s := bodySums{bodies: bodies}
	s.request.Poses = make([]lbm.Pose, len(bodies))
	if boxes {
		s.request.Boxes = make([]lbm.Box, len(bodies))
	}
	if device, ok := fluid.(lbm.Reducer); ok {
		terms := lbm.ReductionTerms{Boxes: len(s.request.Boxes), Regions: make([]lbm.Region, len(bodies)), Depth: depth}
		for i, b := range bodies {
			if within(b) {
				terms.Regions[i] = region(b)
			}
		}
		if of, err := device.NewReduction(terms); err == nil {
			s.of = of
			return s
		}
	}
	s.of = newHostReduction(fluid, loops, bodies, len(s.request.Boxes), depth, within)
	return s
}

// region is the inside of a body, none where it has no fluid inside.
func region(b *rigid.Body) lbm.Region {
	if b.Hollow {
		return lbm.Region{}
	}
	in := b.Inside()
	return lbm.Region{Low: in.Low, Step: in.Step, Cells: in.Cells, Shares: in.Shares}
}

// reduce requests the sums of the state at hand, with the boxes that the request has.
func (s *bodySums) reduce() lbm.Pending[*lbm.Sums] {
	for i, b := range s.bodies {
		at := b.Here()
		s.request.Poses[i] = lbm.Pose{Center: at.Position, Rotation: [3][3]float64(at.Rotation)}
	}
	return s.of.Reduce(&s.request)
}

func (s *bodySums) close() {
	if s.of != nil {
		s.of.Close()
	}
}

// momentumOf is the momentum of the fluid inside a body.
func momentumOf(s *lbm.RegionSums) rigid.Momentum {
	return rigid.Momentum{Linear: geometry.Vec(s.Linear), Angular: geometry.Vec(s.Angular)}
}

// hostReduction is the reduction of a fluid that has none: it sums at once. Its regions are the
// insides of bodies where these are.
type hostReduction[T lbm.Float] struct {
	fluid lbm.Fluid[T]
	inner *innerReader[T]
	kept  []lbm.Sums
	next  int // of these, in turn
}

func newHostReduction[T lbm.Float](fluid lbm.Fluid[T], loops parallel.Loops, bodies []*rigid.Body, boxes, depth int, within func(*rigid.Body) bool) *hostReduction[T] {
	r := &hostReduction[T]{fluid: fluid, inner: newInnerReader(fluid, loops, bodies, within), kept: make([]lbm.Sums, depth)}
	for i := range r.kept {
		r.kept[i] = lbm.Sums{Boxes: make([]lbm.BoxSums, boxes), Regions: make([]lbm.RegionSums, len(bodies))}
	}
	return r
}

func (r *hostReduction[T]) Reduce(q *lbm.ReductionRequest) lbm.Pending[*lbm.Sums] {
	s := &r.kept[r.next]
	r.next = (r.next + 1) % len(r.kept)
	for i, box := range q.Boxes {
		s.Boxes[i] = lbm.BoxSums{}
		if box.Nodes() == 0 {
			continue
		}
		s.Boxes[i].Mass, s.Boxes[i].Momentum = r.fluid.Momentum(box.Lo, box.Hi)
		if q.Inflow {
			s.Boxes[i].Inflow = r.fluid.Inflow(box.Lo, box.Hi)
		}
	}
	r.inner.read(s.Regions)
	return lbm.Done(s)
}

func (r *hostReduction[T]) Close() {}

// sumInside requests the momentum of the fluid inside freely moving bodies as it is now: it
// comes while other things are done.
func (c *Coupling[T]) sumInside(fluid lbm.Fluid[T]) {
	if !c.system.Frees() {
		return
	}
	if c.within.of == nil {
		c.within = newBodySums(fluid, c.loops, c.bodies, false, 1, func(b *rigid.Body) bool { return b.Free != nil })
		c.within.request.Soon = true
	}
	c.insides = c.within.reduce()
}

// takeInside takes that momentum. Of a device that has failed there is none: that is the
// fluid's error.
func (c *Coupling[T]) takeInside() {
	if !c.system.Frees() {
		return
	}
	var sums *lbm.Sums
	if !c.sharing.follows() { // which does not conduct the fluid
		var err error
		if sums, err = c.insides.Wait(); err != nil {
			return
		}
	}
	if c.sharing != nil {
		for i, inside := range c.sharing.momentum(sums, len(c.bodies)) {
			if b := c.bodies[i]; b.Free != nil {
				b.Free.SetInner(inside)
			}
		}
		return
	}
	for i, b := range c.bodies {
		if b.Free != nil {
			b.Free.SetInner(momentumOf(&sums.Regions[i]))
		}
	}
}
