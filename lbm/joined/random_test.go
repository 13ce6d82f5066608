package joined_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// Any flow in any parts on any ranks has the bits of one grid: of 300 random ones, of 10⁴ with LBMIB_TESTS=full. One alone is
//
//	go test ./lbm/joined -run 'TestRandomPartitions/seed=17$'
func TestRandomPartitions(t *testing.T) {
	seeds := 300
	if checkingtest.Full() {
		seeds = 10000
	}
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			r := random{rand.New(rand.NewPCG(uint64(seed), 21))}
			if r.one(2) {
				comparePartition[float32](t, r)
			} else {
				comparePartition[float64](t, r)
			}
		})
	}
}

// random draws flows and partitions.
type random struct{ *rand.Rand }

// one is true once in n times.
func (r random) one(n int) bool { return r.IntN(n) == 0 }

// between is a number from a to b, both included.
func (r random) between(a, b int) int { return a + r.IntN(b-a+1) }

// flow is a small flow of any kind that a fluid takes; it draws again until there is one.
func (r random) flow(t *testing.T) lbm.Config {
	t.Helper()
	for {
		cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{r.between(4, 60), r.between(4, 16), 1}}
		if r.one(2) {
			cfg.Lattice, cfg.Size = lbm.D3Q19, [3]int{r.between(4, 40), r.between(4, 9), r.between(4, 9)}
		}
		cfg.Collision = collision(t, lbm.CollisionNames[r.IntN(len(lbm.CollisionNames))], 0.02+0.1*r.Float64())
		switch r.IntN(8) {
		case 0, 1:
			cfg.Collision.Smagorinsky = 0.1
		case 2:
			cfg.Collision.Rheology = lbm.Rheology{Zero: 4 * cfg.Collision.Viscosity(), Time: 1e3, Exponent: 0.3, Transition: 2}
		}
		cfg.Streaming = []string{"ab", "inplace"}[r.IntN(2)]
		switch r.IntN(3) {
		case 0:
			cfg.Force = [3]float64{1e-4 * r.Float64(), 1e-4 * r.Float64()}
		case 1:
			at := r.Float64()
			cfg.Acceleration = func(t float64) [3]float64 { return [3]float64{1e-4 * math.Sin(t+at), 5e-5 * math.Cos(t)} }
		}
		r.faces(&cfg)
		r.solids(&cfg)
		if cfg.Validate() == nil {
			return cfg
		}
	}
}

// faces are any of a flow.
func (r random) faces(cfg *lbm.Config) {
	kinds := []lbm.FaceKind{lbm.NoSlip, lbm.MovingWall, lbm.Velocity, lbm.Pressure, lbm.FreeSlip, lbm.Symmetry, lbm.Outflow}
	for a := range cfg.Lattice.Dim {
		if r.one(2) {
			continue // periodic
		}
		for side := 2 * a; side < 2*a+2; side++ {
			face := lbm.Face{Kind: kinds[r.IntN(len(kinds))]}
			switch face.Kind {
			case lbm.MovingWall, lbm.Velocity:
				k, normal := r.Float64(), 0.03*(2*r.Float64()-1)
				face.Velocity = func(p [3]float64) (u [3]float64) {
					u[(a+1)%2] = 0.02 * math.Sin(k*(p[0]+2*p[1]+3*p[2]))
					if face.Kind == lbm.Velocity {
						u[a] = normal
					}
					return u
				}
				if r.one(2) {
					face.Amplitude = func(t float64) float64 { return 1 + 0.3*math.Sin(t/3) }
				}
			case lbm.Pressure:
				face.Density = 1 + 0.01*(r.Float64()-0.5)
			}
			cfg.Faces[side] = face
		}
	}
}

// solids are nodes of a flow, here and there, or none.
func (r random) solids(cfg *lbm.Config) {
	if r.one(2) {
		return
	}
	cfg.Solid = make([]bool, cfg.Nodes())
	share := 0.15 * r.Float64()
	for n := range cfg.Solid {
		cfg.Solid[n] = r.Float64() < share
	}
}

// parts cuts a domain anywhere at multiples of so many nodes, several times, and gives the parts to ranks, each of which has one at least.
func (r random) parts(cfg *lbm.Config, multiple int) (boxes []joined.Box, of []int) {
	boxes = []joined.Box{{Hi: cfg.Size}}
	for range r.between(1, 6) {
		k, a := r.IntN(len(boxes)), r.IntN(cfg.Lattice.Dim)
		low, high := boxes[k], boxes[k]
		if high.Hi[a]-low.Lo[a] < 4 {
			continue
		}
		at := r.between(low.Lo[a]+2, high.Hi[a]-2) / multiple * multiple
		if at < low.Lo[a]+2 {
			continue
		}
		low.Hi[a], high.Lo[a] = at, at
		boxes[k] = low
		boxes = append(boxes, high)
	}
	ranks := min(r.between(1, 4), len(boxes))
	for k := range boxes {
		if k < ranks {
			of = append(of, k)
		} else {
			of = append(of, r.IntN(ranks))
		}
	}
	r.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	return boxes, of
}

// box is any that touches no face of the domain.
func (r random) box(cfg *lbm.Config) (lo, hi [3]int) {
	hi[2] = 1
	for a := range cfg.Lattice.Dim {
		lo[a] = r.between(1, cfg.Size[a]-2)
		hi[a] = r.between(lo[a]+1, cfg.Size[a]-1)
	}
	return lo, hi
}

// nodes are some of those that may be taken, none of them solid, and where their values stand: in any order.
func (r random) nodes(cfg *lbm.Config, may func(p [3]int) bool) (nodes, at []int32) {
	share := r.Float64()
	for n := range cfg.Nodes() {
		if (cfg.Solid == nil || !cfg.Solid[n]) && may(cfg.Position(n)) && r.Float64() < share {
			nodes = append(nodes, int32(n))
		}
	}
	r.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	for _, k := range r.Perm(len(nodes)) {
		at = append(at, int32(k))
	}
	return nodes, at
}

// values are numbers for every axis.
func values[T lbm.Float](r random, dim, n int) (all [][]T) {
	for range dim {
		v := make([]T, n)
		for k := range v {
			v[k] = T(1e-4 * (r.Float64() - 0.5))
		}
		all = append(all, v)
	}
	return all
}

// compared is one flow, whole and in parts.
type compared[T lbm.Float] struct {
	random
	t        *testing.T
	cfg      lbm.Config
	one      lbm.Fluid[T]
	parts    lbm.Fluid[T]
	at, from *lbm.NodeStep[T] // forces on nodes of either, with the same list

	takes    func(p [3]int) bool      // forces act on a node
	balances func(lo, hi [3]int) bool // of a box and the nodes around it there is an Inflow
}

func comparePartition[T lbm.Float](t *testing.T, r random) {
	cfg := r.flow(t)
	cfg.Storage = []string{"box", "runs"}[r.IntN(2)]
	compareFlow[T](t, r, cfg, 1)
}

// compareFlow compares a flow with parts of it that end at multiples of so many nodes.
func compareFlow[T lbm.Float](t *testing.T, r random, cfg lbm.Config, multiple int) {
	boxes, of := r.parts(&cfg, multiple)
	pool := parallel.NewPool(1)
	defer pool.Close()
	one, err := lbm.New[T](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	c := compared[T]{random: r, t: t, cfg: cfg, one: one, parts: sharedOut[T](t, cfg, boxes, of, r.between(1, 2))}
	c.takes, c.balances = func([3]int) bool { return true }, func([3]int, [3]int) bool { return true }
	describe := func() {
		if t.Failed() {
			t.Logf("%s %v, faces %v, %+v, %s, force %v, accelerated %v, storage %s, solids %v, cuts %d, ports %+v, boxes %v of ranks %v", cfg.Lattice.Name, cfg.Size, cfg.Faces, cfg.Collision, cfg.Streaming, cfg.Force, cfg.Acceleration != nil, cfg.Storage, cfg.Solid != nil, len(cfg.Cuts), cfg.Ports, boxes, of)
		}
	}
	defer describe()
	c.begin()
	forces := sameWithForces(&cfg, boxes)
	c.run(forces)
	if c.one2() { // to what another division goes on from
		c.at, c.from = nil, nil
		if err := c.parts.SetState(lbm.StateOf(c.one)); err != nil {
			t.Fatal(err)
		}
		c.run(forces)
	}
}

// begin gives both a state, or leaves them at rest.
func (c *compared[T]) begin() {
	state := func(p [3]float64) (float64, [3]float64) {
		u := [3]float64{0.03 * math.Sin(p[1]/2), 0.02 * math.Cos(p[0]/3)}
		if c.cfg.Lattice.Dim == 3 {
			u[2] = 0.02 * math.Sin(p[0]/2)
		}
		return 1 + 0.002*math.Sin(p[0]+p[2]), u
	}
	if !c.random.one(4) {
		c.one.Initialize(state)
		c.parts.Initialize(state)
	}
}

// run makes some steps, with forces or without.
func (c *compared[T]) run(forces bool) {
	for range c.between(2, 10) {
		if forces && c.IntN(5) < 2 {
			c.stepNodes()
		} else {
			c.one.Step()
			c.parts.Step()
		}
		c.look()
		if c.t.Failed() {
			return
		}
	}
	c.states()
}

// sameWithForces tells whether a step with forces on nodes is to have the bits of one grid. A node without a force that shares a vector of the row
// kernels with nodes that have one goes with them, through the kernel with forces, whose bits are those of the plain one but for bgk and trt alone
// (they differ in the last one); and where parts begin elsewhere along x nodes share vectors with others.
func sameWithForces(cfg *lbm.Config, boxes []joined.Box) bool {
	c := cfg.Collision
	if c.Projected || c.Recursive || c.NodesDiffer() {
		return true
	}
	return !slices.ContainsFunc(boxes, func(b joined.Box) bool { return b.Lo[0] > 0 })
}

// stepNodes makes a step with forces on some nodes, those of the last such step or others.
func (c *compared[T]) stepNodes() {
	dim := c.cfg.Lattice.Dim
	if c.at == nil || c.one2() {
		nodes, at := c.nodes(&c.cfg, c.takes)
		c.at, c.from = &lbm.NodeStep[T]{}, &lbm.NodeStep[T]{}
		var runs []lbm.NodeRun
		n := len(nodes)
		if c.one2() {
			at, runs, n = c.runs(nodes)
		}
		for _, s := range []*lbm.NodeStep[T]{c.at, c.from} {
			s.Force, s.U, s.Rho = values[T](c.random, dim, 0), values[T](c.random, dim, 0), make([]T, n)
			for a := range dim {
				s.Force[a], s.U[a] = make([]T, n), make([]T, n)
			}
			s.SetNodes(nodes, at)
			if runs != nil {
				s.SetRuns(runs)
			}
		}
	}
	_, nodes, at, _ := c.at.List()
	for a, force := range values[T](c.random, dim, len(nodes)) {
		for k, f := range force {
			c.at.Force[a][at[k]], c.from.Force[a][at[k]] = f, f
		}
	}
	lbm.StepNodes(c.one, c.at)
	lbm.StepNodes(c.parts, c.from)
	for k, n := range nodes {
		same := c.at.Rho[at[k]] == c.from.Rho[at[k]]
		for a := range dim {
			same = same && c.at.U[a][at[k]] == c.from.U[a][at[k]]
		}
		if !same {
			_, _, _, runs := c.at.List()
			c.t.Errorf("step %d leaves another density or velocity at node %v, on which a force acts with those of %d nodes in %d runs (0: they are the fluid's to find): %v at %v, in parts %v",
				c.one.Steps(), c.cfg.Position(int(n)), len(nodes), len(runs), c.at.Rho[at[k]], at[k], c.from.Rho[at[k]])
			return
		}
	}
}

func (c *compared[T]) one2() bool { return c.IntN(2) == 0 }

// runs are stretches of rows that hold nodes, and others between them, which have a force of 0.
func (c *compared[T]) runs(nodes []int32) (at []int32, runs []lbm.NodeRun, n int) {
	listed := make([]bool, c.cfg.Nodes())
	for _, k := range nodes {
		listed[k] = true
	}
	place := make([]int32, c.cfg.Nodes())
	width := c.cfg.Size[0]
	if c.cfg.Inside != nil {
		width = c.cfg.Nodes() // whatever rows they are in
	}
	for row := 0; row < len(listed); row += width {
		for x := 0; x < width; {
			if !listed[row+x] {
				x++
				continue
			}
			end := min(width, x+1+c.IntN(20))
			runs = append(runs, lbm.NodeRun{Node: int32(row + x), At: int32(n), N: int32(end - x)})
			for ; x < end; x++ {
				place[row+x] = int32(n)
				n++
			}
		}
	}
	for _, k := range nodes {
		at = append(at, place[k])
	}
	return at, runs, n
}

// look compares what can be asked of a flow between steps, some of it at a time.
func (c *compared[T]) look() {
	c.t.Helper()
	dim := c.cfg.Lattice.Dim
	if c.one2() {
		anywhere := c.one2()
		nodes, at := c.nodes(&c.cfg, func(p [3]int) bool { return anywhere || c.takes(p) })
		var rho [2][]T
		var u [2][][]T
		for i, f := range []lbm.Fluid[T]{c.one, c.parts} {
			rho[i], u[i] = make([]T, len(nodes)), values[T](c.random, dim, len(nodes))
			f.Moments(nodes, at, rho[i], u[i])
		}
		if !slices.Equal(rho[0], rho[1]) || !slices.EqualFunc(u[0], u[1], slices.Equal[[]T]) {
			c.t.Errorf("moments of %d nodes are others after step %d", len(nodes), c.one.Steps())
		}
		if c.one2() && !anywhere {
			force := values[T](c.random, dim, len(nodes))
			c.one.Correct(nodes, at, force)
			c.parts.Correct(nodes, at, force)
		}
	}
	if len(c.cfg.Cuts) > 0 {
		c.ports()
	}
	lo, hi := c.box(&c.cfg)
	for range 20 {
		if !c.wallsIn(lo, hi) {
			break
		}
		lo, hi = c.box(&c.cfg)
	}
	if c.wallsIn(lo, hi) {
		return // what walls hold is nobody's
	}
	switch c.IntN(5) {
	case 0:
		m, j := c.one.Momentum(lo, hi)
		if n, k := c.parts.Momentum(lo, hi); m != n || j != k {
			c.t.Errorf("momentum of %v … %v is %v %v, in parts %v %v", lo, hi, m, j, n, k)
		}
	case 1:
		if !c.balances(lo, hi) {
			return
		}
		if j, k := c.one.Inflow(lo, hi), c.parts.Inflow(lo, hi); j != k {
			c.t.Errorf("into %v … %v flows %v, in parts %v", lo, hi, j, k)
		}
	case 2:
		if a, b := c.one.Health(), c.parts.Health(); a != b {
			c.t.Errorf("health is %+v, in parts %+v", a, b)
		}
	case 3:
		c.boxes(lo, hi, c.one2(), c.IntN(dim+1))
	}
}

// wallsIn tells whether there are solid nodes in a box or beside it.
func (c *compared[T]) wallsIn(lo, hi [3]int) bool {
	for z := lo[2] - 1; z <= hi[2]; z++ {
		for y := lo[1] - 1; y <= hi[1]; y++ {
			for x := lo[0] - 1; x <= hi[0]; x++ {
				if (z >= 0 && z < c.cfg.Size[2]) && c.cfg.Wall([3]int{x, y, z}) {
					return true
				}
			}
		}
	}
	return false
}

// boxes compares a box of density and of the velocity along the first so many axes.
func (c *compared[T]) boxes(lo, hi [3]int, density bool, axes int) {
	c.t.Helper()
	n := lbm.Box{Lo: lo, Hi: hi}.Nodes()
	var rho [2][]T
	var u [2][][]T
	for i, f := range []lbm.Fluid[T]{c.one, c.parts} {
		u[i] = values[T](c.random, axes, n)
		if density {
			rho[i] = make([]T, n)
		}
		f.Box(lo, hi, rho[i], u[i])
	}
	for a, v := range append([][]T{rho[0]}, u[0]...) {
		other := append([][]T{rho[1]}, u[1]...)[a]
		k := 0
		for z := lo[2]; z < hi[2]; z++ {
			for y := lo[1]; y < hi[1]; y++ {
				for x := lo[0]; x < hi[0] && v != nil; x++ {
					if v[k] != other[k] && !c.cfg.Wall([3]int{x, y, z}) {
						c.t.Errorf("value %d of node %v is %v, in parts %v", a, [3]int{x, y, z}, v[k], other[k])
						return
					}
					k++
				}
			}
		}
	}
}

// states compares all that the future depends on.
func (c *compared[T]) states() {
	c.t.Helper()
	want, got := lbm.StateOf(c.one), lbm.StateOf(c.parts)
	if want.Steps != got.Steps || !slices.Equal(want.Open, got.Open) {
		c.t.Error("open faces remember something else")
	}
	for i, f := range want.Populations {
		for n, v := range f {
			if v != got.Populations[i][n] && (c.cfg.Solid == nil || !c.cfg.Solid[n]) {
				c.t.Fatalf("population %d of node %v is %v, in parts %v, after %d steps", i, c.cfg.Position(n), v, got.Populations[i][n], want.Steps)
			}
		}
	}
}
