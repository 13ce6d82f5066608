package run

import (
	"math"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/run/setup/setuptest"
)

func TestWholeTurnsAreCounted(t *testing.T) {
	checkingtest.NumbersAlone(t)
	r := setUp(t, setuptest.Load(t, setuptest.SwimmingCase), 0)
	bodies := r.out.Bodies
	bodies.Every = 100
	for r.Step < 2000 { // 4 rad per L/U over 12.5 L/U: eight turns
		r.Sim.Step()
		r.Step++
		if bodies.Due(r.Step) {
			if err := bodies.Observe(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := 4 * r.Time(); math.Abs(bodies.Of(0).Turned-want) > 1e-9 {
		t.Errorf("turned by %g, want %g", bodies.Of(0).Turned, want)
	}
	for range 37 {
		r.Sim.Step()
		r.Step++
	}
	if got, want := bodies.Of(0).Turned, 4*r.Time(); math.Abs(got-want) > 1e-9 {
		t.Errorf("between rows turned by %g, want %g", got, want)
	}
}
