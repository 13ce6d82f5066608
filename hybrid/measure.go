package hybrid

import (
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

	bodies []bodyMeasure
	accel  [3]float64 // of the uniform body force
	asked  int        // of the account
	heard  int
	device DeviceCoupling[T] // that tells what the markers did; nil: nobody need
	void   bool              // the step could not be made
	known  bool              // all of it
}

// bodyMeasure is what a load is made of beside what the markers did.
type bodyMeasure struct {
	balance
	before, after lbm.BoxSums
	inner         [2]rigid.Momentum // before and after the step
	free          bool
	motion        [2]geometry.Vec // the body's velocity before and after
	gained        rigid.Momentum  // over the step: of a body that moves freely
	displaced     float64         // volume of the fluid inside
}

// measures are the measurements of a simulation, and whom they ask.
type measures[T lbm.Float] struct {
	prepared bool
	account  lbm.Account // nil: the fluid answers at once
	question lbm.Question
	most     int // measurements that others may be busy with
	watch    watch[T]

	list   []*Measurement[T] // in order of their steps; those before known are
	known  int
	spare  []*Measurement[T]
	handed *Measurement[T]
}

// What measurements that have not been told may take on a device, and how many they are.
const (
	measureBytes = 1 << 20
	measureMost  = 32
)

// StepMeasuring is Step, and has the loads of that step told later, by Measured: nothing
// is waited for where the fluid's device sums what it takes. Schedules in which the host
// corrects leave no part of such a step for later, so that it takes as long as a serial
// one.
func (s *Simulation[T]) StepMeasuring() {
	k := &s.measures
	if s.coupling == nil {
		s.Step()
		m := k.fresh(0)
		m.Step, m.void, m.known = s.fluid.Steps(), s.Err() != nil, true
		k.add(m)
		return
	}
	s.prepareMeasures()
	s.makeRoom()
	m := k.fresh(len(s.Bodies))
	s.complete()
	s.openMeasure(m)
	s.Step()
	s.closeMeasure(m)
	k.add(m)
	s.hear(false)
}

// Measured hands over the oldest measurement that has not been handed over, nil where
// none has been told; with wait, where none has been asked for or the device has failed.
// It is valid until the next call.
func (s *Simulation[T]) Measured(wait bool) *Measurement[T] {
	k := &s.measures
	for len(k.list) > 0 {
		if k.known == 0 && !s.hearNext(wait) {
			return nil
		}
		m := k.list[0]
		k.list, k.known = slices.Delete(k.list, 0, 1), k.known-1
		if k.handed != nil {
			k.spare = append(k.spare, k.handed)
		}
		if k.handed = m; !m.void {
			return m
		}
	}
	return nil
}

// StepMeasured is StepMeasuring, and waits for the load on every body in that step.
// Measurements of steps before that nobody has asked for are passed over. The slice is
// valid until the next call; where the step could not be made it tells nothing, see Err.
func (s *Simulation[T]) StepMeasured() []Load {
	s.StepMeasuring()
	for m := s.Measured(true); m != nil; m = s.Measured(true) {
		if m.Step == s.fluid.Steps() {
			return m.Loads
		}
	}
	return s.noLoads
}

// Watch has the velocity along an axis of the nodes of some boxes told with each
// measurement, with the bodies' forces accounted for as Box does. It is called before the
// first.
func (s *Simulation[T]) Watch(axis int, boxes []lbm.Box) {
	if s.measures.prepared {
		panic("hybrid: what is watched was measured already")
	}
	s.measures.watch = newWatch[T](s.fluid.Config(), axis, boxes)
}

// prepareMeasures asks the fluid for an account, once.
func (s *Simulation[T]) prepareMeasures() {
	k := &s.measures
	if k.prepared {
		return
	}
	k.prepared = true
	k.most = max(2, min(measureMost, measureBytes/(2*64*2*len(s.Bodies)+8*len(k.watch.nodes)+1)))
	k.question = lbm.Question{Boxes: make([]lbm.Box, len(s.Bodies)), Poses: make([]lbm.Pose, len(s.Bodies))}
	fluid, ok := s.fluid.(lbm.Accountant)
	if !ok {
		return
	}
	terms := lbm.AccountTerms{Boxes: len(s.Bodies), Regions: make([]lbm.Region, len(s.Bodies)), Depth: 2 * k.most}
	for i, b := range s.Bodies {
		if b.Free == nil { // others keep their own account
			terms.Regions[i] = region(b)
		}
	}
	if a, err := fluid.NewAccount(terms); err == nil { // else it has no memory for that: it is asked and waited for
		k.account = a
	}
}

// makeRoom waits for measurements, if too many have not been told.
func (s *Simulation[T]) makeRoom() {
	k := &s.measures
	for len(k.list)-k.known >= k.most && s.hearNext(true) {
	}
	if len(k.list)-k.known < k.most {
		return
	}
	if s.Err() == nil {
		panic("hybrid: measurements are asked for and never told")
	}
	k.list = k.list[:k.known] // the device has failed
}

// fresh is a measurement of n bodies, empty.
func (k *measures[T]) fresh(n int) *Measurement[T] {
	if len(k.spare) == 0 {
		return &Measurement[T]{Loads: make([]Load, n), bodies: make([]bodyMeasure, n)}
	}
	last := len(k.spare) - 1
	m := k.spare[last]
	k.spare = k.spare[:last]
	m.asked, m.heard, m.device, m.void, m.known = 0, 0, nil, false, false
	return m
}

func (k *measures[T]) add(m *Measurement[T]) {
	k.list = append(k.list, m)
	if m.known && k.known == len(k.list)-1 {
		k.known++
	}
}

// openMeasure asks for what there is before the step.
func (s *Simulation[T]) openMeasure(m *Measurement[T]) {
	if s.coupling.system.Moves() {
		setBalances(s.balances, &s.beside, s.fluid.Config(), s.Bodies, s.coupling.delta)
	}
	for i := range m.bodies {
		m.bodies[i].balance = s.balances[i]
		m.bodies[i].motion[0] = s.Bodies[i].Here().Velocity
	}
	s.ask(m, true)
}

// closeMeasure asks for what there is after it.
func (s *Simulation[T]) closeMeasure(m *Measurement[T]) {
	s.complete()
	m.Step = s.fluid.Steps()
	if s.Err() != nil {
		m.void = true
		m.known = m.heard == m.asked
		return
	}
	m.accel = s.fluid.Config().ForceAt(float64(m.Step))
	s.ask(m, false)
	if m.device = s.schedule.tally(&s.measures); m.device == nil {
		s.Flush()
		s.coupling.direct.loads(m.Loads)
		s.measures.watch.read(s, m)
	}
	for i, b := range s.Bodies {
		m.bodies[i].motion[1] = b.Here().Velocity
		m.bodies[i].displaced = b.Inside().Volume
		if m.bodies[i].free = b.Free != nil; b.Free != nil {
			m.bodies[i].gained = b.Free.Gained()
		}
	}
	if m.heard == m.asked && m.device == nil {
		m.finish()
	}
}

// ask asks for the sums of a state, and for what will stream into the boxes.
func (s *Simulation[T]) ask(m *Measurement[T], before bool) {
	k := &s.measures
	if k.account == nil {
		s.read(m, before)
		return
	}
	for i, b := range s.Bodies {
		k.question.Boxes[i] = lbm.Box{}
		if box := &m.bodies[i].balance; box.usable {
			k.question.Boxes[i] = lbm.Box{Lo: box.lo, Hi: box.hi}
		}
		k.question.Poses[i] = pose(b)
	}
	k.question.Inflow = before
	k.account.Ask(&k.question)
	m.asked++
}

// read is ask, of a fluid that answers at once.
func (s *Simulation[T]) read(m *Measurement[T], before bool) {
	for i, b := range s.Bodies {
		of := &m.bodies[i]
		sums, inner := &of.after, &of.inner[1]
		if before {
			sums, inner = &of.before, &of.inner[0]
		}
		if of.usable {
			sums.Mass, sums.Momentum = s.fluid.Momentum(of.lo, of.hi)
			if before {
				sums.Inflow = s.fluid.Inflow(of.lo, of.hi)
			}
		}
		if b.Free == nil {
			*inner = s.coupling.inner.read(s.fluid, b)
		}
	}
}

// hear takes in what has been told of measurements.
func (s *Simulation[T]) hear(wait bool) {
	for s.measures.known < len(s.measures.list) && s.hearNext(wait) {
	}
}

// hearNext takes in what there is of the first measurement that is not known, and tells
// whether it is now.
func (s *Simulation[T]) hearNext(wait bool) bool {
	k := &s.measures
	if k.known == len(k.list) {
		return false
	}
	m := k.list[k.known]
	for ; m.heard < m.asked; m.heard++ {
		a := k.account.Answer(wait)
		if a == nil {
			return false
		}
		m.take(a)
	}
	if m.device != nil {
		t := m.device.Tallied(wait)
		if t == nil {
			return false
		}
		s.coupling.addInsides(t.Bodies)
		m.takeTally(t, &k.watch)
		m.device = nil
		s.checkFinite(m)
	}
	if !m.known && !m.void {
		m.finish()
	}
	m.known = true
	k.known++
	return true
}

// take takes the next answer of the account.
func (m *Measurement[T]) take(a *lbm.Answer) {
	for i := range m.bodies {
		of := &m.bodies[i]
		sums := &of.before
		if m.heard > 0 {
			sums = &of.after
		}
		*sums = a.Boxes[i]
		of.inner[min(m.heard, 1)] = rigid.Momentum{Linear: a.Regions[i].Linear, Angular: a.Regions[i].Angular}
	}
}

// takeTally takes what the markers did.
func (m *Measurement[T]) takeTally(t *Tally, w *watch[T]) {
	for i := range m.Loads {
		b := &t.Bodies[i]
		m.Loads[i] = Load{Force: b.Force.Scale(-1), Torque: b.Moment.Scale(-1), Slip: b.Slip, Granted: b.Granted}
	}
	w.take(t.Velocity, m)
}

// finish puts the loads together.
func (m *Measurement[T]) finish() {
	for i := range m.bodies {
		of, l := &m.bodies[i], &m.Loads[i]
		l.Balance = of.force(&of.before, &of.after, m.accel)
		l.Outer = l.Balance
		for a, du := range of.motion[1].Sub(of.motion[0]) {
			l.Outer[a] += of.displaced * du
		}
		change := of.inner[1].Sub(of.inner[0])
		if of.free {
			change = of.gained
		}
		l.addInner(change)
	}
	m.known = true
}

// checkFinite stops the simulation where forces are not finite.
func (s *Simulation[T]) checkFinite(m *Measurement[T]) {
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
