//go:build !amd64

package simd

import "runtime"

// assembly reports that there is none for this architecture.
func assembly[T Float](_ string, portable Kernels[T], _, _ int) (k Kernels[T], missing []string) {
	return portable, []string{"an amd64 processor (this one is " + runtime.GOARCH + ")"}
}
