package lbm

// Momentum is Σ f and Σ c f over the nodes lo ≤ p < hi, in double precision.
func (f *CPU[T, S]) Momentum(lo, hi [3]int) (mass float64, j [3]float64) {
	m, k := f.MomentumSums(lo, hi)
	return float64((hi[0]-lo[0])*(hi[1]-lo[1])*(hi[2]-lo[2])) + m.Value(), k.Value()
}

// MomentumSums are those of Momentum, the mass that of f − w; see Summing.
func (f *CPU[T, S]) MomentumSums(lo, hi [3]int) (mass Sum, j Sums3) {
	f.complete()
	l, at := f.cfg.Lattice, f.stored()
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			for x := lo[0]; x < hi[0]; x++ {
				var rho float64
				var k [3]float64
				for i := range l.Q {
					v, c := f.population(&at[i], [3]int{x, y, z}), &l.C[i]
					rho += v
					k[0], k[1], k[2] = k[0]+float64(c[0])*v, k[1]+float64(c[1])*v, k[2]+float64(c[2])*v
				}
				mass.Add(rho)
				for a := range l.Dim {
					j[a].Add(k[a])
				}
			}
		}
	}
	return mass, j
}

// Inflow is the momentum that the next step streams into the box lo ≤ p < hi
// less what it streams out. With Momentum before and after a step it gives the
// force that acted in the box exactly: F = ΔMomentum − Inflow. The rest parts
// w_i cancel over a closed surface.
func (f *CPU[T, S]) Inflow(lo, hi [3]int) [3]float64 {
	j := f.InflowSums(lo, hi)
	return j.Value()
}

// InflowSums are those of Inflow; see Summing.
func (f *CPU[T, S]) InflowSums(lo, hi [3]int) (j Sums3) {
	f.complete()
	l, at := f.cfg.Lattice, f.stored()
	inBox := func(p [3]int) bool {
		for a := range l.Dim {
			if p[a] < lo[a] || p[a] >= hi[a] {
				return false
			}
		}
		return true
	}
	cross := func(p [3]int) { // links between node p of the box's skin and outside
		for i := 1; i < l.Q; i++ {
			q, c := p, l.C[i]
			for a := range q {
				q[a] -= c[a]
			}
			if inBox(q) {
				continue
			}
			enters := f.population(&at[i], q)
			leaves := f.population(&at[Opposite(i)], p)
			for a := range l.Dim { // leaving carries −c out: both add along c
				j[a].Add(float64(c[a]) * (enters + leaves))
			}
		}
	}
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			step := 1
			edge := y == lo[1] || y == hi[1]-1 || l.Dim == 3 && (z == lo[2] || z == hi[2]-1)
			if !edge {
				step = max(1, hi[0]-lo[0]-1)
			}
			for x := lo[0]; x < hi[0]; x += step {
				cross([3]int{x, y, z})
			}
		}
	}
	return j
}

// population is f − w of node p that lies at a place; 0 where there is no fluid, in a storage by runs.
func (s *storage[T, S]) population(at *place, p [3]int) float64 {
	n := s.index(p)
	if s.sparse != nil {
		if n, _ = s.sparse.within(n, s.runs); n < 0 {
			return 0
		}
	}
	return float64(decode[T](s.now[s.at(at, n)]))
}
