package flexible

import (
	"fmt"
	"unsafe"

	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/ring"
)

// The forces of an implicit cell are those of where its vertices go in the step at hand, not of where they are, so that it may be stiffer. With Û what a vertex
// feels of the fluid before the forces of the step, U′ what it moves with after them, and U what it moved with before,
//
//	F′ = F(X) − K⁺ (3/2 U′ − 1/2 U),   U′ = Û + B F′
//
// F being that of the membrane, loads and contact, K⁺ the stiffness of the membrane where it is without what would make it indefinite (elastic.Tangent), and B the velocity that a force on a vertex gives it
// at once. At rest F′ is F(X). A vertex feels half of what fluid gets from its own and all other forces, Σ_l A_kl F_l/(2ρ),
// A_kl = Σ_x δ(x−X_k) δ(x−X_l); where these are alike that is r_k/(2ρ) F_k, r_k = Σ_l A_kl, and it is never more, as diag(r) − A has no negative eigenvalue. So
// B = r/(2ρ), and along the membrane what it slips for each force besides, which its smoothing only makes less. A mode of the fluid's momentum that keeps γ of
// it from step to step, |γ| ≤ 1, then has no factor above 1, whatever the stiffness. (B⁻¹ + 3/2 K⁺) U′ = B⁻¹ Û + F + 1/2 K⁺ U is solved by conjugate gradients with B for a
// preconditioner, begun at U.

// Bounds of the conjugate gradients: residuals in the norm of B fall to so much of what they were, in at most so many products.
const (
	implicitTolerance = 1e-4
	implicitProducts  = 1000
)

// answer is what an implicit cell needs to know of the fluid at its vertices.
type answer struct {
	felt []geometry.Vec // Û
	ease []float64      // r/(2ρ)
}

// SetImplicit has the cell's forces be those of where it goes: before its first step.
func (c *Cell) SetImplicit() {
	c.answer = &answer{make([]geometry.Vec, len(c.u)), make([]float64, len(c.u))}
}

// Implicit tells whether SetImplicit was called.
func (c *Cell) Implicit() bool { return c.answer != nil }

// Answers is room for what Solve needs of the fluid at the vertices of an implicit cell. felt is the velocity there before the forces of the step act, in nodes per step. ease is the velocity
// that a force of one gives a vertex at once, if it acts on all vertices around alike.
func (c *Cell) Answers() (felt []geometry.Vec, ease []float64) { return c.answer.felt, c.answer.ease }

// Implicit tells whether a cell is.
func (s *System) Implicit() bool {
	for _, c := range s.Cells {
		if c.Implicit() {
			return true
		}
	}
	return false
}

// Solve makes the forces of implicit cells, which have been found where these are, those of where their vertices go: Answers have been set. perForce and over are Slip's; perForce 0: they do not slip.
// Where some cells alone slip (LetSlip) forces are of these alone. Its error is a cell that would move as no flow does.
func (s *System) Solve(perForce float64, over func(geometry.Vec) float64) (*Cell, error) {
	s.slip.per, s.slip.over = perForce, over
	if s.solveAll == nil {
		workers := s.loops.Workers()
		s.solveAll = func(w int) {
			for i := w; i < len(s.slipping); i += workers {
				s.unsolved[i] = fault{}
				if b := &s.slipping[i]; b.cells[0].Implicit() {
					s.unsolved[i] = b.kind.solve(b.cells, w, &s.slip)
				}
			}
		}
	}
	if len(s.unsolved) != len(s.slipping) {
		s.unsolved = make([]fault, len(s.slipping))
	}
	s.loops.Run(s.vertices, s.solveAll)
	for _, f := range s.unsolved {
		if f.err != nil {
			return f.cell, fmt.Errorf("body %q at step %d: %w", f.cell.Name, s.step, f.err)
		}
	}
	return nil, nil
}

// solver solves for so many cells of a kind at once, each in a lane of blocks (elastic.BlockLen) of so many lanes: number (3v+a)·lanes+l is component a of vertex v of lane l. A
// lane's results are its own.
type solver struct {
	lanes    int
	used     int                  // of them
	away     [elastic.Lanes]bool  // those of cells that wait outside of the fluid
	multiply func(v, w []float64) // w = K⁺ v

	x, u, felt, force []float64 // X, U, Û, F, then F′
	normal            []float64
	ease, slip        []float64 // of every vertex: B across the membrane, and what there is more along it

	velocity                            []float64 // U′
	residual, direction, product, eased []float64

	norm, enough, step lanes // of the conjugate gradients of each lane: the residual's in the norm of B, squared, where it is small enough, and the step at hand
	done               [elastic.Lanes]bool
}

// lanes is a number of every lane.
type lanes = [elastic.Lanes]float64

func newSolver(of, vertices int) *solver {
	s := &solver{lanes: of}
	for _, v := range []*[]float64{&s.x, &s.u, &s.felt, &s.force, &s.normal, &s.velocity, &s.residual, &s.direction, &s.product, &s.eased} {
		*v = make([]float64, 3*of*vertices)
	}
	s.ease, s.slip = make([]float64, of*vertices), make([]float64, of*vertices)
	return s
}

// take stores what is known of a cell in a lane, but for normals and what it slips.
func (s *solver) take(c *Cell, lane int) {
	n := s.lanes
	for v := range c.u {
		for a := range 3 {
			k := (3*v+a)*n + lane
			s.x[k], s.u[k], s.felt[k], s.force[k] = c.x[v][a], c.u[v][a], c.answer.felt[v][a], c.force[v][a]
		}
		if s.ease[v*n+lane] = c.answer.ease[v]; c.away { // nothing is asked of it
			s.ease[v*n+lane] = 1
		}
	}
	s.away[lane] = c.away
}

// give gives a cell the forces of a lane, unless a vertex has a velocity of a node a step or more then, which no flow has.
func (s *solver) give(c *Cell, lane int) error {
	for v := range c.u {
		var u geometry.Vec
		f := &c.force[v]
		for a := range f {
			k := (3*v+a)*s.lanes + lane
			f[a], u[a] = s.force[k], s.velocity[k]
		}
		if x, speed := c.x[v], u.Norm(); !(speed < 1) || 0*(f[0]+f[1]+f[2]) != 0 {
			return fmt.Errorf("vertex %d at (%.4g, %.4g, %.4g) would move with %.3g nodes a step, must be with less than 1, or its force is not finite: use a lower reference.velocity, a softer membrane, or smaller loads", v, x[0], x[1], x[2], speed)
		}
	}
	return nil
}

// solve finds U′ and F′ of the first used lanes.
func (s *solver) solve(used int) {
	s.used = used
	copy(s.velocity, s.u)
	s.multiply(s.u, s.product)
	for k := 0; k < len(s.u); k += s.lanes {
		for l := k; l < k+used; l++ {
			s.eased[l] = s.felt[l] - s.u[l]
			s.force[l] += 0.5 * s.product[l] // F + 1/2 K⁺ U
		}
	}
	s.apply(s.residual, s.eased, false)
	for k := 0; k < len(s.u); k += s.lanes {
		for l := k; l < k+used; l++ {
			s.residual[l] += s.force[l] - 1.5*s.product[l]
		}
	}
	s.relax()
	s.multiply(s.velocity, s.product)
	for k := 0; k < len(s.u); k += s.lanes {
		for l := k; l < k+used; l++ {
			s.force[l] -= 1.5 * s.product[l]
		}
	}
}

// relax adds to velocity what (B⁻¹ + 3/2 K⁺) makes residual of, in each lane.
func (s *solver) relax() {
	s.apply(s.eased, s.residual, true)
	copy(s.direction, s.eased)
	s.norm = s.dots(s.residual, s.eased)
	for l, norm := range s.norm {
		s.enough[l], s.done[l] = implicitTolerance*implicitTolerance*norm, l >= s.used || s.away[l] || !(norm > 0)
	}
	for range implicitProducts {
		if s.allDone() {
			return
		}
		s.multiply(s.direction, s.product)
		s.apply(s.eased, s.direction, false)
		for k := 0; k < len(s.product); k += s.lanes {
			product, eased := s.product[k:][:s.used], s.eased[k:][:s.used]
			for l, e := range eased {
				product[l] = e + 1.5*product[l]
			}
		}
		along := s.dots(s.direction, s.product)
		for l := range along {
			if s.step[l] = s.norm[l] / along[l]; s.done[l] {
				s.step[l] = 0
			}
		}
		s.advance()
	}
}

// allDone tells whether no lane is to go on.
func (s *solver) allDone() bool {
	for l := range s.used {
		if !s.done[l] {
			return false
		}
	}
	return true
}

// advance goes on along direction by the lanes' steps, and finds the next direction.
func (s *solver) advance() {
	for k := 0; k < len(s.velocity); k += s.lanes {
		velocity, residual, direction, product := s.velocity[k:][:s.used], s.residual[k:][:s.used], s.direction[k:][:s.used], s.product[k:][:s.used]
		for l := range velocity {
			if step := s.step[l]; step != 0 { // what a lane that is done has may be infinite
				velocity[l] += step * direction[l]
				residual[l] -= step * product[l]
			}
		}
	}
	s.apply(s.eased, s.residual, true)
	norm := s.dots(s.residual, s.eased)
	var turn lanes
	for l := range norm {
		turn[l], s.norm[l] = norm[l]/s.norm[l], norm[l]
		s.done[l] = s.done[l] || !(norm[l] > s.enough[l])
	}
	for k := 0; k < len(s.direction); k += s.lanes {
		direction, eased := s.direction[k:][:s.used], s.eased[k:][:s.used]
		for l := range direction {
			if !s.done[l] {
				direction[l] = eased[l] + turn[l]*direction[l]
			}
		}
	}
}

// apply stores in to what B makes of from, or B⁻¹.
func (s *solver) apply(to, from []float64, ease bool) {
	n := s.lanes
	for v := range len(s.ease) / n {
		b, c := s.ease[v*n:][:n], s.slip[v*n:][:n]
		at, in, normal := to[3*n*v:][:3*n], from[3*n*v:][:3*n], s.normal[3*n*v:][:3*n]
		for l := range s.used {
			x, y, z := normal[l], normal[n+l], normal[2*n+l]
			across := in[l]*x + in[n+l]*y + in[2*n+l]*z
			most, least := b[l]+c[l], b[l] // of what is along, and across
			if !ease {
				most, least = 1/most, 1/least
			}
			across *= least - most
			at[l], at[n+l], at[2*n+l] = most*in[l]+across*x, most*in[n+l]+across*y, most*in[2*n+l]+across*z
		}
	}
}

// dots are the products of the lanes of two blocks.
func (s *solver) dots(a, b []float64) (sums lanes) {
	for k := 0; k < len(a); k += s.lanes {
		b := b[k:][:s.used]
		for l, x := range a[k:][:s.used] {
			sums[l] += x * b[l]
		}
	}
	return sums
}

// meshedSolver is what a worker solves for cells of triangles with.
type meshedSolver struct {
	*solver
	tangent *elastic.Tangent
}

func (k *meshed) solve(cells []*Cell, worker int, slip *slip) (out fault) {
	r, m, used := &k.room[worker], k.membrane, len(cells)
	if r.solver == nil {
		s := &meshedSolver{newSolver(elastic.Lanes, m.Mesh().Vertices()), m.NewTangent()}
		s.multiply = func(v, w []float64) { s.tangent.Multiply(r.scratch, s.x, v, w, s.used) }
		r.solver = s
	}
	s := r.solver
	s.used = used
	for lane, c := range cells {
		s.take(c, lane)
	}
	elastic.FillUnused(s.x, used)
	s.tangent.Linearise(r.scratch, s.x, used)
	m.Normals(r.scratch, s.x, used, s.normal, s.slip)
	for lane, c := range cells {
		for v, x := range c.x {
			s.slip[v*elastic.Lanes+lane] = slip.at(x) / s.slip[v*elastic.Lanes+lane]
		}
	}
	s.solve(used)
	for lane, c := range cells {
		if c.away || out.err != nil {
			continue
		}
		if err := s.give(c, lane); err != nil {
			out = fault{c, err}
		}
	}
	return out
}

// ringedSolver is what a worker solves for rings with.
type ringedSolver struct {
	*solver
	tangent *ring.Tangent
}

func (k *ringed) solve(cells []*Cell, worker int, slip *slip) (out fault) {
	r := &k.room[worker]
	if r.solver == nil {
		s := &ringedSolver{newSolver(1, k.ring.Vertices()), k.ring.NewTangent()}
		s.multiply = func(v, w []float64) { s.tangent.Multiply(vectors(v), vectors(w)) }
		r.solver = s
	}
	s := r.solver
	for _, c := range cells {
		if c.away {
			continue
		}
		s.take(c, 0)
		s.tangent.Linearise(c.x)
		normal, last := vectors(s.normal), len(c.x)-1
		for v, x := range c.x {
			normal[v], _ = k.ring.Normal(c.x, v)
			next := c.x[(v+1)%len(c.x)]
			s.slip[v] = slip.at(x) * 2 / (next.Sub(x).Norm() + x.Sub(c.x[last]).Norm())
			last = v
		}
		s.solve(1)
		if err := s.give(c, 0); err != nil {
			return fault{c, err}
		}
	}
	return fault{}
}

// solve is none: sites of smooth cells that have forces are not those that move.
func (k *smooth) solve(cells []*Cell, _ int, _ *slip) fault {
	return fault{cells[0], fmt.Errorf("smooth cells make explicit steps alone")}
}

// at is what a vertex there slips for each force per area along the membrane.
func (s *slip) at(x geometry.Vec) float64 {
	if s.over == nil {
		return s.per
	}
	return s.per / s.over(x)
}

// vectors are the numbers of a block of one lane.
func vectors(x []float64) []geometry.Vec {
	return unsafe.Slice((*geometry.Vec)(unsafe.Pointer(&x[0])), len(x)/3)
}
