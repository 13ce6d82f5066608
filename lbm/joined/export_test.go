package joined

import "lbmib/lbm"

// EachCell calls do for every node that no finer part covers: its centre on the finest grid, density and velocity.
func (f *Fluid[T]) EachCell(do func(p [3]float64, rho float64, u [3]float64)) {
	dim := f.cfg.Lattice.Dim
	f.eachPiece([3]int{}, f.cfg.Size, func(g *grid, b lbm.Box) {
		p := f.partAt(g)
		rho, u := make([]T, b.Nodes()), make([][]T, dim)
		for a := range u {
			u[a] = make([]T, b.Nodes())
		}
		own := p.local(b)
		p.fluid.Box(own.Lo, own.Hi, rho, u)
		k := 0
		each(own.Lo, own.Hi, func(q [3]int) {
			var v [3]float64
			for a := range u {
				v[a] = float64(u[a][k])
			}
			do(f.place(p.grid, p.level, [3]float64{float64(q[0]), float64(q[1]), float64(q[2])}), float64(rho[k]), v)
			k++
		})
	})
}

// JoinUniformly has explosions know no slopes.
func (f *Fluid[T]) JoinUniformly() error { return f.join(true) }
