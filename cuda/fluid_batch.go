package cuda

import (
	"lbmib/cuda/driver"
)

// Small grids are swept in less time than a launch takes the host. Where steps are alike
// for a while, several are then queued as one graph, together with the correction that follows
// each, if one does. Steps wait for that until there are enough of them, or until
// somebody wants to know or change something: every method but Step and what Correct of
// a coupling calls brings the fluid up to date first.

// batchSteps are those of a graph: a multiple of all that alternates from step to step.
const batchSteps = 8

// batchBytes is how much a step may move for steps to be batched, some 0.1 ms on the
// devices of today: of longer steps launches are a small part.
const batchBytes = 512 << 20

// batchAfter is how many steps are made one by one first: enough for Times to have a sample
// of an odd and an even step, and few enough for a choice of schedules to see batches.
const batchAfter = 34

// fluidBatch are steps that have been asked for and are not queued yet.
type fluidBatch struct {
	able      bool // steps are short, and of one kind
	waiting   int
	corrected int          // those that a correction follows: none, or all but perhaps the last
	correct   func() error // queues it
	single    int          // steps made one by one so far
	queuing   bool         // what is called belongs to waiting steps
	capturing bool
	graphs    map[batchKey]*driver.Graph
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
}

// maxGraphs is how many graphs are kept: those of both parities, with and without a
// correction, and some of drives that were steady for a while.
const maxGraphs = 8

func (f *Fluid[T]) prepareBatch() {
	b := &f.batch
	b.able = f.noise == nil && 2*f.cfg.Nodes()*f.cfg.Lattice.Q*f.grid.element <= batchBytes
	b.graphs = map[batchKey]*driver.Graph{}
}

// Step makes a step: every node pulls and collides.
func (f *Fluid[T]) Step() {
	b := &f.batch
	if f.err != nil {
		return
	}
	if !b.able || b.single < batchAfter {
		b.single++
		f.settle()
		if f.err == nil {
			f.fail(f.lead.queueNext())
		}
		if f.err == nil {
			f.fail(f.step())
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
func (f *Fluid[T]) follow(correct func() error) {
	b := &f.batch
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
func (f *Fluid[T]) settled() bool {
	f.settle()
	return f.err == nil
}

// settle queues all steps that wait.
func (f *Fluid[T]) settle() {
	b := &f.batch
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

func (f *Fluid[T]) queueWaiting() error {
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
func (f *Fluid[T]) oneOfWaiting() error {
	b := &f.batch
	b.waiting-- // first, since Steps counts both
	if err := f.lead.queueFirst(); err != nil {
		return err
	}
	if err := f.step(); err != nil || b.corrected == 0 {
		return err
	}
	b.corrected--
	return b.correct()
}

// launchBatch queues all steps that wait as a graph, which is captured if there is none
// yet. It is not done where the fluid's state is none that a graph comes back to.
func (f *Fluid[T]) launchBatch() (done bool, err error) {
	b := &f.batch
	drive, steady := f.steadyDrive()
	lead := f.lead.graphOf()
	if !steady || f.open.due != f.open.outflow || lead < 0 {
		return false, nil
	}
	key := batchKey{f.phase, f.now, int(f.steps & 1), f.open.due, b.corrected > 0, f.support.leaves(), lead, drive}
	graph := b.graphs[key]
	again := graph != nil
	if !again {
		if len(b.graphs) == maxGraphs {
			f.closeGraphs()
		}
		if graph, err = f.capture(); err != nil {
			return false, err
		}
		b.graphs[key] = graph
	} else {
		f.support.followed(b.corrected > 0)
		b.waiting, b.corrected = 0, 0
		f.steps += batchSteps // after as many all else is as it was
	}
	b.launched++
	if err := graph.Launch(f.stream); err != nil {
		return true, err
	}
	return true, f.lead.launched(lead, again)
}

// steadyDrive is what drives the steps of a batch, if it is the same in all and in the
// step before.
func (f *Fluid[T]) steadyDrive() (d batchDrive, steady bool) {
	first := f.amplitudes(f.steps)
	for k := range int64(batchSteps) {
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
func (f *Fluid[T]) capture() (*driver.Graph, error) {
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
func (f *Fluid[T]) forgetGraphs() {
	f.settle()
	f.closeGraphs()
}

func (f *Fluid[T]) closeGraphs() {
	for key, g := range f.batch.graphs {
		g.Close()
		delete(f.batch.graphs, key)
	}
}
