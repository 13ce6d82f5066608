package hybrid

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/rigid"
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
	s.coupling.window.KeepOneBox()
	if err := s.coupling.window.Place(s.coupling.direct.putInsides); err != nil {
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
func TestAPackingHasTheBitsOfOneWindow(t *testing.T) {
	for k, c := range scattered {
		if testing.Short() && k > 0 {
			break // no goroutines that others have not
		}
		strategies := []string{"sort-reduce", "serial", "columns", "columns-pruned", "cells", "blocks"}
		if testing.Short() {
			strategies = strategies[:1] // package ib has the goroutines of each
		}
		for _, strategy := range strategies {
			for _, schedule := range []string{"serial", "pipelined"} {
				if schedule == "pipelined" && strategy != "sort-reduce" {
					continue // the same layout, at some cost
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
				boxes, most := got.coupling.window.Boxes(), want.coupling.window.Grid.Nodes()
				if boxes < 2 || got.coupling.window.Grid.Nodes() >= most {
					t.Errorf("%s: %d boxes of %d nodes in all, one window has %d: the packing saves nothing", name, boxes, got.coupling.window.Grid.Nodes(), most)
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
		seen[whole.coupling.window.Boxes()] = true
		crossed = crossed || whole.coupling.window.Around().Periodic[0]
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
		t.Errorf("layouts of %v boxes: the discs do not meet and part", seen)
	}
}

func TestAStepWithAPackingAllocatesNothing(t *testing.T) {
	f, pool := tank(t, lbm.D2Q9, [3]int{200, 100, 1}, 0.05)
	s := put(t, f, pool, swings(disc(t, 30, 30, 10), 0, 6, 0.03), frees(disc(t, 150, 70, 12)), disc(t, 30, 80, 9))
	steps(t, s, 500) // two whole periods: boxes have been as large as they get
	if s.coupling.window.Boxes() != 3 {
		t.Fatalf("%d boxes around bodies far from each other", s.coupling.window.Boxes())
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
