package plot

import (
	"image/color"
	"math"
	"testing"
)

func TestExtremesBesideABodyDoNotWashTheMapOut(t *testing.T) {
	const nx, ny = 200, 100
	for name, c := range map[string]struct {
		vorticity func(x, y float64) float64
		lo, hi    float64 // of the limit, around the size of what is to be seen
	}{
		"waves of size 1 and ten nodes of 1000": {func(x, y float64) float64 {
			if y < 0.5 && x < 5 {
				return 1000
			}
			return math.Sin(x) * math.Sin(y)
		}, 0.8, 1.5},
		"a vortex of size 1 in a quiet domain": {func(x, y float64) float64 {
			return math.Exp(-(x-100)*(x-100)/30 - (y-50)*(y-50)/30)
		}, 0.5, 1.5},
		"a layer of size 30 in quiet fluid, just after the start": {func(x, y float64) float64 {
			r := math.Hypot(x-100, y-50)
			if math.Abs(r-5) < 1 {
				return 30 * (y - 50) / r
			}
			return 1e-12 * x
		}, 15, 40},
		"one node of size 7": {func(x, y float64) float64 {
			if x < 1 && y < 1 {
				return -7
			}
			return 0
		}, 7, 8},
		"nothing": {func(x, y float64) float64 { return 0 }, 1, 1},
	} {
		f := sample(nx, ny, nx, ny, c.vorticity)
		f.Diverging = true
		s := newScale(f)
		if s.hi < c.lo || s.hi > c.hi || s.lo != -s.hi {
			t.Errorf("%s: colours from %g to %g, expected a limit in %g … %g", name, s.lo, s.hi, c.lo, c.hi)
		}
	}
}

func TestScaleTellsWhatItCutsOff(t *testing.T) {
	f := sample(10, 10, 10, 10, func(x, y float64) float64 { return x - 4 }) // −3.5 … 5.5
	f.Diverging, f.Limit = true, 5
	if s := newScale(f); s.lo != -5 || s.hi != 5 || s.below || !s.above {
		t.Errorf("limit 5 on −3.5 … 5.5: %g … %g, below %v, above %v", s.lo, s.hi, s.below, s.above)
	}
	f.Diverging, f.Limit = false, 5
	if s := newScale(f); s.lo != -3.5 || s.hi != 5 || s.below || !s.above {
		t.Errorf("sequential, limit 5: %g … %g, below %v, above %v", s.lo, s.hi, s.below, s.above)
	}
}

func TestSpeedStartsAtZeroAndDensityDoesNot(t *testing.T) {
	speed := sample(100, 100, 1, 1, func(x, y float64) float64 { return 0.3 + x })
	if s := newScale(speed); s.lo != 0 || s.hi < 1.29 || s.hi > 1.5 {
		t.Errorf("speed 0.3 … 1.3: scale %g … %g", s.lo, s.hi)
	}
	density := sample(100, 100, 1, 1, func(x, y float64) float64 { return 0.999 + 0.002*x })
	if s := newScale(density); s.lo < 0.998 || s.hi > 1.002 {
		t.Errorf("density 0.999 … 1.001: scale %g … %g", s.lo, s.hi)
	}
	noise := sample(100, 100, 1, 1, func(x, y float64) float64 { return 1 + 1e-14*math.Sin(9*x) })
	if s := newScale(noise); s.hi-s.lo < 1e-7 {
		t.Errorf("rounding noise about 1: scale %g … %g shows it as a pattern", s.lo, s.hi)
	}
}

func TestLargeFieldsAreSampledInEveryColumn(t *testing.T) {
	const nx, ny = 1000, 1000 // a stride of 6 would see every second column only
	f := &Field{Nx: nx, Ny: ny, Values: make([]float64, nx*ny)}
	for i := range f.Values {
		f.Values[i] = float64(i % nx)
	}
	ascending, least, greatest := sorted(f.Values, nx)
	if least != 0 || greatest != nx-1 {
		t.Errorf("extremes %g and %g of 0 … %d", least, greatest, nx-1)
	}
	seen := map[float64]bool{}
	for _, v := range ascending {
		seen[v] = true
	}
	if len(seen) != nx {
		t.Errorf("%d of %d columns are in the sample", len(seen), nx)
	}
}

// luminance is the relative luminance of sRGB.
func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func TestSequentialColoursAreOrderedByLuminance(t *testing.T) {
	colors := sequential()
	step := 16 // eight-bit colours are uneven from one shade to the next
	for i := step; i < shades; i += step {
		if luminance(colors[i]) <= luminance(colors[i-step]) {
			t.Errorf("colour %d, %v, is not brighter than colour %d, %v", i, colors[i], i-step, colors[i-step])
		}
	}
}

func TestDivergingColoursFadeToNeutralAtZero(t *testing.T) {
	s := scale{lo: -1, hi: 1, colors: diverging()}
	if c := s.color(0); max(c.R, c.G, c.B)-min(c.R, c.G, c.B) > 3 || c.R < 245 {
		t.Errorf("colour %v at zero is not neutral and bright", c)
	}
	if c := s.color(-2); !isBlue(c) || c != s.color(-1) {
		t.Errorf("colour %v below the scale, expected the blue end %v", c, s.color(-1))
	}
	if c := s.color(2); !isRed(c) || c != s.color(1) {
		t.Errorf("colour %v above the scale, expected the red end %v", c, s.color(1))
	}
	for v := 0.05; v <= 1; v += 0.05 { // 0.05: eight-bit colours are uneven
		for _, sign := range []float64{-1, 1} {
			if luminance(s.color(sign*v)) >= luminance(s.color(sign*(v-0.05))) {
				t.Errorf("colour at %g is not darker than nearer to zero", sign*v)
			}
		}
	}
}

func TestScaleForPicturesElsewhereIsThatOfAMap(t *testing.T) {
	f := sample(90, 70, 90, 70, func(x, y float64) float64 { return 3 * math.Sin(x/9) * math.Cos(y/7) })
	f.Diverging = true
	s := newScale(f)
	limit := SymmetricLimit(f.Values, f.Nx)
	if limit != s.hi {
		t.Errorf("limit %g, a map's %g", limit, s.hi)
	}
	for _, v := range []float64{-9, -limit, -0.3, 0, 0.7, limit, 9} {
		if got, want := DivergingColor(v, limit), s.color(v); got != want {
			t.Errorf("%g is %v, in a map %v", v, got, want)
		}
	}
	if got, want := DivergingColor(math.NaN(), limit), s.color(0); got != want {
		t.Errorf("NaN is %v, want the colour of zero, %v", got, want)
	}
}
