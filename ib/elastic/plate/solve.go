package plate

import (
	"math"

	"lbmib/geometry"
)

// solver finds velocities by conjugate gradients. They are preconditioned with the inverses of the nodes' own
// blocks or, where the stiffness is so much larger than the inertia that many rounds are expected, with the factors of the
// whole banded matrix: then two rounds do.
type solver struct {
	system
	isHeld     []bool
	r, z, p, y []geometry.Vec // residual, preconditioned, direction, its product
	inverse    []block        // of the nodes' own blocks
	band       *band          // nil as long as it was not needed
	rounds     int            // of the last solution
	direct     bool           // it took the banded factors
}

// tolerance is the residual, in the norm of the preconditioner, over that of the right-hand side at which the rounds
// end: what is beyond it is lost in the rounding of forces.
const tolerance = 1e-13

// mostRounds is when conjugate gradients give up on the nodes' own blocks.
const mostRounds = 4000

// mostRefined is when they do on the factors of the whole matrix.
const mostRefined = 30

func newSolver(g grid, isHeld []bool) solver {
	n := len(isHeld)
	s := solver{system: system{g, make([]row, n)}, isHeld: isHeld, inverse: make([]block, n)}
	for _, v := range []*[]geometry.Vec{&s.r, &s.z, &s.p, &s.y} {
		*v = make([]geometry.Vec, n+g.beyond())
	}
	return s
}

// solve improves v, whose values at held nodes are kept, until it solves the system with the right-hand side b. It is false where the matrix is not positive definite, or not finite.
func (s *solver) solve(v, b []geometry.Vec, by stiffness) bool {
	return s.solveBy(s.takesFactors(by), v, b) || !s.direct && s.solveBy(true, v, b)
}

// solveBy solves with the preconditioner asked for.
func (s *solver) solveBy(factors bool, v, b []geometry.Vec) bool {
	s.direct = factors
	if !factors {
		return s.invertBlocks() && s.iterate(v, b, mostRounds)
	}
	if s.band == nil {
		s.band = newBand(s.grid)
	}
	return s.band.factor(&s.system, s.isHeld) && s.iterate(v, b, mostRefined)
}

// stiffness is how many times larger than the inertia that of stretching and that of bending is at most.
type stiffness struct{ membrane, bending float64 }

// takesFactors tells whether the banded factors take less time than as many rounds as are expected, 0.13 µs a node each. Measured
// for residuals of 10⁻¹³, 9 to 51 nodes a side: 18 √(1+ratio), at most 6 a node of the longer side, where the sheet is stiff
// against stretching, and 25 √(1+ratio), at most 1.25 a node, where it is so against bending.
func (s *solver) takesFactors(by stiffness) bool {
	nodes := float64(len(s.isHeld))
	width := float64(bandWidth(s.grid))
	factors := 3 * nodes * width * width / 2 * 2e-3 // µs
	rounds := math.Min(18*math.Sqrt(1+by.membrane), 6*float64(max(s.n[0], s.n[1]))) + math.Min(25*math.Sqrt(1+by.bending)-25, 1.25*nodes)
	return factors < rounds*nodes*0.13
}

// iterate makes at most so many rounds. It is false where they do not lead to a solution.
func (s *solver) iterate(v, b []geometry.Vec, most int) bool {
	n := len(s.isHeld)
	// The norm of the right-hand side is the one to be small against.
	copy(s.r, b[:n])
	s.free(s.r)
	s.precondition()
	target := tolerance * tolerance * dot(s.r[:n], s.z)

	s.multiply(s.y, v)
	for k := range n {
		s.r[k] = b[k].Sub(s.y[k])
	}
	s.free(s.r)
	s.precondition()
	copy(s.p, s.z[:n])
	size := dot(s.r[:n], s.z)
	for s.rounds = 0; size > target; s.rounds++ {
		if s.rounds == most {
			return false
		}
		s.multiply(s.y, s.p)
		s.free(s.y)
		step := size / dot(s.p[:n], s.y)
		for k := range n {
			p, y, x, r := &s.p[k], &s.y[k], &v[k], &s.r[k]
			x[0], x[1], x[2] = x[0]+step*p[0], x[1]+step*p[1], x[2]+step*p[2]
			r[0], r[1], r[2] = r[0]-step*y[0], r[1]-step*y[1], r[2]-step*y[2]
		}
		s.precondition()
		next := dot(s.r[:n], s.z)
		more := next / size
		size = next
		for k := range n {
			p, z := &s.p[k], &s.z[k]
			p[0], p[1], p[2] = z[0]+more*p[0], z[1]+more*p[1], z[2]+more*p[2]
		}
	}
	return size <= target // not where it is no number
}

// free sets what held nodes have to 0.
func (s *solver) free(v []geometry.Vec) {
	for k, held := range s.isHeld {
		if held {
			v[k] = geometry.Vec{}
		}
	}
}

// precondition stores about the solution for the residual.
func (s *solver) precondition() {
	if s.direct {
		s.band.solve(s.z, s.r)
		s.free(s.z)
		return
	}
	for k := range s.inverse {
		b, r := &s.inverse[k], &s.r[k]
		s.z[k] = geometry.Vec{b[0]*r[0] + b[1]*r[1] + b[2]*r[2], b[3]*r[0] + b[4]*r[1] + b[5]*r[2], b[6]*r[0] + b[7]*r[1] + b[8]*r[2]}
	}
}

// invertBlocks inverts the nodes' own blocks. It is false where one is not positive definite.
func (s *solver) invertBlocks() bool {
	for k := range s.inverse {
		m := &s.rows[k].near[self]
		a, b, c, d, e, f := m[0], m[1], m[2], m[4], m[5], m[8]
		u, v, w := d*f-e*e, c*e-b*f, b*e-c*d
		det := a*u + b*v + c*w
		if !(a > 0 && a*d-b*b > 0 && det > 0) {
			return false
		}
		g := 1 / det
		s.inverse[k] = block{u * g, v * g, w * g, v * g, (a*f - c*c) * g, (b*c - a*e) * g, w * g, (b*c - a*e) * g, (a*d - b*b) * g}
	}
	return true
}

// dot is the sum of products of a and as many elements of b.
func dot(a, b []geometry.Vec) (sum float64) {
	b = b[:len(a)]
	for k := range a {
		sum += a[k][0]*b[k][0] + a[k][1]*b[k][1] + a[k][2]*b[k][2]
	}
	return sum
}
