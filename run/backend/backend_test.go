package backend

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/cuda/standin"
	"lbmib/cuda/transfer"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// noDriver makes the machine one without a driver for the rest of the test.
func noDriver(t *testing.T) {
	t.Setenv(driver.PathVariable, filepath.Join(t.TempDir(), "libcuda.so.1"))
}

// stream is a stream past a cylinder, free to move if asked for.
func stream(t *testing.T, free bool) Request {
	t.Helper()
	collision, err := lbm.NewCollision("trt", 0.04, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	circle, err := geometry.NewCircle(geometry.Vec{16.3, 15.6}, 8)
	if err != nil {
		t.Fatal(err)
	}
	body, err := rigid.NewBody("cylinder", circle, 1, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	if free {
		body.Free = &rigid.Free{Density: 1.5}
	}
	pool := parallel.NewPool(2)
	t.Cleanup(pool.Close)
	return Request{
		Flow:     lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{48, 32, 1}, Collision: collision, Kernel: "go"},
		Coupling: hybrid.CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct"},
		Bodies:   []*rigid.Body{body}, Pool: pool,
	}
}

func start(p [3]float64) (rho float64, u [3]float64) {
	return 1, [3]float64{0.05, 0.01 * math.Sin(0.2*p[0])}
}

func choose(t *testing.T, r Request) *Chosen[float64] {
	t.Helper()
	c, err := Choose[float64](r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// ran is the state after some steps.
func ran(t *testing.T, c *Chosen[float64], steps int) []float64 {
	t.Helper()
	c.Sim.Fluid.Initialize(start)
	for range steps {
		c.Sim.Step()
		c.Tell()
	}
	f := make([]float64, c.Sim.Fluid.Config().Nodes())
	c.Sim.Fluid.Population(3, f)
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestEveryBackendComputesTheSame(t *testing.T) {
	standin.Use(t)
	for _, free := range []bool{false, true} {
		backendsAgree(t, free)
	}
}

// backendsAgree compares flows past a cylinder that is held, or moves freely.
func backendsAgree(t *testing.T, free bool) {
	t.Helper()
	cpu := stream(t, free)
	cpu.Backend = "cpu"
	want := ran(t, choose(t, cpu), 30)
	for _, c := range []struct{ backend, schedule, is, by string }{
		{"cuda", "", "cuda", "device"}, {"hybrid", "", "hybrid", "pipelined"}, {"hybrid", "serial", "hybrid", "serial"}, {"auto", "device", "cuda", "device"},
	} {
		t.Run(fmt.Sprintf("%s %s, free %t", c.backend, c.schedule, free), func(t *testing.T) {
			r := stream(t, free)
			r.Backend, r.Schedule = c.backend, c.schedule
			got := choose(t, r)
			if d := got.Decision(); d != (Decision{c.is, c.by}) || got.DeviceName != "stand-in" || !got.Device().StandIn() {
				t.Errorf("decided for %+v on %q", d, got.DeviceName)
			}
			if s := got.Strategy(); (s == "sort-reduce") != (c.by == "device") { // of few markers, serial is the host's choice
				t.Errorf("schedule %s has the strategy %q", c.by, s)
			}
			for n, f := range ran(t, got, 30) {
				if math.Abs(f-want[n]) > 1e-13 { // rounding of sums in another order, over 30 steps
					t.Fatalf("f₃ at node %d is %g, on the CPU %g", n, f, want[n])
				}
			}
		})
	}
}

func TestAutoSettlesOnADeviceAndTellsOnce(t *testing.T) {
	standin.Use(t)
	r := stream(t, false)
	var said strings.Builder
	r.Say = &said
	c := choose(t, r)
	ran(t, c, 800) // three rounds of three schedules of some whole batches each, a few of them twice
	if !c.Sim.Chosen().Settled {
		t.Fatal("800 steps do not settle it")
	}
	text := said.String()
	if strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "on stand-in, backend "+c.Backend()+", schedule "+c.Schedule()) || strings.Count(text, "ms a step") != 3 {
		t.Errorf("says %q", text)
	}
	if d := c.Decision(); d.Backend == "auto" || d.Schedule == "auto" {
		t.Errorf("the decision is %+v", d)
	}
}

func TestAutoLeavesOutWhatTheDeviceCannot(t *testing.T) {
	standin.Use(t)
	r := stream(t, false)
	r.Coupling.Transfer = "serial" // no strategy of the device
	c := choose(t, r)
	if why := c.Choice().Reasons["device"]; !strings.Contains(why, `strategy "serial" is not one of the device's`) {
		t.Errorf("the reason is %q", why)
	}
	if c.Backend() != "hybrid" {
		t.Errorf("backend %s corrects on the host", c.Backend())
	}
}

func TestWithoutADriverAutoTakesTheCPUAndSaysSoInALine(t *testing.T) {
	noDriver(t)
	r := stream(t, false)
	var said strings.Builder
	r.Say = &said
	c := choose(t, r)
	ran(t, c, 3)
	why := fmt.Sprintf("%s=%s is no usable CUDA driver (lbmib doctor tells more)", driver.PathVariable, os.Getenv(driver.PathVariable))
	if got, want := said.String(), "no GPU in use, computing on the CPU: "+why+"\n"; got != want || c.Why != why {
		t.Errorf("says %q, and %q later, want %q", got, c.Why, want)
	}
	if d := c.Decision(); d != (Decision{"cpu", "serial"}) || c.Device() != nil || c.DeviceName == "" {
		t.Errorf("decided for %+v on %q", d, c.DeviceName)
	}
}

func TestWhatCannotBeHadIsRefusedWithTheRemedy(t *testing.T) {
	library := standin.Build(t)
	for _, c := range []struct {
		name    string
		set     map[string]string
		change  func(*Request)
		backend string
		says    []string
	}{
		{"no driver", map[string]string{driver.PathVariable: "/nowhere/libcuda.so.1"}, nil, "cuda", []string{"backend cuda: cuda: no usable CUDA driver", "--backend cpu"}},
		{"too old a driver", map[string]string{"LBMIB_STANDIN_VERSION": "10020"}, nil, "hybrid", []string{"backend hybrid", "CUDA 10.2", "--backend cpu"}},
		{"no device", map[string]string{"LBMIB_STANDIN_DEVICES": "0"}, nil, "cuda", []string{driver.PathVariable + "=" + library + ": ", "finds no device", "--backend cpu"}},
		{"too old a device", map[string]string{"LBMIB_STANDIN_COMPUTE": "52"}, nil, "cuda", []string{"compute capability 5.2", "--backend cpu"}},
		{"too small a device", map[string]string{"LBMIB_STANDIN_MEMORY": "1000000"}, nil, "cuda", []string{"48 × 32 × 1 nodes", "device memory", "backend cpu"}},
		{"another device than there is", map[string]string{DeviceVariable: "3"}, nil, "cuda", []string{DeviceVariable + "=3", "the driver shows 0..0"}},
		{"a device without a number", map[string]string{DeviceVariable: "first"}, nil, "auto", []string{DeviceVariable + "=first", "lbmib doctor"}},
		{"an image that there is not", map[string]string{device.ImageVariable: "sm_35"}, nil, "auto", []string{device.ImageVariable + "=sm_35", "choose one of sm_60"}},
		{"the CPU's layout", nil, func(r *Request) { r.Flow.Layout = "aos" }, "cuda", []string{`layout "aos"`, "backend cpu"}},
		{"the CPU's strategy", nil, func(r *Request) { r.Coupling.Transfer = "shift-reduce" }, "cuda", []string{`"shift-reduce"`, "--backend hybrid"}},
		{"an unknown backend", nil, nil, "gpu", []string{`"gpu"`, "auto, cpu, cuda, hybrid"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(driver.PathVariable, library)
			for k, v := range c.set {
				t.Setenv(k, v)
			}
			r := stream(t, false)
			r.Backend = c.backend
			if c.change != nil {
				c.change(&r)
			}
			_, err := Choose[float64](r)
			if err == nil {
				t.Fatal("no error")
			}
			for _, text := range c.says {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("%q does not say %q", err, text)
				}
			}
			if c.backend == "auto" || c.backend == "gpu" {
				return
			}
			var said strings.Builder
			r.Backend, r.Say = "auto", &said
			auto, err := Choose[float64](r)
			if c.set[DeviceVariable] != "" {
				if err == nil {
					t.Error("auto passes over a device that is not there")
				}
				return
			}
			if err != nil && r.Flow.Layout == "" {
				t.Errorf("auto: %v", err)
			}
			auto.Close()
			if strings.Count(said.String(), "\n") > 1 {
				t.Errorf("auto says more than a line: %q", said.String())
			}
		})
	}
}

func TestErrorsOfBodiesAreMarkedOnEveryBackend(t *testing.T) {
	standin.Use(t)
	for _, name := range Names {
		r := stream(t, false)
		r.Backend, r.Coupling.Delta = name, "hat9"
		_, err := Choose[float64](r)
		var marked *CouplingError
		if !errors.As(err, &marked) && name != "cuda" { // there the coupling on the device finds it first
			t.Errorf("%s: %v", name, err)
		}
		if err == nil || !strings.Contains(err.Error(), "hat9") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAContinuedRunKeepsItsBackend(t *testing.T) {
	standin.Use(t)
	for _, d := range []Decision{{"cpu", "serial"}, {"cuda", "device"}, {"hybrid", "pipelined"}, {"hybrid", "serial"}} {
		r := stream(t, false)
		r.Earlier = d
		if got := choose(t, r).Decision(); got != d {
			t.Errorf("%+v is continued by %+v", d, got)
		}
		r = stream(t, false)
		r.Earlier, r.Backend = d, "cpu"
		if got := choose(t, r).Backend(); got != "cpu" {
			t.Errorf("what is asked for by name is cpu, %s is taken", got)
		}
	}
}

func TestAFluidWithoutBodiesHasABackendToo(t *testing.T) {
	standin.Use(t)
	for name, want := range map[string]Decision{"auto": {"cuda", "device"}, "cuda": {"cuda", "device"}, "hybrid": {"hybrid", "pipelined"}, "cpu": {"cpu", "serial"}} {
		r := stream(t, false)
		r.Backend, r.Bodies = name, nil
		c := choose(t, r)
		ran(t, c, 2)
		if got := c.Decision(); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestAFaultInARunIsAnErrorThatNamesTheStep(t *testing.T) {
	standin.Use(t)
	r := stream(t, false)
	r.Backend, r.Bodies = "cuda", nil
	c := choose(t, r)
	ran(t, c, 3)
	far := []int32{math.MaxInt32 / 2} // no node of the domain
	c.Sim.Fluid.Correct(far, []int32{0}, [][]float64{{1}, {1}})
	c.Sim.Step()
	err := c.Wait()
	if err == nil || !IsFault(err) || !strings.HasPrefix(err.Error(), "step 3: ") && !strings.HasPrefix(err.Error(), "step 4: ") || !strings.Contains(err.Error(), "(correct_") {
		t.Errorf("the error is %v", err)
	}
	if got := c.Sim.Err(); !errors.Is(got, err) {
		t.Errorf("the simulation has the error %v", got)
	}
	steps := c.Sim.Fluid.Steps()
	c.Sim.Step()
	if c.Sim.Fluid.Steps() != steps {
		t.Error("steps are counted after a fault")
	}
}

func TestNeedsAreWhatIsAllocated(t *testing.T) {
	standin.Use(t)
	for _, name := range []string{"cuda", "hybrid", "auto"} {
		for _, streaming := range lbm.StreamingNames {
			r := stream(t, false)
			r.Backend, r.Flow.Streaming, r.Flow.Size = name, streaming, [3]int{400, 300, 1}
			n, err := NeedsOf[float64](r)
			if err != nil {
				t.Fatal(err)
			}
			c := choose(t, r)
			c.Sim.Fluid.Initialize(start)
			for range 3 {
				c.Sim.Step()
			}
			held, _ := c.Device().Context().Held()
			if int64(held) > n.Device+1<<20 || float64(held) < 0.5*float64(n.Device) { // lists and tables aside; at most
				t.Errorf("%s, %s: %d bytes needed on the device, %d held", name, streaming, n.Device, held)
			}
			if want := map[string]float64{"ab": 144, "inplace": 72}[streaming]; n.PerNode < want || n.Streaming != streaming {
				t.Errorf("%s: %g bytes a node of %s, the populations alone take %g", name, n.PerNode, n.Streaming, want)
			}
		}
	}
}

func TestNeedsSayWhereItWouldBe(t *testing.T) {
	r := stream(t, false)
	noDriver(t)
	n, err := NeedsOf[float32](r)
	if err != nil || n.Backend != "cpu" || n.Device != 0 || n.Host < n.Fluid || n.Why == "" || n.Streaming != "inplace" {
		t.Errorf("without a driver: %+v, %v", n, err)
	}
	r.Backend = "cuda"
	if _, err := NeedsOf[float32](r); err == nil {
		t.Error("cuda needs no driver")
	}
	standin.Use(t)
	r.Backend = ""
	if n, err = NeedsOf[float32](r); err != nil || n.Backend != "cuda or hybrid" || n.DeviceName != "stand-in" || !n.Fits() {
		t.Errorf("with a device: %+v, %v", n, err)
	}
	r.Flow.Size = [3]int{60000, 20000, 1}
	if n, err = NeedsOf[float32](r); err != nil || n.Backend != "cpu" || !strings.Contains(n.Why, "GB are free") {
		t.Errorf("too large: %+v, %v", n, err)
	}
}

func TestDoctorNamesTheDeviceTaken(t *testing.T) {
	standin.Use(t)
	if text := strings.Join(Doctor(), "\n"); !strings.Contains(text, "device 0: stand-in") || strings.Contains(text, DeviceVariable) {
		t.Errorf("says %s", text)
	}
	t.Setenv(DeviceVariable, "0")
	if text := strings.Join(Doctor(), "\n"); !strings.Contains(text, DeviceVariable+"=0: runs take device 0") {
		t.Errorf("says %s", text)
	}
	t.Setenv(DeviceVariable, "one")
	if text := strings.Join(Doctor(), "\n"); !strings.Contains(text, DeviceVariable+"=one is not the number of a device") {
		t.Errorf("says %s", text)
	}
}

func TestTheImageOfTheKernelsIsTold(t *testing.T) {
	standin.Use(t)
	t.Setenv("LBMIB_STANDIN_COMPUTE", "90")
	told := func() string {
		t.Helper()
		r := stream(t, false)
		r.Backend = "cuda"
		c := choose(t, r)
		ran(t, c, 2)
		c.Close()
		if text := strings.Join(Doctor(), "\n"); !strings.Contains(text, "kernels: "+c.Device().Images()) {
			t.Errorf("doctor says %s, a run %s", text, c.Device().Images())
		}
		return c.Device().Images()
	}
	if got := told(); got != "sm_80 (PTX 7.0)" {
		t.Errorf("says %q", got)
	}
	t.Setenv("LBMIB_STANDIN_REFUSE", "sm_80:222")
	if got := told(); !strings.HasPrefix(got, "sm_60 (PTX 6.0); refused: sm_80 (PTX 7.0): cuda: ") || !strings.Contains(got, "(222)") {
		t.Errorf("says %q", got)
	}
	t.Setenv("LBMIB_STANDIN_REFUSE", "sm_80:221,sm_60:221")
	r := stream(t, false)
	c := choose(t, r)
	if c.Backend() != "cpu" || !strings.Contains(c.Why, "takes no image") || !strings.Contains(c.Why, "LD_LIBRARY_PATH") {
		t.Errorf("auto without an image: %s because %q", c.Backend(), c.Why)
	}
	if err := HasDevice(); err == nil {
		t.Error("there is a device although no kernel can be compiled for it")
	}
}

func TestClosingLeavesNothingOnTheDevice(t *testing.T) {
	standin.Use(t)
	r := stream(t, false)
	before := runtime.NumGoroutine()
	c, err := Choose[float64](r)
	if err != nil {
		t.Fatal(err)
	}
	context := c.Device().Context()
	ran(t, c, 120)
	c.Close()
	c.Close()
	if now, _ := context.Held(); now != 0 || context.PinnedHeld() != 0 {
		t.Errorf("%d bytes are held on the device, %d pinned on the host", now, context.PinnedHeld())
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
	if fmt.Sprint(c.Decision()) == "" || c.DeviceName == "" {
		t.Error("nothing is known any more")
	}
}

// A delta without a kernel is no reason to refuse a run: the CPU couples its bodies.
func TestADeltaWithoutAKernelIsCoupledOnTheHost(t *testing.T) {
	standin.Use(t)
	all := transfer.Deltas
	t.Cleanup(func() { transfer.Deltas = all })
	transfer.Deltas = []string{"hat2"}
	var said strings.Builder
	for _, backend := range []string{"cuda", "auto"} {
		r := stream(t, false)
		r.Backend, r.Say = backend, &said
		needs, err := NeedsOf[float64](r)
		if err != nil {
			t.Fatal(err)
		}
		if c := choose(t, r); backend == "cuda" && c.Decision() != (Decision{"hybrid", "pipelined"}) {
			t.Errorf("%s: computed on %v, want on hybrid, pipelined", backend, c.Decision())
		} else if ran(t, c, 3); c.coupling != nil {
			t.Errorf("%s: the device couples the bodies", backend)
		}
		if told := strings.Contains(needs.Instead, "roma3"); told != (backend == "cuda") {
			t.Errorf("%s: check is told %q", backend, needs.Instead)
		}
	}
	if !strings.Contains(said.String(), "no kernel of the device has delta roma3") {
		t.Errorf("the run says %q, want why the CPU couples the bodies", said.String())
	}
}

// Kernels of bodies know boxes alone.
func TestAFluidWithBodiesIsABoxOnADevice(t *testing.T) {
	standin.Use(t)
	for name, c := range map[string]struct {
		spoil func(*Request)
		says  string
	}{
		"by runs":     {func(r *Request) { r.Flow.Storage = "runs" }, "storage auto or box"},
		"in a vessel": {func(r *Request) { r.Flow.Cuts = make([]lbm.Cut, 1) }, "without bodies"},
	} {
		r := stream(t, false)
		r.Backend = "cuda"
		c.spoil(&r)
		if _, err := NeedsOf[float64](r); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error is %v, it should say %q", name, err, c.says)
		}
	}
	r := stream(t, false)
	r.Backend = "cuda"
	if n, err := NeedsOf[float64](r); err != nil || n.Storage != "box" {
		t.Errorf("%+v, %v", n, err)
	}
}
