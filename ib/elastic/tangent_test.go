package elastic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/geometry"
)

// differences is −∂F/∂X v at x, central, of lane 0.
func differences(m *Membrane, x, v []float64) []float64 {
	const h = 1e-5
	s, still, forth, back, at := m.NewScratch(), make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	for k := range x {
		at[k] = x[k] + h*v[k]
	}
	m.Forces(s, at, still, forth, Lanes)
	for k := range x {
		at[k] = x[k] - h*v[k]
	}
	m.Forces(s, at, still, back, Lanes)
	for k := range at {
		at[k] = (back[k] - forth[k]) / (2 * h)
	}
	return at
}

func products(a, b []float64) (sums lanes) {
	for k := range a {
		sums[k%Lanes] += a[k] * b[k]
	}
	return sums
}

// Where nothing is compressed and no square has a negative factor K⁺ is the stiffness, of all laws and penalties; bending has no part in it. Elsewhere it is more, and no displacement
// has a negative energy. All forms of the loops agree, and no net force comes of it.
func TestTangents(t *testing.T) {
	mesh, err := NewSphere(4, geometry.Vec{}, 8)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	random := func(size float64) []float64 {
		v := make([]float64, mesh.BlockLen())
		for k := range v {
			v[k] = size * r.NormFloat64()
		}
		return v
	}
	for _, material := range []Material{
		{Law: "skalak", Shear: 1, Area: 0.5, AreaPenalty: 2, VolumePenalty: 3}, {Law: "skalak", Shear: 1, Area: 100}, {Law: "skalak", Shear: 1}, {Law: "neo-hookean", Shear: 2}, {Law: "hooke", Shear: 1, Poisson: 0.3, AreaPenalty: 1},
	} {
		plain := newMembrane(t, mesh, material)
		material.Bending = 0.1
		bent := newMembrane(t, mesh, material)
		for _, state := range []struct {
			what          string
			swell, uneven float64
		}{{"at rest", 1, 0}, {"swollen", 1.002, 0}, {"crumpled", 0.9, 0.1}, {"uneven", 1.05, 0.2}} {
			x, v := mesh.block(), random(1)
			for k, d := range random(state.uneven) {
				x[k] = state.swell*x[k] + d
			}
			exact := differences(plain, x, v)
			var first []float64
			for _, kernel := range KernelNames() {
				m := withKernel(t, bent, kernel)
				s, tangent, w := m.NewScratch(), m.NewTangent(), make([]float64, len(x))
				tangent.Linearise(s, x, Lanes)
				tangent.Multiply(s, x, v, w, Lanes)
				if first == nil {
					first = slices.Clone(w)
				}
				size := math.Sqrt(products(w, w)[0] / float64(mesh.Vertices()))
				for k := range w {
					if d := math.Abs(w[k] - first[k]); d > 1e-12*size {
						t.Fatalf("%s, %s, %s: number %d is %g from that of %s, of %g", material.Law, state.what, kernel, k, d, KernelNames()[0], size)
					}
					if d := math.Abs(w[k] - exact[k]); (state.what == "at rest" || state.what == "swollen" && plain.material.AreaPenalty == 0) && d > 1e-6*size { // penalties have tensions of their own, and pressures
						t.Fatalf("%s, %s, %s: number %d is %g from the stiffness, of %g", material.Law, state.what, kernel, k, d, size)
					}
				}
				for lane := range Lanes {
					var sum geometry.Vec
					for vertex := range mesh.Vertices() {
						sum = sum.Add(Vertex(w, lane, vertex))
					}
					if sum.Norm() > 1e-11*size {
						t.Errorf("%s, %s, %s: forces have the sum %v, of %g", material.Law, state.what, kernel, sum, size)
					}
				}
				for range 20 {
					v := random(1)
					tangent.Multiply(s, x, v, w, Lanes)
					convex, full := products(v, w), products(v, differences(plain, x, v))
					for l := range convex {
						if !(convex[l] > 0) || convex[l] < full[l]-1e-6*math.Abs(full[l]) {
							t.Fatalf("%s, %s, %s: a displacement has the energy %g, by the stiffness %g", material.Law, state.what, kernel, convex[l], full[l])
						}
					}
				}
			}
		}
		if rest, all := bent.ExplicitStiffness(), bent.Stiffness(); !(rest > 0 && rest < all) {
			t.Errorf("%s: bending is stiff as %g, all as %g", material.Law, rest, all)
		}
	}
}
