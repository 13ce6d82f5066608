package hybrid_test

import (
	"strings"
	"testing"

	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/hybridtest"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// refined is a scene whose flow, in a domain of so many nodes, is refined in boxes.
type refined struct {
	scene hybridtest.Scene
	size  [3]int
	boxes []joined.Box
	plain bool // parts take all populations of a node at once
}

// plainPart is a part that is no lbm.Keeper.
type plainPart struct {
	lbm.Fluid[float64]
	lbm.Exchanger[float64]
}

func (r *refined) planned(t testing.TB, schedule string, workers int) (*hybrid.Simulation[float64], error) {
	t.Helper()
	flow := r.scene.Flow
	flow.Size = r.size
	pool, host := parallel.NewPool(workers), parallel.NewPool(workers)
	t.Cleanup(pool.Close)
	t.Cleanup(host.Close)
	fluid, err := joined.New(flow, r.boxes, func(c lbm.Config) (lbm.Fluid[float64], error) {
		f, err := lbm.New[float64](c, pool)
		if r.plain {
			return plainPart{f, f.(lbm.Exchanger[float64])}, err
		}
		return f, err
	})
	if err != nil {
		t.Fatal(err)
	}
	fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.04, 0.01} })
	cfg := r.scene.Coupling
	if r.scene.Cells != nil {
		cfg.Cells = r.scene.Cells(t)
	}
	var bodies []*rigid.Body
	if r.scene.Bodies != nil {
		bodies = r.scene.Bodies(t)
	}
	s, err := hybrid.NewScheduled(fluid, cfg, bodies, host, hybrid.Plan[float64]{Schedule: schedule})
	if err == nil {
		t.Cleanup(s.Close)
	}
	return s, err
}

// level1 is a box of the first level in the plane, or in space.
func level1(lo, hi [3]int) joined.Box { return joined.Box{Level: 1, Lo: lo, Hi: hi} }

// Near bodies, in the finest of several grids, the host steps beside the fluid what one after the other is made, and forces that are known go into the collision:
// in one box, and in two of the finest level.
func TestSchedulesOnLevels(t *testing.T) {
	one := hybridtest.Find(t, "a cylinder, multidirect")
	two := one
	two.Bodies = func(t testing.TB) []*rigid.Body {
		return []*rigid.Body{hybridtest.Ball(t, 20.3, 17.6, 0, 10), hybridtest.Oscillating(hybridtest.Ball(t, 76.1, 19.2, 0, 9), 2, 0.05)}
	}
	cell := hybridtest.Find(t, "a cell beside a wall and a sphere that moves, in contact")
	cell.Bodies = nil
	pair := cell
	cell.Cells = func(t testing.TB) []*flexible.Cell {
		return []*flexible.Cell{hybridtest.Capsule(t, 16.1, 9.9, 11.6, 6, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1})}
	}
	pair.Cells = func(t testing.TB) []*flexible.Cell {
		return append(cell.Cells(t), hybridtest.Capsule(t, 46.1, 9.9, 12.1, 6, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1}))
	}
	for name, r := range map[string]refined{
		"a cylinder": {one, [3]int{80, 60, 1}, []joined.Box{level1([3]int{4, 4, 0}, [3]int{44, 40, 1})}, false},
		"two that move, between walls": {hybridtest.Find(t, "two that move, across seams"), [3]int{96, 72, 1},
			[]joined.Box{level1([3]int{0, 0, 0}, [3]int{60, 40, 1})}, false},
		"two in two boxes":              {two, [3]int{120, 60, 1}, []joined.Box{level1([3]int{4, 4, 0}, [3]int{40, 36, 1}), level1([3]int{60, 4, 0}, [3]int{94, 36, 1})}, false},
		"a cell":                        {cell, [3]int{48, 32, 32}, []joined.Box{level1([3]int{4, 0, 0}, [3]int{32, 24, 26})}, false},
		"two cells in boxes, apart":     {pair, [3]int{64, 32, 32}, []joined.Box{level1([3]int{6, 0, 2}, [3]int{28, 22, 24}), level1([3]int{34, 0, 2}, [3]int{58, 22, 24})}, false},
		"two in two boxes, whole nodes": {two, [3]int{120, 60, 1}, []joined.Box{level1([3]int{4, 4, 0}, [3]int{40, 36, 1}), level1([3]int{60, 4, 0}, [3]int{94, 36, 1})}, true},
	} {
		if testing.Short() && name != "two in two boxes" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			serial, err := r.planned(t, "serial", 1)
			if err != nil {
				t.Fatal(err)
			}
			other, err := r.planned(t, "pipelined", 2)
			if err != nil {
				t.Fatal(err)
			}
			hybridtest.Follow(t, name, serial, other, 60, hybridtest.Rounding[float64](&r.scene))
			if other.Step(); !hybrid.Overlapped(other) { // the first goes on from where nothing is outstanding
				t.Error("a step is made in one place")
			}
			if n := testing.AllocsPerRun(5, serial.Step); n > 0 && r.scene.Cells == nil && !r.plain && !testing.Short() {
				t.Errorf("a step allocates %g times", n)
			}
		})
	}
}

// The host needs the nodes beside those that it steps, in the finest level.
func TestHostStepsNeedRoomOnLevels(t *testing.T) {
	r := refined{hybridtest.Find(t, "a cylinder, multidirect"), [3]int{80, 60, 1}, []joined.Box{level1([3]int{14, 10, 0}, [3]int{44, 40, 1})}, false}
	if _, err := r.planned(t, "serial", 1); err != nil {
		t.Fatal(err)
	}
	if _, err := r.planned(t, "pipelined", 1); err == nil || !strings.Contains(err.Error(), "beside the fluid") {
		t.Errorf("supports reach the end of the box: %v", err)
	}
}
