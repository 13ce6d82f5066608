//go:build !amd64

package simd

import "runtime"

// Find reports that no kernel exists for this architecture.
func Find(isa string, q int, store, op string, stream bool) (Kernel, bool) {
	return Kernel{}, false
}

// FindSpan reports that no kernel exists for this architecture.
func FindSpan(isa string, q int, store, op string) (SpanKernel, bool) { return SpanKernel{}, false }

// FindField reports that no kernel exists for this architecture.
func FindField(isa string, q int, store, op string) (FieldKernel, bool) { return FieldKernel{}, false }

// FindSums reports that no kernel exists for this architecture.
func FindSums(isa, float string) (func(sums []Sum), bool) { return nil, false }

// Missing names the architecture that has no kernels.
func Missing(isa string) []string {
	return []string{"an amd64 processor (this one is " + runtime.GOARCH + ")"}
}
