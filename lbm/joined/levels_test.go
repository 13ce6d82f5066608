package joined_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// Whatever leaves a level arrives in another: mass is conserved to rounding, also at corners of boxes, through periodic faces and
// beside walls, on any number of levels.
func TestMassIsConserved(t *testing.T) {
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

// Plane Couette flow crosses seams along it and across, and box corners. The walls move apart.
func TestCouette(t *testing.T) {
	const speed, height = 0.05, 64
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{64, height, 1}, Collision: collision(t, "trt", 1./3)}
	flow := func(p [3]float64) [3]float64 { return [3]float64{speed * (2*(p[1]+0.5)/height - 1)} }
	cfg.Faces[2] = lbm.Face{Kind: lbm.MovingWall, Velocity: flow}
	cfg.Faces[3] = cfg.Faces[2]
	for _, c := range []struct {
		name string
		box  joined.Box
	}{
		{"along", joined.Box{Level: 1, Lo: [3]int{0, 16, 0}, Hi: [3]int{64, 40, 1}}},
		{"along, at a wall", joined.Box{Level: 1, Lo: [3]int{0, 0, 0}, Hi: [3]int{64, 24, 1}}},
		{"across", joined.Box{Level: 1, Lo: [3]int{16, 0, 0}, Hi: [3]int{48, 64, 1}}},
		{"with corners", joined.Box{Level: 1, Lo: [3]int{16, 16, 0}, Hi: [3]int{48, 40, 1}}},
	} {
		for _, uniform := range []bool{false, true} {
			f := grids[float64](t, cfg, c.box)
			if uniform {
				f.JoinUniformly()
			}
			f.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, flow(p) })
			advance[float64](f, 8000)
			fmt.Printf("%s uniform %v: %.3g\n", c.name, uniform, worst(f, flow)/speed)
			if c.name[0] != 'a' || c.name == "across" {
				f.EachCell(func(p [3]float64, rho float64, u [3]float64) {
					if e := u[0] - flow(p)[0]; math.Abs(e) > 5e-4*speed && !uniform {
						fmt.Print(p[:2], " ", e/speed, "; ")
					}
				})
			}
		}
	}
}
