package beam

import "lbmib/geometry"

// turning is the rate at which the angle between the segments beside a node changes, as a
// linear function of the velocities of nodes first, first+1, …: rate = Σ g·U + known. known is
// that of the tangent of a clamped end. In 2D.
type turning struct {
	first, nodes int
	g            [3]geometry.Vec
	known        float64
}

// spin is how a segment turns: d(angle)/dt = n·ΔU/|ΔX| with the normal n = Jt.
func (s *segment) spin() geometry.Vec { return turn(s.t).Scale(1 / s.length) }

// turning is that of node i, and whether there is any: not at ends that may turn.
func (l *Line) turning(i int) (r turning, any bool) {
	n := len(l.now.x)
	if i > 0 && i < n-1 {
		a, b := l.segments[i-1].spin(), l.segments[i].spin()
		return turning{i - 1, 3, [3]geometry.Vec{a, a.Add(b).Scale(-1), b}, 0}, true
	}
	end := min(i, 1)
	s := &l.ends[end]
	if s.kind != Clamped {
		return r, false
	}
	clamp := turn(s.was.Add(s.tangent)).Scale(0.5).Dot(s.tangent.Sub(s.was)) / l.dt
	if end == 0 {
		b := l.segments[0].spin()
		return turning{0, 2, [3]geometry.Vec{b.Scale(-1), b}, -clamp}, true
	}
	a := l.segments[n-2].spin()
	return turning{n - 2, 2, [3]geometry.Vec{a, a.Scale(-1)}, clamp}, true
}

// dampBending adds Δt times the bending damping to the system: the dissipation
// ½ η_b Σ (rate/share)² share. A line that turns without bending feels none.
func (l *Line) dampBending() {
	for i := range l.now.x {
		r, any := l.turning(i)
		if !any {
			continue
		}
		eta := l.dt * l.bendingDamping / l.shares[i]
		for b := range r.nodes {
			for c := range 2 {
				row := 2*(r.first+b) + c
				l.rhs[row] -= eta * r.g[b][c] * r.known
				for k := 0; 2*r.first+k <= row; k++ {
					l.system.add(row, 2*r.first+k, eta*r.g[b][c]*r.g[k/2][k%2])
				}
			}
		}
	}
}

// dampedMoment is that of bending damping about the node of a clamped end, on what holds it.
func (l *Line) dampedMoment(end int) float64 {
	if l.bendingDamping == 0 {
		return 0
	}
	i := l.ends[end].node
	r, _ := l.turning(i)
	rate := r.known
	for b := range r.nodes {
		rate += r.g[b].Dot(l.now.u[r.first+b])
	}
	if end == 1 {
		rate = -rate
	}
	return l.bendingDamping * rate / l.shares[i]
}
