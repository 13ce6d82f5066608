package joined_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// Whatever leaves a level arrives in another: mass is conserved to rounding, also at corners of boxes, through periodic faces and
// beside walls, on any number of levels.
func TestMassIsConserved(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	wall, mirror := lbm.Face{Kind: lbm.NoSlip}, lbm.Face{Kind: lbm.FreeSlip}
	plane := func(faces ...lbm.Face) lbm.Config {
		c := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{64, 48, 1}}
		copy(c.Faces[:], faces)
		return c
	}
	space := plane(lbm.Face{}, lbm.Face{}, wall, mirror)
	space.Lattice, space.Size = lbm.D3Q19, [3]int{32, 24, 16}
	for _, c := range []struct {
		name  string
		cfg   lbm.Config
		boxes []joined.Box
	}{
		{"a box in a periodic domain", plane(), []joined.Box{{Level: 1, Lo: [3]int{16, 12, 0}, Hi: [3]int{40, 32, 1}}}},
		{"a box across a periodic face", plane(), []joined.Box{{Level: 1, Lo: [3]int{0, 12, 0}, Hi: [3]int{40, 32, 1}}}},
		{"a column through a periodic domain", plane(), []joined.Box{{Level: 1, Lo: [3]int{16, 0, 0}, Hi: [3]int{40, 48, 1}}}},
		{"a box at two walls", plane(wall, wall, wall, wall), []joined.Box{{Level: 1, Lo: [3]int{0, 0, 0}, Hi: [3]int{24, 20, 1}}}},
		{"a box at a mirror", plane(wall, wall, mirror, mirror), []joined.Box{{Level: 1, Lo: [3]int{16, 0, 0}, Hi: [3]int{40, 20, 1}}}},
		{"three levels, two boxes", plane(wall, wall, mirror, wall), []joined.Box{
			{Level: 1, Lo: [3]int{8, 8, 0}, Hi: [3]int{56, 48, 1}}, {Level: 2, Lo: [3]int{16, 16, 0}, Hi: [3]int{28, 32, 1}}, {Level: 2, Lo: [3]int{36, 20, 0}, Hi: [3]int{48, 48, 1}}}},
		{"space, a box in a corner of walls", space, []joined.Box{{Level: 1, Lo: [3]int{8, 0, 4}, Hi: [3]int{24, 12, 12}}}},
		{"space, a column", space, []joined.Box{{Level: 1, Lo: [3]int{8, 0, 4}, Hi: [3]int{24, 24, 12}}}},
	} {
		for _, streaming := range lbm.StreamingNames {
			cfg := c.cfg
			cfg.Collision, cfg.Streaming = collision(t, "trt", 0.05), streaming
			f := grids[float64](t, cfg, c.boxes...)
			r := rand.New(rand.NewPCG(1, 2))
			f.Initialize(func([3]float64) (float64, [3]float64) {
				return 1 + 0.01*r.Float64(), [3]float64{0.02 * r.Float64(), 0.01 * r.Float64()}
			})
			before, _ := f.Momentum([3]int{}, cfg.Size)
			advance[float64](f, 200)
			after, _ := f.Momentum([3]int{}, cfg.Size)
			if drift := math.Abs(after/before - 1); !(drift < 1e-13) {
				t.Errorf("%s, %s: mass changed by %.3g of it", c.name, streaming, drift)
			}
		}
	}
}
