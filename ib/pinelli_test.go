package ib

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"lbmib/geometry"
	"lbmib/internal/checking/checkingtest"
)

// body is the markers of a circle or sphere of diameter d off the nodes, in a
// grid with room around it.
func body(t *testing.T, dim int, d, spacing float64) (Grid, []geometry.Vec) {
	t.Helper()
	side := int(d) + 10
	g := Grid{Dim: dim, Size: [3]int{side, side, 1}}
	center := geometry.Vec{float64(side)/2 + 0.37, float64(side)/2 + 0.21}
	var shape geometry.Shape
	var err error
	if dim == 2 {
		shape, err = geometry.NewCircle(center, d)
	} else {
		g.Size[2], center[2] = side, float64(side)/2-0.11
		shape, err = geometry.NewSphere(center, d)
	}
	if err != nil {
		t.Fatal(err)
	}
	markers, err := shape.Sample(spacing)
	if err != nil {
		t.Fatal(err)
	}
	return g, markers.X
}

func deltaNamed(t *testing.T, name string) Delta[float64] {
	t.Helper()
	d, err := NewDelta[float64](name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// overlapGrids are grids of all kinds for a delta of n nodes, with walls and with
// periodic faces, some as short as the delta allows.
func overlapGrids(n int) []Grid {
	all := [3]bool{true, true, true}
	return []Grid{
		{Dim: 2, Size: [3]int{70, n + 5, 1}},
		{Dim: 2, Size: [3]int{n + 1, 13, 1}, Periodic: [3]bool{true, true}, Offset: [3]float64{0.5, 0}},
		{Dim: 3, Size: [3]int{9, 11, 12}, Periodic: [3]bool{false, false, true}, Spacing: 0.7, Staggering: [3]float64{0.5, 0, 0.5}},
		{Dim: 3, Size: [3]int{n, n, n}, Periodic: all},
	}
}

// pointsIn are n random points whose supports are in the grid.
func pointsIn(r *rand.Rand, g Grid, d Stencil, n int) []geometry.Vec {
	x := make([]geometry.Vec, n)
	half := float64(d.Support()) / 2
	for k := range x {
		for a := range g.Dim {
			node := half - 1 + r.Float64()*(float64(g.Size[a])+1-2*half)
			if g.Periodic[a] {
				node = 100 * (r.Float64() - 0.5)
			}
			x[k][a] = g.Offset[a] + g.spacing()*(node+g.Staggering[a])
		}
	}
	return x
}

func TestOverlapIsSpreadingThenInterpolating(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, name := range DeltaNames() {
		d := deltaNamed(t, name)
		for _, g := range overlapGrids(d.Support()) {
			x := pointsIn(r, g, d, 30)
			a, err := newOverlap(g, d, x)
			if err != nil {
				t.Fatal(err)
			}
			transfer, err := NewTransfer("serial", g, d, nil)
			if err == nil {
				err = transfer.SetPoints(x)
			}
			if err != nil {
				t.Fatal(err)
			}
			unit, column, want := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
			for l := range x {
				clear(unit)
				unit[l] = 1
				field := make([]float64, g.Nodes())
				transfer.Spread([][]float64{field}, [][]float64{unit})
				transfer.Interpolate([][]float64{want}, [][]float64{field})
				a.multiply(column, unit)
				for k := range x {
					if math.Abs(column[k]-want[k]) > 2e-15 { // of at most 1, 3 where h is 0.7
						t.Fatalf("%+v, %s: A[%d,%d] = %v, want %v", g, name, k, l, column[k], want[k])
					}
				}
			}
		}
	}
}

func TestSmallestSpacingCountsPeriodicImages(t *testing.T) {
	g := Grid{Dim: 2, Size: [3]int{20, 20, 1}, Periodic: [3]bool{true, false}}
	a, err := newOverlap(g, deltaNamed(t, "roma3"), []geometry.Vec{{0.1, 5}, {3, 5}, {19.8, 5.4}, {10, 10}})
	if err != nil {
		t.Fatal(err)
	}
	if want := math.Hypot(0.3, 0.4); math.Abs(a.spacing-want) > 1e-14 || a.nearest != [2]int{0, 2} {
		t.Errorf("smallest spacing %v between %v, want %v between 0 and 2", a.spacing, a.nearest, want)
	}
	// It is in nodes, whatever the unit of positions.
	g.Spacing = 0.5
	a, err = newOverlap(g, deltaNamed(t, "roma3"), []geometry.Vec{{0.05, 2.5}, {1.5, 2.5}, {9.9, 2.7}, {5, 5}})
	if err != nil {
		t.Fatal(err)
	}
	if want := math.Hypot(0.3, 0.4); math.Abs(a.spacing-want) > 1e-14 || a.nearest != [2]int{0, 2} {
		t.Errorf("h = 0.5: smallest spacing %v between %v, want %v between 0 and 2", a.spacing, a.nearest, want)
	}
}

func TestWeightsArePositiveAtTheSafeSpacing(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, name := range DeltaNames() {
		d := deltaNamed(t, name)
		for dim, diameters := range map[int][]float64{2: {8, 12.7, 40}, 3: {8, 12.7, 20}} {
			if name == "roma3" { // once with more markers than are solved for directly
				diameters = append(diameters, 32)
			}
			for _, diameter := range diameters {
				g, x := body(t, dim, diameter, SafeSpacing(d, dim))
				weights, condition, err := PinelliWeights(g, d, x)
				if err != nil {
					t.Errorf("%s, D = %v in %dD: %v", name, diameter, dim, err)
					continue
				}
				// A ε = 1 to the solver's tolerance.
				a, err := newOverlap(g, d, x)
				if err != nil {
					t.Fatal(err)
				}
				one := make([]float64, len(x))
				a.multiply(one, weights)
				for k := range one {
					if math.Abs(one[k]-1) > 1e-10 {
						t.Fatalf("%s, D = %v in %dD: (A ε)[%d] = %v, want 1", name, diameter, dim, k, one[k])
					}
				}
				// Every marker takes part (hat2 comes nearest to dropping one).
				mean := 0.
				for _, e := range weights {
					mean += e / float64(len(weights))
				}
				if least := slices.Min(weights); least < 0.3*mean {
					t.Errorf("%s, D = %v in %dD: a weight is %v, want at least 0.3 of the mean %v", name, diameter, dim, least, mean)
				}
				if condition < 1 || condition > 1e3 {
					t.Errorf("%s, D = %v in %dD: condition number %v, want 1 to 1000", name, diameter, dim, condition)
				}
			}
		}
	}
}

// At one node apart on a circle roma3 is well-conditioned and even: ε is twice
// the spacing, within the ±15 % that the place of markers in their cells makes.
func TestRoma3WeightsOnACircleOneNodeApartAreEven(t *testing.T) {
	for _, diameter := range []float64{10, 20, 40} {
		g, x := body(t, 2, diameter, 1)
		weights, condition, err := PinelliWeights(g, deltaNamed(t, "roma3"), x)
		if err != nil {
			t.Fatal(err)
		}
		for k, e := range weights {
			if e < 1.6 || e > 2.3 {
				t.Errorf("D = %v: weight %d is %v, want 1.6 to 2.3", diameter, k, e)
			}
		}
		if condition > 300 {
			t.Errorf("D = %v: condition number %v, want less than 300", diameter, condition)
		}
	}
}

func TestConjugateGradientsAgreeWithCholesky(t *testing.T) {
	for _, name := range DeltaNames() {
		d := deltaNamed(t, name)
		g, x := body(t, 3, 12, SafeSpacing(d, 3))
		a, err := newOverlap(g, d, x)
		if err != nil {
			t.Fatal(err)
		}
		direct, c1 := solveDense(a)
		iterated, c2 := solveSparse(a)
		for k := range direct {
			// Both leave 1e-12 in A ε; its inverse makes at most condition times
			// as much of it.
			if math.Abs(direct[k]-iterated[k]) > 1e-12*c1*direct[k] {
				t.Fatalf("%s: weight %d is %v by Cholesky, %v by conjugate gradients", name, k, direct[k], iterated[k])
			}
		}
		// One estimates it in the 1-norm, the other in the 2-norm.
		if r := c1 / c2; r < 0.5 || r > 4 {
			t.Errorf("%s: condition number %v by Cholesky, %v by conjugate gradients", name, c1, c2)
		}
	}
}

// Markers apart from each other have a diagonal matrix with few different
// elements: conjugate gradients end after as many steps, and what they say of
// the condition number is exact. For hat2 the elements are (1−2r+2r²) per axis.
func TestConjugateGradientsKnowTheConditionNumber(t *testing.T) {
	g := Grid{Dim: 2, Size: [3]int{40, 40, 1}}
	x := []geometry.Vec{{3, 3}, {9, 3.5}, {15.5, 3.5}, {22.25, 3}, {29, 29}, {35.5, 29.5}}
	a, err := newOverlap(g, deltaNamed(t, "hat2"), x)
	if err != nil {
		t.Fatal(err)
	}
	weights, condition := solveSparse(a)
	for k, want := range []float64{1, 2, 4, 1.6, 1, 4} {
		if math.Abs(weights[k]-want) > 1e-11 { // 4 times the solver's tolerance
			t.Errorf("weight %d is %v, want %v", k, weights[k], want)
		}
	}
	if math.Abs(condition-4) > 1e-4 { // bisection stops at 1e-6 of the largest
		t.Errorf("condition number %v, want 4", condition)
	}
}

func TestTridiagonalEigenvaluesAgreeWithTheDenseSolver(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{1, 2, 7, 30} {
		var m tridiagonal
		full := mat.NewSymDense(n, nil)
		for i := range n {
			m.diagonal = append(m.diagonal, 3+r.Float64())
			full.SetSym(i, i, m.diagonal[i])
			if i > 0 {
				m.beside = append(m.beside, r.Float64())
				full.SetSym(i, i-1, m.beside[i-1])
			}
		}
		var dense mat.EigenSym
		if !dense.Factorize(full, false) {
			t.Fatal("no eigenvalues")
		}
		for i, want := range dense.Values(nil) {
			if got := m.eigenvalue(i); math.Abs(got-want) > 1e-5 { // bisection stops at 1e-6 of the largest
				t.Errorf("n = %d: eigenvalue %d is %v, want %v", n, i, got, want)
			}
		}
	}
}

func TestMarkersTooCloseAreRefused(t *testing.T) {
	for _, test := range []struct {
		name     string
		dim      int
		diameter float64
		spacing  float64
	}{
		{"roma3", 2, 20, 0.5},
		{"peskin4", 2, 20, 0.8}, // even–odd: dependent though not near
		{"cosine4", 2, 20, 0.3},
		{"hat2", 3, 10, 0.8},
		{"bspline4", 2, 20, 0.7},
		{"m4prime", 2, 20, 0.7},
		{"ib6", 2, 20, 0.8},
	} {
		d := deltaNamed(t, test.name)
		g, x := body(t, test.dim, test.diameter, test.spacing)
		weights, _, err := PinelliWeights(g, d, x)
		if err == nil || weights != nil {
			t.Errorf("%+v: accepted", test)
			continue
		}
		for _, say := range []string{test.name, "smallest spacing 0.", "set the marker spacing to at least 1"} {
			if !strings.Contains(err.Error(), say) {
				t.Errorf("%+v: error %q does not say %q", test, err, say)
			}
		}
	}
	// Conjugate gradients, which serve more markers than these, find it too.
	d := deltaNamed(t, "roma3")
	g, x := body(t, 3, 8, 0.6)
	a, err := newOverlap(g, d, x)
	if err != nil {
		t.Fatal(err)
	}
	weights, condition := solveSparse(a)
	if err := a.judge("roma3", weights, condition, 1.2); err == nil {
		t.Errorf("conjugate gradients: weights of a sphere with markers 0.6 nodes apart are accepted")
	}
	two := []geometry.Vec{{5.2, 5.2}, {9, 9}, {5.2, 5.2}}
	_, condition, err = PinelliWeights(Grid{Dim: 2, Size: [3]int{20, 20, 1}}, d, two)
	if err == nil || !strings.Contains(err.Error(), "markers 0 and 2") || condition < maxCondition {
		t.Errorf("the same marker twice: condition %v, error %v", condition, err)
	}
}

func TestWeightsOfFewMarkers(t *testing.T) {
	g := Grid{Dim: 2, Size: [3]int{20, 20, 1}}
	d := deltaNamed(t, "roma3")
	if w, c, err := PinelliWeights(g, d, nil); len(w) != 0 || c != 1 || err != nil {
		t.Errorf("no markers: %v, %v, %v", w, c, err)
	}
	// One marker on its own: ε = 1/Σδ² = 1/(1/2)², wherever it is.
	w, c, err := PinelliWeights(g, d, []geometry.Vec{{7.3, 8.9}})
	if err != nil || math.Abs(w[0]-4) > 1e-14 || math.Abs(c-1) > 1e-14 {
		t.Errorf("one marker: %v, %v, %v, want 4, 1", w, c, err)
	}
	if _, _, err := PinelliWeights(g, d, []geometry.Vec{{0.2, 5}}); err == nil {
		t.Error("a marker at the wall is accepted")
	}
	g.Dim = 1
	if _, _, err := PinelliWeights(g, d, nil); err == nil {
		t.Error("a grid of one dimension is accepted")
	}
}
