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

// tadpoles are, in a fluid at rest in a periodic box, a light ball with a tail four times as heavy as it is clamped to it, and two more that a
// line joins, one of which is released later. They come first, so that State has theirs first, or last.
func tadpoles(t *testing.T, workers int, schedule string, last bool) *hybrid.Simulation[float64] {
	t.Helper()
	s := hybridtest.Scene{
		Flow:     lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{72, 56, 1}, Collision: hybridtest.Collision(t, "trt", 0.05)},
		Coupling: hybrid.CouplingConfig{Delta: "roma3", Transfer: "sort-reduce", Forcing: "direct", Offset: 0.2},
		Bodies: func(t testing.TB) []*rigid.Body {
			a, b, c := hybridtest.Ball(t, 14.2, 14.3, 0, 9), hybridtest.Ball(t, 14.2, 40.3, 0, 9), hybridtest.Ball(t, 46.2, 38.3, 0, 8)
			a.Free = &rigid.Free{Density: 0.05, Velocity: geometry.Vec{0.03, 0.01}}
			b.Free = &rigid.Free{Density: 0.5, Spin: geometry.Vec{0, 0, 0.004}}
			c.Free = &rigid.Free{Density: 2, Release: 20, Velocity: geometry.Vec{0.03, -0.02}, Fix: [6]bool{5: true}}
			tail := hybridtest.Flag(t, 18.7, 14.3, 18, 0, beam.Config{Mass: 0.8, Inextensible: true, Bending: 2, First: beam.End{Kind: beam.Clamped}}, [2]flexible.Hold{{Base: a}})
			rope := hybridtest.Flag(t, 18.7, 38.3, 25, 0, beam.Config{Mass: 0.3, Stretching: 0.5, Bending: 0.05, First: beam.End{Kind: beam.Hinged}, Last: beam.End{Kind: beam.Clamped}},
				[2]flexible.Hold{{Base: b}, {Base: c}})
			if last {
				return []*rigid.Body{tail, rope, a, b, c}
			}
			return []*rigid.Body{a, b, c, tail, rope}
		},
	}
	fluid := hybridtest.CPU[float64](t, s.Flow, workers)
	fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	return hybridtest.Simulate(t, &s, fluid, hybrid.Plan[float64]{Schedule: schedule}, workers)
}

// TestBodiesThatHoldLinesKeepMomentum: with theirs, that of the lines and the fluid's, less that of the fluid inside them as it was before their
// markers acted, nothing is lost from step to step. Of both BDF2 has M (3U − U⁻)/2.
func TestBodiesThatHoldLinesKeepMomentum(t *testing.T) {
	s := tadpoles(t, 1, "serial", false)
	const length = 41 // of a body's state: velocity from 3, momentum inside from 21, velocity a step ago from 34
	account := func() (p geometry.Vec) {
		_, in := s.Fluid.Momentum([3]int{}, s.Fluid.Config().Size)
		p = geometry.Vec(in)
		state := s.Rigid()[1:]
		for i, b := range s.Bodies {
			if b.Free != nil {
				m, of := b.Free.Density*b.Shape.Enclosed(), state[length*i:]
				p = p.Add(geometry.Vec(of[3:6]).Scale(3).Sub(geometry.Vec(of[34:37])).Scale(m / 2)).Sub(geometry.Vec(of[21:24]))
				continue
			}
			f := b.Structure.(*flexible.Filament)
			line := f.Line.Save()
			for k, u := range line.U {
				p = p.Add(u.Scale(3).Sub(line.UBefore[k]).Scale(f.Mass() * f.Line.Share(k) / 2))
			}
		}
		return p
	}
	step(t, s, 22) // the body that is released later is then moved by nothing else
	first, fastest := account(), 0.
	for n := range 250 {
		step(t, s, 1)
		fastest = math.Max(fastest, s.Bodies[0].Here().Velocity.Norm())
		if d := account().Sub(first).Norm(); d > 1e-9 { // rounding of tensions that are 10⁷ times inertia, over 250 steps
			t.Fatalf("step %d: momentum has changed by %.3g", n, d)
		}
	}
	if fastest > 0.03 {
		t.Errorf("the light ball comes to move by %.3g, begins with 0.03", fastest)
	}
	for i, b := range s.Bodies[:3] {
		if d := b.State().Position.Sub(b.Shape.Center()).Norm(); d < 0.1 {
			t.Errorf("ball %d has moved by %.3g nodes, should have by some", i, d)
		}
	}
	if spin := s.Bodies[2].State().Spin; spin != (geometry.Vec{}) {
		t.Errorf("the ball that must not turns by %v", spin)
	}
	rope := s.Bodies[4].Structure.(*flexible.Filament) // which is where it is held: in front of that by half of what a step moves it
	for e, end := range [2]int{0, rope.Line.Len() - 1} {
		b := s.Bodies[1+e]
		at := b.State()
		drawn := [2]geometry.Vec{{18.7, 38.3}, {18.7 + 0.95*24, 38.3 + 0.1*24}}[e]
		if d := rope.Line.X()[end].Sub(at.ToSpace(drawn.Sub(b.Shape.Center()))).Norm(); d > 0.02 {
			t.Errorf("end %d of the rope is %.3g nodes away from its ball's", e, d)
		}
	}
}

// TestBodiesThatHoldLinesAreTheSameBitsOnAnyWorkersAndResumed, also beside the fluid's step, and, but for rounding, in another order.
func TestBodiesThatHoldLinesAreTheSameBitsOnAnyWorkersAndResumed(t *testing.T) {
	whole, more, turned := tadpoles(t, 1, "serial", false), tadpoles(t, 3, "pipelined", false), tadpoles(t, 2, "serial", true)
	hybridtest.Follow(t, "three workers", whole, more, 100, 0)
	step(t, turned, 100)
	for i, b := range whole.Bodies {
		o := turned.Bodies[(i+2)%5]
		if d := b.State().Position.Sub(o.State().Position).Norm(); d > 1e-7 { // tensions that are 10⁷ times inertia round
			t.Errorf("body %d in another order is %.3g nodes away", i, d)
		}
	}
	part, next := tadpoles(t, 1, "pipelined", false), tadpoles(t, 2, "serial", false)
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
	if !slices.Equal(whole.Rigid(), next.Rigid()) {
		t.Error("the state of the bodies is another")
	}
	if err := next.SetRigid(part.Rigid()[7:]); err == nil || !strings.Contains(err.Error(), "resume with the case that wrote them") {
		t.Errorf("a state that is too short: %v", err)
	}
	step(t, whole, 1)
	if n := testing.AllocsPerRun(20, whole.Step); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// tethered is a cylinder or a sphere lighter than the fluid, on a tether without mass to a place at rest below.
func tethered(t *testing.T, dim int, density float64, g geometry.Vec) *hybrid.Simulation[float64] {
	t.Helper()
	flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{40, 48, 1}, Collision: hybridtest.Collision(t, "trt", 0.1)}
	at, d := geometry.Vec{20.3, 30.2}, 10.
	if dim == 3 {
		flow.Lattice, flow.Size = lbm.D3Q19, [3]int{22, 30, 22}
		at, d = geometry.Vec{10.8, 19.2, 11.1}, 7
	}
	s := hybridtest.Scene{Flow: flow, Coupling: hybrid.CouplingConfig{Delta: "roma3", Transfer: "sort-reduce", Forcing: "direct", Offset: 0.2},
		Bodies: func(t testing.TB) []*rigid.Body {
			b := hybridtest.Ball(t, at[0], at[1], at[2], d)
			b.Free = &rigid.Free{Density: density, Gravity: g}
			c := beam.Config{Dim: dim, Step: 1, Inextensible: true, Bending: 1e-3, First: beam.End{Kind: beam.Hinged}, Last: beam.End{Kind: beam.Hinged}}
			for i := range 11 {
				c.X = append(c.X, at.Sub(geometry.Vec{0, d/2 + 10 - float64(i)}))
			}
			f, err := flexible.NewFilament(c, 0, 1, [2]flexible.Hold{1: {Base: b}})
			if err != nil {
				t.Fatal(err)
			}
			shape, err := geometry.NewLine(c.X)
			if dim == 3 {
				shape, err = geometry.NewFibre(c.X)
			}
			if err != nil {
				t.Fatal(err)
			}
			return []*rigid.Body{f.Body("tether", shape), b}
		}}
	fluid := hybridtest.CPU[float64](t, s.Flow, 2)
	fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	return hybridtest.Simulate(t, &s, fluid, hybrid.Plan[float64]{}, 2)
}

// TestATetherBearsWhatIsLeftOfTheWeight: a body lighter than the fluid, released at rest on a tether, stays, and the tether pulls at
// where it is held with what the fluid that the body displaces weighs beyond it: with that from the first steps on, the tether is taut.
func TestATetherBearsWhatIsLeftOfTheWeight(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		for _, density := range []float64{0.02, 0.6} {
			g := geometry.Vec{0, -1e-4}
			s := tethered(t, dim, density, g)
			step(t, s, 30)
			tether, b := s.Bodies[0].Structure.(*flexible.Filament), s.Bodies[1]
			want := g.Scale(-(1 - density) * b.Shape.Enclosed())
			for range 60 {
				step(t, s, 1)
				force, _ := tether.Line.Support(0)
				if d := force.Sub(want).Norm() / want.Norm(); d > 1e-4 { // it sways by roundings and keeps its length to 10⁻⁶
					t.Fatalf("%dD, density %g: the tether pulls with %.6g, want %.6g", dim, density, force, want)
				}
			}
			if at := b.State(); at.Velocity.Norm() > 1e-7 || at.Position.Sub(b.Shape.Center()).Norm() > 1e-4 {
				t.Errorf("%dD, density %g: the body moves with %.3g and has come %.3g", dim, density, at.Velocity.Norm(), at.Position.Sub(b.Shape.Center()).Norm())
			}
		}
	}
}
