package lbm_test

import (
	"math"
	"reflect"
	"testing"

	"lbmib/internal/parallel"
	"lbmib/internal/xruns"
	"lbmib/lbm"
)

// portedTube is a tube along (2, 1, 0) with a velocity port and a windkessel outlet, by a mask: 30 × 24 × 16 nodes.
func portedTube(t testing.TB, streaming string) lbm.Config {
	t.Helper()
	c, err := lbm.NewCollision("trt", 0.05, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{30, 24, 16}, Collision: c, Streaming: streaming, Force: [3]float64{1e-6, 2e-6, -1e-6}}
	for side := range cfg.Faces {
		cfg.Faces[side].Kind = lbm.NoSlip
	}
	tube := newCylinder(4.3, [3]float64{15.1, 11.6, 7.4}, [3]float64{2, 1, 0})
	cfg.Ports = []lbm.Port{
		{Kind: lbm.PortVelocity, FlowRate: 0.4, Velocity: func([3]float64) [3]float64 { return [3]float64{0.01, 0.005, 0} }},
		{Kind: lbm.PortWindkessel, Density: 1, Resistance: 1e-3, Capacitance: 40},
	}
	tube.carve(&cfg, func(x [3]float64) int {
		switch {
		case x[0] < 4:
			return 0
		case x[0] > 25:
			return 1
		}
		return -1
	})
	return cfg
}

// placed is the fluid of a masked flow at a place in another box, by its runs.
func placed(t testing.TB, masked lbm.Config, at, size [3]int) lbm.Config {
	t.Helper()
	cfg := masked
	cfg.Solid, cfg.Size, cfg.Inside, cfg.Cuts = nil, size, xruns.New(size), nil
	for row := range masked.Size[1] * masked.Size[2] {
		for x, nx := 0, masked.Size[0]; x < nx; x++ {
			from := x
			for x < nx && !masked.Solid[row*nx+x] {
				x++
			}
			if x > from {
				cfg.Inside.Add(row%masked.Size[1]+at[1], row/masked.Size[1]+at[2], xruns.Run{X0: int32(from + at[0]), X1: int32(x + at[0])})
			}
		}
	}
	cfg.Inside.Close()
	for _, cut := range masked.Cuts {
		p := masked.Position(int(cut.Node))
		cut.Node = int32(cfg.Node([3]int{p[0] + at[0], p[1] + at[1], p[2] + at[2]}))
		cfg.Cuts = append(cfg.Cuts, cut)
	}
	for k := range cfg.Ports { // functions of place
		if v := cfg.Ports[k].Velocity; v != nil {
			cfg.Ports = append([]lbm.Port{}, cfg.Ports...)
			cfg.Ports[k].Velocity = func(p [3]float64) [3]float64 {
				return v([3]float64{p[0] - float64(at[0]), p[1] - float64(at[1]), p[2] - float64(at[2])})
			}
		}
	}
	return cfg
}

// ported is what a fluid in a vessel tells.
type ported[T lbm.Float] interface {
	lbm.Fluid[T]
	PortFlow(port int) float64
	PortDensity(port int) float64
	WallFlow() float64
	Fields(rho []T, u [][]T)
}

// sameAs holds a flow by the runs of its fluid, which lies so far along in its box, to that by a mask, bit by bit.
func sameAs[T lbm.Float](t *testing.T, masked, inside lbm.Config, at [3]int, workers int) {
	t.Helper()
	var fluids [2]ported[T]
	var lists [2][]int32 // of some nodes
	for n, wall := range masked.Solid {
		if p := masked.Position(n); !wall && (n%3 == 0 || p[1]%2 == 0) {
			lists[0] = append(lists[0], int32(n))
			lists[1] = append(lists[1], int32(inside.Node([3]int{p[0] + at[0], p[1] + at[1], p[2] + at[2]})))
		}
	}
	places := make([]int32, len(lists[0]))
	for k := range places {
		places[k] = int32(k)
	}
	field := func(scale float64) (f [][]T) {
		for a := range 3 {
			f = append(f, make([]T, len(places)))
			for k := range places {
				f[a][k] = T(scale * math.Sin(float64(k+a)))
			}
		}
		return f
	}
	var moments [2][][]T
	for i, cfg := range []lbm.Config{masked, inside} {
		from := [3]float64{}
		if i == 1 {
			from = point(at)
		}
		pool := parallel.NewPool(workers)
		defer pool.Close()
		made, err := lbm.New[T](cfg, pool)
		if err != nil {
			t.Fatal(err)
		}
		f := made.(ported[T])
		f.Initialize(func(x [3]float64) (float64, [3]float64) {
			return 1, [3]float64{0.01 * math.Sin(0.2*(x[0]-from[0])), 0.005 * math.Cos(0.3*(x[1]-from[1])), 0.002 * math.Sin(0.5*(x[2]-from[2]))}
		})
		step := &lbm.NodeStep[T]{Force: field(1e-4), Rho: make([]T, len(places)), U: field(0), Relaxation: planesOf[T](&cfg, from)}
		for k := range 7 {
			if k == 3 {
				step.SetNodes(lists[i], places)
				lbm.StepNodes(made, step)
				f.Correct(lists[i], places, field(1e-5))
				continue
			}
			f.Step()
		}
		if err := f.SetState(lbm.StateOf(made)); err != nil {
			t.Fatal(err)
		}
		f.Step()
		rho, u := make([]T, len(places)), field(0)
		f.Moments(lists[i], places, rho, u)
		moments[i] = append(append(u, rho, step.Rho), step.U...)
		fluids[i] = f
	}
	if !reflect.DeepEqual(moments[0], moments[1]) {
		t.Error("moments differ")
	}
	a, b := fluids[0], fluids[1]
	same := func(what string, x, y any) {
		t.Helper()
		if !reflect.DeepEqual(x, y) {
			t.Errorf("%s: %v by the mask, %v by runs", what, x, y)
		}
	}
	for k := range masked.Ports {
		same("the flow through a port", a.PortFlow(k), b.PortFlow(k))
		same("the density at it", a.PortDensity(k), b.PortDensity(k))
	}
	same("what walls add", a.WallFlow(), b.WallFlow())
	if x, y := a.OpenFaces(), b.OpenFaces(); !reflect.DeepEqual(x, y) {
		t.Error("what ports and patches keep differs")
	}
	h, g := a.Health(), b.Health()
	for axis := range at {
		for _, place := range []*[3]int{&g.Worst, &g.MinAt, &g.MaxAt} {
			place[axis] -= at[axis]
		}
	}
	same("health", h, g)
	whole, fluid := make([]T, masked.Nodes()), make([]T, inside.Nodes())
	compare := func(what string) {
		t.Helper()
		for n, wall := range masked.Solid {
			p := masked.Position(n)
			if q := [3]int{p[0] + at[0], p[1] + at[1], p[2] + at[2]}; !wall && fluid[inside.Node(q)] != whole[n] {
				t.Fatalf("%s of node %v is %g by runs, want %g", what, p, fluid[inside.Node(q)], whole[n])
			}
		}
	}
	for i := range masked.Lattice.Q {
		a.Population(i, whole)
		b.Population(i, fluid)
		compare("a population")
	}
	a.Box([3]int{}, masked.Size, whole, nil)
	b.Fields(fluid, nil)
	compare("the density")
	part := make([]T, len(whole))
	b.Box(at, [3]int{at[0] + masked.Size[0], at[1] + masked.Size[1], at[2] + masked.Size[2]}, part, nil)
	same("a box", whole, part)
}

// planesOf are relaxation times of every other plane, which depend on y and, in a quarter of the planes, on x.
func planesOf[T lbm.Float](cfg *lbm.Config, from [3]float64) *lbm.Relaxation[T] {
	r := lbm.NewRelaxation[T](cfg)
	for line := range cfg.Lines() {
		first, n := cfg.Line(line)
		p := cfg.Position(first)
		for a := range p {
			p[a] -= int(from[a])
		}
		if p[2]%2 == 0 {
			r.End[line] = int32(n)
			for k := range n {
				r.Tau[first+k] = T(cfg.Collision.Tau()) * T(1+0.2*math.Sin(float64(p[1]+p[2]%4/2*(p[0]+k))))
			}
		}
	}
	return r
}

// Lines of a fluid by runs hold what those of a box do: each node of the fluid once, found from wherever along its row.
func TestLinesOfRuns(t *testing.T) {
	box := portedTube(t, "inplace")
	inside := placed(t, box, [3]int{}, box.Size)
	if box.Lines() != box.Size[1]*box.Size[2] || inside.Lines() != len(inside.Inside.Runs()) {
		t.Fatalf("%d lines of the box, %d of the runs", box.Lines(), inside.Lines())
	}
	for _, cfg := range []*lbm.Config{&box, &inside} {
		for n := range box.Nodes() {
			p := box.Position(n)
			for left := box.Size[0] - p[0]; left > 0; {
				line, at, skipped, count := cfg.LineFrom(p, left)
				for k := range skipped {
					if q := [3]int{p[0] + k, p[1], p[2]}; cfg.Inside.Has(q[0], q[1], q[2]) {
						t.Fatalf("node %v is left out", q)
					}
				}
				first, of := cfg.Line(line)
				for k := range count {
					if q := [3]int{p[0] + skipped + k, p[1], p[2]}; cfg.Node(q) != first+at+k || at+k >= of {
						t.Fatalf("node %v has the number %d, and %d by its line", q, cfg.Node(q), first+at+k)
					}
				}
				p[0], left = p[0]+skipped+count, left-skipped-count
			}
		}
	}
}

// A flow given by the runs of its fluid has the bits of the same flow given by a mask of its box.
func TestFluidByRunsAlone(t *testing.T) {
	for _, streaming := range lbm.StreamingNames {
		cfg := portedTube(t, streaming)
		inside := placed(t, cfg, [3]int{}, cfg.Size)
		sameAs[float64](t, cfg, inside, [3]int{}, 1)
		sameAs[float32](t, cfg, inside, [3]int{}, 3)
		cfg.Store, inside.Store = "f16", "f16"
		sameAs[float32](t, cfg, inside, [3]int{}, 2)
		cfg.Cuts, inside.Cuts, cfg.Ports, inside.Ports = nil, nil, nil, nil // stairs
		cfg.Storage = "runs"
		for _, c := range []*lbm.Config{&cfg, &inside} {
			if err := c.Validate(); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := cfg.SolidLinks(), inside.SolidLinks(); a != b || a == 0 {
			t.Errorf("%d links at walls by the mask, %d by runs", a, b)
		}
	}
	cfg := portedTube(t, "inplace")
	inside := placed(t, cfg, [3]int{}, cfg.Size)
	masked, err := inside.Masked()
	if err != nil || !reflect.DeepEqual(masked.Solid, cfg.Solid) || !reflect.DeepEqual(masked.Cuts, cfg.Cuts) {
		t.Errorf("the mask of the runs is another: %v", err)
	}
	if m, i := cfg.Bytes(8), inside.Bytes(8); i >= m {
		t.Errorf("runs take %d bytes, a mask %d", i, m)
	}
	inside.StepsPerSweep = 2
	pool := parallel.NewPool(1)
	defer pool.Close()
	if _, err := lbm.New[float64](inside, pool); err == nil {
		t.Error("two steps share a sweep")
	}
	inside.Size[0]++
	if err := inside.Validate(); err == nil {
		t.Error("runs of another box are taken")
	}
}

// The box may have any number of nodes, of which 10¹² are no more than none: limits and memory are those of the fluid.
func TestATubeInAHugeBox(t *testing.T) {
	for _, streaming := range lbm.StreamingNames {
		cfg := portedTube(t, streaming)
		at, size := [3]int{7200, 4000, 8080}, [3]int{10_000, 10_000, 10_000}
		huge := placed(t, cfg, at, size) // patches of walls lie eight nodes apart
		small := placed(t, cfg, [3]int{}, cfg.Size)
		if h, s := huge.Bytes(8), small.Bytes(8); h > s+8*10_000 {
			t.Errorf("%s: %d bytes in a huge box, %d in a small one", streaming, h, s)
		}
		sameAs[float64](t, cfg, huge, at, 2)
		if _, err := huge.Masked(); err == nil {
			t.Errorf("%s: a mask of 10¹² nodes is made", streaming)
		}
	}
}
