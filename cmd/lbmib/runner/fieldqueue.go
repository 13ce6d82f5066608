package runner

import (
	"fmt"
	"runtime/debug"
)

// background does one piece of work at a time beside the stepping. Its methods
// belong to the goroutine that steps.
type background struct {
	done chan error // the outcome of the work in flight; nil: none is
}

// start begins a piece of work. None may be in flight: wait first, or the memory
// that works in flight hold has no bound.
func (b *background) start(work func() error) {
	if b.done != nil {
		panic("runner: a piece of background work is begun before the one in flight was waited for")
	}
	done := make(chan error, 1)
	b.done = done
	go func() {
		defer func() { // a panic ends the run as any error does: with a message and a summary
			if r := recover(); r != nil {
				done <- mark(ExitInternal, fmt.Errorf("internal error beside the stepping: %v\n%s\nplease report it with the case file", r, debug.Stack()))
			}
		}()
		done <- work()
	}()
}

// inFlight tells whether work is, or has ended but was not asked about.
func (b *background) inFlight() bool { return b.done != nil }

// failed is the error of work that has ended with one since it was last asked
// for. It does not wait.
func (b *background) failed() error {
	select {
	case err := <-b.done: // never of a nil channel
		b.done = nil
		return err
	default:
		return nil
	}
}

// wait returns when nothing is in flight, with the error of what was.
func (b *background) wait() error {
	if b.done == nil {
		return nil
	}
	err := <-b.done
	b.done = nil
	return err
}
