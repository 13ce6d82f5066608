package observe

import (
	"math"

	"lbmib/hybrid"
	"lbmib/io/statistics"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// wakeReach is how far behind a body, in its lengths, the end of the
// recirculation is looked for.
const wakeReach = 20

// wake is where the flow behind a body is looked at: nodes along x from its rear, on the
// rows around the centre line.
type wake struct {
	first, last int       // nodes first ≤ x < last
	weights     []float64 // of each row; none: the recirculation behind the body is not known
	boxes       int       // the number of the first row among what is watched
}

// watchWakes has the flow behind the bodies told with their loads.
func (r *Forces[T]) watchWakes() {
	var boxes []lbm.Box
	r.wakes = make([]wake, len(r.Bodies))
	for i := range r.Bodies {
		boxes = r.wakeOf(i, boxes)
	}
	if len(boxes) > 0 {
		r.Sim.Watch(0, boxes)
	}
}

// wakeOf adds the rows behind body i to boxes. There are none where the stream is not
// along +x, and behind bodies that move.
func (r *Forces[T]) wakeOf(i int, boxes []lbm.Box) []lbm.Box {
	b, w := r.Bodies[i], &r.wakes[i]
	if b.Moving() || !setup.HeadingOf(r.Case, &r.Case.Bodies[i]).Plain() {
		return boxes
	}
	center := b.Shape.Center()
	_, rear := b.Shape.Bounds()
	first := int(math.Floor(rear[0]))
	last := min(r.Flow.Size[0], first+int(wakeReach*b.Shape.Length()))
	if first < 0 || last-first < 2 {
		return boxes
	}
	w.first, w.last, w.boxes = first, last, len(boxes)
	for corner := range 1 << (r.Flow.Lattice.Dim - 1) { // rows around the centre line
		lo, weight := [3]int{first}, 1.
		for a := 1; a < r.Flow.Lattice.Dim; a++ {
			below := math.Floor(center[a])
			frac := center[a] - below
			if corner>>(a-1)&1 == 1 {
				below, frac = below+1, 1-frac
			}
			lo[a] = (int(below) + r.Flow.Size[a]) % r.Flow.Size[a] // periodic; others cannot leave
			weight *= 1 - frac
		}
		w.weights = append(w.weights, weight)
		boxes = append(boxes, lbm.Box{Lo: lo, Hi: [3]int{last, lo[1] + 1, lo[2] + 1}})
	}
	return boxes
}

// recirculation is the length of the reversed flow behind body i in a step that was
// measured, in L, along x through its centre; NaN where it is not known.
func (r *Forces[T]) recirculation(i int, m *hybrid.Measurement[T]) float64 {
	w := &r.wakes[i]
	if len(w.weights) == 0 {
		return math.NaN()
	}
	_, rear := r.Bodies[i].Shape.Bounds()
	x, u := make([]float64, w.last-w.first), make([]float64, w.last-w.first)
	for k, weight := range w.weights {
		for n, v := range m.Velocity[w.boxes+k] {
			u[n] += weight * float64(v)
		}
	}
	for n := range x {
		x[n] = float64(w.first + n)
	}
	return r.Units.FromLatticeLength(statistics.RecirculationLength(x, u, rear[0]))
}
