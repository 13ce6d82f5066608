package casefile

import (
	"fmt"
	"strings"
	"unicode"
)

// Shape is the geometry of a body or a solid.
type Shape struct {
	Type     string     // circle | sphere | box
	Center   [3]float64 // L, of circle and sphere
	Diameter float64    // L, of circle and sphere
	Min, Max [3]float64 // L, of box
}

// Body is an immersed body: its surface is sampled by markers.
type Body struct {
	Name    string
	Shape   Shape   // circle | sphere
	Spacing float64 // of markers, in nodes; 0: as close as the delta and the forcing allow
	Motion  string  // fixed
}

// Solid turns the nodes inside its shape into walls by halfway bounce-back.
type Solid struct {
	Name  string
	Shape Shape // circle | sphere | box
}

// Marker spacing in nodes: Pinelli's weights for closer markers are
// ill-conditioned, and fluid leaks between markers farther apart.
const (
	minSpacing = 0.3
	maxSpacing = 2.0
)

func (r *reader) readBodies(tables []*table) {
	names := map[string]int{}
	for i, t := range tables {
		b := Body{Name: r.name(t, "body", i, names)}
		b.Shape = r.readShape(t)
		if r.clean(t.key("shape"), "domain.lattice", "domain.size", "domain.origin") && !r.c.Domain.inside(b.Shape.Center) {
			r.fail(join(t.key("shape"), "center"), "body %q lies outside the domain, which is %s: move the body or enlarge domain.size",
				b.Name, r.c.Domain.extent())
		}
		b.Spacing = readSpacing(t)
		b.Motion = r.readMotion(t.table("motion"))
		r.c.Bodies = append(r.c.Bodies, b)
	}
}

// readSpacing reads a marker spacing; 0 stands for "auto", which is what an
// absent key means.
func readSpacing(t *table) float64 {
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

func (r *reader) readMotion(t *table) string {
	motion := "fixed"
	if t.present {
		motion = t.choice("type", "")
	}
	t.silent = t.silent || motion == "" // its keys belong to a motion that is not there
	return motion
}

func (r *reader) readSolids(tables []*table) {
	names := map[string]int{}
	for i, t := range tables {
		s := Solid{Name: r.name(t, "solid", i, names)}
		s.Shape = r.readShape(t)
		if r.clean(t.key("shape"), "domain.lattice", "domain.size", "domain.origin") {
			r.checkSolid(t, s)
		}
		r.c.Solids = append(r.c.Solids, s)
	}
}

// checkSolid refuses a solid that misses the domain or leaves no fluid. Its
// centre may lie outside: a bump on a wall is part of a circle.
func (r *reader) checkSolid(t *table, s Solid) {
	d := &r.c.Domain
	lo, hi := s.Shape.bounds()
	apart, covers := false, s.Shape.Type == "box"
	for i := range d.Dim {
		from, to := d.Origin[i], d.Origin[i]+d.Size[i]
		apart = apart || hi[i] <= from || to <= lo[i]
		covers = covers && lo[i] <= from && to <= hi[i]
	}
	switch {
	case apart:
		t.fail("shape", "solid %q lies outside the domain, which is %s: move it or remove it", s.Name, d.extent())
	case covers:
		t.fail("shape", "of solid %q covers the whole domain, which is %s, and leaves no fluid: make it smaller", s.Name, d.extent())
	}
}

// bounds returns the box around the shape.
func (s Shape) bounds() (lo, hi [3]float64) {
	if s.Type == "box" {
		return s.Min, s.Max
	}
	for i := range lo {
		lo[i], hi[i] = s.Center[i]-s.Diameter/2, s.Center[i]+s.Diameter/2
	}
	return lo, hi
}

// shapeDim is the dimension that a shape needs; absent: any.
var shapeDim = map[string]int{"circle": 2, "sphere": 3}

func (r *reader) readShape(parent *table) Shape {
	if !parent.has("shape") {
		parent.missing("shape", `give for instance shape = { type = "circle", center = [10.0, 7.5], diameter = 1.0 }`)
		return Shape{}
	}
	t := parent.table("shape")
	var s Shape
	if t.silent {
		return s
	}
	if s.Type = t.variant(); s.Type == "" {
		return s
	}
	if want := shapeDim[s.Type]; want != 0 && r.c.Domain.Dim != 0 && want != r.c.Domain.Dim {
		fit := map[int]string{2: "circle", 3: "sphere"}[r.c.Domain.Dim]
		t.fail("type", "%q does not fit domain.lattice = %q, which is %d-dimensional: use %q or another lattice", s.Type, r.c.Domain.Lattice, r.c.Domain.Dim, fit)
		t.silent = true
		return s
	}
	idle := `has no effect with type = "` + s.Type + `"`
	if s.Type == "box" {
		s.Min = t.requiredVector("min", spec{quantity: Length, remedy: "give the lower corner in L, for instance [5.0, 0.0]"})
		s.Max = t.requiredVector("max", spec{quantity: Length, remedy: "give the upper corner in L, for instance [6.0, 1.0]"})
		t.refuse(idle, "center", "diameter")
		r.checkCorners(t, s)
		return s
	}
	s.Center = t.requiredVector("center", spec{quantity: Length, remedy: "give the centre in L, for instance [10.0, 7.5]"})
	s.Diameter = t.requiredNumber("diameter", spec{Length, positive, "give the diameter in L, for instance 1.0"})
	t.refuse(idle, "min", "max")
	return s
}

func (r *reader) checkCorners(t *table, s Shape) {
	if !r.clean(t.key("min"), t.key("max")) {
		return
	}
	for i := range r.c.Domain.Dim {
		if !(s.Min[i] < s.Max[i]) {
			t.fail("max", "%v along %c must exceed min = %v: swap them or enlarge the box", s.Max[i], "xyz"[i], s.Min[i])
		}
	}
}

// name reads a name that is unique among its kind and fits into a file name
// and a CSV cell; the default is the kind and the number.
func (r *reader) name(t *table, kind string, i int, taken map[string]int) string {
	name := t.text("name", fmt.Sprintf("%s%d", kind, i))
	key := t.key("name")
	if !t.has("name") {
		key = t.path
	}
	if bad := strings.IndexFunc(name, notInName); name == "" || bad >= 0 || len(name) > 64 || name[0] == '.' {
		r.fail(key, "%q must be 1 to 64 letters, digits, '_', '-', '+' or '.', not beginning with '.': it becomes part of file names", name)
		return name
	}
	if first, ok := taken[name]; ok {
		r.fail(key, "%q is already the name of %s %d, counted from 0, must be unique: give another", name, kind, first)
		return name
	}
	taken[name] = i
	return name
}

func notInName(c rune) bool {
	return c == unicode.ReplacementChar || !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_-+.", c)
}
