package bench

import (
	"runtime"
	"sync"

	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// view lets flows be looked at in double precision, row by row.
type view struct {
	// rows calls do for every row, on so many workers at the same time; values are valid
	// during the call.
	rows func(workers int, do func(worker, y, z int, rho []float64, u *[3][]float64))
}

// eachRow is rows on the caller alone.
func (v view) eachRow(do func(y, z int, rho []float64, u *[3][]float64)) {
	v.rows(1, func(_, y, z int, rho []float64, u *[3][]float64) { do(y, z, rho, u) })
}

// tally is what a worker has found, on cache lines of its own.
type tally struct {
	wave  complex128
	mass  float64
	worst float64
	_     [96]byte
}

// newTallies are those of as many workers as there are processors.
func newTallies() []tally { return make([]tally, runtime.GOMAXPROCS(0)) }

// slabNodes is about how many nodes are read at a time: the workers share the
// reading of a slab.
const slabNodes = 1 << 19

func viewOf[T lbm.Float](f stepped[T]) view {
	c := f.Config()
	nx, ny := c.Size[0], c.Size[1]
	return view{func(workers int, do func(worker, y, z int, rho []float64, u *[3][]float64)) {
		rows := min(max(1, slabNodes/nx), ny)
		r, u := newRows[T](nx*rows, c.Lattice.Dim)
		for z := range c.Size[2] {
			for y := 0; y < ny; y += rows {
				n := min(rows, ny-y)
				f.Box([3]int{0, y, z}, [3]int{nx, y + n, z + 1}, r, u)
				var wait sync.WaitGroup
				for w := range workers {
					wait.Go(func() {
						rho, speed := newRows[float64](nx, c.Lattice.Dim)
						values := [3][]float64{}
						copy(values[:], speed)
						lo, hi := parallel.Share(n, w, workers)
						for k := lo; k < hi; k++ {
							widen(rho, r[k*nx:])
							for a := range u {
								widen(values[a], u[a][k*nx:])
							}
							do(w, y+k, z, rho, &values)
						}
					})
				}
				wait.Wait()
			}
		}
	}}
}

func newRows[T lbm.Float](n, dim int) (rho []T, u [][]T) {
	u = make([][]T, dim)
	for a := range u {
		u[a] = make([]T, n)
	}
	return make([]T, n), u
}

func widen[T lbm.Float](to []float64, from []T) {
	for i := range to {
		to[i] = float64(from[i])
	}
}
