package run

import (
	"time"
)

// ending is how a run ends.
type ending struct {
	status  string // done | steady | stopped | diverged | interrupted | failed
	stopped string // what ended the run before its time: steady | cd_interval | body; empty: nothing
	reason  string // why the run could not go on; empty: it could
}

// stop ends the run after the step at hand, unless something has already.
func (e *ending) stop(by string) {
	if e.stopped != "" {
		return
	}
	e.stopped = by
	if by == "steady" {
		e.status = by
	}
}

// isLost tells whether the state at hand is none.
func (e *ending) isLost() bool { return e.status == "diverged" || e.status == "failed" }

// clock is the time that a run takes, and since which step.
type clock struct {
	started time.Time
	earlier time.Duration // wall time of the runs that this one continues
	output  time.Duration // that stepping waited for output
	looped  time.Duration // from the first step to the last, outputs included
	first   int64         // step at which this process began
	shares  shares
}

// shares are what the parts of all steps have taken.
type shares struct{ bulk, boundary, ib time.Duration }

// wall is the wall time of the run, its earlier parts included.
func (c *clock) wall() time.Duration { return c.earlier + time.Since(c.started) }

// waited adds the time since begin to what stepping waited for output.
func (c *clock) waited(begin time.Time) { c.output += time.Since(begin) }

// restored tells whether the state of a step is that of a checkpoint, not one step further.
func (c *clock) restored(step int64) bool { return c.first > 0 && step == c.first }

// share finds the shares when the last step has been made, from what the simulation tells. A device
// is at its steps while the host waits in outputs, and at bodies while it is at steps: what the fluid
// takes there is known by samples, and the rest is shared by bodies and outputs, in this order.
func (c *clock) share(bulk, boundary, ib time.Duration, backend string) {
	t := &c.shares
	t.bulk, t.boundary, t.ib = bulk, boundary, ib
	if backend == "cpu" {
		return
	}
	if fluid := t.bulk + t.boundary; fluid > c.looped {
		part := c.looped.Seconds() / fluid.Seconds()
		t.bulk, t.boundary = time.Duration(part*float64(t.bulk)), time.Duration(part*float64(t.boundary))
	}
	rest := c.looped - t.bulk - t.boundary
	c.output = min(c.output, max(0, rest-t.ib))
	t.ib = rest - c.output
}
