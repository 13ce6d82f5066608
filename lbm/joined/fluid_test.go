package joined_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// plane is a flow between walls, of 64 × 48 nodes of the finest grid.
func plane(t testing.TB) lbm.Config {
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{64, 48, 1}, Collision: collision(t, "trt", 0.05)}
	cfg.Faces[2] = lbm.Face{Kind: lbm.MovingWall, Velocity: func(p [3]float64) [3]float64 { return [3]float64{0.02 + 1e-4*p[0]} }, Amplitude: func(t float64) float64 { return math.Sin(t / 40) }}
	cfg.Faces[3] = lbm.Face{Kind: lbm.NoSlip}
	return cfg
}

var nested = []joined.Box{box(1, 8, 0, 56, 40), box(2, 16, 0, 44, 32)}

// swirl is a state that varies everywhere.
func swirl(p [3]float64) (float64, [3]float64) {
	return 1 + 0.001*math.Sin(p[0]/9), [3]float64{0.03 * math.Sin(p[1]/11), 0.02 * math.Cos(p[0]/7)}
}

func TestStepsAllocateNothing(t *testing.T) {
	f := grids[float64](t, plane(t), nested...)
	f.Step()
	if n := testing.AllocsPerRun(20, f.Step); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// A state taken at any step, between those of coarser levels, too, of all nodes of the finest grid or by parts, goes on to the same bits.
func TestStatesGoOnToTheSameBits(t *testing.T) {
	for _, first := range []int{12, 13, 14, 15} {
		f, g, h := grids[float64](t, plane(t), nested...), grids[float64](t, plane(t), nested...), grids[float64](t, plane(t), nested...)
		f.Initialize(swirl)
		h.Initialize(swirl)
		advance[float64](h, 3) // what it has in ghosts and covered cells is another state's
		advance[float64](f, first)
		if err := g.SetState(lbm.StateOf[float64](f)); err != nil {
			t.Fatal(err)
		}
		state := byParts[float64](f)
		if err := h.SetParts(state); err != nil {
			t.Fatal(err)
		}
		if again := byParts[float64](h); !reflect.DeepEqual(again, state) {
			t.Errorf("at step %d the state by parts is another once it has been set", first)
		}
		advance[float64](f, 21)
		advance[float64](g, 21)
		advance[float64](h, 21)
		for _, other := range []*joined.Fluid[float64]{g, h} {
			rho, u := velocities[float64](f)
			sameRho, same := velocities[float64](other)
			for n := range rho {
				if rho[n] != sameRho[n] || u[0][n] != same[0][n] || u[1][n] != same[1][n] {
					t.Fatalf("from step %d on node %d has %v %v %v, before %v %v %v", first, n, sameRho[n], same[0][n], same[1][n], rho[n], u[0][n], u[1][n])
				}
			}
		}
	}
	f, g := grids[float64](t, plane(t), nested...), grids[float64](t, plane(t), nested[:1]...)
	advance[float64](f, 1)
	if err := g.SetState(lbm.StateOf[float64](f)); err == nil || !strings.Contains(err.Error(), "belongs to another case") {
		t.Errorf("the state of other levels is taken: %v", err)
	}
	if err := g.SetParts(byParts[float64](f)); err == nil || !strings.Contains(err.Error(), "has 3 parts, this flow has 2: it belongs to another case") {
		t.Errorf("the parts of other levels are taken: %v", err)
	}
	if g.Steps() != 0 {
		t.Errorf("a state that is refused leaves %d steps", g.Steps())
	}
}

// byParts is the state of a fluid by its parts.
func byParts[T lbm.Float](f lbm.Fluid[T]) lbm.PartsState[T] {
	s := lbm.PartsState[T]{Steps: f.Steps(), Open: f.OpenFaces()}
	l := f.Config().Lattice
	for k, p := range lbm.PartsOf(f) {
		s.Populations = append(s.Populations, nil)
		for i := range l.Q {
			one := make([]T, p.Nodes(l))
			lbm.PartPopulation(f, k, i, one)
			s.Populations[k] = append(s.Populations[k], one)
		}
	}
	return s
}

// Parts are the domain and the boxes, known before there is a fluid; one grid is one part, and has the state of one.
func TestParts(t *testing.T) {
	f, one := grids[float64](t, plane(t), nested...), grids[float64](t, plane(t))
	want := []lbm.Part{{Level: 0, Width: 4, Hi: [3]int{64, 48, 1}}, {Level: 1, Width: 2, Lo: [3]int{8, 0, 0}, Hi: [3]int{56, 40, 1}}, {Level: 2, Width: 1, Lo: [3]int{16, 0, 0}, Hi: [3]int{44, 32, 1}}}
	if got := f.Parts(); !slices.Equal(got, want) || !slices.Equal(joined.Parts(f.Config(), nested), want) {
		t.Errorf("parts %v and %v, want %v", got, joined.Parts(f.Config(), nested), want)
	}
	if want := []lbm.Part{{Width: 1, Hi: one.Config().Size}}; !slices.Equal(joined.Parts(one.Config(), nil), want) {
		t.Errorf("one grid has parts %v", joined.Parts(one.Config(), nil))
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	alone, err := lbm.New[float64](plane(t), pool)
	if err != nil {
		t.Fatal(err)
	}
	alone.Initialize(swirl)
	alone.Step()
	if err := lbm.SetParts(one, byParts(alone)); err != nil || !reflect.DeepEqual(lbm.StateOf(one), lbm.StateOf(alone)) {
		t.Errorf("the state of one grid by its part is another, %v", err)
	}
	f.Initialize(swirl)
	rho, u := make([]float64, 28*32), [][]float64{make([]float64, 28*32), make([]float64, 28*32)}
	lbm.PartBox(f, 2, rho, u)
	all, v := velocities[float64](f)
	for k := range rho {
		if n := f.Config().Node([3]int{16 + k%28, k / 28, 0}); rho[k] != all[n] || u[0][k] != v[0][n] || u[1][k] != v[1][n] {
			t.Fatalf("node %d of the finest part has %v %v, of the grid %v %v", k, rho[k], u[0][k], all[n], v[0][n])
		}
	}
}

// One step of all backends' parts: any streaming scheme, any number of threads and single precision give the same flow.
func TestPartsOfAnyKind(t *testing.T) {
	cfg := plane(t)
	run := func(streaming string, threads int) []float64 {
		cfg.Streaming = streaming
		pool := parallel.NewPool(threads)
		defer pool.Close()
		f, err := joined.New(cfg, nested, func(c lbm.Config) (lbm.Fluid[float64], error) { return lbm.New[float64](c, pool) })
		if err != nil {
			t.Fatal(err)
		}
		f.Initialize(swirl)
		advance[float64](f, 64)
		_, u := velocities[float64](f)
		return u[0]
	}
	want := run("inplace", 1)
	for _, other := range [][]float64{run("ab", 1), run("inplace", 3)} {
		for n := range want {
			if other[n] != want[n] {
				t.Fatalf("node %d has velocity %v, and %v", n, other[n], want[n])
			}
		}
	}
	single := grids[float32](t, cfg, nested...)
	single.Initialize(swirl)
	advance[float32](single, 64)
	_, u := velocities[float32](single)
	for n := range want {
		if d := math.Abs(float64(u[0][n]) - want[n]); d > 1e-6 { // some hundred roundings of populations of 0.1
			t.Fatalf("node %d has velocity %v in single precision, %v in double", n, u[0][n], want[n])
		}
	}
}

// Parts that take all populations of a node at once have the flow of those that take single ones, to rounding.
func TestPartsThatTakeWholeNodes(t *testing.T) {
	pool := parallel.NewPool(1)
	defer pool.Close()
	f := grids[float64](t, plane(t), nested...)
	g, err := joined.New(plane(t), nested, func(c lbm.Config) (lbm.Fluid[float64], error) {
		part, err := lbm.New[float64](c, pool)
		return whole[float64]{part.(exchanger[float64]), nil}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*joined.Fluid[float64]{f, g} {
		f.Initialize(swirl)
		advance[float64](f, 64)
	}
	_, u := velocities[float64](f)
	_, same := velocities[float64](g)
	for n := range u[0] {
		if math.Abs(u[0][n]-same[0][n]) > 1e-15 {
			t.Fatalf("node %d has velocity %v and %v", n, u[0][n], same[0][n])
		}
	}
}

type exchanger[T lbm.Float] interface {
	lbm.Fluid[T]
	lbm.Exchanger[T]
}

// whole is a fluid that is no lbm.Keeper.
type whole[T lbm.Float] struct {
	exchanger[T]
	lbm.FaceExchanger
}

// A look at every node has the extremes of all levels, and finds a bad node on any of them.
func TestHealthIsThatOfAllLevels(t *testing.T) {
	f := grids[float64](t, plane(t), nested...)
	f.Initialize(swirl)
	advance[float64](f, 8)
	fastest, least, most := 0., math.Inf(1), math.Inf(-1)
	f.EachCell(func(_ [3]float64, rho float64, u [3]float64) {
		fastest = math.Max(fastest, math.Hypot(u[0], u[1]))
		least, most = math.Min(least, rho), math.Max(most, rho)
	})
	if h := f.Health(); !h.OK || math.Abs(h.MaxSpeed-fastest) > 1e-15 || h.MinRho != least || h.MaxRho != most {
		t.Errorf("health %+v, want speeds to %g and densities %g to %g", h, fastest, least, most)
	}
	for _, bad := range [][2]float64{{2, 46}, {10, 38}, {30, 16}} { // of the coarsest level, the next and the finest
		f.Initialize(func(p [3]float64) (float64, [3]float64) {
			if math.Hypot(p[0]-bad[0], p[1]-bad[1]) < 3 {
				return -1, [3]float64{}
			}
			return swirl(p)
		})
		h := f.Health()
		if d := math.Hypot(float64(h.Worst[0])-bad[0], float64(h.Worst[1])-bad[1]); h.OK || !(d < 8) { // of a cell four wide
			t.Errorf("a density of −1 at %v: health %+v", bad, h)
		}
	}
}

// Forces act on the finest level as on one grid, and are refused elsewhere.
func TestForcesActOnTheFinestLevel(t *testing.T) {
	f := grids[float64](t, plane(t), nested...)
	inside, beside := int32(f.Config().Node([3]int{30, 16, 0})), int32(f.Config().Node([3]int{4, 16, 0}))
	if err := f.TakesForces([]int32{inside}); err != nil {
		t.Error(err)
	}
	if err := f.TakesForces([]int32{inside, beside}); err == nil || !strings.Contains(err.Error(), "node [4 16], which the finest level does not have") {
		t.Errorf("a node of the coarsest level: %v", err)
	}
	f.Step()
	lo, hi := [3]int{20, 8, 0}, [3]int{40, 24, 1}
	if !f.Balances(lo, hi) || f.Balances([3]int{2, 8, 0}, hi) {
		t.Error("boxes within the finest level balance, others do not")
	}
	_, before := f.Momentum(lo, hi)
	in := f.Inflow(lo, hi)
	f.Step()
	f.Correct([]int32{inside}, []int32{0}, [][]float64{{1e-3}, {-2e-3}})
	_, after := f.Momentum(lo, hi)
	for a, want := range []float64{1e-3, -2e-3} {
		if got := after[a] - before[a] - in[a]; math.Abs(got-want) > 1e-13 {
			t.Errorf("a force of %g along axis %d adds %g", want, a, got)
		}
	}
}

func TestBoxesThatCannotBeAreRefused(t *testing.T) {
	open := plane(t)
	open.Faces[0], open.Faces[1] = lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{0.01} }}, lbm.Face{Kind: lbm.Outflow}
	odd := plane(t)
	odd.Size[0] = 62
	for says, c := range map[string]struct {
		cfg   lbm.Config
		boxes []joined.Box
	}{
		"use 60 or 64": {odd, nested},
		"does not end between cells of the level above along x: use even numbers":  {plane(t), []joined.Box{box(1, 9, 8, 32, 24)}},
		"is 2 nodes wide along y: make it at least 4":                              {plane(t), []joined.Box{box(1, 8, 8, 32, 10)}},
		"does not lie in a box of level 0":                                         {open, []joined.Box{box(1, 8, 8, 70, 24)}},
		"lies at face left (velocity)":                                             {open, []joined.Box{box(1, 0, 8, 32, 24)}},
		"ends 1 cells from face bottom: let it end there, or leave 2":              {plane(t), []joined.Box{box(1, 8, 2, 32, 24)}},
		"are less than 4 nodes apart: join them to one, or move them apart":        {plane(t), []joined.Box{box(1, 8, 8, 24, 24), box(1, 26, 8, 40, 24)}},
		"does not lie in a box of level 1":                                         {plane(t), []joined.Box{box(1, 8, 8, 24, 24), box(2, 28, 8, 36, 24)}},
		"level 1 has no box":                                                       {plane(t), []joined.Box{box(2, 28, 8, 36, 24)}},
		"ends 1 cells from the end of the box around it at the side left: leave 2": {plane(t), []joined.Box{box(1, 8, 8, 40, 40), box(2, 10, 16, 24, 32)}},
		"leaves 2 nodes of the periodic axis x: leave at least 4, or none":         {plane(t), []joined.Box{box(1, 0, 8, 62, 24)}},
		"does not end between its nodes along x: use multiples of 4":               {plane(t), []joined.Box{box(1, 10, 8, 41, 40), box(2, 20, 16, 28, 32)}},
	} {
		if _, err := joined.Plan(c.cfg, c.boxes); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
}

// What lies within solids is nobody's: beside them, in coarse cells, what is read does not depend on it.
func TestSolidsAreNotLookedInto(t *testing.T) {
	cfg := plane(t)
	cfg.Faces[2] = lbm.Face{Kind: lbm.NoSlip}
	cfg.Solid = make([]bool, cfg.Nodes())
	for n := range cfg.Solid {
		p := cfg.Position(n)
		cfg.Solid[n] = p[0] >= 52 && p[0] < 60 && p[1] >= 12 && p[1] < 24
	}
	read := func(inside float64) (rho []float64, u [][]float64) {
		f := grids[float64](t, cfg, box(1, 8, 8, 40, 32))
		f.Initialize(func(p [3]float64) (float64, [3]float64) {
			if n := cfg.Node([3]int{min(max(int(p[0]+0.5), 0), 63), min(max(int(p[1]+0.5), 0), 47)}); cfg.Solid[n] {
				return 1, [3]float64{inside}
			}
			return swirl(p)
		})
		return velocities[float64](f)
	}
	rho, u := read(0)
	other, v := read(0.05)
	for n := range rho {
		if p := cfg.Position(n); !cfg.Solid[n] && (rho[n] != other[n] || u[0][n] != v[0][n] || u[1][n] != v[1][n]) {
			t.Fatalf("node %v has velocity %v, and %v with another within the solid", p, u[0][n], v[0][n])
		}
	}
}

// Solids lie in one level, away from the ends of its boxes, where they are as on one grid.
func TestSolids(t *testing.T) {
	block := func(x0, y0, x1, y1 int) lbm.Config {
		cfg := plane(t)
		cfg.Solid = make([]bool, cfg.Nodes())
		for n := range cfg.Solid {
			p := cfg.Position(n)
			cfg.Solid[n] = p[0] >= x0 && p[0] < x1 && p[1] >= y0 && p[1] < y1
		}
		return cfg
	}
	boxes := []joined.Box{box(1, 8, 8, 56, 40)}
	maker := func(pool *parallel.Pool) joined.Maker[float64] {
		return func(c lbm.Config) (lbm.Fluid[float64], error) { return lbm.New[float64](c, pool) }
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	for says, cfg := range map[string]lbm.Config{
		"less than 4 nodes from the end of its box": block(10, 16, 16, 24),
		"runs through node [0 8] of level 0":        block(0, 17, 3, 20),
	} {
		if _, err := joined.New(cfg, boxes, maker(pool)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
	cfg := block(24, 16, 36, 30)
	cfg.Faces[2], cfg.Force = lbm.Face{Kind: lbm.NoSlip}, [3]float64{1e-6}
	f, one := grids[float64](t, cfg, boxes...), grids[float64](t, cfg)
	advance[float64](f, 4000)
	advance[float64](one, 4000)
	_, u := velocities[float64](f)
	_, want := velocities[float64](one)
	most, off := 0., 0.
	for n := range want[0] {
		if !cfg.Solid[n] {
			most, off = math.Max(most, math.Abs(want[0][n])), math.Max(off, math.Abs(u[0][n]-want[0][n]))
		}
	}
	if !(off < 0.03*most) { // coarse cells beside the walls, linear where the profile is curved
		t.Errorf("velocities are %.3g of the largest off", off/most)
	}
}
