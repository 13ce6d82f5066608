package cuda

import (
	"lbmib/cuda/driver"
)

// Launches cost time, the more of a step the smaller the grid. Where steps are alike for a
// while, several are queued as one graph, together with the correction that follows each,
// if one does. Steps wait for that until there are enough of them, or until somebody wants
// to know or change something: every method but Step and what Correct of a coupling calls
// brings the fluid up to date first.

// batchSteps are those of a graph: a multiple of all that alternates from step to step.
const batchSteps = 8

// What bounds a batch is the memory of its graph, which depends on the number of its nodes
// and not on that of the grid: a node holds a kernel's arguments, up to 0.4 KB of them here,
// and what the driver keeps with them; nodeBytes is assumed of both. Steps of more nodes
// than batchNodes/batchSteps go one by one, and so do all where a graph's memory is not free.
const (
	batchNodes = 1024
	nodeBytes  = 4 << 10
)

// longStep is how many bytes a step moves that takes longer than to queue it kernel by
// kernel, some 0.1 ms on the devices of today. Such steps wait for others only while the
// device is busy.
const longStep = 512 << 20

// batchAfter is how many steps are made one by one first: enough for Times to have a sample
// of an odd and an even step, and few enough for a choice of schedules to see batches.
const batchAfter = 10

// fluidBatch are steps that have been asked for and are not queued yet.
type fluidBatch struct {
	able      bool // steps may be batched
	refused   bool // graphs of steps as they are now take too much
	long      bool // see longStep
	most      int  // nodes of a graph
	waiting   int
	corrected int          // those that a correction follows: none, or all but perhaps the last
	correct   func() error // queues it
	single    int          // steps made one by one so far
	queuing   bool         // what is called belongs to waiting steps
	capturing bool
	graphs    map[batchKey]*driver.Graph
	made      int // graphs
	launched  int
}

// batchKey is all that the steps of a graph depend on beside the populations.
type batchKey struct {
	phase, now, parity int
	due, corrected     bool
	leaves             bool // the first sweep leaves moments
	lead               int  // see fluidLead.graphOf
	drive              batchDrive
}

// batchDrive is what drives a flow: amplitudes of faces, and the uniform body force.
type batchDrive struct {
	amplitude [6]float64
	accel     [3]float64
	ports     [drivenPorts]float64 // of a vessel; of more ports there are no graphs
}

// maxGraphs is how many graphs are kept: those of both parities, with and without a
// correction, and some of drives that were steady for a while.
const maxGraphs = 8

func (f *batcher[T]) prepareBatch() {
	b := &f.batch
	b.able, b.most, b.long = true, batchNodes, f.stepBytes() > longStep
	b.graphs = map[batchKey]*driver.Graph{}
}

// stepBytes is what a step moves, but for boundaries.
func (f *core[T]) stepBytes() int { return 2 * max(1, f.surveyed()) * f.cfg.Lattice.Q * f.grid.element }

// Batch tells how steps are queued from now on, if nothing is asked for in between: so many
// at once, after so many more one by one; see lbm.Batched.
func (f *batcher[T]) Batch() (steps, after int) {
	b := &f.batch
	switch {
	case !b.able || b.refused:
		return 1, 0
	case b.waiting == 0 && f.nextIsUnlike():
		return batchSteps, max(1, batchAfter-b.single)
	}
	return batchSteps, max(0, batchAfter-b.single)
}

// Batches is how many graphs have been made so far.
func (f *batcher[T]) Batches() int { return f.batch.made }

// nextIsAlone tells whether the next step is queued at once, by itself.
func (f *batcher[T]) nextIsAlone() bool {
	b := &f.batch
	return !b.able || b.refused || b.single < batchAfter || b.waiting == 0 && f.nextIsUnlike() || b.long && f.ahead.isIdle()
}

// nextIsUnlike tells whether the next step is unlike those after it, as nothing of the step
// before it was left for later: outflows have been brought up to date, since somebody asked
// for their state, or no moments of a support have been used, or links at the wall of a vessel
// have to keep populations anew.
func (f *batcher[T]) nextIsUnlike() bool {
	return f.outflowsAreCurrent() || f.support.of != nil && !f.support.wanted || f.vessel.vesselTables != nil && f.vessel.stale
}

func (f *faces[T]) outflowsAreCurrent() bool { return f.open.due != f.open.outflow }

// Step makes a step: every node pulls and collides.
func (f *batcher[T]) Step() {
	b := &f.batch
	if f.err != nil {
		return
	}
	if c := f.together; c != nil {
		if f.lead.next { // what precedes it does not wait
			c.settle()
		}
		if c.ask(f, cycleStep) {
			b.waiting++
			return
		}
	}
	if f.nextIsAlone() {
		b.single++
		f.settle()
		if f.err == nil {
			f.fail(f.lead.queueNext())
		}
		if f.err == nil {
			f.fail(f.stepAlone())
		}
		return
	}
	if b.isFull() {
		f.settle()
	}
	f.lead.waits(b.waiting)
	b.waiting++
}

// follow lets a correction follow the step asked for last. What it uses may change after
// a call of settle alone, and where after one of forgetGraphs.
func (f *batcher[T]) follow(correct func() error) {
	b := &f.batch
	if c := f.together; c != nil && f.err == nil && b.waiting > 0 && c.ask(f, cycleCorrection) {
		b.correct = correct
		return
	}
	if f.err == nil && b.waiting > 0 && b.corrected == b.waiting-1 {
		b.corrected++
		b.correct = correct
		return
	}
	if f.settled() {
		f.fail(f.lead.queueNext()) // of a step that was made before
	}
	if f.err == nil {
		f.fail(correct())
	}
}

// settled brings the fluid up to date and tells whether it is well.
func (f *batcher[T]) settled() bool {
	f.settle()
	return f.err == nil
}

// settle queues all steps that wait.
func (f *batcher[T]) settle() {
	b := &f.batch
	if f.together != nil {
		f.together.settle()
		return
	}
	if b.waiting == 0 || b.queuing {
		return
	}
	b.queuing = true
	if f.err == nil {
		f.fail(f.queueWaiting())
	}
	b.waiting, b.corrected, b.queuing = 0, 0, false
	f.lead.led = 0
}

func (f *batcher[T]) queueWaiting() error {
	b := &f.batch
	if b.waiting == batchSteps && (b.corrected == 0 || b.corrected == batchSteps) {
		if done, err := f.launchBatch(); done || err != nil {
			return err
		}
	}
	for b.waiting > 0 {
		if err := f.oneOfWaiting(); err != nil {
			return err
		}
	}
	return nil
}

// oneOfWaiting queues the first step that waits.
func (f *batcher[T]) oneOfWaiting() error {
	b := &f.batch
	b.waiting-- // first, since Steps counts both
	if err := f.lead.queueFirst(); err != nil {
		return err
	}
	if b.capturing {
		if err := f.step(); err != nil {
			return err
		}
	} else if err := f.stepAlone(); err != nil {
		return err
	}
	if b.corrected == 0 {
		return nil
	}
	b.corrected--
	return b.correct()
}

// stepAlone queues a step by itself.
func (f *stepper[T]) stepAlone() error {
	if err := f.step(); err != nil {
		return err
	}
	return f.queued(1)
}

// launchBatch queues all steps that wait as a graph, which is captured if there is none
// yet. It is not done where the fluid's state is none that a graph comes back to, or where
// graphs turn out to take too much.
func (f *batcher[T]) launchBatch() (done bool, err error) {
	b := &f.batch
	drive, steady := f.steadyDrive(batchSteps)
	lead := f.lead.graphOf()
	if !steady || f.outflowsAreCurrent() || lead < 0 {
		return false, nil
	}
	if err := f.startNoise(); err != nil {
		return false, err
	}
	key := f.keyOf(lead, drive)
	graph := b.graphs[key]
	again := graph != nil
	if again {
		f.support.followed(b.corrected > 0)
		b.waiting, b.corrected = 0, 0
		f.steps += batchSteps // after as many all else is as it was
	} else if graph, err = f.graphOf(key); graph == nil || err != nil {
		return false, err
	}
	b.launched++
	if err := graph.Launch(f.stream); err != nil {
		return true, err
	}
	if err := f.lead.launched(lead, again); err != nil {
		return true, err
	}
	return true, f.queued(batchSteps)
}

// graphOf makes a graph of the steps that wait, which are up to it then. There is none, and
// they still wait, where it takes more than it may.
func (f *batcher[T]) graphOf(key batchKey) (*driver.Graph, error) {
	b := &f.batch
	if len(b.graphs) == maxGraphs {
		f.closeGraphs()
	}
	if b.refused = !f.haveRoom(b.most * nodeBytes); b.refused {
		return nil, f.err
	}
	before, corrected := f.state(), b.corrected
	graph, err := f.capture()
	switch {
	case err == nil && graph.Nodes() <= b.most:
		b.graphs[key] = graph
		b.made++
		return graph, nil
	case err == nil:
		err = graph.Close()
	case driver.IsOutOfMemory(err):
		err = nil
	}
	f.steps = before.steps
	f.restore(&before)
	f.lead.unled(key.lead)
	b.refused, b.waiting, b.corrected = true, batchSteps, corrected
	return nil, err
}

// batchState is what the queuing of steps changes, where their drive is steady.
type batchState struct {
	steps         int64
	made          int // steps of a graph that ends so
	now, phase    int
	due           bool
	wanted, fresh bool // of the support
}

// state is that of the fluid, which restore makes it again but for the number of steps.
func (f *stepper[T]) state() batchState {
	return batchState{f.steps, 0, f.now, f.phase, f.open.due, f.support.wanted, f.support.fresh}
}

func (f *stepper[T]) restore(s *batchState) {
	f.now, f.phase, f.open.due = s.now, s.phase, s.due
	f.support.wanted, f.support.fresh = s.wanted, s.fresh
}

// keyOf is what a graph of the steps that wait depends on.
func (f *stepper[T]) keyOf(lead int, drive batchDrive) batchKey {
	return batchKey{f.phase, f.now, int(f.steps & 1), f.open.due, f.batch.corrected > 0, f.support.leaves(), lead, drive}
}

// steadyDrive is what drives so many steps, if it is the same in all and in the step before.
func (f *stepper[T]) steadyDrive(steps int) (d batchDrive, steady bool) {
	first := f.amplitudes(f.steps)
	if !f.steadyPorts(&d.ports) {
		return d, false
	}
	for k := range int64(steps) {
		if f.cfg.Acceleration != nil && reals[T](f.cfg.Acceleration(float64(f.steps+k+1))) != f.rates.Accel ||
			f.amplitudes(f.steps+k) != first {
			return d, false
		}
	}
	for i, a := range first {
		d.amplitude[i] = float64(a)
	}
	for i, a := range f.rates.Accel {
		d.accel[i] = float64(a)
	}
	return d, true
}

// capture makes a graph of the steps that wait, which are then up to it.
func (f *batcher[T]) capture() (*driver.Graph, error) {
	b := &f.batch
	if err := f.stream.Begin(); err != nil {
		return nil, err
	}
	b.capturing = true
	var err error
	for b.waiting > 0 && err == nil {
		err = f.oneOfWaiting()
	}
	b.capturing = false
	graph, e := f.stream.End()
	if err != nil {
		graph.Close()
		return nil, err
	}
	return graph, e
}

// forgetGraphs is for those whose corrections are to be queued with other arguments.
func (f *batcher[T]) forgetGraphs() {
	f.settle()
	f.closeGraphs()
	f.batch.refused = false
	if f.together != nil {
		f.together.closeGraphs()
		f.together.refused = false
	}
}

func (f *batcher[T]) closeGraphs() {
	for key, g := range f.batch.graphs {
		g.Close()
		delete(f.batch.graphs, key)
	}
}
