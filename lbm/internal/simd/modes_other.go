//go:build !amd64

package simd

// Fence does nothing where there are no streaming stores.
func Fence() {}

// FlushSubnormals does nothing where there are no kernels.
func FlushSubnormals() (before uint32) { return 0 }

// RestoreMode ends what FlushSubnormals began.
func RestoreMode(before uint32) {}
