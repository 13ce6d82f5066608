package templates_test

import (
	"fmt"
	"math"
	"testing"

	"lbmib/cases/templates"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// decay is how m y″ + c y′ + k y = 0 swings from rest at y = 1: the frequency of its zeros and its damping over the critical one, by the logarithmic decrement of a period.
func decay(m, c, k float64) (frequency, damping float64) {
	y, v, dt := 1., 0., math.Sqrt(m/k)/1000 // by the midpoint rule, of second order: 1e-6
	var zeros, peaks []float64
	for n := 0; len(zeros) < 3 || len(peaks) < 2; n++ {
		hy, hv := y+v*dt/2, v-(k*y+c*v)/m*dt/2
		ny, nv := y+hv*dt, v-(k*hy+c*hv)/m*dt
		if y*ny < 0 {
			zeros = append(zeros, (float64(n)+y/(y-ny))*dt)
		}
		if v > 0 && nv <= 0 {
			peaks = append(peaks, y+(ny-y)*v/(v-nv))
		}
		y, v = ny, nv
	}
	decrement := math.Log(peaks[0] / peaks[1])
	return 1 / (zeros[2] - zeros[0]), decrement / math.Hypot(2*math.Pi, decrement)
}

// The spring and the damper that the solver gets swing the cylinder in vacuum with the frequency U/(U* D) and the damping ζ, and the mass is m* of the fluid displaced.
func TestTheVibratingCylinderHasTheNaturalFrequencyAndDampingAskedFor(t *testing.T) {
	var path string
	for _, tp := range templates.All() {
		if tp.Name == "vortex-induced-vibration" {
			path = put(t, tp)
		}
	}
	for _, asked := range []struct{ mass, reduced, damping float64 }{{2, 5, 0}, {10, 3, 0.05}, {0.8, 7.5, 0.3}} {
		c, err := casefile.Load(path, []string{fmt.Sprintf("constants.m_star=%v", asked.mass), fmt.Sprintf("constants.U_star=%v", asked.reduced), fmt.Sprintf("constants.zeta=%v", asked.damping)})
		if err != nil {
			t.Fatal(err)
		}
		p, err := setup.New(c)
		if err != nil {
			t.Fatal(err)
		}
		free, d, u := p.Bodies[0].Free, c.Reference.Resolution, c.Reference.Velocity // D in nodes, U in nodes per step
		m := free.Density * math.Pi * d * d / 4                                      // of a disc, in fluid's mass per node
		if want := asked.mass * math.Pi * d * d / 4; math.Abs(m/want-1) > 1e-12 {
			t.Errorf("m* = %v: the cylinder weighs %v, want %v", asked.mass, m, want)
		}
		frequency, damping := decay(m, free.Damper[1], free.Spring[1])
		natural := frequency / math.Sqrt(1-damping*damping) // without damping
		if got := u / (natural * d); math.Abs(got/asked.reduced-1) > 1e-5 {
			t.Errorf("U* = %v: the cylinder swings with U* = %v", asked.reduced, got)
		}
		if math.Abs(damping-asked.damping) > 1e-5 {
			t.Errorf("ζ = %v: the swing decays with ζ = %v", asked.damping, damping)
		}
		if free.Spring[0] != 0 || free.Damper[0] != 0 || !free.Fix[0] || free.Fix[1] || !free.Fix[5] {
			t.Errorf("it does not move across the stream alone: %+v", free)
		}
	}
}
