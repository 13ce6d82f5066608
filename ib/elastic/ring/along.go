package ring

import (
	"math"

	"lbmib/geometry"
)

// Along finds the force per length that acts along a ring, at its vertices: the part of the force on a vertex along the line between its neighbours, over
// half of the segments beside it. It is smoothed so many times by (1, 2, 1)/4, see Rounds. It is one worker's room.
type Along struct{ tangent, traction, next []geometry.Vec }

// Find is the traction where vertices are at x with forces f on them. It stays until the next call.
func (w *Along) Find(x, f []geometry.Vec, rounds int) []geometry.Vec {
	n := len(x)
	if len(w.tangent) < n {
		w.tangent, w.traction, w.next = make([]geometry.Vec, n), make([]geometry.Vec, n), make([]geometry.Vec, n)
	}
	tangent, traction, next := w.tangent[:n], w.traction[:n], w.next[:n]
	before := n - 1
	for v := range x {
		after := (v + 1) % n
		chord := x[after].Sub(x[before])
		tangent[v] = chord.Scale(1 / chord.Norm())
		half := (x[after].Sub(x[v]).Norm() + x[v].Sub(x[before]).Norm()) / 2
		traction[v] = tangent[v].Scale(f[v].Dot(tangent[v]) / half)
		before = v
	}
	for range rounds {
		before := n - 1
		for v := range next {
			after := (v + 1) % n
			for a := range 2 {
				next[v][a] = 0.25*(traction[before][a]+traction[after][a]) + 0.5*traction[v][a]
			}
			before = v
		}
		traction, next = next, traction
	}
	for v, t := range tangent {
		traction[v] = t.Scale(traction[v].Dot(t))
	}
	return traction
}

// Normal is the unit normal at vertex v of the ring at x, and twice the rate at which the area enclosed grows as the vertex moves along it.
func (r *Ring) Normal(x []geometry.Vec, v int) (n geometry.Vec, growth float64) {
	chord := x[(v+1)%len(x)].Sub(x[(v+len(x)-1)%len(x)])
	growth = chord.Norm()
	return geometry.Vec{chord[1] / growth, -chord[0] / growth}, growth
}

// mostRounds bounds how often a traction is smoothed.
const mostRounds = 24

// Rounds is that of package elastic, of a ring: waves along it, γ the cosine of their phase from vertex to vertex, are stiff as (1 − γ)/2 K, and smoothed to ((1 + γ)/2)^r.
func Rounds(length, e, most float64) (rounds int, stiffness float64) {
	for rounds = 1; ; rounds++ {
		r := float64(rounds)
		stiffest := math.Pow(r/(r+1), r) / (r + 1)
		if stiffness = length / (4 * e * stiffest); stiffness >= most || rounds == mostRounds {
			return rounds, stiffness
		}
	}
}
