package lbm

import (
	"math"
	"testing"
)

// A tile is the state, node by node, wherever one begins.
func TestATileIsTheStateThatItRepeats(t *testing.T) {
	collision, err := NewCollision("bgk", 0.05, MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	c := &Config{Lattice: D3Q19, Size: [3]int{12, 9, 8}, Collision: collision}
	force := [3]float64{1e-4, 0, -2e-4}
	wave := func(p [3]float64) (float64, [3]float64) {
		phase := 2 * math.Pi * (p[0]/4 + p[1]/3 + p[2]/2)
		return 1 + 0.01*math.Sin(phase), [3]float64{0.02 * math.Cos(phase), 0.01, 0.03 * math.Sin(phase)}
	}
	alone := func(n int, do func(lo, hi int)) { do(0, n/2); do(n/2, n) }
	for _, period := range [][3]int{{4, 3, 2}, {12, 9, 8}, {4, 9, 2}} {
		tile := NewTile[float64](c, period, force, wave, alone)
		for _, first := range []int{0, 5, 12, 100, 12*9*8 - 1} {
			dst := make([]float64, min(200, 12*9*8-first))
			for i := range c.Lattice.Q {
				tile.Fill(dst, i, first, c.Size)
				for k, got := range dst {
					n := first + k
					want := c.Initial([3]float64{float64(n % 12), float64(n / 12 % 9), float64(n / 108)}, force, wave)[i]
					if math.Abs(got-want) > 1e-14 { // rounding of the phase
						t.Fatalf("period %v, direction %d of node %d is %g, want %g", period, i, n, got, want)
					}
				}
			}
		}
	}
}
