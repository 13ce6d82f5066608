package beam

import "lbmib/geometry"

// turning is the rate at which the segments beside a node turn against each other, the second against the first, as a linear function of the
// unknowns of nodes first, first+1, …: Σ g·U + spins τ + known, where known comes from the tangent of a clamped end, which takes
// the place of a segment. In 2D that is a number, the rate of the angle between them.
//
// In 3D it is a vector, (ω + τ t) of the one less that of the other: a segment of direction t turns with ω = t × ΔU/|ΔX| and spins about
// itself with τ. Nothing resists to its spin but bending damping, so that spins are those with which the least energy is lost: unknowns of the step, τ_i of the
// segment behind node i beside U_i. Without them a bent line that turns about its own tangent as a whole would be damped. A clamp holds its end's
// spin, too: a cantilever that goes round in circles loses what one that swings in a plane does.
type turning struct {
	first, nodes int
	rows         int                // components: 1 in 2D, 3 in 3D; 0 of ends that may turn
	g            [3][3]geometry.Vec // of a component: by node
	spins        [3][2]float64      // likewise: of the spin that stands at that node
	known        [3]float64
	axes         [3]geometry.Vec // of the components
}

// spinning is the spin's place among the unknowns of a node, in 3D.
const spinning = 3

// freeSpin is the resistance to the spin of a segment alone, over that of bending damping to what turns it against its neighbours: of a line that
// is straight, or a part of one, nothing else tells how fast it spins, and nothing depends on it. A line bent by an angle θ a segment that turns about its tangent loses freeSpin/θ² of
// what it would without spins, and at most freeSpin of what a turning of the other kind costs.
const freeSpin = 1e-9

// turning is that of node i.
func (q *equations) turning(i int) (r turning) {
	n := len(q.shares)
	r.rows = 1
	r.axes[0] = geometry.Vec{0, 0, 1}
	if q.dim == 3 {
		r.rows = 3
		r.axes = [3]geometry.Vec{unit(0), unit(1), unit(2)}
	}
	if i > 0 && i < n-1 {
		r.first, r.nodes = i-1, 3
		before, after := &q.segments[i-1], &q.segments[i]
		for c := range r.rows {
			a, b := before.turn(r.axes[c]), after.turn(r.axes[c])
			r.g[c] = [3]geometry.Vec{a, a.Add(b).Scale(-1), b}
			r.spins[c] = [2]float64{-before.t[c], after.t[c]}
		}
		return r
	}
	s := &q.ends[min(i, 1)]
	if s.kind != Clamped {
		return turning{}
	}
	r.nodes = 2
	clamp, sign, segment := s.turns(q.dt), -1., &q.segments[0]
	if i > 0 {
		sign, segment = 1, &q.segments[n-2]
		r.first = n - 2
	}
	for c := range r.rows {
		b := segment.turn(r.axes[c])
		if r.g[c] = [3]geometry.Vec{b, b.Scale(-1)}; i == 0 {
			r.g[c] = [3]geometry.Vec{b.Scale(-1), b}
		}
		r.spins[c][0] = -sign * segment.t[c]
		r.known[c] = sign * r.axes[c].Dot(clamp)
	}
	return r
}

// turn is the part along an axis of how the segment turns: it turns by turn·ΔU.
func (s *segment) turn(axis geometry.Vec) geometry.Vec { return axis.Cross(s.t).Scale(1 / s.length) }

// at is the factor of unknown k of those of the nodes, of which each has so many, in component c.
func (r *turning) at(c, k, each int) float64 {
	if a := k % each; a < spinning {
		return r.g[c][k/each][a]
	}
	if k < 2*each {
		return r.spins[c][k/each]
	}
	return 0 // the spin that stands at the last node is of the segment behind it
}

// dampBending adds Δt times the bending damping, of the dissipation η_b Σ |turning/share|² share,
// to the system. A line that turns as a whole feels none.
func (q *equations) dampBending() {
	each := q.unknowns
	for k := spinning; k < len(q.rhs) && each > spinning; k += each {
		q.rhs[k] = 0 // of the last step; of velocities it is set already
	}
	for i, share := range q.shares {
		r := q.turning(i)
		eta := q.dt * q.bendingDamping / share
		for c := range r.rows {
			rate := r.rate(c, q.u) // spins are no changes but what they are
			for k := range each * r.nodes {
				row, g := each*r.first+k, eta*r.at(c, k, each)
				q.rhs[row] -= g * rate
				for j := range k + 1 {
					q.system.add(row, each*r.first+j, g*r.at(c, j, each))
				}
			}
		}
		if each > spinning {
			at := each*i + spinning
			q.system.add(at, at, freeSpin*eta)
		}
	}
}

// rate is component c with velocities u of all nodes, of segments that do not spin.
func (r *turning) rate(c int, u []geometry.Vec) float64 {
	sum := r.known[c]
	for k := range r.nodes {
		sum += r.g[c][k].Dot(u[r.first+k])
	}
	return sum
}

// dampedMoment is that of bending damping on what clamps an end node whose turning changes.
func (q *equations) dampedMoment(node int, rate geometry.Vec) geometry.Vec {
	for c := range rate {
		if node > 0 {
			rate[c] = -rate[c]
		}
		rate[c] = q.bendingDamping * rate[c] / q.shares[node]
	}
	if q.dim == 2 {
		return geometry.Vec{0, 0, rate[0]}
	}
	return rate
}

// ratesAt is the turning at an end, whose two nodes have velocities u, after the step that was solved.
func (q *equations) ratesAt(r *turning, u [2]geometry.Vec) (rate geometry.Vec) {
	for c := range r.rows {
		rate[c] = r.known[c] + r.g[c][0].Dot(u[0]) + r.g[c][1].Dot(u[1])
		if q.unknowns > spinning {
			rate[c] += r.spins[c][0] * q.rhs[q.unknowns*r.first+spinning]
		}
	}
	return rate
}

// ratesOf is how the turning changes with the solution, b, and with the spin of what carries the end.
func (q *equations) ratesOf(r *turning, s *support, sign float64, b []float64, spin geometry.Vec) (rate geometry.Vec) {
	each := q.unknowns
	for c := range r.rows {
		rate[c] = sign * s.ratio * r.axes[c].Dot(spin)
		for k := range each * r.nodes {
			rate[c] += r.at(c, k, each) * b[each*r.first+k]
		}
	}
	return rate
}
