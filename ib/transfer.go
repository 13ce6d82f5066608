package ib

import (
	"fmt"
	"strings"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// Transfer moves values between points and the nodes of a grid by means of a
// delta. It is set up once for a grid and a delta, is told the points whenever
// they move, and may then be used any number of times in both directions.
// Repeated calls with the same number of points allocate nothing.
//
// A Transfer is used by one goroutine at a time.
type Transfer[T Float] interface {
	// SetPoints computes the weights of points x, in nodes. A point whose
	// support leaves an axis that is not periodic, or that is not finite, is
	// an error; the transfer then holds no points. x is not kept.
	SetPoints(x []geometry.Vec) error
	// Interpolate computes values[c][k] = Σ_x field[c][x] δ(x−X_k) for every
	// component c and point k. A field has as many values as the grid has
	// nodes, and values[c] as many as there are points; other lengths panic.
	Interpolate(values, field [][]T)
	// Spread adds values to fields: field[c][x] += Σ_k values[c][k] δ(x−X_k).
	// It is the adjoint of Interpolate and takes the same lengths.
	Spread(field, values [][]T)
}

// TransferNames are the strategies that NewTransfer knows.
func TransferNames() []string { return []string{"auto", "serial", "sort-reduce"} }

// NewTransfer is a transfer between points and the grid g by the given
// strategy, on the workers of pool (nil: on the caller alone). "auto" takes
// "serial" for few points and "sort-reduce" for many: by their number alone, so
// that results do not depend on the number of workers. Unknown names and grids
// that are too narrow for the delta are refused.
func NewTransfer[T Float](strategy string, g Grid, d Delta[T], pool *parallel.Pool) (Transfer[T], error) {
	if err := g.check(d); err != nil {
		return nil, err
	}
	switch strategy {
	case "auto":
		return newAuto(g, d, pool), nil
	case "serial":
		return newSerial(g, d), nil
	case "sort-reduce":
		return newSortReduce(g, d, pool), nil
	}
	return nil, fmt.Errorf("ib: spread strategy %q is unknown: use one of %s", strategy, strings.Join(TransferNames(), ", "))
}

// mustMatch panics unless fields and values are those of the grid and points.
func mustMatch[T Float](field, values [][]T, nodes, points int) {
	if len(field) != len(values) {
		panic(fmt.Sprintf("ib: transfer of %d fields to or from %d lists of values: give the same number of components", len(field), len(values)))
	}
	for c := range field {
		if len(field[c]) != nodes {
			panic(fmt.Sprintf("ib: transfer: field %d has %d values, the grid %d nodes: give one value per node", c, len(field[c]), nodes))
		}
		if len(values[c]) != points {
			panic(fmt.Sprintf("ib: transfer: component %d has %d values for %d points: call SetPoints first and give one value per point", c, len(values[c]), points))
		}
	}
}
