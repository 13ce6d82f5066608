package setup

import (
	"slices"
	"testing"

	"lbmib/geometry"
)

// plainly is a region of which nothing but what it contains is known.
type plainly struct{ geometry.Region }

// Solids that are known to be convex have the nodes that they contain, each asked for.
func TestConvexSolidsAreMarkedByRows(t *testing.T) {
	ball, err := geometry.NewSphere(geometry.Vec{9.3, 8, 7.5}, 11)
	if err != nil {
		t.Fatal(err)
	}
	egg, err := geometry.NewEllipsoid(geometry.Vec{9.3, 8.1, 7.5}, [3]float64{17, 8, 5})
	if err != nil {
		t.Fatal(err)
	}
	tube, err := geometry.NewCylinder(geometry.Vec{9.3, 8.1, 7.5}, geometry.Vec{1, 0.4, -0.2}, 7, 30, true)
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]geometry.Region{"sphere": ball, "ellipsoid": egg, "cylinder": tube} {
		if !geometry.IsConvex(in) || geometry.IsConvex(plainly{in}) {
			t.Errorf("%s: convex %t, of an unknown region %t", name, geometry.IsConvex(in), geometry.IsConvex(plainly{in}))
		}
		for _, others := range []bool{false, true} {
			var counts [2]int64
			var masks [2][]bool
			for k, region := range []geometry.Region{in, plainly{in}} {
				d := &Domain{}
				d.Flow.Size = [3]int{23, 17, 15}
				d.Flow.Solid = make([]bool, 23*17*15)
				counts[k], masks[k] = d.markRows(region, others), d.Flow.Solid
			}
			if counts[0] != counts[1] || counts[0] == 0 || !slices.Equal(masks[0], masks[1]) {
				t.Errorf("%s, others %t: %d nodes by rows, %d one by one", name, others, counts[0], counts[1])
			}
		}
	}
}
