package casefile

import (
	"fmt"
	"math"
	"strings"
)

// bound is a condition on a number and how a message says it; the zero bound
// always holds.
type bound struct {
	holds func(float64) bool
	says  string
}

var (
	positive    = bound{func(x float64) bool { return x > 0 }, "must be greater than 0"}
	notNegative = bound{func(x float64) bool { return x >= 0 }, "must not be negative"}
)

// spec says what a number is, which values it may have and what to write
// instead of a wrong one. Strings with a unit are read unless it is a Number.
type spec struct {
	quantity Quantity
	bound    bound
	remedy   string
}

// number reads an optional number into reference units.
func (t *table) number(name string, s spec, def float64) float64 {
	if t.r.asked != nil { // what goes into an any is allocated
		t.ask(name, ask{form: "number", spec: s, def: def})
	}
	if v, ok := t.get(name); ok {
		if x, ok := t.r.number(t.key(name), v, s); ok {
			def = x
		}
	}
	t.note(name, def)
	return def
}

// optional reads a number in whose place there may be none, which is 0.
func (t *table) optional(name string, s spec) float64 {
	t.ask(name, ask{form: "number", spec: s})
	if !t.has(name) {
		return 0
	}
	return t.number(name, s, 0)
}

// requiredNumber reads a number that must be there. After a report it is 0.
func (t *table) requiredNumber(name string, s spec) float64 {
	if !t.has(name) {
		t.missing(name, s.remedy)
	}
	return t.number(name, s, 0)
}

// vector reads an optional vector with the lattice's dimension.
func (t *table) vector(name string, s spec, def [3]float64) [3]float64 {
	if t.r.asked != nil { // what goes into an any is allocated
		t.ask(name, ask{form: "vector", spec: s, def: def})
	}
	if list, ok := t.entriesOf(name); ok {
		def = t.r.vector(t.key(name), list, s)
	}
	t.note(name, def)
	return def
}

// vector turns as many entries as a vector has into numbers.
func (r *reader) vector(key string, list []any, s spec) (x [3]float64) {
	for i, e := range list {
		x[i], _ = r.number(fmt.Sprintf("%s.%d", key, i), e, s)
	}
	return x
}

// entriesOf returns the entries of an optional vector with the lattice's
// dimension; ok is false where there is none or it is no vector.
func (t *table) entriesOf(name string) (list []any, ok bool) {
	v, ok := t.get(name)
	if !ok {
		return nil, false
	}
	return t.r.entriesOf(t.key(name), v)
}

func (r *reader) entriesOf(key string, v any) (list []any, ok bool) {
	list, ok = v.([]any)
	if !ok {
		r.fail(key, "must be an array of %s, not %s", r.entries(), kind(v))
		return nil, false
	}
	if dim := r.c.Domain.Dim; dim != 0 && len(list) != dim || len(list) < 2 || len(list) > 3 {
		r.fail(key, "has %d entries, must have %s", len(list), r.entries())
		return nil, false
	}
	return list, true
}

// requiredVector reads a vector that must be there. After a report it is 0.
func (t *table) requiredVector(name string, s spec) [3]float64 {
	if !t.has(name) {
		t.missing(name, s.remedy)
	}
	return t.vector(name, s, [3]float64{})
}

// entries says how long vectors are, for messages.
func (r *reader) entries() string {
	switch r.c.Domain.Dim {
	case 2:
		return "2 entries, x and y, with " + r.c.Domain.Lattice
	case 3:
		return "3 entries, x, y and z, with " + r.c.Domain.Lattice
	}
	return "2 or 3 entries"
}

// number turns a TOML value into a number in reference units, or reports why
// it is none.
func (r *reader) number(key string, v any, s spec) (x float64, ok bool) {
	switch v := v.(type) {
	case int64:
		x = float64(v)
	case float64:
		x = v
	case string:
		if constant, is := r.ofConstants(v); is {
			x = constant
			break
		}
		if s.quantity == Number {
			r.fail(key, "must be a plain number without quotes, not the string %q%s", v, tail(s.remedy))
			return 0, false
		}
		if x, ok = r.physical(key, v, s.quantity); !ok {
			return 0, false
		}
	default:
		r.fail(key, "must be %s, not %s%s", article(s.quantity.String()), kind(v), tail(s.remedy))
		return 0, false
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		r.fail(key, "%v is not a finite number%s", v, tail(s.remedy))
		return 0, false
	}
	if s.bound.holds != nil && !s.bound.holds(x) {
		r.fail(key, "%v %s%s", v, s.bound.says, tail(s.remedy))
		return 0, false
	}
	if most := s.quantity.magnitude(); !(math.Abs(x) <= most) {
		in := ""
		if s.quantity != Number {
			in = " in reference units"
		}
		r.fail(key, "%v is out of bounds, must be within ±%g%s%s", v, most, in, tail(s.remedy))
		return 0, false
	}
	return x, true
}

func tail(remedy string) string {
	if remedy == "" {
		return ""
	}
	return ": " + remedy
}

// physical converts a string with a unit to reference units.
func (r *reader) physical(key, text string, q Quantity) (x float64, ok bool) {
	si, dim, err := parseUnitString(text)
	if err != nil {
		r.fail(key, "%s%s", err, unitRemedy(err, "a number in reference units, for instance 1.5", q))
		return 0, false
	}
	// A dynamic viscosity is as good as a kinematic one where ρ0 is known.
	if q == Viscosity && dim == DynamicViscosity.in(3).dimension() {
		q = DynamicViscosity
	}
	if want := q.in(3).dimension(); dim != want {
		r.fail(key, "%q is %s, must be %s: write for instance %q", text, dim, article(q.String()), quantities[q].example)
		return 0, false
	}
	if !r.clean("reference.length", "reference.speed", "reference.time", "reference.density") {
		r.faults.add(key) // the anchors themselves are reported
		return 0, false
	}
	u := Units{Dim: 3, Length: r.c.Reference.Length, Speed: r.c.Reference.Speed, Density: r.c.Reference.Density}
	x, ok = u.FromSI(q, si)
	if !ok {
		r.fail(key, "%q is physical, but the case has no SI scale: add %s to [reference], or give a plain number in reference units",
			text, strings.Join(r.missingAnchors(q), " and "))
	}
	return x, ok
}

// missingAnchors lists what [reference] lacks to convert the quantity.
func (r *reader) missingAnchors(q Quantity) (anchors []string) {
	p, ref := q.in(3), r.c.Reference
	if p.length != 0 && ref.Length == 0 {
		anchors = append(anchors, `length = "1 cm"`)
	}
	if p.speed != 0 && ref.Speed == 0 {
		anchors = append(anchors, `speed = "1 cm/s" (or time)`)
	}
	if p.density != 0 && ref.Density == 0 {
		anchors = append(anchors, `density = "1000 kg/m^3"`)
	}
	return anchors
}
