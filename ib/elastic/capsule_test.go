package elastic

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// radial is the sum of forces along the radius of a sphere about 0 over its area, and the
// deviation of a vertex' force over a third of the area of its triangles from that, in L2.
func radial(m *Membrane, x, f []float64) (pressure, spread float64) {
	s := m.NewScratch()
	m.surface(s, x)
	n := m.mesh.Vertices()
	for v := range n {
		r := Vertex(x, 0, v)
		pressure += Vertex(f, 0, v).Dot(r.Scale(1/r.Norm())) / s.block.Area[0]
	}
	for v := range n {
		r, area := Vertex(x, 0, v), s.vertex[vertexLen*v]
		off := Vertex(f, 0, v).Scale(1 / area).Sub(r.Scale(pressure / r.Norm()))
		spread += off.Dot(off) * area / s.block.Area[0]
	}
	return pressure, math.Sqrt(spread) / math.Abs(pressure)
}

// Laplace: a sphere of radius R inflated by λ, or made with that prestress, pulls inwards
// with 2T(λ)/(λR) on its area. The sum is exact, as Σ f·x = −2TA of a polyhedron, too;
// forces on single vertices converge, with first order, as the triangles around one are
// no circle.
func TestInflatedSpheresObeyLaplace(t *testing.T) {
	for _, material := range []Material{
		{Shear: 2, Area: 0}, {Shear: 2, Area: 10}, {Shear: 2, Law: "neo-hookean"}, {Shear: 2, Law: "hooke", Poisson: 0.3},
	} {
		const stretch = 1.2
		tension, _ := Tension(mustLaw(t, material), stretch, stretch)
		for _, prestressed := range []bool{false, true} {
			before := 0.
			for _, f := range []int{4, 8, 16, 32} {
				grow, radius := stretch, stretch
				if material.Prestress = 1; prestressed {
					material.Prestress, grow, radius = stretch, 1, 1
				}
				m := newMembrane(t, sphere(f), material)
				s, x, force := m.NewScratch(), m.mesh.block(), make([]float64, m.mesh.BlockLen())
				for k := range x {
					x[k] *= grow
				}
				m.Forces(s, x, nil, force, Lanes)
				pressure, spread := radial(m, x, force)
				if err := pressure/(-2*tension/radius) - 1; math.Abs(err) > 1e-12 {
					t.Errorf("%s, prestress %v, frequency %d: error %.2e", material.Law, prestressed, f, err)
				}
				t.Logf("%s, prestress %v, frequency %d: forces of vertices are off by %.2e", material.Law, prestressed, f, spread)
				if slope := math.Log2(before / spread); f > 4 && slope < 0.9 {
					t.Errorf("%s, frequency %d: forces of vertices are off by %.2g, order %.2f", material.Law, f, spread, slope)
				}
				before = spread
			}
		}
	}
}

// The penalties' tension and pressure: k_A (A−A0)/A0 by Laplace, and k_V (V−V0)/V0 itself.
// Σ f·x is −2TA and 3pV of a polyhedron; 3V is RA but for second order, and A and V scale
// exactly.
func TestPenaltiesAreATensionAndAPressure(t *testing.T) {
	const grow, f = 1.1, 16
	m := newMembrane(t, sphere(f), Material{Shear: 1e-12, VolumePenalty: 3})
	s, x, force := m.NewScratch(), m.mesh.block(), make([]float64, m.mesh.BlockLen())
	for k := range x {
		x[k] *= grow
	}
	m.Forces(s, x, nil, force, Lanes)
	if p, _ := radial(m, x, force); math.Abs(p/(-3*(grow*grow*grow-1))-1) > 3e-3 {
		t.Errorf("pressure %g, want %g", p, -3*(grow*grow*grow-1))
	}
	m = newMembrane(t, sphere(f), Material{Shear: 1e-12, AreaPenalty: 3})
	m.Forces(s, x, nil, force, Lanes)
	p, _ := radial(m, x, force)
	if want := -2 * 3 * (grow*grow - 1) / grow; math.Abs(p/want-1) > 1e-11 {
		t.Errorf("pressure %g of an area penalty, want %g", p, want)
	}
}

// A membrane in the homogeneous flow U = L·X loses the power Σ A (2 μ_s |dev D|² + μ_d
// (tr D)²), with D = P ½(L+Lᵀ) P and P the projection on each triangle's plane.
func TestViscousPowerIsThatOfTheRateOfStrain(t *testing.T) {
	const shear, area = 2., 3.
	gradients := map[string]geometry.Mat{
		"shear":     {{0, 1, 0}},
		"expansion": geometry.Identity(),
		"rotation":  {{0, 2, -1}, {-2, 0, 3}, {1, -3, 0}},
		"any":       {{0.3, 1, -2}, {0.1, -0.4, 0.7}, {1.1, 0.2, 0.9}},
	}
	for body, mesh := range bodies() {
		soft := newMembrane(t, mesh, Material{Shear: 1, Area: 1})
		thick := newMembrane(t, mesh, Material{Shear: 1, Area: 1, ShearViscosity: shear, AreaViscosity: area})
		s := thick.NewScratch()
		f, g, u := make([]float64, mesh.BlockLen()), make([]float64, mesh.BlockLen()), make([]float64, mesh.BlockLen())
		x := crumpled(mesh, 0.2, rand.New(rand.NewPCG(3, 4)))
		for name, gradient := range gradients {
			for v := range mesh.Vertices() {
				for l := range Lanes {
					SetVertex(u, l, v, gradient.Apply(Vertex(x, l, v)).Add(geometry.Vec{1, 2, 3}))
				}
			}
			soft.Forces(s, x, u, g, Lanes)
			thick.Forces(s, x, u, f, Lanes)
			for k := range f {
				f[k] -= g[k]
			}
			for l := range Lanes {
				power, want, scale := 0., 0., 0.
				for v := range mesh.Vertices() {
					power -= Vertex(f, l, v).Dot(Vertex(u, l, v))
				}
				for _, tr := range mesh.triangles {
					a, b, c := Vertex(x, l, int(tr[0])), Vertex(x, l, int(tr[1])), Vertex(x, l, int(tr[2]))
					n := b.Sub(a).Cross(c.Sub(a))
					w := rateOfStrain(gradient, n.Scale(1/n.Norm()), shear, area)
					want += n.Norm() / 2 * w
					scale += n.Norm() / 2
				}
				// The difference of two forces: rounding of the elastic ones, of order 10.
				if math.Abs(power-want) > 1e-11*math.Max(want, scale) {
					t.Errorf("%s, %s, lane %d: power %.15g, want %.15g", body, name, l, power, want)
				}
				if force, torque, forces, torques := totals(mesh, x, f, l); name != "rotation" && !(force.Norm() <= 1e-12*forces && torque.Norm() <= 1e-12*torques) {
					t.Errorf("%s, %s: net viscous force %.2g of %.2g, torque %.2g of %.2g", body, name, force.Norm(), forces, torque.Norm(), torques)
				}
			}
		}
	}
}

// rateOfStrain is 2 μ_s |dev D|² + μ_d (tr D)² in the plane with normal n.
func rateOfStrain(gradient geometry.Mat, n geometry.Vec, shear, area float64) float64 {
	p := geometry.Identity()
	for i := range 3 {
		for j := range 3 {
			p[i][j] -= n[i] * n[j]
		}
	}
	d := p.Mul(gradient.Add(gradient.Transpose()).Scale(0.5)).Mul(p)
	trace, square := d[0][0]+d[1][1]+d[2][2], 0.
	for i := range 3 {
		for j := range 3 {
			square += d[i][j] * d[i][j]
		}
	}
	return 2*shear*(square-trace*trace/2) + area*trace*trace
}

// An affine image of an icosphere, whose own inertia is a sphere's by symmetry, has the
// ellipsoid of that image: to rounding.
func TestMeasuresOfEllipsoids(t *testing.T) {
	axes := geometry.Vec{1.5, 1.1, 0.7}
	for _, angle := range []float64{0, 0.4, math.Pi / 4, 1.5, -1.2} {
		mesh := sphere(4)
		turn := geometry.Rotation(geometry.Vec{0, 0, 1}, angle)
		x := mesh.block()
		for v := range mesh.Vertices() {
			p := mesh.Point(v)
			SetVertex(x, 3, v, turn.Apply(geometry.Vec{axes[0] * p[0], axes[1] * p[1], axes[2] * p[2]}).Add(geometry.Vec{7, -8, 9}))
		}
		// Axes 0 and 1 lie in the plane of x and y.
		m := mesh.Measure(x, 3)
		unit := mesh.Measure(x, 0).Axes[0]
		shrink := mesh.Volume() * 1.5 * 1.1 * 0.7
		if math.Abs(m.Volume/shrink-1) > 1e-12 || m.Center.Sub(geometry.Vec{7, -8, 9}).Norm() > 1e-12 {
			t.Errorf("angle %g: volume %g, want %g; centre %v", angle, m.Volume, shrink, m.Center)
		}
		for a := range 3 {
			if math.Abs(m.Axes[a]/(unit*axes[a])-1) > 1e-11 {
				t.Errorf("angle %g: half axes %v of a sphere's %g, want %v times it", angle, m.Axes, unit, axes)
			}
		}
		if math.Abs(m.Inclination-angle) > 1e-11 || math.Abs(m.Deformation-0.8/2.2) > 1e-11 {
			t.Errorf("angle %g: inclination %g, D %g, want %g", angle, m.Inclination, m.Deformation, 0.8/2.2)
		}
	}
	m := sphere(16).Measure(sphere(16).block(), 0)
	// Inscribed triangles: 1 % at most of this mesh.
	if math.Abs(m.Axes[0]-1) > 0.01 || m.Deformation > 1e-12 || math.Abs(m.ReducedVolume()-1) > 0.01 {
		t.Errorf("a sphere has %+v, reduced volume %g", m, m.ReducedVolume())
	}
	cell := redCell(30)
	// Evans & Fung: 94 µm³ and 135 µm² at 7.82 µm, a reduced volume of 0.64.
	if v := cell.Measure(cell.block(), 0).ReducedVolume(); math.Abs(v-0.645) > 0.005 {
		t.Errorf("a red cell's reduced volume is %g, want 0.64", v)
	}
}
