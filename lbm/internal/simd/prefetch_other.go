//go:build !amd64

package simd

import "unsafe"

// Prefetch does nothing on this architecture.
func Prefetch(unsafe.Pointer, []int, uint) {}
