// Package implicit makes surfaces of triangles from functions of space: where a function, or an image, is 0.
package implicit

import (
	"math"

	"lbmib/geometry"
)

// Grid are values on points of a box, x fastest: less than 0 inside of a surface.
type Grid struct {
	Lo     geometry.Vec // the first point
	Step   geometry.Vec
	Size   [3]int
	Values []float32
}

// Sample takes a function's values on a grid.
func Sample(of func(p geometry.Vec) float64, lo geometry.Vec, step float64, size [3]int) *Grid {
	g := &Grid{Lo: lo, Step: geometry.Vec{step, step, step}, Size: size, Values: make([]float32, size[0]*size[1]*size[2])}
	for k := range g.Values {
		g.Values[k] = float32(of(g.point(k)))
	}
	return g
}

func (g *Grid) at(k int) [3]int {
	return [3]int{k % g.Size[0], k / g.Size[0] % g.Size[1], k / g.Size[0] / g.Size[1]}
}

func (g *Grid) point(k int) (p geometry.Vec) {
	for a, i := range g.at(k) {
		p[a] = g.Lo[a] + float64(i)*g.Step[a]
	}
	return p
}

// Surface is where the values change sign: a point in every cell whose corners do, the mean of where its edges are cut (surface nets: Gibson,
// MICCAI 1998), and two triangles across every edge, anticlockwise as seen from outside. It is closed but for where it meets the
// box's faces. In a cell that two sheets pass they meet in its point.
func (g *Grid) Surface() (points []geometry.Vec, triangles [][3]int) {
	stride := [3]int{1, g.Size[0], g.Size[0] * g.Size[1]}
	number := make([]int32, len(g.Values)) // of the point in the cell above a point of the grid, plus one
	for k := range g.Values {
		if p, cut := g.pointOf(k, &stride); cut {
			points = append(points, p)
			number[k] = int32(len(points))
		}
	}
	for k := range g.Values {
		at := g.at(k)
		for a := range 3 {
			b, c := (a+1)%3, (a+2)%3
			if at[a]+1 == g.Size[a] || at[b] == 0 || at[c] == 0 || at[b]+1 == g.Size[b] || at[c]+1 == g.Size[c] {
				continue
			}
			here, there := g.Values[k] < 0, g.Values[k+stride[a]] < 0
			if here == there {
				continue
			}
			q := [4]int{int(number[k-stride[b]-stride[c]]), int(number[k-stride[c]]), int(number[k]), int(number[k-stride[b]])}
			if there {
				q[1], q[3] = q[3], q[1]
			}
			for i := range q {
				q[i]--
			}
			if points[q[0]].Sub(points[q[2]]).Norm() <= points[q[1]].Sub(points[q[3]]).Norm() {
				triangles = append(triangles, [3]int{q[0], q[1], q[2]}, [3]int{q[0], q[2], q[3]})
			} else {
				triangles = append(triangles, [3]int{q[1], q[2], q[3]}, [3]int{q[1], q[3], q[0]})
			}
		}
	}
	return points, triangles
}

// pointOf is the point of the surface in the cell above point k, if there is one.
func (g *Grid) pointOf(k int, stride *[3]int) (p geometry.Vec, cut bool) {
	at := g.at(k)
	for a := range 3 {
		if at[a]+1 == g.Size[a] {
			return p, false
		}
	}
	n := 0
	for a := range 3 {
		b, c := (a+1)%3, (a+2)%3
		for corner := range 4 {
			from := k + corner&1*stride[b] + corner>>1*stride[c]
			u, v := g.Values[from], g.Values[from+stride[a]]
			if (u < 0) == (v < 0) {
				continue
			}
			x := g.point(from)
			x[a] += g.Step[a] * between(u, v)
			p, n = p.Add(x), n+1
		}
	}
	if n == 0 {
		return p, false
	}
	return p.Scale(1 / float64(n)), true
}

// between is where on the way from a value to one of the other sign zero is; never quite at the ends, where points of cells would be one.
func between(u, v float32) float64 {
	const least = 1e-3
	return math.Min(math.Max(float64(u)/(float64(u)-float64(v)), least), 1-least)
}

// Relax evens out triangles on the surface of a function: in rounds every point moves to the middle of its neighbours, and from there onto the
// surface. Points of open edges move with them.
func Relax(points []geometry.Vec, triangles [][3]int, of func(p geometry.Vec) float64, step float64, rounds int) {
	sums, n := make([]geometry.Vec, len(points)), make([]float64, len(points))
	for range rounds {
		clear(sums)
		clear(n)
		for _, t := range triangles {
			for i := range 3 {
				a, b := t[i], t[(i+1)%3]
				sums[a], n[a] = sums[a].Add(points[b]), n[a]+1
				sums[b], n[b] = sums[b].Add(points[a]), n[b]+1
			}
		}
		for i := range points {
			points[i] = sums[i].Scale(1 / n[i])
		}
		Fit(points, of, step)
	}
}

// Fit moves points onto the surface of a function, by Newton's method along its gradient, each by at most a step.
func Fit(points []geometry.Vec, of func(p geometry.Vec) float64, step float64) {
	h := 1e-4 * step
	for i, p := range points {
		start := p
		for range 8 {
			var d geometry.Vec
			for a := range 3 {
				q, r := p, p
				q[a], r[a] = q[a]+h, r[a]-h
				d[a] = (of(q) - of(r)) / (2 * h)
			}
			p = p.Sub(d.Scale(of(p) / d.Dot(d)))
		}
		if p.Sub(start).Norm() <= step {
			points[i] = p
		}
	}
}
