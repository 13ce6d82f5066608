package lbm

import (
	"math"

	"lbmib/internal/parallel"
)

// rowMoments are ρ − 1 and momentum of the nodes of a row.
type rowMoments[T Float] struct {
	r    []T
	j    [3][]T
	dim  int
	from []T // one population of the row
}

func newRowMoments[T Float](n, dim int) *rowMoments[T] {
	m := &rowMoments[T]{r: make([]T, n), from: make([]T, n), dim: dim}
	for a := range dim {
		m.j[a] = make([]T, n)
	}
	return m
}

// readRow sums the populations of the nodes from padded node n, of one run, one direction
// after the other, so that each is read along the row. raw is room for them.
func (s *storage[T, S]) readRow(m *rowMoments[T], raw []S, at *[MaxQ]place, n int) {
	clear(m.r)
	for a := range m.dim {
		clear(m.j[a])
	}
	for i := range s.layout.Q {
		gatherRow(&s.layout, raw, s.now, at[i].slot, n+s.shift(&at[i], n))
		for x, v := range raw {
			m.from[x] = decode[T](v)
		}
		for x, v := range m.from {
			m.r[x] += v
		}
		for a := range m.dim {
			addTimes(m.j[a], m.from, s.cfg.Lattice.C[i][a])
		}
	}
}

// addTimes adds c·from to sum; c is −1, 0 or 1.
func addTimes[T Float](sum, from []T, c int) {
	sum = sum[:len(from)]
	switch c {
	case 1:
		for x, v := range from {
			sum[x] += v
		}
	case -1:
		for x, v := range from {
			sum[x] -= v
		}
	}
}

// velocity turns the momentum into the velocity under a body force.
func (m *rowMoments[T]) velocity(accel *[3]T) {
	for a := range m.dim {
		for x, j := range m.j[a] {
			m.j[a][x] = j/(1+m.r[x]) - accel[a]/2
		}
	}
}

// eachMoments calls do with density less one and velocity of every row of the
// nodes lo ≤ p < hi, under a body force: the row's number in the box, its first node, and its values.
func (s *storage[T, S]) eachMoments(lo, hi [3]int, accel *[3]T, do func(worker, row int, p [3]int, m *rowMoments[T])) {
	rowsY, rowsZ, n := hi[1]-lo[1], hi[2]-lo[2], hi[0]-lo[0]
	if n <= 0 {
		return
	}
	share := func(worker, workers int) {
		m, raw := newRowMoments[T](n, s.cfg.Lattice.Dim), make([]S, n)
		first, last := parallel.Share(rowsY*rowsZ, worker, workers)
		for row := first; row < last; row++ {
			p := [3]int{lo[0], lo[1] + row%rowsY, lo[2] + row/rowsY}
			s.readNodes(m, raw, p)
			m.velocity(accel)
			do(worker, row, p, m)
		}
	}
	if n*rowsY*rowsZ < serialBelow {
		share(0, 1)
		return
	}
	s.pool.Run(func(worker int) { share(worker, s.pool.Workers()) })
}

// eachOfRuns is eachMoments of what runs have in the box, run by run: the number of the first node, and where it is.
func (s *storage[T, S]) eachOfRuns(lo, hi [3]int, accel *[3]T, do func(worker, number int, p [3]int, m *rowMoments[T])) {
	s.pool.Run(func(worker int) {
		all, raw := newRowMoments[T](s.cfg.Size[0], s.cfg.Lattice.Dim), make([]S, s.cfg.Size[0])
		first, last := s.share(worker)
		for k := first; k < last; k++ {
			r := &s.runs[k]
			p := [3]int{max(int(r.x), lo[0]), int(r.row) % s.cfg.Size[1], int(r.row) / s.cfg.Size[1]}
			end := min(int(r.x+r.n), hi[0])
			if p[0] >= end || p[1] < lo[1] || p[1] >= hi[1] || p[2] < lo[2] || p[2] >= hi[2] {
				continue
			}
			m := all.part(0, end-p[0])
			s.readRow(&m, raw[:end-p[0]], s.stored(), r.start+p[0]-int(r.x))
			m.velocity(accel)
			do(worker, int(r.first)+p[0]-int(r.x), p, &m)
		}
	})
}

// part are those of the nodes from ≤ x < to of the row.
func (m *rowMoments[T]) part(from, to int) rowMoments[T] {
	part := rowMoments[T]{r: m.r[from:to], from: m.from[:to-from], dim: m.dim}
	for a := range m.dim {
		part.j[a] = m.j[a][from:to]
	}
	return part
}

// Fields reads density and velocity of all nodes of Config.Inside, in the order of their numbers. Either destination may be nil.
func (f *CPU[T, S]) Fields(rho []T, u [][]T) {
	f.complete()
	f.eachOfRuns([3]int{}, f.cfg.Size, &f.rates.accel, func(_, number int, _ [3]int, m *rowMoments[T]) {
		if rho != nil {
			for x, r := range m.r {
				rho[number+x] = 1 + r
			}
		}
		for a := range u {
			copy(u[a][number:], m.j[a])
		}
	})
}

// readNodes sums those of the nodes of a row from p on; of nodes that lie nowhere they are 0.
func (s *storage[T, S]) readNodes(m *rowMoments[T], raw []S, p [3]int) {
	if s.sparse == nil {
		s.readRow(m, raw, s.stored(), s.index(p))
		return
	}
	all := *m
	clear(all.r)
	for a := range all.dim {
		clear(all.j[a])
	}
	first, last := s.runsOf(p[1] + s.cfg.Size[1]*p[2])
	for k := first; k < last; k++ {
		r := &s.runs[k]
		lo, hi := max(int(r.x), p[0]), min(int(r.x+r.n), p[0]+len(all.r))
		if lo >= hi {
			continue
		}
		part := all.part(lo-p[0], hi-p[0])
		s.readRow(&part, raw[:hi-lo], s.stored(), r.start+lo-int(r.x))
	}
}

// Box reads density and velocity of the nodes lo ≤ p < hi, x fastest. Either
// destination may be nil.
func (f *CPU[T, S]) Box(lo, hi [3]int, rho []T, u [][]T) {
	f.complete()
	f.eachMoments(lo, hi, &f.rates.accel, func(_, row int, _ [3]int, m *rowMoments[T]) {
		k := row * len(m.r)
		if rho != nil {
			for x, r := range m.r {
				rho[k+x] = 1 + r
			}
		}
		for a := range u {
			copy(u[a][k:], m.j[a])
		}
	})
}

// Health looks at every node that is not a wall.
func (f *CPU[T, S]) Health() Health { return f.HealthIn([3]int{}, f.cfg.Size) }

// HealthIn is Health of the nodes lo ≤ p < hi.
func (f *CPU[T, S]) HealthIn(lo, hi [3]int) Health {
	each := make([]Health, f.pool.Workers())
	for w := range each {
		each[w] = NoHealth
	}
	f.complete()
	see := func(worker, _ int, p [3]int, m *rowMoments[T]) {
		h, first := &each[worker], p[0]
		for x := range m.r {
			if p[0] = first + x; f.sparse == nil && f.cfg.solid(p) {
				continue
			}
			rho, u2 := 1+float64(m.r[x]), 0.
			for a := range m.dim {
				u2 += float64(m.j[a][x]) * float64(m.j[a][x])
			}
			h.See(p, rho, u2)
		}
	}
	if f.sparse == nil {
		f.eachMoments(lo, hi, &f.rates.accel, see)
	} else {
		f.eachOfRuns(lo, hi, &f.rates.accel, see)
	}
	h := each[0]
	for _, e := range each[1:] {
		h.Merge(e)
	}
	return h
}

// PortFlow is the mass that enters through a port in the step that comes next, driven as in the last one: density·nodes³; negative: it leaves.
func (f *CPU[T, S]) PortFlow(port int) float64 {
	sum := f.PortFlowSum(port)
	return sum.Value()
}

// PortDensity is the mean density of the nodes next to a port.
func (f *CPU[T, S]) PortDensity(port int) float64 { return MeanDensity(f.PortDensitySum(port)) }

// MeanDensity is that of so many nodes whose densities less one have a sum.
func MeanDensity(sum Sum, nodes int64) float64 { return 1 + sum.Value()/float64(max(nodes, 1)) }

// WallFlow is the mass that the interpolation at walls adds in the step that comes next, as it does not conserve mass, and patches of
// the wall take back in the one after: it tells how well walls are resolved.
func (f *CPU[T, S]) WallFlow() float64 {
	sum := f.WallFlowSum()
	return sum.Value()
}

// PortFlowSum, PortDensitySum and WallFlowSum are the sums that these are of, see PortSumming.
func (f *CPU[T, S]) PortFlowSum(port int) (mass Sum) {
	if f.cuts == nil {
		return mass
	}
	f.cuts.keepMoved(&f.rates)
	return f.cuts.flow(port)
}

// PortDensitySum tells of how many nodes it is, too.
func (f *CPU[T, S]) PortDensitySum(port int) (sum Sum, nodes int64) {
	if f.cuts == nil {
		return sum, 0
	}
	return f.cuts.density(&f.rates, port)
}

// WallFlowSum has ghosts be what the step that comes will find.
func (f *CPU[T, S]) WallFlowSum() (mass Sum) {
	if f.cuts == nil {
		return mass
	}
	f.cuts.keepMoved(&f.rates)
	l := &f.links[f.phase].copies
	for run, r := range l.rows { // what arrives through periodic faces, as the step will have it
		copyAll(&f.now[f.base(run)], l.to[r.lo:r.hi], l.from[r.lo:r.hi])
	}
	return f.cuts.wallFlow()
}

// SetPortFlows tells what enters through each port in the step that comes, in all parts.
func (f *CPU[T, S]) SetPortFlows(flows []float64) {
	if f.cuts != nil {
		f.cuts.flows = flows
	}
}

// See takes in one node of density rho and speed² u2.
func (h *Health) See(p [3]int, rho, u2 float64) {
	speed := math.Sqrt(u2)
	if h.OK && healthy(rho, speed) && speed <= h.Speed && rho >= h.MinRho && rho <= h.MaxRho && h.Worst[0] >= 0 {
		return // nothing new, as most nodes are
	}
	h.Merge(Health{OK: healthy(rho, speed), Worst: p, Rho: rho, Speed: speed, MaxSpeed: speed, MinRho: rho, MaxRho: rho, MinAt: p, MaxAt: p})
}
