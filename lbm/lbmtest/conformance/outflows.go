package conformance

import (
	"math"

	"lbmib/internal/checking"
	"lbmib/lbm"
)

// The fluid in front of an outflow is pushed by a pressure of ρL dU/dt where the inflow
// varies. Without what the face is told of that, its own pressure would be four times as
// high: it is relaxed by c_s/(4L) only, so that sound can leave.
func (s faces[T]) outflowFollows(t checking.T) {
	const nx, speed, period = 80, 0.05, 4000
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{nx, 6, 1}, Collision: collision(t, "trt", 0.02)}
	cfg.Faces[0] = lbm.Face{Kind: lbm.Velocity, Velocity: uniform([3]float64{speed}), Amplitude: func(t float64) float64 { return 1 + 0.5*math.Sin(2*math.Pi*t/period) }}
	cfg.Faces[1] = lbm.Face{Kind: lbm.Outflow}
	f := s.make(t, cfg)
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{speed} })
	worst := 0.
	for range 32 {
		advance(f, period/16)
		if f.Steps() < period {
			continue // sound of the start leaves first
		}
		rho, _ := fields(f)
		worst = math.Max(worst, math.Abs(float64(rho[nx-1])-1)/3)
	}
	push := nx * 0.5 * speed * 2 * math.Pi / period // L dU/dt at its highest
	if worst > 0.3*push+s.dither() {                // 4 without; what is left comes late by L/c_s
		t.Errorf("the pressure at the outflow is up to %.2g, %.2f of ρL dU/dt, bound 0.3", worst, worst/push)
	}
	t.Logf("%.3f of ρL dU/dt", worst/push)
}

// What enters through an outflow comes from rest: a stream from there to a face of pressure 0
// begins at −ρu²/2, and falls as u' = −u²/(2L). A face that lets it come from anywhere feeds
// jets.
func (s faces[T]) outflowHolds(t checking.T) {
	const nx, speed, steps = 200, 0.1, 2000
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{nx, 6, 1}, Collision: collision(t, "trt", 0.02)}
	cfg.Faces[0], cfg.Faces[1] = lbm.Face{Kind: lbm.Outflow}, lbm.Face{Kind: lbm.Pressure, Density: 1}
	f := s.make(t, cfg)
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{speed} })
	advance(f, steps)
	_, u := fields(f)
	got, want := float64(u[0][nx/2]), speed/(1+speed*steps/(2*nx))
	if math.Abs(got/want-1) > 0.1+20*s.dither()/want { // the face takes c_s/(Lu) as long again to follow: 3 to 5 %
		t.Errorf("the stream is %.4f after %d steps, want %.4f of %.4f", got, steps, want, speed)
	}
	t.Logf("%.4f, want %.4f", got, want)
}
