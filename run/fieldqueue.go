package run

import (
	"fmt"
	"runtime/debug"

	"lbmib/run/exit"
)

// background does one piece of work at a time beside the stepping. Its methods
// belong to the goroutine that steps.
type background struct {
	now *work // in flight, or ended and not asked about; nil: none is
}

// work is a piece of it, which others may wait for.
type work struct {
	done chan struct{}
	err  error // once it is done
}

// start begins a piece of work. None may be in flight: wait first, or the memory
// that works in flight hold has no bound.
func (b *background) start(do func() error) {
	if b.now != nil {
		panic("run: a piece of background work is begun before the one in flight was waited for")
	}
	w := &work{done: make(chan struct{})}
	b.now = w
	go func() {
		defer close(w.done)
		defer func() { // a panic ends the run as any error does: with a message and a summary
			if r := recover(); r != nil {
				w.err = exit.As(exit.Internal, fmt.Errorf("internal error beside the stepping: %v\n%s\nplease report it with the case file", r, debug.Stack()))
			}
		}()
		w.err = do()
	}()
}

// outcome waits for a piece of work, of which any goroutine may ask; there is none
// to be told of no work.
func (w *work) outcome() error {
	if w == nil {
		return nil
	}
	<-w.done
	return w.err
}

// inFlight tells whether work is, or has ended but was not asked about.
func (b *background) inFlight() bool { return b.now != nil }

// failed is the error of work that has ended with one since it was last asked
// for. It does not wait.
func (b *background) failed() error {
	if b.now == nil {
		return nil
	}
	select {
	case <-b.now.done:
		return b.wait()
	default:
		return nil
	}
}

// wait returns when nothing is in flight, with the error of what was.
func (b *background) wait() error {
	err := b.now.outcome()
	b.now = nil
	return err
}
