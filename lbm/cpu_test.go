package lbm_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/lbmtest"
)

// factory makes CPU fluids, in some way, on a number of workers.
func factory[T lbm.Float](how lbm.Config, workers int) lbmtest.Factory[T] {
	return func(t testing.TB, cfg lbm.Config) lbm.Fluid[T] {
		t.Helper()
		pool := parallel.NewPool(workers)
		t.Cleanup(pool.Close)
		cfg.Store, cfg.Storage, cfg.Layout, cfg.Block = how.Store, how.Storage, how.Layout, how.Block
		cfg.Streaming, cfg.Kernel, cfg.Stores, cfg.StepsPerSweep = how.Streaming, how.Kernel, how.Stores, how.StepsPerSweep
		f, err := lbm.New[T](cfg, pool)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
}

// every calls do for each layout, scheme and kernel that this CPU has.
func every(do func(name string, how lbm.Config)) {
	for _, layout := range lbm.LayoutNames {
		for _, streaming := range lbm.StreamingNames {
			for _, kernel := range lbm.KernelNames {
				if len(lbm.MissingFor(kernel)) > 0 {
					continue
				}
				for _, storage := range lbm.StorageNames {
					if storage == "runs" && layout != "soa" {
						continue
					}
					how := lbm.Config{Storage: storage, Layout: layout, Streaming: streaming, Kernel: kernel}
					do(storage+" "+layout+" "+streaming+" "+kernel, how)
					if how.StepsPerSweep = 2; streaming == "inplace" {
						do(storage+" "+layout+" "+streaming+" fused "+kernel, how)
					}
				}
			}
		}
	}
}

func TestCPUConforms(t *testing.T) {
	for _, streaming := range lbm.StreamingNames {
		how := lbm.Config{Streaming: streaming}
		t.Run(streaming+" f64", func(t *testing.T) { lbmtest.Conform(t, factory[float64](how, 2)) })
	}
	t.Run("runs f64", func(t *testing.T) { lbmtest.Conform(t, factory[float64](lbm.Config{Storage: "runs"}, 2)) })
	if testing.Short() {
		return // other ways share the goroutines of these
	}
	half := lbm.Config{Store: "f16"} // rounds to 11 bits
	t.Run("f32/f16", func(t *testing.T) { lbmtest.ConformTo(t, factory[float32](half, 2), 1./(1<<10)) })
	for k, how := range []lbm.Config{
		{Kernel: "go", StepsPerSweep: 2}, {Layout: "soaos", StepsPerSweep: 2}, {Kernel: "go", Streaming: "ab"},
		{Layout: "soaos", Streaming: "ab"}, {Layout: "aos", Kernel: "go"},
	} {
		if k > 1 && !checkingtest.Full() {
			break // layouts and schemes have the bits of each other: TestResultsDoNotDependOnWorkersLayoutOrScheme
		}
		t.Run(fmt.Sprintf("%+q f32", []string{how.Kernel, how.Streaming, how.Layout}), func(t *testing.T) { lbmtest.Conform(t, factory[float32](how, 2)) })
	}
	if !checkingtest.Full() {
		return
	}
	half.StepsPerSweep = 2
	t.Run("fused f32/f16", func(t *testing.T) { lbmtest.ConformTo(t, factory[float32](half, 2), 1./(1<<10)) })
	t.Run("go f64", func(t *testing.T) { lbmtest.Conform(t, factory[float64](lbm.Config{Kernel: "go"}, 2)) })
}

// cavity is a small flow with walls, a lid and a solid block.
func cavity(t testing.TB, l *lbm.Lattice) lbm.Config {
	t.Helper()
	c, err := lbm.NewCollision("trt", 0.02, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := lbm.Config{Lattice: l, Size: [3]int{21, 18, 1}, Collision: c}
	if l.Dim == 3 {
		cfg.Size[2] = 7
	}
	for i := range 2 * l.Dim {
		cfg.Faces[i].Kind = lbm.NoSlip
	}
	cfg.Faces[3] = lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{0.05} }}
	cfg.Solid = make([]bool, cfg.Nodes())
	for n := range cfg.Solid {
		p := cfg.Position(n)
		cfg.Solid[n] = p[0] > 6 && p[0] < 11 && p[1] > 4 && p[1] < 9
	}
	return cfg
}

// obstructed is a channel whose outlet is partly blocked by a solid.
func obstructed(t testing.TB, l *lbm.Lattice) lbm.Config {
	cfg := cavity(t, l)
	cfg.Faces[0] = lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{0.05, 0.01} }}
	cfg.Faces[1] = lbm.Face{Kind: lbm.Outflow}
	for n := range cfg.Solid {
		p := cfg.Position(n)
		cfg.Solid[n] = p[0] > 16 && p[1] > 4 && p[1] < 9
	}
	return cfg
}

// slabs is a channel between walls that are several rows of solid nodes thick, so
// that some rows have no fluid.
func slabs(t testing.TB, l *lbm.Lattice) lbm.Config {
	cfg := cavity(t, l)
	for i := range cfg.Faces {
		cfg.Faces[i] = lbm.Face{}
	}
	cfg.Force = [3]float64{1e-5, 2e-6}
	for n := range cfg.Solid {
		p := cfg.Position(n)
		cfg.Solid[n] = p[1] < 4 || p[1] >= 14
	}
	return cfg
}

func TestResultsDoNotDependOnWorkersLayoutOrScheme(t *testing.T) {
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		for _, cfg := range []lbm.Config{cavity(t, l), obstructed(t, l), slabs(t, l)} {
			sameBits[float64](t, cfg, "")
			sameBits[float32](t, cfg, "")
			sameBits[float32](t, cfg, "f16")
		}
	}
}

// sameBits steps a flow in every way that a kernel has, on several numbers of
// workers. An odd number of steps leaves a lattice in place mid-cycle.
func sameBits[T lbm.Float](t *testing.T, cfg lbm.Config, store string) {
	t.Helper()
	steps := 31
	if testing.Short() {
		steps = 11
	}
	want := map[string]lbm.State[T]{}
	every(func(name string, how lbm.Config) {
		how.Store = store
		if testing.Short() && (how.Layout != "soa" || how.Kernel == "go") {
			return // the rest shares the goroutines of this
		}
		for _, workers := range []int{1, 2, 7} {
			f := factory[T](how, workers)(t, cfg)
			for range steps {
				f.Step()
			}
			got := lbm.StateOf(f)
			if want[how.Kernel].Populations == nil {
				want[how.Kernel] = got
				continue
			}
			// solid nodes hold whatever boundaries left there
			for i, p := range want[how.Kernel].Populations {
				for n, w := range p {
					if w != got.Populations[i][n] && !f.Config().Solid[n] {
						t.Fatalf("%s, %s%s on %d workers: population %d of node %v is %g, with the same kernel elsewhere %g",
							cfg.Lattice.Name, name, store, workers, i, f.Config().Position(n), got.Populations[i][n], w)
					}
				}
			}
		}
	})
}

// Rows of two lattices are written around the cache but for their ends at open faces, and the nodes that fill no vector: in whatever parts, the same.
func TestStreamingStoresGiveTheSameBitsAtOpenFaces(t *testing.T) {
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		for _, nx := range []int{21, 45, 64} {
			cfg := cavity(t, l)
			cfg.Size[0], cfg.Solid, cfg.Streaming = nx, nil, "ab"
			cfg.Faces[0] = lbm.Face{Kind: lbm.Pressure, Density: 1.001}
			cfg.Faces[1] = lbm.Face{Kind: lbm.Pressure, Density: 1}
			var states [2]lbm.State[float64]
			for k, stores := range []string{"cached", "streaming"} {
				cfg.Stores = stores
				pool := parallel.NewPool(2)
				f, err := lbm.New[float64](cfg, pool)
				if err != nil {
					t.Fatal(err)
				}
				for range 20 {
					f.Step()
				}
				states[k] = lbm.StateOf(f)
				pool.Close()
			}
			for i, p := range states[0].Populations {
				for n, w := range p {
					if got := states[1].Populations[i][n]; got != w {
						t.Fatalf("%s of %d nodes along x: population %d of node %v is %g with streaming stores, %g without", l.Name, nx, i, cfg.Position(n), got, w)
					}
				}
			}
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("counts allocations, which the race detector makes, too")
	}
	every(func(name string, how lbm.Config) {
		stepAllocatesNothing[float64](t, name, how)
		how.Store = "f16"
		stepAllocatesNothing[float32](t, name+" f16", how)
	})
}

func stepAllocatesNothing[T lbm.Float](t *testing.T, name string, how lbm.Config) {
	t.Helper()
	cfg := cavity(t, lbm.D2Q9)
	cfg.Faces[1] = lbm.Face{Kind: lbm.Outflow}
	f := factory[T](how, 2)(t, cfg)
	nodes := make([]int32, 300)
	for i := range nodes {
		nodes[i] = int32(i)
	}
	rho, u := make([]T, 300), [][]T{make([]T, 300), make([]T, 300)}
	n := testing.AllocsPerRun(50, func() {
		f.Step()
		f.Moments(nodes, nodes, rho, u)
		f.Correct(nodes, nodes, u)
	})
	if n != 0 {
		t.Errorf("%s: a step with moments and correction allocates %v times, want 0", name, n)
	}
}

func TestLatticesAreQuadratures(t *testing.T) {
	for name, l := range lbm.Lattices {
		var m0 float64
		var m1 [3]float64
		var m2 [3][3]float64
		for i, c := range l.C {
			m0 += l.W[i]
			if o := l.C[lbm.Opposite(i)]; o != [3]int{-c[0], -c[1], -c[2]} {
				t.Errorf("%s: the opposite of %v is %v", name, c, o)
			}
			for a := range 3 {
				m1[a] += l.W[i] * float64(c[a])
				for b := range 3 {
					m2[a][b] += l.W[i] * float64(c[a]*c[b])
				}
			}
		}
		for a := range l.Dim {
			for b := range l.Dim {
				want := 0.
				if a == b {
					want = 1. / 3
				}
				if math.Abs(m2[a][b]-want) > 1e-15 || math.Abs(m1[a]) > 1e-15 || math.Abs(m0-1) > 1e-15 {
					t.Errorf("%s: moments are Σw = %g, Σwc = %v, Σwcc = %v", name, m0, m1, m2)
				}
			}
		}
	}
}

func TestImpossibleConfigurationsAreRefused(t *testing.T) {
	good := cavity(t, lbm.D2Q9)
	for name, spoil := range map[string]func(*lbm.Config){
		"no lattice":             func(c *lbm.Config) { c.Lattice = nil },
		"no nodes":               func(c *lbm.Config) { c.Size[1] = 0 },
		"depth in 2D":            func(c *lbm.Config) { c.Size[2] = 2 },
		"unstable rate":          func(c *lbm.Config) { c.Collision.OmegaEven = 2 },
		"one periodic face":      func(c *lbm.Config) { c.Faces[0].Kind = lbm.Periodic },
		"a lid without velocity": func(c *lbm.Config) { c.Faces[3].Velocity = nil },
		"vacuum at a face":       func(c *lbm.Config) { c.Faces[1] = lbm.Face{Kind: lbm.Pressure} },
		"wrong mask":             func(c *lbm.Config) { c.Solid = c.Solid[1:] },
		"force not finite":       func(c *lbm.Config) { c.Force[0] = math.NaN() },
	} {
		c := good
		spoil(&c)
		if c.Validate() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := lbm.NewLayout("rowwise", 9, 10, 0, 8); err == nil {
		t.Error("an unknown layout is accepted")
	}
}

func BenchmarkStep(b *testing.B) {
	for _, c := range []struct {
		lattice *lbm.Lattice
		size    [3]int
	}{{lbm.D2Q9, [3]int{1600, 600, 1}}, {lbm.D3Q19, [3]int{128, 128, 128}}} {
		every(func(name string, how lbm.Config) {
			b.Run(c.lattice.Name+"/"+strings.ReplaceAll(name, " ", "/")+"/f64", func(b *testing.B) { benchmarkStep[float64](b, c.lattice, c.size, how) })
			b.Run(c.lattice.Name+"/"+strings.ReplaceAll(name, " ", "/")+"/f32", func(b *testing.B) { benchmarkStep[float32](b, c.lattice, c.size, how) })
		})
	}
}

func benchmarkStep[T lbm.Float](b *testing.B, l *lbm.Lattice, size [3]int, how lbm.Config) {
	c, err := lbm.NewCollision("bgk", 0.04, 0)
	if err != nil {
		b.Fatal(err)
	}
	f := factory[T](how, 2)(b, lbm.Config{Lattice: l, Size: size, Collision: c})
	for b.Loop() {
		f.Step()
	}
	b.ReportMetric(float64(f.Config().Nodes())*float64(b.N)/b.Elapsed().Seconds()/1e6, "MFLUPS")
}
