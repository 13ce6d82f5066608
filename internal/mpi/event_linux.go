//go:build !nompi

package mpi

import (
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// event is set once by one goroutine and awaited by another, whose thread sleeps: a
// goroutine that Go's scheduler puts to sleep wakes later by tens of microseconds, and sleeps
// a millisecond at least where its process does nothing else.
type event struct {
	word  atomic.Uint32 // 1: set
	sleep atomic.Uint32 // 1: a thread sleeps on word, or is about to
}

// Operations of futex(2), on a word that only this process knows.
const (
	futexWaitPrivate = 128
	futexWakePrivate = 129
)

func (e *event) init()       {}
func (e *event) isSet() bool { return e.word.Load() == 1 }
func (e *event) clear()      { e.word.Store(0) }

func (e *event) set() {
	e.word.Store(1)
	if e.sleep.Load() == 1 {
		_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&e.word)), futexWakePrivate, 1, 0, 0, 0)
	}
}

// wait returns when the event is set or the time is over, now and then before; 0 is any time.
func (e *event) wait(most time.Duration) {
	var limit *unix.Timespec
	if most > 0 {
		t := unix.NsecToTimespec(int64(most))
		limit = &t
	}
	e.sleep.Store(1)
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&e.word)), futexWaitPrivate, 0, uintptr(unsafe.Pointer(limit)), 0, 0)
	e.sleep.Store(0)
}

// sharpenTimer lets this thread's short sleeps end in time, instead of up to 50 µs late.
func sharpenTimer() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1000, 0, 0, 0) }
