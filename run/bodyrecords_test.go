package run

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/checking/checkingtest"
	"lbmib/run/setup/setuptest"
)

func TestRotationVectorsAreAxisTimesAngle(t *testing.T) {
	for _, want := range [][3]float64{{}, {0, 0, 1}, {0.3, -0.2, 0.9}, {0, math.Pi - 1e-9, 0}, {-2, 1, 1.5}, {1e-9, 0, 0}} {
		got := rotationVector(rotationOf(want))
		for a := range got {
			if math.Abs(got[a]-want[a]) > 1e-12 {
				t.Errorf("%v comes back as %v", want, got)
				break
			}
		}
	}
}

// rotationOf is the rotation about v by its length.
func rotationOf(v [3]float64) geometry.Mat {
	axis := geometry.Vec(v)
	angle := axis.Norm()
	if angle == 0 {
		return geometry.Identity()
	}
	return geometry.Rotation(axis.Scale(1/angle), angle)
}

func TestWholeTurnsAreCounted(t *testing.T) {
	checkingtest.NumbersAlone(t)
	r := setUp(t, setuptest.Load(t, setuptest.SwimmingCase), 0)
	r.records = &records{turned: []float64{0}, bodies: &series{every: 100}}
	for r.Step < 2000 { // 4 rad per L/U over 12.5 L/U: eight turns
		r.Sim.Step()
		r.Step++
		if r.Step%100 == 0 {
			r.records.turned[0] = r.turn(0, 100)
		}
	}
	if want := 4 * r.Time(); math.Abs(r.records.turned[0]-want) > 1e-9 {
		t.Errorf("turned by %g, want %g", r.records.turned[0], want)
	}
	for range 37 {
		r.Sim.Step()
		r.Step++
	}
	if got, want := r.stateOf(0).turned, 4*r.Time(); math.Abs(got-want) > 1e-9 {
		t.Errorf("between rows turned by %g, want %g", got, want)
	}
}
