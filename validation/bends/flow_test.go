package main

import (
	"math"
	"testing"
)

// At small curvature the velocity across the bend in the middle is a/(72 R) Re times the largest along it, and friction follows Dean's series,
// 1 + 0.0306 (K/576)², K = 2 Re² a/R (Dean, Phil. Mag. 5 (1928) 673).
func TestSlightBendsAreDeans(t *testing.T) {
	const curvature, reynolds = 1e-4, 600
	b := newBend(curvature, 4*reynolds, 7)
	if err := b.reaches(reynolds); err != nil {
		t.Fatal(err)
	}
	k := 2 * reynolds * reynolds * curvature / 576
	if more, want := b.friction()-1, 0.0306*k*k; math.Abs(more/want-1) > 0.05 {
		t.Errorf("friction is %g more than a straight tube's, want %g within 5 %%", more, want)
	}
	_, out, _ := b.velocity(0, 0)
	if got, want := out/b.mean(), 2*reynolds*curvature/72; math.Abs(got/want-1) > 0.005 {
		t.Errorf("across the bend it is %g of the mean, want %g within 0.5 %%", got, want)
	}
}
