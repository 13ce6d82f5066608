package run

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Requests are what may be asked of runs from outside while they go on, from any
// goroutine. One value may serve several runs, one after the other.
type Requests struct {
	save    atomic.Bool
	serving atomic.Int32 // runs that step
}

// Checkpoint asks the run that steps, or else the next one that does, for a checkpoint
// after the step at hand. It tells whether one steps now.
func (q *Requests) Checkpoint() (now bool) {
	q.save.Store(true)
	return q.serving.Load() > 0
}

// serve says that a run steps, until done.
func (q *Requests) serve() (done func()) {
	if q == nil {
		return func() {}
	}
	q.serving.Add(1)
	return func() { q.serving.Add(-1) }
}

// wantsCheckpoint tells, once, whether a checkpoint was asked for.
func (q *Requests) wantsCheckpoint() bool { return q != nil && q.save.Load() && q.save.Swap(false) }

// saveAsked writes a checkpoint of the state at hand, which somebody asked for, and says
// so once it is in place. The run goes on.
func (r *run[T]) saveAsked() error {
	defer r.waited(time.Now())
	if err := r.saveUnlessThere(); err != nil {
		return r.asRunError(err)
	}
	r.progress.note(fmt.Sprintf("checkpoint of step %d (t = %.4g L/U) written to %s, as asked; the run goes on", r.Step, r.Time(), r.Dir.Checkpoints()))
	return nil
}
