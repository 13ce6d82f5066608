package lbm

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"lbmib/lbm/internal/simd"
)

// KernelNames lists the row kernels by name, the fastest first: assembly for two
// sets of instructions, and Go, which is their reference.
var KernelNames = []string{"avx512", "avx2", "go"}

// MissingFor lists the instructions that this CPU lacks for the named kernels.
func MissingFor(kernel string) []string {
	if kernel == "go" {
		return nil
	}
	return simd.Missing(kernel)
}

// rows holds one row of every population; kernels pull from one and write to another.
type rows[S Stored] [MaxQ][]S

// rowKernel pulls and collides one row: dst[i][x] becomes the post-collision
// population of the src[i][x] that arrive at x. Source and destination may be the
// same memory as far as each ± pair of a vector of nodes is read before it is
// written. The assembly works on whole vectors of nodes.
type rowKernel[T Float, S Stored] struct {
	name              string
	plain             func(dst, src *rows[S], k *rates[T])
	lanes             int // nodes per vector; 0: plain
	cached, streaming assembly
	ahead             int // prefetch distance in bytes
}

type assembly func(dst, src *[MaxQ]unsafe.Pointer, vectors int, k unsafe.Pointer, ahead int)

// prefetchAhead is how far ahead of its loads an assembly kernel prefetches, in
// bytes per population.
const prefetchAhead = 512

// operator is the name of the row kernel that does no more than a collision needs;
// forced tells whether there is a uniform body force.
func (k *rates[T]) operator(forced bool) string {
	switch {
	case k.table != nil && k.recursive:
		return "recursive-rheology"
	case k.table != nil && k.ghosts == 0:
		return "mrt-rheology"
	case k.table != nil:
		return "trt-rheology"
	case k.recursive && k.eddy != 0:
		return "recursive-les"
	case k.recursive:
		return "recursive"
	case k.eddy != 0 && k.ghosts == 0:
		return "mrt-les"
	case k.eddy != 0:
		return "trt-les"
	case k.ghosts == 0 && k.odd == 1:
		return "regularized"
	case k.ghosts == 0:
		return "mrt"
	case k.even == k.odd && !forced:
		return "bgk"
	}
	return "trt"
}

// plainRow is the Go kernel of an operator.
func plainRow[T Float, S Stored](l *Lattice, op string) func(dst, src *rows[S], k *rates[T]) {
	switch {
	case l == D2Q9 && op == "bgk":
		return bgkRowD2Q9[T, S]
	case l == D2Q9 && op == "trt":
		return trtRowD2Q9[T, S]
	case l == D2Q9 && strings.HasPrefix(op, "recursive"):
		return recursiveRowD2Q9[T, S]
	case l == D2Q9:
		return momentRowD2Q9[T, S]
	case strings.HasPrefix(op, "recursive"):
		return recursiveRowD3Q19[T, S]
	case op == "bgk":
		return bgkRowD3Q19[T, S]
	case op == "trt":
		return trtRowD3Q19[T, S]
	}
	return momentRowD3Q19[T, S]
}

// newRowKernel makes the named kernel of an operator; the empty name and "auto" choose the
// first that the CPU has. An operator, lattice or storage without assembly has the next one,
// in the end that in Go: name says which.
func newRowKernel[T Float, S Stored](name string, l *Lattice, op string) (r rowKernel[T, S], err error) {
	r.plain = plainRow[T, S](l, op)
	if r.name, err = chooseKernel(name); err != nil {
		return r, err
	}
	var s S
	store := map[uintptr]string{8: "f64", 4: "f32", 2: "f16"}[unsafe.Sizeof(s)]
	for _, r.name = range KernelNames[slices.Index(KernelNames, r.name):] {
		found, ok := simd.Find(r.name, l.Q, store, op, false)
		if !ok || len(MissingFor(r.name)) > 0 {
			continue
		}
		r.lanes, r.cached, r.ahead = found.Lanes, found.Run, prefetchAhead
		if found, ok = simd.Find(r.name, l.Q, store, op, true); ok && found.Lanes == r.lanes {
			r.streaming = found.Run
		}
		break
	}
	return r, nil
}

// chooseKernel resolves a kernel's name, and refuses one that the CPU cannot run.
func chooseKernel(name string) (string, error) {
	if name == "" || name == "auto" {
		for _, name = range KernelNames {
			if len(MissingFor(name)) == 0 {
				return name, nil
			}
		}
	}
	known := false
	for _, k := range KernelNames {
		known = known || k == name
	}
	if !known {
		return "", fmt.Errorf("lbm: kernel %q is unknown: choose one of %s", name, strings.Join(KernelNames, ", "))
	}
	if missing := MissingFor(name); len(missing) > 0 {
		have, _ := chooseKernel("")
		return "", fmt.Errorf("lbm: kernel %s needs %s, which this CPU lacks: the fastest that it has is %s", name, strings.Join(missing, ", "), have)
	}
	return name, nil
}
