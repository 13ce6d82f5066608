package rigid

import (
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// Nearer to the centre than Core all of a node is the body's, and beyond Radius nothing.
func TestAllIsInsideTheCoreAndNothingBeyondTheRadius(t *testing.T) {
	sphere, err := geometry.NewSphere(geometry.Vec{20, 20, 20}, 13.7)
	if err != nil {
		t.Fatal(err)
	}
	ellipse, err := geometry.NewEllipse(geometry.Vec{11, 8}, [2]float64{16, 9.5})
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range []geometry.Shape{sphere, ellipse} {
		var in Inside
		in.draw(shape)
		if !(in.Core > 2 && in.Core < in.Radius) {
			t.Fatalf("%T: core %g of radius %g", shape, in.Core, in.Radius)
		}
		checkRadii(t, &in, shape.Dim())
	}
}

func checkRadii(t *testing.T, in *Inside, dim int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var share [1]float64
	for range 200_000 {
		var r geometry.Vec
		for a := range dim {
			r[a] = 2.4 * in.Radius * (random.Float64() - 0.5)
		}
		in.Share(share[:], r, geometry.Vec{}, dim)
		if n := r.Norm(); n < in.Core && share[0] != 1 || n > in.Radius && share[0] != 0 {
			t.Fatalf("at %g from the centre the share is %g: core %g, radius %g", n, share[0], in.Core, in.Radius)
		}
	}
}
