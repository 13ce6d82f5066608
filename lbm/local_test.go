package lbm

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"lbmib/internal/parallel"
)

// localFlows are flows whose boundaries do all that they can near nodes on which a
// Local works.
func localFlows(t testing.TB) map[string]Config {
	wall := func(v float64) Face {
		return Face{Kind: MovingWall, Velocity: func(p [3]float64) [3]float64 { return [3]float64{v, 0.1 * v, v * (1 + 0.1*p[0])} },
			Amplitude: func(t float64) float64 { return math.Cos(t / 3) }}
	}
	inflow := Face{Kind: Velocity, Velocity: func(p [3]float64) [3]float64 { return [3]float64{0.03 + 0.001*p[1], 0, 0} }}
	flows := map[string]Config{}
	for _, l := range []*Lattice{D2Q9, D3Q19} {
		size := [3]int{21, 13, 1}
		if l.Dim == 3 {
			size = [3]int{11, 9, 7}
		}
		ops := CollisionNames
		if testing.Short() {
			ops = []string{"bgk", "trt", "mrt"}[l.Dim-2 : l.Dim]
		}
		for _, op := range ops {
			c, err := NewCollision(op, 0.02, MagicPoiseuille)
			if err != nil {
				t.Fatal(err)
			}
			periodic := Config{Lattice: l, Size: size, Collision: c}
			flows[l.Name+" "+op+" periodic"] = periodic

			walls := periodic
			walls.Faces = [6]Face{inflow, {Kind: FreeSlip}, {Kind: NoSlip}, wall(0.02), {Kind: Symmetry}, wall(-0.01)}
			if c.Recursive { // fluid enters by way of ghosts, whose memory only the fluid has
				walls.Faces[0] = Face{Kind: FreeSlip}
			}
			walls.Collision.Smagorinsky = 0.1
			flows[l.Name+" "+op+" eddies between walls"] = walls

			forced := periodic
			forced.Solid = make([]bool, forced.Nodes())
			for n := range forced.Solid {
				forced.Solid[n] = n%11 == 0
			}
			forced.Faces[2], forced.Faces[3] = Face{Kind: NoSlip}, Face{Kind: FreeSlip}
			forced.Acceleration = func(t float64) [3]float64 { return [3]float64{1e-4 * math.Sin(t), 2e-5, -1e-5} }
			flows[l.Name+" "+op+" forced among solids"] = forced
		}
	}
	return flows
}

// someNodesOf are scattered fluid nodes, corners and edges among them, in no order,
// and forces for them.
func someNodesOf[T Float](c *Config) (nodes, at []int32, force [][]T) {
	for n := range c.Nodes() {
		p := c.Position(n)
		if c.Solid != nil && c.Solid[n] || (7*p[0]+5*p[1]+3*p[2])%4 == 1 && p != [3]int{} {
			continue
		}
		if p[0] <= c.Size[0]/2 || p[1] == c.Size[1]-1 {
			nodes = append(nodes, int32(n))
		}
	}
	slices.Reverse(nodes[:len(nodes)/2])
	force = make([][]T, c.Lattice.Dim)
	for a := range force {
		force[a] = make([]T, len(nodes)+3)
		for k := range force[a] {
			force[a][k] = T(1e-3 * math.Sin(float64(3*k+a)))
		}
	}
	for k := range nodes {
		at = append(at, int32(k+3))
	}
	return nodes, at, force
}

func wavy(p [3]float64) (float64, [3]float64) {
	return 1 + 0.01*math.Cos(p[0]), [3]float64{0.03 * math.Sin(p[1]), 0.02 * math.Cos(p[0]+p[2]), 0.01 * math.Sin(p[0]*p[1])}
}

// alongside steps one fluid as a whole and another with what is near some nodes made
// aside, and compares all populations; and so where nodes here and there relax by times of their own.
func alongside[T Float](t *testing.T, name string, cfg Config, workers int) {
	t.Helper()
	alongsideOf[T](t, name, cfg, workers, false)
	if !cfg.Collision.NodesDiffer() {
		alongsideOf[T](t, name+", times of their own", cfg, workers, true)
	}
}

func alongsideOf[T Float](t *testing.T, name string, cfg Config, workers int, other bool) {
	t.Helper()
	pool, host := parallel.NewPool(workers), parallel.NewPool(workers)
	defer pool.Close()
	defer host.Close()
	var fluids [2]Fluid[T]
	for i := range fluids {
		f, err := New[T](cfg, pool)
		if err != nil {
			t.Fatal(name, err)
		}
		f.Initialize(wavy)
		fluids[i] = f
	}
	whole, parted := fluids[0], fluids[1]
	aside, err := NewLocal[T](parted.Config(), host)
	if err != nil {
		t.Fatal(name, err)
	}
	nodes, at, force := someNodesOf[T](&cfg)
	if err := aside.Cover(nodes, 0); err != nil {
		t.Fatal(name, err)
	}
	swap := parted.(Exchanger[T])
	free := &NodeStep[T]{Force: make([][]T, cfg.Lattice.Dim), U: make([][]T, cfg.Lattice.Dim)}
	free.SetNodes(nil, nil)
	if other {
		free.Relaxation = timesOf[T](&cfg)
	}
	for range 5 { // every phase of a scheme
		aside.Begin(parted.Steps())
		swap.Fetch(aside.Sources(), aside.Populations())
		if other {
			whole.(Relaxing[T]).CorrectRelaxing(nodes, at, force, free.Relaxation)
			aside.CorrectRelaxing(nodes, at, force, free.Relaxation)
			StepNodes(whole, free)
			StepNodes(parted, free)
			aside.StepRelaxing(free.Relaxation)
		} else {
			whole.Correct(nodes, at, force)
			whole.Step()
			parted.Step()
			aside.Correct(nodes, at, force)
			aside.Step()
		}
		swap.Put(aside.Targets(), aside.Results())
	}
	want, got := StateOf(whole), StateOf(parted)
	for i := range want.Populations {
		for n, w := range want.Populations[i] {
			if cfg.Solid != nil && cfg.Solid[n] {
				continue
			}
			if g := got.Populations[i][n]; g != w {
				t.Fatalf("%s: population %d of node %v is %v, of the whole %v", name, i, cfg.Position(n), g, w)
			}
		}
	}
}

// What is near corrected nodes can be stepped aside: the same bits come out.
func TestALocalStepIsThatOfTheWholeFluid(t *testing.T) {
	kernels := []string{"auto", "go"}
	if testing.Short() {
		kernels = kernels[:1]
	}
	for name, cfg := range localFlows(t) {
		for _, kernel := range kernels {
			for _, scheme := range StreamingNames {
				cfg.Kernel, cfg.Streaming = kernel, scheme
				alongside[float64](t, fmt.Sprintf("%s %s %s f64", name, kernel, scheme), cfg, 2)
				alongside[float32](t, fmt.Sprintf("%s %s %s f32", name, kernel, scheme), cfg, 1)
			}
		}
	}
}

// Domains may be narrower than a neighbourhood is wide.
func TestALocalStepInNarrowDomains(t *testing.T) {
	flows := localFlows(t)
	for _, size := range [][3]int{{1, 7, 1}, {2, 2, 1}, {70, 1, 1}, {5, 3, 2}, {3, 1, 6}, {1, 2, 2}, {2, 9, 1}} {
		for name, cfg := range flows {
			if cfg.Lattice.Dim == 2 && size[2] != 1 || cfg.Solid != nil {
				continue
			}
			cfg.Size = size
			alongside[float64](t, fmt.Sprintf("%s %v", name, size), cfg, 1)
		}
	}
}

func TestALocalStepInAnyLayout(t *testing.T) {
	if testing.Short() {
		return // no goroutines that others have not
	}
	flows := localFlows(t)
	for _, l := range []string{"D2Q9", "D3Q19"} {
		for _, layout := range LayoutNames {
			for _, scheme := range StreamingNames {
				for _, name := range []string{"trt eddies between walls", "mrt periodic"} {
					cfg := flows[l+" "+name]
					cfg.Layout, cfg.Streaming = layout, scheme
					alongside[float64](t, fmt.Sprintf("%s %s %s %s", l, name, layout, scheme), cfg, 2)
				}
			}
			cfg := flows[l+" bgk periodic"]
			cfg.StepsPerSweep, cfg.Layout = 2, layout
			alongside[float64](t, fmt.Sprintf("%s %s two steps per sweep", l, layout), cfg, 2)
		}
	}
}

// Halves are rounded with the noise that the whole fluid rounds them with. Populations
// that meet moving walls are not: there the noise is that of a row's links.
func TestALocalStepOfHalves(t *testing.T) {
	if testing.Short() {
		return // no goroutines that others have not
	}
	for name, cfg := range localFlows(t) {
		for i := range cfg.Faces {
			if k := cfg.Faces[i].Kind; k == MovingWall || k == Velocity {
				cfg.Faces[i] = Face{Kind: NoSlip}
			}
		}
		cfg.Store = "f16"
		for _, scheme := range StreamingNames {
			cfg.Streaming = scheme
			alongside[float32](t, name+" f16 "+scheme, cfg, 2)
		}
	}
}

// Sets with slack hold what comes to be in a set's place as it moves, and no more is
// known of others.
func TestSlackCoversNodesThatMove(t *testing.T) {
	cfg := localFlows(t)["D2Q9 bgk periodic"]
	pool := parallel.NewPool(1)
	defer pool.Close()
	l, err := NewLocal[float64](&cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	at := func(p ...[3]int) (nodes []int32) {
		for _, p := range p {
			nodes = append(nodes, int32(cfg.Node(p)))
		}
		return nodes
	}
	for slack, sources := range []int{25, 49, 81} { // a node and two more around it
		if err := l.Cover(at([3]int{20, 0, 0}), slack); err != nil {
			t.Fatal(err)
		}
		known := map[int32]bool{}
		for _, n := range l.Sources() {
			known[n] = true
		}
		if len(known) != sources || len(l.Sources()) != 9*len(l.Targets()) {
			t.Errorf("slack %d: %d populations of %d sources, want 9 for each of %d targets, of %d", slack, len(l.Sources()), len(known), len(l.Targets()), sources)
		}
		moved, far := at([3]int{slack - 1, 12, 0}), at([3]int{slack, 12, 0})
		if slack == 0 {
			moved = at([3]int{20, 0, 0})
		}
		if !l.Covers(moved) || l.Covers(far) {
			t.Errorf("slack %d: covers node %v %v, %v %v", slack, moved, l.Covers(moved), far, l.Covers(far))
		}
	}
}

func TestALocalStepAtAnOpenFaceIsRefused(t *testing.T) {
	for _, kind := range []FaceKind{Outflow, Pressure, Velocity} {
		cfg := localFlows(t)["D2Q9 bgk periodic"]
		cfg.Faces[0], cfg.Faces[1] = Face{Kind: NoSlip}, Face{Kind: kind, Density: 1, Velocity: func([3]float64) [3]float64 { return [3]float64{0.1} }}
		pool := parallel.NewPool(1)
		defer pool.Close()
		l, err := NewLocal[float64](&cfg, pool)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Cover([]int32{int32(cfg.Node([3]int{18, 5, 0}))}, 0); err != nil {
			t.Errorf("a node two before the face: %v", err)
		}
		var open *OpenFaceError
		if err := l.Cover([]int32{int32(cfg.Node([3]int{19, 5, 0}))}, 0); !errors.As(err, &open) || open.Face != "right" || open.Kind != kind {
			t.Errorf("%v: a node next to the face's: %v", kind, err)
		}
		if len(l.Sources())+len(l.Targets()) > 0 || l.Covers([]int32{int32(cfg.Node([3]int{18, 5, 0}))}) {
			t.Errorf("%v: something is covered after an error", kind)
		}
	}
}

func TestLocalStepsAllocateNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("counts allocations, which the race detector makes, too")
	}
	cfg := localFlows(t)["D3Q19 mrt eddies between walls"]
	pool, host := parallel.NewPool(2), parallel.NewPool(2)
	defer pool.Close()
	defer host.Close()
	f, err := New[float64](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLocal[float64](f.Config(), host)
	if err != nil {
		t.Fatal(err)
	}
	nodes, at, force := someNodesOf[float64](&cfg)
	swap := f.(Exchanger[float64])
	step := func() {
		if err := l.Cover(nodes, 0); err != nil {
			t.Fatal(err)
		}
		l.Begin(f.Steps())
		swap.Fetch(l.Sources(), l.Populations())
		f.Step()
		l.Correct(nodes, at, force)
		l.Step()
		swap.Put(l.Targets(), l.Results())
	}
	step()
	if n := testing.AllocsPerRun(50, step); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// What is put is all that there is of the nodes, at open faces too: the flow goes on as
// from a state with these populations.
func TestPutIsAllOfANodesState(t *testing.T) {
	for _, scheme := range StreamingNames {
		cfg := localFlows(t)["D3Q19 trt eddies between walls"]
		cfg.Faces[1], cfg.Faces[2], cfg.Streaming = Face{Kind: Outflow}, Face{Kind: Pressure, Density: 1.01}, scheme
		pool := parallel.NewPool(2)
		defer pool.Close()
		var fluids [2]Fluid[float64]
		for i := range fluids {
			f, err := New[float64](cfg, pool)
			if err != nil {
				t.Fatal(err)
			}
			f.Initialize(wavy)
			f.Step()
			fluids[i] = f
		}
		restored, overwritten := fluids[0], fluids[1]
		nodes, _, _ := someNodesOf[float64](&cfg)
		populations := make([][]float64, cfg.Lattice.Q)
		for i := range populations {
			populations[i] = make([]float64, len(nodes))
		}
		overwritten.(Exchanger[float64]).Fetch(slices.Repeat(nodes, cfg.Lattice.Q), populations)
		state := StateOf(restored)
		for i, p := range populations {
			for k, n := range nodes {
				if p[k] != state.Populations[i][n] {
					t.Fatalf("%s: population %d of node %d is fetched as %v, it is %v", scheme, i, n, p[k], state.Populations[i][n])
				}
				p[k] *= 1.01
				state.Populations[i][n] = p[k]
			}
		}
		overwritten.(Exchanger[float64]).Put(nodes, populations)
		if err := restored.SetState(state); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			restored.Step()
			overwritten.Step()
		}
		want, got := StateOf(restored), StateOf(overwritten)
		if !slices.Equal(got.Open, want.Open) {
			t.Errorf("%s: open faces go on differently", scheme)
		}
		for i := range want.Populations {
			if !slices.Equal(got.Populations[i], want.Populations[i]) {
				t.Errorf("%s: population %d goes on differently", scheme, i)
			}
		}
	}
}
