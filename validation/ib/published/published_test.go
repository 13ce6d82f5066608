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
