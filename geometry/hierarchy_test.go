package geometry

import (
	"math"
	"math/rand/v2"
	"testing"
)

// soup are triangles that nothing joins, on a sphere and beside it.
func soup(n int) (points []Vec, triangles [][3]int32) {
	random := rand.New(rand.NewPCG(3, 4))
	for k := range n {
		p := Vec{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
		p = p.Scale(1 / p.Norm())
		for range 3 {
			points = append(points, p.Add(Vec{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}.Scale(0.03)))
		}
		triangles = append(triangles, [3]int32{int32(3 * k), int32(3*k + 1), int32(3*k + 2)})
	}
	return points, triangles
}

// Sums and searches by the hierarchy are those over all triangles, the winding number to what its dipoles leave.
func TestHierarchyAgreesWithAllTriangles(t *testing.T) {
	points, triangles := soup(3000)
	h := NewHierarchy(points, triangles)
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		p := Vec{random.Float64(), random.Float64(), random.Float64()}.Scale(3).Sub(Vec{1.5, 1.5, 1.5})
		winding, distance := 0., math.Inf(1)
		for _, c := range triangles {
			a, b, c := points[c[0]], points[c[1]], points[c[2]]
			winding += solidAngle(a.Sub(p), b.Sub(p), c.Sub(p)) / (4 * math.Pi)
			distance = min(distance, p.Sub(closest(p, a, b, c)).Norm())
		}
		if got := h.Winding(p); math.Abs(got-winding) > 0.03 {
			t.Errorf("the winding number around %v is %v, that of all triangles %v", p, got, winding)
		}
		if got := h.Distance(p, 10); math.Abs(got-distance) > 1e-12 {
			t.Errorf("the distance of %v is %v, that of all triangles %v", p, got, distance)
		}
		if got := h.Distance(p, distance/2); got != distance/2 {
			t.Errorf("the distance of %v within %v is %v", p, distance/2, got)
		}
	}
}

// The nearest point of a triangle is the nearest of many on it.
func TestClosestPointOfATriangle(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	vec := func() Vec { return Vec{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()} }
	for range 300 {
		a, b, c, p := vec(), vec(), vec(), vec().Scale(2)
		got := p.Sub(closest(p, a, b, c)).Norm()
		const n = 60
		least := math.Inf(1)
		for i := range n + 1 {
			for j := range n + 1 - i {
				u, v := float64(i)/n, float64(j)/n
				least = min(least, p.Sub(a.Scale(1-u-v).Add(b.Scale(u)).Add(c.Scale(v))).Norm())
			}
		}
		if got > least+1e-12 || got < least-0.1 {
			t.Errorf("the distance of %v is %v, the least of points on the triangle %v", p, got, least)
		}
	}
}
