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
