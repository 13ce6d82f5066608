package vessel

import (
	"math"

	"lbmib/geometry"
)

// Profile is how velocity is distributed over a section: 1 on average, zero outside.
type Profile func(p geometry.Vec) float64

// Plug is 1 everywhere.
func (s *Section) Plug() Profile {
	return func(p geometry.Vec) float64 { return 1 }
}

// Parabolic is 1 − r² over its mean, where r is how far a place is along the ray from the middle of the disc to its rim: of a
// circle the profile of developed flow.
func (s *Section) Parabolic() Profile {
	c := middle(s.rim)
	of := func(x [2]float64) float64 {
		r := s.alongRay(c, x)
		return max(0, 1-r*r)
	}
	mean := s.mean(of)
	return func(p geometry.Vec) float64 { return of(s.plane.in(p)) / mean }
}

// Largest is the largest value of a profile over the disc, by the middles of cells.
func (s *Section) Largest(of Profile) (most float64) {
	s.mean(func(x [2]float64) float64 {
		most = max(most, of(s.plane.place(x)))
		return 0
	})
	return most
}

// alongRay is the distance of x from c over that of the rim behind it, the nearest one.
func (s *Section) alongRay(c, x [2]float64) (r float64) {
	d := [2]float64{x[0] - c[0], x[1] - c[1]}
	for i, a := range s.rim {
		b := s.rim[(i+1)%len(s.rim)]
		e := [2]float64{b[0] - a[0], b[1] - a[1]}
		o := [2]float64{a[0] - c[0], a[1] - c[1]}
		det := e[0]*d[1] - e[1]*d[0]
		if det == 0 {
			continue
		}
		along := (o[1]*d[0] - o[0]*d[1]) / det        // of the side; within 0 … 1 where the ray meets it
		distance := (e[0]*o[1] - e[1]*o[0]) / det     // of the rim from c, in |d|
		if along >= 0 && along <= 1 && distance > 0 { // r is 1 over the least distance
			r = max(r, 1/distance)
		}
	}
	return r
}

// across is how many cells a section is divided into along its longer side.
const across = 96

// mean is that of what is given over the disc, by the middles of cells.
func (s *Section) mean(of func(x [2]float64) float64) float64 {
	g := s.grid()
	sum, n := 0., 0
	for j := range 2 * g.n[1] {
		for i := range 2 * g.n[0] {
			x := [2]float64{g.lo[0] + (float64(i)+0.5)*g.h/2, g.lo[1] + (float64(j)+0.5)*g.h/2}
			if holds(s.rim, x) {
				sum += of(x)
				n++
			}
		}
	}
	return sum / float64(n)
}

// grid are points around a section: n[0] × n[1], h apart from lo on.
type grid struct {
	lo [2]float64
	n  [2]int
	h  float64
}

func (s *Section) grid() (g grid) {
	hi := [2]float64{math.Inf(-1), math.Inf(-1)}
	g.lo = [2]float64{math.Inf(1), math.Inf(1)}
	for _, x := range s.rim {
		for a := range 2 {
			g.lo[a], hi[a] = min(g.lo[a], x[a]), max(hi[a], x[a])
		}
	}
	g.h = max(hi[0]-g.lo[0], hi[1]-g.lo[1]) / across
	for a := range 2 {
		g.lo[a] -= g.h
		g.n[a] = int((hi[a]-g.lo[a])/g.h) + 3
	}
	return g
}

// Poiseuille is the profile w of developed flow through a pipe of the section: ∇²w = −1 inside and 0 on the rim, over its mean. It is solved
// by differences on a grid of 96 points across, second order at the rim (Gibou, Fedkiw, Cheng & Kang, J. Comput. Phys. 176 (2002) 205),
// and linear between points.
func (s *Section) Poiseuille() Profile {
	e := s.poisson()
	e.solve()
	mean := s.mean(e.at)
	return func(p geometry.Vec) float64 { return max(0, e.at(s.plane.in(p))/mean) }
}

// poisson are the equations of the points inside a section.
type poisson struct {
	grid
	number []int32      // of the points of the grid: that of its equation, −1 outside
	beside [][4]int32   // of an equation: those of its neighbours −x +x −y +y, −1 beyond the rim
	part   [][4]float64 // of the way to a neighbour that is inside: 1 but for what the rim cuts
	w      []float64
}

// leastPart bounds from below how near the rim may be to a point, in spacings.
const leastPart = 1e-3

func (s *Section) poisson() *poisson {
	e := &poisson{grid: s.grid()}
	e.number = make([]int32, e.n[0]*e.n[1])
	n := int32(0)
	for k := range e.number {
		if e.number[k] = -1; holds(s.rim, e.point(k)) {
			e.number[k] = n
			n++
		}
	}
	e.beside, e.part, e.w = make([][4]int32, n), make([][4]float64, n), make([]float64, n)
	for k, i := range e.number {
		if i < 0 {
			continue
		}
		for side, step := range [4]int{-1, 1, -e.n[0], e.n[0]} {
			j := e.number[k+step] // the outermost points are outside
			e.beside[i][side], e.part[i][side] = j, 1
			if j < 0 {
				e.part[i][side] = max(leastPart, s.toRim(e.point(k), e.point(k+step)))
			}
		}
	}
	return e
}

func (g *grid) point(k int) [2]float64 {
	return [2]float64{g.lo[0] + float64(k%g.n[0])*g.h, g.lo[1] + float64(k/g.n[0])*g.h}
}

// toRim is the part of the way from a point to another at which the rim is first met, 1 where it is not.
func (s *Section) toRim(from, to [2]float64) float64 {
	d := [2]float64{to[0] - from[0], to[1] - from[1]}
	least := 1.
	for i, a := range s.rim {
		b := s.rim[(i+1)%len(s.rim)]
		e := [2]float64{b[0] - a[0], b[1] - a[1]}
		o := [2]float64{a[0] - from[0], a[1] - from[1]}
		det := d[0]*e[1] - d[1]*e[0]
		if det == 0 {
			continue
		}
		way, along := (o[0]*e[1]-o[1]*e[0])/det, (o[0]*d[1]-o[1]*d[0])/det
		if way >= 0 && along >= 0 && along <= 1 {
			least = min(least, way)
		}
	}
	return least
}

// apply is y = A x with A w = Σ (w − w of the neighbour)/part, h² ∇² the other way round.
func (e *poisson) apply(y, x []float64) {
	for i := range x {
		sum := 0.
		for side, j := range e.beside[i] {
			if j >= 0 {
				sum += x[i] - x[j]
			} else {
				sum += x[i] / e.part[i][side]
			}
		}
		y[i] = sum
	}
}

// solve finds w by conjugate gradients, scaled by the diagonal, to 1e-10 of the right side, which is 1.
func (e *poisson) solve() {
	n := len(e.w)
	r, z, d, q := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	diagonal := make([]float64, n)
	for i := range diagonal {
		for _, part := range e.part[i] {
			diagonal[i] += 1 / part
		}
		r[i] = 1
		z[i] = r[i] / diagonal[i]
		d[i] = z[i]
	}
	rz := dot(r, z)
	for range 20 * across {
		e.apply(q, d)
		alpha := rz / dot(d, q)
		for i := range r {
			e.w[i] += alpha * d[i]
			r[i] -= alpha * q[i]
			z[i] = r[i] / diagonal[i]
		}
		if dot(r, r) <= 1e-20*float64(n) {
			return
		}
		next := dot(r, z)
		for i := range d {
			d[i] = z[i] + next/rz*d[i]
		}
		rz = next
	}
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// at is w, bilinear between points. Those beyond the rim have what continues w straight through the zero on the rim.
func (e *poisson) at(x [2]float64) float64 {
	u, v := (x[0]-e.lo[0])/e.h, (x[1]-e.lo[1])/e.h
	i, j := int(math.Floor(u)), int(math.Floor(v))
	if i < 0 || j < 0 || i >= e.n[0]-1 || j >= e.n[1]-1 {
		return 0
	}
	u, v = u-float64(i), v-float64(j)
	k := i + j*e.n[0]
	return (1-v)*((1-u)*e.value(k)+u*e.value(k+1)) + v*((1-u)*e.value(k+e.n[0])+u*e.value(k+e.n[0]+1))
}

// value is w at a point of the grid, beyond the rim the mean of what its neighbours inside continue to.
func (e *poisson) value(k int) float64 {
	if i := e.number[k]; i >= 0 {
		return e.w[i]
	}
	sum, n := 0., 0
	x, y := k%e.n[0], k/e.n[0]
	for side, step := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} { // seen from inside: −x +x −y +y
		if a, b := x+step[0], y+step[1]; a >= 0 && b >= 0 && a < e.n[0] && b < e.n[1] {
			if i := e.number[a+b*e.n[0]]; i >= 0 {
				part := max(e.part[i][side], 0.1) // nearer ones would shoot over
				sum -= e.w[i] * (1 - part) / part
				n++
			}
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
