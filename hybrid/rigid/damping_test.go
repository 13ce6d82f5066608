package rigid

import (
	"testing"

	"lbmib/geometry"
)

// Only bodies with nodes inside that are nobody's flow are damped, by weights that do not overshoot.
func TestWhatIsDamped(t *testing.T) {
	const support = 3 // nodes
	shape := func(s geometry.Shape, err error) *Body {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewBody("body", s, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		b.Damped = true
		return b
	}
	vessel := shape(geometry.NewCircle(geometry.Vec{40, 40}, 30))
	vessel.Hollow = true
	for _, test := range []struct {
		name string
		of   *Body
		want bool
	}{
		{"a disc", shape(geometry.NewCircle(geometry.Vec{40, 40}, 20)), true},
		{"a large disc", shape(geometry.NewCircle(geometry.Vec{400, 400}, 500)), true},
		{"a ball", shape(geometry.NewSphere(geometry.Vec{40, 40, 40}, 12)), true},
		{"a disc of six nodes", shape(geometry.NewCircle(geometry.Vec{40, 40}, 5.9)), false},
		{"a slender ellipse", shape(geometry.NewEllipse(geometry.Vec{40, 40}, [2]float64{40, 5})), false},
		{"a vessel", vessel, false},
	} {
		d := test.of.Damping(support)
		if (len(d.Places) > 0) != test.want {
			t.Errorf("%s: %d places", test.name, len(d.Places))
		}
		for _, r := range d.Places {
			if !test.of.Shape.Contains(test.of.Shape.Center().Add(r)) {
				t.Errorf("%s: the place %v is outside", test.name, r)
			}
		}
		if d.Weight < 0 || d.Weight > mostDamping || len(d.Places) > 400 {
			t.Errorf("%s: %d places of weight %g", test.name, len(d.Places), d.Weight)
		}
	}
}
