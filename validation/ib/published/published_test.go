package published

import (
	"math"
	"testing"
)

// The paper's own ratios, as its text tells them.
func TestPublishedSpeedupsAreThoseOfTheTable(t *testing.T) {
	if v := KassenSpeedup(KassenGPU, Interpolate, 3, 64); math.Abs(v-76) > 1 { // "approximately 77×" from its Figure 4
		t.Errorf("the GPU interpolates %.1f times as fast as one core", v)
	}
	for _, r := range KassenTable1 {
		serial := r.Device == KassenOne
		if v := KassenSpeedup(r.Device, r.Op, r.Number, 128); (v == 1) != serial || v < 1 {
			t.Errorf("%s %s %d: speed-up %g", r.Device, r.Op, r.Number, v)
		}
	}
	if KassenSeconds(KassenOne, Spread, 2, 48) != 0 || KassenNumber(Spread, "blocks") != 0 || KassenNumber(Interpolate, "buffered") != 3 {
		t.Error("numbers that are not in the paper")
	}
}

// The orders of Tables 3 and 4 are those of their differences, to the digits of these, but for the one that is misprinted.
func TestPublishedOrdersAreThoseOfTheDifferences(t *testing.T) {
	for n, table := range [][]KassenDifference{KassenTable3, KassenTable4} {
		for i := 1; i < len(table); i++ {
			last, r := table[i-1], table[i]
			for _, c := range []struct{ printed, is float64 }{{r.L2Order, math.Log2(last.L2 / r.L2)}, {r.MaxOrder, math.Log2(last.Max / r.Max)}} {
				if misprinted := n == 0 && i == 1 && c.printed == r.L2Order; (math.Abs(c.printed-c.is) > 2e-4) != misprinted {
					t.Errorf("Table %d, h = %g: %g is printed, the differences have %g", 3+n, r.H, c.printed, c.is)
				}
			}
		}
	}
}
