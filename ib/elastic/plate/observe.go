package plate

import (
	"math"

	"lbmib/geometry"
)

// Energy is that of a sheet by part.
type Energy struct {
	Stretching float64 // with that of shear
	Bending    float64
	Kinetic    float64 // ½ Σ m |U|²
	Gravity    float64 // −Σ m g·X, 0 where g·X is
}

// Total is the sum of all parts.
func (e Energy) Total() float64 { return e.Stretching + e.Bending + e.Kinetic + e.Gravity }

// Energy is that of the sheet where it is and as it moves.
func (s *Sheet) Energy() (e Energy) {
	e.Stretching = s.membraneEnergy(s.now.x)
	e.Bending = s.bending.energy(s.now.x)
	for k, m := range s.mass {
		e.Kinetic += m / 2 * s.now.u[k].Dot(s.now.u[k])
		e.Gravity -= m * s.gravity.Dot(s.now.x[k])
	}
	return e
}

// Forces adds the sheet's own forces −∂E/∂X at the places of its nodes to f, one per node.
func (s *Sheet) Forces(f []geometry.Vec) {
	s.addMembraneForces(f, s.now.x)
	s.bending.addForces(f, s.now.x)
}

// Tension is the largest magnitude of the tensions, force per length, that acted in the last step.
func (s *Sheet) Tension() (most float64) {
	for _, t := range s.stress.tension {
		most = math.Max(most, math.Abs(t))
	}
	return most
}

// Strain is the largest ||ΔX|/l − 1| of the edges between nodes.
func (s *Sheet) Strain() (most float64) {
	for k := range s.edges {
		most = math.Max(most, math.Abs(s.edges[k].strain(s.now.x)))
	}
	return most
}

// Curvature is the largest |X₁₁ + X₂₂| at nodes that have both, 1/length: twice the mean curvature.
func (s *Sheet) Curvature() (most float64) {
	b := s.bending
	for k := range s.now.x {
		if b.both[0][k] && b.both[1][k] {
			most = math.Max(most, b.second(0, k, s.now.x).Add(b.second(1, k, s.now.x)).Norm())
		}
	}
	return most
}

// Support is the force of the sheet on what holds its edges in the last step, with the inertia of the nodes
// there and what the fluid gave them.
func (s *Sheet) Support() geometry.Vec { return s.equations.holding }

// Middle is the place of the middle of an edge (Left, Right, Bottom, Top) and its velocity, where the number of nodes is even between
// the two nearest.
func (s *Sheet) Middle(edge int) (x, u geometry.Vec) {
	half := [2][2]int{{(s.n[0] - 1) / 2, s.n[0] / 2}, {(s.n[1] - 1) / 2, s.n[1] / 2}}
	var ends [2]int
	for v := range ends {
		i, j := half[0][v], half[1][v]
		switch edge {
		case Left:
			i = 0
		case Right:
			i = s.n[0] - 1
		case Bottom:
			j = 0
		default:
			j = s.n[1] - 1
		}
		ends[v] = i + s.n[0]*j
	}
	a, b := ends[0], ends[1]
	return s.now.x[a].Add(s.now.x[b]).Scale(0.5), s.now.u[a].Add(s.now.u[b]).Scale(0.5)
}

// Corners are the numbers of the nodes at the corners: left bottom, right bottom, left top, right top.
func (s *Sheet) Corners() [4]int {
	n := s.n[0] * s.n[1]
	return [4]int{0, s.n[0] - 1, n - s.n[0], n - 1}
}

// Solves tells how many linear systems the last step solved, up to 4 where edges turned by more than 0.014, how many rounds
// of conjugate gradients the last of them took, and whether by the factors of the whole matrix.
func (s *Sheet) Solves() (systems, rounds int, direct bool) {
	return s.equations.solves, s.equations.rounds, s.equations.direct
}

// AtNodes are what pictures show of the sheet, on each of its nodes: the mean of the tensions along s₁ and along s₂ that acted
// in the last step, each that of the edges beside it, force per length, and |X₁₁ + X₂₂|/2, the mean curvature, 1/length, 0 at nodes of
// edges, which have not both.
func (s *Sheet) AtNodes() (tension, curvature []float64) {
	n := len(s.now.x)
	tension, curvature = make([]float64, n), make([]float64, n)
	var sum, count [2][]float64 // along s₁ and s₂
	for axis := range sum {
		sum[axis], count[axis] = make([]float64, n), make([]float64, n)
	}
	for k := range s.edges {
		e := &s.edges[k]
		axis := 0
		if e.block == north {
			axis = 1
		}
		for _, at := range [...]int{e.a, e.b} {
			sum[axis][at] += s.stress.tension[k]
			count[axis][at]++
		}
	}
	b := s.bending
	for k := range tension {
		tension[k] = (sum[0][k]/count[0][k] + sum[1][k]/count[1][k]) / 2
		if b.both[0][k] && b.both[1][k] {
			curvature[k] = b.second(0, k, s.now.x).Add(b.second(1, k, s.now.x)).Norm() / 2
		}
	}
	return tension, curvature
}
