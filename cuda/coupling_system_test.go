package cuda

import (
	"slices"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/hybridtest"
	"lbmib/internal/checking"
	"lbmib/lbm"
)

// falling is a scene with freely moving bodies, all on the device.
func falling(t *testing.T, l *device.Library, s *hybridtest.Scene, transfer string) *hybrid.Simulation[float64] {
	t.Helper()
	b := scheduled[float64](l, "inplace", transfer, 0, 0)
	fluid := b.Fluid(t, s.Flow)
	fluid.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, [3]float64{0.03, 0.01} })
	plan := hybrid.Plan[float64]{Schedule: "device", Device: b.Device(t, fluid, s.Coupling)}
	return hybridtest.Simulate(t, s, fluid, plan, 1)
}

// Whoever looks at freely moving bodies that a device corrects finds them where they are,
// and they go on as if nobody had looked, however late the device is.
func TestFreeBodiesOnADeviceDoNotMindLooks(t *testing.T) {
	for _, delay := range []string{"0", "30"} {
		t.Setenv("LBMIB_STANDIN_DELAY", delay)
		l := devicetest.Open(t)
		for _, name := range []string{"settling onto the floor and each other", "a sphere that sinks"} {
			s := hybridtest.Find(t, name)
			alone, seen := falling(t, l, &s, "sort-reduce"), falling(t, l, &s, "sort-reduce")
			for step := range 60 {
				alone.Step()
				switch step % 7 {
				case 1:
					seen.MeasureStep()
				case 3:
					seen.StepMeasured()
				case 4:
					seen.Step()
					seen.Rigid()
				case 5:
					seen.Step()
					seen.Bodies[0].State()
					seen.Held()
				default:
					seen.Step()
				}
			}
			if a, b := alone.Rigid(), seen.Rigid(); !slices.Equal(a, b) {
				t.Errorf("%s: the bodies are %v, should be %v", name, b, a)
			}
			a, b := lbm.StateOf(alone.Fluid), lbm.StateOf(seen.Fluid)
			for i := range a.Populations {
				if !slices.Equal(a.Populations[i], b.Populations[i]) {
					t.Errorf("%s: the flow is another", name)
					break
				}
			}
			if alone.Err() != nil || seen.Err() != nil {
				t.Error(alone.Err(), seen.Err())
			}
		}
	}
}

// What markers feel is queued, and not waited for.
func TestTheMarkerSystemIsNotWaitedFor(t *testing.T) {
	t.Setenv("LBMIB_STANDIN_DELAY", "0")
	l := devicetest.Open(t)
	s := hybridtest.Find(t, "a sphere that sinks")
	b := scheduled[float64](l, "inplace", "sort-reduce", 0, 0)
	fluid := b.Fluid(t, s.Flow)
	of := b.Device(t, fluid, s.Coupling)
	sim := hybridtest.Simulate(t, &s, fluid, hybrid.Plan[float64]{Schedule: "device", Device: of}, 1)
	sim.Step()
	held, _ := hold(t, l, fluid.(*Fluid[float64]))
	found := of.MarkerSystem([]geometry.Vec{sim.Bodies[0].State().Position})
	if found.Ready() {
		t.Error("it is ready while the device is held")
	}
	held()
	if felt, err := found.Wait(); err != nil || !(felt[0].A[0][0] > 0) {
		t.Errorf("%+v, %v", felt, err)
	}
}

// A run with free bodies goes on from what it keeps with the same bits.
func TestFreeBodiesOnADeviceGoOnFromWhatIsKept(t *testing.T) {
	l := devicetest.Open(t)
	s := hybridtest.Find(t, "a sphere that sinks")
	whole := falling(t, l, &s, "sort-reduce")
	for range 20 {
		whole.Step()
	}
	rest := falling(t, l, &s, "sort-reduce")
	if err := rest.Fluid.SetState(lbm.StateOf(whole.Fluid)); err != nil {
		t.Fatal(err)
	}
	if err := rest.SetRigid(whole.Rigid()); err != nil {
		t.Fatal(err)
	}
	if err := rest.SetHeld(whole.Held()); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		whole.Step()
		rest.Step()
	}
	if a, b := whole.Rigid(), rest.Rigid(); !slices.Equal(a, b) {
		t.Errorf("the bodies are %v, should be %v", b, a)
	}
	if a, b := whole.StepMeasured()[0], rest.StepMeasured()[0]; a.Force != b.Force || a.Torque != b.Torque {
		t.Errorf("load %v, should be %v", b, a)
	}
}

// A step with free bodies allocates nothing on the device, once there is room for where
// they go.
func TestFreeBodiesOnADeviceAllocateNothing(t *testing.T) {
	l := devicetest.Open(t)
	s := hybridtest.Find(t, "settling onto the floor and each other")
	sim := falling(t, l, &s, "sort-reduce")
	for range 400 { // they lie
		sim.Step()
	}
	before, _ := l.Context.Held()
	if n := testing.AllocsPerRun(100, sim.Step); n >= 1 && !checking.Racing {
		t.Errorf("a step allocates %v times", n)
	}
	if after, _ := l.Context.Held(); after != before {
		t.Errorf("%d bytes of the device's memory were held, and %d after some steps", before, after)
	}
	if err := sim.Err(); err != nil {
		t.Fatal(err)
	}
}
