package bench

import (
	"lbmib/lbm"
)

// view lets flows be looked at in double precision, row by row.
type view struct {
	eachRow func(do func(y, z int, rho []float64, u *[3][]float64)) // values are valid during the call
}

// slabNodes is about how many nodes are read at a time: the workers share the
// reading of a slab.
const slabNodes = 1 << 19

func viewOf[T lbm.Float](f lbm.Fluid[T]) view {
	c := f.Config()
	nx, ny := c.Size[0], c.Size[1]
	return view{func(do func(y, z int, rho []float64, u *[3][]float64)) {
		rows := min(max(1, slabNodes/nx), ny)
		r, u := newRows[T](nx*rows, c.Lattice.Dim)
		rho, speed := newRows[float64](nx, c.Lattice.Dim)
		values := [3][]float64{}
		copy(values[:], speed)
		for z := range c.Size[2] {
			for y := 0; y < ny; y += rows {
				n := min(rows, ny-y)
				f.Box([3]int{0, y, z}, [3]int{nx, y + n, z + 1}, r, u)
				for k := range n {
					widen(rho, r[k*nx:])
					for a := range u {
						widen(values[a], u[a][k*nx:])
					}
					do(y+k, z, rho, &values)
				}
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
