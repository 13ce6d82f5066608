package lbm

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/lbm/internal/simd/dither"
)

const mostNoise = dither.Values - 1

func TestDitherLeavesEveryHalfAsItIs(t *testing.T) {
	for h := range uint16(0x7c01) { // and infinity
		for _, sign := range []uint16{0, 0x8000} {
			v := decode[float32](Half(sign | h))
			for _, d := range []uint32{0, 1, mostNoise / 2, mostNoise} {
				got := truncatedBits(v, d)
				if finite := h < 0x7c00; finite && got != sign|h || !finite && got&0x7c00 != 0x7c00 {
					t.Fatalf("half %#04x becomes %#04x with dither %d", sign|h, got, d)
				}
			}
		}
	}
	if h := truncatedBits(float32(math.NaN()), mostNoise); !math.IsNaN(half(h)) {
		t.Errorf("not a number is stored as %#04x", h)
	}
}

// Over all dithers, each taken once, the mean of what is stored is the value.
func TestDitheredRoundingHasNoBias(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		v := float32(math.Ldexp(1+r.Float64(), -r.IntN(28)-1)) // 2⁻²⁸ to 2, above the subnormal halves
		if r.IntN(2) == 0 {
			v = -v
		}
		v = max(min(v, 65504./halfScale), -65504./halfScale)
		sum, lo, hi := 0., math.Inf(1), math.Inf(-1)
		for d := range uint32(dither.Values) {
			x := half(truncatedBits(v, d))
			sum, lo, hi = sum+x, min(lo, x), max(hi, x)
		}
		if mean, want := sum/dither.Values, float64(v)*halfScale; mean != want { // all are exact in double
			t.Errorf("%g is stored as %g in the mean", want, mean)
		}
		if unit := math.Ldexp(1, int(math.Floor(math.Log2(math.Abs(float64(v)*halfScale))))-10); hi-lo > unit {
			t.Errorf("%g is stored as %g to %g, further apart than a unit, %g", v, lo/halfScale, hi/halfScale, unit/halfScale)
		}
	}
}

func TestDitheringOfTheSmallestAndOfTheLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100000 { // subnormal halves: within their unit
		v := float32(math.Ldexp(r.Float64()-0.5, -28-r.IntN(20)))
		got := half(truncatedBits(v, r.Uint32()&mostNoise)) / halfScale
		if d := math.Abs(got - float64(v)); !(d < 0x1p-39) {
			t.Fatalf("%g is stored as %g, off by %g, bound 2⁻³⁹", v, got, d)
		}
	}
	for v, want := range map[float32]uint16{2: 0x7bff, -3: 0xfbff, 1e20: 0x7bff, 65519. / halfScale: 0x7bff, 0: 0} {
		if got := truncatedBits(v, mostNoise); got != want {
			t.Errorf("%g is stored as %#04x, want %#04x", v, got, want)
		}
	}
}
