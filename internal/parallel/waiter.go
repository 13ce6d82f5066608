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
	// rarely, it is cut down to this part of the time allowed,
	leastSpin = 1. / 16
	// and tried in full once in so many waits.
	retrySpin = 64
)

// waiter lets one goroutine wait for a number that another sets.
type waiter struct {
	most, spin time.Duration // that it may spin, and does
	waits      uint          // so far
	asleep     atomic.Bool   // the goroutine sleeps, or is about to
	wake       chan struct{} // one token for everyone who set asleep back
	_          [line]byte
}

// init sets how long w may spin before it sleeps.
func (w *waiter) init(most time.Duration) {
	w.most, w.spin, w.wake = most, most, make(chan struct{}, 1)
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
	w.spin = max(w.spin/2, time.Duration(leastSpin*float64(w.most)))
	for v.Load() != want {
		w.asleep.Store(true)
		// Between the look and the sleep v may have come. Then either nobody
		// has seen the sleeper yet, or somebody is waking it.
		if v.Load() != want || !w.asleep.CompareAndSwap(true, false) {
			<-w.wake // perhaps from a rouse that comes late, hence the loop
		}
	}
}

// rouse wakes the goroutine in await, if it sleeps.
func (w *waiter) rouse() {
	if w.asleep.Load() && w.asleep.CompareAndSwap(true, false) {
		w.wake <- struct{}{}
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
