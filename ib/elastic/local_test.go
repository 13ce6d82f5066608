package elastic

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// A sphere that is inflated has the tension of the law everywhere, that of its area penalty added, and the curvature 1/R. Drawn out unevenly
// it has at its poles the larger tension of the stretches there, and about the ellipsoid's curvature: at vertices that have five neighbours thirds of areas
// make that 15 % too large.
func TestLocalTensionsAndCurvatures(t *testing.T) {
	const radius, inflated = 3., 1.1
	mesh, err := NewSphere(12, geometry.Vec{}, 2*radius)
	if err != nil {
		t.Fatal(err)
	}
	for _, material := range []Material{{Law: "skalak", Shear: 2, Area: 3, AreaPenalty: 0.7}, {Law: "neo-hookean", Shear: 2}, {Law: "hooke", Shear: 2, Poisson: 0.2}} {
		material.Prestress = inflated
		m, err := NewMembrane(mesh, material)
		if err != nil {
			t.Fatal(err)
		}
		law, err := NewLaw(material)
		if err != nil {
			t.Fatal(err)
		}
		n := mesh.Vertices()
		x, tension, curvature := make([]geometry.Vec, n), make([]float64, n), make([]float64, n)
		for v := range x {
			x[v] = mesh.Point(v).Scale(1.05)
		}
		m.Local(x, tension, curvature)
		want, _ := Tension(law, 1.05*inflated, 1.05*inflated)
		want += material.AreaPenalty * (1.05*1.05 - 1)
		mean := 0.
		for v := range x {
			mean += curvature[v] * 1.05 * radius / float64(n)
			if math.Abs(tension[v]/want-1) > 1e-7 || math.Abs(curvature[v]*1.05*radius-1) > 0.16 {
				t.Fatalf("%s, vertex %d: tension %g, want %g; curvature times R %g, want 1", material.Law, v, tension[v], want, curvature[v]*1.05*radius)
			}
		}
		if math.Abs(mean-1) > 0.005 {
			t.Errorf("%s: the mean curvature times R is %g, want 1", material.Law, mean)
		}
		const a, b, c = 1.2, 0.9, 1.
		pole := 0
		for v := range x {
			p := mesh.Point(v)
			x[v] = geometry.Vec{a * p[0], b * p[1], c * p[2]}
			if p[2] > mesh.Point(pole)[2] {
				pole = v
			}
		}
		m.Local(x, tension, curvature)
		p := x[pole].Scale(1 / radius)
		weight := p[0]*p[0]/(a*a*a*a) + p[1]*p[1]/(b*b*b*b) + p[2]*p[2]/(c*c*c*c)
		bent := (a*a + b*b + c*c - p.Dot(p)) / (2 * a * a * b * b * c * c * math.Pow(weight, 1.5)) / radius
		l := [2]float64{a * inflated, b * inflated}
		want, _ = Tension(law, l[0], l[1])
		want += material.AreaPenalty * (m.Mesh().areaAt(x)/mesh.Area() - 1)
		if math.Abs(tension[pole]/want-1) > 0.03 || math.Abs(curvature[pole]/bent-1) > 0.16 {
			t.Errorf("%s at %v: tension %g, want %g; curvature %g, want %g", material.Law, p, tension[pole], want, curvature[pole], bent)
		}
	}
}

// areaAt is the area of a mesh whose points are at x.
func (m *Mesh) areaAt(x []geometry.Vec) (sum float64) {
	for _, t := range m.triangles {
		sum += x[t[1]].Sub(x[t[0]]).Cross(x[t[2]].Sub(x[t[0]])).Norm() / 2
	}
	return sum
}
