package joined

import (
	"fmt"

	"lbmib/lbm"
)

// Momentum is Σ f and Σ c f over nodes of the finest grid; see lbm.Fluid. A cell of a coarser level counts as many times as it has nodes
// of the finest, all of them where the box cuts it.
func (f *Fluid[T]) Momentum(lo, hi [3]int) (mass float64, j [3]float64) {
	if f.sums && len(f.levels) == 1 {
		var m lbm.Sum
		var k lbm.Sums3
		nodes := 0
		f.eachPiece(lo, hi, func(g *grid, b lbm.Box) {
			nodes += b.Nodes()
			b = g.local(b)
			some, of := f.partAt(g).fluid.(lbm.Summing).MomentumSums(b.Lo, b.Hi)
			m.Join(some)
			k.Join(of)
		})
		return float64(nodes) + m.Value(), k.Value()
	}
	f.eachPiece(lo, hi, func(g *grid, b lbm.Box) {
		p := f.partAt(g)
		b = p.local(b)
		m, k := p.fluid.Momentum(b.Lo, b.Hi)
		volume := 1.
		for range f.cfg.Lattice.Dim {
			volume *= float64(f.width(p.level))
		}
		mass += volume * m
		for a := range j {
			j[a] += volume * k[a]
		}
	})
	return mass, j
}

// Inflow is what the next step streams into nodes of the finest grid less what it streams out; see lbm.Fluid. Where there are several levels the
// box must lie in a part of the finest: it panics otherwise. See Balances.
func (f *Fluid[T]) Inflow(lo, hi [3]int) [3]float64 {
	if len(f.levels[0]) > 1 && len(f.levels) == 1 {
		return f.inflows(lo, hi)
	}
	g, b := f.onlyPart(lo, hi)
	if g == nil {
		panic(fmt.Sprintf("joined: the box %v … %v does not lie in one part of the finest level", lo, hi))
	}
	return f.partAt(g).fluid.Inflow(b.Lo, b.Hi)
}

// inflows is Inflow of a box on several parts of one level: what flies between them is lost to one and won by the other.
func (f *Fluid[T]) inflows(lo, hi [3]int) (sum [3]float64) {
	f.copyAll()
	if f.sums {
		var sums lbm.Sums3
		f.eachPiece(lo, hi, func(g *grid, b lbm.Box) {
			b = g.local(b)
			sums.Join(f.partAt(g).fluid.(lbm.Summing).InflowSums(b.Lo, b.Hi))
		})
		return sums.Value()
	}
	f.eachPiece(lo, hi, func(g *grid, b lbm.Box) {
		b = g.local(b)
		in := f.partAt(g).fluid.Inflow(b.Lo, b.Hi)
		for a := range sum {
			sum[a] += in[a]
		}
	})
	return sum
}
