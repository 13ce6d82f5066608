package casefile

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"lbmib/geometry"
)

// maxPoints bounds the points of a polygon or line, and maxParts the parts of a union.
const (
	maxPoints = 10_000
	maxParts  = 1000
)

var zAxis = [3]float64{0, 0, 1}

func readShape(parent *table) Shape {
	if !parent.has("shape") {
		parent.missing("shape", `give for instance shape = { type = "circle", center = [10.0, 7.5], diameter = 1.0 }`)
		return Shape{given: &given{notes: new(notes)}}
	}
	return readForm(parent.table("shape"))
}

// readForm reads a shape from its table.
func readForm(t *table) Shape {
	s := Shape{given: &given{notes: &t.notes}}
	if t.silent {
		return s
	}
	if s.Type = t.variant(); s.Type == "" {
		return s
	}
	k, dim := kindOf(s.Type), t.r.c.Domain.Dim
	if k.dim != 0 && dim != 0 && k.dim != dim {
		fit := map[int]string{2: "circle", 3: "sphere"}[dim]
		t.fail("type", "%q does not fit domain.lattice = %q, which is %d-dimensional: use %q or another lattice", s.Type, t.r.c.Domain.Lattice, dim, fit)
		t.silent = true
		return s
	}
	for _, key := range k.keys {
		if v := key.read(t, key.name); v != nil {
			t.note(key.name, v)
		}
	}
	if k.turns {
		readTurn(t, &s, k.dim != 2)
	}
	refuseForeign(t, shapeKeys, s.Type)
	return s
}

// readTurn reads how the shape is turned; about says that it takes an axis in space.
func readTurn(t *table, s *Shape, about bool) {
	s.Angle = t.number("angle", spec{Number, bound{}, "give it in degrees, anticlockwise"}, 0)
	s.Axis = zAxis
	switch {
	case !about:
	case t.r.c.Domain.Dim == 3:
		s.Axis = readUnitVector(t, "axis")
		if s.Angle == 0 && t.r.clean(t.key("angle")) && !t.has("angle") {
			t.refuse("has no effect without angle", "axis")
		}
		if s.Angle == 0 && s.Axis == zAxis {
			t.drop("axis")
		}
	case t.r.c.Domain.Dim == 2:
		t.refuse("has no effect in two dimensions, where all turns are about z", "axis")
	}
}

// The keys that several shapes have.
var (
	centerSpec = spec{quantity: Length, remedy: "give the centre in L, for instance [10.0, 7.5]"}
	centerKey  = shapeKey{"center", func(t *table, name string) any { return place(t.requiredVector(name, centerSpec)) }}
	axesKey    = shapeKey{"axes", func(t *table, name string) any {
		axes := t.requiredVector(name, spec{Length, positive, "give the full axes in L, for instance [2.0, 1.0]"})
		checkSize(t, name, axes[:t.r.c.Domain.Dim]...)
		return axes
	}}
)

// sizeKey is a length without which there is no shape.
func sizeKey(name, remedy string) shapeKey {
	return shapeKey{name, func(t *table, name string) any {
		checkSize(t, name, t.requiredNumber(name, spec{Length, positive, remedy}))
		return t.noted(name)
	}}
}

func flagKey(name string, def bool) shapeKey {
	return shapeKey{name, func(t *table, name string) any { return t.flag(name, def) }}
}

// pointsKey is a list of at least so many points.
func pointsKey(least int) shapeKey {
	return shapeKey{"points", func(t *table, _ string) any { return places(readPoints(t, least)) }}
}

func readDirection(t *table, name string) any { return readUnitVector(t, name) }

// checkSize refuses lengths of a shape that no shape can have, in nodes.
func checkSize(t *table, name string, lengths ...float64) {
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

// readUnitVector reads a direction, z where absent, and gives it unit length.
func readUnitVector(t *table, name string) [3]float64 {
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
	t.note(name, v)
	return v
}

// readPoints reads the corners of a polygon or line, at least as many as given.
func readPoints(t *table, least int) (points [][3]float64) {
	const remedy = "give points in L, for instance [[0, 0], [1, 0], [0, 1]]"
	v, ok := t.get("points")
	t.ask("points", ask{form: "points"})
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
		if entries, ok := t.r.entriesOf(key, e); ok {
			points = append(points, t.r.vector(key, entries, spec{quantity: Length}))
		}
	}
	if !t.r.clean(t.key("points")) {
		return points
	}
	for i, p := range points {
		if i > 0 && p == points[i-1] || i > 0 && i == len(points)-1 && least == 3 && p == points[0] {
			t.r.fail(fmt.Sprintf("%s.%d", t.key("points"), i), "is the same point as its neighbour, must be another: remove it%s",
				map[bool]string{true: "; a polygon closes by itself"}[least == 3])
			return points
		}
	}
	return points
}

var fourDigits = regexp.MustCompile(`^[0-9]{4}$`)

// readDigits reads the digits of a NACA profile: camber in percent of the chord,
// its place in tenths, thickness in percent.
func readDigits(t *table, _ string) any {
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

func checkCorners(t *table, lo, hi [3]float64) {
	if !t.r.clean(t.key("min"), t.key("max")) {
		return
	}
	for i := range t.r.c.Domain.Dim {
		if !(lo[i] < hi[i]) {
			t.fail("max", "%v along %c must exceed min = %v: swap them or enlarge the box", hi[i], "xyz"[i], lo[i])
		}
	}
}

// refuseForeign reports keys that belong to other types than the one given.
func refuseForeign(t *table, of map[string][]string, typ string) {
	own := of[typ]
	for _, keys := range of {
		for _, name := range keys {
			if !slices.Contains(own, name) && t.hasForeign(name) && t.r.clean(t.key(name)) {
				why := typ + " takes none"
				if len(own) > 0 {
					why = fmt.Sprintf("%s takes %s", typ, strings.Join(own, ", "))
				}
				t.fail(name, "has no effect with type = %q: remove it; %s", typ, why)
			}
		}
	}
}
