package rbf

import (
	"math"
	"strings"
	"testing"

	"lbmib/geometry"
)

func TestBadSurfacesAreRefused(t *testing.T) {
	round := func(p geometry.Vec) geometry.Vec { return p }
	for _, c := range []struct {
		name          string
		data, samples int
		shape         func(geometry.Vec) geometry.Vec
		says          string
	}{
		{"few data", LeastData - 1, 880, round, "63 data sites, must be 64 to"},
		{"many data", MostData + 1, 880, round, "data sites, must be 64 to"},
		{"few samples", 216, 0, round, "0 sample sites, must be 64 to"},
		{"many samples", 216, MostSamples + 8, round, "sample sites, must be 64 to"},
		{"large quadrature", 216, 32767, round, "dense solve of 32767 unknowns"},
		{"not finite", 216, 880, func(p geometry.Vec) geometry.Vec { return geometry.Vec{p[0], math.NaN()} }, "must be finite"},
		{"inside out", 216, 880, func(p geometry.Vec) geometry.Vec { return p.Scale(-1) }, "encloses a volume of -4.18"},
		{"flat", 216, 880, func(p geometry.Vec) geometry.Vec { return geometry.Vec{p[0]} }, "in sample site"},
	} {
		_, err := NewSurface(c.data, c.samples, c.shape)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.says)
		}
	}
	for _, r := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := NewSphere(216, 880, r); err == nil {
			t.Errorf("a sphere of radius %v is made", r)
		}
		if _, err := NewRedCell(216, 880, r); err == nil {
			t.Errorf("a red cell of radius %v is made", r)
		}
	}
}

func TestBadMaterialsAreRefused(t *testing.T) {
	s := surface(t, "sphere", 216, 864)
	for _, c := range []struct {
		material Material
		says     string
	}{
		{Material{}, "shear modulus is 0"},
		{Material{Shear: -1}, "shear modulus is -1"},
		{Material{Shear: math.NaN()}, "must be finite"},
		{Material{Shear: 1, Law: "rubber"}, "use one of skalak, neo-hookean"},
		{Material{Shear: 1, Law: "neo-hookean", Area: 1}, "is Skalak's"},
		{Material{Shear: 1, Prestress: 3}, "must be 0.5 to 2"},
		{Material{Shear: 1, Bending: 1, CurvedReference: true, Curvature: 1}, "use one of them"},
		{Material{Shear: 1, Curvature: 1}, "without bending stiffness"},
		{Material{Shear: 1, ShearViscosity: -1}, "shear viscosity is -1"},
	} {
		if _, err := NewMembrane(s, c.material); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, want one with %q", c.material, err, c.says)
		}
	}
}

func TestCallsOfTheWrongSizePanic(t *testing.T) {
	c := newCell(t, surface(t, "sphere", 216, 864), Material{Shear: 1, ShearViscosity: 1})
	for name, call := range map[string]func(){
		"positions":   func() { c.m.Forces(c.s, c.x[1:], c.u, c.y, c.f) },
		"velocities":  func() { c.m.Forces(c.s, c.x, nil, c.y, c.f) },
		"forces":      func() { c.m.Forces(c.s, c.x, c.u, c.y, c.f[1:]) },
		"two cells":   func() { c.m.Measure(c.s, append(c.x, c.x...)) },
		"losses":      func() { c.m.Losses(c.s, c.x, nil, make([]float64, 1)) },
		"no cell":     func() { c.surface.Place(c.x[1:], geometry.Vec{}, geometry.Identity()) },
		"no energies": func() { c.m.Energies(c.s, c.x, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of the wrong number are accepted", name)
				}
			}()
			call()
		}()
	}
}

func TestInspectTellsWhereACellIsBad(t *testing.T) {
	s := surface(t, "sphere", 216, 864)
	m, err := NewMembrane(s, Material{Shear: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]geometry.Vec, 2*216)
	s.Place(x[:216], geometry.Vec{}, geometry.Identity())
	s.Place(x[216:], geometry.Vec{}, geometry.Identity())
	scratch := m.NewScratch(2)
	if err := m.Inspect(scratch, x, 0.9); err != nil {
		t.Errorf("two spheres at rest: %v", err)
	}
	for i := 216; i < 432; i++ {
		x[i] = x[i].Scale(0.5)
	}
	if err := m.Inspect(scratch, x, 0.3); err == nil || !strings.Contains(err.Error(), "cell 1: sample site") || !strings.Contains(err.Error(), "0.25 of its area") {
		t.Errorf("a sphere of half its size: %v", err)
	}
	x[17][1] = math.NaN()
	if err := m.Inspect(scratch, x, 0.1); err == nil || !strings.Contains(err.Error(), "cell 0: sample site") {
		t.Errorf("a site that is not finite: %v", err)
	}
}
