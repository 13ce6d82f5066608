package parallel

import (
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// haveFutex tells that a thread can sleep on a word of memory: futex(2).
const haveFutex = true

// Operations of futex(2), on a word that only this process knows.
const (
	futexWaitPrivate = 128
	futexWakePrivate = 129
)

// futexWait puts the thread to sleep if *word is value. It returns when woken, and
// now and then for nothing.
func futexWait(word *atomic.Uint32, value uint32) {
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWaitPrivate, uintptr(value), 0, 0, 0)
}

// futexWake wakes the thread that sleeps on word.
func futexWake(word *atomic.Uint32) {
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWakePrivate, 1, 0, 0, 0)
}
