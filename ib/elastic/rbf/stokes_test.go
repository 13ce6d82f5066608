package rbf

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// stokes sets the velocities of the data sites in a fluid of viscosity mu without inertia
// or walls: the sum of regularised Stokeslets of the sample sites' forces (Cortez, Fauci &
// Medovikov, Phys. Fluids 17 (2005) 031504), blob size e, and a background flow. It is
// what a cell is made for with the least of a fluid.
func (c *cell) stokes(mu, e float64, background func(geometry.Vec) geometry.Vec) {
	scale := 1 / (8 * math.Pi * mu)
	for d, p := range c.x {
		var u geometry.Vec
		for i, f := range c.f {
			y := &c.y[i]
			rx, ry, rz := p[0]-y[0], p[1]-y[1], p[2]-y[2]
			s := rx*rx + ry*ry + rz*rz + e*e
			over := 1 / (s * math.Sqrt(s))
			a, b := (s+e*e)*over, (rx*f[0]+ry*f[1]+rz*f[2])*over
			u[0], u[1], u[2] = u[0]+a*f[0]+b*rx, u[1]+a*f[1]+b*ry, u[2]+a*f[2]+b*rz
		}
		c.u[d] = background(p).Add(u.Scale(scale))
	}
}

func still(geometry.Vec) geometry.Vec { return geometry.Vec{} }

// The test of Kassen et al., §4.2.1, in a fluid without inertia: a sphere that is stretched
// by 1.1 along z and pressed by 1.1 along y comes back. Its energy falls in every step, and
// the fluid keeps its volume, but for an Euler step's second order and the blobs.
func TestStretchedCapsuleComesBackToASphere(t *testing.T) {
	const mu, dt, steps = 1.0, 0.05, 400
	c := newCell(t, surface(t, "sphere", 216, 864), Material{Shear: 1, Area: 3, Bending: 0.02, CurvedReference: true}).move(func(p geometry.Vec) geometry.Vec {
		return geometry.Vec{p[0], p[1] / 1.1, p[2] * 1.1}
	})
	first, last := c.energy().Total(), math.Inf(1)
	volume := c.m.Measure(c.s, c.x).Volume
	for step := range steps {
		if e := c.energy().Total(); e >= last {
			t.Fatalf("step %d: the energy grows from %g to %g", step, last, e)
		} else {
			last = e
		}
		c.forces()
		c.stokes(mu, 0.1, still)
		for i, u := range c.u {
			c.x[i] = c.x[i].Add(u.Scale(dt))
		}
	}
	m := c.m.Measure(c.s, c.x)
	var off float64
	for i, p := range c.x {
		off = max(off, math.Abs(p.Sub(m.Center).Norm()-1), p.Sub(c.surface.at[i]).Norm())
	}
	t.Logf("after %g μR/G_s: energy %.2e of the first, volume changed by %.1e, sites off by %.1e", float64(steps)*dt/mu, last/first, m.Volume/volume-1, off)
	if last > 1e-4*first || math.Abs(m.Volume/volume-1) > 2e-3 || off > 5e-3 {
		t.Errorf("energy %.2e of the first, volume changed by %.1e, sites off by %.1e", last/first, m.Volume/volume-1, off)
	}
}

// Taylor's deformation in the x–y plane, of the ellipsoid with the inertia of the cell.
func (m Measure) deformation() float64 {
	a, b, c := m.Inertia[0][0], m.Inertia[0][1], m.Inertia[1][1]
	mean, half := (a+c)/2, math.Hypot((a-c)/2, b)
	long, short := math.Sqrt(mean+half), math.Sqrt(mean-half)
	return (long - short) / (long + short)
}

// Spherical capsules in weak shear deform by D = (5/4)(2+ν_s)/(1+ν_s) Ca, Ca = μγR/G_s
// (Barthès-Biesel & Rallison, J. Fluid Mech. 113 (1981) 251), ν_s = C/(1+C). Blobs of size
// e blur the velocity, an error of a e + b e²: extrapolated from three sizes, with some
// 0.5 % left of e³ and of second order in Ca.
func TestCapsulesInWeakShearDeformAsTheorySays(t *testing.T) {
	const mu, dt, steps, rate = 1.0, 0.1, 320, 0.004
	for _, area := range []float64{0, 3} {
		nu := area / (1 + area)
		want := 1.25 * (2 + nu) / (1 + nu)
		var found [3]float64
		for k, e := range []float64{0.2, 0.1, 0.05} {
			samples := []int{1728, 1728, 6912}[k] // no further apart than blobs are large
			c := newCell(t, surface(t, "sphere", 72, samples), Material{Shear: 1, Area: area})
			for range steps {
				c.forces()
				c.stokes(mu, e, func(p geometry.Vec) geometry.Vec { return geometry.Vec{rate * p[1]} })
				for i, u := range c.u {
					c.x[i] = c.x[i].Add(u.Scale(dt))
				}
			}
			found[k] = c.m.Measure(c.s, c.x).deformation() / rate
		}
		limit := (8*found[2] - 6*found[1] + found[0]) / 3
		t.Logf("C = %g: D/Ca = %.4f, %.4f without blobs, theory %.4f", area, found, limit, want)
		if math.Abs(limit/want-1) > 0.01 {
			t.Errorf("C = %g: D/Ca = %.4f, want %.4f", area, limit, want)
		}
	}
}
