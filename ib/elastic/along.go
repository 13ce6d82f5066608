package elastic

import (
	"math"

	"lbmib/geometry"
)

// Along finds the force per area that acts along a membrane, at its vertices: the part across n, the normal of the vertex (of the triangles
// around it, by area), of the force on a vertex over its area, a third of these triangles. It is one worker's room.
//
// It is smoothed, by a mean over the neighbours of each vertex, twice as often as rounds tell: an explicit step in which vertices move by a multiple of
// it is unstable otherwise. See Rounds.
type Along struct {
	normal, traction, next []geometry.Vec
	area                   []float64
}

// Find is the traction where vertices are at x with forces f on them. It stays until the next call.
func (w *Along) Find(m *Mesh, x, f []geometry.Vec, rounds int) []geometry.Vec {
	n := len(x)
	if len(w.normal) < n {
		w.normal, w.traction, w.next, w.area = make([]geometry.Vec, n), make([]geometry.Vec, n), make([]geometry.Vec, n), make([]float64, n)
	}
	normal, traction, next, area := w.normal[:n], w.traction[:n], w.next[:n], w.area[:n]
	clear(normal)
	clear(area)
	for _, t := range m.triangles {
		o := x[t[0]]
		twice := x[t[1]].Sub(o).Cross(x[t[2]].Sub(o))
		sixth := math.Sqrt(twice.Dot(twice)) / 6
		for _, v := range t {
			at := &normal[v]
			at[0], at[1], at[2] = at[0]+twice[0], at[1]+twice[1], at[2]+twice[2]
			area[v] += sixth
		}
	}
	for v := range traction {
		normal[v] = normal[v].Scale(1 / math.Sqrt(normal[v].Dot(normal[v])))
		traction[v] = across(f[v], normal[v]).Scale(1 / area[v])
	}
	for range 2 * rounds {
		clear(next)
		for i := range m.edges {
			a, b := m.edges[i].a, m.edges[i].b
			to, from := &next[a], &traction[b]
			to[0], to[1], to[2] = to[0]+from[0], to[1]+from[1], to[2]+from[2]
			to, from = &next[b], &traction[a]
			to[0], to[1], to[2] = to[0]+from[0], to[1]+from[1], to[2]+from[2]
		}
		for v := range next {
			traction[v] = next[v].Scale(m.shares[v])
		}
	}
	for v := range traction {
		traction[v] = across(traction[v], normal[v])
	}
	return traction
}

// across is the part of a vector across a direction.
func across(a, n geometry.Vec) geometry.Vec { return a.Sub(n.Scale(a.Dot(n))) }

// Bounds of how often a traction is smoothed.
const mostRounds = 12

// Rounds is how often a traction f is smoothed that moves vertices by e f/(ρν): so often that explicit steps are stable where K Δt/(ρνΔx), K the largest eigenvalue of
// −∂F/∂X, is most; or as often as is worth it, and up to which K Δt/(ρνΔx). The area of a vertex and e are in nodes. Waves along a membrane that leave the neighbours of a
// vertex γ of it in the mean are stiff as (1 − γ)/1.5 K and are smoothed to γ^2r: they may take a quarter of what a step of second order bears, as the fluid's own answer takes
// some. Spheres of radius 5 in shear, with roma3 and K Δt/(ρνΔx) = 12, went wrong with a half of the rounds, with vertices of 1.3 and 0.5 nodes².
func Rounds(area, e, most float64) (rounds int, stiffness float64) {
	for rounds = 1; ; rounds++ {
		p := float64(2 * rounds)
		stiffest := math.Pow(p/(p+1), p) / (p + 1) / 1.5
		if stiffness = area / (4 * e * stiffest); stiffness >= most || rounds == mostRounds {
			return rounds, stiffness
		}
	}
}
