package cuda

import (
	"slices"

	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// Fluids that step together, as the levels of nested grids do, launch many small kernels for each of their steps. What they
// and the joints between them are asked for while the whole makes some steps is the same again in as many further steps: it
// waits until these are complete, or until somebody wants to know or change something, and is queued as one graph, as steps of
// a fluid by itself are (fluidBatch).

// cycle is what fluids that step together are asked for.
type cycle[T lbm.Float] struct {
	of    []*batcher[T]
	every int // steps of the whole in a graph

	waits   bool             // what is asked for waits
	begun   int              // steps of the whole that have been begun and wait
	actions []cycleAction[T] // that wait, in their order
	keys    []batchKey       // room
	graphs  []*cycleGraph[T]
	single  int  // steps of the whole that did not wait
	refused bool // graphs take too much
	closed  bool // nothing waits any more
	queuing bool // what is called belongs to actions
}

// cycleAction is something that a fluid, or a joint, is asked for.
type cycleAction[T lbm.Float] struct {
	of        *batcher[T]
	what      cycleWork
	task      *jointTask[T]         // of a joint
	constants [lbm.JointConstants]T // that it is given
}

type cycleWork int

const (
	cycleStep       cycleWork = iota
	cycleCorrection           // of that step
	cycleTask
)

// cycleGraph is a graph of actions, which takes fluids from one state to another.
type cycleGraph[T lbm.Float] struct {
	graph   *driver.Graph
	from    []batchKey // of each fluid
	actions []cycleAction[T]
	to      []batchState
}

// Together lets what these fluids of the device and their joints are asked for in so many steps of the whole be queued at once;
// next is to be called before every step of the whole. See lbm.Joinable.
func (f *Fluid[T]) Together(fluids []lbm.Fluid[T], steps int) (next func()) {
	c := &cycle[T]{every: steps}
	for _, of := range fluids {
		g := &of.(*Fluid[T]).batcher
		g.settle()
		g.together, g.batch.able = c, false
		c.of = append(c.of, g)
	}
	return c.next
}

// next tells that a step of the whole begins.
func (c *cycle[T]) next() {
	if c.begun == c.every {
		c.queue(c.launch)
	}
	if c.begun == 0 {
		if c.waits = c.mayWait(); !c.waits {
			c.single++
			return
		}
	}
	c.begun++
}

// mayWait tells whether the steps that begin may be queued as a graph.
func (c *cycle[T]) mayWait() bool {
	if c.refused || c.closed || c.single < batchAfter*c.every { // so many have samples of their times
		return false
	}
	for _, f := range c.of {
		if f.err != nil || f.lead.next || f.nextIsUnlike() {
			return false
		}
	}
	return true
}

// settle queues all that waits.
func (c *cycle[T]) settle() {
	if c.begun == c.every {
		c.queue(c.launch)
		return
	}
	c.queue(c.alone)
}

// alone queues it action by action.
func (c *cycle[T]) alone() error { return c.oneByOne(false) }

// queue queues all that waits in some way.
func (c *cycle[T]) queue(how func() error) {
	if c.queuing {
		return
	}
	c.queuing = true
	if len(c.actions) > 0 {
		c.of[0].fail(how())
	}
	for _, f := range c.of {
		f.batch.waiting = 0
	}
	c.actions, c.waits, c.begun, c.queuing = c.actions[:0], false, 0, false
}

// oneByOne queues all that waits, action by action, capturing or not.
func (c *cycle[T]) oneByOne(capturing bool) error {
	for i := range c.actions {
		a := &c.actions[i]
		f := a.of
		if f.err != nil {
			return f.err
		}
		var err error
		switch a.what {
		case cycleStep:
			f.batch.waiting-- // first, since Steps counts both
			if capturing {
				err = f.step()
			} else {
				err = f.stepAlone()
			}
		case cycleCorrection:
			err = f.batch.correct()
		case cycleTask:
			err = a.task.run(&a.constants, capturing)
		}
		if err != nil {
			return f.fail(err)
		}
	}
	return nil
}

// launch queues all that waits as a graph, which is captured if there is none yet, or else action by action.
func (c *cycle[T]) launch() error {
	if !c.key() {
		return c.alone()
	}
	for _, f := range c.of {
		if err := f.startNoise(); err != nil {
			return err
		}
	}
	k := slices.IndexFunc(c.graphs, func(g *cycleGraph[T]) bool {
		return slices.Equal(g.from, c.keys) && slices.Equal(g.actions, c.actions)
	})
	var g *cycleGraph[T]
	if k >= 0 {
		g = c.graphs[k]
		c.follow(g)
	} else if made, err := c.capture(); made == nil || err != nil {
		if err == nil {
			err = c.alone()
		}
		return err
	} else {
		g = made
	}
	f := c.of[0]
	if err := g.graph.Launch(f.stream); err != nil {
		return err
	}
	for k, f := range c.of {
		if err := f.queued(g.to[k].made); err != nil {
			return err
		}
	}
	return nil
}

// key finds all that a graph of what waits depends on beside the actions and the populations; false: there can be none.
func (c *cycle[T]) key() bool {
	c.keys = c.keys[:0]
	for _, f := range c.of {
		drive, steady := f.steadyDrive(f.batch.waiting)
		if !steady || f.amplitudes(f.steps) != f.amplitudes(f.steps-1) || f.outflowsAreCurrent() && f.batch.waiting > 0 {
			return false
		}
		c.keys = append(c.keys, f.keyOf(0, drive))
	}
	return true
}

// follow takes note of the launch of a graph from before.
func (c *cycle[T]) follow(g *cycleGraph[T]) {
	for k, f := range c.of {
		to := &g.to[k]
		f.steps += int64(to.made)
		f.restore(to)
	}
	c.countRuns(1)
}

// countRuns counts runs of the tasks that wait, or takes them back.
func (c *cycle[T]) countRuns(by int64) {
	for i := range c.actions {
		if t := c.actions[i].task; t != nil {
			t.runs += by
		}
	}
}

// capture makes a graph of what waits, which is then up to it; nil, and it still waits, where that takes more than it may.
func (c *cycle[T]) capture() (*cycleGraph[T], error) {
	if len(c.graphs) == maxGraphs {
		c.closeGraphs()
	}
	first := c.of[0]
	if c.refused = !first.haveRoom(batchNodes * nodeBytes); c.refused {
		return nil, first.err
	}
	before := make([]batchState, len(c.of))
	for k, f := range c.of {
		before[k] = f.state()
		before[k].made = f.batch.waiting
	}
	graph, err := c.captured()
	if err == nil && graph.Nodes() <= batchNodes {
		g := &cycleGraph[T]{graph: graph, from: slices.Clone(c.keys), actions: slices.Clone(c.actions)}
		for k, f := range c.of {
			to := f.state()
			to.made = int(f.steps - before[k].steps)
			g.to = append(g.to, to)
		}
		c.graphs = append(c.graphs, g)
		first.batch.made++
		return g, nil
	}
	if err == nil {
		err = graph.Close()
	} else if driver.IsOutOfMemory(err) {
		err = nil
	}
	for k, f := range c.of {
		f.steps, f.batch.waiting = before[k].steps, before[k].made
		f.restore(&before[k])
	}
	c.countRuns(-1)
	c.refused = true
	return nil, err
}

// captured captures all that waits.
func (c *cycle[T]) captured() (*driver.Graph, error) {
	stream := c.of[0].stream
	if err := stream.Begin(); err != nil {
		return nil, err
	}
	for _, f := range c.of {
		f.batch.capturing = true
	}
	err := c.oneByOne(true)
	for _, f := range c.of {
		f.batch.capturing = false
	}
	graph, e := stream.End()
	if err != nil {
		graph.Close()
		return nil, err
	}
	return graph, e
}

// drop forgets what waits, and has nothing wait from now on: a fluid is closed.
func (c *cycle[T]) drop() {
	c.actions, c.waits, c.begun, c.closed = nil, false, 0, true
	c.closeGraphs()
}

func (c *cycle[T]) closeGraphs() {
	for _, g := range c.graphs {
		g.graph.Close()
	}
	c.graphs = c.graphs[:0]
}

// ask has a step or its correction wait; false: it is to be queued at once.
func (c *cycle[T]) ask(f *batcher[T], what cycleWork) bool {
	if !c.waits {
		return false
	}
	c.actions = append(c.actions, cycleAction[T]{of: f, what: what})
	return true
}
