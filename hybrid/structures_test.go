package hybrid_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/hybridtest"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic/beam"
	"lbmib/lbm"
)

// afloat is a thin filament that moves and a thick one at rest in a fluid at rest, in a periodic box.
func afloat(t *testing.T, workers int, schedule string) *hybrid.Simulation[float64] {
	t.Helper()
	u := make([]geometry.Vec, 16)
	for i := range u {
		u[i] = geometry.Vec{0.02, 0.03 - 0.004*float64(i)}
	}
	s := hybridtest.Scene{
		Flow:     lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{64, 48, 1}, Collision: hybridtest.Collision(t, "trt", 0.05)},
		Coupling: hybrid.CouplingConfig{Delta: "roma3", Transfer: "sort-reduce", Forcing: "direct"},
		Bodies: func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{
				hybridtest.Flag(t, 10, 10, 16, 0, beam.Config{U: u, Mass: 0.8, Stretching: 1, Bending: 0.05}, [2]flexible.Hold{}),
				hybridtest.Flag(t, 20, 20, 16, 3, beam.Config{Mass: 4, Inextensible: true, Bending: 1}, [2]flexible.Hold{}),
			}
		},
	}
	fluid := hybridtest.CPU[float64](t, s.Flow, workers)
	fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	return hybridtest.Simulate(t, &s, fluid, hybrid.Plan[float64]{Schedule: schedule}, workers)
}

// momentum is that of the fluid and of what bodies have beyond the fluid that they displace.
func momentum(s *hybrid.Simulation[float64]) (p geometry.Vec) {
	_, in := s.Fluid.Momentum([3]int{}, s.Fluid.Config().Size)
	p = geometry.Vec(in)
	for _, b := range s.Bodies {
		f := b.Structure.(*flexible.Filament)
		for i, u := range f.Line.U() {
			p = p.Add(u.Scale((f.Mass() - f.Thickness) * f.Line.Share(i)))
		}
	}
	return p
}

// TestFilamentsKeepMomentum: what a structure expects of the fluid is what the fluid gets, to rounding. BDF2's momentum of a
// mass is M(3U − U⁻)/2, which is what is kept from the second step on; it differs from M U by M(U − U⁻)/2,
// which is added. The first step is Euler's.
func TestFilamentsKeepMomentum(t *testing.T) {
	s := afloat(t, 1, "serial")
	kept := func(before []geometry.Vec) (p geometry.Vec) {
		p = momentum(s)
		for _, b := range s.Bodies {
			f := b.Structure.(*flexible.Filament)
			for i, u := range f.Line.U() {
				p = p.Add(u.Sub(before[0]).Scale((f.Mass() - f.Thickness) * f.Line.Share(i) / 2))
				before = before[1:]
			}
		}
		return p
	}
	velocities := func() (u []geometry.Vec) {
		for _, b := range s.Bodies {
			u = append(u, b.Structure.(*flexible.Filament).Line.U()...)
		}
		return u
	}
	step(t, s, 1)
	var first geometry.Vec
	for n := range 400 {
		before := velocities()
		step(t, s, 1)
		now := kept(before)
		if n == 0 {
			first = now
		}
		if d := now.Sub(first).Norm(); d > 1e-10 { // tensions that are 10⁷ times inertia round to 10⁻¹² a step
			t.Fatalf("step %d: momentum %v has changed by %g since step 1", n+2, now, d)
		}
	}
	thin, thick := s.Bodies[0].State(), s.Bodies[1].State()
	if d := thin.Position.Sub(geometry.Vec{17.125, 10.75}).Norm(); d < 0.1 {
		t.Errorf("the filament that moved has gone %g nodes, should have gone some", d)
	}
	if thick.Velocity.Norm() == 0 {
		t.Error("the thick filament has not been moved by the fluid")
	}
}

// TestMarkersOfFilamentsMoveWithTheFluid: after a correction the fluid has their velocities but for what direct forcing leaves of slip,
// a hundredth of the fastest marker's here.
func TestMarkersOfFilamentsMoveWithTheFluid(t *testing.T) {
	s := afloat(t, 1, "serial")
	step(t, s, 50)
	loads := s.StepMeasured()
	if loads[0].Slip > 0.05*0.03 {
		t.Errorf("slip %g", loads[0].Slip)
	}
	for i, l := range loads {
		for a := range 2 {
			if math.Abs(l.Balance[a]-l.Force[a]) > 1e-12 {
				t.Errorf("body %d: force %v, by the balance of momentum %v", i, l.Force, l.Balance)
			}
		}
	}
}

// TestFilamentsAreTheSameBitsOnAnyWorkersAndResumed.
func TestFilamentsAreTheSameBitsOnAnyWorkersAndResumed(t *testing.T) {
	whole, more := afloat(t, 1, "serial"), afloat(t, 3, "serial")
	hybridtest.Follow(t, "three workers", whole, more, 100, 0)
	part, next := afloat(t, 1, "pipelined"), afloat(t, 2, "serial")
	step(t, part, 61)
	step(t, next, 7)
	if err := next.Fluid.SetState(lbm.StateOf(part.Fluid)); err != nil {
		t.Fatal(err)
	}
	if err := next.SetRigid(part.Rigid()); err != nil {
		t.Fatal(err)
	}
	if err := next.SetHeld(part.Held()); err != nil {
		t.Fatal(err)
	}
	step(t, next, 39)
	hybridtest.Same(t, "resumed", whole, next, 0)
	for i := range whole.Bodies {
		a, b := whole.Bodies[i].Structure.(*flexible.Filament).Line, next.Bodies[i].Structure.(*flexible.Filament).Line
		if !slices.Equal(a.X(), b.X()) || !slices.Equal(a.U(), b.U()) || !slices.Equal(a.Tension(), b.Tension()) {
			t.Errorf("line %d is another", i)
		}
	}
	if err := next.SetRigid(part.Rigid()[1:]); err == nil {
		t.Error("a state that is too short is taken")
	}
}

func TestStepsWithFilamentsAllocateNothing(t *testing.T) {
	s := afloat(t, 1, "serial")
	step(t, s, 60)
	if n := testing.AllocsPerRun(50, s.Step); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// TestFilamentsLighterThanTheFluidAreRefused where they displace some.
func TestFilamentsLighterThanTheFluidAreRefused(t *testing.T) {
	c := beam.Config{Dim: 2, Step: 1, Mass: 1, X: []geometry.Vec{{0}, {1}, {2}}}
	if _, err := flexible.NewFilament(c, 2, 1, [2]flexible.Hold{}); err == nil || !strings.Contains(err.Error(), "0.5 of that of the fluid") {
		t.Errorf("%v", err)
	}
}
