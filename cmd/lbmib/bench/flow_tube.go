package bench

import (
	"math"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/lbm"
)

// tube is a round tube along y through the middle of a box all of whose other nodes are walls, periodic, on which a force along it
// has just begun to act: farther from the wall than that is felt the fluid moves as a whole, u = g t.
type tube struct{ base }

// radius leaves two nodes of wall.
func (f *tube) radius() float64 { return float64(min(f.size[0], f.size[2]))/2 - 2 }

// r is how far nodes of a row are from the axis.
func (f *tube) r(x, z int) float64 {
	return math.Hypot(float64(x)-float64(f.size[0]-1)/2, float64(z)-float64(f.size[2]-1)/2)
}

func (f *tube) configure(c *lbm.Config) {
	c.Force[1] = ductForce
	c.Solid = make([]bool, c.Nodes())
	for n := range c.Solid {
		p := c.Position(n)
		c.Solid[n] = f.r(p[0], p[2]) > f.radius()
	}
}

func (*tube) state([3]float64) (float64, [3]float64) { return 1, [3]float64{} }

// span is until the wall is felt halfway to the axis.
func (f *tube) span() int { return layerTime(int(2 * f.radius())) }

func (f *tube) check(v view, steps int) []harness.Check {
	t := float64(steps)
	far := f.radius() - 1 - 3*math.Sqrt(4*viscosity*t)
	worst, mass, n := 0., 0., 0.
	v.eachRow(func(_, z int, rho []float64, u *[3][]float64) {
		for x, r := range rho {
			d := f.r(x, z)
			if d > f.radius() {
				continue // what walls hold is no flow
			}
			mass, n = mass+r-1, n+1
			if d < far {
				worst = harness.Worse(worst, math.Abs(u[1][x]/(ductForce*t)-1))
			}
		}
	})
	return []harness.Check{
		{Name: "deviation from the accelerated velocity around the axis, over it", Value: worst, Bound: 0.02 + 3/t},
		{Name: "relative change of mass", Value: math.Abs(mass / n), Bound: f.drift(steps)},
	}
}
