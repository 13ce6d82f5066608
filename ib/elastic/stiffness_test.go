package elastic

import (
	"math"
	"testing"
)

// Steepest descent X ← X + h F is stable for h K < 2, K the largest eigenvalue: errors of
// 1e-9 fade at 1.9, and grow a thousandfold at 2.1.
func TestStiffnessIsTheLimitOfExplicitSteps(t *testing.T) {
	for name, material := range map[string]Material{
		"skalak":      {Shear: 1, Area: 1},
		"skalak 100":  {Shear: 1, Area: 100, AreaPenalty: 10, VolumePenalty: 10},
		"neo-hookean": {Shear: 1, Law: "neo-hookean"},
		"bending":     {Shear: 0.1, Bending: 0.1, CurvedReference: true},
		"dihedral":    {Shear: 0.1, Bending: 0.1, BendingModel: "dihedral", CurvedReference: true},
	} {
		for _, mesh := range []*Mesh{sphere(1), sphere(4), redCell(4)} {
			m := newMembrane(t, mesh, material)
			k := m.Stiffness()
			grown := func(share float64) float64 {
				s, x, f := m.NewScratch(), mesh.block(), make([]float64, mesh.BlockLen())
				start := append([]float64(nil), x...)
				for i := range x {
					x[i] += 1e-9 * math.Sin(float64(i*i))
				}
				for range 600 {
					m.Forces(s, x, nil, f, Lanes)
					for i := range x {
						x[i] += share / k * f[i]
					}
				}
				most := 0.
				for i := range x {
					most = max(most, math.Abs(x[i]-start[i]))
				}
				return most / 1e-9
			}
			if g := grown(1.9); g > 3 {
				t.Errorf("%s, %d vertices: errors grow %.2g times in steps of 1.9/K", name, mesh.Vertices(), g)
			}
			if g := grown(2.1); g < 1000 {
				t.Errorf("%s, %d vertices: errors grow %.2g times in steps of 2.1/K, K = %g is too large", name, mesh.Vertices(), g, k)
			}
		}
	}
}

// A law is linear in its moduli, and so are viscosity and its limit: U ← U + h F.
func TestStiffnessAndDampingScale(t *testing.T) {
	a := newMembrane(t, sphere(4), Material{Shear: 1, Area: 1, ShearViscosity: 2, AreaViscosity: 1})
	b := newMembrane(t, sphere(4), Material{Shear: 3, Area: 1, ShearViscosity: 6, AreaViscosity: 3})
	if r := b.Stiffness() / a.Stiffness(); math.Abs(r-3) > 1e-3 {
		t.Errorf("three times the modulus has %g times the stiffness", r)
	}
	if r := b.Damping() / a.Damping(); math.Abs(r-3) > 1e-3 {
		t.Errorf("three times the viscosity has %g times the damping", r)
	}
	if d := newMembrane(t, sphere(4), Material{Shear: 1}).Damping(); d != 0 {
		t.Errorf("damping %g without viscosity", d)
	}
	grown := func(share float64) float64 {
		mesh := a.mesh
		s, x, f, g, u := a.NewScratch(), mesh.block(), make([]float64, mesh.BlockLen()), make([]float64, mesh.BlockLen()), make([]float64, mesh.BlockLen())
		a.Forces(s, x, u, g, Lanes)
		for i := range u {
			u[i] = math.Sin(float64(i * i))
		}
		d := a.Damping()
		for range 600 {
			a.Forces(s, x, u, f, Lanes)
			for i := range u {
				u[i] += share / d * (f[i] - g[i])
			}
		}
		return largestOf(u, 0)
	}
	if grown(1.9) > 3 || grown(2.1) < 1000 {
		t.Errorf("velocities grow %.2g times in steps of 1.9/D, %.2g in steps of 2.1/D", grown(1.9), grown(2.1))
	}
}
