package cuda

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/cuda/driver"
	"lbmib/hybrid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// Steps that are queued in batches, as graphs, are the steps that they would be one by
// one, with a correction after each or without, wherever somebody looks in between.
func TestBatchedStepsAreTheCPUsToTheBit(t *testing.T) {
	devicetest.NumbersAlone(t)
	l := devicetest.Open(t)
	for _, lattice := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		for _, streaming := range lbm.StreamingNames {
			batched[float64](t, l, lattice, streaming, "")
			batched[float32](t, l, lattice, streaming, "f16")
		}
	}
}

func batched[T lbm.Float](t *testing.T, l *device.Library, lattice *lbm.Lattice, streaming, store string) {
	t.Helper()
	pool := parallel.NewPool(1)
	defer pool.Close()
	cfg := channel(t, lattice)
	for i := range cfg.Faces {
		cfg.Faces[i].Amplitude = nil
	}
	cfg.Faces[1].Kind = lbm.Outflow
	plain := cfg
	plain.Kernel, plain.Store = "go", store
	cpu, err := lbm.New[T](plain, pool)
	if err != nil {
		t.Fatal(err)
	}
	f := onDevice[T](l, lbm.Config{Streaming: streaming, Store: store})(t, cfg).(*Fluid[T])
	start := drawState(rand.New(rand.NewPCG(8, 9)), cpu)
	for _, g := range []lbm.Fluid[T]{f, cpu} {
		if err := g.SetState(start); err != nil {
			t.Fatal(err)
		}
	}
	compare := func(after string) {
		t.Helper()
		got, want := lbm.StateOf[T](f), lbm.StateOf(cpu)
		if got.Steps != want.Steps {
			t.Fatalf("%s %s, %s: step %d, on the CPU %d", lattice.Name, streaming, after, got.Steps, want.Steps)
		}
		for i, p := range want.Populations {
			for n, v := range p {
				if got.Populations[i][n] != v && !cfg.Solid[n] {
					t.Fatalf("%s %s, %s: population %d of node %v is %g, on the CPU %g", lattice.Name, streaming, after, i, cfg.Position(n), got.Populations[i][n], v)
				}
			}
		}
	}
	steps := func(n int) {
		for range n {
			f.Step()
			cpu.Step()
		}
	}
	exchange := func() { // as a pipelined schedule does, between others
		nodes := []int32{40, 41, 70, 71, 72}
		g := values[T](rand.New(rand.NewPCG(3, 4)), lattice.Q, len(nodes), 0)
		for _, one := range []lbm.Fluid[T]{f, cpu} {
			x := one.(lbm.Exchanger[T])
			x.Fetch(slices.Repeat(nodes, lattice.Q), g)
			one.Step()
			x.Put(nodes, g)
		}
	}
	again := func() { // as a checkpoint does, and a run that is resumed
		for _, one := range []lbm.Fluid[T]{f, cpu} {
			if err := one.SetState(lbm.StateOf(one)); err != nil {
				t.Fatal(err)
			}
		}
	}
	steps(batchAfter + 3)
	compare("before any batch")
	steps(5*batchSteps + 3)
	compare("in batches")
	if f.batch.launched == 0 {
		t.Fatalf("%s %s %s: no batch has been launched", lattice.Name, streaming, store)
	}
	steps(1)
	compare("after a single step")
	steps(3 * batchSteps)
	compare("in batches from another step on")
	exchange()
	steps(2*batchSteps + 5)
	again()
	steps(2*batchSteps + 1)
	compare("in batches after an exchange, and from a state of its own")

	nodes := []int32{100, 101, 133}
	force := values[T](rand.New(rand.NewPCG(1, 2)), lattice.Dim, len(nodes), 1e-3)
	list, err := upload(&f.core, nodes)
	if err != nil {
		t.Fatal(err)
	}
	var flat []T
	for _, v := range force {
		flat = append(flat, v...)
	}
	push, err := upload(&f.core, flat)
	if err != nil {
		t.Fatal(err)
	}
	at := []int32{0, 1, 2}
	correct := func() error { return f.CorrectOn(device.At(list, 0), len(nodes), device.At(push, 0)) }
	coupled := func(n int) {
		for range n {
			steps(1)
			f.follow(correct)
			cpu.Correct(nodes, at, force)
		}
	}
	before := f.batch.launched
	coupled(4*batchSteps + 5)
	compare("corrected")
	steps(2)
	coupled(3)
	steps(3)
	coupled(2*batchSteps + 1)
	compare("corrected now and then")
	if f.batch.launched < before+3 {
		t.Errorf("%s %s: %d batches with corrections have been launched", lattice.Name, streaming, f.batch.launched-before)
	}
	f.forgetGraphs()
	coupled(2*batchSteps + 1)
	compare("corrected by new graphs")
}

// What changes from step to step is not in a graph: a wall that speeds up until it moves
// steadily, a force that is switched. Meanwhile the flow is the CPU's.
func TestOnlySteadyDrivesAreBatched(t *testing.T) {
	l := devicetest.Open(t)
	pool := parallel.NewPool(1)
	defer pool.Close()
	const change = batchAfter + 5*batchSteps
	for name, c := range map[string]struct {
		drive   func(*lbm.Config)
		batches [2]bool // before and after the change
	}{
		"a ramp": {func(c *lbm.Config) {
			c.Faces[3].Amplitude = func(t float64) float64 { return math.Min(t/change, 1) }
		}, [2]bool{false, true}},
		"a switch": {func(c *lbm.Config) {
			c.Acceleration = func(t float64) [3]float64 {
				if t < change {
					return [3]float64{1e-5}
				}
				return [3]float64{0, 2e-5}
			}
		}, [2]bool{true, true}},
		"a swinging wall": {func(c *lbm.Config) { c.Faces[3].Amplitude = math.Sin }, [2]bool{}},
		"noise":           {func(c *lbm.Config) { c.Store = "f16" }, [2]bool{true, true}},
	} {
		cfg := channel(t, lbm.D2Q9)
		cfg.Faces[0].Amplitude = nil
		cfg.Kernel = "go"
		c.drive(&cfg)
		cpu, err := lbm.New[float32](cfg, pool)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Kernel = ""
		f := onDevice[float32](l, lbm.Config{Store: cfg.Store})(t, cfg).(*Fluid[float32])
		before := 0
		for part, batched := range c.batches {
			for range change {
				f.Step()
				cpu.Step()
			}
			f.Wait()
			if got := f.batch.launched > before; got != batched {
				t.Errorf("%s: %d batches in part %d", name, f.batch.launched-before, part+1)
			}
			before = f.batch.launched
			got, want := lbm.StateOf[float32](f), lbm.StateOf(cpu)
			for i, p := range want.Populations {
				for n, v := range p {
					if g := got.Populations[i][n]; g != v && !cfg.Solid[n] && math.Abs(float64(v)) > 0x1p-120 { // the CPU flushes what is less
						t.Fatalf("%s: population %d of node %v is %g at step %d, on the CPU %g", name, i, cfg.Position(n), g, got.Steps, v)
					}
				}
			}
		}
	}
}

// Coupled steps in batches are the same bits as one by one, with moving bodies, which are
// placed anew in every step, too.
func TestCoupledStepsInBatchesAreThoseOneByOne(t *testing.T) {
	l := devicetest.Open(t)
	for _, i := range []int{0, 3, 4, 5, 6, 7, 8, 9} { // direct, multidirect in plane and space, moving
		s := scenes(t)[i]
		run := func(prepare func(b *fluidBatch)) (outcome[float64], int) {
			pool := parallel.NewPool(1)
			defer pool.Close()
			f, err := NewFluid[float64](l, s.flow)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			prepare(&f.batch)
			s.start(f)
			c, err := NewCoupling(l, f, withTransfer(s.cfg, "auto"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			cfg := withTransfer(s.cfg, "serial") // the host's, which finds weights and loads
			sim, err := hybrid.NewScheduled(f, cfg, s.bodies(t), pool, hybrid.Plan[float64]{Schedule: "device", Device: c})
			if err != nil {
				t.Fatal(err)
			}
			defer sim.Close()
			return finish(t, sim), f.batch.launched
		}
		want, _ := run(func(b *fluidBatch) { b.able = false })
		got, launched := run(func(b *fluidBatch) { b.single = batchAfter })
		if apart := got.apart(want); apart != 0 {
			t.Errorf("%s: in batches the flow is another by %.2e", s.name, apart)
		}
		if launched == 0 {
			t.Errorf("%s: no batch has been launched", s.name)
		}
	}
}

// Graphs take memory. Where it is not there, where the device says so, or where steps have
// too many kernels, the same steps go one by one, and are the same.
func TestStepsWithoutRoomForGraphsGoOneByOne(t *testing.T) {
	l := devicetest.Open(t)
	for name, c := range map[string]struct {
		prepare func(t *testing.T, b *fluidBatch)
		batches bool
	}{
		"as they are": {func(*testing.T, *fluidBatch) {}, true},
		"no free memory": {func(t *testing.T, b *fluidBatch) {
			_, total, err := l.Context.MemoryInfo()
			if err != nil {
				t.Fatal(err)
			}
			b.most = total / nodeBytes
		}, false},
		"the device refuses": {func(t *testing.T, b *fluidBatch) { t.Setenv("LBMIB_STANDIN_GRAPHS", "0") }, false},
		"too many nodes":     {func(t *testing.T, b *fluidBatch) { b.most = 2*batchSteps - 1 }, false},
	} {
		for _, i := range []int{0, 5} { // fixed, moving
			s := scenes(t)[i]
			t.Run(name+", "+s.name, func(t *testing.T) {
				sim, f, _ := coupledFluid[float64](t, l, s, "atomic", device.Shape{Threads: 1, Blocks: 1}, 0)
				f.batch.single = batchAfter
				c.prepare(t, &f.batch)
				if apart := after(t, sim, 4*batchSteps+3).apart(onHost[float64](t, s, 4*batchSteps+3)); apart != 0 {
					t.Errorf("the flow differs from the CPU's by %.2e", apart)
				}
				if (f.batch.launched > 0) != c.batches || f.batch.refused == c.batches {
					t.Errorf("%d batches have been launched, refused: %t", f.batch.launched, f.batch.refused)
				}
			})
		}
	}
}

// The host is at most a few batches ahead of the device, so that who asks, or interrupts,
// does not wait for more; and steps that are long do not wait for others where the device
// has nothing to do.
func TestTheHostIsNotFarAhead(t *testing.T) {
	l := devicetest.Open(t)
	f := onDevice[float64](l, lbm.Config{})(t, channel(t, lbm.D2Q9)).(*Fluid[float64])
	for i := range f.cfg.Faces {
		f.cfg.Faces[i].Amplitude = nil
	}
	f.batch.single, f.ahead.depth = batchAfter, 2
	queued := make([]*driver.Event, 12)
	for k := range queued {
		var err error
		if queued[k], err = l.Context.EventUntimed(); err != nil {
			t.Fatal(err)
		}
		defer queued[k].Close()
		for range batchSteps {
			f.Step()
		}
		if err := f.Stream().Record(queued[k]); err != nil {
			t.Fatal(err)
		}
		if k >= 3 && !queued[k-3].Done() {
			t.Fatalf("batch %d is queued before batch %d has been made", k, k-3)
		}
	}
	if n := f.batch.launched; n < len(queued)-1 { // the first steps of an outflow are others
		t.Errorf("%d batches were launched, want %d", n, len(queued)-1)
	}

	f.batch.long, f.ahead.every = true, 1
	if err := f.Wait(); err != nil {
		t.Fatal(err)
	}
	f.Step()
	if f.batch.waiting != 0 {
		t.Errorf("a long step waits for others while the device is idle")
	}
}
