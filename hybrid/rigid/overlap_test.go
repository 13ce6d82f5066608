package rigid

import (
	"math"
	"math/rand/v2"
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

// Thin bodies side by side, in any position, are not taken for bodies that have passed through
// each other, and the gap that is found is that of all their markers, where it is within reach.
func TestGapsOfThinBodies(t *testing.T) {
	const distance, apart = 2.0, 1.5 // surfaces that cross have markers nearer than apart
	random := rand.New(rand.NewPCG(3, 4))
	cell := func(center geometry.Vec) *Body {
		s, err := geometry.NewRedCell(geometry.Vec{}, 20)
		if err != nil {
			t.Fatal(err)
		}
		axis := geometry.Vec{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
		b, err := NewBody("cell", s.Rotated(geometry.Rotation(axis, random.Float64()*math.Pi)).Translated(center), 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	near := 0
	for range 40 {
		b := cell(geometry.Vec{50, 50, 50})
		o := cell(geometry.Vec{50 + 12*(random.Float64()-0.5), 50 + 12*(random.Float64()-0.5), 56 + 12*random.Float64()})
		least := math.Inf(1)
		for k := range b.Markers.X {
			for l := range o.Markers.X {
				least = math.Min(least, b.Surface(k).Sub(o.Surface(l)).Norm())
			}
		}
		if least < apart {
			continue
		}
		near++
		s := &System{contact: Contact{Distance: distance}}
		m, met := s.meet(b, o, geometry.Vec{})
		if met != (least < distance) || met && math.Abs(m.gap-least) > 1e-12 {
			t.Errorf("cells whose markers are %.3g apart: met %v, gap %.3g", least, met, m.gap)
		}
	}
	if near < 10 {
		t.Fatalf("only %d pairs were apart", near)
	}
}
