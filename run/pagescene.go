package run

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/io/page"
	"lbmib/run/observe"
)

// What a page draws at most of bodies.
const (
	mostTriangles = 400000 // of all surfaces together
	mostPoints    = 200000 // of what bends
	mostRigid     = 2000   // bodies
	mostClouds    = 20000  // markers of a body without triangles
)

// surfaces makes the surfaces of a scene, in L, as long as there is room.
type surfaces struct {
	dx    float64
	place func(x [3]float64) [3]float64
	left  int // triangles
	cut   int // surfaces that were left out
}

// scene is what bodies and walls look like.
func (v *livePage[T]) scene() *page.Scene {
	r := v.state
	out := &page.Scene{}
	m := &surfaces{dx: r.Units.Dx, place: r.Place, left: mostTriangles}
	moves := map[int]int{}
	for k, i := range v.moving {
		moves[i] = k
	}
	for i, b := range r.Bodies {
		if b.Structure != nil {
			continue
		}
		if len(out.Rigid) == mostRigid {
			m.cut++
			continue
		}
		if s := m.body(b); s != nil {
			if k, ok := moves[i]; ok {
				s.Moves = k
			}
			out.Rigid = append(out.Rigid, *s)
		}
	}
	v.ellipsoids(out, m)
	if r.Vessel != nil {
		points, triangles := r.Vessel.Wall()
		if s := m.surface("vessel", points, nil, len(triangles)); s != nil {
			for _, t := range triangles {
				s.Triangles = append(s.Triangles, uint32(t[0]), uint32(t[1]), uint32(t[2]))
			}
			out.Walls = append(out.Walls, *s)
		}
	}
	for i, solid := range r.Case.Solids {
		if s := v.solid(m, i, solid.Name); s != nil {
			out.Walls = append(out.Walls, *s)
		}
	}
	v.elastic(out, m)
	if m.cut > 0 {
		out.Note = fmt.Sprintf("%d surfaces are left out: they are too many, or too fine, to be drawn live", m.cut)
	}
	out.First = v.bodies()
	return out
}

// solid is the surface of a solid; nil: it has none that can be drawn.
func (v *livePage[T]) solid(m *surfaces, i int, name string) *page.Surface {
	shape, err := v.state.Problem.SolidShape(i)
	if err != nil {
		return nil
	}
	if shape == nil { // a box
		lo, hi, err := v.state.Problem.SolidReach(i)
		if err != nil {
			return nil
		}
		return m.box(name, v.state.Place(lo), v.state.Place(hi))
	}
	points, triangles, ok := trianglesOf(shape)
	if !ok {
		return nil
	}
	return m.surface(name, m.inL(points), triangles, len(triangles))
}

// body is the surface of a rigid body, from its place or, of one that is fixed, where it is.
func (m *surfaces) body(b *rigid.Body) *page.Surface {
	points, triangles, ok := trianglesOf(b.Shape)
	state, center := b.State(), b.Shape.Center()
	if !ok { // a cloud of markers, which are where the body is
		if b.Markers.Len() > mostClouds {
			m.cut++
			return nil
		}
		points = make([]geometry.Vec, b.Markers.Len())
		for k, x := range b.Markers.X {
			points[k] = state.ToBody(x).Add(center)
		}
	}
	for k, x := range points {
		if x = x.Sub(center); b.Moving() {
			points[k] = x.Scale(m.dx)
		} else {
			points[k] = m.place(state.ToSpace(x))
		}
	}
	return m.surface(b.Name, points, triangles, len(triangles))
}

// surface is one of points in L; nil where there is no room.
func (m *surfaces) surface(name string, points []geometry.Vec, triangles [][3]int, n int) *page.Surface {
	if n > m.left {
		m.cut++
		return nil
	}
	m.left -= n
	s := &page.Surface{Name: name, Moves: -1}
	for _, x := range points {
		s.Points = append(s.Points, float32(x[0]), float32(x[1]), float32(x[2]))
	}
	for _, t := range triangles {
		s.Triangles = append(s.Triangles, uint32(t[0]), uint32(t[1]), uint32(t[2]))
	}
	return s
}

// inL are points of nodes.
func (m *surfaces) inL(points []geometry.Vec) []geometry.Vec {
	for k, x := range points {
		points[k] = m.place(x)
	}
	return points
}

// box is one along the axes.
func (m *surfaces) box(name string, lo, hi [3]float64) *page.Surface {
	var points []geometry.Vec
	for k := range 8 {
		var x geometry.Vec
		for a := range x {
			if x[a] = lo[a]; k>>a&1 == 1 {
				x[a] = hi[a]
			}
		}
		points = append(points, x)
	}
	var triangles [][3]int
	for _, q := range [][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		triangles = append(triangles, [3]int{q[0], q[1], q[2]}, [3]int{q[0], q[2], q[3]})
	}
	return m.surface(name, points, triangles, len(triangles))
}

// Longitudes and latitudes of a surface that is found by rays from its centre.
const longitudes, latitudes = 48, 24

// trianglesOf are the triangles of a shape, in its own unit: its own, or, of one whose every point is seen from its centre, of
// points along rays from there; ok is false for others, and for open ones that have none.
func trianglesOf(s geometry.Shape) (points []geometry.Vec, triangles [][3]int, ok bool) {
	if points, triangles, ok = geometry.Triangles(s); ok || s.Open() || s.Dim() != 3 {
		return points, triangles, ok
	}
	center, reach := s.Center(), s.Reach()
	if !s.Contains(center) {
		return nil, nil, false
	}
	directions, triangles := globe(longitudes, latitudes)
	for _, d := range directions {
		inside, outside := 0., reach*1.0001
		for range 24 {
			if middle := (inside + outside) / 2; s.Contains(center.Add(d.Scale(middle))) {
				inside = middle
			} else {
				outside = middle
			}
		}
		points = append(points, center.Add(d.Scale(inside)))
	}
	return points, triangles, isSeen(s)
}

// globe is directions along circles of longitude and latitude, and the triangles between them.
func globe(longitudes, latitudes int) (directions []geometry.Vec, triangles [][3]int) {
	for j := range latitudes + 1 {
		for i := range longitudes {
			polar, azimuth := math.Pi*float64(j)/float64(latitudes), 2*math.Pi*float64(i)/float64(longitudes)
			directions = append(directions, geometry.Vec{math.Sin(polar) * math.Cos(azimuth), math.Sin(polar) * math.Sin(azimuth), math.Cos(polar)})
		}
	}
	for j := range latitudes {
		for i := range longitudes {
			a, b := j*longitudes+i, j*longitudes+(i+1)%longitudes
			triangles = append(triangles, [3]int{a, a + longitudes, b}, [3]int{b, a + longitudes, b + longitudes})
		}
	}
	return directions, triangles
}

// isSeen tells whether every point of a surface is seen from the centre.
func isSeen(s geometry.Shape) bool {
	m, err := s.Sample(s.Reach() / 8)
	if err != nil {
		return false
	}
	center := s.Center()
	for _, x := range m.X {
		for _, part := range []float64{0.25, 0.5, 0.75, 0.9, 0.98} {
			if !s.Contains(center.Add(x.Sub(center).Scale(part))) {
				return false
			}
		}
	}
	return true
}

// ellipsoids adds those that are suspended: one shape, which each moves.
func (v *livePage[T]) ellipsoids(out *page.Scene, m *surfaces) {
	system := v.state.Sim.Ellipsoids()
	if system == nil {
		return
	}
	shape := system.Config().Shape
	points, triangles := globe(16, 8)
	for k, d := range points {
		points[k] = geometry.Vec{shape.Equatorial * d[0], shape.Equatorial * d[1], shape.Polar * d[2]}.Scale(m.dx)
	}
	if s := m.surface("ellipsoids", points, triangles, len(triangles)); s != nil {
		s.Moves, s.Copies = len(v.moving), min(system.Len(), mostRigid)
		out.Rigid = append(out.Rigid, *s)
		m.cut += system.Len() - s.Copies
	}
}

// elastic adds the triangles and lines of what bends.
func (v *livePage[T]) elastic(out *page.Scene, m *surfaces) {
	poly := observe.SurfacesOf(v.state, true)
	if poly == nil {
		return
	}
	keep := min(len(poly.Points), mostPoints)
	if keep < len(poly.Points) {
		m.cut++
	}
	out.Elastic = keep
	for _, t := range poly.Triangles {
		if max(t[0], t[1], t[2]) < keep {
			out.Triangles = append(out.Triangles, uint32(t[0]), uint32(t[1]), uint32(t[2]))
		}
	}
	for _, line := range poly.Lines {
		for k := range line[1:] {
			if max(line[k], line[k+1]) < keep {
				out.Lines = append(out.Lines, uint32(line[k]), uint32(line[k+1]))
			}
		}
	}
}

// bodies is where bodies are.
func (v *livePage[T]) bodies() *page.Bodies {
	r := v.state
	b := &page.Bodies{Step: r.Step, Time: r.Time()}
	pose := func(x geometry.Vec, turn geometry.Mat) {
		at := r.Place(v.inside(x))
		b.Rigid = append(b.Rigid, float32(at[0]), float32(at[1]), float32(at[2]))
		for _, row := range turn {
			b.Rigid = append(b.Rigid, float32(row[0]), float32(row[1]), float32(row[2]))
		}
	}
	if len(v.moving)+len(r.Coupling.Cells) > 0 || r.Sim.Ellipsoids() != nil {
		r.Sim.Flush()
	}
	for _, i := range v.moving {
		s := r.Bodies[i].State()
		pose(s.Position, s.Rotation)
	}
	if system := r.Sim.Ellipsoids(); system != nil {
		for i := range min(system.Len(), mostRigid) {
			axes := system.Axes[i]
			var turn geometry.Mat
			for a, axis := range axes { // columns
				for row := range turn {
					turn[row][a] = axis[row]
				}
			}
			pose(system.X[i], turn)
		}
	}
	if poly := observe.SurfacesOf(r, true); poly != nil {
		of := map[string][]float32{}
		for _, a := range poly.Arrays {
			of[a.Name] = a.Data.([]float32)
		}
		n := min(len(poly.Points), mostPoints)
		b.Tension = of["tension"][:n]
		for first, last := 0, 0; first < n; first = last { // points of a body
			for last = first; last < n && of["body"][last] == of["body"][first]; last++ {
			}
			by := v.shift(poly.Points[first:last])
			for _, x := range poly.Points[first:last] {
				b.Elastic = append(b.Elastic, float32(x[0]+by[0]), float32(x[1]+by[1]), float32(x[2]+by[2]))
			}
		}
	}
	return b
}

// inside is the image of a place, in nodes, that is in the domain.
func (v *livePage[T]) inside(x geometry.Vec) geometry.Vec {
	for a := range v.state.Flow.Lattice.Dim {
		if n := float64(v.state.Flow.Size[a]); v.state.Flow.Periodic(a) {
			x[a] -= n * math.Floor((x[a]+0.5)/n)
		}
	}
	return x
}

// shift is by what points, in L, are to be moved for their middle to be in the domain.
func (v *livePage[T]) shift(points [][3]float64) (by geometry.Vec) {
	var middle geometry.Vec
	for _, x := range points {
		middle = middle.Add(geometry.Vec(x).Scale(1 / float64(len(points))))
	}
	at := geometry.Vec(v.state.Node(middle))
	return v.inside(at).Sub(at).Scale(v.state.Units.Dx)
}
