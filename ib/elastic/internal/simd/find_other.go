//go:build !amd64

package simd

// All are none for this architecture.
func All() []Kernels { return nil }
