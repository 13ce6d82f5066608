package vessel

import (
	"math"
	"slices"
	"testing"

	"lbmib/geometry"
)

// pipe is the wall of a cylinder between two points, open at both ends: n facets around, whose corners are on the circle, m along.
func pipe(from, to geometry.Vec, radius float64, n, m int) (points []geometry.Vec, triangles [][3]int) {
	axis := to.Sub(from)
	p := newPlane(from, axis.Scale(1/axis.Norm()))
	for k := range m + 1 {
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			points = append(points, p.place([2]float64{radius * cos, radius * sin}).Add(axis.Scale(float64(k)/float64(m))))
		}
	}
	for k := range m {
		for i := range n {
			a, b := k*n+i, k*n+(i+1)%n
			triangles = append(triangles, [3]int{a, b, b + n}, [3]int{a, b + n, a + n})
		}
	}
	return points, triangles
}

// inverted are triangles that face the other way.
func inverted(triangles [][3]int) [][3]int {
	all := slices.Clone(triangles)
	for i, t := range all {
		all[i] = [3]int{t[0], t[2], t[1]}
	}
	return all
}

// globe is a sphere of n facets around.
func globe(center geometry.Vec, radius float64, n int) (points []geometry.Vec, triangles [][3]int) {
	m := n / 2
	points = append(points, center.Add(geometry.Vec{0, 0, -radius}))
	for k := 1; k < m; k++ {
		for i := range n {
			st, ct := math.Sincos(math.Pi * float64(k) / float64(m))
			sp, cp := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			points = append(points, center.Add(geometry.Vec{radius * st * cp, radius * st * sp, -radius * ct}))
		}
	}
	points = append(points, center.Add(geometry.Vec{0, 0, radius}))
	last := len(points) - 1
	for i := range n {
		j := (i + 1) % n
		triangles = append(triangles, [3]int{0, 1 + j, 1 + i}, [3]int{last, last - n + i, last - n + j})
		for k := range m - 2 {
			a, b := 1+k*n+i, 1+k*n+j
			triangles = append(triangles, [3]int{a, b, b + n}, [3]int{a, b + n, a + n})
		}
	}
	return points, triangles
}

// directions are those of D3Q19.
var directions = func() (all [][3]int) {
	for x := -1; x <= 1; x++ {
		for y := -1; y <= 1; y++ {
			for z := -1; z <= 1; z++ {
				if x*x+y*y+z*z <= 2 {
					all = append(all, [3]int{x, y, z})
				}
			}
		}
	}
	return all
}()

// unit is a vector of length 1.
func unit(v geometry.Vec) geometry.Vec { return v.Scale(1 / v.Norm()) }

// tube is a vessel around a straight axis of a length through the origin, between ports at its ends, for nodes of spacing 1.
func tube(t testing.TB, axis geometry.Vec, radius, length float64, n int) *Vessel {
	t.Helper()
	axis = unit(axis)
	end := axis.Scale(length / 2)
	points, triangles := pipe(end.Scale(-1.2), end.Scale(1.2), radius, n, 4)
	v, err := New(points, triangles, []Port{{"in", end.Scale(-1), axis}, {"out", end, axis.Scale(-1)}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// box is where a vessel lies on nodes of a spacing, with two nodes around; shift moves the nodes by a part of it.
func box(v *Vessel, shift geometry.Vec) (origin geometry.Vec, size [3]int) {
	lo, hi := v.Bounds()
	for a := range 3 {
		size[a] = int(math.Ceil((hi[a]-lo[a])/v.spacing)) + 5
		origin[a] = lo[a] - (2+shift[a])*v.spacing
	}
	return origin, size
}

func fill(t testing.TB, v *Vessel, shift geometry.Vec) *Fluid {
	t.Helper()
	origin, size := box(v, shift)
	f, err := v.Fill(origin, size)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
