package hybrid

import (
	"cmp"
	"fmt"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// Measurement is what a step was measured to do.
type Measurement[T lbm.Float] struct {
	Step     int64
	Loads    []Load // of each body
	Velocity [][]T  // of each box watched, along its axis, x fastest: see Simulation.Watch
}

// measuring is a measurement and what it is made of: an lbm.Source.
type measuring[T lbm.Float] struct {
	Measurement[T]
	of            *Simulation[T]
	before, after lbm.Pending[*lbm.Sums]   // the step
	markers       lbm.Pending[*MarkerSums] // after it
	onHost        MarkerSums               // the same, where the host finds them
	bodies        []bodyMeasure
	accel         [3]float64 // of the uniform body force
	isTaken       bool       // all of it; err tells if it could be had
	err           error
}

// bodyMeasure is what a load is made of beside sums.
type bodyMeasure struct {
	balance
	moved     bool            // by the fluid
	motion    [2]geometry.Vec // the body's velocity before and after
	gained    rigid.Momentum  // over the step: of a body that the fluid moves
	displaced float64         // volume of the fluid inside
}

// measures are the measurements of a simulation.
type measures[T lbm.Float] struct {
	prepared bool
	sums     bodySums
	most     int // measurements that may be on their way from a device
	watch    watch[T]

	list  []*measuring[T] // in order of their steps, from that which was waited for last
	taken int             // of them
	spare []*measuring[T]
}

// What measurements on their way may take on a device, and how many they are.
const (
	measureBytes = 1 << 20
	measureMost  = 32
)

// MeasureStep is Step, and measures it: nothing is waited for where the fluid's device sums
// what it takes. Schedules in which the host corrects leave no part of such a step for later,
// so that it takes as long as a serial one. Measurements are waited for in the order of their
// steps; each is valid until a later one is waited for. The error is that the step could not
// be made, or that the device has failed.
func (s *Simulation[T]) MeasureStep() lbm.Pending[*Measurement[T]] {
	if len(s.Bodies) == 0 {
		s.Step()
		return lbm.Failed(&Measurement[T]{Step: s.fluid.Steps()}, s.Err())
	}
	k := &s.measures
	k.prepare(s)
	for len(k.list)-k.taken >= k.most {
		k.takeNext()
	}
	m := k.fresh(s)
	s.complete()
	m.open()
	s.Step()
	if err := m.close(); err != nil {
		k.spare = append(k.spare, m)
		return lbm.Failed[*Measurement[T]](nil, err)
	}
	k.list = append(k.list, m)
	for k.taken < len(k.list) && k.list[k.taken].Ready() {
		k.takeNext()
	}
	return lbm.Later[*Measurement[T]](m)
}

// StepMeasured is MeasureStep, and waits for the load on every body in that step. The slice is
// valid until the next call; where the step could not be made it tells nothing, see Err.
func (s *Simulation[T]) StepMeasured() []Load {
	m, err := s.MeasureStep().Wait()
	if err != nil {
		return s.noLoads
	}
	return m.Loads
}

// Watch has each measurement tell the velocity along an axis of the nodes of some boxes, with
// the bodies' forces accounted for as Box does. It is called before the first.
func (s *Simulation[T]) Watch(axis int, boxes []lbm.Box) {
	if s.measures.prepared {
		panic("hybrid: what is watched was measured already")
	}
	s.measures.watch = newWatch[T](s.fluid.Config(), axis, boxes)
}

// prepare makes ready for sums, once. Freely moving bodies know the momentum inside
// themselves.
func (k *measures[T]) prepare(s *Simulation[T]) {
	if k.prepared {
		return
	}
	k.prepared = true
	k.most = max(2, min(measureMost, measureBytes/(2*64*2*len(s.Bodies)+8*len(k.watch.nodes)+1)))
	k.sums = newBodySums(s.fluid, s.coupling.loops, s.Bodies, true, 2*k.most, func(b *rigid.Body) bool { return !b.IsMovedByFluid() })
}

// fresh is a measurement that holds nothing.
func (k *measures[T]) fresh(s *Simulation[T]) *measuring[T] {
	n := len(s.Bodies)
	if len(k.spare) == 0 {
		return &measuring[T]{of: s, Measurement: Measurement[T]{Loads: make([]Load, n)}, onHost: MarkerSums{Bodies: make([]BodySums, n)}, bodies: make([]bodyMeasure, n)}
	}
	last := len(k.spare) - 1
	m := k.spare[last]
	k.spare = k.spare[:last]
	m.isTaken, m.err = false, nil
	return m
}

// open requests what there is before the step: with what will stream into the boxes.
func (m *measuring[T]) open() {
	s := m.of
	if s.coupling.system.Moves() {
		s.setBalances()
	}
	request := &s.measures.sums.request
	for i := range m.bodies {
		of := &m.bodies[i]
		of.balance = s.balances[i]
		of.motion[0] = s.Bodies[i].Here().Velocity
		request.Boxes[i] = lbm.Box{}
		if of.usable {
			request.Boxes[i] = lbm.Box{Lo: of.lo, Hi: of.hi}
		}
	}
	request.Inflow = true
	m.before = s.measures.sums.reduce()
}

// close requests what there is after it.
func (m *measuring[T]) close() error {
	s := m.of
	s.complete()
	m.Step = s.fluid.Steps()
	if err := s.Err(); err != nil {
		return err
	}
	m.accel = s.fluid.Config().ForceAt(float64(m.Step))
	s.measures.sums.request.Inflow = false
	m.after = s.measures.sums.reduce()
	m.markers = s.schedule.markerSums(m)
	for i, b := range s.Bodies {
		of := &m.bodies[i]
		of.motion[1] = b.Here().Velocity
		of.displaced = b.Inside().Volume
		switch of.moved = true; {
		case b.Free != nil:
			of.gained = b.Free.Gained()
		case b.Structure != nil:
			of.gained = b.Structure.Gained()
		default:
			of.moved = false
		}
	}
	return nil
}

// Ready reports whether all of the measurement is there.
func (m *measuring[T]) Ready() bool {
	return m.isTaken || m.before.Ready() && m.after.Ready() && m.markers.Ready()
}

// Wait takes the measurement, and those before it; nobody waits for these any more.
func (m *measuring[T]) Wait() (*Measurement[T], error) {
	k := &m.of.measures
	at := slices.Index(k.list, m)
	if at < 0 {
		panic("hybrid: a measurement is waited for after that of a later step")
	}
	for !m.isTaken {
		k.takeNext()
	}
	k.spare = append(k.spare, k.list[:at]...)
	k.list, k.taken = slices.Delete(k.list, 0, at), k.taken-at
	return &m.Measurement, m.err
}

// takeNext takes the first measurement that has not been taken.
func (k *measures[T]) takeNext() {
	k.list[k.taken].take()
	k.taken++
}

// takeAll takes all measurements, before something that they come from is closed.
func (k *measures[T]) takeAll() {
	for k.taken < len(k.list) {
		k.takeNext()
	}
}

// take waits for what the measurement is made of, and puts the loads together.
func (m *measuring[T]) take() {
	m.isTaken = true
	before, e0 := m.before.Wait()
	after, e1 := m.after.Wait()
	markers, e2 := m.markers.Wait()
	if m.err = cmp.Or(e0, e1, e2); m.err != nil {
		return
	}
	m.of.coupling.addInsides(markers.Bodies)
	for i := range m.Loads {
		b := &markers.Bodies[i]
		m.Loads[i] = Load{Force: b.Force.Scale(-1), Torque: b.Moment.Scale(-1), Slip: b.Slip, Granted: b.Granted}
	}
	m.of.measures.watch.take(markers.Velocity, &m.Measurement)
	m.checkFinite()
	for i := range m.bodies {
		of, l := &m.bodies[i], &m.Loads[i]
		l.Balance = of.force(&before.Boxes[i], &after.Boxes[i], m.accel)
		l.Outer = l.Balance
		for a, du := range of.motion[1].Sub(of.motion[0]) {
			l.Outer[a] += of.displaced * du
		}
		change := momentumOf(&after.Regions[i]).Sub(momentumOf(&before.Regions[i]))
		if of.moved {
			change = of.gained
		}
		l.addInner(change)
	}
}

// checkFinite stops the simulation where forces are not finite.
func (m *measuring[T]) checkFinite() {
	s := m.of
	for i, l := range m.Loads {
		sum := geometry.Vec(l.Force)
		if !notFinite(sum[0] + sum[1] + sum[2]) {
			continue
		}
		s.Flush() // which names the marker, if it still is so
		s.coupling.stop(fmt.Errorf("body %q: the force of its markers on the fluid is %v at step %d: it must be finite, the flow there has diverged", s.Bodies[i].Name, sum, m.Step))
		return
	}
}
