package ellipsoid

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

var oblate = Shape{Equatorial: 1.6, Polar: 0.5}

// random are places and directions from a seed.
type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 1))} }

// direction is uniform over the sphere.
func (r random) direction() geometry.Vec {
	return geometry.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
}

func mustNew(t testing.TB, cfg Config, n, workers int) *System {
	t.Helper()
	pool := parallel.NewPool(workers)
	t.Cleanup(pool.Close)
	s, err := New(cfg, n, parallel.Loops{Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestATopWithoutTorque: an asymmetric top tumbles for a time of about 16 turns. Its angular momentum is not touched, its axes stay at right
// angles but for rounding (1e-16 a rotation, at random), and the error of its energy goes with the square of the step.
func TestATopWithoutTorque(t *testing.T) {
	inverse := geometry.Vec{1, 1. / 2, 1 / 3.5}
	l := geometry.Vec{0.1, 1, 0.15} // near the unstable axis
	worst := func(h float64) (energy float64) {
		axes := NewAxes(geometry.Vec{1, 2, 3})
		l := axes[0].Scale(l[0]).Add(axes[1].Scale(l[1])).Add(axes[2].Scale(l[2]))
		of := func() float64 { spin := along(&axes, &l, &inverse); return spin.Dot(l) / 2 }
		before := of()
		flipped := false
		for range int(200 / h) {
			rotateFree(&axes, &l, &inverse, h)
			energy = math.Max(energy, math.Abs(of()/before-1))
			flipped = flipped || axes[1].Dot(l) < -0.9
		}
		if !flipped {
			t.Error("the top did not turn over: it is not asymmetric")
		}
		for a := range axes {
			for b := range axes {
				want := 0.
				if a == b {
					want = 1
				}
				if d := math.Abs(axes[a].Dot(axes[b]) - want); !(d < 1e-13) {
					t.Errorf("step %g: axes %d, %d are off by %g", h, a, b, d)
				}
			}
		}
		if d := axes[0].Cross(axes[1]).Sub(axes[2]).Norm(); !(d < 1e-13) {
			t.Errorf("step %g: axes are not right-handed by %g", h, d)
		}
		return energy
	}
	coarse, fine, finest := worst(0.2), worst(0.1), worst(0.05)
	for _, slope := range []float64{math.Log2(coarse / fine), math.Log2(fine / finest)} {
		if !(math.Abs(slope-2) < 0.1) {
			t.Errorf("the energy is conserved to %g, %g, %g: order %.2f, want 2", coarse, fine, finest, slope)
		}
	}
	t.Logf("energy: %.2g, %.2g, %.2g", coarse, fine, finest)
}

// TestATopTurnsAsEulerSays: the period of a symmetric top's precession is 2π I₁/((I₃ − I₁) ω₃) in the body; in space the axis
// goes around the angular momentum in 2π I₁/L.
func TestATopTurnsAsEulerSays(t *testing.T) {
	inverse := geometry.Vec{1, 1, 1 / 1.8}
	axes := NewAxes(geometry.Vec{0.6, 0, 0.8})
	start, l := axes[2], geometry.Vec{0, 0, 0.5}
	period := 2 * math.Pi / 0.5
	for n, last := range map[int]float64{100: 4e-3, 200: 1e-3} { // second order
		axes = NewAxes(start)
		for range n {
			rotateFree(&axes, &l, &inverse, period/float64(n))
		}
		if d := axes[2].Sub(start).Norm(); !(d < last) {
			t.Errorf("%d steps: the axis is off by %g after a period", n, d)
		}
	}
}

// TestDragBringsParticlesAlong: with a constant force F the slip is F/γ along each axis, exactly, however large γ is, and what the fluid gets is F; torques alike.
func TestDragBringsParticlesAlong(t *testing.T) {
	for _, scale := range []float64{0.01, 1, 30} {
		cfg := Config{Size: [3]int{30, 30, 30}, Periodic: [3]bool{true, true, true}, Shape: oblate, Mass: 5,
			Friction: Friction{geometry.Vec{2, 2, 3}.Scale(scale), geometry.Vec{1, 1, 2}.Scale(scale)}, Force: geometry.Vec{1e-3, 2e-3, -1e-3}}
		s := mustNew(t, cfg, 1, 1)
		s.Axes[0] = NewAxes(geometry.Vec{1, -1, 0.5})
		s.Flow[0] = geometry.Vec{0.01, 0, 0.02}
		axes := s.Axes[0]
		var v geometry.Vec
		for range int(2000 / min(scale, 1)) {
			s.Forces()
			before := s.V[0]
			s.Kick()
			v = before.Add(s.V[0]).Scale(0.5)
			if err := s.Drift(); err != nil {
				t.Fatal(err)
			}
		}
		want := along(&axes, &cfg.Force, &geometry.Vec{1 / (2 * scale), 1 / (2 * scale), 1 / (3 * scale)})
		if d := v.Sub(s.Flow[0]).Sub(want).Norm(); !(d < 1e-12*math.Max(1, 1/scale)) {
			t.Errorf("γ × %g: the slip is off by %g", scale, d)
		}
		if d := s.Push[0].Sub(cfg.Force).Norm(); !(d < 1e-14) {
			t.Errorf("γ × %g: the fluid gets the force less %g", scale, d)
		}
		if s.Axes[0] != axes || s.L[0] != (geometry.Vec{}) {
			t.Error("it turns")
		}
	}
}

// TestSpinFollowsTheFluid: a particle in a fluid that spins spins as it does, also about a slanted axis, where L is not along Ω.
func TestSpinFollowsTheFluid(t *testing.T) {
	cfg := Config{Size: [3]int{30, 30, 30}, Periodic: [3]bool{true, true, true}, Shape: oblate, Mass: 5, Friction: Stokes(1.5, 1./6)}
	s := mustNew(t, cfg, 1, 1)
	s.Axes[0] = NewAxes(geometry.Vec{1, -1, 0.5})
	s.Spin[0] = geometry.Vec{0, 0, 1e-3}
	before := s.Axes[0][2]
	const lead = 200
	period := int(math.Round(2 * math.Pi / 1e-3))
	for n := range lead + period {
		s.Forces()
		s.Kick()
		if err := s.Drift(); err != nil {
			t.Fatal(err)
		}
		if n == lead-1 {
			before = s.Axes[0][2]
		}
	}
	// A turn less a step's rounding of 3e-5, and what gyration makes of it: (Iω/γR)² ~ 1e-6.
	if d := s.Axes[0][2].Sub(before).Norm(); !(d < 2e-3) {
		t.Errorf("the axis is off by %g after a turn of the fluid", d)
	}
}

// TestAnIsolatedPairKeepsItsEnergy: two ellipsoids collide, and bounce; momentum and angular momentum are conserved to rounding, and the energy (at
// whole steps) to the order of the splitting, 2, as long as the law is smooth: uncut. At the cut-off the force begins with a kink, which adds an
// error of the same order times something that depends on when within a step they meet; over steps 32 times smaller 1.7 is asked for.
func TestAnIsolatedPairKeepsItsEnergy(t *testing.T) {
	for _, c := range []struct {
		cut    bool
		within float64
	}{{false, 0.05}, {true, 0.3}} {
		coarse, fine := pairDrift(t, 500, c.cut), pairDrift(t, 16000, c.cut)
		slope := math.Log2(coarse/fine) / 5
		t.Logf("cut %v: energy to %.3g and %.3g, order %.3f", c.cut, coarse, fine, slope)
		if !(math.Abs(slope-2) < c.within) {
			t.Errorf("cut %v: energy errors %g and %g: order %.2f, want 2 within %g", c.cut, coarse, fine, slope, c.within)
		}
	}
}

// pairDrift is the largest error of the energy in a collision, over so many steps: the same motion in a time unit of 1/k, velocities V/k, energies E/k².
func pairDrift(t *testing.T, steps int, cut bool) (drift float64) {
	k := float64(steps) / 400
	cfg := Config{Size: [3]int{40, 40, 40}, Periodic: [3]bool{true, true, true}, Shape: oblate, Mass: 5,
		Repulsion: Repulsion{Strength: 2e-3 / (k * k), Ratio: 0.3, Mu: 1, Nu: 2}}
	s := mustNew(t, cfg, 2, 1)
	if !cut {
		s.law.beyond, s.lists.within = 15, 19*19
	}
	s.X[0], s.X[1] = geometry.Vec{18, 20, 20.4}, geometry.Vec{22, 20.3, 20}
	s.Axes[0], s.Axes[1] = NewAxes(geometry.Vec{1, 1, 0}), NewAxes(geometry.Vec{1, -0.3, 0.5})
	s.V[0], s.V[1] = geometry.Vec{0.02 / k, 0, 0}, geometry.Vec{-0.01 / k, 0, 0}
	s.L[1] = geometry.Vec{0, 0, 0.02 / k}
	p0, m0 := s.Momentum()
	before := s.Potential() + s.Kinetic()
	contact := 0.
	for range steps {
		s.KickBy(0.5)
		if err := s.Drift(); err != nil {
			t.Fatal(err)
		}
		u := s.Potential()
		s.KickBy(0.5)
		contact = math.Max(contact, u/before)
		drift = math.Max(drift, math.Abs((u+s.Kinetic())/before-1))
	}
	if !(contact > 0.2) {
		t.Errorf("at most %g of the energy is of contact: they did not meet", contact)
	}
	p1, m1 := s.Momentum()
	if d := p1.Sub(p0).Norm() / p0.Norm(); !(d < 1e-12) {
		t.Errorf("momentum changes by %g", d)
	}
	if d := m1.Sub(m0).Norm() / m0.Norm(); !(d < 1e-12) {
		t.Errorf("angular momentum changes by %g", d)
	}
	return drift
}
