package ring

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// Bounds of the number of vertices: fewer are no curve.
const (
	MinVertices = 8
	MaxVertices = 100_000
)

// sharpest is the largest angle by which a ring may turn at a vertex as drawn, in radians: 150°.
const sharpest = 150 * math.Pi / 180

// Ring is a closed line as drawn, made of a material: what all cells of a kind share. It never changes, and serves any number of workers.
type Ring struct {
	points    []geometry.Vec
	rest      []float64 // l⁰ of segment i, from vertex i to the next
	curvature []float64 // c⁰ of vertex i; nil: Material.Curvature of all
	length    float64   // L0
	area      float64   // A0
	material  Material
	law       int
	modulus   float64 // T'(1)
}

// New is the ring through points in the plane z = 0, in order around what they enclose. Ones given clockwise are turned round. Refused are too few and too many,
// coordinates that are not finite or off the plane, points at one place, corners that nearly fold back, lines that cross themselves as far as
// their turning tells, and what Material.Check refuses.
func New(points []geometry.Vec, material Material) (*Ring, error) {
	if err := material.Check(); err != nil {
		return nil, err
	}
	if n := len(points); n < MinVertices || n > MaxVertices {
		return nil, fmt.Errorf("ring: it has %d vertices, must have %d to %d: use another spacing", n, MinVertices, MaxVertices)
	}
	for k, p := range points {
		if !(math.Abs(p[0]) <= geometry.MaxCoordinate && math.Abs(p[1]) <= geometry.MaxCoordinate) || p[2] != 0 {
			return nil, fmt.Errorf("ring: vertex %d is at (%v, %v, %v), must be finite and in the plane z = 0: correct it", k, p[0], p[1], p[2])
		}
	}
	r := &Ring{points: append([]geometry.Vec(nil), points...), material: material.withDefaults()}
	if m := r.Measure(r.points); m.Area < 0 {
		for i, j := 0, len(r.points)-1; i < j; i, j = i+1, j-1 {
			r.points[i], r.points[j] = r.points[j], r.points[i]
		}
	}
	if err := r.checkDrawn(); err != nil {
		return nil, err
	}
	m := r.Measure(r.points)
	r.length, r.area = m.Length, m.Area
	r.law, _ = lawOf(r.material.Law)
	r.modulus = r.material.Modulus()
	return r, nil
}

// checkDrawn refuses what is no ring, and finds what is free of stress.
func (r *Ring) checkDrawn() error {
	n := len(r.points)
	turned := 0.
	r.rest = make([]float64, n)
	mean := r.Measure(r.points).Length / float64(n)
	for i, x := range r.points {
		l := r.points[(i+1)%n].Sub(x).Norm()
		if !(l >= 1e-3*mean) {
			return fmt.Errorf("ring: vertices %d and %d at (%.4g, %.4g) are %.3g apart, must be at least %.3g, a thousandth of their mean distance: leave one out", i, (i+1)%n, x[0], x[1], l, 1e-3*mean)
		}
		r.rest[i] = l / r.material.Prestress
	}
	if r.material.CurvedReference {
		r.curvature = make([]float64, n)
	}
	for i, x := range r.points {
		before, after := x.Sub(r.points[(i+n-1)%n]), r.points[(i+1)%n].Sub(x)
		angle := turning(before, after)
		if !(math.Abs(angle) <= sharpest) {
			return fmt.Errorf("ring: at vertex %d at (%.4g, %.4g) it turns by %.0f°, at most %.0f° are allowed: round the corner", i, x[0], x[1], angle*180/math.Pi, sharpest*180/math.Pi)
		}
		turned += angle
		if r.curvature != nil {
			r.curvature[i] = 2 * angle / (before.Norm() + after.Norm())
		}
	}
	if turns := math.Round(turned / (2 * math.Pi)); turns != 1 {
		return fmt.Errorf("ring: going round it turns by %.0f times 360°, must be once: it crosses itself, put its points in order", turns)
	}
	return nil
}

// turning is the angle from one direction to the next, anticlockwise, −π to π.
func turning(a, b geometry.Vec) float64 {
	return math.Atan2(a[0]*b[1]-a[1]*b[0], a[0]*b[0]+a[1]*b[1])
}

// Vertices is their number.
func (r *Ring) Vertices() int { return len(r.points) }

// Point is vertex i as drawn.
func (r *Ring) Point(i int) geometry.Vec { return r.points[i] }

// Length and Area are L0 and A0: as drawn.
func (r *Ring) Length() float64 { return r.length }
func (r *Ring) Area() float64   { return r.area }

// Segments are the shortest, the mean and the longest distance between neighbours as drawn.
func (r *Ring) Segments() (shortest, mean, longest float64) {
	shortest = math.Inf(1)
	for _, l := range r.rest {
		l *= r.material.Prestress
		shortest, longest = min(shortest, l), max(longest, l)
	}
	return shortest, r.length / float64(len(r.rest)), longest
}

// Material is the ring's, with defaults filled in.
func (r *Ring) Material() Material { return r.material }
