package parallel

import (
	"sync/atomic"
	"time"
)

const (
	// looks is how often a spinning goroutine looks between two looks at the
	// clock, which cost as much as some of them.
	looks = 16
	// Where spinning is in vain, because others need the processor or work comes
	// rarely, it is cut down to one part in so many of the time allowed,
	leastSpin = 16
	// and tried in full once in so many waits.
	retrySpin = 64
)

// waiter lets one goroutine wait for a number that another sets.
type waiter struct {
	most, spin time.Duration // that it may spin, and does
	waits      uint          // so far
	asleep     atomic.Uint32 // 1: the goroutine sleeps, or is about to
	wake       chan struct{} // one token for everyone who set asleep back; nil: the thread sleeps
	_          [line]byte
}

// init sets how long w may spin before it sleeps. One that may puts its thread to
// sleep where the system can, else its goroutine. Go's scheduler keeps a goroutine
// that was woken for the processor of whoever woke it; another takes it only some
// 60 µs later, so that workers may end up taking turns on one. A thread starts at
// once, on a processor of its own.
func (w *waiter) init(most time.Duration) {
	w.most, w.spin = most, most
	if most == 0 || !haveFutex {
		w.wake = make(chan struct{}, 1)
	}
}

// await returns when v is want; if that takes long, it sleeps in between. Whoever
// makes v that calls rouse afterwards.
func (w *waiter) await(v *atomic.Uint32, want uint32) {
	if w.waits++; w.waits%retrySpin == 0 {
		w.spin = w.most
	}
	if comes(v, want, w.spin) {
		w.spin = w.most
		return
	}
	w.spin = max(w.spin/2, w.most/leastSpin)
	for v.Load() != want {
		w.asleep.Store(1)
		// Between the look and the sleep v may have come. Then either nobody
		// has seen the sleeper yet, or somebody is waking it.
		if v.Load() != want || !w.asleep.CompareAndSwap(1, 0) {
			w.sleep() // perhaps until a rouse that comes late, hence the loop
		}
	}
}

// sleep returns once rouse has set asleep back.
func (w *waiter) sleep() {
	if w.wake != nil {
		<-w.wake
		return
	}
	for w.asleep.Load() == 1 { // signals wake a thread too
		futexWait(&w.asleep, 1)
	}
}

// rouse wakes the goroutine in await, if it sleeps.
func (w *waiter) rouse() {
	switch {
	case w.asleep.Load() == 0 || !w.asleep.CompareAndSwap(1, 0):
	case w.wake != nil:
		w.wake <- struct{}{}
	default:
		futexWake(&w.asleep)
	}
}

// comes tells whether v becomes want within the time. The loop is plain Go, so
// that the collector can stop it.
func comes(v *atomic.Uint32, want uint32, within time.Duration) bool {
	if v.Load() == want {
		return true
	}
	if within == 0 {
		return false
	}
	for begin := time.Now(); ; {
		for range looks {
			pause()
			if v.Load() == want {
				return true
			}
		}
		if time.Since(begin) > within {
			return false
		}
	}
}
