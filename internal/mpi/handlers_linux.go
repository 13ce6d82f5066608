//go:build !nompi

package mpi

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// signals is one more than the greatest signal.
const signals = 65

// keepHandlers remembers how this process handles signals, and returns what sets that
// again. OpenMPI, and UCX below MPICH, take the signals of faults over when they are loaded
// or initialised; Go needs them for its panics.
func keepHandlers() (restore func()) {
	// The kernel's sigaction: handler, flags, restorer, mask; some architectures have less.
	var kept [signals][8]uint64
	for s := 1; s < signals; s++ {
		_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(s), 0, uintptr(unsafe.Pointer(&kept[s])), 8, 0, 0)
	}
	return func() {
		for s := 1; s < signals; s++ {
			if s != int(unix.SIGKILL) && s != int(unix.SIGSTOP) {
				_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&kept[s])), 0, 8, 0, 0)
			}
		}
	}
}
