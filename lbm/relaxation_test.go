package lbm

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
)

// Nodes that relax by times of their own do so alike in assembly and node by node, with forces on some of them, on every
// lattice, by every operator, between walls and among solids.
func TestNodesRelaxByTimesOfTheirOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("compares kernels, which the race detector does not see")
	}
	flows, variant := localFlows(t), 0
	for i, name := range slices.Sorted(maps.Keys(flows)) {
		cfg := flows[name]
		if cfg.Collision.Smagorinsky != 0 {
			continue
		}
		for _, layout := range []string{"soa", "soaos"} {
			for _, streaming := range append(StreamingNames, "two steps per sweep") {
				cfg.Layout, cfg.Streaming, cfg.StepsPerSweep = layout, streaming, 1
				if streaming == "two steps per sweep" {
					cfg.Streaming, cfg.StepsPerSweep = "inplace", 2
				}
				variant++
				each := func(store int) bool { return checkingtest.Full() || (variant+i)%3 == store }
				of := func(store string) string { return fmt.Sprintf("%s %s %s %s", name, layout, streaming, store) }
				if each(0) {
					relaxing[float64](t, of("f64"), cfg, 3e-16)
				}
				if each(1) {
					relaxing[float32](t, of("f32"), cfg, 2e-7)
				}
				if half := cfg; each(2) {
					half.Store = "f16"
					relaxing[float32](t, of("f16"), half, 1e-4) // of a dither's two results
				}
			}
		}
	}
}

// relaxing has forces act on nodes here and there and, of flows without solids, on long and short parts of long rows, too.
func relaxing[T Float](t *testing.T, name string, cfg Config, bound float64) {
	t.Helper()
	nodes, at, force := someNodesOf[T](&cfg)
	relaxingAt(t, name, cfg, bound, nodes, at, force)
	if cfg.Solid != nil {
		if cfg.Layout == "soa" && cfg.StepsPerSweep == 1 && cfg.Kernel == "" {
			cfg.Storage = "runs"
			relaxingAt(t, name+" by runs", cfg, bound, nodes, at, force)
		}
		return
	}
	cfg.Size = [3]int{150, 8, 1}
	if cfg.Lattice.Dim == 3 {
		cfg.Size[2] = 3
	}
	_, _, force = someNodesOf[T](&cfg)
	nodes, at = nil, nil
	for n := range cfg.Nodes() {
		if p := cfg.Position(n); (p[0]+3*p[1])%37 > 2 && (p[0]+p[1])%23 > 0 && len(nodes)+3 < len(force[0]) {
			nodes, at = append(nodes, int32(n)), append(at, int32(len(at)+3))
		}
	}
	relaxingAt(t, name+" whole", cfg, bound, nodes, at, force)
}

// relaxingAt compares four steps of all kernels with those of Go; bound is for populations.
func relaxingAt[T Float](t *testing.T, name string, cfg Config, bound float64, nodes, at []int32, force [][]T) {
	t.Helper()
	pool := parallel.NewPool(3)
	defer pool.Close()
	var want State[T]
	var wantU [][]T
	for _, kernel := range []string{"go", "avx512", "avx2"} {
		if len(MissingFor(kernel)) > 0 {
			continue
		}
		cfg.Kernel = kernel
		f, err := New[T](cfg, pool)
		if err != nil {
			t.Fatal(name, err)
		}
		f.Initialize(wavy)
		n := &NodeStep[T]{Force: force, Rho: make([]T, len(nodes)+3), Relaxation: timesOf[T](&cfg)}
		for range cfg.Lattice.Dim {
			n.U = append(n.U, make([]T, len(nodes)+3))
		}
		n.SetNodes(nodes, at)
		for range 4 {
			StepNodes(f, n)
		}
		got, u := StateOf(f), append([][]T{n.Rho}, n.U...)
		if kernel == "go" {
			want, wantU = got, u
			continue
		}
		for q := range got.Populations {
			for k, v := range got.Populations[q] {
				if d := math.Abs(float64(v - want.Populations[q][k])); !(d <= bound) {
					t.Fatalf("%s, %s: population %d of node %v is %v, in Go %v", name, kernel, q, cfg.Position(k), v, want.Populations[q][k])
				}
			}
		}
		for a := range u {
			for k, v := range u[a] {
				if d := math.Abs(float64(v - wantU[a][k])); !(d <= 30*math.Max(bound/10, float64(epsilon[T]()))) {
					t.Fatalf("%s, %s: moment %d of node %d is %v, in Go %v", name, kernel, a, k, v, wantU[a][k])
				}
			}
		}
	}
}

// timesOf are times of nodes here and there of some rows, and of whole rows.
func timesOf[T Float](cfg *Config) *Relaxation[T] {
	r, nx, own := NewRelaxation[T](cfg), cfg.Size[0], T(cfg.Collision.Tau())
	for row := range r.First {
		switch row % 4 {
		case 1:
			r.First[row], r.End[row] = int32(nx/3), int32(nx/2+1)
		case 2:
			r.End[row] = int32(nx)
		}
		for x := r.First[row]; x < r.End[row]; x++ {
			r.Tau[row*nx+int(x)] = own
			if x%13 < 9 || row%8 == 2 {
				r.Tau[row*nx+int(x)] *= T(1 + 0.3*math.Sin(float64(x)+float64(row)))
			}
		}
	}
	return r
}

// Times that are the collision's own change nothing.
func TestOwnTimesThatAreAllTheSame(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	for name, cfg := range localFlows(t) {
		if cfg.Collision.Smagorinsky != 0 {
			continue
		}
		var states [2]State[float64]
		for i := range states {
			f, err := New[float64](cfg, pool)
			if err != nil {
				t.Fatal(err)
			}
			f.Initialize(wavy)
			n := &NodeStep[float64]{Force: make([][]float64, cfg.Lattice.Dim), U: make([][]float64, cfg.Lattice.Dim)}
			n.SetNodes(nil, nil)
			if i == 1 {
				n.Relaxation = NewRelaxation[float64](&cfg)
				for row := range n.Relaxation.First {
					n.Relaxation.End[row] = int32(cfg.Size[0] - row%3)
					for x := range n.Relaxation.End[row] {
						n.Relaxation.Tau[row*cfg.Size[0]+int(x)] = cfg.Collision.Tau()
					}
				}
			}
			for range 3 {
				StepNodes(f, n)
			}
			states[i] = StateOf(f)
		}
		for q := range states[0].Populations {
			for k, v := range states[0].Populations[q] {
				if v != states[1].Populations[q][k] {
					t.Fatalf("%s: population %d of node %v is %v, %v without times", name, q, cfg.Position(k), states[1].Populations[q][k], v)
				}
			}
		}
	}
}

// Two layers of different viscosity between walls, driven along them, flow as two parabolas whose stress has no jump: exactly
// so where Λ = 3/16, of walls and of the step of τ between two nodes. Other operators slip by a part of ν², which falls with the square
// of the number of nodes.
func TestLayersOfDifferentViscosity(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	pool := parallel.NewPool(2)
	defer pool.Close()
	for _, op := range []string{"bgk", "trt", "mrt", "regularized", "recursive"} {
		var worst [2]float64
		for i, n := range []int{10, 20} {
			worst[i] = layers(t, pool, op, n, 5)
		}
		t.Logf("%s: largest error %.3g of the largest velocity at 10 nodes, %.3g at 20", op, worst[0], worst[1])
		slope := math.Log2(worst[0] / worst[1])
		if exact := op == "trt" || op == "mrt"; exact && !(worst[1] < 1e-12) || !exact && !(worst[1] < 0.02 && slope > 1.9) {
			t.Errorf("%s: errors %v at 10 and 20 nodes, which fall with the power %.2f", op, worst, slope)
		}
	}
}

// layers is the largest error of the steady velocity in a channel of n nodes, the upper half of which is λ times as viscous.
func layers(t *testing.T, pool *parallel.Pool, op string, n int, lambda float64) (worst float64) {
	t.Helper()
	nu, a := 0.1, 1e-3/float64(n*n)
	c, err := NewCollision(op, nu, MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Lattice: D2Q9, Size: [3]int{4, n, 1}, Collision: c, Force: [3]float64{a}}
	cfg.Faces[2], cfg.Faces[3] = Face{Kind: NoSlip}, Face{Kind: NoSlip}
	f, err := New[float64](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	step := &NodeStep[float64]{Force: make([][]float64, 2), U: make([][]float64, 2), Relaxation: NewRelaxation[float64](&cfg)}
	step.SetNodes(nil, nil)
	for row := n / 2; row < n; row++ {
		step.Relaxation.End[row] = 4
		for x := range 4 {
			step.Relaxation.Tau[row*4+x] = 3*lambda*nu + 0.5
		}
	}
	for range int(8 * float64(n*n) / nu / 4) {
		StepNodes(f, step)
	}
	rho, u := make([]float64, cfg.Nodes()), [][]float64{make([]float64, cfg.Nodes()), make([]float64, cfg.Nodes())}
	f.Box([3]int{}, cfg.Size, rho, u)
	// With y from the lower wall, H the height: ν u' = τ_w − a y; u = 0 at both walls, continuous between.
	h := float64(n)
	wall := a * h * (1./4 + 3./4/lambda) / (1 + 1/lambda) // stress at the lower wall
	most := 0.
	for y := range n {
		at := float64(y) + 0.5
		want := (wall*at - a*at*at/2) / nu
		if y >= n/2 {
			from := h - at
			want = ((a*h-wall)*from - a*from*from/2) / (lambda * nu)
		}
		most = math.Max(most, math.Abs(want))
		worst = math.Max(worst, math.Abs(u[0][y*4]-want))
	}
	return worst / most
}

// Forces that correct a step in which nodes have relaxed by times of their own do what they do in its collision: to rounding, by every kernel,
// whatever the workers to the last bit.
func TestNodesOfTheirOwnTimesAreCorrected(t *testing.T) {
	for name, cfg := range localFlows(t) {
		if cfg.Collision.Smagorinsky != 0 {
			continue
		}
		nodes, at, force := someNodesOf[float64](&cfg)
		for _, kernel := range []string{"go", "avx512", "avx2"} {
			if len(MissingFor(kernel)) > 0 {
				continue
			}
			cfg.Kernel = kernel
			var states []State[float64]
			for _, workers := range []int{0, 1, 3} { // 0: in the collision
				pool := parallel.NewPool(max(workers, 1))
				defer pool.Close()
				f, err := New[float64](cfg, pool)
				if err != nil {
					t.Fatal(name, err)
				}
				f.Initialize(wavy)
				n := &NodeStep[float64]{Force: force, Rho: make([]float64, len(nodes)+3), Relaxation: timesOf[float64](&cfg)}
				for range cfg.Lattice.Dim {
					n.U = append(n.U, make([]float64, len(nodes)+3))
				}
				if n.SetNodes(nil, nil); workers == 0 {
					n.SetNodes(nodes, at)
				}
				for range 3 {
					if StepNodes(f, n); workers > 0 {
						f.(Relaxing[float64]).CorrectRelaxing(nodes, at, force, n.Relaxation)
					}
				}
				states = append(states, StateOf(f))
			}
			for q := range states[0].Populations {
				for k, v := range states[0].Populations[q] {
					if d := math.Abs(v - states[1].Populations[q][k]); !(d < 3e-16) {
						t.Fatalf("%s, %s: population %d of node %v is %v, by a correction %v off", name, kernel, q, cfg.Position(k), v, d)
					}
				}
				if !slices.Equal(states[1].Populations[q], states[2].Populations[q]) {
					t.Fatalf("%s, %s: bits depend on the workers", name, kernel)
				}
			}
		}
	}
}
