package geometry

import (
	"fmt"
	"math"
	"slices"
	"sync"
)

// MaxTriangles is the largest number of triangles of a mesh.
const MaxTriangles = 1 << 22

// Mesh is a surface of triangles, made by NewMesh or ReadSTL. One that is not
// watertight is Open: it has no inside, and its centre is that of the surface.
// Length is its extent along y, Frontal its shadow in a flow along x.
type Mesh struct{ placed }

// STLReport says what a mesh is, in the unit of its file.
type STLReport struct {
	Triangles   int
	Doubles     int  // of them that stood before, with the same corners and the same side out, and are left out
	Watertight  bool // every edge is passed as often in one direction as in the other
	OpenEdges   int  // edges of one triangle only
	NonManifold int  // edges of more than two triangles
	Flipped     bool // all triangles faced inwards and were turned round
	Lo, Hi      Vec  // bounding box
	Volume      float64
	Surface     float64
	Shells      int     // pieces that hang together
	Overlap     *Vec    // a place where one shell of a closed mesh lies within another, among facets that were asked; nil: none was found
	Touch       *Vec    // a place where shells that do not overlap touch, likewise
	Thinnest    float64 // least thickness behind a facet's middle, up to a facet that faces away from it; 0 of an open mesh
}

// NewMesh is the mesh of triangles between points, corners anticlockwise as
// seen from outside. One that faces inwards as a whole is turned round, and of
// triangles that stand twice one is left out. Numbers
// of points that do not exist, coordinates that are not finite, triangles
// without area, more than MaxTriangles of them and closed meshes whose
// triangles face both ways are refused, triangles counted from 0.
func NewMesh(points []Vec, triangles [][3]int) (Mesh, STLReport, error) {
	if len(triangles) > MaxTriangles {
		return Mesh{}, STLReport{}, tooManyTriangles(len(triangles))
	}
	corners := make([]Vec, 0, 3*len(triangles))
	for k, t := range triangles {
		for _, i := range t {
			if i < 0 || i >= len(points) {
				return Mesh{}, STLReport{}, fmt.Errorf("geometry: mesh: triangle %d has point %d, there are points 0 to %d: correct the triangle", k, i, len(points)-1)
			}
			corners = append(corners, points[i])
		}
	}
	return meshOf("mesh", corners)
}

func tooManyTriangles(n int) error {
	return fmt.Errorf("geometry: mesh: it has %d triangles, at most %d are allowed: coarsen it to triangles of about a lattice spacing", n, MaxTriangles)
}

// meshOf is the mesh whose triangle k has the corners 3k … 3k+2.
func meshOf(kind string, corners []Vec) (Mesh, STLReport, error) {
	report := STLReport{Triangles: len(corners) / 3}
	fail := func(format string, args ...any) (Mesh, STLReport, error) {
		return Mesh{}, report, fmt.Errorf("geometry: "+kind+": "+format, args...)
	}
	if len(corners) == 0 {
		return fail("it has no triangles, at least one is needed: export the surface again")
	}
	for k, p := range corners {
		if !p.within(maxMeshCoordinate) {
			return fail("facet %d has a corner at %v, every coordinate must be finite and within ±%g: repair the mesh", k/3, p, float64(maxMeshCoordinate))
		}
	}
	if lo, hi := boxOf(corners...); !(hi.Sub(lo).Norm() >= minMeshSize) {
		return fail("it is only %.4g large in the unit of its file, must be at least %g: export it in a smaller unit", hi.Sub(lo).Norm(), minMeshSize)
	}
	degenerate := func(facet int) (Mesh, STLReport, error) {
		a, b, c := corners[3*facet], corners[3*facet+1], corners[3*facet+2]
		return fail("facet %d is degenerate, its corners %v, %v and %v are on one line, to %g of the surface's size: remove it, for instance by merging vertices", facet, a, b, c, weldShare)
	}
	for k := 0; k < len(corners); k += 3 {
		if onLine(corners[k], corners[k+1], corners[k+2]) {
			return degenerate(k / 3)
		}
	}
	points, triangles, facets := weld(corners)
	if len(triangles) == 0 {
		return fail("all of its %d facets are smaller than %g of its size: export the surface again", len(corners)/3, weldShare)
	}
	for k, t := range triangles { // welding moves corners
		if onLine(points[t[0]], points[t[1]], points[t[2]]) {
			return degenerate(facets[k])
		}
	}
	all := len(triangles)
	triangles = distinct(triangles)
	report.Doubles = all - len(triangles)
	edges := edgesOf(points, triangles)
	mixed := 0
	report.Watertight = true
	for _, e := range edges {
		switch {
		case e.forth+e.back == 1:
			report.OpenEdges++
		case e.forth+e.back > 2:
			report.NonManifold++
		case e.forth != e.back:
			mixed++
		}
		report.Watertight = report.Watertight && e.forth == e.back
	}
	if report.OpenEdges == 0 && mixed > 0 {
		return fail("at %d edges two neighbouring triangles face opposite sides, all must face outwards: make the normals consistent in the program that it comes from", mixed)
	}
	m := newMeshForm(points, triangles)
	if m.volume < 0 && report.Watertight {
		report.Flipped = true
		for k, t := range triangles {
			triangles[k] = [3]int32{t[0], t[2], t[1]}
		}
		m = newMeshForm(points, triangles)
	}
	if report.Watertight && !(m.volume > 1e-12*math.Pow(m.area, 1.5)) {
		return fail("it is closed but encloses a volume of %.3g with a surface of %.3g: give a plate as a single open surface", m.volume, m.area)
	}
	m.isOpen, m.kind = !report.Watertight, kind
	center := m.centre()
	for k := range m.points {
		m.points[k] = m.points[k].Sub(center)
	}
	placed := place(m, center)
	report.Lo, report.Hi = placed.Bounds()
	report.Volume, report.Surface, report.Thinnest = m.enclosed(), m.area, m.thinnest()
	_, report.Shells = shells(len(points), triangles)
	report.Overlap, report.Touch = m.overlap()
	for _, at := range []*Vec{report.Overlap, report.Touch} {
		if at != nil {
			*at = at.Add(center)
		}
	}
	return Mesh{placed}, report, nil
}

// onLine tells triangles without an area. Corners of single precision leave 1e-7 of a side on a straight line.
func onLine(a, b, c Vec) bool {
	b, c = b.Sub(a), c.Sub(a)
	longest := max(b.Norm(), c.Norm(), b.Sub(c).Norm())
	return !(b.Cross(c).Norm() > 1e-9*longest*longest)
}

// Triangles are the points of a mesh where the shape is, corners at one place welded, and the three points of each triangle, anticlockwise as seen from outside;
// ok is false of shapes that are no mesh.
func Triangles(s Shape) (points []Vec, triangles [][3]int, ok bool) {
	if m, named := s.(Mesh); named {
		s = m.placed
	}
	p, _ := s.(placed)
	m, ok := p.form.(*mesh)
	if !ok {
		return nil, nil, false
	}
	points, triangles = make([]Vec, len(m.points)), make([][3]int, len(m.triangles))
	for k, x := range m.points {
		points[k] = p.center.Add(p.turn.Apply(x).Scale(p.scale))
	}
	for k, t := range m.triangles {
		triangles[k] = [3]int{int(t[0]), int(t[1]), int(t[2])}
	}
	return points, triangles, true
}

// mesh is a surface of triangles as a form.
type mesh struct {
	kind         string
	points       []Vec
	triangles    [][3]int32
	isOpen       bool
	area, volume float64
	edges        func() []edge
	tree         func() *tree
	sealed       *mesh   // of a passage, that with its ends closed; nil of others
	images       *images // of its points, where it goes on or ends at faces; nil of others
}

var _ form = (*mesh)(nil)

func newMeshForm(points []Vec, triangles [][3]int32) *mesh {
	m := &mesh{kind: "mesh", points: points, triangles: triangles}
	o := points[0] // so that little cancels
	for k := range triangles {
		a, b, c := m.corners(k)
		m.area += b.Sub(a).Cross(c.Sub(a)).Norm() / 2
		m.volume += a.Sub(o).Dot(b.Sub(o).Cross(c.Sub(o))) / 6
	}
	m.edges = sync.OnceValue(func() []edge {
		edges := edgesOf(m.points, m.triangles)
		for k := range edges {
			if e := &edges[k]; m.sealed != nil && e.forth+e.back == 1 { // where a passage is cut, its wall goes on
				e.sharp = false
			}
		}
		return edges
	})
	m.tree = sync.OnceValue(func() *tree { return newTree(m) })
	return m
}

func (m *mesh) corners(k int) (a, b, c Vec) {
	t := m.triangles[k]
	return m.points[t[0]], m.points[t[1]], m.points[t[2]]
}

// normal is the unit normal of triangle k.
func (m *mesh) normal(k int) Vec {
	a, b, c := m.corners(k)
	return normalOf(a, b, c)
}

// normalOf is the unit normal of a triangle, whatever its size.
func normalOf(a, b, c Vec) Vec {
	n := b.Sub(a).Cross(c.Sub(a))
	return n.Scale(1 / n.Norm())
}

// centre is the centroid of the volume, of an open mesh that of the surface.
func (m *mesh) centre() (center Vec) {
	o := m.points[0]
	for k := range m.triangles {
		a, b, c := m.corners(k)
		a, b, c = a.Sub(o), b.Sub(o), c.Sub(o)
		sum := a.Add(b).Add(c)
		if m.isOpen {
			center = center.Add(sum.Scale(b.Sub(a).Cross(c.Sub(a)).Norm() / 6 / m.area))
		} else {
			center = center.Add(sum.Scale(a.Dot(b.Cross(c)) / 24 / m.volume))
		}
	}
	return center.Add(o)
}

func (m *mesh) name() string         { return m.kind }
func (m *mesh) dim() int             { return 3 }
func (m *mesh) surface() float64     { return m.area }
func (m *mesh) open() bool           { return m.isOpen }
func (m *mesh) length(r Mat) float64 { return extent(m, r, 1) }

func (m *mesh) enclosed() float64 {
	if m.isOpen {
		return 0
	}
	return m.volume
}

func (m *mesh) support(d Vec) float64 {
	largest := math.Inf(-1)
	for _, p := range m.points {
		largest = max(largest, p.Dot(d))
	}
	return largest
}

func (m *mesh) reach() float64 { return farthest(m.points) }

// inertia sums the tetrahedra between the centroid and the triangles.
func (m *mesh) inertia() Mat {
	if m.isOpen {
		return Mat{}
	}
	var second Mat // ∫ x xᵀ dV
	for k := range m.triangles {
		a, b, c := m.corners(k)
		sum := a.Add(b).Add(c)
		all := outer(sum, sum).Add(outer(a, a)).Add(outer(b, b)).Add(outer(c, c))
		second = second.Add(all.Scale(a.Dot(b.Cross(c)) / 120))
	}
	return Identity().Scale(second.trace()).Add(second.Scale(-1))
}

// contains counts the windings of the surface around p.
func (m *mesh) contains(p Vec) bool { return !m.isOpen && m.tree().winding(p) != 0 }

// frontal is the area of the shadow along x: on lines of constant z, the union
// of what the triangles cover.
func (m *mesh) frontal(r Mat) float64 {
	if m.sealed != nil {
		return m.sealed.frontal(r)
	}
	turned := make([]Vec, len(m.points))
	lo, hi := math.Inf(1), math.Inf(-1)
	for k, p := range m.points {
		turned[k] = r.Apply(p)
		lo, hi = min(lo, turned[k][2]), max(hi, turned[k][2])
	}
	const lines = 2048
	step := (hi - lo) / lines
	if !(step > 0) {
		return 0
	}
	covered := make([][][2]float64, lines)
	for _, t := range m.triangles {
		a, b, c := turned[t[0]], turned[t[1]], turned[t[2]]
		first := int(math.Ceil((min(a[2], b[2], c[2])-lo)/step - 0.5))
		last := int(math.Floor((max(a[2], b[2], c[2])-lo)/step - 0.5))
		for i := max(first, 0); i <= min(last, lines-1); i++ {
			z := lo + (float64(i)+0.5)*step
			if from, to, cut := cutAt(z, a, b, c); cut {
				covered[i] = append(covered[i], [2]float64{from, to})
			}
		}
	}
	shadow := 0.
	for _, line := range covered {
		shadow += union(line) * step
	}
	return shadow
}

// cutAt is the range of y where the line at height z cuts a triangle.
func cutAt(z float64, corners ...Vec) (from, to float64, cut bool) {
	from, to = math.Inf(1), math.Inf(-1)
	for k, a := range corners {
		b := corners[(k+1)%len(corners)]
		if (a[2] <= z) != (b[2] <= z) {
			y := a[1] + (b[1]-a[1])*(z-a[2])/(b[2]-a[2])
			from, to = min(from, y), max(to, y)
		}
	}
	return from, to, from < to
}

// union is the length of the union of intervals.
func union(all [][2]float64) (length float64) {
	slices.SortFunc(all, func(a, b [2]float64) int {
		switch {
		case a[0] < b[0]:
			return -1
		case a[0] > b[0]:
			return 1
		}
		return 0
	})
	end := math.Inf(-1)
	for _, i := range all {
		length += max(0, i[1]-max(i[0], end))
		end = max(end, i[1])
	}
	return length
}
