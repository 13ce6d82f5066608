//go:build !amd64

package simd

// Prefetch does nothing on this architecture.
func Prefetch[E any]([]E, []int32) {}
