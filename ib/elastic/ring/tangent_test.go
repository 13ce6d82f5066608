package ring

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// differences is −∂F/∂X v at x, central.
func differences(r *Ring, x, v []geometry.Vec) []geometry.Vec {
	const h = 1e-5
	at, forth, back := make([]geometry.Vec, len(x)), make([]geometry.Vec, len(x)), make([]geometry.Vec, len(x))
	for k := range x {
		at[k] = x[k].Add(v[k].Scale(h))
	}
	r.Forces(at, nil, forth)
	for k := range x {
		at[k] = x[k].Sub(v[k].Scale(h))
	}
	r.Forces(at, nil, back)
	for k := range at {
		at[k] = back[k].Sub(forth[k]).Scale(1 / (2 * h))
	}
	return at
}

// Where nothing is compressed and no penalty has a pressure K⁺ is the stiffness, of all laws and without bending; elsewhere no displacement has a negative energy, nor, without the pressure of penalties, one below that of the
// stiffness. No net force comes of it.
func TestTangents(t *testing.T) {
	const n = 40
	circle := make([]geometry.Vec, n)
	for k := range circle {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / n)
		circle[k] = geometry.Vec{6 * cos, 6 * sin}
	}
	rnd := rand.New(rand.NewPCG(8, 9))
	random := func(size float64) []geometry.Vec {
		v := make([]geometry.Vec, n)
		for k := range v {
			v[k] = geometry.Vec{size * rnd.NormFloat64(), size * rnd.NormFloat64()}
		}
		return v
	}
	dot := func(a, b []geometry.Vec) (sum float64) {
		for k := range a {
			sum += a[k].Dot(b[k])
		}
		return sum
	}
	for _, m := range []Material{{Law: "skalak", Shear: 1, Area: 2, LengthPenalty: 1, AreaPenalty: 2}, {Law: "neo-hookean", Shear: 2}, {Law: "hooke", Shear: 1, Poisson: 0.3}} {
		plain := must(t, circle, m)
		bent := m
		bent.Bending = 0.2
		r := must(t, circle, bent)
		for _, state := range []struct {
			what          string
			swell, uneven float64
		}{{"at rest", 1, 0}, {"swollen", 1.01, 0}, {"compressed", 0.95, 0.05}, {"uneven", 1.1, 0.2}} {
			x := make([]geometry.Vec, n)
			for k, d := range random(state.uneven) {
				x[k] = circle[k].Scale(state.swell).Add(d)
			}
			tangent, w := r.NewTangent(), make([]geometry.Vec, n)
			tangent.Linearise(x)
			for range 20 {
				v := random(1)
				exact := differences(plain, x, v)
				tangent.Multiply(v, w)
				size := math.Sqrt(dot(w, w) / n)
				var sum geometry.Vec
				for k := range w {
					sum = sum.Add(w[k])
					if d := w[k].Sub(exact[k]).Norm(); (state.what == "at rest" || state.what == "swollen" && m.AreaPenalty == 0) && d > 1e-6*size {
						t.Fatalf("%s, %s: at vertex %d %g from the stiffness, of %g", m.Law, state.what, k, d, size)
					}
				}
				if sum.Norm() > 1e-11*size {
					t.Errorf("%s, %s: forces have the sum %v, of %g", m.Law, state.what, sum, size)
				}
				convex, full := dot(v, w), dot(v, exact)
				if !(convex > 0) || m.AreaPenalty == 0 && convex < full-1e-6*math.Abs(full) {
					t.Fatalf("%s, %s: a displacement has the energy %g, by the stiffness %g", m.Law, state.what, convex, full)
				}
			}
		}
		if rest, all := r.ExplicitStiffness(), r.Stiffness(); !(rest > 0 && rest < all) {
			t.Errorf("%s: bending is stiff as %g, all as %g", m.Law, rest, all)
		}
	}
}
