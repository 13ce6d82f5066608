package cuda

import (
	"errors"
	"math"
	"strings"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/cuda/driver"
	"lbmib/cuda/transfer"
	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/checking"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// scene is a flow with bodies in it.
type scene struct {
	name   string
	flow   lbm.Config
	cfg    hybrid.CouplingConfig
	bodies func(t testing.TB) []*rigid.Body
	cut    bool // a support leaves the domain or wraps along x: sums have another order there
}

func body(t testing.TB, shape geometry.Shape, err error, spacing float64) *rigid.Body {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	b, err := rigid.NewBody("ball", shape, spacing, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func circle(t testing.TB, x, y, diameter float64) *rigid.Body {
	s, err := geometry.NewCircle(geometry.Vec{x, y}, diameter)
	return body(t, s, err, 1)
}

func sphere(t testing.TB, x, y, z, diameter float64) *rigid.Body {
	s, err := geometry.NewSphere(geometry.Vec{x, y, z}, diameter)
	return body(t, s, err, 1.2)
}

// swinging moves a body to and fro along an axis, and turns it.
func swinging(b *rigid.Body, axis int, amplitude float64) *rigid.Body {
	m := &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center(), Axis: geometry.Vec{0, 0, 1}, Turn: kinematics.Harmonic{Amplitude: 0.3, Omega: 0.1}}
	m.Shift[axis] = kinematics.Harmonic{Amplitude: amplitude, Omega: 0.04}
	b.Motion = m
	return b
}

func flow(t testing.TB, l *lbm.Lattice, size [3]int, faces ...lbm.Face) lbm.Config {
	t.Helper()
	c, err := lbm.NewCollision("trt", 0.05, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := lbm.Config{Lattice: l, Size: size, Collision: c}
	copy(cfg.Faces[:], faces)
	return cfg
}

func scenes(t testing.TB) []scene {
	t.Helper()
	direct := hybrid.CouplingConfig{Delta: "roma3", Forcing: "direct", Kernel: "go"}
	smeared, wide, many := direct, direct, direct
	smeared.Offset = 0.2
	wide.Delta, wide.Offset = "peskin4", 0.2
	many.Forcing, many.Iterations, many.Tolerance, many.Delta = "multidirect", 6, 2e-3, "bspline3"
	wall := lbm.Face{Kind: lbm.NoSlip}
	channel := []lbm.Face{{}, {}, wall, wall}
	symmetry := lbm.Face{Kind: lbm.Symmetry}
	lid := lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{0, 0.03} }}
	manySmeared := many
	manySmeared.Offset = 0.2
	return []scene{
		{"a cylinder", flow(t, lbm.D2Q9, [3]int{46, 35, 1}, channel...), direct, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{circle(t, 20.3, 17.6, 10)}
		}, false},
		{"two cylinders, smeared", flow(t, lbm.D2Q9, [3]int{51, 37, 1}, channel...), smeared, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{circle(t, 15.3, 12.6, 9), circle(t, 33.2, 22.1, 11)}
		}, false},
		{"a sphere", flow(t, lbm.D3Q19, [3]int{24, 21, 20}), wide, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{sphere(t, 11.3, 10.6, 9.7, 8)}
		}, false},
		{"multidirect", flow(t, lbm.D2Q9, [3]int{46, 35, 1}, channel...), many, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{circle(t, 20.3, 17.6, 10)}
		}, false},
		{"multidirect, smeared, in space", flow(t, lbm.D3Q19, [3]int{22, 19, 20}), manySmeared, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{sphere(t, 11.3, 9.6, 9.7, 7)}
		}, false},
		{"a swinging cylinder", flow(t, lbm.D2Q9, [3]int{60, 40, 1}, channel...), smeared, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{swinging(circle(t, 30.3, 19.6, 10), 0, 9)}
		}, false},
		{"a sphere swinging across the end of a period", flow(t, lbm.D3Q19, [3]int{20, 18, 19}), direct, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{swinging(sphere(t, 14.3, 9.6, 9.7, 7), 0, 6)}
		}, true},
		{"a cylinder that swings at a wall", flow(t, lbm.D2Q9, [3]int{40, 30, 1}, channel...), wide, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{swinging(circle(t, 20.3, 6.2, 8), 1, -1.5)}
		}, true},
		{"cylinders at planes of symmetry and a lid", flow(t, lbm.D2Q9, [3]int{46, 35, 1}, symmetry, lid, lbm.Face{Kind: lbm.FreeSlip}, wall), smeared, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{swinging(circle(t, 8.2, 4.4, 8), 0, -4), circle(t, 40.8, 5.3, 9)}
		}, true},
		{"a sphere in an edge of two planes, multidirect", flow(t, lbm.D3Q19, [3]int{22, 19, 20}, lbm.Face{}, lbm.Face{}, symmetry, lid, wall, symmetry), many, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{sphere(t, 11.3, 3.2, 16.1, 7)}
		}, true},
		{"cylinders in boxes of their own", flow(t, lbm.D2Q9, [3]int{90, 60, 1}, channel...), direct, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{swinging(circle(t, 18.3, 15.6, 9), 0, 4), circle(t, 70.2, 42.1, 11), swinging(circle(t, 21.2, 45.3, 8), 1, 3)}
		}, false},
		{"spheres in boxes of their own", flow(t, lbm.D3Q19, [3]int{40, 27, 33}), wide, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{swinging(sphere(t, 9.3, 9.6, 9.7, 7), 2, 2), sphere(t, 31.2, 17.1, 22.3, 6)}
		}, false},
		{"cylinders beside eddies", eddying(t, "recursive", lbm.D2Q9, [3]int{60, 40, 1}, channel...), smeared, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{swinging(circle(t, 15.3, 19.6, 9), 1, 5), circle(t, 42.2, 22.1, 11)}
		}, false},
		{"a sphere beside eddies, multidirect", eddying(t, "bgk", lbm.D3Q19, [3]int{22, 19, 20}), manySmeared, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{sphere(t, 11.3, 9.6, 9.7, 7)}
		}, false},
	}
}

// eddying is a flow with Smagorinsky's eddy viscosity, of some times the molecular one.
func eddying(t testing.TB, op string, l *lbm.Lattice, size [3]int, faces ...lbm.Face) lbm.Config {
	t.Helper()
	c, err := lbm.NewCollision(op, 0.01, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := flow(t, l, size, faces...)
	cfg.Collision = c
	cfg.Collision.Smagorinsky = 0.5
	return cfg
}

// outcome is what comes of a scene.
type outcome[T lbm.Float] struct {
	state    lbm.State[T]
	held     [][]T
	traction [][]T
	load     hybrid.Load
}

const sceneSteps = 25 // too few for batches of steps

func (s scene) start(f interface {
	Initialize(func([3]float64) (float64, [3]float64))
}) {
	f.Initialize(func(p [3]float64) (float64, [3]float64) {
		return 1 + 0.01*math.Sin(0.3*p[1]), [3]float64{0.05, 0.02 * math.Sin(0.2*p[0]), 0.01 * math.Cos(0.3*p[1])}
	})
}

func finish[T lbm.Float](t *testing.T, sim *hybrid.Simulation[T]) outcome[T] {
	t.Helper()
	return after(t, sim, sceneSteps)
}

func after[T lbm.Float](t *testing.T, sim *hybrid.Simulation[T], steps int) outcome[T] {
	t.Helper()
	for range steps - 1 {
		sim.Step()
	}
	o := outcome[T]{load: sim.StepMeasured()[0]}
	if err := sim.Err(); err != nil {
		t.Fatal(err)
	}
	o.state, o.held, o.traction = lbm.StateOf(sim.Fluid), sim.Held(), sim.Traction(0)
	return o
}

// onHost makes the steps on the CPU, in the order of the markers.
func onHost[T lbm.Float](t *testing.T, s scene, steps int) outcome[T] {
	t.Helper()
	pool := parallel.NewPool(1)
	defer pool.Close()
	flow := s.flow
	flow.Kernel = "go"
	f, err := lbm.New[T](flow, pool)
	if err != nil {
		t.Fatal(err)
	}
	s.start(f)
	cfg := s.cfg
	cfg.Transfer = "serial"
	sim, err := hybrid.NewSimulation(f, cfg, s.bodies(t), pool)
	if err != nil {
		t.Fatal(err)
	}
	return after(t, sim, steps)
}

// coupled is the scene with fluid and coupling on the device.
func coupled[T lbm.Float](t *testing.T, l *device.Library, s scene, transfer string, how device.Shape) *hybrid.Simulation[T] {
	t.Helper()
	sim, _, _ := coupledFluid[T](t, l, s, transfer, how, 0)
	return sim
}

// coupledFluid is coupled, with slots of so many bytes at most (0: as usual).
func coupledFluid[T lbm.Float](t *testing.T, l *device.Library, s scene, transfer string, how device.Shape, slots int) (*hybrid.Simulation[T], *Fluid[T], *Coupling[T]) {
	t.Helper()
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	f, err := NewFluid[T](l, s.flow)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	s.start(f)
	cfg := s.cfg
	c, err := NewCoupling(l, f, withTransfer(cfg, transfer))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	c.work.Shape, c.slots.most = how, slots
	cfg.Transfer = "serial" // the host's, which finds weights and loads
	sim, err := hybrid.NewScheduled(f, cfg, s.bodies(t), pool, hybrid.Plan[T]{Schedule: "device", Device: c})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sim.Close)
	return sim, f, c
}

func withTransfer(c hybrid.CouplingConfig, transfer string) hybrid.CouplingConfig {
	c.Transfer = transfer
	return c
}

// apart is the greatest difference between two outcomes.
func (o outcome[T]) apart(other outcome[T]) (most float64) {
	add := func(a, b T) { most = max(most, math.Abs(float64(a-b))) }
	addSum := func(a, b float64) { // in another order than the host's, of 10³ numbers of up to 0.1
		if d := math.Abs(a - b); d > 1e-12 || (a != a) != (b != b) {
			most = max(most, d)
		}
	}
	each := func(a, b [][]T) {
		for c := range a {
			for i := range a[c] {
				add(a[c][i], b[c][i])
			}
		}
	}
	each(o.state.Populations, other.state.Populations)
	each(o.held, other.held)
	each(o.traction, other.traction)
	for a := range o.load.Force {
		addSum(o.load.Force[a], other.load.Force[a])
		addSum(o.load.Torque[a], other.load.Torque[a])
		addSum(o.load.Balance[a], other.load.Balance[a])
	}
	addSum(o.load.Slip, other.load.Slip)
	if most != most || len(o.held[0]) != len(other.held[0]) {
		return math.Inf(1)
	}
	return most
}

// One thread of the device that adds atomically goes through the markers as the CPU does,
// and with the CPU's plain loops all is the same bits, in half precision too. Other
// strategies, and cut supports, have other orders of sums: their roundings are not
// amplified by the flow of some tens of steps, and differ by some hundreds of the forces
// on a body, of up to 1.
func TestCouplingOnTheDeviceIsThatOfTheHost(t *testing.T) {
	devicetest.NumbersAlone(t)
	l := devicetest.Open(t)
	for i, s := range scenes(t) {
		others := []string{"sort-reduce"}
		switch i {
		case 4, 9: // multidirect in space, ghosts
			others = append(others, "cells", "blocks")
		case 0, 1, 2:
			others = []string{"auto", "buffered", "buffered-otf", "columns", "columns-pruned", "cells", "blocks"}
		}
		t.Run(s.name+", f64", func(t *testing.T) { compareCoupling[float64](t, l, s, 1e-13, others...) })
		t.Run(s.name+", f32", func(t *testing.T) { compareCoupling[float32](t, l, s, 5e-5, others[:1]...) })
		if s.flow.Store = "f16"; !s.cut {
			t.Run(s.name+", f32/f16", func(t *testing.T) { compareCoupling[float32](t, l, s, 0) })
		}
	}
}

func compareCoupling[T lbm.Float](t *testing.T, l *device.Library, s scene, tolerance float64, others ...string) {
	t.Helper()
	want := onHost[T](t, s, sceneSteps)
	if f := want.load.Force; math.Abs(f[0])+math.Abs(f[1]) < 1e-3 {
		t.Fatalf("the flow pushes with no more than %v: that tells nothing", f)
	}
	got := finish(t, coupled[T](t, l, s, "atomic", device.Shape{Threads: 1, Blocks: 1})).apart(want)
	if !s.cut && got != 0 || !(got <= tolerance) {
		t.Errorf("additions in the order of markers differ from the CPU's by %.2e", got)
	}
	for _, strategy := range others {
		if apart := finish(t, coupled[T](t, l, s, strategy, device.Shape{Threads: 64, Blocks: 9})).apart(want); !(apart <= tolerance) {
			t.Errorf("%s differs from the CPU by %.2e, at most %.1e is allowed", strategy, apart, tolerance)
		}
	}
}

// Walls beside an eddy viscosity have a table for every delta and a power for every collision, of
// which scenes have some. cosine4 has a cosine of its own.
func TestWallsBesideEddiesAreThoseOfTheHost(t *testing.T) {
	if testing.Short() {
		return
	}
	l := devicetest.Open(t)
	wall := lbm.Face{Kind: lbm.NoSlip}
	for i, delta := range transfer.Deltas {
		op := lbm.CollisionNames[i%len(lbm.CollisionNames)]
		s := scene{delta + " " + op, eddying(t, op, lbm.D2Q9, [3]int{40, 33, 1}, lbm.Face{}, lbm.Face{}, wall, wall),
			hybrid.CouplingConfig{Delta: delta, Forcing: "direct", Kernel: "go", Offset: 0.2},
			func(t testing.TB) []*rigid.Body { return []*rigid.Body{circle(t, 19.3, 16.6, 10)} }, delta == "cosine4"}
		t.Run(s.name, func(t *testing.T) { compareCoupling[float64](t, l, s, 1e-13, "sort-reduce") })
	}
}

// Batches of steps, launched as graphs, have their corrections in them, and what is told of
// bodies that move: where they are is read from slots, which the host fills while the device
// is late. Bodies with so many markers that slots are few go step by step.
func TestCouplingInBatchesIsThatOfTheHost(t *testing.T) {
	for _, delay := range []string{"0", "20"} {
		t.Setenv("LBMIB_STANDIN_DELAY", delay)
		l := devicetest.Open(t)
		for _, of := range []struct{ scene, slots int }{{8, 0}, {8, 1}, {1, 0}, {3, 0}, {5, 0}, {9, 0}, {12, 0}} {
			if testing.Short() && of.scene != 8 { // moving bodies have all of the slots' events
				break
			}
			compareBatches[float64](t, l, scenes(t)[of.scene], of.slots)
		}
		if testing.Short() {
			continue
		}
		half := scenes(t)[5]
		half.flow.Store = "f16"
		compareBatches[float32](t, l, half, 0)
	}
}

// compareBatches has slots of so many bytes at most, 0: as usual.
func compareBatches[T lbm.Float](t *testing.T, l *device.Library, s scene, slots int) {
	t.Helper()
	const steps = batchAfter + 8*batchSteps + 3
	want := onHost[T](t, s, steps)
	sim, f, c := coupledFluid[T](t, l, s, "atomic", device.Shape{Threads: 1, Blocks: 1}, slots)
	if apart := after(t, sim, steps).apart(want); apart != 0 {
		t.Errorf("%s: %d steps differ from the CPU's by %.2e", s.name, steps, apart)
	}
	if c.slots.enough() != (slots == 0) {
		t.Errorf("%s: there are %d slots", s.name, c.slots.count)
	}
	if launched := f.batch.launched; (f.batch.able && c.slots.enough()) != (launched > 0) {
		t.Errorf("%s: %d batches were launched, of %d slots", s.name, launched, c.slots.count)
	}
}

// Coupling that sorts has the same bits from run to run, however kernels are launched.
func TestCouplingDoesNotDependOnTheLaunch(t *testing.T) {
	devicetest.NumbersAlone(t)
	l := devicetest.Open(t)
	for _, i := range []int{2, 3, 5} { // a sphere, multidirect, moving
		s := scenes(t)[i]
		first := finish(t, coupled[float64](t, l, s, "auto", device.Shape{Threads: 128, Blocks: 1000}))
		for _, how := range []device.Shape{{Threads: 128, Blocks: 1000}, {Threads: 32, Blocks: 2}} {
			if apart := finish(t, coupled[float64](t, l, s, "auto", how)).apart(first); apart != 0 {
				t.Errorf("%s, launched as %v, is another by %.2e", s.name, how, apart)
			}
		}
	}
}

// A step allocates nothing on the device, with bodies that move, too, once they have been
// where they go; and nothing on the host while the window holds them.
func TestCouplingAllocatesNothing(t *testing.T) {
	l := devicetest.Open(t)
	for _, i := range []int{0, 3, 5, 7} { // the third needs other windows
		s := scenes(t)[i]
		sim := coupled[float64](t, l, s, "auto", device.Shape{Threads: 128, Blocks: 100})
		for range 330 { // two periods
			sim.Step()
		}
		before, _ := l.Context.Held()
		if n := testing.AllocsPerRun(160, sim.Step); n >= 1 && i != 5 && !checking.Racing { // a period
			t.Errorf("%s: a step allocates %v times", s.name, n)
		}
		if after, _ := l.Context.Held(); after != before {
			t.Errorf("%s: %d bytes of the device's memory were held, and %d after some steps", s.name, before, after)
		}
		if err := sim.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// A force that is not finite is found where somebody asks, with marker and step.
func TestForcesThatAreNotFiniteAreReported(t *testing.T) {
	l := devicetest.Open(t)
	s := scenes(t)[0]
	bodies := s.bodies
	s.bodies = func(t testing.TB) []*rigid.Body {
		b := bodies(t)
		b[0].Moves = 100
		b[0].Velocity = func(x geometry.Vec, at float64) (u [3]float64) {
			if x == b[0].Markers.X[7] && at >= 3 {
				u[1] = math.Inf(1)
			}
			return u
		}
		return b
	}
	sim := coupled[float64](t, l, s, "auto", device.Shape{Threads: 128, Blocks: 100})
	for range 2 {
		sim.Step()
	}
	sim.StepMeasured() // the third
	err := sim.Err()
	for _, word := range []string{`body "ball"`, "marker", "y component", "must be finite"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("error %v does not say %q", err, word)
		}
	}
}

// What a device does not do is refused, and the way out is told.
func TestImpossibleCouplingsAreRefused(t *testing.T) {
	l := devicetest.Open(t)
	s := scenes(t)[0]
	f, err := NewFluid[float64](l, s.flow)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for want, change := range map[string]func(*hybrid.CouplingConfig){
		`strategy "shift-reduce" is not one of the device's`: func(c *hybrid.CouplingConfig) { c.Transfer = "shift-reduce" },
		`forcing "penalty" cannot be done`:                   func(c *hybrid.CouplingConfig) { c.Forcing = "penalty" },
		`delta "gauss" is unknown`:                           func(c *hybrid.CouplingConfig) { c.Delta = "gauss" },
	} {
		cfg := withTransfer(s.cfg, "auto")
		change(&cfg)
		if c, err := NewCoupling(l, f, cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
			if err == nil {
				c.Close()
			}
		}
	}
	c, err := NewCoupling(l, f, withTransfer(s.cfg, "buffered"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	huge := ib.Grid{Dim: 3, Size: [3]int{1290, 1290, 1290}, Periodic: [3]bool{true, true, true}} // 64 GiB, where the stand-in has 16
	err = c.Place(&hybrid.Placement[float64]{Grid: huge, NewWindow: true, NewSupport: true})
	var full *driver.OutOfMemory
	if !errors.As(err, &full) || !strings.Contains(err.Error(), "schedule serial or pipelined") {
		t.Errorf("a window of %d nodes: error %v is not that the memory does not suffice, and what to do", huge.Nodes(), err)
	}
}
