package ib

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// span is the least and the greatest value of a sum over all shifts of the grid.
// Where they are equal, the sum is the same for every shift.
type span struct{ least, greatest float64 }

func always(v float64) span { return span{v, v} }
func within(v float64) span { return span{-v, v} }

// property says what a delta promises of its weights.
type property struct {
	name    string
	support int
	smooth  int  // how many of its derivatives are continuous
	first   span // Σ(x−j)φ
	second  span // Σ(x−j)²φ
	third   span // Σ(x−j)³φ
	even    span // Σφ on the even nodes
	squares span // Σφ²
	weight  span // φ(x−j) of a node in the support
	// values of φ at 0, 1/4, 1/2, … 11/4, to nine decimals.
	values [12]float64
}

// The constants are those of Peskin 2002; Roma, Peskin & Berger 1999; Schoenberg
// 1946; Monaghan 1985; Bao, Kaye & Peskin 2016, and fractions where they are known
// as such. Seven decimals: extremes over 20,000 shifts, evaluated from the
// piecewise formulas of these papers.
var properties = []property{
	{"hat2", 2, 0,
		always(0), span{0, 1. / 4}, within(0.0962250), span{0, 1}, span{1. / 2, 1}, span{0, 1},
		[12]float64{1, 0.75, 0.5, 0.25}},
	{"roma3", 3, 1,
		always(0), span{1. / 4, 1. / 3}, within(0.0165096), span{1. / 3, 2. / 3}, always(1. / 2), span{0, 2. / 3},
		[12]float64{0.666666667, 0.633795940, 0.5, 0.308102030, 0.166666667, 0.058102030}},
	{"bspline3", 3, 1,
		always(0), always(1. / 4), within(0.0481125), span{1. / 4, 3. / 4}, span{1. / 2, 19. / 32}, span{0, 3. / 4},
		[12]float64{0.75, 0.6875, 0.5, 0.28125, 0.125, 0.03125}},
	{"peskin4", 4, 1,
		always(0), span{1. / 2, 0.5428932}, within(0.0310204), always(1. / 2), always(3. / 8), span{0, 1. / 2},
		[12]float64{0.5, 0.477859457, 0.426776695, 0.352859457, 0.25, 0.147140543, 0.073223305, 0.022140543}},
	{"cosine4", 4, 1,
		within(0.0210882), span{1. / 2, 0.5428932}, within(0.0635029), always(1. / 2), always(3. / 8), span{0, 1. / 2},
		[12]float64{0.5, 0.480969883, 0.426776695, 0.345670858, 0.25, 0.154329142, 0.073223305, 0.019030117}},
	{"bspline4", 4, 2,
		always(0), always(1. / 3), always(0), span{1. / 3, 2. / 3}, span{0.4600694, 1. / 2}, span{0, 2. / 3},
		[12]float64{0.666666667, 0.611979167, 0.479166667, 0.315104167, 0.166666667, 0.070312500, 0.020833333, 0.002604167}},
	{"m4prime", 4, 1,
		always(0), always(0), within(0.0962250), span{0, 1}, span{41. / 64, 1}, span{-2. / 27, 1},
		[12]float64{1, 0.867187500, 0.5625, 0.226562500, 0, -0.070312500, -0.0625, -0.023437500}},
	{"ib6", 6, 3,
		always(0), always(0.714075092976608131), always(0), always(1. / 2), always(0.325777615390186412), span{0, 0.446481227},
		[12]float64{0.446481227, 0.431221688, 0.388539721, 0.325168575, 0.25, 0.174648694, 0.109181031, 0.059122137, 0.026759387, 0.009656174, 0.002279247, 0.000182731}},
}

// shifts are positions that cover a node's surroundings densely, exact nodes
// and halves, both sides of them, and coordinates below zero.
func shifts() (x []float64) {
	const n = 4001
	for i := range n {
		x = append(x, 7+2*float64(i)/(n-1), -7+2*float64(i)/(n-1))
	}
	for _, c := range []float64{-3, -0.5, 0, 0.5, 1, 8, 1000.5} {
		x = append(x, c, math.Nextafter(c, -1e9), math.Nextafter(c, 1e9))
	}
	return x
}

func TestDeltaIdentities(t *testing.T) {
	// Weights are rounded once each: a few units in the last place of one. The
	// distances that moments weigh them with are up to 3, cubed 27, but the
	// farthest weights are small, and so is what they are rounded by.
	t.Run("f64", func(t *testing.T) { testIdentities[float64](t, 4*0x1p-52) })
	t.Run("f32", func(t *testing.T) { testIdentities[float32](t, 4*0x1p-23) })
}

func testIdentities[T Float](t *testing.T, tolerance float64) {
	for _, p := range properties {
		d, err := NewDelta[T](p.name)
		if err != nil {
			t.Fatal(err)
		}
		if d.Name() != p.name || d.Support() != p.support {
			t.Errorf("%s calls itself %s with %d nodes, want %d", p.name, d.Name(), d.Support(), p.support)
		}
		sums := []struct {
			what string
			want span
			seen span
		}{
			{"Σφ", always(1), span{}},
			{"Σ(x−j)φ", p.first, span{}},
			{"Σ(x−j)²φ", p.second, span{}},
			{"Σ(x−j)³φ", p.third, span{}},
			{"Σφ on even nodes", p.even, span{}},
			{"Σφ²", p.squares, span{}},
			{"least φ", span{p.weight.least, math.Inf(1)}, span{}},
			{"greatest φ", span{math.Inf(-1), p.weight.greatest}, span{}},
		}
		for i := range sums {
			sums[i].seen = span{math.Inf(1), math.Inf(-1)}
		}
		for _, x := range shifts() {
			for i, v := range weightSums(t, d, x) {
				s := &sums[i]
				s.seen = span{min(s.seen.least, v), max(s.seen.greatest, v)}
				// Extremes are known to seven decimals.
				slack := tolerance
				if s.want.least != s.want.greatest {
					slack += 1e-7
				}
				if !(v >= s.want.least-slack && v <= s.want.greatest+slack) {
					t.Fatalf("%s(%v): %s is %v, off %v by %.1e", p.name, x, s.what, v, s.want, max(s.want.least-v, v-s.want.greatest))
				}
			}
		}
		for _, s := range sums {
			// Shifts are 5e-4 apart: extremes between them are missed by less
			// than the square of half of that, times the curvature.
			reached := func(seen, want float64) bool { return math.IsInf(want, 0) || math.Abs(seen-want) < 1e-6 }
			if !reached(s.seen.least, s.want.least) || !reached(s.seen.greatest, s.want.greatest) {
				t.Errorf("%s: %s is between %v and %v, want %v", p.name, s.what, s.seen.least, s.seen.greatest, s.want)
			}
		}
	}
}

// weightSums are the sums that a property bounds, for a point at x.
func weightSums[T Float](t *testing.T, d Delta[T], x float64) [8]float64 {
	t.Helper()
	var w [MaxSupport]T
	first := d.Weights(&w, x)
	if first != d.First(x) {
		t.Fatalf("%s(%v): weights begin at %d, First says %d", d.Name(), x, first, d.First(x))
	}
	var zeroth, moment1, moment2, moment3, even, squares float64
	least, greatest := math.Inf(1), math.Inf(-1)
	for i := range d.Support() {
		v, node := float64(w[i]), first+i
		r := x - float64(node)
		zeroth += v
		moment1 += r * v
		moment2 += r * r * v
		moment3 += r * r * r * v
		squares += v * v
		if node%2 == 0 {
			even += v
		}
		least, greatest = min(least, v), max(greatest, v)
	}
	for i := d.Support(); i < MaxSupport; i++ {
		if w[i] != 0 {
			t.Fatalf("%s(%v): weight %d beyond the support is written", d.Name(), x, i)
		}
	}
	return [8]float64{zeroth, moment1, moment2, moment3, even, squares, least, greatest}
}

func TestOnlyM4PrimeHasNegativeWeights(t *testing.T) {
	t.Run("f64", testSigns[float64])
	t.Run("f32", testSigns[float32])
}

// No tolerance: a weight that is to be zero must not be rounded below it.
func testSigns[T Float](t *testing.T) {
	for _, p := range properties {
		d, err := NewDelta[T](p.name)
		if err != nil {
			t.Fatal(err)
		}
		negative := false
		for _, x := range shifts() {
			var w [MaxSupport]T
			d.Weights(&w, x)
			negative = negative || slices.Min(w[:]) < 0
		}
		if want := p.name == "m4prime"; negative != want {
			t.Errorf("%s: has negative weights: %v, want %v", p.name, negative, want)
		}
	}
}

func TestDeltaValues(t *testing.T) {
	// Nine decimals are given, so half a unit of the ninth; single precision
	// adds its own rounding.
	t.Run("f64", func(t *testing.T) { testValues[float64](t, 6e-10) })
	t.Run("f32", func(t *testing.T) { testValues[float32](t, 2e-6) })
}

func testValues[T Float](t *testing.T, tolerance float64) {
	for _, p := range properties {
		d, err := NewDelta[T](p.name)
		if err != nil {
			t.Fatal(err)
		}
		for q, want := range p.values {
			for _, side := range []float64{-1, 1} {
				r := side * float64(q) / 4
				if got := phi(d, r); math.Abs(got-want) > tolerance {
					t.Errorf("%s: φ(%v) = %v, want %v", p.name, r, got, want)
				}
			}
		}
	}
}

// phi is φ(r): the weight of node 5 for a point r beyond it.
func phi[T Float](d Delta[T], r float64) float64 {
	var w [MaxSupport]T
	if i := 5 - d.Weights(&w, 5+r); i >= 0 && i < MaxSupport {
		return float64(w[i])
	}
	return 0
}

// Towards the ends of its support a delta vanishes as a power of the distance. A
// weight there must keep its digits: what is computed as a difference of weights of
// the size of one would be rounding alone.
func TestWeightsKeepTheirDigitsWhereTheyVanish(t *testing.T) {
	for _, test := range []struct {
		name  string
		power int
	}{{"hat2", 1}, {"roma3", 2}, {"bspline3", 2}, {"peskin4", 2}, {"bspline4", 3}, {"m4prime", 2}, {"ib6", 4}} {
		d, err := NewDelta[float64](test.name)
		if err != nil {
			t.Fatal(err)
		}
		end := float64(d.Support()) / 2
		near, far := phi(d, 0x1p-30-end), phi(d, 0x1p-20-end)
		// The next power changes the ratio by a few times the larger distance.
		if got, want := far/near, math.Pow(1024, float64(test.power)); !(math.Abs(got/want-1) < 1e-5) {
			t.Errorf("%s: φ grows by %v from 2^-30 to 2^-20 nodes inside its end, want %v", test.name, got, want)
		}
		if other := phi(d, end-0x1p-30); math.Abs(other/near-1) > 1e-12 { // a few roundings
			t.Errorf("%s: φ is %v at one end, %v at the other", test.name, near, other)
		}
	}
}

// Derivatives from both sides of the places where the formulas of φ change.
func TestDeltasAreAsSmoothAsTheySay(t *testing.T) {
	// A difference quotient of order k is off by about h times the next
	// derivative, which is at most 10, and by rounding, 2^k·1e-16/h^k < 0.01.
	const h = 1e-3
	derivative := func(d Delta[float64], r, h float64, k int) float64 {
		sum, binomial := 0., 1.
		for i := range k + 1 {
			sum += binomial * phi(d, r+float64(i)*h)
			binomial *= -float64(k-i) / float64(i+1)
		}
		return sum / math.Pow(-h, float64(k))
	}
	for _, p := range properties {
		d, err := NewDelta[float64](p.name)
		if err != nil {
			t.Fatal(err)
		}
		smooth := math.MaxInt
		for twice := -p.support; twice <= p.support; twice++ {
			for k := range 5 {
				r := float64(twice) / 2
				if jump := derivative(d, r, h, k) - derivative(d, r, -h, k); math.Abs(jump) > 0.1 {
					smooth = min(smooth, k-1)
				}
			}
		}
		if smooth != p.smooth {
			t.Errorf("%s: %d continuous derivatives, want %d", p.name, smooth, p.smooth)
		}
	}
}

func TestEveryDeltaNameIsKnownAndOthersAreRefused(t *testing.T) {
	var names []string
	for _, p := range properties {
		names = append(names, p.name)
	}
	if !slices.Equal(DeltaNames(), names) {
		t.Errorf("names %v, want %v", DeltaNames(), names)
	}
	_, err := NewDelta[float64]("peskin5")
	if err == nil {
		t.Fatal("delta peskin5 is accepted")
	}
	for _, want := range append(names, "peskin5") {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not name %s", err, want)
		}
	}
}

// TestSupportsBeginWhereTheInterfaceSays: orders and supports find the first nodes of many points by that formula.
func TestSupportsBeginWhereTheInterfaceSays(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for _, name := range DeltaNames() {
		d := deltaNamed(t, name)
		n := d.Support()
		for k := range 10_000 {
			x := math.Round(2*(r.Float64()-0.5)*1e3) / 2 // ends of cells
			if k%2 == 0 {
				x = math.Nextafter(x, math.Inf(k%4-1))
			}
			if want := int(math.Floor(x+float64(n%2)/2)) - (n-1)/2; d.First(x) != want {
				t.Fatalf("%s: the support of a point at %v begins at node %d, want %d", name, x, d.First(x), want)
			}
		}
	}
}
