package simd

// Fence makes the results of kernels with streaming stores visible, in order,
// before whatever is written next. Call it after the last of them, before other
// goroutines are told that the rows are there. (A kernel does not: waiting for
// memory after every row would cost up to a tenth.)
func Fence() { fence() }

// FlushSubnormals makes the arithmetic of this thread take subnormal numbers for
// zero, and returns the mode before for RestoreMode. Kernels do so themselves, in
// every call; calls inside this pair are cheaper by 20 ns. The goroutine must be
// locked to its thread (runtime.LockOSThread) from before until RestoreMode, so
// that no other computes in this mode.
func FlushSubnormals() (before uint32) {
	const flushToZero, denormalsAreZero = 1 << 15, 1 << 6
	before = mode()
	setMode(before | flushToZero | denormalsAreZero)
	return before
}

// RestoreMode ends what FlushSubnormals began.
func RestoreMode(before uint32) { setMode(before) }

func fence()

func mode() uint32

func setMode(mode uint32)
