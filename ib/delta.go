package ib

import (
	"fmt"
	"strings"
)

// Float is the precision of fields, values and weights.
type Float interface{ ~float32 | ~float64 }

// MaxSupport is the widest support of a delta, in nodes along an axis.
const MaxSupport = 6

// Stencil is the extent of a delta along an axis.
type Stencil interface {
	// Name is the delta's name in case files.
	Name() string
	// Support is the number of nodes along an axis with non-zero weights.
	Support() int
	// First is the first of them for a point at x.
	First(x float64) int
}

// Delta is a regularised delta function δ(x) = φ(x)φ(y)φ(z), with lengths in
// nodes. Positions are float64 in every precision: a float32 position in a
// domain of thousands of nodes would spoil the weights.
type Delta[T Float] interface {
	Stencil
	// Weights stores φ(x−j) for the nodes j = first … first+Support()−1 in
	// w[0], w[1], … and returns first, which is First(x).
	Weights(w *[MaxSupport]T, x float64) (first int)
}

// DeltaNames are the names that NewDelta knows, narrow support first.
func DeltaNames() []string {
	return []string{"hat2", "roma3", "bspline3", "peskin4", "cosine4", "bspline4", "m4prime", "ib6"}
}

// NewDelta is the delta of the given name; an unknown name is an error that
// tells which there are.
func NewDelta[T Float](name string) (Delta[T], error) {
	switch name {
	case "hat2":
		return Hat2[T]{}, nil
	case "roma3":
		return Roma3[T]{}, nil
	case "bspline3":
		return BSpline3[T]{}, nil
	case "peskin4":
		return Peskin4[T]{}, nil
	case "cosine4":
		return Cosine4[T]{}, nil
	case "bspline4":
		return BSpline4[T]{}, nil
	case "m4prime":
		return M4Prime[T]{}, nil
	case "ib6":
		return IB6[T]{}, nil
	}
	return nil, fmt.Errorf("ib: delta %q is unknown: use one of %s", name, strings.Join(DeltaNames(), ", "))
}
