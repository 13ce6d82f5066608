package simd

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// shape is what loops between points and rows are made for.
type shape struct{ dim, support int }

// rows are such loops.
type rows[T Float] struct{ interpolate, spread, interpolateAoS, spreadAoS func(*Batch[T]) }

// assembly returns the loops in assembly, those that there are, the others from
// portable; missing tells what they need and is not there.
func assembly[T Float](delta string, portable Kernels[T], support, dim int) (k Kernels[T], missing []string) {
	if !cpu.X86.HasAVX2 {
		missing = append(missing, "a processor with AVX2")
	}
	if !cpu.X86.HasFMA {
		missing = append(missing, "a processor with FMA")
	}
	var r rows[T]
	var w func(*Axis[T])
	var ok bool
	if unsafe.Sizeof(T(0)) == 8 {
		r, w, ok = pick[T](rowsF64, weightsF64, delta, shape{dim, support})
	} else {
		r, w, ok = pick[T](rowsF32, weightsF32, delta, shape{dim, support})
	}
	if !ok {
		missing = append(missing, "a support of 2, 3, 4 or 6 nodes in 2D or 3D")
	}
	if w == nil {
		w = portable.Weights
	}
	k = Kernels[T]{Name: "avx2", Weights: w, Interpolate: r.interpolate, Spread: r.spread, InterpolateAoS: r.interpolateAoS, SpreadAoS: r.spreadAoS}
	k.Interleave = func(r *Rows[T]) { r.check(); interleave(r) }
	k.Separate = func(r *Rows[T]) { r.check(); separate(r) }
	return k, missing
}

func interleave[T Float](r *Rows[T]) {
	if unsafe.Sizeof(T(0)) == 8 {
		interleaveF64((*Rows[float64])(unsafe.Pointer(r)))
	} else {
		interleaveF32((*Rows[float32])(unsafe.Pointer(r)))
	}
}

func separate[T Float](r *Rows[T]) {
	if unsafe.Sizeof(T(0)) == 8 {
		separateF64((*Rows[float64])(unsafe.Pointer(r)))
	} else {
		separateF32((*Rows[float32])(unsafe.Pointer(r)))
	}
}

// pick finds the loops of a precision in their tables and makes them loops for
// T, a type of the same size.
func pick[T, U Float](table map[shape]rows[U], weights map[string]func(*Axis[U]), delta string, s shape) (r rows[T], w func(*Axis[T]), ok bool) {
	have, ok := table[s]
	if !ok {
		return r, nil, false
	}
	r.interpolate = func(b *Batch[T]) { b.check(s, 1); have.interpolate((*Batch[U])(unsafe.Pointer(b))) }
	r.spread = func(b *Batch[T]) { b.check(s, 1); b.checkPlanes(s); have.spread((*Batch[U])(unsafe.Pointer(b))) }
	if have.spreadAoS != nil {
		r.interpolateAoS = func(b *Batch[T]) { b.check(s, Components); have.interpolateAoS((*Batch[U])(unsafe.Pointer(b))) }
		r.spreadAoS = func(b *Batch[T]) {
			b.check(s, Components)
			b.checkPlanes(s)
			have.spreadAoS((*Batch[U])(unsafe.Pointer(b)))
		}
	}
	if f := weights[delta]; f != nil {
		w = func(a *Axis[T]) { a.check(s.support); f((*Axis[U])(unsafe.Pointer(a))) }
	}
	return r, w, true
}

// check panics where a kernel would leave what belongs to the batch. It looks at
// lengths alone: that supports lie in the field is for the caller to see to.
func (b *Batch[T]) check(s shape, components int) {
	ok := len(b.Values) >= components*b.N
	for axis := range s.dim {
		ok = ok && len(b.First[axis]) >= b.N && len(b.Weight[axis]) >= b.N*Stride(s.support)
	}
	if !ok {
		panic(fmt.Sprintf("simd: batch of %d points: Values, First and Weight are too short", b.N))
	}
}

// checkPlanes is check for what spreading needs besides.
func (b *Batch[T]) checkPlanes(s shape) {
	if s.dim == 3 && (len(b.From) < b.N || len(b.To) < b.N) {
		panic(fmt.Sprintf("simd: batch of %d points: From and To are too short", b.N))
	}
}

func (r *Rows[T]) check() {
	ok := r.N%4 == 0 && len(r.Nodes) >= Components*r.N
	for _, row := range r.Row {
		ok = ok && len(row) >= r.N
	}
	if !ok {
		panic(fmt.Sprintf("simd: %d nodes along x: rows and Nodes are too short, or it is no multiple of four", r.N))
	}
}

func (a *Axis[T]) check(support int) {
	room := Room(a.N)
	if len(a.X) < a.N || len(a.First) < room || len(a.Weight) < room*Stride(support) {
		panic(fmt.Sprintf("simd: %d points along an axis: X needs as many places, First and Weight room for %d points", a.N, room))
	}
}
