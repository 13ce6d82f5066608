package ib

import (
	"math"
	"testing"
)

// TestSlopesAreThoseOfWeights holds slopes against differences of weights, and their moments against what follows from those of φ.
func TestSlopesAreThoseOfWeights(t *testing.T) {
	const h = 1e-6
	found := 0
	for _, name := range DeltaNames() {
		d, err := NewDelta[float64](name)
		if err != nil {
			t.Fatal(err)
		}
		s, ok := d.(Sloped[float64])
		if !ok {
			continue
		}
		found++
		for x := 3.; x < 5; x += 0.0131 {
			var w, again, slope, up, down [MaxSupport]float64
			first := s.Slopes(&w, &slope, x)
			if d.Weights(&again, x) != first || again != w {
				t.Fatalf("%s at %g: other weights", name, x)
			}
			if d.Weights(&up, x+h) != first || d.Weights(&down, x-h) != first {
				continue // on both sides of a node
			}
			sum, moment := 0., 0.
			for j := range d.Support() {
				sum, moment = sum+slope[j], moment+slope[j]*(x-float64(first+j))
				if want := (up[j] - down[j]) / (2 * h); math.Abs(slope[j]-want) > 1e-8 {
					t.Errorf("%s: φ′ of node %d at %g is %g, want %g", name, j, x, slope[j], want)
				}
			}
			if math.Abs(sum) > 1e-15 || math.Abs(moment+1) > 1e-14 {
				t.Errorf("%s at %g: Σφ′ = %g, Σ(x−j)φ′ = %g", name, x, sum, moment)
			}
		}
	}
	if found < 2 {
		t.Errorf("%d deltas have slopes", found)
	}
}
