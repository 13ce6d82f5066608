package casefile

import (
	"slices"
	"strings"
)

// Line is a row of points, in L, between two whose states are written at an interval.
type Line struct {
	Name     string
	From, To [3]float64
	Points   int
	Every    float64
}

// Slice is a plane across an axis, 0 for x, at a coordinate in L whose fields
// are written at an interval.
type Slice struct {
	Name  string
	Axis  int
	At    float64
	Every float64
}

// Section is a plane across an axis, from face to face, whose flow rate, mean velocity and pressure are written at an interval.
type Section struct {
	Name  string
	Axis  int     // 0 to 2: what it lies across
	At    float64 // L
	Every float64
}

// Box is a part of the domain, in L, whose fields are written at an interval.
type Box struct {
	Name     string
	Min, Max [3]float64
	Every    float64
}

// Means are running means and variances of the fields from a time on, in L/U.
type Means struct{ From, Every float64 }

// maxLinePoints bounds the points of a line.
const maxLinePoints = 1_000_000

// readBodiesOut reads the interval of the bodies' places: where nothing moves,
// there are none unless asked for.
func readBodiesOut(t *table) {
	def := 0.0
	if slices.ContainsFunc(t.r.c.Bodies, func(b Body) bool { return b.Motion.Type != "fixed" }) {
		def = t.r.c.Output.Every("forces")
	}
	t.number("every", orNone, def)
}

// readCellsOut reads the interval of the elastic bodies' places and shapes: where there are
// none, neither are these.
func readCellsOut(t *table) {
	if len(t.r.c.Cells) > 0 {
		every(t, t.r.c.Output.Every("forces"))
	} else if s := t.r.c.Suspensions; len(s) > 0 && s[0].Model == "elastic" {
		every(t, 0.5)
	} else if t.r.clean("body", "suspension") {
		t.refuse("has no effect without a body whose motion is elastic", "every")
	}
}

// readFilamentsOut reads the interval of the tips and energies of lines that bend: where there are none,
// neither are these.
func readFilamentsOut(t *table) {
	if slices.ContainsFunc(t.r.c.Bodies, func(b Body) bool { return b.Motion.Beam != nil }) {
		every(t, t.r.c.Output.Every("forces"))
	} else if t.r.clean("body") {
		t.refuse("has no effect without a line whose motion is elastic", "every")
	}
}

// readSheetsOut reads the interval of the tips, corners and energies of sheets: where there are none, neither are these.
func readSheetsOut(t *table) {
	if slices.ContainsFunc(t.r.c.Bodies, func(b Body) bool { return b.Motion.Plate != nil }) {
		every(t, t.r.c.Output.Every("forces"))
	} else if t.r.clean("body") {
		t.refuse("has no effect without a sheet, a rectangle whose motion is elastic", "every")
	}
}

// requiredEvery reads the interval that the output of samples must have.
func requiredEvery(t *table) float64 {
	return t.requiredNumber("every", spec{Time, positive, "give the interval in L/U, for instance 1.0"})
}

// placed reports whether a point that was read well lies in the domain, and
// refuses it otherwise.
func placed(t *table, name, what string, x [3]float64) bool {
	if !t.r.clean(t.key(name), "domain.size", "domain.origin", "domain.lattice") {
		return false
	}
	if !t.r.c.Domain.inside(x) {
		t.fail(name, "of %s lies outside the domain, which is %s: move it or enlarge domain.size", what, t.r.c.Domain.extent())
		return false
	}
	return true
}

func readLine(t *table, name string) {
	l := Line{Name: name}
	l.From = t.requiredVector("from", spec{quantity: Length, remedy: "give the first point in L, for instance [0.0, 0.5]"})
	l.To = t.requiredVector("to", spec{quantity: Length, remedy: "give the last point in L, for instance [1.0, 0.5]"})
	what := "line \"" + l.Name + "\""
	from, to := placed(t, "from", what, l.From), placed(t, "to", what, l.To)
	if from && to && l.From == l.To {
		t.fail("to", "of %s is the same point as from, must be another: use a probe for one point", what)
	}
	l.Points = int(t.integer("points", 2, maxLinePoints, 101, "give the points along the line, both ends included"))
	l.Every = requiredEvery(t)
	t.r.c.Output.Lines = append(t.r.c.Output.Lines, l)
}

func readSlice(t *table, name string) {
	d := &t.r.c.Domain
	if d.Dim == 2 {
		if t.silent = true; !t.r.faults.at["output.slices"] {
			t.r.fail("output.slices", "do not exist with %s, whose fields are planes: remove them, or use fields, boxes or lines", d.Lattice)
		}
		return
	}
	s := Slice{Name: name}
	s.Axis = max(0, strings.Index("xyz", t.choice("axis", "")))
	s.At = t.requiredNumber("at", spec{Length, bound{}, "give the coordinate of the plane in L, for instance 0.5"})
	t.placedAcross("slice", s.Name, s.Axis, s.At)
	s.Every = requiredEvery(t)
	t.r.c.Output.Slices = append(t.r.c.Output.Slices, s)
}

func readSection(t *table, name string) {
	s := Section{Name: name}
	s.Axis = max(0, strings.Index("xyz", t.choice("axis", "")))
	if d := &t.r.c.Domain; d.Dim == 2 && s.Axis == 2 {
		t.fail("axis", "\"z\" of section %q does not exist with %s: use \"x\" or \"y\"", s.Name, d.Lattice)
	}
	s.At = t.requiredNumber("at", spec{Length, bound{}, "give the coordinate of the section in L, for instance 0.5"})
	t.placedAcross("section", s.Name, s.Axis, s.At)
	s.Every = requiredEvery(t)
	t.r.c.Output.Sections = append(t.r.c.Output.Sections, s)
}

// placedAcross refuses a plane across an axis that lies outside the domain.
func (t *table) placedAcross(what, name string, axis int, at float64) {
	d := &t.r.c.Domain
	if !t.r.clean(t.key("axis"), t.key("at"), "domain.size", "domain.origin", "domain.lattice") {
		return
	}
	if lo, hi := d.Origin[axis], d.Origin[axis]+d.Size[axis]; at < lo || at > hi {
		t.fail("at", "%v of %s %q lies outside the domain along %c, which is %s..%s: move it", at, what, name, "xyz"[axis], formatNumber(lo), formatNumber(hi))
	}
}

func readBox(t *table, name string) {
	b := Box{Name: name}
	b.Min = t.requiredVector("min", spec{quantity: Length, remedy: "give the lower corner in L, for instance [5.0, 0.0]"})
	b.Max = t.requiredVector("max", spec{quantity: Length, remedy: "give the upper corner in L, for instance [6.0, 1.0]"})
	what := "box \"" + b.Name + "\""
	if lo, hi := placed(t, "min", what, b.Min), placed(t, "max", what, b.Max); lo && hi {
		checkCorners(t, b.Min, b.Max)
	}
	b.Every = requiredEvery(t)
	t.r.c.Output.Boxes = append(t.r.c.Output.Boxes, b)
}

func readMeans(t *table) {
	if !t.present {
		return
	}
	m := &Means{}
	m.From = t.number("from", spec{Time, notNegative, "give the time in L/U at which averaging begins"}, 0)
	m.Every = requiredEvery(t)
	if run := t.r.c.Run.Time; t.r.clean("run.time", "run.steps", t.key("from")) && run > 0 && m.From >= run {
		t.fail("from", "%v is not before the end of the run, run.time = %v: begin earlier", m.From, run)
	}
	t.r.c.Output.Means = m
}

// readSurfacesOut reads the interval of the surfaces of rigid bodies: where there are none, neither are these.
func readSurfacesOut(t *table) {
	if !t.present {
		return
	}
	if !slices.ContainsFunc(t.r.c.Bodies, func(b Body) bool { return b.Motion.Type != "elastic" }) {
		if t.r.clean("body") {
			t.refuse("has no effect without a body that is not elastic, whose surface these are: give a [[body]], or output.fields for the surfaces of elastic ones", "every")
		}
		return
	}
	requiredEvery(t)
}
