//go:build !nompi && !linux

package mpi

import (
	"sync/atomic"
	"time"
)

// event is set once by one goroutine and awaited by another.
type event struct {
	word atomic.Uint32 // 1: set
	wake chan struct{}
}

func (e *event) init()       { e.wake = make(chan struct{}, 1) }
func (e *event) isSet() bool { return e.word.Load() == 1 }
func (e *event) clear()      { e.word.Store(0) }

func (e *event) set() {
	e.word.Store(1)
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// wait returns when the event is set or the time is over, now and then before; 0 is any time.
func (e *event) wait(most time.Duration) {
	if e.isSet() {
		return
	}
	if most == 0 {
		<-e.wake
		return
	}
	select {
	case <-e.wake:
	case <-time.After(most):
	}
}

// sharpenTimer has nothing to do.
func sharpenTimer() {}
