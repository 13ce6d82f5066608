package plate

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// Fluid is what surrounds a sheet: an element per node.
type Fluid struct {
	Velocity []geometry.Vec // Û as it is without the sheet
	Reaction []float64      // a: a slip of v in it gives it the momentum a v
	Share    []float64      // of that in directions along the sheet; nil: all
}

// Step moves the sheet by Δt: it solves
//
//	(βM + A + Δt C + Δt τ K) U′ = M U* + A Û + Δt (loads + M g − f),   X′ = X̃ + τ U′
//
// (see the package documentation) with the fluid's Û at the nodes and A = diag(a). load has further
// forces, one per node, and may be nil. The forces on the fluid, a (U′ − Û)/Δt, are left in force, one
// per node, which may be nil.
//
// Reactions that are negative, a free node with neither mass, drag nor a reaction, and a solution that
// is not finite are errors; the sheet is then where it was.
func (s *Sheet) Step(fluid Fluid, load, force []geometry.Vec) error {
	n := len(s.now.x)
	if len(fluid.Velocity) != n || len(fluid.Reaction) != n || fluid.Share != nil && len(fluid.Share) != n || load != nil && len(load) != n || force != nil && len(force) != n {
		panic(fmt.Sprintf("plate: step of %d nodes with %d velocities, %d reactions, %d shares, %d loads, %d forces", n, len(fluid.Velocity), len(fluid.Reaction), len(fluid.Share), len(load), len(force)))
	}
	q := &s.equations
	q.fluid, q.load = fluid, load
	s.predict()
	if err := q.resist(); err != nil {
		return err
	}
	for q.solves = 1; ; q.solves++ {
		q.assemble() // (βM + A + …) and its right-hand side, linearised
		if !q.solve(q.change, q.rhs, q.stiffness()) {
			return fmt.Errorf("plate: step %d has no solution: what acts on the sheet is not finite, or crushed a cell: lower the loads or the velocities", s.steps+1)
		}
		if q.solves == mostSolves || q.straight() {
			break
		}
	}
	if !q.finite() {
		return fmt.Errorf("plate: step %d leads to velocities that are not finite: lower the loads or the velocities", s.steps+1)
	}
	q.support()
	s.advance()
	if force != nil {
		s.give(force)
	}
	return nil
}

// predict sets where nodes are with the velocities that they have, where the step is linearised,
// and what the scheme takes from the mass's history.
func (s *Sheet) predict() {
	q := &s.equations
	q.u = s.now.u
	for k := range q.edges {
		q.edges[k].pull = max(s.stress.tension[k], 0)
	}
	for k := range q.sheared {
		q.sheared[k].hold = math.Abs(s.stress.shear[k])
	}
	s.Predict(q.at)
	if q.fluid.Share != nil {
		s.Normals(q.normals, q.at)
	}
	if s.scheme == Euler || s.steps == 0 {
		q.beta, q.tau = 1, s.dt
		copy(q.at, s.now.x)
		clear(q.gain)
		clear(q.change)
		for k, x := range s.now.x {
			q.from[k] = x.Add(s.now.u[k].Scale(s.dt))
		}
	} else {
		q.beta, q.tau = 1.5, s.dt*2/3
		for k := range q.from {
			x, xb, u, ub := &s.now.x[k], &s.before.x[k], &s.now.u[k], &s.before.u[k]
			from, gain, change := &q.from[k], &q.gain[k], &q.change[k]
			for a := range 3 {
				from[a] = x[a] + ((x[a]-xb[a])/3 + q.tau*u[a]) // X̃ + τU, X̃ = (4X − X⁻)/3
				gain[a] = (u[a] - ub[a]) / 2                   // U* − βU, U* = (4U − U⁻)/2
				change[a] = u[a] - ub[a]                       // to begin with
			}
		}
	}
	for v, k := range q.held {
		q.change[k] = q.places[v].Sub(q.from[k]).Scale(1 / q.tau)
	}
}

// advance takes over the solution.
func (s *Sheet) advance() {
	q := &s.equations
	s.now, s.before = s.before, s.now // what is overwritten is the oldest
	for k := range s.now.x {
		s.now.u[k] = s.before.u[k].Add(q.change[k])
		s.now.x[k] = q.from[k].Add(q.change[k].Scale(q.tau))
	}
	for v, k := range q.held {
		s.now.x[k] = q.places[v]
	}
	for k := range q.edges {
		s.stress.tension[k] = q.edges[k].tensionOf(q.change)
	}
	for k := range q.sheared {
		s.stress.shear[k] = q.stressOf(k, q.change)
	}
	s.steps++
}

// equations are those of one step for the change U′ − U of velocities. It is small where U is
// not: rounding, which the stiffness multiplies, is that of the change.
type equations struct {
	*material

	beta, tau      float64        // β, τ
	u              []geometry.Vec // U
	at, from, gain []geometry.Vec // X*, X̃ + τU, U* − βU
	normals        []geometry.Vec // where the fluid feels the sheet
	fluid          Fluid
	load           []geometry.Vec

	inertia []block        // βM + A + Δt·drag
	force   []geometry.Vec // of the sheet where U′ = U
	sheared []cell
	rhs     []geometry.Vec
	change  []geometry.Vec // U′ − U
	holding geometry.Vec   // the force of the sheet on what holds it
	solves  int
	solver
}

func newEquations(m *material) equations {
	n := len(m.share)
	q := equations{material: m, inertia: make([]block, n), sheared: make([]cell, m.cells()), solver: newSolver(m.grid, m.isHeld)}
	for _, v := range []*[]geometry.Vec{&q.at, &q.from, &q.gain, &q.normals, &q.force} {
		*v = make([]geometry.Vec, n)
	}
	q.rhs, q.change = make([]geometry.Vec, n+m.beyond()), make([]geometry.Vec, n+m.beyond())
	return q
}

// resist finds the inertia of nodes.
func (q *equations) resist() error {
	for k := range q.inertia {
		a, m := q.fluid.Reaction[k], q.beta*q.mass[k]+q.dt*q.drag[k]
		least := a
		if q.fluid.Share != nil {
			least *= q.fluid.Share[k]
		}
		if !(least >= 0 && (m+least > 0 || q.material.isHeld[k])) || !finite.Is(m+a) {
			return fmt.Errorf("plate: node %d has mass %g, drag %g and the fluid's reaction %g: the last must be finite and at least 0, and one of them positive: give the sheet mass, or put it into a fluid", k, q.mass[k], q.drag[k], a)
		}
		q.inertia[k] = block{}
		q.inertia[k].addUnit(m + least)
		q.inertia[k].addProduct(a-least, &q.normals[k], &q.normals[k])
	}
	return nil
}

// slipForce is A_k s for a slip s.
func (q *equations) slipForce(k int, s geometry.Vec) geometry.Vec {
	a := q.fluid.Reaction[k]
	if q.fluid.Share == nil {
		return s.Scale(a)
	}
	n, least := q.normals[k], a*q.fluid.Share[k]
	return s.Scale(least).Add(n.Scale((a - least) * n.Dot(s)))
}

// assemble makes the system, linearised at X*.
func (q *equations) assemble() {
	clear(q.force)
	q.bending.addForces(q.force, q.from)
	q.lineariseEdges()
	q.lineariseCells()
	q.system.assemble(q)
	for k, m := range q.mass {
		pull := q.slipForce(k, q.fluid.Velocity[k].Sub(q.u[k]))
		drag, gain, u, f, rhs := q.drag[k], &q.gain[k], &q.u[k], &q.force[k], &q.rhs[k]
		for c := range rhs {
			rhs[c] = m*(gain[c]+q.dt*q.gravity[c]) + pull[c] + q.dt*(f[c]-drag*u[c])
		}
	}
	for k := range q.load {
		q.rhs[k] = q.rhs[k].Add(q.load[k].Scale(q.dt))
	}
}

// stiffness is that of free nodes.
func (q *equations) stiffness() (most stiffness) {
	for k := range q.inertia {
		if q.material.isHeld[k] {
			continue
		}
		a, b := &q.inertia[k], &q.rows[k].near[self]
		bending := q.dt * q.tau * q.bending.k[k][self]
		over := 1 / min(a[0], a[4], a[8])
		most.bending = max(most.bending, bending*over)
		most.membrane = max(most.membrane, ((b[0]+b[4]+b[8]-a[0]-a[4]-a[8])/3-bending)*over)
	}
	return most
}

// support sums what the sheet does to what holds it: what lacks at held nodes.
func (q *equations) support() {
	q.holding = geometry.Vec{}
	if len(q.held) == 0 {
		return
	}
	q.multiply(q.y, q.change)
	for _, k := range q.held {
		q.holding = q.holding.Add(q.rhs[k].Sub(q.y[k]).Scale(1 / q.dt))
	}
}

// finite tells whether all of the solution are numbers.
func (q *equations) finite() bool {
	sum := 0.
	for k := range q.inertia {
		for _, u := range q.change[k] {
			sum += 0 * u
		}
	}
	return sum == 0
}

// An edge that turns by φ away from where a step is linearised is longer by φ²/2 than it was to
// be, and a cell sheared more alike. Where that is more than turnTolerance, the step is linearised again where it led to.
const (
	turnTolerance = 1e-4
	mostSolves    = 4
)

// straight tells whether edges have turned by so little that the solution is as good as
// linear. If not, the next one is linearised where this leads to.
func (q *equations) straight() bool {
	worst := 0.
	for k := range q.edges {
		e := &q.edges[k]
		d := q.from[e.b].Sub(q.from[e.a]).Add(q.change[e.b].Sub(q.change[e.a]).Scale(q.tau))
		worst = max(worst, (d.Norm()-e.t.Dot(d))/e.rest)
	}
	if !(worst > turnTolerance) { // or not a number, which Step refuses
		return true
	}
	for k := range q.edges {
		e := &q.edges[k]
		e.pull = max(e.pull, e.tensionOf(q.change))
	}
	for k := range q.sheared {
		c := &q.sheared[k]
		c.hold = max(c.hold, math.Abs(q.stressOf(k, q.change)))
	}
	for k := range q.at {
		q.at[k] = q.from[k].Add(q.change[k].Scale(q.tau))
	}
	return false
}

// give stores the force on the fluid at every node in the step that led to now.
func (s *Sheet) give(force []geometry.Vec) {
	q := &s.equations
	for k, u := range s.now.u {
		force[k] = q.slipForce(k, u.Sub(q.fluid.Velocity[k])).Scale(1 / s.dt)
	}
}
