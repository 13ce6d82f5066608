package ib

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
)

// fastest is the largest eigenvalue of A·diag ε, by power iteration.
func fastest(a *overlap, weights []float64) (eigenvalue float64) {
	r := rand.New(rand.NewPCG(13, 14))
	v, y := make([]float64, a.n()), make([]float64, a.n())
	for k := range v {
		v[k] = r.Float64() - 0.5
	}
	for range 200 {
		for k := range y {
			y[k] = v[k] * weights[k]
		}
		a.multiply(v, y)
		eigenvalue = 0
		for _, e := range v {
			eigenvalue = max(eigenvalue, math.Abs(e))
		}
		for k := range v {
			v[k] /= eigenvalue
		}
	}
	return eigenvalue
}

// One application turns a slip along an eigenvector into 1 − λ times itself.
func TestNoSlipGrowsAtTheSafeSpacing(t *testing.T) {
	for _, name := range DeltaNames() {
		d := deltaNamed(t, name)
		for dim, most := range map[int]float64{2: 1.3, 3: 1.6} {
			g, x := body(t, dim, 10, SafeSpacing(d, dim))
			weights, _, err := PinelliWeights(g, d, x)
			if err != nil {
				t.Fatal(err)
			}
			a, err := newOverlap(g, d, x)
			if err != nil {
				t.Fatal(err)
			}
			if name != "m4prime" {
				most = 1 // no weight is negative
			}
			got := fastest(a, weights)
			if got > most+1e-9 {
				t.Errorf("%s in %dD: eigenvalue %v, want at most %v", name, dim, got, most)
			}
			// The bound is one, and near.
			if bound := a.growth(weights, 0); !(bound >= got-1e-9 && bound < 1.1*got) {
				t.Errorf("%s in %dD: bound %v, the eigenvalue is %v", name, dim, bound, got)
			}
		}
	}
}

func TestMarkersWhoseSlipWouldGrowAreRefused(t *testing.T) {
	g := Grid{Dim: 2, Size: [3]int{30, 30, 1}}
	var filled []geometry.Vec // a square full of markers
	for j := range 10 {
		for i := range 10 {
			filled = append(filled, geometry.Vec{5.37 + 1.8*float64(i), 5.21 + 1.8*float64(j)})
		}
	}
	d := deltaNamed(t, "m4prime")
	a, err := newOverlap(g, d, filled)
	if err != nil {
		t.Fatal(err)
	}
	weights, _ := solveDense(a)
	if e := fastest(a, weights); slices.Min(weights) <= 0 || e < 2.2 {
		t.Fatalf("least weight %v, largest eigenvalue %v: slip does not grow, this is no test", slices.Min(weights), e)
	}
	weights, _, err = PinelliWeights(g, d, filled)
	if err == nil || weights != nil || !strings.Contains(err.Error(), "use a delta without negative weights") {
		t.Errorf("weights %v, error %v", weights, err)
	}
	if _, _, err := PinelliWeights(g, deltaNamed(t, "roma3"), filled); err != nil {
		t.Errorf("roma3, without negative weights: %v", err)
	}
}

// Where exact weights are of both signs, relaxed ones are positive, take away most
// of a uniform slip at once and let no slip grow.
func TestForcingWeightsSuitAnyMarkers(t *testing.T) {
	g := Grid{Dim: 2, Size: [3]int{64, 64, 1}}
	ring := func(n int, radius func(angle float64) float64) (x []geometry.Vec) {
		for k := range n {
			angle := 2 * math.Pi * float64(k) / float64(n)
			sin, cos := math.Sincos(angle)
			x = append(x, geometry.Vec{31.7 + radius(angle)*cos, 32.2 + radius(angle)*sin})
		}
		return x
	}
	bodies := map[string][]geometry.Vec{
		"close":    ring(200, func(float64) float64 { return 12 }), // 0.38 nodes apart
		"leaf":     ring(60, func(a float64) float64 { return 12 * math.Abs(math.Cos(a)) }),
		"repeated": append(ring(70, func(float64) float64 { return 12 }), ring(70, func(float64) float64 { return 12 })...),
	}
	for name, x := range bodies {
		for _, delta := range []string{"roma3", "hat2", "cosine4"} {
			d := deltaNamed(t, delta)
			weights, _, exact, err := ForcingWeights(g, d, x)
			if err != nil || exact {
				t.Errorf("%s %s: exact %v, error %v", name, delta, exact, err)
				continue
			}
			a, err := newOverlap(g, d, x)
			if err != nil {
				t.Fatal(err)
			}
			left := make([]float64, len(x))
			a.multiply(left, weights)
			sum := 0.
			for k := range left {
				sum += math.Abs(1-left[k]) / float64(len(x))
				if !(weights[k] > 0) {
					t.Errorf("%s %s: weight %d is %g", name, delta, k, weights[k])
				}
			}
			if sum > 0.05 {
				t.Errorf("%s %s: %.3g of a uniform slip is left on average", name, delta, sum)
			}
			if growth := a.growth(weights, maxGrowth); growth > 1.5 {
				t.Errorf("%s %s: slip may grow, eigenvalue up to %g", name, delta, growth)
			}
		}
	}
	if _, _, exact, err := ForcingWeights(g, deltaNamed(t, "roma3"), ring(75, func(float64) float64 { return 12 })); err != nil || !exact {
		t.Errorf("markers a node apart: exact %v, error %v", exact, err)
	}
}
