package joined

import (
	"fmt"

	"lbmib/lbm"
)

// Momentum is Σ f and Σ c f over nodes of the finest grid; see lbm.Fluid. A cell of a coarser level counts as many times as it has nodes
// of the finest, all of them where the box cuts it.
func (f *Fluid[T]) Momentum(lo, hi [3]int) (mass float64, j [3]float64) {
	f.eachPieceIn(f.whole, lo, hi, func(w *grid, b lbm.Box) { // however boxes are divided, so that sums have the same order
		m, k := f.momentumIn(w, b)
		volume := 1.
		for range f.cfg.Lattice.Dim {
			volume *= float64(f.width(w.level))
		}
		mass += volume * m
		for a := range j {
			j[a] += volume * k[a]
		}
	})
	return mass, j
}

// momentumIn is that of a piece of an undivided box, in its own nodes.
func (f *Fluid[T]) momentumIn(w *grid, piece lbm.Box) (mass float64, j [3]float64) {
	var m lbm.Sum
	var k lbm.Sums3
	for _, p := range f.partsIn(w) {
		b := meet(piece, lbm.Box{Lo: p.lo, Hi: p.hi})
		n := b.Nodes()
		b = p.local(b)
		switch {
		case n == 0:
		case f.sums:
			some, of := p.fluid.(lbm.Summing).MomentumSums(b.Lo, b.Hi)
			m.Join(some)
			k.Join(of)
		default:
			some, of := p.fluid.Momentum(b.Lo, b.Hi)
			mass += some
			for a := range j {
				j[a] += of[a]
			}
		}
	}
	if f.sums {
		return float64(piece.Nodes()) + m.Value(), k.Value()
	}
	return mass, j
}

// Inflow is what the next step streams into nodes of the finest grid less what it streams out; see lbm.Fluid. Where there are several levels the
// box must lie in one of the finest: it panics otherwise. See Balances.
func (f *Fluid[T]) Inflow(lo, hi [3]int) (sum [3]float64) {
	w := f.onlyBox(lo, hi)
	if w == nil {
		panic(fmt.Sprintf("joined: the box %v … %v does not lie in one of the finest level", lo, hi))
	}
	parts := f.partsIn(w)
	if len(parts) > 1 { // what flies between parts is lost to one and won by the other
		f.copyAll()
	}
	var sums lbm.Sums3
	for _, p := range parts {
		b := meet(lbm.Box{Lo: lo, Hi: hi}, lbm.Box{Lo: p.lo, Hi: p.hi})
		n := b.Nodes()
		b = p.local(b)
		switch {
		case n == 0:
		case f.sums:
			sums.Join(p.fluid.(lbm.Summing).InflowSums(b.Lo, b.Hi))
		default:
			in := p.fluid.Inflow(b.Lo, b.Hi)
			for a := range sum {
				sum[a] += in[a]
			}
		}
	}
	if f.sums {
		return sums.Value()
	}
	return sum
}
