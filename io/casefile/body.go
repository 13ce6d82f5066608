package casefile

import (
	"fmt"
	"math"
	"strings"
	"unicode"
)

// Body is an immersed body: its surface is sampled by markers, that of an elastic one by the
// vertices of its mesh.
type Body struct {
	Name    string
	Shape   Shape
	Spacing float64 // of markers, in nodes; 0: as close as the delta and the forcing allow
	Fluid   string  // outside | inside | both: the side whose flow counts
	Motion  Motion
	Key     string // of its table in the case file, for messages: "body.0"

	notes *notes // of that table
	table int    // its number in the file
}

// PlaceKey is the key that says where the body is, for messages: that of its centre or, of shapes that are
// given by points, of these.
func (b *Body) PlaceKey() string {
	for _, key := range [...]string{"points", "center"} {
		if b.Shape.noted(key) != nil {
			return b.Key + ".shape." + key
		}
	}
	return b.Key + ".shape"
}

// Solid turns the nodes inside its shape, or those outside of it, into walls by halfway bounce-back.
type Solid struct {
	Name  string
	Shape Shape  // any that has an inside
	Fluid string // outside | inside: the side of its surface where the fluid is
}

// Marker spacing in nodes: Pinelli's weights for closer markers are
// ill-conditioned, and fluid leaks between markers farther apart.
const (
	minSpacing = 0.3
	maxSpacing = 2.0
)

// maxBodies bounds the copies that arrays make.
const maxBodies = 100_000

func readBodies(r *reader, tables []*table) {
	names := map[string]int{}
	for i, t := range tables {
		b := Body{Name: readName(t, "body", i, names), Key: t.path, notes: &t.notes, table: i}
		b.Shape = readShape(t)
		sound := r.clean(t.key("shape"), "domain.lattice", "domain.size", "domain.origin")
		elastic := motionOf(t) == "elastic"
		switch {
		case elastic && b.Shape.Type == "line":
			b.Spacing, b.Fluid = readSpacing(t), "both"
			t.refuse("has no effect on a line that bends, with fluid on both sides", "fluid")
		case elastic && b.Shape.Type == "rectangle":
			b.Spacing, b.Fluid = readSpacing(t), "both"
			t.refuse("has no effect on a sheet, with fluid on both sides", "fluid")
		case elastic:
			if b.Shape.noted("thickness") != nil {
				t.fail("shape", "of an elastic body has a thickness, but its surface is the membrane as it is: leave thickness out")
			}
			t.refuse("has no effect on an elastic body, whose markers are the vertices of motion.mesh with fluid on both sides", "spacing", "fluid")
		default:
			b.Spacing = readSpacing(t)
			b.Fluid = readFluidSide(t, b.Shape, sound)
		}
		b.Motion = readMotion(t.table("motion"), b.Shape, sound)
		if sound && b.Shape.Type == "line" && r.c.Domain.Dim == 3 && b.Motion.Type != "elastic" {
			t.fail("shape", "is a line in space, which has no surface for markers of a body that is %s: make its motion elastic, or use a thin cylinder", b.Motion.Type)
		}
		if b.Motion.Type == "free" && b.Fluid == "inside" {
			t.fail("fluid", "is inside, but the body is free: its mass is that of what it encloses; prescribe its motion, or leave fluid out")
		}
		copies := readArray(t, b, sound)
		if sound && r.clean(t.key("array")) {
			checkPlace(t, copies)
			r.atEnd = append(r.atEnd, func() { checkPath(t, copies) })
		}
		for _, c := range copies {
			if first, taken := names[c.Name]; taken && c.Name != b.Name {
				t.fail("array", "makes a copy %q, which is the name of body %d, counted from 0, must be unique: give another name", c.Name, first)
				break
			}
			names[c.Name] = i
		}
		if b.Motion.Elastic != nil {
			r.c.Cells = append(r.c.Cells, copies...)
		} else {
			r.c.Bodies = append(r.c.Bodies, copies...)
		}
	}
}

// checkPlace refuses bodies whose centre lies outside the domain.
func checkPlace(t *table, copies []Body) {
	key := t.key("shape")
	if shape, ok := t.values["shape"].(map[string]any); ok && shape["center"] != nil {
		key = join(key, "center")
	}
	for _, b := range copies {
		if b.Shape.placed() && !t.r.c.Domain.inside(b.Shape.middle(t.r.c.Reference.Resolution)) {
			t.r.fail(key, "body %q lies outside the domain, which is %s: move the body or enlarge domain.size", b.Name, t.r.c.Domain.extent())
			return
		}
	}
}

// readFluidSide reads the side whose flow counts; that of a thin surface is both,
// unless it is the wall of a pipe.
func readFluidSide(t *table, s Shape, sound bool) string {
	thin := sound && s.open()
	def := "outside"
	if thin {
		def = "both"
	}
	side := t.choice("fluid", def)
	if !thin || side != "inside" || s.Type == "stl" || !t.r.clean("domain.boundary", "reference.resolution") {
		return side // where a surface ends its file tells
	}
	switch why := t.r.c.notPipe(s); {
	case !s.Extruded():
		t.fail("fluid", "is inside, but the shape %q is open and has no inside: use \"both\", or close the shape", s.Type)
	case why != "":
		t.fail("fluid", "is inside, but a cylinder without caps has an inside only as a pipe that goes on through periodic faces, and %s; or close it with caps = true, or use \"both\"", why)
	}
	return side
}

// notPipe says what an open cylinder lacks to be the wall of a pipe that goes on
// through periodic faces, and what to do; empty: nothing.
func (c *Case) notPipe(s Shape) string {
	direction := turn(s.Axis, radians(s.Angle)).apply(s.Vector("direction"))
	for i := range c.Domain.Dim {
		if math.Abs(direction[i]) < 1-1e-9 {
			continue
		}
		along, size := "xyz"[i:i+1], c.Domain.Size[i]
		switch {
		case c.Domain.Boundary[2*i].Type != "periodic":
			return fmt.Sprintf("%s and %s are not: make them periodic and drive the flow by domain.force", FaceNames[2*i], FaceNames[2*i+1])
		case math.Abs(s.Number("length")*c.Reference.Resolution-float64(c.Domain.Nodes[i])) > 0.5: // rings of markers stay even
			return fmt.Sprintf("its length is %v where the domain is %s long along %s: make it length = %s", s.Number("length"), formatNumber(size), along, formatNumber(size))
		}
		return ""
	}
	return fmt.Sprintf("its direction is %.3g, %.3g, %.3g: lay it along an axis, for instance direction = [1, 0, 0]", direction[0], direction[1], direction[2])
}

// readSpacing reads a marker spacing; 0 stands for "auto", which is what an
// absent key means.
func readSpacing(t *table) float64 {
	t.note("spacing", "auto")
	t.ask("spacing", ask{form: "auto", def: "auto"})
	v, ok := t.get("spacing")
	if !ok || v == any("auto") {
		return 0
	}
	if text, isText := v.(string); isText {
		t.fail("spacing", "must be a plain number of nodes without quotes or \"auto\", not the string %q", text)
		return 0
	}
	n := t.number("spacing", spec{quantity: Number}, 1)
	switch {
	case n < minSpacing:
		t.fail("spacing", "%v nodes must be at least %v: the weights of markers so close are ill-conditioned; use \"auto\", or 1", n, minSpacing)
	case n > maxSpacing:
		t.fail("spacing", "%v nodes must be at most %v: fluid leaks between markers so far apart; use \"auto\", or 1", n, maxSpacing)
	}
	return n
}

func readSolids(r *reader, tables []*table) {
	names := map[string]int{}
	for i, t := range tables {
		s := Solid{Name: readName(t, "solid", i, names)}
		s.Shape = readShape(t)
		if s.Fluid = t.choice("fluid", "outside"); s.Fluid == "outside" {
			t.drop("fluid") // as before there was a choice: cases keep their hash
		}
		if r.clean(t.key("shape"), "domain.lattice", "domain.size", "domain.origin") {
			checkSolid(t, s)
		}
		r.c.Solids = append(r.c.Solids, s)
	}
}

// checkSolid refuses a solid that misses the domain or leaves no fluid. Its
// centre may lie outside: a bump on a wall is part of a circle.
func checkSolid(t *table, s Solid) {
	d := &t.r.c.Domain
	if s.Shape.open() {
		t.fail("shape", "of solid %q is open and has no inside to fill: close it, or make it a body", s.Name)
		return
	}
	lo, hi, known := s.Shape.bounds(t.r.c.Reference.Resolution)
	if !known {
		return
	}
	apart, covers := false, kindOf(s.Shape.Type).corners != nil
	for i := range d.Dim {
		from, to := d.Origin[i], d.Origin[i]+d.Size[i]
		apart = apart || hi[i] <= from || to <= lo[i]
		covers = covers && lo[i] <= from && to <= hi[i]
	}
	switch {
	case apart:
		t.fail("shape", "solid %q lies outside the domain, which is %s: move it or remove it", s.Name, d.extent())
	case covers && s.Fluid == "outside":
		t.fail("shape", "of solid %q covers the whole domain, which is %s, and leaves no fluid: make it smaller", s.Name, d.extent())
	}
}

// readName reads a name that is unique among its kind and fits into a file name
// and a CSV cell; the default is the kind and the number.
func readName(t *table, kind string, i int, taken map[string]int) string {
	name := t.text("name", fmt.Sprintf("%s%d", kind, i))
	key := t.key("name")
	if !t.has("name") {
		key = t.path
	}
	if bad := strings.IndexFunc(name, notInName); name == "" || bad >= 0 || len(name) > 64 || name[0] == '.' {
		t.r.fail(key, "%q must be 1 to 64 letters, digits, '_', '-', '+' or '.', not beginning with '.': it becomes part of file names", name)
		return name
	}
	if first, ok := taken[name]; ok {
		t.r.fail(key, "%q is already the name of %s %d, counted from 0, must be unique: give another", name, kind, first)
		return name
	}
	taken[name] = i
	return name
}

func notInName(c rune) bool {
	return c == unicode.ReplacementChar || !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_-+.", c)
}
