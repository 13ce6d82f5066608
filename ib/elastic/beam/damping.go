package beam

import "lbmib/geometry"

// turning is the rate at which the angle between the segments beside a node changes, in 2D, as
// a linear function of the velocities of nodes first, first+1, …: Σ g·U + known, where known
// comes from the tangent of a clamped end, which takes the place of a segment.
type turning struct {
	first, nodes int
	g            [3]geometry.Vec
	known        float64
}

// spin is how a segment turns: its angle grows by spin·ΔU.
func (s *segment) spin() geometry.Vec { return turn(s.t).Scale(1 / s.length) }

// turning is that of node i. Ends that may turn have none: nodes is 0.
func (q *equations) turning(i int) turning {
	n := len(q.shares)
	if i > 0 && i < n-1 {
		a, b := q.segments[i-1].spin(), q.segments[i].spin()
		return turning{i - 1, 3, [3]geometry.Vec{a, a.Add(b).Scale(-1), b}, 0}
	}
	s := &q.ends[min(i, 1)]
	if s.kind != Clamped {
		return turning{}
	}
	clamp := s.turns(q.dt)
	if i == 0 {
		b := q.segments[0].spin()
		return turning{0, 2, [3]geometry.Vec{b.Scale(-1), b}, -clamp}
	}
	a := q.segments[n-2].spin()
	return turning{n - 2, 2, [3]geometry.Vec{a, a.Scale(-1)}, clamp}
}

// dampBending adds Δt times the bending damping, of the dissipation η_b Σ (turning/share)² share,
// to the system. A line that turns as a whole feels none.
func (q *equations) dampBending() {
	for i, share := range q.shares {
		r := q.turning(i)
		rate, eta := r.rate(q.u), q.dt*q.bendingDamping/share
		for k := range 2 * r.nodes {
			row, g := 2*r.first+k, eta*r.g[k/2][k%2]
			q.rhs[row] -= g * rate
			for c := range k + 1 {
				q.system.add(row, 2*r.first+c, g*r.g[c/2][c%2])
			}
		}
	}
}

// rate is that of velocities u of all nodes.
func (r *turning) rate(u []geometry.Vec) float64 {
	sum := r.known
	for k := range r.nodes {
		sum += r.g[k].Dot(u[r.first+k])
	}
	return sum
}

// dampedMoment is that of bending damping on what clamps an end node whose angle with its segment changes at a rate.
func (q *equations) dampedMoment(node int, rate float64) float64 {
	if node > 0 {
		rate = -rate
	}
	return q.bendingDamping * rate / q.shares[node]
}

// rateOf is rate at an end, whose two nodes have velocities u.
func (r *turning) rateOf(u [2]geometry.Vec) float64 {
	return r.known + r.g[0].Dot(u[0]) + r.g[1].Dot(u[1])
}
