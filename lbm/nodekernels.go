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
	single      someNodes[T] // a node that relaxes by a time of its own, and its rates
	rates       rates[T]
}

// readGathered computes density and velocity of the first m nodes gathered.
func readGathered[T Float](k *nodeKernels, b *nodeScratch[T], t *tables[T], r *rates[T], m int) {
	if !k.exist() {
		b.moments(t, r, m)
		return
	}
	b.fields = [4]unsafe.Pointer{unsafe.Pointer(&b.rho), unsafe.Pointer(&b.u[0]), unsafe.Pointer(&b.u[1]), unsafe.Pointer(&b.u[2])}
	runGathered(&k.moments, b, r, 1<<m-1)
}

// correctGathered lets the forces of b act on its first m nodes.
func correctGathered[T Float](k *nodeKernels, b *nodeScratch[T], t *tables[T], r *rates[T], m int) {
	if !k.exist() {
		b.correct(t, r, m)
		return
	}
	correctChosen(k, b, r, 1<<m-1)
}

// correctChosen is correctGathered of the nodes whose bits are set, by assembly.
func correctChosen[T Float](k *nodeKernels, b *nodeScratch[T], r *rates[T], nodes uint32) {
	b.fields = [4]unsafe.Pointer{nil, unsafe.Pointer(&b.force[0]), unsafe.Pointer(&b.force[1]), unsafe.Pointer(&b.force[2])}
	runGathered(&k.correct, b, r, nodes)
}

// correctRelaxing is correctGathered of nodes each of which relaxes by its own time: by the rates of all where that is own. Each has the bits that it
// has alone.
func correctRelaxing[T Float](k *nodeKernels, b *nodeScratch[T], t *tables[T], r *rates[T], times []T, own T) {
	common := uint32(0)
	for n, tau := range times {
		if tau == own {
			common |= 1 << n
		}
	}
	if k.exist() {
		correctChosen(k, b, r, common)
	}
	for n, tau := range times {
		b.rates = *r
		if tau != own {
			b.rates.at(tau)
		}
		switch {
		case !k.exist():
			b.correctSingle(t, n)
		case tau != own:
			correctChosen(k, b, &b.rates, 1<<n)
		}
	}
}

// correctSingle corrects node n of b with the rates of b, in Go.
func (b *nodeScratch[T]) correctSingle(t *tables[T], n int) {
	for i := range t.q {
		b.single.g[i][0] = b.g[i][n]
	}
	for a := range b.force {
		b.single.force[a][0] = b.force[a][n]
	}
	b.single.correct(t, &b.rates, 1)
	for i := range t.q {
		b.g[i][n] = b.single.g[i][0]
	}
}

// runGathered runs a kernel over the nodes of b whose bits are set.
func runGathered[T Float](k *simd.SpanKernel, b *nodeScratch[T], r *rates[T], nodes uint32) {
	for i := range b.populations {
		b.populations[i] = unsafe.Pointer(&b.g[i])
	}
	n := 0
	for first := 0; first < some; first += k.Lanes {
		if lanes := nodes >> first & (1<<k.Lanes - 1); lanes != 0 {
			at := int64(first) * int64(unsafe.Sizeof(b.rho[0]))
			b.spans[n] = simd.Span{Node: at, Field: at, Lanes: lanes}
			n++
		}
	}
	k.Run(&b.populations, &b.fields, b.spans[:n], unsafe.Pointer(r))
}
