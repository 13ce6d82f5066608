package ib

import (
	"fmt"
	"strings"

	"lbmib/internal/precompiled"
)

// Float is the precision of fields, values and weights.
type Float interface{ float32 | float64 }

// MaxSupport is the widest support of a delta, in nodes along an axis.
const MaxSupport = 6

// Stencil is the extent of a delta along an axis.
type Stencil interface {
	// Name is the delta's name in case files.
	Name() string
	// Support is the number of nodes along an axis with non-zero weights.
	Support() int
	// First is the first of them for a point at x: ⌊x⌋ − (n−1)/2 of n nodes, ⌊x+½⌋ − (n−1)/2 where n is odd.
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

// Sloped is a delta that is continuously differentiable, with Σ(x−j)φ = 0: gradients of what it interpolates are exact for linear
// fields, and couples of forces that it spreads have the torque that is asked for.
type Sloped[T Float] interface {
	Delta[T]
	// Slopes is Weights, and stores φ′(x−j) in slope: Σφ′ = 0 and Σ(x−j)φ′ = −1.
	Slopes(w, slope *[MaxSupport]T, x float64) (first int)
}

// registered is a delta with the marker spacings, in nodes, that SafeSpacing tells of it.
type registered[T Float] struct {
	Delta[T]
	plane, space float64
}

// deltas are the table of all, narrow support first. A new one is a line here, its file and
// its name in the choices of package casefile. Assembly (internal/simd) and kernels of a
// device (cuda/kernels/deltas.h) serve those that they have; the others' weights are computed
// by Weights, and their bodies are coupled on the host.
func deltas[T Float]() []registered[T] {
	return []registered[T]{
		{Hat2[T]{}, 1.2, 1.5},
		{Roma3[T]{}, 1, 1.2},
		{BSpline3[T]{}, 1.1, 1.3},
		{Peskin4[T]{}, 1.2, 1.5},
		{Cosine4[T]{}, 1.2, 1.5},
		{BSpline4[T]{}, 1, 1.2},
		{M4Prime[T]{}, 1.2, 1.3},
		{IB6[T]{}, 1.2, 1.5},
	}
}

// DeltaNames are the names that NewDelta knows, narrow support first.
func DeltaNames() (names []string) {
	for _, d := range deltas[float64]() {
		names = append(names, d.Name())
	}
	return names
}

// NewDelta is the delta of the given name; an unknown name is an error that
// tells which there are.
func NewDelta[T Float](name string) (Delta[T], error) {
	return precompiled.Of[func(string) (Delta[T], error)](deltasByName)(name)
}

// deltasByName find those of each precision: see package precompiled.
var deltasByName = []any{newDelta[float32], newDelta[float64]}

func newDelta[T Float](name string) (Delta[T], error) {
	for _, d := range deltas[T]() {
		if d.Name() == name {
			return d.Delta, nil
		}
	}
	return nil, fmt.Errorf("ib: delta %q is unknown: use one of %s", name, strings.Join(DeltaNames(), ", "))
}
