package rigid

import (
	"strings"
	"testing"

	"lbmib/geometry"
)

func disc(t testing.TB, x, y, diameter float64) *Body {
	t.Helper()
	s, err := geometry.NewCircle(geometry.Vec{x, y}, diameter)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBody("disc", s, 1, 0.35)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// systemOf is bodies in a large periodic plane that have not been compared.
func systemOf(bodies []*Body) *System {
	d := Domain{Dim: 2, Size: [3]int{1000, 1000, 1}, Periodic: [3]bool{true, true}}
	return &System{Bodies: bodies, domain: d, neighbours: NewNeighbours(d)}
}

// Bodies inside each other are compared at an effort that grows with their number, and no more
// of them nest than that holds for.
func TestNestedBodiesAreComparedOnce(t *testing.T) {
	for _, c := range []struct {
		bodies  int
		between float64 // of radii
		refused bool
	}{{mostAround + 1, 4, false}, {mostAround + 2, 4, true}, {3000, 1e-3, true}} {
		var bodies []*Body
		for k := range c.bodies {
			bodies = append(bodies, disc(t, 500, 500, 20+2*c.between*float64(k)))
		}
		cp := systemOf(bodies)
		err := cp.apart()
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "nest no more than 100") {
			t.Errorf("%d discs, radii %g apart: %v", c.bodies, c.between, err)
		}
	}
	// One that reaches over another's surface is found wherever the surface is near.
	for _, x := range []float64{489, 490, 500, 509.9, 531, 539.5} {
		cp := systemOf([]*Body{disc(t, 500, 500, 60), disc(t, x, 500, 20)})
		if cut := x > 520; (cp.apart() != nil) != cut {
			t.Errorf("a disc of 20 nodes %g from the centre of one of 60: found to cut it %v, want %v", x-500, !cut, cut)
		}
	}
}
