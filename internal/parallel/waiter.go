package parallel

import (
	"sync/atomic"
	"time"
)

// looks is how often a spinning goroutine looks between two looks at the clock,
// which cost as much as some of them.
const looks = 16

// waiter lets one goroutine wait for a number that another sets.
type waiter struct {
	asleep atomic.Bool
	wake   chan struct{} // one token for everyone who set asleep back
	_      [line]byte
}

func newWaiter() waiter { return waiter{wake: make(chan struct{}, 1)} }

// await returns when v is want; after spin without it, it sleeps in between.
// Whoever makes v that calls rouse afterwards.
func (w *waiter) await(v *atomic.Uint32, want uint32, spin time.Duration) {
	for !comes(v, want, spin) {
		w.asleep.Store(true)
		// Between the look and the sleep v may have come. Then either nobody
		// has seen the sleeper yet, or a token is on its way.
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
