package elastic

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Kernels are the plain loops to rounding, of any law and bending model, with viscosity and
// without: to 1e-13 of the largest force where triangles are well shaped, each a sum of some
// hundred terms. Triangles of heights down to 1/140 of their sides, which the second shape has,
// have forces that a change of positions by one rounding changes by up to 2e-12: kernels are
// held to four such changes there.
func TestKernelsAgreeWithPlainGo(t *testing.T) {
	all := materials()
	for _, law := range LawNames() {
		for _, b := range append(BendingNames(), "") {
			m := Material{Law: law, Shear: 1, AreaPenalty: 2, VolumePenalty: 3, ShearViscosity: 0.7, AreaViscosity: 0.2}
			if b != "" {
				m.Bending, m.BendingModel = 0.1, b
			}
			all[law+" "+b+" viscous"] = m
		}
	}
	for body, mesh := range bodies() {
		for name, material := range all {
			for _, shape := range []struct{ amount, changes float64 }{{0.1, 0}, {0.3, 4}} {
				random := rand.New(rand.NewPCG(3, 9))
				x, u := crumpled(mesh, shape.amount, random), crumpled(mesh, 0.5, random)
				plain := withKernel(t, newMembrane(t, mesh, material), inGo)
				forces := func(m *Membrane, x []float64) (f []float64, e [Lanes]Energy) {
					f = make([]float64, len(x))
					s := m.NewScratch()
					m.Forces(s, x, u, f, Lanes)
					return f, m.Energies(s, x)
				}
				want, energies := forces(plain, x)
				near, nearEnergies := forces(plain, rounded(x, random))
				for _, kernel := range KernelNames() {
					f, e := forces(withKernel(t, plain, kernel), x)
					for l := range Lanes {
						bound := 1e-13*largestOf(want, l) + shape.changes*apart(near, want, l)
						if got := apart(f, want, l); !(got <= bound) {
							t.Errorf("%s, %s, %s, lane %d: a force is off by %.2g of the largest, bound %.2g", body, name, kernel, l, got/largestOf(want, l), bound/largestOf(want, l))
						}
						exact := energies[l].Total()
						bound = 1e-13*exact + shape.changes*math.Abs(nearEnergies[l].Total()-exact)
						if got := math.Abs(e[l].Total() - exact); !(got <= bound) {
							t.Errorf("%s, %s, %s, lane %d: energy %+v, want %+v", body, name, kernel, l, e[l], energies[l])
						}
					}
				}
			}
		}
	}
}

// apart is the largest difference in a lane.
func apart(f, g []float64, lane int) (most float64) {
	for k := lane; k < len(f); k += Lanes {
		if d := math.Abs(f[k] - g[k]); !(d <= most) {
			most = d
		}
	}
	return most
}

// rounded is x with every number changed to one of its neighbours.
func rounded(x []float64, random *rand.Rand) []float64 {
	y := make([]float64, len(x))
	for k := range x {
		y[k] = math.Nextafter(x[k], math.Inf(1-2*random.IntN(2)))
	}
	return y
}

// However many cells there are, and whatever is in the lanes without one: the same bits.
func TestLanesWithoutCellsDoNotMatter(t *testing.T) {
	each(t, func(t *testing.T, m *Membrane, random *rand.Rand) {
		s, f, g := m.NewScratch(), make([]float64, m.mesh.BlockLen()), make([]float64, m.mesh.BlockLen())
		x := crumpled(m.mesh, 0.3, random)
		m.Forces(s, x, x, f, Lanes)
		spoilt := append([]float64(nil), x...)
		for used := Lanes - 1; used > 0; used-- {
			for k := used; k < len(x); k += Lanes {
				spoilt[k] = []float64{math.NaN(), 0, math.Inf(-1)}[k/Lanes%3]
			}
			m.Forces(s, spoilt, spoilt, g, used)
			for k := range f {
				if k%Lanes < used && f[k] != g[k] {
					t.Fatalf("%d cells: number %d is %g, %g where there are more", used, k, g[k], f[k])
				}
			}
		}
	})
}

// A law of which kernels know nothing goes through the plain loops beside them.
func TestAnyLawIsTakenWithKernels(t *testing.T) {
	type hidden struct{ Law }
	for name, material := range materials() {
		m := newMembrane(t, redCell(4), material)
		other := *m
		other.law = hidden{m.law}
		if _, known := other.law.(rational); known {
			t.Fatal("the law is not hidden")
		}
		x := crumpled(m.mesh, 0.1, rand.New(rand.NewPCG(3, 9)))
		f, g := make([]float64, len(x)), make([]float64, len(x))
		m.Forces(m.NewScratch(), x, nil, f, Lanes)
		other.Forces(other.NewScratch(), x, nil, g, Lanes)
		for l := range Lanes {
			if d := apart(f, g, l); !(d <= 1e-13*largestOf(f, l)) { // see TestKernelsAgreeWithPlainGo
				t.Errorf("%s: a force is off by %.2g of the largest", name, d/largestOf(f, l))
			}
		}
	}
}

// The coefficients that kernels use are the law's derivatives.
func TestCoefficientsAreTheLaws(t *testing.T) {
	for _, material := range []Material{{Shear: 2, Area: 10}, {Shear: 2, Law: "neo-hookean"}, {Shear: 2, Law: "hooke", Poisson: 0.3}} {
		law := mustLaw(t, material)
		c := law.(rational).coefficients()
		for _, i := range [][2]float64{{0, 0}, {0.7, -0.3}, {-0.2, 1.5}} {
			var w1, w2 [1]float64
			law.Derivatives(w1[:], w2[:], i[:1], i[1:])
			j2 := i[1] + 1
			g1, g2 := c[0]+c[1]*i[0], c[2]+c[3]*i[1]+c[4]/(j2*j2)
			if math.Abs(g1-w1[0]) > 1e-14*10 || math.Abs(g2-w2[0]) > 1e-14*10 { // numbers of up to 15
				t.Errorf("%+v at %v: %g, %g by coefficients, want %g, %g", material, i, g1, g2, w1[0], w2[0])
			}
		}
	}
}

func TestUnknownKernelsAreRefused(t *testing.T) {
	m := newMembrane(t, sphere(2), Material{Shear: 1})
	if m.Kernel() != KernelNames()[0] {
		t.Errorf("the kernel is %s, the fastest is %s", m.Kernel(), KernelNames()[0])
	}
	if _, err := m.WithKernel("sse"); err == nil || !strings.Contains(err.Error(), `kernel "sse" does not run on this CPU: use one of`) {
		t.Errorf("err = %v", err)
	}
}

// Scratch serves all membranes of a mesh that need no more of it, and no others.
func TestScratchOfOtherMembranes(t *testing.T) {
	for _, kernel := range KernelNames() {
		soft := withKernel(t, newMembrane(t, sphere(3), Material{Shear: 1, Bending: 0.1}), kernel)
		hard := withKernel(t, newMembrane(t, soft.mesh, Material{Shear: 2, Bending: 0.2}), kernel)
		x := crumpled(soft.mesh, 0.3, rand.New(rand.NewPCG(3, 9)))
		f, g, s := make([]float64, len(x)), make([]float64, len(x)), soft.NewScratch()
		soft.Forces(s, x, nil, f, Lanes)
		hard.Forces(s, x, nil, g, Lanes)
		for k := range f {
			if g[k] != 2*f[k] {
				t.Fatalf("%s: number %d of twice the moduli is %g, %g of these", kernel, k, g[k], f[k])
			}
		}
		for name, other := range map[string]*Membrane{
			"another mesh":      newMembrane(t, sphere(2), Material{Shear: 1}),
			"a model with more": newMembrane(t, soft.mesh, Material{Shear: 1, Bending: 0.1, BendingModel: "cotangent"}),
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: the scratch of %s is taken", kernel, name)
					}
				}()
				n := other.mesh.BlockLen()
				other.Forces(s, make([]float64, n), nil, make([]float64, n), Lanes)
			}()
		}
	}
}
