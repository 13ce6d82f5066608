package observe

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
)

// bodySurfacesSeries lists the files of the surfaces of bodies from files.
const bodySurfacesSeries = "surfaces.vtkhdf.series"

// bodySurfaces writes the surfaces of rigid bodies that are triangles, where they are, with what the flow does to them at the corners of
// the triangles: the traction, interpolated from the markers, the part of it along the wall over ½ρU², and the pressure coefficient of the fluid outside, where the
// supports of the markers end.
type bodySurfaces[T lbm.Float] struct {
	Stateless
	*State[T]
	files *Files
	every int64
	of    []bodySurface
	reach float64 // of a support, along each axis, in nodes
}

// bodySurface is one, as drawn: in nodes, from the body's centre.
type bodySurface struct {
	body      int
	points    []geometry.Vec
	normals   []geometry.Vec // into the flow, or where both sides are in it to one of them
	both      bool
	triangles [][3]int
	near      [][nearMarkers]weighted
}

// nearMarkers is how many markers a corner's traction is a mean of.
const nearMarkers = 4

// weighted is a marker and its weight.
type weighted struct {
	marker int32
	weight float32
}

func init() {
	register(kind{key: "surfaces", files: []string{bodySurfacesSeries, "surfaces/*.vtkhdf"}, f32: newBodySurfaces[float32], f64: newBodySurfaces[float64]})
}

func newBodySurfaces[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	every := o.Case.Output.Every("surfaces")
	if every == 0 {
		return nil, nil
	}
	delta, err := ib.NewDelta[T](o.Coupling.Delta)
	if err != nil {
		return nil, err
	}
	s := &bodySurfaces[T]{State: o.State, files: &o.Files, every: o.Case.StepsOf(every), reach: float64(delta.Support()) / 2}
	for i := range o.Problem.Bodies {
		if points, triangles, ok := geometry.Triangles(o.Problem.Bodies[i].Shape); ok {
			s.of = append(s.of, newBodySurface(o.State, i, points, triangles))
		}
	}
	return []Observer{s}, o.Dir.MakeDir("surfaces")
}

// newBodySurface finds the markers near each corner of body i.
func newBodySurface[T lbm.Float](r *State[T], i int, points []geometry.Vec, triangles [][3]int) bodySurface {
	b, out := r.Bodies[i], 1.
	if r.Case.Bodies[i].Fluid == "inside" {
		out = -1
	}
	s := bodySurface{body: i, both: r.Case.Bodies[i].Fluid == "both", points: points, triangles: triangles, normals: make([]geometry.Vec, len(points)), near: make([][nearMarkers]weighted, len(points))}
	for _, t := range triangles {
		p, q, c := points[t[0]], points[t[1]], points[t[2]]
		n := q.Sub(p).Cross(c.Sub(p)).Scale(out)
		for _, k := range t {
			s.normals[k] = s.normals[k].Add(n)
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

// Due is at the interval of the case.
func (s *bodySurfaces[T]) Due(step int64) bool { return step%s.every == 0 }

// Observe writes a file of the state at hand.
func (s *bodySurfaces[T]) Observe() error {
	var poly vtkhdf.Poly
	var body, traction, friction, pressure []float32
	unit := 2 / (s.Case.Reference.Velocity * s.Case.Reference.Velocity) // to ½ρU²
	for k := range s.of {
		o := &s.of[k]
		first, state, t := len(poly.Points), s.Bodies[o.body].State(), s.Sim.Traction(o.body)
		where := make([]geometry.Vec, len(o.points))
		normals := make([]geometry.Vec, len(o.points))
		for i := range o.points {
			where[i], normals[i] = state.ToSpace(o.points[i]), state.Rotation.Apply(o.normals[i])
			var f geometry.Vec
			for _, m := range o.near[i] {
				for a := range t {
					f[a] += float64(m.weight) * float64(t[a][m.marker]) * unit
				}
			}
			along := f.Sub(normals[i].Scale(f.Dot(normals[i])))
			poly.Points = append(poly.Points, s.Place(where[i]))
			body = append(body, float32(o.body))
			for a := range 3 {
				traction = append(traction, float32(f[a]))
				friction = append(friction, float32(along[a]))
			}
		}
		if o.both { // there is no pressure of one side
			clear(normals)
		}
		for _, c := range s.pressures(where, normals) {
			pressure = append(pressure, float32(c))
		}
		for _, c := range o.triangles {
			poly.Triangles = append(poly.Triangles, [3]int{first + c[0], first + c[1], first + c[2]})
		}
	}
	if err := s.Lost(); err != nil {
		return err
	}
	poly.Arrays = []vtkhdf.Array{{Name: "body", Components: 1, Data: body}, {Name: "traction", Components: 3, Data: traction},
		{Name: "friction_coefficient", Components: 3, Data: friction}, {Name: "pressure_coefficient", Components: 1, Data: pressure}}
	poly.Notes = notesOn(s.Problem, s.Now(), poly.Arrays)
	name := fmt.Sprintf("surfaces/surfaces_%09d.vtkhdf", s.Step)
	sum, err := vtkhdf.WritePolySummed(s.Dir.File(name), &poly)
	if err != nil {
		return fmt.Errorf("surfaces: %w", err)
	}
	s.files.Add(File{Path: name, Sum: sum, Series: bodySurfacesSeries, Time: s.Time()})
	return vtkhdf.WriteSeries(s.Dir.File(bodySurfacesSeries), s.files.entries(bodySurfacesSeries))
}

// pressures are the pressure coefficients in front of places, where the supports of markers there end: through a boundary layer the
// pressure does not change. NaN where there is no normal, as where the flow is on both sides.
func (s *bodySurfaces[T]) pressures(where, normals []geometry.Vec) []float64 {
	c := make([]float64, len(where))
	points, which := make([][3]float64, len(where)), make([]int, 0, len(where))
	for k, n := range normals {
		if c[k] = math.NaN(); n == (geometry.Vec{}) {
			continue
		}
		ahead := s.reach * (math.Abs(n[0]) + math.Abs(n[1]) + math.Abs(n[2]))
		points[k], which = where[k].Add(n.Scale(ahead)), append(which, k)
	}
	s.sampleNear(points, which, func(k int, rho float64) { c[k] = 2 * s.Units.PressureOf(rho) })
	return c
}

// A box of nodes around points on a surface is halved, where it has more than so many, down to so many along its longest side: of a large body most nodes of the box around it
// are in front of no point.
const (
	surfaceNodes = 1 << 15
	surfaceSide  = 12
)

// sampleNear calls use with the density at those points that which lists, in node coordinates, which it sorts by place: it reads the nodes near them.
func (s *bodySurfaces[T]) sampleNear(points [][3]float64, which []int, use func(k int, rho float64)) {
	if len(which) == 0 {
		return
	}
	lo, hi := [3]int{math.MaxInt, math.MaxInt, math.MaxInt}, [3]int{math.MinInt, math.MinInt, math.MinInt}
	for _, k := range which {
		for a, x := range points[k] {
			lo[a], hi[a] = min(lo[a], int(math.Floor(x))), max(hi[a], int(math.Floor(x))+2)
		}
	}
	size, longest := [3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}, 0
	for a := range size {
		if size[a] > size[longest] {
			longest = a
		}
	}
	nodes := size[0] * size[1] * size[2]
	if nodes > surfaceNodes && size[longest] > surfaceSide {
		middle, n := float64(lo[longest]+size[longest]/2), 0
		for i, k := range which {
			if points[k][longest] < middle {
				which[i], which[n] = which[n], k
				n++
			}
		}
		s.sampleNear(points, which[:n], use)
		s.sampleNear(points, which[n:], use)
		return
	}
	box := corners[T]{lo: lo, size: size, rho: make([]T, nodes), u: make([][]T, 3)}
	for a := range box.u {
		box.u[a] = make([]T, nodes)
	}
	s.window(lo, hi, box.rho, box.u)
	if s.Flow.HasWalls() {
		box.solid = s.SolidIn(lo, hi)
	}
	for _, k := range which {
		rho, _ := box.at(points[k])
		use(k, rho)
	}
}
