package main

import (
	"math"
	"runtime"
	"slices"
	"sync"

	"lbmib/geometry"
	"lbmib/ib/elastic"
)

// stokes is capsules in an unbounded shear (y, 0, 0) without inertia, the fluid inside as viscous as that
// outside. The velocity anywhere is that of the shear and the integral of Stokeslets over the surfaces,
//
//	u(x) = (y, 0, 0) + 1/(8π) ∮ (1/r + rr/r³)·f dA
//
// (Pozrikidis, Boundary Integral and Singularity Methods, Cambridge 1992), f the force of the membrane on the fluid
// per area. Radius, rate of shear and viscosity are 1. Triangles are flat and f is linear in
// each, so that errors are of second order in the length of edges.
type stokes struct {
	capsules  []*capsule
	triangles []triangle
	at, f, u  []geometry.Vec // of all vertices: place, force per area, velocity
	images    [][2]int       // of vertices: themselves, and mirrored at the origin
}

// capsule is one of them: its vertices are those from first on.
type capsule struct {
	membrane *elastic.Membrane
	scratch  *elastic.Scratch
	x, force []float64 // blocks, of which lane 0 is used
	first    int
}

// triangle is a part of a surface.
type triangle struct {
	corner   [3]int // among all vertices
	middle   geometry.Vec
	area     float64
	near     float64         // squared distance from the middle within which it is divided
	point    [3]geometry.Vec // of a quadrature exact for parabolas
	strength [3]geometry.Vec // f there times a third of the area
}

// sphere is a mesh about the origin that encloses as much as the unit sphere.
func sphere(frequency int) (*elastic.Mesh, error) {
	m, err := elastic.NewSphere(frequency, geometry.Vec{}, 2)
	if err != nil {
		return nil, err
	}
	swell := math.Cbrt(4 * math.Pi / 3 / m.Volume())
	return m.Map(func(p geometry.Vec) geometry.Vec { return p.Scale(swell) })
}

// newStokes is of capsules of one membrane around centres.
func newStokes(m *elastic.Membrane, centers ...geometry.Vec) *stokes {
	s, mesh := &stokes{}, m.Mesh()
	for _, center := range centers {
		c := &capsule{membrane: m, scratch: m.NewScratch(), x: make([]float64, mesh.BlockLen()), force: make([]float64, mesh.BlockLen()), first: len(s.at)}
		for v := range mesh.Vertices() {
			s.at = append(s.at, mesh.Point(v).Add(center))
		}
		for k := range mesh.Triangles() {
			t := mesh.Triangle(k)
			s.triangles = append(s.triangles, triangle{corner: [3]int{c.first + t[0], c.first + t[1], c.first + t[2]}})
		}
		s.capsules = append(s.capsules, c)
	}
	s.f, s.u = make([]geometry.Vec, len(s.at)), make([]geometry.Vec, len(s.at))
	s.images = images(s.at)
	return s
}

// images are pairs of vertices that the origin mirrors: so it does the flow, x → −x, u → −u.
func images(at []geometry.Vec) (all [][2]int) {
	key := func(p geometry.Vec) (k [3]int) {
		for a := range k {
			k[a] = int(math.Round(1e6 * p[a]))
		}
		return k
	}
	where := map[[3]int]int{}
	for v, p := range at {
		where[key(p)] = v
	}
	for v, p := range at {
		image, found := where[key(p.Scale(-1))]
		if !found {
			panic("capsules: the mesh is no image of itself")
		}
		if v < image {
			all = append(all, [2]int{v, image})
		}
	}
	return all
}

// block stores the vertices of a capsule in its lane.
func (s *stokes) block(c *capsule) {
	for v := range c.membrane.Mesh().Vertices() {
		elastic.SetVertex(c.x, 0, v, s.at[c.first+v])
	}
	elastic.FillUnused(c.x, 1)
}

// measure is a capsule's shape.
func (s *stokes) measure(c *capsule) elastic.Measure {
	s.block(c)
	return c.membrane.Mesh().Measure(c.x, 0)
}

// forces finds f at vertices: the membrane's forces over a third of the triangles around each.
func (s *stokes) forces() {
	areas := make([]float64, len(s.at))
	for k := range s.triangles {
		t := &s.triangles[k]
		a, b, c := s.corners(t)
		t.area = b.Sub(a).Cross(c.Sub(a)).Norm() / 2
		for _, v := range t.corner {
			areas[v] += t.area / 3
		}
	}
	for _, c := range s.capsules {
		s.block(c)
		c.membrane.Forces(c.scratch, c.x, nil, c.force, 1)
		for v := range c.membrane.Mesh().Vertices() {
			s.f[c.first+v] = elastic.Vertex(c.force, 0, v).Scale(1 / areas[c.first+v])
		}
	}
}

func (s *stokes) corners(t *triangle) (a, b, c geometry.Vec) {
	return s.at[t.corner[0]], s.at[t.corner[1]], s.at[t.corner[2]]
}

// prepare places the points of all triangles, for where vertices are and what f is there.
func (s *stokes) prepare() {
	for k := range s.triangles {
		t := &s.triangles[k]
		a, b, c := s.corners(t)
		t.area = b.Sub(a).Cross(c.Sub(a)).Norm() / 2
		t.middle = a.Add(b).Add(c).Scale(1. / 3)
		longest := math.Max(b.Sub(a).Norm(), math.Max(c.Sub(b).Norm(), a.Sub(c).Norm()))
		t.near = 4 * longest * longest
		t.point, t.strength = parabolic([3]geometry.Vec{a, b, c}, [3]geometry.Vec{s.f[t.corner[0]], s.f[t.corner[1]], s.f[t.corner[2]]}, t.area)
	}
}

// parabolic is a quadrature of three points that is exact for parabolas.
func parabolic(x, f [3]geometry.Vec, area float64) (point, strength [3]geometry.Vec) {
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		point[k] = x[k].Scale(2. / 3).Add(x[i].Add(x[j]).Scale(1. / 6))
		strength[k] = f[k].Scale(2. / 3).Add(f[i].Add(f[j]).Scale(1. / 6)).Scale(area / 3)
	}
	return point, strength
}

// velocities finds those of all vertices, of one of those that are each other's images.
func (s *stokes) velocities() {
	s.prepare()
	var all sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		all.Go(func() {
			for k := w; k < len(s.images); k += workers {
				v := s.images[k][0]
				x := s.at[v]
				s.u[v] = geometry.Vec{x[1]}.Add(s.induced(x, v).Scale(1 / (8 * math.Pi)))
				s.u[s.images[k][1]] = s.u[v].Scale(-1)
			}
		})
	}
	all.Wait()
}

// induced is ∮ (1/r + rr/r³)·f dA at x, which is vertex v, or none of them for v < 0.
func (s *stokes) induced(x geometry.Vec, v int) (u geometry.Vec) {
	for k := range s.triangles {
		t := &s.triangles[k]
		dx, dy, dz := t.middle[0]-x[0], t.middle[1]-x[1], t.middle[2]-x[2]
		square := dx*dx + dy*dy + dz*dz
		corner := -1
		if square < t.near {
			corner = slices.Index(t.corner[:], v)
		}
		switch {
		case corner >= 0:
			i, j := t.corner[(corner+1)%3], t.corner[(corner+2)%3]
			u = u.Add(fromCorner([3]geometry.Vec{x, s.at[i], s.at[j]}, [3]geometry.Vec{s.f[v], s.f[i], s.f[j]}, t.area))
		case square < t.near:
			a, b, c := s.corners(t)
			u = u.Add(divided(x, [3]geometry.Vec{a, b, c}, [3]geometry.Vec{s.f[t.corner[0]], s.f[t.corner[1]], s.f[t.corner[2]]}, t.area, 3))
		default: // as stokeslet, in place: here the time goes
			for i := range t.point {
				p, f := &t.point[i], &t.strength[i]
				rx, ry, rz := p[0]-x[0], p[1]-x[1], p[2]-x[2]
				square := 1 / (rx*rx + ry*ry + rz*rz)
				over := math.Sqrt(square)
				along := (rx*f[0] + ry*f[1] + rz*f[2]) * square
				u[0] += over * (f[0] + along*rx)
				u[1] += over * (f[1] + along*ry)
				u[2] += over * (f[2] + along*rz)
			}
		}
	}
	return u
}

// stokeslet is (1/r + rr/r³)·f.
func stokeslet(r, f geometry.Vec) geometry.Vec {
	over := 1 / math.Sqrt(r.Dot(r))
	return f.Scale(over).Add(r.Scale(r.Dot(f) * over * over * over))
}

// divided is the integral over a triangle that is divided into four so many times where x is near.
func divided(x geometry.Vec, at, f [3]geometry.Vec, area float64, times int) (u geometry.Vec) {
	middle := at[0].Add(at[1]).Add(at[2]).Scale(1. / 3)
	if d := middle.Sub(x); times == 0 || d.Dot(d) > 8*area { // 4 times the square of an edge is 9 times the area
		point, strength := parabolic(at, f, area)
		for i := range point {
			u = u.Add(stokeslet(point[i].Sub(x), strength[i]))
		}
		return u
	}
	half := func(v [3]geometry.Vec, i, j int) geometry.Vec { return v[i].Add(v[j]).Scale(0.5) }
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		u = u.Add(divided(x, [3]geometry.Vec{at[k], half(at, k, i), half(at, k, j)}, [3]geometry.Vec{f[k], half(f, k, i), half(f, k, j)}, area/4, times-1))
	}
	return u.Add(divided(x, [3]geometry.Vec{half(at, 0, 1), half(at, 1, 2), half(at, 2, 0)}, [3]geometry.Vec{half(f, 0, 1), half(f, 1, 2), half(f, 2, 0)}, area/4, times-1))
}

// Gauss's points and weights on 0 … 1.
var gauss = [6][2]float64{
	{0.033765242898424, 0.085662246189585}, {0.169395306766868, 0.180380786524069}, {0.380690406958402, 0.233956967286346},
	{0.619309593041598, 0.233956967286346}, {0.830604693233132, 0.180380786524069}, {0.966234757101576, 0.085662246189585},
}

// fromCorner is the integral over a triangle at its first corner. With x = x_0 + s d(t), d going from one of the other corners to the
// other, the area is 2A s ds dt and the Stokeslet goes with 1/s: along s the integral is exact.
func fromCorner(at, f [3]geometry.Vec, area float64) (u geometry.Vec) {
	b, c := at[1].Sub(at[0]), at[2].Sub(at[0])
	for _, g := range gauss {
		d := b.Scale(1 - g[0]).Add(c.Scale(g[0]))
		mean := f[0].Add(f[1].Scale(1 - g[0]).Add(f[2].Scale(g[0]))).Scale(0.5) // ∫ f_0 + s(f(t) − f_0) ds
		u = u.Add(stokeslet(d, mean).Scale(2 * area * g[1]))
	}
	return u
}

// step moves all vertices on by the midpoint rule.
func (s *stokes) step(dt float64, from []geometry.Vec) {
	copy(from, s.at)
	s.forces()
	s.velocities()
	for v := range s.at {
		s.at[v] = from[v].Add(s.u[v].Scale(dt / 2))
	}
	s.forces()
	s.velocities()
	for v := range s.at {
		s.at[v] = from[v].Add(s.u[v].Scale(dt))
	}
}

// extremes are the largest and least distance from the centre of where edges of a capsule cross the plane z = 0.
func (s *stokes) extremes(c *capsule, center geometry.Vec) (most, least float64) {
	least = math.Inf(1)
	mesh := c.membrane.Mesh()
	for k := range mesh.Triangles() {
		t := mesh.Triangle(k)
		for i := range 3 {
			a, b := s.at[c.first+t[i]], s.at[c.first+t[(i+1)%3]]
			if (a[2] < 0) == (b[2] < 0) {
				continue
			}
			r := a.Add(b.Sub(a).Scale(a[2] / (a[2] - b[2]))).Sub(center).Norm()
			most, least = math.Max(most, r), math.Min(least, r)
		}
	}
	return most, least
}
