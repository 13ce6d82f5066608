package lbm

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
)

// A step into whose collision forces go is one that is corrected for them, to rounding, on every lattice, by every
// operator and kernel, between walls and among solids.
func TestForcesGoIntoTheCollision(t *testing.T) {
	flows, variant := localFlows(t), 0
	for i, name := range slices.Sorted(maps.Keys(flows)) {
		cfg := flows[name]
		for _, kernel := range KernelNames {
			if len(MissingFor(kernel)) > 0 {
				continue
			}
			for _, streaming := range append(StreamingNames, "two steps per sweep") {
				count := 2 // both phases, and with fused steps a pair before
				cfg.Kernel, cfg.Streaming, cfg.StepsPerSweep = kernel, streaming, 1
				if streaming == "two steps per sweep" {
					cfg.Streaming, cfg.StepsPerSweep, count = "inplace", 2, 3
				}
				for steps := range count {
					variant++
					each := func(store int) bool { return checkingtest.Full() || (variant+i)%3 == store }
					of := func(store string) string { return fmt.Sprintf("%s %s %s %s %d", name, store, kernel, streaming, steps) }
					if each(0) {
						forcesOn[float64](t, of("f64"), cfg, steps+1, 1e-16)
					}
					if each(1) {
						forcesOn[float32](t, of("f32"), cfg, steps+1, 5e-8)
					}
					if half := cfg; each(2) {
						half.Store = "f16" // what is corrected is rounded twice, by a unit of 2⁻²⁶ for populations of a hundredth, each
						forcesOn[float32](t, of("f16"), half, steps+1, 4e-5)
					}
				}
			}
		}
	}
}

// forcesOn has forces act on nodes here and there and, of flows without solids, on rows of whole vectors, too.
func forcesOn[T Float](t *testing.T, name string, cfg Config, steps int, bound float64) {
	t.Helper()
	nodes, at, force := someNodesOf[T](&cfg)
	forces(t, name, cfg, steps, bound, nodes, at, force)
	if cfg.Solid != nil {
		return
	}
	cfg.Size = [3]int{70, 4, 1}
	if cfg.Lattice.Dim == 3 {
		cfg.Size[2] = 3
	}
	_, _, force = someNodesOf[T](&cfg)
	nodes, at = nil, nil
	for n := range cfg.Nodes() {
		if p := cfg.Position(n); p[1] > 0 && p[0] != 50 && p[0] < 69 && len(nodes)+3 < len(force[0]) {
			nodes, at = append(nodes, int32(n)), append(at, int32(len(at)+3))
		}
	}
	forces(t, name+" whole", cfg, steps, bound, nodes, at, force)
}

// forces compares the last of some steps with one that is corrected; bound is for populations.
func forces[T Float](t *testing.T, name string, cfg Config, steps int, bound float64, nodes, at []int32, force [][]T) {
	t.Helper()
	pool := parallel.NewPool(3)
	defer pool.Close()
	var results [2]State[T]
	var moments [2][][]T
	for i := range results {
		f, err := New[T](cfg, pool)
		if err != nil {
			t.Fatal(name, err)
		}
		f.Initialize(wavy)
		for range steps - 1 {
			f.Step()
		}
		n := &NodeStep[T]{Force: force, Rho: make([]T, len(nodes)+3)}
		for range cfg.Lattice.Dim {
			n.U = append(n.U, make([]T, len(nodes)+3))
		}
		n.SetNodes(nodes, at)
		if i == 0 {
			StepNodes(f, n)
		} else {
			StepAndCorrect(f, n)
		}
		if inSweep := takesForces(f); inSweep != (cfg.Kernel != "go") {
			t.Fatalf("%s: forces go into the collision: %t", name, inSweep)
		}
		results[i], moments[i] = StateOf(f), append([][]T{n.Rho}, n.U...)
	}
	for a := range moments[0] {
		for k := range moments[0][a] {
			if d := math.Abs(float64(moments[0][a][k] - moments[1][a][k])); !(d <= 30*math.Max(bound/10, float64(epsilon[T]()))) {
				t.Fatalf("%s: moment %d of node %d is %v, corrected %v", name, a, k, moments[0][a][k], moments[1][a][k])
			}
		}
	}
	for q := range results[0].Populations {
		for n, v := range results[0].Populations[q] {
			if d := math.Abs(float64(v - results[1].Populations[q][n])); !(d <= bound) {
				t.Fatalf("%s: population %d of node %v is %v, corrected %v", name, q, cfg.Position(n), v, results[1].Populations[q][n])
			}
		}
	}
}

// takesForces tells whether the sweep of a fluid does.
func takesForces[T Float](f Fluid[T]) bool {
	switch f := f.(type) {
	case *CPU[T, T]:
		return f.forced.kernel != nil
	case *CPU[T, Half]:
		return f.forced.kernel != nil
	}
	return false
}

// BenchmarkForcedRows is what a sweep costs with forces on all nodes, in the sweep and by a correction after
// it, over a sweep without.
func BenchmarkForcedRows(b *testing.B) {
	for _, l := range []*Lattice{D2Q9, D3Q19} {
		for _, op := range []string{"bgk", "trt", "mrt", "recursive"} {
			b.Run(l.Name+"/"+op+"/f64", func(b *testing.B) { benchmarkForced[float64](b, l, op) })
			b.Run(l.Name+"/"+op+"/f32", func(b *testing.B) { benchmarkForced[float32](b, l, op) })
		}
	}
}

func benchmarkForced[T Float](b *testing.B, l *Lattice, op string) {
	c, err := NewCollision(op, 0.05, MagicPoiseuille)
	if err != nil {
		b.Fatal(err)
	}
	cfg := Config{Lattice: l, Size: [3]int{512, 256, 1}, Collision: c}
	if l.Dim == 3 {
		cfg.Size = [3]int{96, 48, 32}
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	f, err := New[T](cfg, pool)
	if err != nil {
		b.Fatal(err)
	}
	n := &NodeStep[T]{Rho: make([]T, cfg.Nodes())}
	all := make([]int32, cfg.Nodes())
	for k := range all {
		all[k] = int32(k)
	}
	n.SetNodes(all, all)
	for range l.Dim {
		n.Force, n.U = append(n.Force, make([]T, cfg.Nodes())), append(n.U, make([]T, cfg.Nodes()))
	}
	var spent [3]time.Duration
	for b.Loop() { // in turn, for the machine's speed changes
		for i, step := range []func(){f.Step, func() { StepNodes(f, n) }, func() { StepAndCorrect(f, n) }} {
			begin := time.Now()
			step()
			step()
			spent[i] += time.Since(begin)
		}
	}
	b.ReportMetric(float64(spent[0].Nanoseconds())/float64(2*b.N*cfg.Nodes()), "ns/node")
	b.ReportMetric(float64(spent[1])/float64(spent[0]), "in-the-sweep")
	b.ReportMetric(float64(spent[2])/float64(spent[0]), "corrected")
	b.ReportMetric(0, "ns/op")
}

// TestRunsHoldMoreThanTheList: a step on runs of whole vectors around the nodes of a list is one on the list, to rounding.
func TestRunsHoldMoreThanTheList(t *testing.T) {
	for _, l := range []*Lattice{D2Q9, D3Q19} {
		t.Run(l.Name+"/f64", func(t *testing.T) { runsAround[float64](t, l, 1e-16) })
		t.Run(l.Name+"/f32", func(t *testing.T) { runsAround[float32](t, l, 5e-8) })
	}
}

func runsAround[T Float](t *testing.T, l *Lattice, bound float64) {
	c, err := NewCollision("trt", 0.05, MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Lattice: l, Size: [3]int{45, 6, 1}, Collision: c} // rows end within a vector
	if l.Dim == 3 {
		cfg.Size[2] = 4
	}
	pool := parallel.NewPool(2)
	defer pool.Close()
	var nodes []int32
	var runs []NodeRun
	force := make([][]T, l.Dim)
	for a := range force {
		force[a] = make([]T, cfg.Nodes())
	}
	for n := range cfg.Nodes() {
		x := n % cfg.Size[0]
		if x%16 == 0 && n/cfg.Size[0]%3 > 0 {
			runs = append(runs, NodeRun{Node: int32(n), At: int32(n), N: int32(min(16, cfg.Size[0]-x))})
		}
		if n/cfg.Size[0]%3 > 0 && n%5 < 2 {
			nodes = append(nodes, int32(n))
			for a := range force {
				force[a][n] = T(1e-4 * math.Sin(float64(n+a)))
			}
		}
	}
	var states [2]State[T]
	var steps [2]*NodeStep[T]
	for i := range states {
		f, err := New[T](cfg, pool)
		if err != nil {
			t.Fatal(err)
		}
		f.Initialize(wavy)
		n := &NodeStep[T]{Force: force, Rho: make([]T, cfg.Nodes())}
		for range l.Dim {
			n.U = append(n.U, make([]T, cfg.Nodes()))
		}
		n.SetNodes(nodes, nodes)
		if i == 0 {
			n.SetRuns(runs)
		}
		for range 3 {
			StepNodes(f, n)
		}
		states[i], steps[i] = StateOf(f), n
	}
	for _, k := range nodes {
		for a, u := range steps[0].U {
			if d := math.Abs(float64(u[k] - steps[1].U[a][k])); !(d <= 10*float64(epsilon[T]())) {
				t.Fatalf("u[%d] of node %v is %v by runs, %v by the list", a, cfg.Position(int(k)), u[k], steps[1].U[a][k])
			}
		}
	}
	for q, f := range states[0].Populations {
		for n, v := range f {
			if d := math.Abs(float64(v - states[1].Populations[q][n])); !(d <= 4*bound) {
				t.Fatalf("population %d of node %v is %v by runs, %v by the list", q, cfg.Position(n), v, states[1].Populations[q][n])
			}
		}
	}
}

// Nodes of a vector on which no force acts come out of a step with forces on others as of one without any, to the last bit: which nodes share a vector
// depends on where a row begins, and so on the parts that a domain is divided into.
func TestNodesWithoutForceKeepTheirBits(t *testing.T) {
	for _, l := range []*Lattice{D2Q9, D3Q19} {
		for _, op := range CollisionNames {
			for _, force := range []float64{0, 1e-5} {
				for _, kernel := range KernelNames {
					if len(MissingFor(kernel)) > 0 {
						continue
					}
					collision, err := NewCollision(op, 0.1, MagicPoiseuille)
					if err != nil {
						t.Fatal(err)
					}
					cfg := Config{Lattice: l, Size: [3]int{35, 6, 5}, Collision: collision, Kernel: kernel, Force: [3]float64{force}}
					if l.Dim == 2 {
						cfg.Size[2] = 1
					}
					name := fmt.Sprintf("%s %s %s force %v", l.Name, op, kernel, force)
					keepBits[float64](t, name, cfg)
					keepBits[float32](t, name+" f32", cfg)
					cfg.Store = "f16"
					keepBits[float32](t, name+" f16", cfg)
				}
			}
		}
	}
}

// keepBits has no force act on every second node.
func keepBits[T Float](t *testing.T, name string, cfg Config) {
	t.Helper()
	begun := func() Fluid[T] {
		f, err := New[T](cfg, parallel.NewPool(1))
		if err != nil {
			t.Fatal(err)
		}
		f.Initialize(func(p [3]float64) (float64, [3]float64) {
			return 1 + 0.01*math.Sin(p[0]+2*p[1]), [3]float64{0.03 * math.Sin(3*p[1]), 0.02 * math.Cos(p[0]+p[2]), 0.01 * math.Sin(p[0]*p[1])}
		})
		return f
	}
	without, with := begun(), begun()
	n := cfg.Nodes()
	step := NodeStep[T]{Rho: make([]T, n)}
	for range cfg.Lattice.Dim {
		step.Force, step.U = append(step.Force, make([]T, n)), append(step.U, make([]T, n))
	}
	var nodes []int32
	for k := 0; k < n; k += 2 {
		nodes = append(nodes, int32(k))
	}
	step.SetNodes(nodes, nodes)
	for range 3 {
		without.Step()
		StepNodes(with, &step)
	}
	a, b := make([]T, n), make([]T, n)
	for i := range cfg.Lattice.Q {
		without.Population(i, a)
		with.Population(i, b)
		if !slices.Equal(a, b) {
			t.Errorf("%s: population %d is another one", name, i)
			return
		}
	}
}
