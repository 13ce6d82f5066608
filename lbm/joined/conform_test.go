package joined_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/checking"
	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
	"lbmib/lbm/lbmtest"
	"lbmib/lbm/lbmtest/conformance"
)

// divided is a domain in parts: two along each axis that has nodes for them.
func divided(cfg *lbm.Config) (boxes []joined.Box) {
	cut := [3]bool{true, true, cfg.Lattice.Dim == 3}
	boxes = []joined.Box{{Hi: cfg.Size}}
	for a, is := range cut {
		at := cfg.Size[a] / 3
		if !is || at < 2 {
			continue
		}
		for _, b := range boxes {
			low, high := b, b
			low.Hi[a], high.Lo[a] = at, at
			boxes = append(boxes[1:], low, high)
		}
	}
	return boxes
}

// inParts makes fluids in parts on a number of workers; whole parts are no lbm.Keeper.
func inParts[T lbm.Float](workers int, part func(f lbm.Fluid[T]) lbm.Fluid[T]) lbmtest.Factory[T] {
	return func(t testing.TB, cfg lbm.Config) lbm.Fluid[T] {
		t.Helper()
		pool := parallel.NewPool(workers)
		t.Cleanup(pool.Close)
		f, err := joined.New(cfg, divided(&cfg), func(c lbm.Config) (lbm.Fluid[T], error) {
			f, err := lbm.New[T](c, pool)
			return part(f), err
		})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
}

// A flow in parts of one level is what a fluid is to be.
func TestPartsOfOneLevelConform(t *testing.T) {
	if testing.Short() {
		return // no goroutines that others have not
	}
	t.Run("f64", func(t *testing.T) {
		lbmtest.Conform(t, inParts(2, func(f lbm.Fluid[float64]) lbm.Fluid[float64] { return f }))
	})
	t.Run("by runs", func(t *testing.T) {
		make := inParts(2, func(f lbm.Fluid[float64]) lbm.Fluid[float64] { return f })
		lbmtest.Conform(t, func(t testing.TB, cfg lbm.Config) lbm.Fluid[float64] {
			cfg.Storage, cfg.Layout = "runs", "auto"
			return make(t, cfg)
		})
	})
	t.Run("f32, whole nodes", func(t *testing.T) {
		lbmtest.Conform(t, inParts(1, func(f lbm.Fluid[float32]) lbm.Fluid[float32] {
			return whole[float32]{f.(exchanger[float32]), f.(lbm.FaceExchanger)}
		}))
	})
}

// Parts of the coarsest level make the bits of one, with finer boxes in them.
func TestPartsHaveTheBitsOfOne(t *testing.T) {
	cfg := plane(t)
	boxes := []joined.Box{box(1, 32, 12, 56, 36), box(2, 40, 20, 48, 28)}
	one := grids[float64](t, cfg, boxes...)
	parts := grids[float64](t, cfg, append([]joined.Box{box(0, 0, 0, 24, 48), box(0, 24, 0, 64, 48)}, boxes...)...)
	for _, f := range []*joined.Fluid[float64]{one, parts} {
		f.Initialize(swirl)
		advance[float64](f, 90)
	}
	want, got := lbm.StateOf[float64](one), lbm.StateOf[float64](parts)
	for i, f := range want.Populations {
		if !slices.Equal(f, got.Populations[i]) {
			t.Fatalf("population %d is another one in parts", i)
		}
	}
	if _, u := velocities[float64](one); !slices.Equal(u[0], second(velocities[float64](parts))[0]) {
		t.Error("velocities are others in parts")
	}
	undivided, divided := grids[float64](t, cfg), grids[float64](t, cfg, box(0, 0, 0, 24, 48), box(0, 24, 0, 64, 48))
	for _, f := range []*joined.Fluid[float64]{undivided, divided} {
		f.Initialize(swirl)
		advance[float64](f, 20)
	}
	for _, b := range [][2][3]int{{{4, 4, 0}, {24, 40, 1}}, {{24, 4, 0}, {40, 40, 1}}, {{8, 4, 0}, {20, 40, 1}}, {{20, 4, 0}, {40, 40, 1}}} {
		want, got := undivided.Inflow(b[0], b[1]), divided.Inflow(b[0], b[1])
		for a := range 2 {
			if math.Abs(want[a]-got[a]) > 1e-13 {
				t.Errorf("into %v flows %v, in parts %v", b, want, got)
			}
		}
	}
	if n := testing.AllocsPerRun(20, parts.Step); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

func second[A, B any](_ A, b B) B { return b }

func TestPartsThatCannotBeAreRefused(t *testing.T) {
	for says, c := range map[string]struct {
		cfg   lbm.Config
		boxes []joined.Box
	}{
		"have 1536 nodes, the domain has 3072":                             {plane(t), []joined.Box{box(0, 0, 0, 32, 48)}},
		"overlap":                                                          {plane(t), []joined.Box{box(0, 0, 0, 36, 48), box(0, 32, 0, 64, 48)}},
		"has fewer than 2 nodes along x":                                   {plane(t), []joined.Box{box(0, 0, 0, 1, 48), box(0, 1, 0, 64, 48)}},
		"does not end between its nodes along x":                           {plane(t), []joined.Box{box(0, 0, 0, 31, 48), box(0, 31, 0, 64, 48), box(1, 8, 8, 24, 24)}},
		"begins in no box of that":                                         {plane(t), []joined.Box{box(1, 8, 8, 40, 24), part(1, 40, 8, 48, 24)}},
		"does not end between cells of the level above along x":            {plane(t), []joined.Box{box(1, 8, 8, 40, 24), part(1, 8, 8, 23, 24), part(1, 23, 8, 40, 24)}},
		"parts of level 1 have 256 nodes, box [8 8 0] … [40 24 1] has 512": {plane(t), []joined.Box{box(1, 8, 8, 40, 24), part(1, 8, 8, 24, 24)}},
		"or leaves box [8 8 0] … [40 24 1]":                                {plane(t), []joined.Box{box(1, 8, 8, 40, 24), part(1, 8, 8, 24, 24), part(1, 24, 8, 42, 24)}},
	} {
		if _, err := joined.Plan(c.cfg, c.boxes); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
}

// part is a part of a finer box in the plane.
func part(level, x0, y0, x1, y1 int) joined.Box {
	b := box(level, x0, y0, x1, y1)
	b.Part = true
	return b
}

// What of the suite a flow of two levels is not asked for, and why.
var notOnLevels = map[string]string{
	"noise in a stream in space dies at an outflow":    outlet,
	"collision conserves mass and momentum":            odd + "; TestMassIsConserved has even ones",
	"a uniform force adds F per step":                  odd + "; TestPoiseuille is driven by one",
	"a varying force adds the sum of F":                odd + ", and a coarse step takes the force at its ends alone",
	"correction equals forced collision":               odd + ", and forces act on the finest level alone: TestForcesActOnTheFinestLevel",
	"forces known before a step act in its collision":  odd + ", and forces act on the finest level alone: TestForcesActOnTheFinestLevel",
	"correction adds F to the momentum balance":        odd + "; TestForcesActOnTheFinestLevel has even ones",
	"state and set state give the same bits":           odd + "; TestStatesGoOnToTheSameBits has even ones",
	"axes are equivalent under all boundaries":         odd,
	"edges of open faces are stable":                   odd,
	"a symmetry plane is half of a mirrored flow":      odd,
	"solid nodes are halfway bounce-back walls":        "its domains of 6 nodes have no room for a box and the coarse cells around it; TestSolids has more",
	"health finds one bad node":                        odd + "; TestHealthIsThatOfAllLevels has even ones",
	"poiseuille, trt and mrt, magic 3/16: exact":       odd + "; across seams it is exact to 1e-3: TestPoiseuille",
	"couette, moving wall: exact":                      odd + "; TestCouette has even ones",
	"square duct: flow rate of the series":             one,
	"stokes' second problem":                           one,
	"velocity inlet, pressure outlet: channel flow":    repeated + "; run.TestLevelsHaveTheFlowOfOneGrid and validate levels have channels",
	"taylor–green: second order":                       repeated + "; TestTaylorGreen compares cells",
	"uniform shear: viscosity ν + C²|S|":               odd + ", and each level has the eddy viscosity of its own nodes: run.TestEddyViscosityIsThatOfEachLevel",
	"channel with eddy viscosity: closed form":         one,
	"uniform shear: viscosity of a law":                odd,
	"channel with a law of viscosity: its profile":     one,
	"a stream leaves through a velocity face":          odd,
	"poiseuille leaves through a velocity face: exact": odd,
	"noise leaves through a velocity face":             odd,
	"a stream turns in velocity faces":                 odd,
}

const (
	outlet   = "its domain ends 3 coarse nodes behind a box, with a grid Reynolds number of 25 there: waves grow, where lbmib check asks for 8"
	odd      = "its domains have odd numbers of nodes, which coarse cells do not fill"
	one      = "its domain is one node wide, which coarse cells do not fill"
	repeated = "it compares node by node, and Box repeats a coarse cell in its nodes"
)

// A flow of two levels, with a box in the middle of the domain, is what a fluid is to be, as far as that can be asked of it: every check of the
// suite is either made or among those that cannot be. Viscosity is twice the check's, so that the grid Reynolds number is the check's on the coarser
// level: with half of that the vortex is carried over at 20, where lbmib check says that trt lets waves grow, and they do beside the box.
func TestLevelsConform(t *testing.T) {
	if testing.Short() {
		return // flows alone
	}
	middle := func(cfg *lbm.Config) joined.Box {
		b := joined.Box{Level: 1, Hi: cfg.Size}
		for a := range cfg.Lattice.Dim {
			if n := cfg.Size[a]; n >= 16 {
				b.Lo[a], b.Hi[a] = n/4/2*2, 3*n/4/2*2
			}
		}
		return b
	}
	made := map[string]bool{}
	without := func(name string) bool {
		if _, is := notOnLevels[name]; is {
			return true
		}
		made[name] = true
		return false
	}
	conformance.Fluid(checkingtest.T{T: t, Without: without}, func(c checking.T, cfg lbm.Config) lbm.Fluid[float64] {
		t := c.(checkingtest.T).T
		var err error
		if cfg.Collision, err = cfg.Collision.WithViscosity(2 * cfg.Collision.Viscosity()); err != nil { // coarse nodes have what the check means
			t.Fatal(err)
		}
		return grids[float64](t, cfg, middle(&cfg))
	})
	if len(made) != 4 {
		t.Errorf("%d checks were made, want 4: a check has another name, or is new", len(made))
	}
}
