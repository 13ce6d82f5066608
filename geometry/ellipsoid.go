package geometry

import (
	"math"
	"sync"
)

// ellipsoid has its axes along x, y and z.
type ellipsoid struct {
	half Vec
	area func() float64
	mesh func() *mesh // that its markers are drawn from, where no two axes are equal
}

var _ form = (*ellipsoid)(nil)

// NewEllipsoid is the ellipsoid with the given centre and full axes along x, y
// and z. Length is its extent along y, Frontal the area that a flow along x
// sees. Values that are not finite and axes that are not positive are refused.
func NewEllipsoid(center Vec, axes [3]float64) (Shape, error) {
	for a, axis := range [3]string{"x", "y", "z"} {
		if err := checkSize("ellipsoid", "axis along "+axis, axes[a]); err != nil {
			return nil, err
		}
	}
	if err := checkRound("ellipsoid", center, axes[0]); err != nil {
		return nil, err
	}
	e := &ellipsoid{half: Vec(axes).Scale(0.5)}
	e.area = sync.OnceValue(e.integrate)
	e.mesh = sync.OnceValue(e.triangulate)
	return place(e, center), nil
}

func (e *ellipsoid) name() string         { return "ellipsoid" }
func (e *ellipsoid) dim() int             { return 3 }
func (e *ellipsoid) open() bool           { return false }
func (e *ellipsoid) surface() float64     { return e.area() }
func (e *ellipsoid) length(r Mat) float64 { return extent(e, r, 1) }

// over is v divided by the half axes, times by the half axes.
func (e *ellipsoid) over(v Vec) Vec { return Vec{v[0] / e.half[0], v[1] / e.half[1], v[2] / e.half[2]} }
func (e *ellipsoid) times(v Vec) Vec {
	return Vec{v[0] * e.half[0], v[1] * e.half[1], v[2] * e.half[2]}
}

func (e *ellipsoid) contains(p Vec) bool {
	q := e.over(p)
	return q.Dot(q) <= 1
}

func (e *ellipsoid) support(d Vec) float64 { return e.times(d).Norm() }
func (e *ellipsoid) reach() float64        { return max(e.half[0], e.half[1], e.half[2]) }

func (e *ellipsoid) enclosed() float64 {
	return 4. / 3 * math.Pi * e.half[0] * e.half[1] * e.half[2]
}

func (e *ellipsoid) inertia() Mat {
	s := e.times(e.half).Scale(e.enclosed() / 5)
	return Mat{{s[1] + s[2]}, {1: s[2] + s[0]}, {2: s[0] + s[1]}}
}

// stretch is the area on the ellipsoid of a small piece of the unit sphere at
// p, per its area.
func (e *ellipsoid) stretch(p Vec) float64 {
	return e.half[0] * e.half[1] * e.half[2] * e.over(p).Norm()
}

func (e *ellipsoid) frontal(r Mat) float64 { return math.Pi * e.stretch(Vec(r[0])) }

// integrate is the surface: Simpson's rule in z, the trapezoidal rule around it.
func (e *ellipsoid) integrate() (surface float64) {
	const heights, turns = 1024, 128
	for i := range heights + 1 {
		weight := [2]float64{2, 4}[i%2]
		if i == 0 || i == heights {
			weight = 1
		}
		z := 2*float64(i)/heights - 1
		rho := math.Sqrt((1 - z) * (1 + z))
		for k := range turns {
			d := direction(k, turns).Scale(rho)
			surface += weight * e.stretch(Vec{d[0], d[1], z})
		}
	}
	return surface * (2. / heights / 3) * (2 * math.Pi / turns)
}

// sample is a spiral about the axis of a spheroid; the general ellipsoid is
// sampled as a mesh whose markers are put on it.
func (e *ellipsoid) sample(spacing float64) Markers {
	for axis := range 3 {
		a, b := (axis+1)%3, (axis+2)%3
		if e.half[a] == e.half[b] {
			return e.spiral(axis, spacing)
		}
	}
	m := e.mesh().sample(spacing)
	sum := 0.
	for k, x := range m.X {
		m.X[k] = e.times(unit(e.over(x), Vec{0, 0, 1}))
		if m.Normal[k] != (Vec{}) {
			m.Normal[k] = unit(e.over(e.over(m.X[k])), Vec{0, 0, 1})
		}
		sum += m.Area[k]
	}
	for k := range m.Area {
		m.Area[k] *= e.surface() / sum
	}
	return m
}

// spiral samples the spheroid about one of its axes.
func (e *ellipsoid) spiral(axis int, spacing float64) Markers {
	a, b := (axis+1)%3, (axis+2)%3
	p := newProfile(8192, func(s float64) (r, z, nr, nz float64) {
		sin, cos := math.Sincos(math.Pi * (1 - s))
		if s == 0 || s == 1 {
			sin = 0
		}
		return sin * e.half[a], cos * e.half[axis], sin / e.half[a], cos / e.half[axis]
	})
	m := p.sample(spacing)
	for k := range m.X {
		x, n := m.X[k], m.Normal[k]
		m.X[k][a], m.X[k][b], m.X[k][axis] = x[0], x[1], x[2]
		m.Normal[k][a], m.Normal[k][b], m.Normal[k][axis] = n[0], n[1], n[2]
	}
	return thin(m, spacing)
}

// triangulate is the ellipsoid as a mesh: an octahedron, divided six times, on
// the unit sphere and stretched.
func (e *ellipsoid) triangulate() *mesh {
	points := []Vec{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}
	triangles := [][3]int32{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}
	for range 6 {
		points, triangles = divide(points, triangles)
	}
	for k, p := range points {
		points[k] = e.times(p)
	}
	return newMeshForm(points, triangles)
}

// divide splits every triangle on the unit sphere into four.
func divide(points []Vec, triangles [][3]int32) ([]Vec, [][3]int32) {
	middle := make(map[[2]int32]int32)
	half := func(a, b int32) int32 {
		edge := [2]int32{min(a, b), max(a, b)}
		k, known := middle[edge]
		if !known {
			k = int32(len(points))
			middle[edge] = k
			points = append(points, unit(points[a].Add(points[b]), points[a]))
		}
		return k
	}
	var finer [][3]int32
	for _, t := range triangles {
		a, b, c := half(t[0], t[1]), half(t[1], t[2]), half(t[2], t[0])
		finer = append(finer, [3]int32{t[0], a, c}, [3]int32{a, t[1], b}, [3]int32{c, b, t[2]}, [3]int32{a, b, c})
	}
	return points, finer
}

func (e *ellipsoid) outline(r Mat, n int) []Vec {
	return star(r, n, func(d Vec) float64 { return 1 / e.over(d).Norm() })
}
