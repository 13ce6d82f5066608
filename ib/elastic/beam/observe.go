package beam

import (
	"fmt"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// Energy is that of a line by part.
type Energy struct {
	Stretching float64 // ½ k_s Σ (|ΔX|/l₀ − 1)² l₀; 0 where the line keeps its length
	Bending    float64 // ½ k_b Σ |D²X − κ₀ J D¹X|² l₀
	Kinetic    float64 // ½ Σ m |U|²
	Gravity    float64 // −Σ m g·X, 0 where g·X is
}

// Total is the sum of all parts.
func (e Energy) Total() float64 { return e.Stretching + e.Bending + e.Kinetic + e.Gravity }

// Energy is that of the line where it is and as it moves.
func (l *Line) Energy() (e Energy) {
	e.Stretching = strainEnergy(l.stretching, l.lengths, l.now.x)
	e.Bending = l.bending.energy(l.now.x)
	for i, m := range l.mass {
		e.Kinetic += m / 2 * l.now.u[i].Dot(l.now.u[i])
		e.Gravity -= m * l.gravity.Dot(l.now.x[i])
	}
	return e
}

// Forces adds the line's own forces −∂E/∂X, of its stretching and bending energies at the places
// of its nodes, to f (n of them). Those of an inextensible line's tension are no function of
// places and not among them.
func (l *Line) Forces(f []geometry.Vec) {
	addStrainForces(f, l.stretching, l.lengths, l.now.x)
	l.bending.addForces(f, l.now.x)
}

// Tension are the tensions of the n−1 segments that acted in the last step, negative where they
// pushed. At t = 0 they are those of the strain, of an inextensible line 0. The line goes on
// owning them.
func (l *Line) Tension() []float64 { return l.tension }

// Curvature stores the curvature at the n nodes, 1/length: in 2D with a sign, positive where the
// line turns left, in 3D |D²X|. At ends that are not clamped it is 0.
func (l *Line) Curvature(to []float64) {
	for i := range l.now.x {
		before, after := l.slope(i-1), l.slope(i)
		c := after.Sub(before).Scale(1 / l.shares[i])
		to[i] = c.Norm()
		if l.dim == 2 && turn(before.Add(after)).Dot(c) < 0 {
			to[i] = -to[i]
		}
	}
}

// slope is dX/ds of segment j; of segments −1 and n − 1, beyond the ends, the tangent of an end
// that is clamped, and otherwise that of the segment beside them.
func (l *Line) slope(j int) geometry.Vec {
	last := len(l.lengths) - 1
	switch {
	case j < 0 && l.ends[0].kind == Clamped:
		return l.ends[0].was
	case j > last && l.ends[1].kind == Clamped:
		return l.ends[1].was
	}
	j = min(max(j, 0), last)
	return l.now.x[j+1].Sub(l.now.x[j]).Scale(1 / l.lengths[j])
}

// Strain is the largest ||ΔX|/l₀ − 1| of the segments: how far an inextensible line is off its
// length.
func (l *Line) Strain() float64 { return strain(l.lengths, l.now.x) }

// Solves is the number of linear systems that the last step solved: 1, and up to 4 where
// segments turned by more than 0.014, which makes strains of 10⁻⁴, away from where the first was
// linearised.
func (l *Line) Solves() int { return l.equations.solves }

// Tip is the place of the last node.
func (l *Line) Tip() geometry.Vec { return l.now.x[len(l.now.x)-1] }

// NaturalCurvature is the curvature κ₀ for Config that makes the shape x, in the plane z = 0, the
// one without bending: exactly where its nodes are spaced evenly. Ends have that of
// their neighbours.
func NaturalCurvature(x []geometry.Vec) ([]float64, error) {
	n := len(x)
	if n < 3 {
		return nil, fmt.Errorf("beam: natural curvature of %d nodes, it takes at least 3", n)
	}
	k := make([]float64, n)
	for i := 1; i < n-1; i++ {
		a, b := x[i].Sub(x[i-1]), x[i+1].Sub(x[i])
		la, lb := a.Norm(), b.Norm()
		second := b.Scale(1 / lb).Sub(a.Scale(1 / la)).Scale(2 / (la + lb))
		first := a.Add(b).Scale(1 / (la + lb))
		k[i] = second.Dot(turn(first)) / first.Dot(first)
		if !finite.Is(k[i]) {
			return nil, fmt.Errorf("beam: the shape has no curvature at node %d: it meets a neighbour, or turns back there", i)
		}
	}
	k[0], k[n-1] = k[1], k[n-2]
	return k, nil
}

// AtNodes are what pictures show of the line, on each of its n nodes: the mean of the tensions of the segments beside it, see
// Tension, and the curvature, see Curvature.
func (l *Line) AtNodes() (tension, curvature []float64) {
	n := len(l.now.x)
	tension, curvature = make([]float64, n), make([]float64, n)
	for i := range n {
		tension[i] = (l.tension[max(i-1, 0)] + l.tension[min(i, n-2)]) / 2
	}
	l.Curvature(curvature)
	return tension, curvature
}
