package ib

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// property says which identities a delta has.
type property struct {
	name         string
	support      int
	firstMoment  bool    // Σ(x−j)φ = 0
	evenOdd      bool    // 1/2 on the even and on the odd nodes
	sumOfSquares float64 // Σφ², 0: not constant
	// values of φ at 0, 1/4, 1/2, … 2, to nine decimals.
	values [9]float64
}

// Peskin 2002; Roma, Peskin & Berger 1999; values evaluated from the formulas.
var properties = []property{
	{"hat2", 2, true, false, 0, [9]float64{1, 0.75, 0.5, 0.25}},
	{"roma3", 3, true, false, 1. / 2, [9]float64{0.666666667, 0.633795940, 0.5, 0.308102030, 0.166666667, 0.058102030}},
	{"peskin4", 4, true, true, 3. / 8, [9]float64{0.5, 0.477859457, 0.426776695, 0.352859457, 0.25, 0.147140543, 0.073223305, 0.022140543}},
	{"cosine4", 4, false, true, 3. / 8, [9]float64{0.5, 0.480969883, 0.426776695, 0.345670858, 0.25, 0.154329142, 0.073223305, 0.019030117}},
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
	// Weights are rounded once each: a few units in the last place of one.
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
		worstFirst := 0.
		for _, x := range shifts() {
			var w [MaxSupport]T
			first := d.Weights(&w, x)
			if first != d.First(x) {
				t.Fatalf("%s(%v): weights begin at %d, First says %d", p.name, x, first, d.First(x))
			}
			var zeroth, moment, even, squares float64
			for i := range p.support {
				v, node := float64(w[i]), first+i
				if v < 0 {
					t.Fatalf("%s(%v): weight %v at node %d is negative", p.name, x, v, node)
				}
				zeroth += v
				moment += (x - float64(node)) * v
				squares += v * v
				if node%2 == 0 {
					even += v
				}
			}
			for i := p.support; i < MaxSupport; i++ {
				if w[i] != 0 {
					t.Fatalf("%s(%v): weight %d beyond the support is written", p.name, x, i)
				}
			}
			check := func(what string, got, want float64) {
				if !(math.Abs(got-want) <= tolerance) {
					t.Fatalf("%s(%v): %s is %v, off %v by %.1e", p.name, x, what, got, want, got-want)
				}
			}
			check("Σφ", zeroth, 1)
			if p.firstMoment {
				check("Σ(x−j)φ", moment, 0)
			}
			if p.evenOdd {
				check("Σφ on even nodes", even, 0.5)
			}
			if p.sumOfSquares > 0 {
				check("Σφ²", squares, p.sumOfSquares)
			}
			worstFirst = max(worstFirst, math.Abs(moment))
		}
		// The cosine's first moment is known not to vanish, by 0.02109.
		if !p.firstMoment && math.Abs(worstFirst-0.02109) > 1e-5 {
			t.Errorf("%s: |Σ(x−j)φ| is up to %v, want 0.02109", p.name, worstFirst)
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
				x := 5 + side*float64(q)/4 // φ(x−5) is the weight of node 5
				var w [MaxSupport]T
				got, i := 0., 5-d.Weights(&w, x)
				if i >= 0 && i < MaxSupport {
					got = float64(w[i])
				}
				if math.Abs(got-want) > tolerance {
					t.Errorf("%s: φ(%v) = %v, want %v", p.name, x-5, got, want)
				}
			}
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
