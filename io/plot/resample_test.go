package plot

import (
	"math"
	"testing"
)

func TestResamplingConservesArea(t *testing.T) {
	for _, c := range [][2]int{{16, 992}, {800, 1340}, {1600, 1340}, {7, 7}, {1000, 3}, {3, 1000}, {1, 1}, {101, 97}} {
		n, m := c[0], c[1]
		covered := make([]float64, n)
		for i, cells := range overlaps(n, m) {
			sum := 0.0
			for _, o := range cells {
				sum += o.share
				covered[o.cell] += o.share
			}
			if math.Abs(sum-1) > 1e-6 { // slivers below 1e-9 of a pixel are dropped
				t.Errorf("%d cells on %d pixels: pixel %d is covered to %g", n, m, i, sum)
			}
		}
		for j, a := range covered {
			if want := float64(m) / float64(n); math.Abs(a-want) > 1e-6*want {
				t.Errorf("%d cells on %d pixels: cell %d has %g pixels, expected %g", n, m, j, a, want)
			}
		}
	}
}

func TestShrinkingAveragesWhatCanBeDrawn(t *testing.T) {
	nan := math.NaN()
	f := &Field{Nx: 4, Ny: 2, Values: []float64{
		0, 1, nan, 3,
		2, 1, 3, 3,
	}}
	s := scale{lo: 0, hi: 4, colors: sequential()}
	img := resample(f, &s, 2, 1)
	if got, want := img.RGBAAt(0, 0), s.color(1); got != want {
		t.Errorf("average of 0, 1, 2, 1: colour %v, expected %v", got, want)
	}
	// Three of four nodes, all 3: their colour, three quarters opaque.
	if got := img.RGBAAt(1, 0); got.A != 191 || math.Abs(float64(got.G)/0.75-float64(s.color(3).G)) > 1 {
		t.Errorf("average of 3, 3, 3 and a hole: %v, expected %v at ¾", got, s.color(3))
	}
}

func TestGrowingRepeatsCells(t *testing.T) {
	f := &Field{Nx: 2, Ny: 2, Values: []float64{0, 1, 2, 3}}
	s := scale{lo: 0, hi: 3, colors: sequential()}
	img := resample(f, &s, 6, 4)
	for y := range 4 {
		for x := range 6 {
			cell := (1-y/2)*2 + x/3 // the first row of the image is the last of the field
			if got, want := img.RGBAAt(x, y), s.color(f.Values[cell]); got != want {
				t.Errorf("pixel (%d, %d): %v, expected %v of cell %d", x, y, got, want, cell)
			}
		}
	}
}
