package kinematics

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// Every track's rate is the derivative of its value, and an integral is that of its
// rate, whichever way it is asked.
func TestRatesAreDerivatives(t *testing.T) {
	tracks := map[string]Track{
		"steady":   Steady{0.3},
		"harmonic": Harmonic{2, 0.05, 0.4},
		"function": Function{Of: func(t float64) float64 { return 3 * math.Exp(-t/200) }, Step: 1},
		"integral": &Integral{Of: func(t float64) float64 { return math.Cos(0.02 * t) }, Step: 1},
	}
	for name, track := range tracks {
		for _, at := range []float64{0.5, 3, 117.25, 60} {
			const h = 1e-3
			after, _ := track.At(at + h)
			before, _ := track.At(at - h)
			_, rate := track.At(at)
			// The function's rate is a difference over one step: f‴/24 away.
			if want := (after - before) / (2 * h); math.Abs(rate-want) > 1e-7 {
				t.Errorf("%s at %g: rate %g, the value changes by %g", name, at, rate, want)
			}
		}
	}
	late, _ := tracks["integral"].At(500)
	if want := math.Sin(10) / 0.02; math.Abs(late-want) > 1e-7 { // Simpson: (0.02)⁴·500/2880
		t.Errorf("the integral at 500 is %.10g, should be %.10g", late, want)
	}
}

// An integral has the same bits at a time however it got there: runs are resumed.
func TestIntegralsDoNotRememberWhereTheyWere(t *testing.T) {
	rate := func(t float64) float64 { return math.Sin(t*t/1000) + t }
	walked, asked := &Integral{Of: rate, Step: 1}, &Integral{Of: rate, Step: 1}
	var a float64
	for k := range 301 {
		a, _ = walked.At(float64(k))
	}
	if b, _ := asked.At(300); a != b {
		t.Errorf("%.17g step by step, %.17g at once", a, b)
	}
}

// An integral of a long run takes no more memory than one of a short run, and going
// back gives the bits of the way there.
func TestIntegralsForgetAllButSome(t *testing.T) {
	g := &Integral{Of: func(t float64) float64 { return math.Cos(t/700) + 1e-3*t }, Step: 1}
	const steps = 5000
	var way [steps + 1]float64
	for k := range way {
		way[k], _ = g.At(float64(k))
	}
	if len(g.marks) > mostMarks || cap(g.marks) > mostMarks {
		t.Errorf("%d sums are kept after %d steps, want at most %d", len(g.marks), steps, mostMarks)
	}
	for _, k := range []int{steps, 4999, 1, 0, 1023, 1024, 1025, 2048, 3333, 17} {
		if v, _ := g.At(float64(k)); v != way[k] {
			t.Errorf("step %d: %.17g on the way back, %.17g on the way there", k, v, way[k])
		}
	}
}

// A point of the body moves with VelocityAt.
func TestRigidMotionIsConsistent(t *testing.T) {
	r := &Rigid{Center: geometry.Vec{4, 5, 1}, Pivot: geometry.Vec{2, 1, 0}, Axis: geometry.Vec{2. / 3, -1. / 3, 2. / 3},
		Shift: [3]Track{Harmonic{3, 0.1, 0}, nil, Steady{0.2}}, Turn: Harmonic{1.2, 0.07, 0.3}}
	drawn := geometry.Vec{0.5, -2, 0.25} // from the centre
	place := func(t float64) geometry.Vec { s := r.At(t); return s.Position.Add(s.Rotation.Apply(drawn)) }
	for _, at := range []float64{0, 7, 31.5} {
		const h = 1e-4
		want := place(at + h).Sub(place(at - h)).Scale(1 / (2 * h))
		s := r.At(at)
		if got := s.VelocityAt(place(at)); got.Sub(want).Norm() > 1e-7 { // h² of the third derivative
			t.Errorf("t = %g: a point moves by %v, should by %v", at, want, got)
		}
		if d := place(at).Sub(s.Position).Norm(); math.Abs(d-drawn.Norm()) > 1e-12 {
			t.Errorf("t = %g: the body is stretched to %g from %g", at, d, drawn.Norm())
		}
		pivot := s.Position.Add(s.Rotation.Apply(r.Pivot.Sub(r.Center)))
		x, _ := r.Shift[0].At(at)
		if want := r.Pivot.Add(geometry.Vec{x, 0, 0.2 * at}); pivot.Sub(want).Norm() > 1e-12 {
			t.Errorf("t = %g: the pivot is at %v, should be at %v", at, pivot, want)
		}
	}
}
