package bench

import (
	"math"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/lbm"
)

// cavity is a box of walls with a lid, the upper face, that has just started to
// move along x. Below the middle of the lid the flow is that of Stokes' first
// problem, u = U erfc(d/√(4νt)) at distance d, until it feels the other walls.
type cavity struct{ base }

const lidSpeed = 0.05

func (f *cavity) configure(c *lbm.Config) {
	for a := range f.dim {
		walls(c, a)
	}
	c.Faces[3] = lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{lidSpeed} }}
}

func (*cavity) state([3]float64) (float64, [3]float64) { return 1, [3]float64{} }

func (f *cavity) span() int { return layerTime(f.narrowest()) }

// layerTime is the time in steps in which a viscous layer grows to a sixteenth of
// the distance of two walls, n nodes, where the middle does not feel it; at most
// as many steps as keep the flow slow.
func layerTime(n int) int {
	const atMost = 240
	return min(atMost, int(float64(n*n)/(16*16*viscosity)))
}

func (f *cavity) check(v view, steps int) []harness.Check {
	t := math.Sqrt(4 * viscosity * float64(steps))
	worst, fastest := 0., 0.
	v.eachRow(func(y, z int, _ []float64, u *[3][]float64) {
		for x := range u[0] {
			fastest = harness.Worse(fastest, speedAt(u, f.dim, x))
		}
		if f.dim == 3 && z != f.size[2]/2 {
			return
		}
		d := float64(f.size[1]-1-y) + 0.5
		worst = harness.Worse(worst, math.Abs(u[0][f.size[0]/2]/lidSpeed-math.Erfc(d/t)))
	})
	return []harness.Check{
		// The sudden start is smeared over a few steps; and what the lid drags along
		// returns below it.
		{Name: "deviation from Stokes' layer below the lid, over its speed", Value: worst, Bound: 0.03 + 0.5/float64(steps) + 2*t/float64(f.narrowest())},
		{Name: "largest speed over the lid's", Value: fastest / lidSpeed, Bound: 1},
		f.mass(v, steps),
	}
}

func speedAt(u *[3][]float64, dim, x int) float64 {
	s := 0.
	for a := range dim {
		s += u[a][x] * u[a][x]
	}
	return math.Sqrt(s)
}

// duct is a fluid between walls, periodic along x, on which a force along x has
// just begun to act. It is accelerated as a whole but for a layer at the walls,
//
//	u = g t (1 − 4 i²erfc(d/√(4νt))),
//
// Carslaw & Jaeger, Conduction of Heat in Solids (1959), section 2.9, where one
// wall is near and the others are far.
type duct struct{ base }

const ductForce = 2e-4 // g

func (f *duct) configure(c *lbm.Config) {
	for a := 1; a < f.dim; a++ {
		walls(c, a)
	}
	c.Force[0] = ductForce
}

func (*duct) state([3]float64) (float64, [3]float64) { return 1, [3]float64{} }

func (f *duct) span() int {
	n := f.size[1]
	if f.dim == 3 {
		n = min(n, f.size[2])
	}
	return layerTime(n)
}

// layer is 4 i²erfc(x), the second integral of erfc.
func layer(x float64) float64 {
	return (1+2*x*x)*math.Erfc(x) - 2*x*math.Exp(-x*x)/math.Sqrt(math.Pi)
}

func (f *duct) check(v view, steps int) []harness.Check {
	t := float64(steps)
	thickness := math.Sqrt(4 * viscosity * t)
	const far = 3 // thicknesses: the layer is 1e-5 there
	distance := func(i, a int) float64 { return float64(min(i, f.size[a]-1-i)) + 0.5 }
	worst, across := 0., 0.
	v.eachRow(func(y, z int, _ []float64, u *[3][]float64) {
		for x := range u[0] {
			for a := 1; a < f.dim; a++ {
				across = harness.Worse(across, math.Abs(u[a][x]))
			}
		}
		near, other := distance(y, 1)/thickness, math.Inf(1)
		if f.dim == 3 {
			other = distance(z, 2) / thickness
		}
		if near = math.Min(near, other); math.Max(distance(y, 1)/thickness, other) < far {
			return // a corner
		}
		want := 1 - layer(near)
		for _, ux := range u[0] {
			worst = harness.Worse(worst, math.Abs(ux/(ductForce*t)-want))
		}
	})
	return []harness.Check{
		// BGK slips at walls until the layer spans nodes.
		{Name: "deviation from the accelerated profile, over its peak", Value: worst, Bound: 0.02 + 3/t},
		{Name: "velocity across the duct, over the peak", Value: across / (ductForce * t), Bound: 0.01},
		f.mass(v, steps),
	}
}

// stream is a uniform flow that enters at the left, leaves at the right and
// slides along the other faces: those of a body in a free stream. It must stay
// uniform.
type stream struct{ base }

const streamSpeed = 0.05

func (f *stream) configure(c *lbm.Config) {
	c.Faces[0] = lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{streamSpeed} }}
	c.Faces[1].Kind = lbm.Outflow
	for i := 2; i < 2*f.dim; i++ {
		c.Faces[i].Kind = lbm.FreeSlip
	}
}

func (*stream) state([3]float64) (float64, [3]float64) {
	return 1, [3]float64{streamSpeed}
}

// span bounds what rounding can gather.
func (*stream) span() int { return 1000 }

func (f *stream) check(v view, steps int) []harness.Check {
	worst, density := 0., 0.
	v.eachRow(func(_, _ int, rho []float64, u *[3][]float64) {
		for x, r := range rho {
			u[0][x] -= streamSpeed
			worst = harness.Worse(worst, speedAt(u, f.dim, x))
			density = harness.Worse(density, math.Abs(r-1))
		}
	})
	return []harness.Check{
		{Name: "deviation from the uniform velocity, over its speed", Value: worst / streamSpeed, Bound: f.drift(steps)},
		{Name: "deviation from the uniform density", Value: density, Bound: f.drift(steps)},
	}
}
