package implicit

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// A sphere of an implicit function is closed, faces outwards, and its volume converges.
func TestSphereOfAFunction(t *testing.T) {
	of := func(p geometry.Vec) float64 { return p.Sub(geometry.Vec{0.03, 0.01, 0.02}).Norm() - 1 }
	for _, step := range []float64{0.2, 0.1, 0.05} {
		n := int(2.8 / step)
		points, triangles := Sample(of, geometry.Vec{-1.35, -1.35, -1.35}, step, [3]int{n, n, n}).Surface()
		Fit(points, of, step)
		_, report, err := geometry.NewMesh(points, triangles)
		if err != nil {
			t.Fatal(err)
		}
		if !report.Watertight || report.Flipped || report.NonManifold > 0 {
			t.Errorf("step %v: %+v", step, report)
		}
		lacks := 1 - report.Volume/(4./3*math.Pi)
		t.Logf("step %v: %d triangles, volume %.2g too small", step, len(triangles), lacks)
		if !(lacks > 0 && lacks < 0.6*step*step) { // facets lie inside
			t.Errorf("step %v: the volume lacks %g", step, lacks)
		}
	}
}
