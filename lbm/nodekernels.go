package lbm

import (
	"unsafe"

	"lbmib/lbm/internal/simd"
)

// nodeKernels is the assembly that reads moments of nodes here and there and corrects them, of
// populations stored in one form. Where there is none, Run is nil, and someNodes computes
// the same in Go, up to rounding.
type nodeKernels struct{ moments, correct simd.SpanKernel }

// newNodeKernels finds those of the named kernels, of Kernel, for populations in memory of so
// many bytes each.
func newNodeKernels(name string, l *Lattice, bytes uintptr, recursive bool) (k nodeKernels) {
	store := map[uintptr]string{8: "f64", 4: "f32", 2: "f16"}[bytes]
	op := "correct"
	if recursive {
		op = "correct-recursive"
	}
	moments, ok := simd.FindSpan(name, l.Q, store, "moments")
	correct, also := simd.FindSpan(name, l.Q, store, op)
	if ok && also && len(MissingFor(name)) == 0 {
		k = nodeKernels{moments, correct}
	}
	return k
}

// exist tells whether there is assembly.
func (k *nodeKernels) exist() bool { return k.moments.Run != nil }

// nodeScratch is what a worker needs to work on lists of nodes.
type nodeScratch[T Float] struct {
	someNodes[T]
	populations [MaxQ]unsafe.Pointer
	fields      [4]unsafe.Pointer
	spans       [some]simd.Span
}

// readGathered computes density and velocity of the first m nodes gathered.
func readGathered[T Float](k *nodeKernels, b *nodeScratch[T], t *tables[T], r *rates[T], m int) {
	if !k.exist() {
		b.moments(t, r, m)
		return
	}
	b.fields = [4]unsafe.Pointer{unsafe.Pointer(&b.rho), unsafe.Pointer(&b.u[0]), unsafe.Pointer(&b.u[1]), unsafe.Pointer(&b.u[2])}
	runGathered(&k.moments, b, r, m)
}

// correctGathered lets the forces of b act on its first m nodes.
func correctGathered[T Float](k *nodeKernels, b *nodeScratch[T], t *tables[T], r *rates[T], m int) {
	if !k.exist() {
		b.correct(t, r, m)
		return
	}
	b.fields = [4]unsafe.Pointer{nil, unsafe.Pointer(&b.force[0]), unsafe.Pointer(&b.force[1]), unsafe.Pointer(&b.force[2])}
	runGathered(&k.correct, b, r, m)
}

// runGathered runs a kernel over the first m nodes of b.
func runGathered[T Float](k *simd.SpanKernel, b *nodeScratch[T], r *rates[T], m int) {
	for i := range b.populations {
		b.populations[i] = unsafe.Pointer(&b.g[i])
	}
	n := 0
	for first := 0; first < m; first += k.Lanes {
		at := int64(first) * int64(unsafe.Sizeof(b.rho[0]))
		b.spans[n] = simd.Span{Node: at, Field: at, Lanes: 1<<min(k.Lanes, m-first) - 1}
		n++
	}
	k.Run(&b.populations, &b.fields, b.spans[:n], unsafe.Pointer(r))
}
