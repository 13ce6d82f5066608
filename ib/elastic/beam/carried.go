package beam

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// carrier is what holds an end and is moved by the line's pull, too: where it comes to be is known only once the line's step is. Of the
// velocity v and the spin w that it will have the end's place and tangent are functions,
//
//	BDF2   X′ = [X + 2(P + Δt v)]/3      t′ = [t + 2(T + Δt w×T)]/3
//	Euler  X′ = P + Δt v                 t′ = T + Δt w×T
//
// P and T being the carrier's place and tangent, to which it has been moved by the velocity that it had. The end's velocity is v
// then, by the line's own scheme, so that the two are one system in time.
type carrier struct {
	carried        bool
	along          geometry.Vec // T
	velocity, spin geometry.Vec // as last assumed
	lead           float64      // dX′/dv
	ratio          float64      // dU′/dv: 1, but in the first step of BDF2

	// What a unit of v (three) and of w changes: the solution, and the right-hand sides that have been set aside.
	response [6][]float64
	beside   [6]geometry.Vec
}

// Pull is what a line does, in the step that Begin has begun, to what carries its ends e: at velocities of the points that carry them, and
// spins, y_e = (v, w), it gives them the momentum, and its moment about the point,
//
//	P_e − Σ_f S_ef (y_f − y°_f)
//
// with y° as Carry had them. S is symmetric and positive semi-definite. Ends that nothing carries have 0.
type Pull struct {
	P [2][6]float64
	S [2][2][6][6]float64
}

// Carry says that an end is on a body that the line's pull moves: where its point is now, that is after its last move, with which tangent,
// and with which velocity and spin it is assumed to go on. It is called before every step, and Follow in it. What Hold refuses is refused.
func (l *Line) Carry(end int, place, tangent, velocity, spin geometry.Vec) error {
	s := &l.ends[end]
	last := s.was
	if err := l.Hold(end, place, tangent); err != nil {
		return err
	}
	if !finite.Is(velocity.Norm()) || !finite.Is(spin.Norm()) {
		return fmt.Errorf("beam: the %s end is carried with velocity %g and spin %g, both must be finite", endNames[end], velocity, spin)
	}
	if l.dim == 2 && (velocity[2] != 0 || spin[0] != 0 || spin[1] != 0) {
		return fmt.Errorf("beam: the %s end is carried with velocity %g and spin %g, a line in 2D stays in the plane z = 0: set the velocity's z and the spin's x and y to 0", endNames[end], velocity, spin)
	}
	s.carried, s.along, s.velocity, s.spin = true, s.tangent, velocity, spin
	s.lead = l.dt
	to, turned := place.Add(velocity.Scale(l.dt)), s.along.Add(spin.Cross(s.along).Scale(l.dt))
	if l.scheme == BDF2 {
		s.lead *= 2. / 3
		to, turned = l.now.x[s.node].Add(to.Scale(2)).Scale(1./3), last.Add(turned.Scale(2)).Scale(1./3)
	}
	s.place = to
	if s.kind == Clamped {
		s.tangent = turned
	}
	l.clamp(end)
	for k := range s.response {
		if s.response[k] == nil && l.moves(s, k) {
			s.response[k] = make([]float64, len(l.equations.rhs))
		}
	}
	return nil
}

// Return has an end that is carried be as it was after the last step, where the next one cannot be made.
func (l *Line) Return(end int) {
	s := &l.ends[end]
	s.place, s.tangent = l.now.x[s.node], s.was
	l.clamp(end)
}

// moves tells whether component k of (v, w) moves an end.
func (l *Line) moves(s *support, k int) bool {
	switch {
	case k < 3:
		return k < l.dim
	case l.dim == 2:
		return s.kind == Clamped && k == 5
	}
	return s.kind == Clamped
}

// turns is how what is clamped at an end turns.
func (s *support) turns(dt float64) geometry.Vec {
	if s.carried {
		return s.spin.Scale(s.ratio)
	}
	turned := s.was.Add(s.tangent).Scale(0.5).Cross(s.tangent.Sub(s.was)).Scale(1 / dt)
	if s.about != 0 {
		turned = turned.Add(s.tangent.Scale(s.about))
	}
	return turned
}

// unit is axis k.
func unit(k int) (v geometry.Vec) {
	v[k] = 1
	return v
}

// stencil is how the curvature vector of a clamped end depends on its tangent and on the node beside: c = L t + p (X_next − X_node) + …, L
// being share and curvature as in bending.hold; w is its weight in the energy.
func (q *equations) stencil(s *support) (next int, p, w, sign float64) {
	if s.node == 0 {
		return 1, q.bending.p[0][2], q.bending.w[0], -1
	}
	return s.node - 1, q.bending.p[s.node][0], q.bending.w[s.node], 1
}

// tilt is L t.
func (q *equations) tilt(s *support, sign float64, t geometry.Vec) geometry.Vec {
	return t.Scale(sign / q.shares[s.node]).Sub(turn(t).Scale(q.curvature[s.node]))
}

// respond finds how the solution at hand answers what carries an end: by its linear equations, whose factors are there.
func (q *equations) respond(end int) {
	s := &q.ends[end]
	for k, b := range s.response {
		if b == nil {
			continue
		}
		clear(b)
		s.beside[k] = geometry.Vec{}
		if k < 3 {
			r := s.node*q.unknowns + k
			for j, v := range s.rows[k] {
				if v != 0 {
					b[r+j-reach] -= v * s.ratio
				}
			}
		} else {
			q.twist(s, k, b)
			for a := range q.dim {
				s.beside[k][a] = b[s.node*q.unknowns+a]
			}
		}
		for e := range q.ends {
			if o := &q.ends[e]; o.kind != Free {
				clear(b[o.node*q.unknowns:][:q.dim])
			}
		}
		if k < 3 {
			b[s.node*q.unknowns+k] = s.ratio
		}
		q.system.again(b)
	}
}

// twist adds what a unit of spin, component k, adds to the right-hand sides.
func (q *equations) twist(s *support, k int, b []float64) {
	next, p, w, sign := q.stencil(s)
	tilted := q.tilt(s, sign, unit(k-3).Cross(s.along).Scale(s.lead))
	for a := range q.dim {
		b[next*q.unknowns+a] -= q.dt * w * p * tilted[a]
		b[s.node*q.unknowns+a] += q.dt * w * p * tilted[a]
	}
	if q.dim == 2 {
		for a, t := range q.sections[s.node].t[:2] {
			b[2*s.node+a] += q.sections[s.node].along[1] * t * s.ratio
		}
	}
	if q.bendingDamping > 0 {
		r, eta, each := q.turning(s.node), q.dt*q.bendingDamping/q.shares[s.node], q.unknowns
		for c := range r.rows {
			for j := range each * r.nodes {
				b[each*r.first+j] -= eta * r.at(c, j, each) * sign * s.ratio * r.axes[c][k-3]
			}
		}
	}
}

// twisted is the change of the moment on what carries a clamped end, times Δt, with that of the solution, b, and of its spin.
func (q *equations) twisted(s *support, b []float64, spin geometry.Vec) (moment geometry.Vec) {
	next, p, w, sign := q.stencil(s)
	bent := q.tilt(s, sign, spin.Cross(s.along).Scale(s.lead))
	for a := range q.dim {
		bent[a] += p * q.tau * (b[next*q.unknowns+a] - b[s.node*q.unknowns+a])
	}
	// −Lᵀ w c is the force on the tangent.
	force := bent.Scale(sign / q.shares[s.node]).Add(turn(bent).Scale(q.curvature[s.node])).Scale(-w)
	moment = s.along.Cross(force).Scale(q.dt)
	if q.dim == 2 {
		section := &q.sections[s.node]
		moment[2] += section.along[1]*(section.t[0]*b[2*s.node]+section.t[1]*b[2*s.node+1]) - section.along[2]*s.ratio*spin[2]
	}
	if q.bendingDamping > 0 {
		r := q.turning(s.node)
		moment = moment.Add(q.dampedMoment(s.node, q.ratesOf(&r, s, sign, b, spin)).Scale(q.dt))
	}
	return moment
}

// Pull stores what the line does to what carries its ends.
func (l *Line) Pull(to *Pull) {
	*to = Pull{}
	q := &l.equations
	for e := range l.ends {
		s := &l.ends[e]
		if !s.carried {
			continue
		}
		impulse, moment := s.pull(q)
		copy(to.P[e][:3], impulse[:])
		for a := range 3 {
			to.P[e][3+a] = q.dt * moment[a]
		}
		for f := range l.ends {
			o := &l.ends[f]
			for k, b := range o.response {
				if b == nil || !o.carried {
					continue
				}
				var spin, beside geometry.Vec
				if e == f && k >= 3 {
					spin, beside = unit(k-3), s.beside[k]
				}
				for a := range q.dim {
					to.S[e][f][a][k] = dotRow(&s.rows[a], b, s.node*q.unknowns+a) - beside[a]
				}
				if s.kind == Clamped {
					for a, m := range q.twisted(s, b, spin) {
						to.S[e][f][3+a][k] = -m
					}
				}
			}
		}
	}
}

// Follow says, in the step that Begin has begun, with which velocity and spin what carries an end goes on.
func (l *Line) Follow(end int, velocity, spin geometry.Vec) {
	s, q := &l.ends[end], &l.equations
	if !s.carried {
		panic(fmt.Sprintf("beam: the %s end is told to follow what does not carry it", endNames[end]))
	}
	dv, dw := velocity.Sub(s.velocity), spin.Sub(s.spin)
	for k, b := range s.response {
		by := dw[k%3]
		if k < 3 {
			by = dv[k]
		}
		if b == nil || by == 0 {
			continue
		}
		for i, v := range b {
			q.rhs[i] += by * v
		}
		for a := range s.rhs {
			s.rhs[a] += by * s.beside[k][a]
		}
	}
	s.velocity, s.spin = velocity, spin
	s.place = s.place.Add(dv.Scale(s.lead))
	s.change = s.change.Add(dv.Scale(s.ratio))
	if s.kind == Clamped {
		s.tangent = s.tangent.Add(dw.Cross(s.along).Scale(s.lead))
		l.clamp(end)
		q.sections[s.node].twist -= q.sections[s.node].along[2] * s.ratio * dw[2]
	}
}
