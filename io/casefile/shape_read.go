package casefile

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"lbmib/geometry"
)

// shapeDim is the dimension that a shape needs; absent: any.
var shapeDim = map[string]int{
	"circle": 2, "ellipse": 2, "polygon": 2, "line": 2, "naca": 2,
	"sphere": 3, "ellipsoid": 3, "cylinder": 3, "rbc": 3, "stl": 3,
}

// shapeKeys are the keys that each shape takes beside its type.
var shapeKeys = map[string][]string{
	"circle":    {"center", "diameter"},
	"ellipse":   {"center", "axes", "angle"},
	"polygon":   {"points", "angle"},
	"line":      {"points", "angle"},
	"naca":      {"digits", "center", "chord", "angle"},
	"sphere":    {"center", "diameter"},
	"ellipsoid": {"center", "axes", "angle", "axis"},
	"cylinder":  {"center", "diameter", "length", "direction", "caps", "angle", "axis"},
	"rbc":       {"center", "diameter", "angle", "axis"},
	"stl":       {"file", "scale", "center", "angle", "axis", "open"},
	"box":       {"min", "max"},
	"union":     {"of", "angle", "axis"},
}

// maxPoints bounds the points of a polygon or line, and maxParts the parts of a union.
const (
	maxPoints = 10_000
	maxParts  = 1000
)

var zAxis = [3]float64{0, 0, 1}

func (r *reader) readShape(parent *table) Shape {
	if !parent.has("shape") {
		parent.missing("shape", `give for instance shape = { type = "circle", center = [10.0, 7.5], diameter = 1.0 }`)
		return Shape{}
	}
	return r.readForm(parent.table("shape"))
}

// readForm reads a shape from its table.
func (r *reader) readForm(t *table) Shape {
	var s Shape
	if t.silent {
		return s
	}
	if s.Type = t.variant(); s.Type == "" {
		return s
	}
	dim := r.c.Domain.Dim
	if want := shapeDim[s.Type]; want != 0 && dim != 0 && want != dim {
		fit := map[int]string{2: "circle", 3: "sphere"}[dim]
		t.fail("type", "%q does not fit domain.lattice = %q, which is %d-dimensional: use %q or another lattice", s.Type, r.c.Domain.Lattice, dim, fit)
		t.silent = true
		return s
	}
	r.readPlace(t, &s)
	switch s.Type {
	case "box":
		s.Min = t.requiredVector("min", spec{quantity: Length, remedy: "give the lower corner in L, for instance [5.0, 0.0]"})
		s.Max = t.requiredVector("max", spec{quantity: Length, remedy: "give the upper corner in L, for instance [6.0, 1.0]"})
		r.checkCorners(t, s.Min, s.Max)
	case "circle", "sphere", "rbc":
		s.Diameter = t.diameter()
	case "ellipse", "ellipsoid":
		s.Axes = t.requiredVector("axes", spec{Length, positive, "give the full axes in L, for instance [2.0, 1.0]"})
		t.checkSize("axes", s.Axes[:r.c.Domain.Dim]...)
	case "polygon":
		s.Points = r.readPoints(t, 3)
	case "line":
		s.Points = r.readPoints(t, 2)
	case "naca":
		s.Digits = readDigits(t)
		s.Chord = t.requiredNumber("chord", spec{Length, positive, "give the chord in L, for instance 1.0"})
		t.checkSize("chord", s.Chord)
	case "cylinder":
		s.Diameter = t.diameter()
		s.Length = t.requiredNumber("length", spec{Length, positive, "give the length in L, for instance 4.0"})
		t.checkSize("length", s.Length)
		s.Direction = t.unitVector("direction")
		s.Caps = t.flag("caps", true)
	case "stl":
		s.File, s.SHA256 = t.file("file", "give the path of an STL file", geometry.CheckSTL)
		s.Scale = t.number("scale", spec{Number, positive, "give L per unit of the file, for instance 0.001"}, 1)
		s.Open = t.flag("open", false)
	case "union":
		s.Of = r.readParts(t)
	}
	t.refuseForeign(shapeKeys, s.Type)
	return s
}

// readPlace reads where the shape is and how it is turned.
func (r *reader) readPlace(t *table, s *Shape) {
	takes := func(key string) bool { return slices.Contains(shapeKeys[s.Type], key) }
	center := spec{quantity: Length, remedy: "give the centre in L, for instance [10.0, 7.5]"}
	switch {
	case s.Type == "stl":
		if s.Placed = t.has("center"); s.Placed {
			s.Center = t.vector("center", center, s.Center)
		}
	case takes("center"):
		s.Center = t.requiredVector("center", center)
	}
	if !takes("angle") {
		return
	}
	s.Angle = t.number("angle", spec{Number, bound{}, "give it in degrees, anticlockwise"}, 0)
	s.Axis = zAxis
	if r.c.Domain.Dim == 3 && takes("axis") {
		s.Axis = t.unitVector("axis")
		if s.Angle == 0 && r.clean(t.key("angle")) && !t.has("angle") {
			t.refuse("has no effect without angle", "axis")
		}
	} else if r.c.Domain.Dim == 2 && takes("axis") {
		t.refuse("has no effect in two dimensions, where all turns are about z", "axis")
	}
}

func (t *table) diameter() float64 {
	d := t.requiredNumber("diameter", spec{Length, positive, "give the diameter in L, for instance 1.0"})
	t.checkSize("diameter", d)
	return d
}

// checkSize refuses lengths of a shape that no shape can have, in nodes.
func (t *table) checkSize(name string, lengths ...float64) {
	if !t.r.clean(t.key(name), "reference.resolution") {
		return
	}
	for _, l := range lengths {
		nodes := l * t.r.c.Reference.Resolution
		if !(nodes >= geometry.MinSize && nodes <= geometry.MaxCoordinate) {
			t.fail(name, "%v L is %.3g nodes, must be %g to %.3g nodes: change it, or reference.resolution", l, nodes, geometry.MinSize, float64(geometry.MaxCoordinate))
			return
		}
	}
}

// unitVector reads a direction, z where absent, and gives it unit length.
func (t *table) unitVector(name string) [3]float64 {
	v := t.vector(name, spec{Number, bound{}, "give a direction, for instance [0, 0, 1]"}, zAxis)
	n := norm(v)
	if n == 0 || math.IsInf(n, 0) {
		if t.r.clean(t.key(name)) {
			t.fail(name, "has length %v, must be a direction: give for instance [0, 0, 1]", n)
		}
		return zAxis
	}
	if math.Abs(n-1) > 1e-14 { // of unit length it stays as it is, bit by bit
		for i := range v {
			v[i] /= n
		}
	}
	return v
}

// readPoints reads the corners of a polygon or line, at least as many as given.
func (r *reader) readPoints(t *table, least int) (points [][3]float64) {
	const remedy = "give points in L, for instance [[0, 0], [1, 0], [0, 1]]"
	v, ok := t.get("points")
	if !ok {
		t.missing("points", remedy)
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		t.fail("points", "must be an array of points, not %s: %s", kind(v), remedy)
		return nil
	}
	if n := len(list); n < least || n > maxPoints {
		t.fail("points", "has %d points, must have %d to %d: %s", n, least, maxPoints, remedy)
		return nil
	}
	for i, e := range list {
		key := fmt.Sprintf("%s.%d", t.key("points"), i)
		if entries, ok := r.entriesOf(key, e); ok {
			points = append(points, r.vector(key, entries, spec{quantity: Length}))
		}
	}
	if !r.clean(t.key("points")) {
		return points
	}
	for i, p := range points {
		if i > 0 && p == points[i-1] || i > 0 && i == len(points)-1 && least == 3 && p == points[0] {
			r.fail(fmt.Sprintf("%s.%d", t.key("points"), i), "is the same point as its neighbour, must be another: remove it%s",
				map[bool]string{true: "; a polygon closes by itself"}[least == 3])
			return points
		}
	}
	return points
}

var fourDigits = regexp.MustCompile(`^[0-9]{4}$`)

// readDigits reads the digits of a NACA profile: camber in percent of the chord,
// its place in tenths, thickness in percent.
func readDigits(t *table) string {
	const remedy = `give four digits in quotes, for instance "0012"`
	if !t.has("digits") {
		t.missing("digits", remedy)
	}
	d := t.text("digits", "")
	switch {
	case !t.r.clean(t.key("digits")):
	case !fourDigits.MatchString(d):
		t.fail("digits", "%q must be the four digits of a NACA profile: %s", d, remedy)
	case d[2:] == "00":
		t.fail("digits", "%q has thickness 0, must be greater: %s, or use a line", d, remedy)
	case d[0] != '0' && d[1] == '0':
		t.fail("digits", "%q has camber at 0 tenths of the chord, must be at 1 to 9: %s", d, remedy)
	}
	return d
}

// readParts reads the shapes of a union.
func (r *reader) readParts(t *table) (parts []Shape) {
	const remedy = `give the parts, for instance of = [ { type = "circle", center = [1, 1], diameter = 1 }, { … } ]`
	if !t.has("of") {
		t.missing("of", remedy)
		return nil
	}
	tables := t.tables("of")
	if n := len(tables); (n < 1 || n > maxParts) && r.clean(t.key("of")) {
		t.fail("of", "has %d parts, must have 1 to %d: %s", n, maxParts, remedy)
		return nil
	}
	for _, part := range tables {
		parts = append(parts, r.readForm(part))
	}
	return parts
}

func (r *reader) checkCorners(t *table, lo, hi [3]float64) {
	if !r.clean(t.key("min"), t.key("max")) {
		return
	}
	for i := range r.c.Domain.Dim {
		if !(lo[i] < hi[i]) {
			t.fail("max", "%v along %c must exceed min = %v: swap them or enlarge the box", hi[i], "xyz"[i], lo[i])
		}
	}
}

// refuseForeign reports keys that belong to other types than the one given.
func (t *table) refuseForeign(of map[string][]string, typ string) {
	own := of[typ]
	why := "; " + typ + " takes none"
	if len(own) > 0 {
		why = fmt.Sprintf("; %s takes %s", typ, strings.Join(own, ", "))
	}
	for _, keys := range of {
		for _, name := range keys {
			if t.has(name) && !slices.Contains(own, name) && t.r.clean(t.key(name)) {
				t.fail(name, "has no effect with type = %q: remove it%s", typ, why)
			}
		}
	}
}
