package elastic

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// A sphere blown up evenly has the tension of its law at equal stretches everywhere, and
// that of the area penalty; its mean curvature is 1/R.
func TestTensionAndCurvatureOfABlownUpSphere(t *testing.T) {
	const stretch, radius = 1.1, 5.
	mesh, err := NewSphere(8, geometry.Vec{}, 2*radius)
	if err != nil {
		t.Fatal(err)
	}
	for _, law := range LawNames() {
		material := Material{Law: law, Shear: 3, AreaPenalty: 2}
		m, err := NewMembrane(mesh, material)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]geometry.Vec, mesh.Vertices())
		for v := range x {
			x[v] = mesh.Point(v).Scale(stretch)
		}
		tension, curvature := m.AtVertices(x)
		t1, t2 := Tension(m.law, stretch, stretch)
		want := (t1+t2)/2 + 2*(stretch*stretch-1)
		h, mean := 1/(stretch*radius), 0.
		for v := range x {
			if math.Abs(tension[v]-want) > 1e-12*want {
				t.Fatalf("%s: tension %v at vertex %d, want %v", law, tension[v], v, want)
			}
			if math.Abs(curvature[v]-h) > 0.2*h { // as areas of vertices are a third of the triangles'
				t.Fatalf("%s: curvature %v at vertex %d, want %v", law, curvature[v], v, h)
			}
			mean += curvature[v] / float64(len(x))
		}
		if math.Abs(mean-h) > 0.01*h {
			t.Fatalf("%s: curvature %v in the mean, want %v", law, mean, h)
		}
	}
}
