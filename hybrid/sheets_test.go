package hybrid_test

import (
	"math"
	"slices"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/hybridtest"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/ib/elastic/plate"
	"lbmib/lbm"
)

// drifting is a free sheet that moves and bends, one without mass and one that a hinge holds where asked for, in a fluid at rest in a
// periodic box.
func drifting(t *testing.T, workers int, schedule string, held bool) *hybrid.Simulation[float64] {
	t.Helper()
	u := make([]geometry.Vec, 36)
	for k := range u {
		u[k] = geometry.Vec{0.01, 0.005, 0.03 - 0.006*float64(k%6)}
	}
	s := hybridtest.Scene{
		Flow:     lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{24, 20, 22}, Collision: hybridtest.Collision(t, "trt", 0.05)},
		Coupling: hybrid.CouplingConfig{Delta: "roma3", Transfer: "sort-reduce", Forcing: "direct"},
		Bodies: func(t testing.TB) []*rigid.Body {
			b := []*rigid.Body{
				hybridtest.Banner(t, geometry.Vec{9, 9, 6}, 6, 6, plate.Config{U: u, Mass: 1.5, Stretching: 2, Shear: 0.7, Bending: 0.02, Poisson: 0.3}),
				hybridtest.Banner(t, geometry.Vec{9, 3, 14}, 5, 7, plate.Config{Stretching: 1, Shear: 0.3, Bending: 0.01}),
			}
			if held {
				b = append(b, hybridtest.Banner(t, geometry.Vec{2, 3, 17}, 5, 5, plate.Config{Mass: 1, Stretching: 1, Bending: 0.01, Gravity: geometry.Vec{0, 0, -1e-4}, Edges: [4]plate.EdgeKind{plate.Hinged}}))
			}
			return b
		},
	}
	delta, err := ib.NewDelta[float64](s.Coupling.Delta)
	if err != nil {
		t.Fatal(err)
	}
	s.Coupling.Offset = ib.Offset(delta, s.Flow.Collision.Magic())
	fluid := hybridtest.CPU[float64](t, s.Flow, workers)
	fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	return hybridtest.Simulate(t, &s, fluid, hybrid.Plan[float64]{Schedule: schedule}, workers)
}

func sheetOf(b *rigid.Body) *plate.Sheet { return b.Structure.(*flexible.Sheet).Plate }

// TestSheetsKeepMomentum: what a sheet expects of the fluid is what the fluid gets, with the wall correction, to what conjugate gradients
// leave. BDF2's momentum of a mass is M(3U − U⁻)/2 from the second step on.
func TestSheetsKeepMomentum(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	s := drifting(t, 1, "serial", false)
	step(t, s, 1)
	var first geometry.Vec
	for n := range 300 {
		var before [][]geometry.Vec
		for _, b := range s.Bodies {
			before = append(before, slices.Clone(sheetOf(b).U()))
		}
		step(t, s, 1)
		_, in := s.Fluid.Momentum([3]int{}, s.Fluid.Config().Size)
		p := geometry.Vec(in)
		for i, b := range s.Bodies {
			mass := b.Structure.(*flexible.Sheet).Config().Mass
			for k, u := range sheetOf(b).U() {
				p = p.Add(u.Scale(1.5).Sub(before[i][k].Scale(0.5)).Scale(mass * sheetOf(b).Share(k)))
			}
		}
		if n == 0 {
			first = p
		}
		if d := p.Sub(first).Norm(); d > 1e-11 { // sums over 10⁴ nodes round to 10⁻¹³ a step
			t.Fatalf("step %d: momentum %v has changed by %g", n+2, p, d)
		}
	}
	for i, b := range s.Bodies {
		if b.State().Velocity.Norm() == 0 || b.State().Spin.Norm() == 0 {
			t.Errorf("sheet %d has not been moved", i)
		}
	}
}

// TestTheFluidFollowsSheets: after a correction the fluid has the nodes' velocities but for what direct forcing leaves of slip, a
// twentieth of the fastest node's here, where sheets are bent and edges stand for half a spacing. Forces are those of the balance of momentum.
func TestTheFluidFollowsSheets(t *testing.T) {
	s := drifting(t, 1, "serial", true)
	step(t, s, 60)
	loads := s.StepMeasured()
	for i, l := range loads {
		fastest := 0.
		for _, u := range s.Bodies[i].Structure.Velocities() {
			fastest = max(fastest, u.Norm())
		}
		t.Logf("sheet %d: slip %.2g of %.2g", i, l.Slip, fastest)
		if l.Slip > 0.05*fastest {
			t.Errorf("sheet %d: slip %g, moving with %g", i, l.Slip, fastest)
		}
		for a := range 3 {
			if math.Abs(l.Balance[a]-l.Force[a]) > 1e-12 {
				t.Errorf("sheet %d: force %v, by the balance of momentum %v", i, l.Force, l.Balance)
			}
		}
	}
}

func TestSheetsAreTheSameBitsOnAnyWorkersAndResumed(t *testing.T) {
	whole, more := drifting(t, 1, "serial", true), drifting(t, 3, "serial", true)
	hybridtest.Follow(t, "three workers", whole, more, 60, 0)
	part, next := drifting(t, 1, "pipelined", true), drifting(t, 2, "serial", true)
	step(t, part, 41)
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
	step(t, next, 19)
	hybridtest.Same(t, "resumed", whole, next, 0)
	for i := range whole.Bodies {
		a, b := sheetOf(whole.Bodies[i]), sheetOf(next.Bodies[i])
		if !slices.Equal(a.X(), b.X()) || !slices.Equal(a.U(), b.U()) {
			t.Errorf("sheet %d is another", i)
		}
	}
}

func TestStepsWithSheetsAllocateNothing(t *testing.T) {
	s := drifting(t, 1, "serial", true)
	step(t, s, 40)
	if n := testing.AllocsPerRun(20, s.Step); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// TestAStiffPlateIsFeltAsARigidOne: the steady drag of a plate across a stream that is clamped all round, of nodes a spacing apart, is
// that of a rigid one of the same markers.
func TestAStiffPlateIsFeltAsARigidOne(t *testing.T) {
	drag := func(bends bool) float64 {
		scene := hybridtest.Scene{
			Flow:     lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{16, 14, 14}, Collision: hybridtest.Collision(t, "trt", 0.1)},
			Coupling: hybrid.CouplingConfig{Delta: "roma3", Transfer: "sort-reduce", Forcing: "direct", Offset: 0.2},
			Bodies: func(t testing.TB) []*rigid.Body {
				b := hybridtest.Banner(t, geometry.Vec{5.3, 4.4, 7.2}, 6, 6, plate.Config{Mass: 1, Stretching: 10, Bending: 10,
					Edges: [4]plate.EdgeKind{plate.Clamped, plate.Clamped, plate.Clamped, plate.Clamped}})
				if !bends {
					b.Structure = nil
				}
				return []*rigid.Body{b}
			},
		}
		scene.Flow.Acceleration = func(float64) [3]float64 { return [3]float64{1e-5, 0, 1e-5} }
		fluid := hybridtest.CPU[float64](t, scene.Flow, 2)
		fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
		s := hybridtest.Simulate(t, &scene, fluid, hybrid.Plan[float64]{Schedule: "serial"}, 2)
		step(t, s, 300)
		return geometry.Vec(s.StepMeasured()[0].Force).Norm()
	}
	rigid, bends := drag(false), drag(true)
	t.Logf("drag %.6g, of one that bends %.6g", rigid, bends)
	if math.Abs(bends/rigid-1) > 0.01 { // weights of moving bodies are relaxed, those of fixed ones solved for
		t.Errorf("drag %g, of a plate that is clamped %g", rigid, bends)
	}
}
