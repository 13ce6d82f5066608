package elastic

import (
	"math"
	"strings"
	"testing"

	"lbmib/geometry"
)

// must is a mesh that cannot fail.
func must(m *Mesh, err error) *Mesh {
	if err != nil {
		panic(err)
	}
	return m
}

func sphere(frequency int) *Mesh  { return must(NewSphere(frequency, geometry.Vec{}, 2)) }
func redCell(frequency int) *Mesh { return must(NewRedCell(frequency, geometry.Vec{}, 2)) }

func TestIcosphereHasItsCountsAndEvenTriangles(t *testing.T) {
	for _, f := range []int{1, 2, 3, 8, 15} {
		m := sphere(f)
		q := m.Quality()
		if m.Vertices() != 10*f*f+2 || m.Triangles() != 20*f*f || m.Edges() != 30*f*f || m.Genus() != 0 {
			t.Errorf("frequency %d: %d vertices, %d triangles, %d edges, genus %d", f, m.Vertices(), m.Triangles(), m.Edges(), m.Genus())
		}
		if q.Valence != [3]int{12, m.Vertices() - 12, 0} {
			t.Errorf("frequency %d: valence %v, want 12 vertices of 5 triangles", f, q.Valence)
		}
		// The limit of many triangles is 54.0° and 1.18 (found by going up to f = 64).
		if q.LeastAngle < 53.9 || q.LongestEdge/q.ShortestEdge > 1.2 {
			t.Errorf("frequency %d: least angle %.1f°, edges %.3g to %.3g", f, q.LeastAngle, q.ShortestEdge, q.LongestEdge)
		}
		for v := range m.Vertices() {
			if math.Abs(m.Point(v).Norm()-1) > 1e-15 {
				t.Fatalf("frequency %d: vertex %d is off the sphere by %g", f, v, m.Point(v).Norm()-1)
			}
		}
	}
}

// The error of inscribed triangles is O(h²): a factor 4 from f to 2f.
func TestAreaAndVolumeOfIcospheresConvergeWithSecondOrder(t *testing.T) {
	for _, f := range []int{4, 8, 16} {
		a, b := sphere(f), sphere(2*f)
		for name, slope := range map[string]float64{
			"area":   math.Log2((4*math.Pi - a.Area()) / (4*math.Pi - b.Area())),
			"volume": math.Log2((4*math.Pi/3 - a.Volume()) / (4*math.Pi/3 - b.Volume())),
		} {
			if math.Abs(slope-2) > 0.03 {
				t.Errorf("frequency %d: %s converges with order %.3f, want 2", f, name, slope)
			}
		}
	}
}

func TestRedCellMeshIsTheShape(t *testing.T) {
	shape, err := geometry.NewRedCell(geometry.Vec{1, 2, 3}, 7.82)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f    int
		most float64 // of the relative error of area and volume
	}{{8, 0.015}, {15, 0.01}, {30, 0.0025}} {
		m := must(NewRedCell(c.f, geometry.Vec{1, 2, 3}, 7.82))
		dA, dV := m.Area()/shape.Surface()-1, m.Volume()/shape.Enclosed()-1
		q := m.Quality()
		t.Logf("%d vertices: area %+.4f, volume %+.4f, least angle %.1f° (mean %.1f°), edges %.4g %.4g %.4g",
			m.Vertices(), dA, dV, q.LeastAngle, q.MeanLeastAngle, q.ShortestEdge, q.MeanEdge, q.LongestEdge)
		if math.Abs(dA) > c.most || math.Abs(dV) > c.most {
			t.Errorf("%d vertices: area %+.4f and volume %+.4f off the shape's, want %.4f at most", m.Vertices(), dA, dV, c.most)
		}
		if q.LeastAngle < 45 || q.LongestEdge > 1.6*q.ShortestEdge {
			t.Errorf("%d vertices: least angle %.1f°, edges %.4g to %.4g", m.Vertices(), q.LeastAngle, q.ShortestEdge, q.LongestEdge)
		}
		if d := m.Center().Sub(geometry.Vec{1, 2, 3}).Norm(); d > 1e-6*7.82 {
			t.Errorf("%d vertices: centre is off by %g", m.Vertices(), d)
		}
		for v := range m.Vertices() {
			if p := m.Point(v).Sub(geometry.Vec{1, 2, 3}); !shape.Contains(p.Scale(1-1e-9).Add(geometry.Vec{1, 2, 3})) || shape.Contains(p.Scale(1+1e-9).Add(geometry.Vec{1, 2, 3})) {
				t.Fatalf("%d vertices: vertex %d at %v is not on the shape", m.Vertices(), v, m.Point(v))
			}
		}
	}
}

// parts are a mesh's points and triangles, to be spoilt.
func parts(m *Mesh) (points []geometry.Vec, triangles [][3]int) {
	for v := range m.Vertices() {
		points = append(points, m.Point(v))
	}
	for k := range m.Triangles() {
		triangles = append(triangles, m.Triangle(k))
	}
	return points, triangles
}

func TestInsideOutIsTurnedRound(t *testing.T) {
	points, triangles := parts(sphere(3))
	for k := range triangles {
		triangles[k][1], triangles[k][2] = triangles[k][2], triangles[k][1]
	}
	m := must(NewMesh(points, triangles))
	if !m.Turned() || math.Abs(m.Volume()-sphere(3).Volume()) > 1e-14 {
		t.Errorf("turned %v, volume %g", m.Turned(), m.Volume())
	}
	if sphere(3).Turned() || redCell(3).Turned() {
		t.Error("a mesh that faces outwards is turned")
	}
}

func TestBadMeshesAreRefusedByName(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name  string
		spoil func([]geometry.Vec, [][3]int) ([]geometry.Vec, [][3]int)
		says  string
	}{
		{"open", func(p []geometry.Vec, k [][3]int) ([]geometry.Vec, [][3]int) { return p, k[1:] }, "has no neighbour at its side"},
		{"empty", func(p []geometry.Vec, k [][3]int) ([]geometry.Vec, [][3]int) { return nil, nil }, "it has 0 triangles"},
		{"not finite", func(p []geometry.Vec, k [][3]int) ([]geometry.Vec, [][3]int) { p[5][1] = nan; return p, k }, "point 5 is at"},
		{"no point", func(p []geometry.Vec, k [][3]int) ([]geometry.Vec, [][3]int) { k[7][0] = 99; return p, k }, "triangle 7 has point 99"},
		{"twice", func(p []geometry.Vec, k [][3]int) ([]geometry.Vec, [][3]int) { k[7][0] = k[7][1]; return p, k }, "triangle 7 has point"},
		{"unused", func(p []geometry.Vec, k [][3]int) ([]geometry.Vec, [][3]int) {
			return append(p, geometry.Vec{}), k
		}, "point 42 belongs to no triangle"},
		{"flat", func(p []geometry.Vec, k [][3]int) ([]geometry.Vec, [][3]int) {
			p[k[9][0]] = p[k[9][1]].Add(p[k[9][2]]).Scale(0.5)
			return p, k
		}, "triangle 9 with points"},
		{"one turned", func(p []geometry.Vec, k [][3]int) ([]geometry.Vec, [][3]int) {
			k[4][0], k[4][1] = k[4][1], k[4][0]
			return p, k
		}, "and 4 at the edge"},
		{"inner wall", func(p []geometry.Vec, k [][3]int) ([]geometry.Vec, [][3]int) {
			e := k[3]
			p = append(p, p[e[0]].Add(p[e[1]]).Scale(0.3))
			return p, append(k, [3]int{e[0], e[1], 42})
		}, "is one of 3 triangles at the edge"},
		{"two pieces", func(p []geometry.Vec, k [][3]int) ([]geometry.Vec, [][3]int) {
			q, l := parts(must(sphere(2).Map(func(x geometry.Vec) geometry.Vec { return x.Add(geometry.Vec{5}) })))
			for _, t := range l {
				k = append(k, [3]int{t[0] + 42, t[1] + 42, t[2] + 42})
			}
			return append(p, q...), k
		}, "triangle 80 at (5, 0, 1) does not hang together"},
		{"touches itself", func(p []geometry.Vec, k [][3]int) ([]geometry.Vec, [][3]int) {
			q, l := parts(must(sphere(2).Map(func(x geometry.Vec) geometry.Vec { return x.Add(geometry.Vec{0, 0, 2}) })))
			low := 0 // the second sphere's lowest point becomes the first one's highest
			for v := range q {
				if q[v][2] < q[low][2] {
					low = v
				}
			}
			for _, t := range l {
				for i := range t {
					switch {
					case t[i] == low:
						t[i] = 0
					case t[i] > low:
						t[i] += 41
					default:
						t[i] += 42
					}
				}
				k = append(k, t)
			}
			return append(append(p, q[:low]...), q[low+1:]...), k
		}, "the surface touches itself in point 0 at (0, 0, 1)"},
	} {
		points, triangles := parts(sphere(2))
		_, err := NewMesh(c.spoil(points, triangles))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.says)
		}
	}
	for _, err := range []error{
		func() error { _, err := NewSphere(0, geometry.Vec{}, 1); return err }(),
		func() error { _, err := NewSphere(MaxFrequency+1, geometry.Vec{}, 1); return err }(),
		func() error { _, err := NewSphere(8, geometry.Vec{nan}, 1); return err }(),
		func() error { _, err := NewRedCell(8, geometry.Vec{}, 0); return err }(),
	} {
		if err == nil {
			t.Error("a mesh of no size or frequency is made")
		}
	}
}

func TestATorusIsAMesh(t *testing.T) {
	const around, across = 24, 12
	var points []geometry.Vec
	var triangles [][3]int
	for i := range around {
		for j := range across {
			s, c := math.Sincos(2 * math.Pi * float64(i) / around)
			v, w := math.Sincos(2 * math.Pi * float64(j) / across)
			points = append(points, geometry.Vec{(2 + w) * c, (2 + w) * s, v})
			a, b := i*across+j, i*across+(j+1)%across
			d, e := (i+1)%around*across+j, (i+1)%around*across+(j+1)%across
			triangles = append(triangles, [3]int{a, d, e}, [3]int{a, e, b})
		}
	}
	m := must(NewMesh(points, triangles))
	if m.Genus() != 1 || m.Turned() {
		t.Errorf("genus %d, turned %v", m.Genus(), m.Turned())
	}
}

func TestFrequencyOfVertices(t *testing.T) {
	for _, c := range [][2]int{{0, 1}, {12, 1}, {642, 8}, {600, 8}, {2000, 14}, {2562, 16}} {
		if f := Frequency(c[0]); f != c[1] {
			t.Errorf("%d vertices: frequency %d, want %d", c[0], f, c[1])
		}
	}
}
