package observe

import (
	"fmt"
	"runtime/debug"

	"lbmib/run/exit"
)

// Background does one piece of work at a time beside the stepping. Its methods
// belong to the goroutine that steps.
type Background struct {
	now *Work // in flight, or ended and not asked about; nil: none is
}

// Work is a piece of it, which others may wait for.
type Work struct {
	done chan struct{}
	err  error // once it is done
}

// Start begins a piece of work. None may be in flight: wait first, or the memory
// that works in flight hold has no bound.
func (b *Background) Start(do func() error) {
	if b.now != nil {
		panic("observe: a piece of background work is begun before the one in flight was waited for")
	}
	w := &Work{done: make(chan struct{})}
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

// Outcome waits for a piece of work, of which any goroutine may ask; there is none
// to be told of no work.
func (w *Work) Outcome() error {
	if w == nil {
		return nil
	}
	<-w.done
	return w.err
}

// InFlight tells whether work is, or has ended but was not asked about.
func (b *Background) InFlight() bool { return b.now != nil }

// Failed is the error of work that has ended with one since it was last asked
// for. It does not wait.
func (b *Background) Failed() error {
	if b.now == nil {
		return nil
	}
	select {
	case <-b.now.done:
		return b.Wait()
	default:
		return nil
	}
}

// Wait returns when nothing is in flight, with the error of what was.
func (b *Background) Wait() error {
	err := b.now.Outcome()
	b.now = nil
	return err
}

// Work is what is in flight, for others to wait for; nil: nothing is.
func (b *Background) Work() *Work { return b.now }

// Done is closed when the work is done.
func (w *Work) Done() <-chan struct{} { return w.done }
