package beam

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// Step moves the line by Δt: it solves
//
//	(βM + A + Δt C + Δt τ K) U′ = M U* + A Û + Δt (loads + M g − f),   X′ = X̃ + τ U′
//
// (see the package documentation) with the fluid's Û at the markers and A = diag(a_k): marker k, whose velocity is v,
// gives the fluid the momentum a_k (v′_k − Û_k). load has further forces, one per node, and may be nil. The forces on the
// fluid, a_k (v′_k − Û_k)/Δt, are left in force, one per marker, which may be nil.
//
// Reactions that are negative, a node with neither mass, drag nor a marker's reaction, and a solution that
// is not finite are errors; the line is then where it was. A step solves one linear system, and up
// to 4 where segments turn fast (Solves).
func (l *Line) Step(fluid Fluid, load, force []geometry.Vec) error {
	if err := l.Begin(fluid, load); err != nil {
		return err
	}
	return l.Finish(force)
}

// Begin is the first half of Step, all but for what carries ends: Pull tells what the line does to that, Follow how it moves. In
// between the line is where it was.
func (l *Line) Begin(fluid Fluid, load []geometry.Vec) error {
	n, markers := len(l.now.x), len(l.markers)
	if len(fluid.Velocity) != markers || len(fluid.Reaction) != markers || fluid.Share != nil && len(fluid.Share) != markers || load != nil && len(load) != n {
		panic(fmt.Sprintf("beam: step of %d nodes and %d markers with %d velocities, %d reactions, %d shares, %d loads", n, markers, len(fluid.Velocity), len(fluid.Reaction), len(fluid.Share), len(load)))
	}
	q := &l.equations
	q.fluid, q.load = fluid, load
	l.predict()
	for e := range l.ends {
		l.ends[e].ratio = l.ends[e].lead / q.tau
	}
	for q.solves = 1; ; q.solves++ {
		q.feel()
		if err := q.resist(); err != nil {
			return err
		}
		q.assemble() // (βM + A + …) and its right-hand side, linearised
		if row := q.system.solve(q.rhs); row >= 0 {
			return fmt.Errorf("beam: step %d has no solution at node %d, at %.6g: what acts on the line is not finite, or crushed a segment: lower the loads or the velocities", l.steps+1, row/q.unknowns, l.now.x[row/q.unknowns])
		}
		if q.solves == mostSolves || q.straight() {
			break
		}
	}
	for e := range l.ends {
		if l.ends[e].carried {
			q.respond(e)
		}
	}
	return nil
}

// Finish is the second half of Step.
func (l *Line) Finish(force []geometry.Vec) error {
	if force != nil && len(force) != len(l.markers) {
		panic(fmt.Sprintf("beam: step of %d markers with %d forces", len(l.markers), len(force)))
	}
	if !l.equations.finite() {
		return fmt.Errorf("beam: step %d leads to velocities that are not finite: lower the loads or the velocities", l.steps+1)
	}
	l.advance()
	if force != nil {
		l.give(force)
	}
	return nil
}

// predict sets where nodes are with the velocities that they have, where the step is linearised,
// and what the scheme takes from the mass's history.
func (l *Line) predict() {
	q := &l.equations
	q.u = l.now.u
	for j := range q.segments {
		q.segments[j].pull = max(l.tension[j], 0)
	}
	if l.scheme == Euler || l.steps == 0 {
		q.beta, q.tau = 1, l.dt
		copy(q.at, l.now.x)
		clear(q.gain)
		for i, x := range l.now.x {
			q.from[i] = x.Add(l.now.u[i].Scale(l.dt))
		}
		return
	}
	q.beta, q.tau = 1.5, l.dt*2/3
	for i := range q.from {
		x, xb, u, ub := &l.now.x[i], &l.before.x[i], &l.now.u[i], &l.before.u[i]
		from, at, gain := &q.from[i], &q.at[i], &q.gain[i]
		for a := range 3 {
			moved := x[a] - xb[a]
			from[a] = x[a] + (moved/3 + q.tau*u[a]) // X̃ + τU, X̃ = (4X − X⁻)/3
			at[a] = x[a] + moved                    // 2X − X⁻
			gain[a] = (u[a] - ub[a]) / 2            // U* − βU, U* = (4U − U⁻)/2
		}
	}
}

// advance takes over the solution.
func (l *Line) advance() {
	q := &l.equations
	l.now, l.before = l.before, l.now // what is overwritten is the oldest
	for i := range l.now.x {
		x, u, ub, from := &l.now.x[i], &l.now.u[i], &l.before.u[i], &q.from[i]
		for a, v := range q.of(i) {
			u[a] = ub[a] + v
			x[a] = from[a] + q.tau*v
		}
	}
	for j := range q.segments {
		l.tension[j] = q.segments[j].tensionOf(q.of(j), q.of(j+1))
	}
	for e := range l.ends {
		l.ends[e].feel(q)
	}
	l.steps++
}

// equations are those of one step for the change U′ − U of velocities. It is small where U is
// not: rounding, which the stiffness multiplies, is that of the change.
type equations struct {
	*material
	ends *[2]support

	beta, tau      float64        // β, τ
	u              []geometry.Vec // U
	at, from, gain []geometry.Vec // X*, X̃ + τU, U* − βU
	fluid          Fluid
	sections       []section // of nodes
	load           []geometry.Vec

	axial    float64        // k_s, or what takes its place in this step
	inertia  []float64      // βM + A + Δt·drag
	force    []geometry.Vec // of the line where U′ = U
	segments []segment
	system   system
	rhs      []float64 // and, solved, U′ − U
	solves   int
}

func newEquations(m *material, ends *[2]support) equations {
	n := len(m.shares)
	q := equations{material: m, ends: ends, inertia: make([]float64, n), segments: make([]segment, n-1), sections: make([]section, n)}
	for _, v := range []*[]geometry.Vec{&q.at, &q.from, &q.gain, &q.force} {
		*v = make([]geometry.Vec, n)
	}
	q.system, q.rhs = newSystem(m.unknowns, n)
	return q
}

// of is U′ − U of node i, once it is solved for.
func (q *equations) of(i int) []float64 { return q.rhs[q.unknowns*i:][:q.dim] }

// resist finds what resists to velocities U′: the inertia of nodes and the axial stiffness.
func (q *equations) resist() error {
	most := 0.
	for i := range q.sections {
		a := q.sections[i].across
		if along := q.sections[i].along[0]; along < 0 {
			a = along
		}
		inertia := q.beta*q.mass[i] + a + q.dt*q.drag[i]
		held := i == 0 && q.ends[0].kind != Free || i == len(q.sections)-1 && q.ends[1].kind != Free
		if !(a >= 0 && (inertia > 0 || held && inertia == 0)) || !finite.Is(inertia) {
			return fmt.Errorf("beam: node %d has mass %g, drag %g and the fluid's reaction %g: the last must be finite and at least 0, and one of them positive: give the line mass, or put it into a fluid", i, q.mass[i], q.drag[i], a)
		}
		q.inertia[i] = inertia
		most = max(most, inertia)
	}
	q.axial = q.stretching
	if h := q.longest; q.inextensible {
		q.axial = inextensible*most*h/(q.tau*q.dt) + stiffAgainstBending*q.bendingStiffness/(h*h)
	}
	return nil
}

// assemble makes the system, linearised at X*.
func (q *equations) assemble() {
	clear(q.force)
	q.bending.addForces(q.force, q.from)
	q.linearise()
	q.system.assemble(q)
	for i, m := range q.mass {
		drag, gain, pull, u, f, rhs := q.drag[i], &q.gain[i], &q.sections[i].pull, &q.u[i], &q.force[i], q.of(i)
		for c := range rhs {
			rhs[c] = m*(gain[c]+q.dt*q.gravity[c]) + pull[c] + q.dt*(f[c]-drag*u[c])
		}
	}
	q.react()
	for i := range q.load {
		for c, rhs := 0, q.of(i); c < len(rhs); c++ {
			rhs[c] += q.dt * q.load[i][c]
		}
	}
	if q.bendingDamping > 0 {
		q.dampBending()
	}
	q.holdEnds()
}

// finite tells whether all of the solution are numbers.
func (q *equations) finite() bool {
	sum := 0.
	for _, u := range q.rhs {
		sum += 0 * u
	}
	return sum == 0
}

// A segment that turns by φ away from where a step is linearised is longer by φ²/2 than it was to
// be. Where that is more than turnTolerance, the step is linearised again where it led to.
const (
	turnTolerance = 1e-4
	mostSolves    = 4
)

// straight tells whether segments have turned by so little that the solution is as good as
// linear. If not, the next one is linearised where this leads to.
func (q *equations) straight() bool {
	worst := 0.
	for j := range q.segments {
		s, a, b, u, v := &q.segments[j], &q.from[j], &q.from[j+1], q.of(j), q.of(j+1)
		square, along := 0., 0.
		for c := range u {
			d := b[c] - a[c] + q.tau*(v[c]-u[c])
			square += d * d
			along += s.t[c] * d
		}
		worst = max(worst, (math.Sqrt(square)-along)/q.lengths[j])
	}
	if !(worst > turnTolerance) { // or not a number, which Step refuses
		return true
	}
	for i := range q.at {
		for a, v := range q.of(i) {
			q.at[i][a] = q.from[i][a] + q.tau*v
		}
	}
	for j := range q.segments {
		s := &q.segments[j]
		s.pull = max(s.pull, s.tensionOf(q.of(j), q.of(j+1)))
	}
	return false
}
