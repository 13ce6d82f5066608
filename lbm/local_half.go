package lbm

import (
	"runtime"

	"lbmib/lbm/internal/simd"
)

// beginKernels readies the thread for kernels as sweeps do: subnormal numbers count
// as zero. endKernels restores it.
func beginKernels() (mode uint32) {
	runtime.LockOSThread()
	return simd.FlushSubnormals()
}

func endKernels(mode uint32) {
	simd.RestoreMode(mode)
	runtime.UnlockOSThread()
}
