package joined_test

import (
	"math"
	"testing"

	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// grids makes a fluid of levels on the host.
func grids[T lbm.Float](t testing.TB, cfg lbm.Config, boxes ...joined.Box) *joined.Fluid[T] {
	t.Helper()
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	f, err := joined.New(cfg, boxes, func(c lbm.Config) (lbm.Fluid[T], error) { return lbm.New[T](c, pool) })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func collision(t testing.TB, name string, nu float64) lbm.Collision {
	t.Helper()
	c, err := lbm.NewCollision(name, nu, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func advance[T lbm.Float](f lbm.Fluid[T], steps int) {
	for range steps {
		f.Step()
	}
}

// velocities are those of all nodes of the finest grid.
func velocities[T lbm.Float](f lbm.Fluid[T]) (rho []T, u [][]T) {
	c := f.Config()
	rho = make([]T, c.Nodes())
	for range c.Lattice.Dim {
		u = append(u, make([]T, c.Nodes()))
	}
	f.Box([3]int{}, c.Size, rho, u)
	return rho, u
}

// worst is the largest difference between the velocity and that of a flow, at the centres of the cells that have it: f.Box repeats
// a coarse cell's in all its nodes.
func worst[T lbm.Float](f *joined.Fluid[T], flow func(p [3]float64) [3]float64) (most float64) {
	c := f.Config()
	f.EachCell(func(p [3]float64, rho float64, u [3]float64) {
		want := flow(p)
		for a := range c.Lattice.Dim {
			most = math.Max(most, math.Abs(u[a]-want[a]))
		}
	})
	return most
}
