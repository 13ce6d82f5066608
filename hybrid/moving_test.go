package hybrid

import (
	"errors"
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/rigid"
	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// tank is fluid with viscosity nu in a box of nodes, periodic unless faces are
// given.
func tank(t testing.TB, l *lbm.Lattice, size [3]int, nu float64, faces ...lbm.Face) (lbm.Fluid[float64], *parallel.Pool) {
	t.Helper()
	c, err := lbm.NewCollision("trt", nu, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := lbm.Config{Lattice: l, Size: size, Collision: c}
	copy(cfg.Faces[:], faces)
	pool := parallel.NewPool(2)
	t.Cleanup(pool.Close)
	f, err := lbm.New[float64](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	return f, pool
}

func disc(t testing.TB, x, y, diameter float64) *rigid.Body {
	t.Helper()
	s, err := geometry.NewCircle(geometry.Vec{x, y}, diameter)
	if err != nil {
		t.Fatal(err)
	}
	b, err := rigid.NewBody("disc", s, 1, 0.35)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var direct = CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Contact: rigid.Contact{Distance: 2, Stiffness: 1, Speed: 0.05}}

func put(t testing.TB, f lbm.Fluid[float64], pool *parallel.Pool, bodies ...*rigid.Body) *Simulation[float64] {
	t.Helper()
	s, err := NewSimulation(f, direct, bodies, pool)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func steps[T lbm.Float](t testing.TB, s *Simulation[T], n int) {
	t.Helper()
	for range n {
		if s.Step(); s.Err() != nil {
			t.Fatal(s.Err())
		}
	}
}

// A body that moves with the flow at its speed, prescribed, feels nothing.
func TestABodyCarriedAlongFeelsNoForce(t *testing.T) {
	checkingtest.NumbersAlone(t)
	f, pool := tank(t, lbm.D2Q9, [3]int{48, 40, 1}, 0.05)
	u := [3]float64{0.04, -0.03}
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, u })
	b := disc(t, 20.2, 20.1, 10)
	b.Motion = &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center(), Axis: geometry.Vec{0, 0, 1},
		Shift: [3]kinematics.Track{kinematics.Steady{Rate: u[0]}, kinematics.Steady{Rate: u[1]}}}
	s := put(t, f, pool, b)
	steps(t, s, 2500) // twice through the box
	l := s.StepMeasured()[0]
	for a := range 2 {
		if math.Abs(l.Force[a]) > 1e-11 || math.Abs(l.Balance[a]-l.Force[a]) > 1e-11 { // rounding of 78 nodes × 0.04
			t.Errorf("axis %d: force %g, balance %g", a, l.Force[a], l.Balance[a])
		}
	}
	if x := b.State().Position; math.Abs(x[0]-20.2-2501*0.04) > 1e-9 {
		t.Errorf("the body is at %v", x)
	}
}

// Whatever a free body gains the rest of the fluid loses, light or heavy: momentum
// of fluid and body less that of the fluid inside is kept in a periodic box.
func TestFreeBodiesKeepMomentumAndAreStable(t *testing.T) {
	if testing.Short() {
		return // no goroutines that others have not
	}
	for _, l := range lattices {
		for _, density := range []float64{0.05, 0.5, 1, 3} {
			f, pool := stream[float64](t, l, "trt", 2)
			b := round(t, l)
			b.Free = &rigid.Free{Density: density}
			s := put(t, f, pool, b)
			account := func() (p geometry.Vec) {
				_, j := f.Momentum([3]int{}, f.Config().Size)
				for a := range p {
					p[a] = j[a] + density*b.Shape.Enclosed()*b.Here().Velocity[a] - s.Rigid()[22+a] // of the fluid inside
				}
				return p
			}
			steps(t, s, 1)
			before := account()
			steps(t, s, 600)
			after := account()
			for a := range l.Dim {
				// rounding of 10⁴ nodes over 600 steps
				if math.Abs(after[a]-before[a]) > 1e-9 {
					t.Errorf("%s density %g axis %d: momentum %g became %g", l.Name, density, a, before[a], after[a])
				}
				// The stream takes the body along.
				if u := b.Here().Velocity[a]; a < 2 && math.Abs(u) > 1.05*math.Abs([]float64{0.05, 0.02}[a]) || u-u != 0 {
					t.Errorf("%s density %g axis %d: velocity %g", l.Name, density, a, u)
				}
			}
			if u := b.Here().Velocity[0]; density <= 1 && u < 0.03 {
				t.Errorf("%s density %g: a light body lags behind a stream of 0.05 by %g", l.Name, density, 0.05-u)
			}
		}
	}
}

// A cylinder free to turn in a shear turns at half its rate (Jeffery 1922), and
// drawn back by a spring it stays where the torque holds it.
func TestFreeCylinderTurnsWithTheShear(t *testing.T) {
	checkingtest.NumbersAlone(t)
	const n, u = 80, 0.02
	wall := func(v float64) lbm.Face {
		return lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{v} }}
	}
	f, pool := tank(t, lbm.D2Q9, [3]int{n, n, 1}, 0.5, lbm.Face{}, lbm.Face{}, wall(-u), wall(u))
	rate := 2 * u / n
	f.Initialize(func(x [3]float64) (float64, [3]float64) {
		return 1, [3]float64{rate * (x[1] - n/2 + 0.5)}
	})
	b := disc(t, n/2-0.5, n/2-0.5, 12)
	b.Free = &rigid.Free{Density: 1}
	s := put(t, f, pool, b)
	steps(t, s, 3000)
	// Confinement 0.15 slows it by about 1 %, and Re = ρ rate a²/μ = 0.04 by less.
	if got := -b.Here().Spin[2] / rate; math.Abs(got-0.5) > 0.01 {
		t.Errorf("spin over shear rate is %.4f, should be 0.5", got)
	}
	if x := b.Here().Position; x.Sub(b.Shape.Center()).Norm() > 0.01 {
		t.Errorf("it has drifted by %v", x.Sub(b.Shape.Center()))
	}
}

// A heavy disc sinks onto the floor and comes to rest above it, without overlap.
func TestContactHoldsASinkingDisc(t *testing.T) {
	checkingtest.NumbersAlone(t)
	wall := lbm.Face{Kind: lbm.NoSlip}
	f, pool := tank(t, lbm.D2Q9, [3]int{40, 48, 1}, 0.1, wall, wall, wall, wall)
	a, b := disc(t, 19.4, 10, 10), disc(t, 20.1, 30, 10)
	b.Name = "other"
	for _, d := range []*rigid.Body{a, b} {
		d.Free = &rigid.Free{Density: 2, Gravity: geometry.Vec{0, -1e-4}}
	}
	s := put(t, f, pool, a, b)
	steps(t, s, 6000)
	gap := a.Here().Position[1] - 5 + 0.5
	if !(gap > 0) || gap > 2 {
		t.Errorf("the lower disc rests %.3g nodes above the floor, should be within the contact's 2", gap)
	}
	if between := b.Here().Position.Sub(a.Here().Position).Norm() - 10; !(between > 0) {
		t.Errorf("the discs overlap by %.3g nodes", -between)
	}
}

func TestMovingIntoEachOtherAndOutOfTheDomainIsTold(t *testing.T) {
	drive := func(b *rigid.Body, v float64) {
		b.Motion = &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center(), Shift: [3]kinematics.Track{kinematics.Steady{Rate: v}}}
	}
	run := func(s *Simulation[float64]) error {
		for range 2000 {
			if s.Step(); s.Err() != nil {
				return s.Err()
			}
		}
		return nil
	}
	var motion *rigid.MotionError
	f, pool := tank(t, lbm.D2Q9, [3]int{60, 30, 1}, 0.1)
	a, b := disc(t, 12, 15, 10), disc(t, 40, 15, 10)
	drive(a, 0.02)
	if err := run(put(t, f, pool, a, b)); !errors.As(err, &motion) || motion.Step < 800 || motion.Step > 1000 {
		t.Errorf("a disc that reaches another after 900 steps: %v", err)
	}
	f, pool = tank(t, lbm.D2Q9, [3]int{60, 30, 1}, 0.1, lbm.Face{Kind: lbm.NoSlip}, lbm.Face{Kind: lbm.NoSlip})
	a = disc(t, 40, 15, 10)
	drive(a, 0.02)
	if err := run(put(t, f, pool, a)); !errors.As(err, &motion) || motion.Step < 650 || motion.Step > 800 {
		t.Errorf("a disc that reaches a wall after 730 steps: %v", err)
	}
}

// What is resumed goes on with the same bits.
func TestMovingBodiesResume(t *testing.T) {
	make := func() *Simulation[float64] {
		f, pool := tank(t, lbm.D2Q9, [3]int{60, 44, 1}, 0.05)
		a, b := disc(t, 14, 20, 10), disc(t, 40, 22, 12)
		a.Free = &rigid.Free{Density: 0.7, Gravity: geometry.Vec{1e-5, -2e-5}, Spring: geometry.Vec{1e-4}}
		b.Motion = &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center().Add(geometry.Vec{3}), Axis: geometry.Vec{0, 0, 1},
			Shift: [3]kinematics.Track{kinematics.Harmonic{Amplitude: 6, Omega: 0.01}}, Turn: &kinematics.Integral{Of: func(t float64) float64 { return 0.002 * math.Sin(t/50) }, Step: 1}}
		return put(t, f, pool, a, b)
	}
	whole, part, next := make(), make(), make()
	steps(t, whole, 700)
	steps(t, part, 300)
	if err := next.Fluid.SetState(lbm.StateOf(part.Fluid)); err != nil {
		t.Fatal(err)
	}
	if err := next.SetRigid(part.Rigid()); err != nil {
		t.Fatal(err)
	}
	if err := next.SetHeld(part.Held()); err != nil {
		t.Fatal(err)
	}
	steps(t, next, 400)
	for i := range whole.Bodies {
		if a, b := whole.Bodies[i].State(), next.Bodies[i].State(); a != b {
			t.Errorf("body %d: %+v became %+v", i, a, b)
		}
	}
	if a, b := whole.StepMeasured()[0], next.StepMeasured()[0]; a.Force != b.Force || a.Torque != b.Torque {
		t.Errorf("loads %v and %v", a, b)
	}
}

func TestStepsWithMovingBodiesAllocateNothing(t *testing.T) {
	f, pool := tank(t, lbm.D2Q9, [3]int{60, 44, 1}, 0.05)
	a, b := disc(t, 14, 20, 10), disc(t, 40, 22, 12)
	a.Free, a.Damped, b.Damped = &rigid.Free{Density: 2}, true, true
	b.Motion = &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center(), Shift: [3]kinematics.Track{kinematics.Harmonic{Amplitude: 2, Omega: 0.01}}}
	s := put(t, f, pool, a, b)
	steps(t, s, 700) // a whole period: lists are as long as they get
	if n := testing.AllocsPerRun(100, s.Step); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// The balance of a box knows where a body is after any number of turns through a
// periodic domain.
func TestBalanceAfterTurns(t *testing.T) {
	checkingtest.NumbersAlone(t)
	f, pool := tank(t, lbm.D2Q9, [3]int{48, 40, 1}, 0.05)
	f.Initialize(func(x [3]float64) (float64, [3]float64) { return 1, [3]float64{0.02, 0} })
	b := disc(t, 20.2, 20.1, 10)
	b.Motion = &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center(), Shift: [3]kinematics.Track{kinematics.Steady{Rate: -0.06}}}
	s := put(t, f, pool, b)
	seen := 0
	for range 40 {
		steps(t, s, 59)
		l := s.StepMeasured()[0]
		if l.Balance[0] != l.Balance[0] {
			continue // across the face
		}
		seen++
		if math.Abs(l.Balance[0]-l.Force[0]) > 1e-11 {
			t.Errorf("at x = %.2f: force %g, balance %g", b.State().Position[0], l.Force[0], l.Balance[0])
		}
	}
	if seen < 15 {
		t.Errorf("the box was usable %d times of 40", seen)
	}
}
