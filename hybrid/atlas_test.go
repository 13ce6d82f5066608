package hybrid

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

func ball(t testing.TB, x, y, z, diameter float64) *rigid.Body {
	t.Helper()
	s, err := geometry.NewSphere(geometry.Vec{x, y, z}, diameter)
	if err != nil {
		t.Fatal(err)
	}
	b, err := rigid.NewBody("ball", s, 1.2, 0.35)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// swings makes a body swing along an axis.
func swings(b *rigid.Body, axis int, amplitude, omega float64) *rigid.Body {
	m := &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center()}
	m.Shift[axis] = kinematics.Harmonic{Amplitude: amplitude, Omega: omega}
	b.Motion = m
	return b
}

func frees(b *rigid.Body) *rigid.Body {
	b.Free = &rigid.Free{Density: 1.4, Gravity: geometry.Vec{2e-5, -3e-5, 1e-5}}
	return b
}

// scattered are bodies that are far from each other, in domains that are much larger.
var scattered = []struct {
	name    string
	lattice *lbm.Lattice
	size    [3]int
	bodies  func(t testing.TB) []*rigid.Body
	moves   bool
}{
	{"fixed discs", lbm.D2Q9, [3]int{120, 100, 1}, func(t testing.TB) []*rigid.Body {
		return []*rigid.Body{disc(t, 20.3, 21.6, 12), disc(t, 95.1, 30.2, 9), disc(t, 31.8, 80.4, 14), disc(t, 36.2, 70.1, 5)}
	}, false},
	{"moving discs", lbm.D2Q9, [3]int{120, 100, 1}, func(t testing.TB) []*rigid.Body {
		return []*rigid.Body{swings(disc(t, 30.3, 21.6, 12), 0, 14, 0.006), swings(disc(t, 85.1, 30.2, 9), 1, 12, 0.008), disc(t, 31.8, 80.4, 14)}
	}, true},
	{"free discs", lbm.D2Q9, [3]int{120, 100, 1}, func(t testing.TB) []*rigid.Body {
		return []*rigid.Body{frees(disc(t, 30.3, 21.6, 12)), frees(disc(t, 85.1, 30.2, 9)), swings(disc(t, 31.8, 75.4, 14), 0, 9, 0.01)}
	}, true},
	{"balls", lbm.D3Q19, [3]int{56, 40, 44}, func(t testing.TB) []*rigid.Body {
		return []*rigid.Body{swings(ball(t, 12.3, 11.6, 10.2, 7), 2, 2, 0.04), frees(ball(t, 41.1, 28.2, 33.3, 9)), ball(t, 42.2, 9.4, 9.1, 6)}
	}, true},
}

// wind is a stream with some structure.
func wind(t testing.TB, l *lbm.Lattice, size [3]int, workers int) (lbm.Fluid[float64], *parallel.Pool) {
	t.Helper()
	f, _ := tank(t, l, size, 0.04)
	f.Initialize(func(p [3]float64) (float64, [3]float64) {
		return 1 + 1e-3*p[0]/float64(size[0]), [3]float64{0.04, 0.01 * (p[1]/float64(size[1]) - 0.5), 0.005}
	})
	pool := parallel.NewPool(workers)
	t.Cleanup(pool.Close)
	return f, pool
}

// inOneWindow makes a simulation that has not begun couple in one window.
func inOneWindow(t testing.TB, s *Simulation[float64]) {
	t.Helper()
	p := s.coupling.plan
	p.oneBox, p.rounds, p.before = true, true, nil
	if err := s.coupling.place(); err != nil {
		t.Fatal(err)
	}
}

func sameBits(t testing.TB, name string, want, got *Simulation[float64]) {
	t.Helper()
	a, b := lbm.StateOf(want.Fluid), lbm.StateOf(got.Fluid)
	for i := range a.Populations {
		if !slices.Equal(a.Populations[i], b.Populations[i]) {
			t.Fatalf("%s, step %d: populations %d differ", name, a.Steps, i)
		}
	}
	for i := range want.Bodies {
		if x, y := want.Bodies[i].State(), got.Bodies[i].State(); x != y {
			t.Fatalf("%s, step %d: body %d is %+v, should be %+v", name, a.Steps, i, y, x)
		}
	}
	x, y := want.Held(), got.Held()
	for i := range x {
		if !slices.Equal(x[i], y[i]) {
			t.Fatalf("%s, step %d: forces held differ", name, a.Steps)
		}
	}
}

// Boxes around bodies are packed, and that changes no bit, whatever couples them.
func TestAnAtlasHasTheBitsOfOneWindow(t *testing.T) {
	for _, c := range scattered {
		strategies := []string{"sort-reduce", "serial", "columns", "columns-pruned", "cells", "blocks"}
		if testing.Short() {
			strategies = strategies[:1] // package ib has the goroutines of each
		}
		for _, strategy := range strategies {
			for _, schedule := range []string{"serial", "pipelined"} {
				if schedule == "pipelined" && strategy != "sort-reduce" {
					continue // the same plan, at some cost
				}
				name := fmt.Sprintf("%s, %s, %s", c.name, strategy, schedule)
				cfg := direct
				cfg.Transfer = strategy
				make := func() *Simulation[float64] {
					f, pool := wind(t, c.lattice, c.size, 2)
					s, err := NewScheduled(f, cfg, c.bodies(t), pool, Plan[float64]{Schedule: schedule})
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(s.Close)
					return s
				}
				want, got := make(), make()
				inOneWindow(t, want)
				boxes, most := len(got.coupling.plan.atlas.boxes), want.coupling.window.Nodes()
				if boxes < 2 || got.coupling.window.Nodes() >= most {
					t.Errorf("%s: %d boxes of %d nodes in all, one window has %d: the atlas saves nothing", name, boxes, got.coupling.window.Nodes(), most)
				}
				each := 40
				if c.lattice.Dim == 3 {
					each = 15
				}
				for range 3 {
					steps(t, want, each)
					steps(t, got, each)
					sameBits(t, name, want, got)
					a, b := want.StepMeasured(), got.StepMeasured()
					for i := range a {
						if a[i].Force != b[i].Force || a[i].Torque != b[i].Torque || a[i].Slip != b[i].Slip {
							t.Fatalf("%s: loads %+v, should be %+v", name, b[i], a[i])
						}
					}
				}
				want.Close()
				got.Close()
			}
		}
	}
}

// approaching are two discs that meet, go along with each other and part, across a
// periodic face of a long domain for a part of the way.
func approaching(t testing.TB) *Simulation[float64] {
	f, pool := wind(t, lbm.D2Q9, [3]int{160, 60, 1}, 2)
	a, b, c := disc(t, 40, 20, 10), disc(t, 75, 31, 11), disc(t, 120, 40, 9)
	swings(a, 0, 28, 0.004)
	swings(c, 0, 42, 0.0025)
	cfg := direct
	cfg.Transfer = "sort-reduce"
	s, err := NewSimulation(f, cfg, []*rigid.Body{a, b, c}, pool)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Bodies that come together share a box, and have their own again afterwards; nothing of
// that is felt, and whoever resumes in between goes on with the same bits.
func TestClustersMergeAndPartUnfelt(t *testing.T) {
	checkingtest.NumbersAlone(t)
	whole, one := approaching(t), approaching(t)
	inOneWindow(t, one)
	seen, crossed := map[int]bool{}, false
	for step := range 900 {
		steps(t, whole, 1)
		seen[len(whole.coupling.plan.atlas.boxes)] = true
		crossed = crossed || whole.coupling.plan.wraps[0]
		if !crossed {
			steps(t, one, 1)
		}
		if step%100 == 59 && !crossed { // rows that wrap are added in another order
			sameBits(t, "one window", one, whole)
		}
		if step%150 != 35 {
			continue
		}
		next := approaching(t)
		if err := next.Fluid.SetState(lbm.StateOf(whole.Fluid)); err != nil {
			t.Fatal(err)
		}
		if err := next.SetRigid(whole.Rigid()); err != nil {
			t.Fatal(err)
		}
		if err := next.SetHeld(whole.Held()); err != nil {
			t.Fatal(err)
		}
		sameBits(t, "resumed", whole, next)
		steps(t, next, 40)
		steps(t, whole, 40)
		if !crossed {
			steps(t, one, 40)
		}
		sameBits(t, "resumed", whole, next)
	}
	if !seen[2] || !seen[3] {
		t.Errorf("plans of %v boxes: the discs do not meet and part", seen)
	}
}

func TestAStepWithAnAtlasAllocatesNothing(t *testing.T) {
	f, pool := tank(t, lbm.D2Q9, [3]int{200, 100, 1}, 0.05)
	s := put(t, f, pool, swings(disc(t, 30, 30, 10), 0, 6, 0.03), frees(disc(t, 150, 70, 12)), disc(t, 30, 80, 9))
	steps(t, s, 500) // two whole periods: boxes have been as large as they get
	if len(s.coupling.plan.atlas.boxes) != 3 {
		t.Fatalf("%d boxes around bodies far from each other", len(s.coupling.plan.atlas.boxes))
	}
	if n := testing.AllocsPerRun(300, s.Step); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// A suspension in a large domain needs memory for its bodies, not for the domain.
func TestASuspensionNeedsMemoryForItsBodies(t *testing.T) {
	checkingtest.NumbersAlone(t)
	const n, bodies, diameter = 512, 300, 20
	flow := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{n, n, n}}
	rng := rand.New(rand.NewPCG(3, 4))
	var all []*rigid.Body
	for len(all) < bodies {
		x := geometry.Vec{rng.Float64() * n, rng.Float64() * n, rng.Float64() * n}
		if slices.ContainsFunc(all, func(b *rigid.Body) bool { return b.Shape.Center().Sub(x).Norm() < diameter+1 }) {
			continue
		}
		all = append(all, frees(ball(t, x[0], x[1], x[2], diameter)))
	}
	_, _ = rigid.NewSystem(all, domainOf(&flow), rigid.Contact{}) // which puts them there; some reach over each other
	for _, transfer := range []string{"auto", "columns", "serial"} {
		cfg := direct
		cfg.Transfer = transfer
		need, err := FootprintOf(cfg, &flow, all)
		if err != nil {
			t.Fatal(err)
		}
		share := float64(need.Window) / (n * n * n)
		if share > 0.15 {
			t.Errorf("%s: fields have %d nodes, %.3g of the domain: more than 0.15", transfer, need.Window, share)
		}
	}
}

// Boxes in an atlas do not overlap, are in it, and lie where the order of coupling is kept.
func TestBoxesInAnAtlasHaveNoNodeInCommon(t *testing.T) {
	checkingtest.NumbersAlone(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 300 {
		dim := 2 + round%2
		places := aligned{period: [3]int{1 + rng.IntN(24), 1 + rng.IntN(4), 1 + rng.IntN(4)}}
		boxes := make([]span, 1+rng.IntN(40))
		for i := range boxes {
			boxes[i].hi[2] = 1
			for a := range dim {
				boxes[i].lo[a] = rng.IntN(400) - 200
				boxes[i].hi[a] = boxes[i].lo[a] + 1 + rng.IntN(30)
			}
		}
		if dim == 2 {
			places.period[2] = 1
		}
		var at atlas
		if !at.pack(boxes, places, dim, 4096) {
			t.Fatalf("%d boxes do not fit 4096 nodes an axis", len(boxes))
		}
		owner := make([]int, at.nodes())
		grid := ib.Grid{Dim: dim, Size: at.size}
		for i, s := range boxes {
			b := at.boxes[at.of[i]]
			if b.span != s {
				t.Fatalf("box %d is %+v, should be %+v", i, b.span, s)
			}
			for a := range 3 {
				if (b.at[a]-b.lo[a]+places.origin[a])%places.period[a] != 0 {
					t.Fatalf("box %+v lies at %v, its order has period %v", s, b.at, places.period)
				}
			}
			for n := range s.nodes() {
				x, y, z := n%s.length(0), n/s.length(0)%s.length(1), n/(s.length(0)*s.length(1))
				node := b.at[0] + x + at.size[0]*(b.at[1]+y+at.size[1]*(b.at[2]+z))
				if owner[node] != 0 {
					t.Fatalf("boxes %d and %d overlap", owner[node]-1, i)
				}
				owner[node] = i + 1
			}
		}
		w := walk{of: &at, window: &grid, line: -1}
		for node, i := range owner {
			if i == 0 {
				continue
			}
			b := at.boxes[at.of[i-1]]
			x, y, z := node%at.size[0], node/at.size[0]%at.size[1], node/(at.size[0]*at.size[1])
			want := [3]int{x - b.at[0] + b.lo[0], y - b.at[1] + b.lo[1], z - b.at[2] + b.lo[2]}
			if got := w.to(node); got != want {
				t.Fatalf("node %d stands for %v, should stand for %v", node, got, want)
			}
		}
	}
}

// Clusters are what overlapping pairs make of all boxes, images across faces included.
func TestClustersAreChainsOfOverlappingBoxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	found := 0
	for round := range 2000 {
		c := clusters{dim: 2 + round%2, size: [3]int{60, 50, 40}, periodic: [3]bool{round%3 > 0, round%5 > 1, round%7 > 3}}
		boxes := make([]span, 2+rng.IntN(14))
		for i := range boxes {
			boxes[i].hi[2] = 1
			for a := range c.dim {
				boxes[i].lo[a] = rng.IntN(c.size[a] - 12)
				if c.periodic[a] {
					boxes[i].lo[a] = rng.IntN(5*c.size[a]) - 2*c.size[a]
				}
				boxes[i].hi[a] = boxes[i].lo[a] + 3 + rng.IntN(9)
			}
		}
		if !c.find(boxes) {
			continue
		}
		found++
		for i := range boxes {
			for j := range boxes {
				if overlap(&c, boxes[i], boxes[j]) && c.parent[i] != c.parent[j] {
					t.Fatalf("boxes %+v and %+v overlap and are in different clusters", boxes[i], boxes[j])
				}
				if i == j || c.parent[i] != c.parent[j] || !overlap(&c, boxes[i], boxes[j]) {
					continue
				}
				a, b := moved(&c, boxes[i], c.turns[i]), moved(&c, boxes[j], c.turns[j])
				for x := range c.dim {
					if a.lo[x] >= b.hi[x] || b.lo[x] >= a.hi[x] {
						t.Fatalf("boxes %+v and %+v of a cluster lie apart as %+v and %+v", boxes[i], boxes[j], a, b)
					}
				}
			}
		}
		alone := map[int32]int{}
		for i := range boxes {
			if alone[c.parent[i]]++; c.parent[c.parent[i]] != c.parent[i] || c.parent[i] > int32(i) {
				t.Fatalf("body %d is in the cluster of %d, which is not its least", i, c.parent[i])
			}
		}
		for i := range boxes { // none is in a cluster without a reason
			if alone[c.parent[i]] > 1 && !slices.ContainsFunc(boxes, func(o span) bool { return o != boxes[i] && overlap(&c, boxes[i], o) }) {
				t.Fatalf("box %+v overlaps none and is in a cluster", boxes[i])
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d of 2000 lie once in their domains", found)
	}
}

func moved(c *clusters, s span, turns [3]int) span {
	for a := range c.dim {
		s.lo[a], s.hi[a] = s.lo[a]+turns[a]*c.size[a], s.hi[a]+turns[a]*c.size[a]
	}
	return s
}

// overlap asks every node.
func overlap(c *clusters, b, o span) bool {
	for a := range c.dim {
		common := false
		for x := b.lo[a]; x < b.hi[a]; x++ {
			for y := o.lo[a]; y < o.hi[a]; y++ {
				common = common || x == y || c.periodic[a] && (x-y)%c.size[a] == 0
			}
		}
		if !common {
			return false
		}
	}
	return true
}
