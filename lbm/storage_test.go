package lbm

import (
	"math"
	"math/rand/v2"
	"testing"
)

// half is the value of a half-precision number by its definition.
func half(h uint16) float64 {
	sign, exponent, fraction := 1., int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return sign * math.Inf(1)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

func TestEveryHalfStandsForItsScaledValue(t *testing.T) {
	for h := range 1 << 16 {
		got, want := float64(decode[float32](Half(h))), half(uint16(h))/(1<<15)
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) || math.Signbit(got) != math.Signbit(want) && !math.IsNaN(want) {
			t.Fatalf("half %#04x is %g, want %g", h, got, want)
		}
		if back := encode[Half](float32(want)); back != Half(h) && !math.IsNaN(want) {
			t.Fatalf("half %#04x comes back as %#04x", h, back)
		}
	}
	if h := encode[Half](float32(math.NaN())); !math.IsNaN(half(uint16(h))) {
		t.Errorf("not a number is stored as %#04x", h)
	}
}

func TestEncodingRoundsToTheNearestHalfTiesToEven(t *testing.T) {
	check := func(v float32) {
		t.Helper()
		got := uint16(encode[Half](v))
		x := float64(v) * (1 << 15)
		off := math.Abs(half(got) - x)
		for _, other := range []uint16{got - 1, got + 1} {
			if other&0x7fff > 0x7bff || got&0x7fff == 0 {
				continue // beyond the largest, or on the other side of zero
			}
			if d := math.Abs(half(other) - x); d < off || d == off && got&1 == 1 {
				t.Fatalf("%g is stored as %g (%#04x), %g is as near", x, half(got), got, half(other))
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for h := range uint16(0x7bff) {
		between := float32((half(h) + half(h+1)) / 2 / (1 << 15)) // a tie
		for _, v := range []float32{between, math.Nextafter32(between, 0), math.Nextafter32(between, 1)} {
			check(v)
			check(-v)
		}
	}
	for range 100000 {
		check(float32(math.Ldexp(r.Float64(), -r.IntN(45))))
	}
	for v, want := range map[float32]uint16{2: 0x7c00, -3: 0xfc00, float32(65519. / (1 << 15)): 0x7bff, 0: 0} {
		if got := uint16(encode[Half](v)); got != want {
			t.Errorf("%g is stored as %#04x, want %#04x", v, got, want)
		}
	}
}

func TestOtherPrecisionsAreStoredAsTheyAre(t *testing.T) {
	if v := 0.1; decode[float64](encode[float64](v)) != v {
		t.Error("a double does not come back")
	}
	if v := float32(0.1); decode[float32](encode[float32](v)) != v {
		t.Error("a single does not come back")
	}
}
