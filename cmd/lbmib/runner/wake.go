package runner

import (
	"math"

	"lbmib/io/statistics"
)

// wakeReach is how far behind a body, in its lengths, the end of the
// recirculation is looked for.
const wakeReach = 20

// recirculation is the length of the reversed flow behind a body at this
// instant, in L, along x through its centre; NaN where the stream is not along +x,
// and behind bodies that move.
func (r *run[T]) recirculation(i int) float64 {
	b := r.bodies[i]
	if b.Moving() || !headingOf(r.cas, &r.cas.Bodies[i]).plain() {
		return math.NaN()
	}
	center := b.Shape.Center()
	_, rear := b.Shape.Bounds()
	first := int(math.Floor(rear[0]))
	last := min(r.flow.Size[0], first+int(wakeReach*b.Shape.Length()))
	if first < 0 || last-first < 2 {
		return math.NaN()
	}
	x, u := make([]float64, last-first), make([]float64, last-first)
	row := [][]T{make([]T, last-first)}
	for a := 1; a < r.flow.Lattice.Dim; a++ {
		row = append(row, make([]T, last-first))
	}
	for corner := range 1 << (r.flow.Lattice.Dim - 1) { // rows around the centre line
		lo, w := [3]int{first}, 1.
		for a := 1; a < r.flow.Lattice.Dim; a++ {
			below := math.Floor(center[a])
			frac := center[a] - below
			if corner>>(a-1)&1 == 1 {
				below, frac = below+1, 1-frac
			}
			lo[a] = (int(below) + r.flow.Size[a]) % r.flow.Size[a] // periodic; others cannot leave
			w *= 1 - frac
		}
		r.sim.Box(lo, [3]int{last, lo[1] + 1, lo[2] + 1}, nil, row)
		for i, v := range row[0] {
			u[i] += w * float64(v)
		}
	}
	for i := range x {
		x[i] = float64(first + i)
	}
	return r.units.FromLatticeLength(statistics.RecirculationLength(x, u, rear[0]))
}
