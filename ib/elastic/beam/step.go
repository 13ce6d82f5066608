package beam

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// Step moves the line by Δt: it solves
//
//	(βM + A + Δt C + Δt·step K) U′ = M U* + A Û + Δt (loads − f),   X′ = X̃ + step·U′
//
// (see the package documentation) where velocity is the fluid's Û at the nodes, without the
// line, and reaction its A = diag(a_i): the momentum that node i gives to the fluid in the step
// is a_i (U′_i − Û_i). load has further forces on nodes and may be nil. The force on the fluid,
// a_i (U′_i − Û_i)/Δt, is left in force, which may be nil. All have an element per node.
//
// Reactions that are negative, a node with neither mass, drag nor reaction, and a solution that
// is not finite are errors; the line is then where it was.
func (l *Line) Step(velocity []geometry.Vec, reaction []float64, load, force []geometry.Vec) error {
	n := len(l.now.x)
	if len(velocity) != n || len(reaction) != n || load != nil && len(load) != n || force != nil && len(force) != n {
		panic(fmt.Sprintf("beam: step of %d nodes with %d velocities, %d reactions, %d loads, %d forces", n, len(velocity), len(reaction), len(load), len(force)))
	}
	beta, step := l.predict()
	most, err := l.inertias(beta, reaction)
	if err != nil {
		return err
	}
	clear(l.force)
	l.bending.addForces(l.force, l.from)
	l.linearise(l.axial(most, step), step)
	l.system.assemble(l, step)
	l.drive(velocity, reaction, load)
	if l.bendingDamping > 0 {
		l.dampBending()
	}
	l.holdEnds(step)
	if row := l.system.solve(l.rhs); row >= 0 {
		return fmt.Errorf("beam: step %d has no solution at node %d, at %.6g: what acts on the line is not finite or crushed a segment; lower the time step or the loads", l.steps+1, row/l.dim, l.now.x[row/l.dim])
	}
	if err := l.advance(step); err != nil {
		return err
	}
	for i := range force {
		force[i] = velocity[i].Sub(l.now.u[i]).Scale(-reaction[i] / l.dt)
	}
	return nil
}

// predict sets from where nodes are without U′, at where the step is linearised, and the
// velocities that the mass keeps. Both schemes are U′ = (X′ − from)/step and
// dU/dt = (βU′ − kept)/Δt.
func (l *Line) predict() (beta, step float64) {
	if l.scheme == Euler || l.steps == 0 {
		copy(l.from, l.now.x)
		copy(l.at, l.now.x)
		copy(l.kept, l.now.u)
		return 1, l.dt
	}
	for i := range l.from {
		x, xb, u, ub := &l.now.x[i], &l.before.x[i], &l.now.u[i], &l.before.u[i]
		from, at, kept := &l.from[i], &l.at[i], &l.kept[i]
		for a := range 3 {
			moved := x[a] - xb[a]
			from[a] = x[a] + moved/3
			at[a] = x[a] + moved
			kept[a] = 1.5*u[a] + 0.5*(u[a]-ub[a])
		}
	}
	return 1.5, l.dt * 2 / 3
}

// inertias finds what every node resists to a velocity U′ with, and the most of it.
func (l *Line) inertias(beta float64, reaction []float64) (most float64, err error) {
	for i, a := range reaction {
		inertia := beta*l.mass[i] + a + l.dt*l.drag[i]
		if !(a >= 0 && inertia > 0) || !finite.Is(inertia) {
			return 0, fmt.Errorf("beam: node %d has mass %g, drag %g and the fluid's reaction %g: the last must be finite and at least 0, and one of them positive: give the line mass, or put it into a fluid", i, l.mass[i], l.drag[i], a)
		}
		l.inertia[i] = inertia
		most = max(most, inertia)
	}
	return most, nil
}

// drive makes the right-hand side.
func (l *Line) drive(velocity []geometry.Vec, reaction []float64, load []geometry.Vec) {
	dim := l.dim
	for i, m := range l.mass {
		a, kept, u, f := reaction[i], &l.kept[i], &velocity[i], &l.force[i]
		rhs := l.rhs[dim*i : dim*i+dim]
		for c := range rhs {
			rhs[c] = m*(kept[c]+l.dt*l.gravity[c]) + a*u[c] + l.dt*f[c]
		}
	}
	for i := range load {
		for c := range dim {
			l.rhs[dim*i+c] += l.dt * load[i][c]
		}
	}
}

// advance takes over the solution.
func (l *Line) advance(step float64) error {
	dim, sum := l.dim, 0.
	for _, u := range l.rhs[:dim*len(l.now.x)] {
		sum += 0 * u
	}
	if sum != 0 {
		return fmt.Errorf("beam: step %d leads to velocities that are not finite: lower the time step or the loads", l.steps+1)
	}
	l.now, l.before = l.before, l.now // what is overwritten is the oldest
	for i := range l.now.x {
		x, u, from := &l.now.x[i], &l.now.u[i], &l.from[i]
		for c, v := range l.rhs[dim*i : dim*i+dim] {
			u[c] = v
			x[c] = from[c] + step*v
		}
	}
	for j := range l.segments {
		s, a, b := &l.segments[j], &l.now.u[j], &l.now.u[j+1]
		l.now.tension[j] = s.tension + s.along*(s.t[0]*(b[0]-a[0])+s.t[1]*(b[1]-a[1])+s.t[2]*(b[2]-a[2]))
	}
	for e := range l.ends {
		l.support(e)
	}
	l.steps++
	return nil
}
