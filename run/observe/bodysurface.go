package observe

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// bodySurfacesSeries lists the files of the surfaces of rigid bodies, and pressureTable has those in the plane.
const (
	bodySurfacesSeries = "surfaces.vtkhdf.series"
	pressureTable      = "pressure.csv"
)

// bodySurfaces writes the surfaces of rigid bodies, where they are, with what the flow does to them: the traction, the part of it along the wall
// over ½ρU², and the pressure coefficient of the fluid in front. Of bodies that are triangles it is that at their corners, with the traction
// interpolated from the markers; of others that at the markers, which in the plane are joined to lines and are in a table, too.
type bodySurfaces[T lbm.Float] struct {
	*State[T]
	files *Files
	every int64
	of    []bodySurface
	reach float64 // of a support, along each axis, in nodes
	table *Table  // nil in space
}

// bodySurface is one: triangles as drawn, in nodes, from the body's centre, or none, and the markers are its points.
type bodySurface struct {
	body      int
	both      bool
	points    []geometry.Vec
	normals   []geometry.Vec // into the flow, or where both sides are in it to one of them
	areas     []float64      // a third of the triangles around each corner
	triangles [][3]int
	near      [][nearMarkers]weighted
	lines     [][]int // in the plane, of markers
}

// nearMarkers is how many markers a corner's traction is a mean of.
const nearMarkers = 4

// weighted is a marker and its weight.
type weighted struct {
	marker int32
	weight float32
}

func init() {
	register(kind{key: "surfaces", files: []string{bodySurfacesSeries, "surfaces/*.vtkhdf", pressureTable}, f32: newBodySurfaces[float32], f64: newBodySurfaces[float64]})
}

func newBodySurfaces[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	every := o.Case.Output.Every("surfaces")
	if every == 0 {
		return nil, nil
	}
	reach, err := supportReach[T](o.Problem)
	if err != nil {
		return nil, err
	}
	s := &bodySurfaces[T]{State: o.State, files: &o.Files, every: o.Case.StepsOf(every), reach: reach}
	for i, b := range o.Problem.Bodies {
		if b.Structure != nil { // which bends: its surface is among those of cells.vtkhdf.series
			continue
		}
		if points, triangles, ok := geometry.Triangles(b.Shape); ok {
			s.of = append(s.of, newBodySurface(o.State, i, points, triangles))
		} else {
			s.of = append(s.of, markedSurface(o.State, i))
		}
	}
	if o.Flow.Lattice.Dim == 2 {
		if s.table, err = o.Table(pressureTable, surfaceColumns, every); err != nil {
			return nil, err
		}
	}
	return []Observer{s}, o.Dir.MakeDir("surfaces")
}

// supportReach is how far the support of a marker reaches along each axis, in nodes.
func supportReach[T lbm.Float](p *setup.Problem) (float64, error) {
	delta, err := ib.NewDelta[T](p.Coupling.Delta)
	if err != nil {
		return 0, err
	}
	return float64(delta.Support()) / 2, nil
}

// markedSurface is that of body i, which is no triangles.
func markedSurface[T lbm.Float](r *State[T], i int) bodySurface {
	s := bodySurface{body: i, both: r.Case.Bodies[i].Fluid == "both"}
	if r.Flow.Lattice.Dim == 2 {
		s.lines = joined(&r.Bodies[i].Markers)
	}
	return s
}

// joined are the lines of neighbours among markers in the plane, which follow each other: those of a curve that is closed end where they begin, and
// between the curves of a union there is none.
func joined(m *geometry.Markers) (lines [][]int) {
	next := func(a, b int) bool { return m.X[b].Sub(m.X[a]).Norm() < 0.8*(m.Area[a]+m.Area[b]) } // apart by half of each, and less across corners
	var line []int
	end := func() {
		if n := len(line); n > 2 && next(line[n-1], line[0]) {
			line = append(line, line[0])
		}
		lines = append(lines, line)
	}
	for k := range m.X {
		if k > 0 && !next(k-1, k) {
			end()
			line = nil
		}
		line = append(line, k)
	}
	end()
	return lines
}

// newBodySurface finds the markers near each corner of body i.
func newBodySurface[T lbm.Float](r *State[T], i int, points []geometry.Vec, triangles [][3]int) bodySurface {
	b, out := r.Bodies[i], 1.
	if r.Case.Bodies[i].Fluid == "inside" {
		out = -1
	}
	s := bodySurface{body: i, both: r.Case.Bodies[i].Fluid == "both", points: points, triangles: triangles, normals: make([]geometry.Vec, len(points)), areas: make([]float64, len(points)), near: make([][nearMarkers]weighted, len(points))}
	for _, t := range triangles {
		p, q, c := points[t[0]], points[t[1]], points[t[2]]
		n := q.Sub(p).Cross(c.Sub(p)).Scale(out)
		for _, k := range t {
			s.normals[k] = s.normals[k].Add(n)
			s.areas[k] += n.Norm() / 6
		}
	}
	state, center := b.State(), b.Shape.Center()
	cells := map[[3]int][]int32{}
	markers := make([]geometry.Vec, b.Markers.Len())
	for k, x := range b.Markers.X {
		markers[k] = state.ToBody(x)
		c := cellOf(markers[k])
		cells[c] = append(cells[c], int32(k))
	}
	for k := range points {
		if n := s.normals[k].Norm(); n > 0 {
			s.normals[k] = s.normals[k].Scale(1 / n)
		}
		s.points[k] = points[k].Sub(center)
		s.near[k] = nearest(markers, cells, s.points[k])
	}
	return s
}

// cellWidth is that of cells of markers, in nodes, which stand a node or less apart.
const cellWidth = 2.5

func cellOf(x geometry.Vec) (c [3]int) {
	for a := range c {
		c[a] = int(math.Floor(x[a] / cellWidth))
	}
	return c
}

// nearest are the markers nearest to a point, weighed by the inverse square of their distance; none is farther than two cells.
func nearest(markers []geometry.Vec, cells map[[3]int][]int32, x geometry.Vec) (found [nearMarkers]weighted) {
	var far [nearMarkers]float64
	n, c := 0, cellOf(x)
	for dz := -1; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				for _, k := range cells[[3]int{c[0] + dx, c[1] + dy, c[2] + dz}] {
					d := markers[k].Sub(x)
					away, at := d.Dot(d), n
					for at > 0 && away < far[at-1] {
						at--
					}
					if at == nearMarkers {
						continue
					}
					copy(far[at+1:], far[at:])
					copy(found[at+1:], found[at:])
					far[at], found[at] = away, weighted{marker: k}
					n = min(n+1, nearMarkers)
				}
			}
		}
	}
	sum := 0.
	for k := range n {
		w := 1 / (far[k] + 1e-3) // a marker on the corner does not count alone
		found[k].weight = float32(w)
		sum += w
	}
	for k := range n {
		found[k].weight /= float32(sum)
	}
	return found
}

// Save keeps the length of the table.
func (s *bodySurfaces[T]) Save(to *Saved) error {
	if s.table == nil {
		return nil
	}
	return s.table.Save(to)
}

// Restore does nothing: the table was opened where the checkpoint left it.
func (s *bodySurfaces[T]) Restore(*Saved) error { return nil }

// Close closes the table.
func (s *bodySurfaces[T]) Close() error {
	if s.table == nil {
		return nil
	}
	return s.table.Close()
}

// Due is at the interval of the case.
func (s *bodySurfaces[T]) Due(step int64) bool { return step%s.every == 0 }

// loaded is a surface at a moment: places in node coordinates and what the flow does there, over ½ρU².
type loaded struct {
	where, normals     []geometry.Vec
	areas              []float64 // in nodes
	traction, friction []geometry.Vec
	pressure           []float64
}

// load finds what the flow does to a surface now.
func (s *bodySurfaces[T]) load(o *bodySurface) (l loaded, err error) {
	b, t := s.Bodies[o.body], s.Sim.Traction(o.body)
	unit := 2 / (s.Case.Reference.Velocity * s.Case.Reference.Velocity) // to ½ρU²
	l.areas = o.areas
	if o.triangles == nil {
		l.where, l.normals, l.areas = b.Markers.X, intoFlow(b), b.Markers.Area
	} else {
		state := b.State()
		for i := range o.points {
			l.where, l.normals = append(l.where, state.ToSpace(o.points[i])), append(l.normals, state.Rotation.Apply(o.normals[i]))
		}
	}
	for i := range l.where {
		var f geometry.Vec
		for a := range t {
			if o.triangles == nil {
				f[a] = float64(t[a][i]) * unit
				continue
			}
			for _, m := range o.near[i] {
				f[a] += float64(m.weight) * float64(t[a][m.marker]) * unit
			}
		}
		l.traction, l.friction = append(l.traction, f), append(l.friction, alongWall(f, l.normals[i]))
	}
	normals := l.normals
	if o.both { // there is no pressure of one side
		normals = make([]geometry.Vec, len(normals))
	}
	ahead := inFront(s.Flow.Lattice.Dim, s.reach, l.where, normals)
	l.pressure = ahead.c
	return l, readFront(s.State, ahead, readNow(s.State))
}

// Observe writes a file of the state at hand.
func (s *bodySurfaces[T]) Observe() error {
	var poly vtkhdf.Poly
	var body, normal, area, traction, friction, pressure []float32
	unit := math.Pow(s.Units.Dx, float64(s.Flow.Lattice.Dim-1)) // L^(d−1) of a node's
	vector := func(to *[]float32, v geometry.Vec) { *to = append(*to, float32(v[0]), float32(v[1]), float32(v[2])) }
	all := make([]loaded, len(s.of))
	for k := range s.of {
		o := &s.of[k]
		l, err := s.load(o)
		if err != nil {
			return fmt.Errorf("surfaces: %w", err)
		}
		all[k] = l
		first := len(poly.Points)
		for i, x := range l.where {
			poly.Points, body = append(poly.Points, s.Place(x)), append(body, float32(o.body))
			area, pressure = append(area, float32(l.areas[i]*unit)), append(pressure, float32(l.pressure[i]))
			vector(&normal, l.normals[i])
			vector(&traction, l.traction[i])
			vector(&friction, l.friction[i])
		}
		for _, c := range o.triangles {
			poly.Triangles = append(poly.Triangles, [3]int{first + c[0], first + c[1], first + c[2]})
		}
		for _, line := range o.lines {
			in := make([]int, len(line))
			for i, k := range line {
				in[i] = first + k
			}
			poly.Lines = append(poly.Lines, in)
		}
	}
	if err := s.Lost(); err != nil {
		return err
	}
	poly.Arrays = []vtkhdf.Array{{Name: "body", Components: 1, Data: body}, {Name: "normal", Components: 3, Data: normal}, {Name: "area", Components: 1, Data: area},
		{Name: "traction", Components: 3, Data: traction}, {Name: "friction_coefficient", Components: 3, Data: friction}, {Name: "pressure_coefficient", Components: 1, Data: pressure}}
	poly.Notes = notesOn(s.Problem, s.Now(), poly.Arrays)
	name := fmt.Sprintf("surfaces/surfaces_%09d.vtkhdf", s.Step)
	sum, err := vtkhdf.WritePolySummed(s.Dir.File(name), &poly)
	if err != nil {
		return fmt.Errorf("surfaces: %w", err)
	}
	s.files.Add(File{Path: name, Sum: sum, Series: bodySurfacesSeries, Time: s.Time()})
	if err := vtkhdf.WriteSeries(s.Dir.File(bodySurfacesSeries), s.files.entries(bodySurfacesSeries)); err != nil {
		return err
	}
	return s.rows(all)
}

// surfaceColumns are those of pressure.csv: the arc length and the angle at the body's centre, in degrees from the x axis, anticlockwise; cf is the friction
// along the wall with the fluid on the right hand: anticlockwise around a body, cf_x and cf_y its components.
var surfaceColumns = []string{"t", "step", "body", "s", "angle", "x", "y", "nx", "ny", "length", "cp", "cf", "cf_x", "cf_y"}

// rows appends a row per marker to the table of bodies in the plane.
func (s *bodySurfaces[T]) rows(all []loaded) error {
	if s.table == nil {
		return nil
	}
	for k, l := range all {
		b := s.Bodies[s.of[k].body]
		center, arc := b.State().Position, 0.
		for i, x := range l.where {
			from, n, f := x.Sub(center), l.normals[i], l.friction[i]
			angle := math.Atan2(from[1], from[0]) * 180 / math.Pi
			if angle < 0 {
				angle += 360
			}
			half, place := l.areas[i]*s.Units.Dx/2, s.Place(x)
			err := s.table.Append(s.Time(), s.Step, b.Name, arc+half, angle, place[0], place[1], n[0], n[1], 2*half, l.pressure[i], n[0]*f[1]-n[1]*f[0], f[0], f[1])
			if err != nil {
				return fmt.Errorf("surfaces: %w", err)
			}
			arc += 2 * half
		}
	}
	return nil
}
