// Package ibtest holds what every transfer between markers and a grid must do:
// adjointness, conservation, reproduction of fields, and results that depend on
// nothing but the points. A strategy is tested by calling Transfer from its own
// tests, in both precisions.
package ibtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/parallel"
)

// Maker makes a transfer of the strategy under test; pool may be nil.
type Maker[T ib.Float] func(g ib.Grid, d ib.Delta[T], pool *parallel.Pool) (ib.Transfer[T], error)

// suite is a strategy under test in one precision.
type suite[T ib.Float] struct {
	make Maker[T]
	// tolerance bounds differences relative to the sum of the absolute values
	// of all terms: some roundings of the precision.
	tolerance float64
}

// Transfer runs the suite.
func Transfer[T ib.Float](t *testing.T, make Maker[T]) {
	s := suite[T]{make: make, tolerance: 1e-13}
	if one := T(1); one+T(1e-10) == one {
		s.tolerance = 2e-6
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"spreading is the adjoint of interpolation", s.adjoint},
		{"spreading conserves force and torque", s.conservation},
		{"constant and linear fields are reproduced", s.reproduction},
		{"every arrangement of points agrees with the plain sum", s.plainSum},
		{"the order of points does not matter", s.permutation},
		{"a point and its periodic images are the same", s.images},
		{"moving points leave no trace", s.moving},
		{"components do not influence each other", s.components},
		{"any number of workers gives the same bits", s.workers},
		{"repeated use allocates nothing", s.allocations},
		{"points outside are refused and forgotten", s.outside},
		{"lengths that do not fit panic", s.lengths},
		{"Pinelli's weights remove uniform slip at once", s.uniformSlip},
	} {
		t.Run(test.name, test.run)
	}
}

// setting is a grid with a delta.
type setting[T ib.Float] struct {
	name  string
	grid  ib.Grid
	delta ib.Delta[T]
}

// settings are awkward grids with every delta: odd sizes, staggered and shifted
// offsets, axes as short as a support allows, walls and periodic faces.
func settings[T ib.Float](t *testing.T) (list []setting[T]) {
	t.Helper()
	grids := []struct {
		name string
		grid ib.Grid
	}{
		{"2D walls", ib.Grid{Dim: 2, Size: [3]int{17, 12, 1}}},
		{"2D channel, staggered", ib.Grid{Dim: 2, Size: [3]int{7, 13, 1}, Periodic: [3]bool{true, false}, Offset: [3]float64{0.5, -2}}},
		{"2D periodic, short", ib.Grid{Dim: 2, Size: [3]int{5, 4, 1}, Periodic: [3]bool{true, true}, Offset: [3]float64{0, 0.5}}},
		{"3D walls", ib.Grid{Dim: 3, Size: [3]int{11, 7, 9}, Offset: [3]float64{0.5, 0, 0.5}}},
		{"3D periodic", ib.Grid{Dim: 3, Size: [3]int{7, 11, 6}, Periodic: [3]bool{true, true, true}}},
		{"3D periodic in y", ib.Grid{Dim: 3, Size: [3]int{8, 5, 7}, Periodic: [3]bool{false, true}, Offset: [3]float64{0, 0, 3.25}}},
	}
	for _, g := range grids {
		for _, name := range ib.DeltaNames() {
			d, err := ib.NewDelta[T](name)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, setting[T]{g.name + ", " + name, g.grid, d})
		}
	}
	return list
}

// diagonal are settings that have every grid and every delta at least once.
func diagonal[T ib.Float](t *testing.T) (list []setting[T]) {
	t.Helper()
	for i, s := range settings[T](t) {
		if deltas := len(ib.DeltaNames()); i/deltas%deltas == i%deltas {
			list = append(list, s)
		}
	}
	return list
}

// random is reproducible.
func random() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// points are n random points whose supports are in the grid; on periodic axes
// they are in up to three images of it.
func (s setting[T]) points(r *rand.Rand, n int) []geometry.Vec {
	x := make([]geometry.Vec, n)
	half := float64(s.delta.Support()) / 2
	for k := range x {
		for a := range s.grid.Dim {
			size := float64(s.grid.Size[a])
			if s.grid.Periodic[a] {
				x[k][a] = s.grid.Offset[a] + size*(3*r.Float64()-1)
				continue
			}
			// Nodes within half of a support are 0 … Size−1.
			lo, hi := half-1, size-half
			x[k][a] = s.grid.Offset[a] + lo + (hi-lo)*r.Float64()
		}
	}
	return x
}

// fields are components of n random values between −1 and 1.
func fields[T ib.Float](r *rand.Rand, components, n int) [][]T {
	f := zeros[T](components, n)
	for _, c := range f {
		for i := range c {
			c[i] = T(2*r.Float64() - 1)
		}
	}
	return f
}

func zeros[T ib.Float](components, n int) [][]T {
	f := make([][]T, components)
	for c := range f {
		f[c] = make([]T, n)
	}
	return f
}

// with is a transfer of the strategy that holds points x.
func (s suite[T]) with(t *testing.T, set setting[T], pool *parallel.Pool, x []geometry.Vec) ib.Transfer[T] {
	t.Helper()
	transfer, err := s.make(set.grid, set.delta, pool)
	if err == nil {
		err = transfer.SetPoints(x)
	}
	if err != nil {
		t.Fatalf("%s: %v", set.name, err)
	}
	return transfer
}

// close fails the test unless got is want within the tolerance relative to scale.
func (s suite[T]) close(t *testing.T, what string, got, want, scale float64) {
	t.Helper()
	if !(math.Abs(got-want) <= s.tolerance*scale) {
		t.Fatalf("%s: %v, want %v: they differ by %.1e of %.3g", what, got, want, math.Abs(got-want)/scale, scale)
	}
}

// same fails the test unless a and b are the same bits.
func same[T ib.Float](t *testing.T, what string, a, b [][]T) {
	t.Helper()
	for c := range a {
		for i := range a[c] {
			if a[c][i] != b[c][i] {
				t.Fatalf("%s: component %d, element %d: %v and %v", what, c, i, a[c][i], b[c][i])
			}
		}
	}
}

// node is the position of node i of a field.
func node(g ib.Grid, i int) (x geometry.Vec) {
	for a := range g.Dim {
		x[a] = g.Offset[a] + float64(i%g.Size[a])
		i /= g.Size[a]
	}
	return x
}

// inner is Σ a·b over all components, and the sum of the absolute values.
func inner[T ib.Float](a, b [][]T) (sum, scale float64) {
	for c := range a {
		for i := range a[c] {
			p := float64(a[c][i]) * float64(b[c][i])
			sum += p
			scale += math.Abs(p)
		}
	}
	return sum, scale
}

// label is the setting with a number of points.
func (s setting[T]) label(n int) string { return fmt.Sprintf("%s, %d points", s.name, n) }
