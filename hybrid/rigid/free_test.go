package rigid

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// A body without forces keeps its angular momentum, though its spin wanders as that
// of a thrown book (Euler).
func TestFreeBodyKeepsAngularMomentum(t *testing.T) {
	s, err := geometry.NewEllipsoid(geometry.Vec{}, [3]float64{20, 12, 8})
	if err != nil {
		t.Fatal(err)
	}
	b := &Body{Shape: s, Free: &Free{Density: 2, Spin: geometry.Vec{0.0005, 0.005, 0.00025}}}
	b.start()
	f := b.Free
	momentum := func() geometry.Vec { return f.inertiaNow().Apply(b.Here().Spin) }
	energy := func() float64 { return momentum().Dot(b.Here().Spin) / 2 }
	before, had, spin := momentum(), energy(), b.Here().Spin
	wandered := 0.
	for step := range 6000 {
		f.advance(float64(step + 1))
		var e MarkerEquations
		f.Solve(&e, float64(step+1), 3)
		wandered = math.Max(wandered, b.Here().Spin.Sub(spin).Norm())
	}
	if d := momentum().Sub(before).Norm() / before.Norm(); d > 1e-10 { // rounding of 6000 steps
		t.Errorf("angular momentum has changed by %.3g of itself", d)
	}
	if d := math.Abs(energy()/had - 1); d > 0.1 { // first order in time: 30 rad in steps of 0.005
		t.Errorf("energy has changed by %.3g of itself", d)
	}
	if wandered < 0.002 {
		t.Errorf("the spin about the middle axis should tumble, it moved by %.3g of 0.005", wandered)
	}
}
