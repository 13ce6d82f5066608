package joined_test

import (
	"fmt"
	"slices"
	"testing"

	"lbmib/internal/mpi"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
	"lbmib/lbm/lbmtest"
)

// overRanks makes a fluid whose parts so many goroutines share, each as if it were a process; workers of each.
func overRanks[T lbm.Float](t testing.TB, cfg lbm.Config, boxes []joined.Box, size, workers int) *joined.Fluid[T] {
	t.Helper()
	return overRanksWith[T](t, cfg, cfg, boxes, size, workers)
}

// overRanksWith does so where ranks other than 0 have another flow in mind.
func overRanksWith[T lbm.Float](t testing.TB, cfg, others lbm.Config, boxes []joined.Box, size, workers int) *joined.Fluid[T] {
	t.Helper()
	parts := 0
	for _, b := range boxes {
		if b.Level == 0 {
			parts++
		}
	}
	size = min(size, max(parts, 1))
	of := make([]int, max(parts, 1))
	for k := range of {
		of[k] = k * size / len(of)
	}
	return sharedOutWith[T](t, cfg, others, boxes, of, workers)
}

// sharedOut is overRanks with parts of given ranks.
func sharedOut[T lbm.Float](t testing.TB, cfg lbm.Config, boxes []joined.Box, of []int, workers int) *joined.Fluid[T] {
	t.Helper()
	return sharedOutWith[T](t, cfg, cfg, boxes, of, workers)
}

// sharedOutWith is overRanksWith likewise.
func sharedOutWith[T lbm.Float](t testing.TB, cfg, others lbm.Config, boxes []joined.Box, of []int, workers int) *joined.Fluid[T] {
	t.Helper()
	size := slices.Max(of) + 1
	made, done, ended := make(chan *joined.Fluid[T], 1), make(chan bool), make(chan error, 1)
	go func() {
		ended <- mpi.Together(size, func(c mpi.Comm) error {
			pool := parallel.NewPool(workers)
			defer pool.Close()
			part := func(c lbm.Config) (lbm.Fluid[T], error) { return lbm.New[T](c, pool) }
			ranks := joined.Ranks{Comm: c, Of: of}
			if c.Rank() > 0 {
				return joined.Serve(others, boxes, ranks, part, nil)
			}
			f, err := joined.NewShared(cfg, boxes, ranks, part)
			made <- f
			if err != nil {
				return err
			}
			<-done
			f.Close()
			return nil
		})
	}()
	f := <-made
	if f == nil {
		t.Fatal(<-ended)
	}
	t.Cleanup(func() {
		close(done)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return f
}

// A flow whose parts several ranks have is what a fluid is to be.
func TestPartsOfSeveralRanksConform(t *testing.T) {
	if testing.Short() {
		t.Skip("TestRanksHaveTheBitsOfOne has the same goroutines")
	}
	for _, size := range []int{2, 4} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			lbmtest.Conform(t, func(t testing.TB, cfg lbm.Config) lbm.Fluid[float64] {
				return overRanks[float64](t, cfg, divided(&cfg), size, 1)
			})
		})
	}
}

// Ranks have the bits of one process, with finer boxes and without, and sums do.
func TestRanksHaveTheBitsOfOne(t *testing.T) {
	cfg := plane(t)
	fine := []joined.Box{box(1, 32, 12, 56, 36), box(2, 40, 20, 48, 28)}
	level := []joined.Box{box(0, 0, 0, 24, 48), box(0, 24, 0, 64, 48)}
	for name, boxes := range map[string][2][]joined.Box{
		"one level": {nil, {box(0, 0, 0, 24, 20), box(0, 24, 0, 64, 20), box(0, 0, 20, 64, 48)}},
		"levels":    {fine, slices.Concat(level, fine)},
	} {
		t.Run(name, func(t *testing.T) {
			one, ranks := grids[float64](t, cfg, boxes[0]...), overRanks[float64](t, cfg, boxes[1], 3, 1)
			for _, f := range []*joined.Fluid[float64]{one, ranks} {
				f.Initialize(swirl)
				advance[float64](f, 31)
			}
			equalStates(t, one, ranks)
			if name == "levels" {
				return
			}
			lo, hi := [3]int{4, 4, 0}, [3]int{40, 40, 1}
			m, j := one.Momentum(lo, hi)
			n, k := ranks.Momentum(lo, hi)
			if m != n || j != k {
				t.Errorf("momentum is %v %v, over ranks %v %v", m, j, n, k)
			}
			if a, b := one.Inflow(lo, hi), ranks.Inflow(lo, hi); a != b {
				t.Errorf("inflow is %v, over ranks %v", a, b)
			}
			if a, b := one.Health(), ranks.Health(); a != b {
				t.Errorf("health is %v, over ranks %v", a, b)
			}
		})
	}
}

func equalStates(t *testing.T, one, other lbm.Fluid[float64]) {
	t.Helper()
	want, got := lbm.StateOf(one), lbm.StateOf(other)
	cfg := one.Config()
	for i, f := range want.Populations {
		for n, v := range f {
			if v != got.Populations[i][n] && (cfg.Solid == nil || !cfg.Solid[n]) {
				t.Fatalf("population %d of node %v is %v, %v before", i, cfg.Position(n), got.Populations[i][n], v)
			}
		}
	}
}

// Parts of levels that take all populations of a node at once have the bits of undivided ones of the kind, to rounding of those that take single ones.
func TestPartsOfLevelsThatTakeWholeNodes(t *testing.T) {
	pool := parallel.NewPool(1)
	defer pool.Close()
	make := func(boxes ...joined.Box) *joined.Fluid[float64] {
		f, err := joined.New(plane(t), boxes, func(c lbm.Config) (lbm.Fluid[float64], error) {
			part, err := lbm.New[float64](c, pool)
			return whole[float64]{part.(exchanger[float64]), part.(lbm.FaceExchanger)}, err
		})
		if err != nil {
			t.Fatal(err)
		}
		f.Initialize(swirl)
		advance[float64](f, 61)
		return f
	}
	equalStates(t, make(nested...), make(slices.Concat(nested, []joined.Box{
		box(0, 0, 0, 24, 48), box(0, 24, 0, 64, 48), part(1, 8, 0, 28, 20), part(1, 28, 0, 56, 20), part(1, 8, 20, 56, 40), part(2, 16, 0, 30, 32), part(2, 30, 0, 44, 32),
	})...))
}

// TestServingAllocatesNothing: what bodies ask of another rank in every step, of nodes that change from step to step, costs neither side memory once there has been as much.
func TestServingAllocatesNothing(t *testing.T) {
	collision, err := lbm.NewCollision("trt", 0.1, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{32, 32, 1}, Collision: collision}
	boxes := []joined.Box{{Hi: [3]int{32, 16, 1}}, {Lo: [3]int{0, 16, 0}, Hi: [3]int{32, 32, 1}}}
	f := overRanks[float64](t, cfg, boxes, 2, 1)
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	const n = 100
	nodes, at := make([]int32, n), make([]int32, n)
	rho, u := make([]float64, n), [][]float64{make([]float64, n), make([]float64, n)}
	first := int32(0)
	step := func() {
		first = (first + 7) % 300
		for k := range nodes {
			nodes[k], at[k] = 32*20+first+int32(k), int32(k) // of rank 1
		}
		f.Step()
		f.Moments(nodes, at, rho, u)
		f.Correct(nodes, at, u)
	}
	for range 50 {
		step()
	}
	const most = 2. // the goroutines that stand for ranks wait for each other; lists made anew were 14
	if got := testing.AllocsPerRun(200, step); got > most {
		t.Errorf("%g allocations a step, at most %g", got, most)
	}
}
