package beam

import (
	"fmt"
	"math"

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
func (l *Line) Tension() []float64 { return l.now.tension }

// Curvature stores the curvature at the n nodes, 1/length: in 2D with a sign, positive where the
// line turns left, in 3D |D²X|. At ends that are not clamped it is 0.
func (l *Line) Curvature(to []float64) {
	for i := range l.now.x {
		c := l.curvatureVector(i)
		to[i] = c.Norm()
		if l.dim == 2 && turn(l.slope(i)).Dot(c) < 0 {
			to[i] = -to[i]
		}
	}
}

// curvatureVector is D²X, with the tangent where an end is clamped.
func (l *Line) curvatureVector(i int) (c geometry.Vec) {
	n := len(l.now.x)
	var before, after geometry.Vec
	switch {
	case i > 0:
		before = l.slopeOf(i - 1)
	case l.ends[0].kind == Clamped:
		before = l.ends[0].was
	default:
		return c
	}
	switch {
	case i < n-1:
		after = l.slopeOf(i)
	case l.ends[1].kind == Clamped:
		after = l.ends[1].was
	default:
		return c
	}
	return after.Sub(before).Scale(1 / l.shares[i])
}

// slopeOf is dX/ds of segment j.
func (l *Line) slopeOf(j int) geometry.Vec {
	return l.now.x[j+1].Sub(l.now.x[j]).Scale(1 / l.lengths[j])
}

// slope is dX/ds at node i, between its neighbours.
func (l *Line) slope(i int) geometry.Vec {
	a, b := max(i-1, 0), min(i, len(l.lengths)-1)
	return l.slopeOf(a).Add(l.slopeOf(b)).Scale(0.5)
}

// Strain is the largest |(|ΔX|/l₀ − 1)| of the segments: what an inextensible line, which
// corrects it in every step, is off by.
func (l *Line) Strain() (most float64) {
	for j, rest := range l.lengths {
		most = math.Max(most, math.Abs(l.now.x[j+1].Sub(l.now.x[j]).Norm()/rest-1))
	}
	return most
}

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
