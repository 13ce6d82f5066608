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

// How a goroutine sleeps, or is about to. Go's scheduler keeps one that was woken
// for the processor of whoever woke it: it comes next there, before others that
// wait, but an idle processor takes it only some 60 µs later, so that workers may
// end up taking turns on one. A thread starts at once where a processor is idle;
// where all have goroutines to run, its own comes last.
const (
	awake     = iota
	goroutine // asleep in the channel wake
	thread    // asleep on the word asleep
)

// waiter lets one goroutine wait for a number that another sets.
type waiter struct {
	most, spin time.Duration // that it may spin, and does
	waits      uint          // so far
	asleep     atomic.Uint32
	wake       chan struct{} // one token for everyone who set goroutine back to awake
	_          [line]byte
}

// init sets how long w may spin before it sleeps.
func (w *waiter) init(most time.Duration) {
	w.most, w.spin, w.wake = most, most, make(chan struct{}, 1)
}

// await returns when v is want; if that takes long, it sleeps in between. Whoever
// makes v that calls rouse afterwards. In a crowd, where other goroutines want the
// processors, it leaves its own to them at once.
func (w *waiter) await(v *atomic.Uint32, want uint32, crowd bool) {
	how := uint32(thread)
	if crowd || w.most == 0 || !haveFutex {
		how = goroutine
	}
	if !crowd && w.spins(v, want) {
		return
	}
	for v.Load() != want {
		w.asleep.Store(how)
		// Between the look and the sleep v may have come. Then either nobody
		// has seen the sleeper yet, or somebody is waking it.
		if v.Load() != want || !w.asleep.CompareAndSwap(how, awake) {
			w.sleep(how) // perhaps until a rouse that comes late, hence the loop
		}
	}
}

// spins tells whether v becomes want while it may spin, and learns from it.
func (w *waiter) spins(v *atomic.Uint32, want uint32) bool {
	if w.waits++; w.waits%retrySpin == 0 {
		w.spin = w.most
	}
	if comes(v, want, w.spin) {
		w.spin = w.most
		return true
	}
	w.spin = max(w.spin/2, w.most/leastSpin)
	return false
}

// sleep returns once rouse has set asleep back.
func (w *waiter) sleep(how uint32) {
	if how == goroutine {
		<-w.wake
		return
	}
	for w.asleep.Load() == thread { // signals wake it too
		futexWait(&w.asleep, thread)
	}
}

// rouse wakes the goroutine in await, if it sleeps.
func (w *waiter) rouse() {
	switch how := w.asleep.Load(); {
	case how == awake || !w.asleep.CompareAndSwap(how, awake):
	case how == goroutine:
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
