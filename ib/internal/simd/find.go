package simd

import (
	"fmt"
	"strings"
)

// For returns the loops for a delta along each of dim axes, support nodes wide;
// scalar is its plain form, see Portable. kernel asks for a form:
//
//	"", "auto"        the fastest that the processor has
//	"avx2", "avx512"  assembly; rows are too short for the wider registers
//	"go"              plain Go
//
// A form that the processor lacks is an error. A delta whose weights there is no
// assembly for has them computed by scalar.
func For[T Float](kernel, delta string, scalar func(w *[MaxSupport]T, x float64) (first int), support, dim int) (Kernels[T], error) {
	portable := Portable(scalar, support, dim)
	switch kernel {
	case "go":
		return portable, nil
	case "", "auto", "avx2", "avx512":
	default:
		return portable, fmt.Errorf("simd: kernel %q is unknown: use one of auto, avx2, avx512, go", kernel)
	}
	k, missing := assembly(delta, portable, support, dim)
	if len(missing) == 0 {
		return k, nil
	}
	if kernel == "" || kernel == "auto" {
		return portable, nil
	}
	return portable, fmt.Errorf("simd: kernel %s for delta %s over %d nodes in %dD needs %s: use auto or go",
		kernel, delta, support, dim, strings.Join(missing, " and "))
}
