package main

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/ib/elastic"
)

func newTest(t *testing.T, frequency int, m elastic.Material) *stokes {
	t.Helper()
	mesh, err := sphere(frequency)
	if err != nil {
		t.Fatal(err)
	}
	membrane, err := elastic.NewMembrane(mesh, m)
	if err != nil {
		t.Fatal(err)
	}
	return newStokes(membrane, geometry.Vec{})
}

// A sphere that is dragged has the traction 3μU/2a everywhere (Stokes 1851): Stokeslets of that strength move its surface with U.
func TestTractionOfADraggedSphereMovesItsSurfaceAsOne(t *testing.T) {
	errors := map[int]float64{}
	for _, frequency := range []int{4, 8} {
		s := newTest(t, frequency, elastic.Material{Shear: 1})
		for v := range s.f {
			s.f[v] = geometry.Vec{1.5}
		}
		s.prepare()
		for v := range s.at {
			u := s.induced(s.at[v], v).Scale(1 / (8 * math.Pi)).Sub(geometry.Vec{1})
			errors[frequency] = math.Max(errors[frequency], u.Norm())
		}
	}
	if !(errors[8] < 0.003) || !(errors[8] < errors[4]/2.5) {
		t.Errorf("velocities are off by %.4f with 162 vertices and %.4f with 642: want less than 0.003, of second order", errors[4], errors[8])
	}
}

// D/Ca is 25/12 of a neo-Hookean capsule at small Ca (Barthès-Biesel, J. Fluid Mech. 100 (1980) 831).
func TestSmallDeformationIsThatOfLinearTheory(t *testing.T) {
	const capillary = 0.02
	s := newTest(t, 3, elastic.Material{Law: "neo-hookean", Shear: 1 / capillary})
	from := make([]geometry.Vec, len(s.at))
	for range 200 {
		s.step(0.0025, from)
	}
	if d := s.measure(s.capsules[0]).Deformation / capillary; math.Abs(d/(25./12)-1) > 0.02 {
		t.Errorf("D/Ca = %.4f, linear theory has 2.0833", d)
	}
}
