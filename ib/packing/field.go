package packing

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
)

// field is the signed distance from a closed surface, negative inside, on a grid around it: linear between its points, and clipped where the surface is
// farther away than what is asked for.
type field struct {
	lo       geometry.Vec
	step     float64
	n        [3]int
	value    []float64
	farthest float64 // of its vertices from the origin
}

// fieldCells is how many cells of the grid lie across the surface where it is thinnest, and fieldMost how many points there are at most.
const (
	fieldCells = 10
	fieldMost  = 4_000_000
)

// newField is of a surface of triangles about the origin, right up to a reach outside of it.
func newField(points []geometry.Vec, triangles [][3]int, reach float64) (*field, error) {
	lo, hi := points[0], points[0]
	f := &field{}
	for _, x := range points {
		for a := range x {
			lo[a], hi[a] = math.Min(lo[a], x[a]), math.Max(hi[a], x[a])
		}
		f.farthest = math.Max(f.farthest, x.Norm())
	}
	thin := math.Min(hi[0]-lo[0], math.Min(hi[1]-lo[1], hi[2]-lo[2]))
	if !(thin > 0) {
		return nil, fmt.Errorf("packing: a surface of extents %.3g, %.3g and %.3g encloses nothing: give a closed one", hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2])
	}
	f.step = thin / fieldCells
	nodes := 1
	for a := range lo {
		f.lo[a] = lo[a] - reach - 1.5*f.step
		f.n[a] = int(math.Ceil((hi[a]+reach+1.5*f.step-f.lo[a])/f.step)) + 1
		if nodes *= f.n[a]; nodes > fieldMost {
			return nil, fmt.Errorf("packing: a surface of extents %.3g, %.3g and %.3g is too thin for its length: give one that is rounder", hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2])
		}
	}
	band := reach + thin/2 + 2*f.step
	f.value = make([]float64, nodes)
	for k := range f.value {
		f.value[k] = band
	}
	for _, t := range triangles {
		f.add(points[t[0]], points[t[1]], points[t[2]], band)
	}
	f.sign(points, triangles)
	return f, nil
}

// add lowers the distance of the grid's points that are within the band of a triangle.
func (f *field) add(a, b, c geometry.Vec, band float64) {
	middle := a.Add(b).Add(c).Scale(1. / 3)
	radius := max(a.Sub(middle).Norm(), b.Sub(middle).Norm(), c.Sub(middle).Norm())
	var from, to [3]int
	for d := range from {
		from[d] = max(0, int(math.Ceil((min(a[d], b[d], c[d])-band-f.lo[d])/f.step)))
		to[d] = min(f.n[d]-1, int(math.Floor((max(a[d], b[d], c[d])+band-f.lo[d])/f.step)))
	}
	for z := from[2]; z <= to[2]; z++ {
		for y := from[1]; y <= to[1]; y++ {
			for x := from[0]; x <= to[0]; x++ {
				p := geometry.Vec{f.lo[0] + float64(x)*f.step, f.lo[1] + float64(y)*f.step, f.lo[2] + float64(z)*f.step}
				at := (z*f.n[1]+y)*f.n[0] + x
				if away := p.Sub(middle); beyond(away.Dot(away), f.value[at]+radius) {
					continue // the triangle is farther away than another one
				}
				if d := fromTriangle(p, a, b, c); d < f.value[at] {
					f.value[at] = d
				}
			}
		}
	}
}

// beyond tells whether a distance, of which the square is given, is greater than another, by more than they are rounded by.
func beyond(square, d float64) bool { return d < 0 || square > d*d*(1+1e-6) }

// sign makes distances inside negative: points of a line along x are inside between its first and second crossing with the surface, and so on.
func (f *field) sign(points []geometry.Vec, triangles [][3]int) {
	crossings := make([][]float64, f.n[1]*f.n[2])
	aside := [2]float64{1.234567e-4 * f.step, 2.345678e-4 * f.step} // lines through vertices and edges are avoided
	for _, t := range triangles {
		a, b, c := points[t[0]], points[t[1]], points[t[2]]
		var from, to [2]int
		for d := range from {
			from[d] = max(0, int(math.Floor((min(a[d+1], b[d+1], c[d+1])-f.lo[d+1])/f.step))-1)
			to[d] = min(f.n[d+1]-1, int(math.Ceil((max(a[d+1], b[d+1], c[d+1])-f.lo[d+1])/f.step))+1)
		}
		for z := from[1]; z <= to[1]; z++ {
			for y := from[0]; y <= to[0]; y++ {
				if x, hit := crossing(a, b, c, f.lo[1]+float64(y)*f.step+aside[0], f.lo[2]+float64(z)*f.step+aside[1]); hit {
					crossings[z*f.n[1]+y] = append(crossings[z*f.n[1]+y], x)
				}
			}
		}
	}
	for row, at := range crossings {
		slices.Sort(at)
		for x := range f.n[0] {
			before, _ := slices.BinarySearch(at, f.lo[0]+float64(x)*f.step)
			if before%2 == 1 {
				f.value[row*f.n[0]+x] *= -1
			}
		}
	}
}

// crossing is where a line along x meets a triangle.
func crossing(a, b, c geometry.Vec, y, z float64) (x float64, hit bool) {
	part := func(p, q geometry.Vec) float64 { return (p[1]-y)*(q[2]-z) - (p[2]-z)*(q[1]-y) }
	u, v, w := part(b, c), part(c, a), part(a, b)
	if sum := u + v + w; sum != 0 && (u > 0) == (v > 0) && (v > 0) == (w > 0) {
		return (u*a[0] + v*b[0] + w*c[0]) / sum, true
	}
	return 0, false
}

// at is the distance at a point and its gradient; false beyond the grid.
func (f *field) at(p geometry.Vec) (d float64, gradient geometry.Vec, near bool) {
	var i [3]int
	var w [3]float64
	for a := range p {
		x := (p[a] - f.lo[a]) / f.step
		if !(x >= 0 && x < float64(f.n[a]-1)) {
			return 0, gradient, false
		}
		i[a] = int(x)
		w[a] = x - float64(i[a])
	}
	d, gradient = trilinear(f.value[(i[2]*f.n[1]+i[1])*f.n[0]+i[0]:], f.n[0], f.n[0]*f.n[1], w)
	return d, gradient.Scale(1 / f.step), true
}

// trilinear interpolates between eight values of a grid, of which the first is the first of all, in a row and a plane of so many: at parts of the grid's step from it.
// The gradient is by that step.
func trilinear[T float32 | float64](v []T, row, plane int, part [3]float64) (value float64, gradient geometry.Vec) {
	a, b, c, d := float64(v[0]), float64(v[1]), float64(v[row]), float64(v[row+1])
	e, f, g, h := float64(v[plane]), float64(v[plane+1]), float64(v[plane+row]), float64(v[plane+row+1])
	x00, x10, x01, x11 := a+part[0]*(b-a), c+part[0]*(d-c), e+part[0]*(f-e), g+part[0]*(h-g)
	y0, y1 := x00+part[1]*(x10-x00), x01+part[1]*(x11-x01)
	low := (b-a)*(1-part[1]) + (d-c)*part[1]
	high := (f-e)*(1-part[1]) + (h-g)*part[1]
	return y0 + part[2]*(y1-y0), geometry.Vec{low + part[2]*(high-low), (x10-x00)*(1-part[2]) + (x11-x01)*part[2], y1 - y0}
}

// mayHold tells whether a point nearer than gap to the surface, as at has it, may be in a ball.
func (f *field) mayHold(center geometry.Vec, radius, gap float64) bool {
	var i [3]int
	for a, x := range center {
		last := f.lo[a] + float64(f.n[a]-1)*f.step
		if x < f.lo[a]-radius || x > last+radius {
			return false
		}
		i[a] = min(max(int((x-f.lo[a])/f.step), 0), f.n[a]-1)
		if x < f.lo[a] || x > last {
			return true
		}
	}
	// Distances change by no more than places do: those of the grid's points around a point, too, which are √3 of its steps away at most.
	return f.value[(i[2]*f.n[1]+i[1])*f.n[0]+i[0]] < gap+radius+2*math.Sqrt(3)*f.step
}

// fromTriangle is the distance of a point from a triangle.
func fromTriangle(p, a, b, c geometry.Vec) float64 {
	ab, ac, ap := b.Sub(a), c.Sub(a), p.Sub(a)
	n := ab.Cross(ac)
	nn := n.Dot(n)
	if nn > 0 { // above its inside?
		v, w := ap.Cross(ac).Dot(n)/nn, ab.Cross(ap).Dot(n)/nn
		if v >= 0 && w >= 0 && v+w <= 1 {
			return math.Abs(ap.Dot(n)) / math.Sqrt(nn)
		}
	}
	return math.Sqrt(min(fromSegment(p, a, b), fromSegment(p, b, c), fromSegment(p, c, a)))
}

// fromSegment is the square of the distance from a segment.
func fromSegment(p, a, b geometry.Vec) float64 {
	ab, ap := b.Sub(a), p.Sub(a)
	t := 0.
	if length := ab.Dot(ab); length > 0 {
		t = min(1, max(0, ap.Dot(ab)/length))
	}
	d := ap.Sub(ab.Scale(t))
	return d.Dot(d)
}
