package elastic

import (
	"math"
	"strings"
	"testing"

	"lbmib/geometry"
)

func mustLaw(t *testing.T, m Material) Law {
	t.Helper()
	law, err := NewLaw(m)
	if err != nil {
		t.Fatal(err)
	}
	return law
}

// tensions are T1 over G at λ1 and λ2, from the energies as published, to six decimals.
var tensions = []struct {
	law    Material
	l1, l2 float64
	t1     float64
}{
	{Material{Law: "neo-hookean"}, 1.05, 1.05, 0.253785},
	{Material{Law: "neo-hookean"}, 1.1, 1.1, 0.435526},
	{Material{Law: "neo-hookean"}, 1.2, 1.2, 0.665102},
	{Material{Law: "skalak", Area: 0}, 1.05, 1.05, 0.1025},
	{Material{Law: "skalak", Area: 0}, 1.1, 1.1, 0.21},
	{Material{Law: "skalak", Area: 0}, 1.2, 1.2, 0.44},
	{Material{Law: "skalak", Area: 1}, 1.05, 1.05, 0.340096},
	{Material{Law: "skalak", Area: 1}, 1.1, 1.1, 0.771561},
	{Material{Law: "skalak", Area: 1}, 1.2, 1.2, 1.985984},
	{Material{Law: "skalak", Area: 10}, 1.05, 1.05, 2.478456},
	{Material{Law: "skalak", Area: 10}, 1.1, 1.1, 5.82561},
	{Material{Law: "skalak", Area: 10}, 1.2, 1.2, 15.89984},
	{Material{Law: "skalak", Area: 100}, 1.05, 1.05, 23.862064},
	{Material{Law: "skalak", Area: 100}, 1.1, 1.1, 56.3661},
	{Material{Law: "skalak", Area: 100}, 1.2, 1.2, 155.0384},
	{Material{Law: "neo-hookean"}, uniaxial(0.05), neoHookeanFree(0.05), 0.143087},
	{Material{Law: "neo-hookean"}, uniaxial(0.1), neoHookeanFree(0.1), 0.274335},
	{Material{Law: "neo-hookean"}, uniaxial(0.2), neoHookeanFree(0.2), 0.510082},
	{Material{Law: "neo-hookean"}, uniaxial(0.5), neoHookeanFree(0.5), 1.087189},
	{Material{Law: "skalak", Area: 0}, uniaxial(0.05), skalakFree(0.05, 0), 0.104881},
	{Material{Law: "skalak", Area: 0}, uniaxial(0.1), skalakFree(0.1, 0), 0.219089},
	{Material{Law: "skalak", Area: 0}, uniaxial(0.2), skalakFree(0.2, 0), 0.473286},
	{Material{Law: "skalak", Area: 0}, uniaxial(0.5), skalakFree(0.5, 0), 1.414214},
	{Material{Law: "skalak", Area: 1}, uniaxial(0.05), skalakFree(0.05, 1), 0.153854},
	{Material{Law: "skalak", Area: 1}, uniaxial(0.1), skalakFree(0.1, 1), 0.31599},
	{Material{Law: "skalak", Area: 1}, uniaxial(0.2), skalakFree(0.2, 1), 0.669587},
	{Material{Law: "skalak", Area: 1}, uniaxial(0.5), skalakFree(0.5, 1), 2.044831},
	{Material{Law: "skalak", Area: 10}, uniaxial(0.05), skalakFree(0.05, 10), 0.186209},
	{Material{Law: "skalak", Area: 10}, uniaxial(0.1), skalakFree(0.1, 10), 0.369167},
	{Material{Law: "skalak", Area: 10}, uniaxial(0.2), skalakFree(0.2, 10), 0.750692},
	{Material{Law: "skalak", Area: 10}, uniaxial(0.5), skalakFree(0.5, 10), 2.222906},
	// Hooke: S1 = E/(1−ν²)(e1 + ν e2), T1 = (λ1/λ2) S1; with G = 1, ν = 1/4: E = 2.5.
	{Material{Law: "hooke", Poisson: 0.25}, math.Sqrt(1.2), math.Sqrt(0.95), math.Sqrt(1.2/0.95) * 2.5 / 0.9375 * (0.1 - 0.25*0.025)},
}

// uniaxial is the stretch of Green's strain e.
func uniaxial(e float64) float64 { return math.Sqrt(1 + 2*e) }

// The stretches at which T2 = 0.
func neoHookeanFree(e float64) float64 { return 1 / math.Sqrt(uniaxial(e)) }
func skalakFree(e, c float64) float64 {
	q := 1 + 2*e
	return math.Sqrt((1 + c*q) / (1 + c*q*q))
}

// withinTable holds a tension against a table of six decimals: 1e-6 of it, or half a last digit.
func withinTable(got, want float64) bool {
	return math.Abs(got-want) <= max(1e-6*math.Abs(want), 0.51e-6)
}

func TestTensionsOfLawsAreThePublished(t *testing.T) {
	for _, c := range tensions {
		c.law.Shear = 3
		t1, t2 := Tension(mustLaw(t, c.law), c.l1, c.l2)
		if !withinTable(t1/3, c.t1) {
			t.Errorf("%s C=%g at λ = %.4f, %.4f: T1/G = %.7f, want %.6f", c.law.Law, c.law.Area, c.l1, c.l2, t1/3, c.t1)
		}
		want := t1 // of equal stretches
		if c.l1 != c.l2 {
			want = 0
		}
		if c.law.Law != "hooke" && math.Abs(t2-want) > 1e-13*t1 {
			t.Errorf("%s C=%g at λ = %.4f, %.4f: T2 = %g, want %g", c.law.Law, c.law.Area, c.l1, c.l2, t2, want)
		}
	}
}

// A triangle that is stretched in its plane carries the law's tension.
func TestElementsCarryTheTensionOfTheirLaw(t *testing.T) {
	for _, c := range tensions {
		c.law.Shear = 2
		if got := pull(t, c.law, c.l1, c.l2); !withinTable(got/2, c.t1) {
			t.Errorf("%s C=%g at λ = %.4f, %.4f: T1/G = %.7f of elements, want %.6f", c.law.Law, c.law.Area, c.l1, c.l2, got/2, c.t1)
		}
	}
}

// pull is the tension along x of a triangle that is stretched in its plane: by the
// principle of virtual work, −Σ f·x over its corners along x is T1 times its area.
func pull(t *testing.T, law Material, l1, l2 float64) float64 {
	mesh := must(NewMesh([]geometry.Vec{{0, 0, 0}, {1, 0.2, 0}, {0.3, 0.9, 0}, {0.4, 0.3, -1}}, [][3]int{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}))
	m := newMembrane(t, mesh, law)
	s, x, f := m.NewScratch(), mesh.block(), make([]float64, mesh.BlockLen())
	for v, p := range mesh.points {
		SetVertex(x, 0, v, geometry.Vec{l1 * p[0], l2 * p[1], p[2]})
	}
	m.kernels = nil // which have these stages in one
	m.surface(s, x)
	m.penalties(s)
	m.gather(s, x)
	c := &s.chunk
	m.law.Derivatives(flat(&c.w1), flat(&c.w2), flat(&c.i1), flat(&c.i2))
	m.stress(s)
	for k := 1; k < chunkTriangles; k++ { // only triangle 0 counts, the others are not in its plane
		c.s11[k], c.s12[k], c.s22[k] = lanes{}, lanes{}, lanes{}
	}
	m.scatter(s, f)
	work := 0.
	for v := range mesh.points {
		work -= Vertex(f, 0, v)[0] * Vertex(x, 0, v)[0]
	}
	return work / (0.5 / s.facet[3*Lanes])
}

// Small strains: the moduli that the documents of the laws give, to the error of Moduli.
func TestModuliAtSmallStrain(t *testing.T) {
	for _, c := range []struct {
		law         Material
		area, nu, e float64
	}{
		{Material{Law: "skalak", Area: 0}, 1, 0, 2},
		{Material{Law: "skalak", Area: 1}, 3, 0.5, 3},
		{Material{Law: "skalak", Area: 10}, 21, 10. / 11, 42. / 11},
		{Material{Law: "neo-hookean"}, 3, 0.5, 3},
		{Material{Law: "hooke", Poisson: 0.25}, 2.5 / 1.5, 0.25, 2.5},
	} {
		c.law.Shear = 1
		g, k, e, nu := Moduli(mustLaw(t, c.law))
		for _, v := range [][2]float64{{g, 1}, {k, c.area}, {e, c.e}, {nu, c.nu}} {
			if math.Abs(v[0]-v[1]) > 1e-6*math.Max(v[1], 1) {
				t.Errorf("%s C=%g: G %g, K %g, E %g, ν %g, want 1, %g, %g, %g", c.law.Law, c.law.Area, g, k, e, nu, c.area, c.e, c.nu)
			}
		}
	}
}

func TestBadMaterialsAreRefused(t *testing.T) {
	for _, c := range []struct {
		m    Material
		says string
	}{
		{Material{}, "shear modulus is 0"},
		{Material{Shear: -1}, "shear modulus is -1"},
		{Material{Shear: math.NaN()}, "shear modulus is NaN"},
		{Material{Shear: 1, Law: "rubber"}, `law "rubber" is unknown: use one of skalak, neo-hookean, hooke`},
		{Material{Shear: 1, Law: "neo-hookean", Area: 1}, "C = 1 is Skalak's"},
		{Material{Shear: 1, Poisson: 0.3}, "is of law hooke"},
		{Material{Shear: 1, Law: "hooke", Poisson: 1}, "must be between −1 and 1"},
		{Material{Shear: 1, Bending: -1}, "bending stiffness is -1"},
		{Material{Shear: 1, BendingModel: "plate"}, `bending model "plate" is unknown`},
		{Material{Shear: 1, BendingModel: "cotangent", Curvature: 1}, "knows no spontaneous curvature"},
		{Material{Shear: 1, Curvature: 1, CurvedReference: true}, "use one of them"},
		{Material{Shear: 1, Prestress: 5}, "prestress is 5"},
		{Material{Shear: 1, VolumePenalty: math.Inf(1)}, "volume penalty is +Inf"},
	} {
		if _, err := NewMembrane(sphere(1), c.m); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, want one with %q", c.m, err, c.says)
		}
	}
}
