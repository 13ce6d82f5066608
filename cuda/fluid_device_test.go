package cuda

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/cuda/driver"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// channel is a flow with all that a step can have to do: moving walls, an outflow, a
// solid block.
func channel(t testing.TB, l *lbm.Lattice) lbm.Config {
	t.Helper()
	c, err := lbm.NewCollision("trt", 0.02, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := lbm.Config{Lattice: l, Size: [3]int{31, 14, 1}, Collision: c, Force: [3]float64{1e-5}}
	if l.Dim == 3 {
		cfg.Size[2] = 6
		cfg.Faces[4].Kind, cfg.Faces[5].Kind = lbm.FreeSlip, lbm.NoSlip
	}
	inflow := func([3]float64) [3]float64 { return [3]float64{0.05, 0.01} }
	cfg.Faces[0] = lbm.Face{Kind: lbm.Velocity, Velocity: inflow, Amplitude: func(t float64) float64 { return math.Sin(0.1 * t) }}
	cfg.Faces[1] = lbm.Face{Kind: lbm.Outflow}
	cfg.Faces[2].Kind = lbm.NoSlip
	cfg.Faces[3] = lbm.Face{Kind: lbm.MovingWall, Velocity: inflow}
	cfg.Solid = make([]bool, cfg.Nodes())
	for n := range cfg.Solid {
		p := cfg.Position(n)
		cfg.Solid[n] = p[0] > 6 && p[0] < 11 && p[1] > 4 && p[1] < 9
	}
	return cfg
}

// A state goes from the CPU to a device and back, between schemes and in the middle of
// their cycles, and the flow goes on as it would have on the CPU alone.
func TestStatesMoveBetweenTheCPUAndADevice(t *testing.T) {
	l := devicetest.Open(t)
	for _, lattice := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		moves[float64](t, l, channel(t, lattice), "")
		moves[float32](t, l, channel(t, lattice), "")
		moves[float32](t, l, channel(t, lattice), "f16")
	}
}

func moves[T lbm.Float](t *testing.T, l *device.Library, cfg lbm.Config, store string) {
	t.Helper()
	pool := parallel.NewPool(1)
	defer pool.Close()
	onCPU := func(streaming string) lbm.Fluid[T] {
		c := cfg
		c.Store, c.Streaming, c.Kernel = store, streaming, "go"
		f, err := lbm.New[T](c, pool)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	stays := onCPU("ab")
	start := drawState(rand.New(rand.NewPCG(3, 4)), stays)
	if err := stays.SetState(start); err != nil {
		t.Fatal(err)
	}
	state := start
	for k, f := range []lbm.Fluid[T]{
		onDevice[T](l, lbm.Config{Store: store, Streaming: "inplace"})(t, cfg), onCPU("inplace"),
		onDevice[T](l, lbm.Config{Store: store, Streaming: "ab"})(t, cfg), onDevice[T](l, lbm.Config{Store: store, Streaming: "inplace"})(t, cfg),
	} {
		if err := f.SetState(state); err != nil {
			t.Fatal(err)
		}
		for range 3 + 2*k {
			f.Step()
			stays.Step()
		}
		state = lbm.StateOf(f)
	}
	want := lbm.StateOf(stays)
	if state.Steps != want.Steps {
		t.Errorf("the flow that moved is at step %d, the other at %d", state.Steps, want.Steps)
	}
	for k, v := range want.Open {
		if state.Open[k] != v {
			t.Fatalf("%s: value %d of open faces is %g, that of the flow that stayed %g", cfg.Lattice.Name, k, state.Open[k], v)
		}
	}
	for i, p := range want.Populations {
		for n, v := range p {
			if got := state.Populations[i][n]; got != v && !cfg.Solid[n] {
				t.Fatalf("%s: population %d of node %v is %g, that of the flow that stayed %g", cfg.Lattice.Name, i, cfg.Position(n), got, v)
			}
		}
	}
}

// Momentum and inflow are sums in another order than the CPU's: to a few ulp of double
// precision of the sum of magnitudes.
func TestMomentumAndInflowAreTheCPUs(t *testing.T) {
	l := devicetest.Open(t)
	pool := parallel.NewPool(1)
	defer pool.Close()
	for _, lattice := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		cfg := channel(t, lattice)
		cfg.Solid = nil
		cpu, err := lbm.New[float64](cfg, pool)
		if err != nil {
			t.Fatal(err)
		}
		start := drawState(rand.New(rand.NewPCG(5, 6)), cpu)
		for _, streaming := range lbm.StreamingNames {
			f := onDevice[float64](l, lbm.Config{Streaming: streaming})(t, cfg)
			for _, g := range []lbm.Fluid[float64]{f, cpu} {
				if err := g.SetState(start); err != nil {
					t.Fatal(err)
				}
				g.Step()
			}
			for _, box := range [][2][3]int{{{2, 3, 1}, {29, 12, 5}}, {{1, 1, 1}, {2, 2, 2}}, {{4, 5, 2}, {5, 12, 4}}, {{3, 4, 1}, {28, 5, 2}}} {
				lo, hi := box[0], box[1]
				if lattice.Dim == 2 {
					lo[2], hi[2] = 0, 1
				}
				mass, j := f.Momentum(lo, hi)
				wantMass, want := cpu.Momentum(lo, hi)
				in, wantIn := f.Inflow(lo, hi), cpu.Inflow(lo, hi)
				if d := mass - wantMass; math.Abs(d) > 1e-11 {
					t.Errorf("%s %s: the mass in %v is %g, on the CPU %g", lattice.Name, streaming, box, mass, wantMass)
				}
				for a := range want {
					if d := math.Max(math.Abs(j[a]-want[a]), math.Abs(in[a]-wantIn[a])); d > 1e-13 {
						t.Errorf("%s %s: momentum and inflow of %v are %v and %v, on the CPU %v and %v", lattice.Name, streaming, box, j, in, want, wantIn)
						break
					}
				}
			}
		}
	}
}

// Grids of blocks are bounded along y and z: larger domains are swept in several launches.
func TestTallAndDeepDomainsAreSweptWhole(t *testing.T) {
	devicetest.NumbersAlone(t)
	l := devicetest.Open(t)
	pool := parallel.NewPool(1)
	defer pool.Close()
	c, err := lbm.NewCollision("bgk", 0.1, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, cfg := range []lbm.Config{
		{Lattice: lbm.D2Q9, Size: [3]int{1, 8*maxGridYZ + 9, 1}, Collision: c, Kernel: "go"},
		{Lattice: lbm.D3Q19, Size: [3]int{1, 1, maxGridYZ + 9}, Collision: c, Kernel: "go"},
		{Lattice: lbm.D3Q19, Size: [3]int{1, 2, maxGridYZ + 9}, Collision: c, Kernel: "go", Store: "f16"}, // rows have noise
	} {
		cpu, err := lbm.New[float32](cfg, pool)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Kernel = ""
		f := onDevice[float32](l, lbm.Config{Store: cfg.Store})(t, cfg)
		if n := len(f.(*Fluid[float32]).sweeps); n != 2 {
			t.Errorf("%v: a sweep has %d launches", cfg.Size, n)
		}
		start := drawState(rand.New(rand.NewPCG(5, 6)), cpu)
		for _, g := range []lbm.Fluid[float32]{f, cpu} {
			if err := g.SetState(start); err != nil {
				t.Fatal(err)
			}
			g.Step()
		}
		got, want := make([]float32, cfg.Nodes()), make([]float32, cfg.Nodes())
		f.Population(3, got)
		cpu.Population(3, want)
		for n, w := range want {
			if got[n] != w {
				t.Fatalf("%v: population 3 of node %d is %g, on the CPU %g", cfg.Size, n, got[n], w)
			}
		}
	}
}

// What a fluid holds on the device is what it was said to need: its lattices to the
// byte, boundaries at most.
func TestAFluidTakesTheMemoryThatWasAnnounced(t *testing.T) {
	if testing.Short() {
		t.Skip("numbers of code that other tests take through the race detector")
	}
	l := devicetest.Open(t)
	for _, streaming := range lbm.StreamingNames {
		cfg := channel(t, lbm.D3Q19)
		cfg.Size, cfg.Solid, cfg.Streaming = [3]int{256, 64, 64}, nil, streaming
		before, _ := l.Context.Held()
		f, err := NewFluid[float32](l, cfg)
		if err != nil {
			t.Fatal(err)
		}
		f.Health()
		f.Population(0, make([]float32, cfg.Nodes()))
		after, _ := l.Context.Held()
		n, taken := NeedsOf(&cfg, 4), int64(after-before)
		if taken > n.Total()+device.ExchangeBytes/8 || taken < n.Lattices {
			t.Errorf("%s: the fluid takes %d bytes, announced were %+v", streaming, taken, n)
		}
		least := map[string]float64{"ab": 2 * 19 * 4, "inplace": 19 * 4}[streaming]
		if per := float64(n.Lattices) / float64(cfg.Nodes()); per < least || per > least*1.12 { // ghosts, two planes beside 64 among them
			t.Errorf("%s: lattices of %g bytes a node, the populations are %g", streaming, per, least)
		}
		f.Close()
		if now, _ := l.Context.Held(); now != before {
			t.Errorf("%s: a closed fluid leaves %d bytes on the device", streaming, now-before)
		}
	}
}

func TestFluidsThatADeviceCannotHaveAreRefused(t *testing.T) {
	l := devicetest.Open(t)
	for name, c := range map[string]struct {
		spoil func(*lbm.Config)
		says  string
	}{
		"too large":            {func(c *lbm.Config) { c.Size, c.Streaming = [3]int{60000, 30000, 1}, "ab" }, "streaming in place, precision f32"},
		"too large in place":   {func(c *lbm.Config) { c.Size = [3]int{60000, 30000, 1} }, "choose fewer nodes, precision f32"},
		"half of double":       {func(c *lbm.Config) { c.Store = "f16" }, "arithmetic in single"},
		"layout of the CPU":    {func(c *lbm.Config) { c.Layout = "aos" }, "layout auto"},
		"kernel of the CPU":    {func(c *lbm.Config) { c.Kernel = "avx2" }, "kernel auto"},
		"unknown streaming":    {func(c *lbm.Config) { c.Streaming = "push" }, "ab, inplace"},
		"invalid for everyone": {func(c *lbm.Config) { c.Faces[1] = lbm.Face{} }, "come in pairs"},
	} {
		cfg := channel(t, lbm.D2Q9)
		cfg.Solid = nil
		c.spoil(&cfg)
		before, _ := l.Context.Held()
		_, err := NewFluid[float64](l, cfg)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error is %v, it should say %q", name, err, c.says)
		}
		if after, _ := l.Context.Held(); after != before {
			t.Errorf("%s: %d bytes were allocated before it was refused", name, after-before)
		}
	}
}

// A fault in the middle of a run names the kernels and the step, and nothing that comes
// after it panics or hangs.
func TestAFaultStopsTheFluidAndIsKept(t *testing.T) {
	l := devicetest.Open(t)
	f, err := NewFluid[float64](l, channel(t, lbm.D2Q9))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for range 5 {
		f.Step()
	}
	if err := f.Wait(); err != nil {
		t.Fatal(err)
	}
	f.sweeps[0].args[f.now].Pointer(0, nil, 0) // no lattice at all
	f.Step()
	var fault *driver.Fault
	if err := f.Wait(); !errors.As(err, &fault) || !strings.Contains(err.Error(), "sweep_trt_d2q9_f64") || !strings.Contains(err.Error(), fmt.Sprint("step ", f.Steps())) {
		t.Fatalf("the error is %v, it should be a fault that names the kernel sweep_trt_d2q9_f64 and step %d", err, f.Steps())
	}
	first := f.Err()
	f.Step()
	f.Moments([]int32{1}, []int32{0}, make([]float64, 1), values[float64](rand.New(rand.NewPCG(1, 1)), 2, 1, 0))
	f.Correct([]int32{1}, []int32{0}, values[float64](rand.New(rand.NewPCG(1, 1)), 2, 1, 0))
	f.Population(0, make([]float64, f.cfg.Nodes()))
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	if f.Health().OK || f.OpenFaces() != nil || f.Err() != first {
		t.Errorf("after a fault the fluid says that it is well, or another error: %v", f.Err())
	}
}
