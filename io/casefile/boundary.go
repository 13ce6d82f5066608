package casefile

import (
	"fmt"
	"math"
	"slices"
)

// Face is the boundary condition on one side of the domain.
//
// A velocity face prescribes Value, or with the profile "parabolic" a flow
// normal to the face that is Peak in its middle, into the domain where
// positive, and 0 at its edges, but even along periodic axes. Both are multiplied by a smooth start from 0
// over Ramp and by sin(2πt/Period + Phase) where these are given. The Value of
// a moving wall lies in its plane.
type Face struct {
	Type    string     // of faceKinds
	Value   [3]float64 // U
	Profile string     // of velocity faces: uniform | parabolic | expression | table
	Peak    float64    // U; of an expression or a table the value that is largest in magnitude on the face's nodes
	Mean    float64    // U; of an expression or a table that of what it lets in, on the face's nodes
	Density float64    // of pressure faces: ρ/ρ0, so p − p0 = (ρ/ρ0 − 1)/3 in lattice units
	Ramp    float64    // L/U, 0: none
	Period  float64    // L/U, 0: none
	Phase   float64    // radians
	Factor  Varying    // multiplies Value and Peak, and ρ/ρ0 − 1 of pressure faces
	Table   *Table     // multiplies likewise; nil: none

	Shape *Expression   // of the profile, of x, y and z in L: the velocity into the domain, U
	Rows  *ProfileTable // of the profile
}

// FaceNames are the keys of the faces in the order of Domain.Boundary.
var FaceNames = [6]string{"left", "right", "bottom", "top", "front", "back"}

// faceKind is a type of boundary condition of the case file.
type faceKind struct {
	name   string
	keys   []string // that it takes beside its type
	within bool     // its value lies in the plane of the face
	enters bool     // a stream may enter
}

// faceKinds are the types, in the order in which messages name them. A new one is a line here,
// and in the table of package lbm; the keys have one meaning for all.
var faceKinds = []faceKind{
	{name: "periodic"},
	{name: "no-slip"},
	{name: "moving-wall", keys: varied("value", "ramp", "period", "phase"), within: true},
	{name: "velocity", keys: varied("value", "profile", "peak", "ramp", "period", "phase"), enters: true},
	{name: "pressure", keys: varied("density"), enters: true},
	{name: "free-slip"},
	{name: "symmetry"},
	{name: "outflow"},
}

// varied are keys with those of what varies with time.
func varied(keys ...string) []string { return append(keys, "factor", "table", "repeat") }

// faceKeys are the keys of each type.
var faceKeys = map[string][]string{}

func init() {
	types := choice{what: "a boundary condition"}
	for _, k := range faceKinds {
		faceKeys[k.name], types.have = k.keys, append(types.have, k.name)
	}
	choices["domain.boundary.type"] = types
}

// kind is the face's line in faceKinds, that of no keys where the type is not known.
func (f *Face) kind() faceKind {
	for _, k := range faceKinds {
		if k.name == f.Type {
			return k
		}
	}
	return faceKind{}
}

// takes tells whether faces of the kind have a key.
func (k faceKind) takes(key string) bool { return slices.Contains(k.keys, key) }

func readBoundary(t *table) {
	d := &t.r.c.Domain
	for i, name := range FaceNames {
		d.Boundary[i] = Face{Type: "periodic", Density: 1, Factor: Varying{Value: 1}}
		if !t.has(name) {
			if i < 2*d.Dim {
				t.table(name).note("type", "periodic")
			}
			continue
		}
		if i/2 >= d.Dim && d.Dim > 0 {
			t.fail(name, "does not exist: %s has no z axis; remove the face or use lattice = \"D3Q19\"", d.Lattice)
			t.table(name).silent = true
			continue
		}
		d.Boundary[i] = readFace(t.table(name), i)
	}
	for i := 0; i < 2*d.Dim; i += 2 {
		checkPair(t, i)
	}
}

// checkPair refuses one periodic face without the other, and one face given
// without the other.
func checkPair(t *table, i int) {
	lower, upper := FaceNames[i], FaceNames[i+1]
	if !t.r.clean(t.key(lower), t.key(upper)) {
		return
	}
	a, b := t.r.c.Domain.Boundary[i], t.r.c.Domain.Boundary[i+1]
	given, absent := lower, upper
	if !t.has(lower) {
		given, absent = upper, lower
	}
	switch {
	case t.has(lower) != t.has(upper):
		t.fail(given, "is given without %s, must be both or, for periodic faces, neither: add %s", absent, absent)
	case a.Type == "periodic" && b.Type != "periodic":
		t.failPair(lower, upper, b.Type)
	case b.Type == "periodic" && a.Type != "periodic":
		t.failPair(upper, lower, a.Type)
	}
}

// failPair blames a periodic face or the one opposite to it, which is not: that of an override where the other is of the file.
func (t *table) failPair(periodic, opposite, other string) {
	from := func(name string) *Error { return t.r.c.problem(t.key(name)+".type", "") }
	name, with, is, has := periodic, opposite, "periodic", other
	if from(opposite).order > from(periodic).order {
		name, with, is, has = opposite, periodic, other, "periodic"
	}
	key := t.key(name)
	if t.r.c.problem(key, "").order == 0 && from(name).order > 0 { // its type alone is of an override
		key += ".type"
	}
	place := from(with)
	at := fmt.Sprintf("line %d", place.Line)
	if place.Set != "" {
		at = "--set"
	}
	t.r.fail(key, "is %s but %s (%s) is %s, must be both: make %s periodic, too, or neither", is, with, at, has, map[bool]string{true: with, false: name}[is == "periodic"])
}

func readFace(t *table, i int) Face {
	f := Face{Density: 1, Factor: Varying{Value: 1}}
	if t.silent {
		return f
	}
	if f.Type = t.variant(); f.Type == "" {
		return f
	}
	k := f.kind()
	if k.takes("profile") {
		readProfile(t, &f, i)
	}
	switch {
	case f.Profile == "parabolic":
		f.Peak = t.requiredNumber("peak", spec{quantity: Velocity, remedy: "a parabolic profile needs the velocity in its middle, for instance peak = 1.5"})
		t.refuse(`has no effect with profile = "parabolic", whose speed is peak`, "value")
	case f.Profile == "table":
		t.refuse("has no effect beside a table for the profile, which has the velocity", "value", "peak")
	case f.Shape != nil:
		t.refuse("has no effect beside an expression for the profile, which is the velocity into the domain", "value", "peak")
	case k.takes("value"):
		f.Value = t.requiredVector("value", spec{quantity: Velocity, remedy: "give the velocity in U, for instance [1.0, 0.0]"})
		if k.takes("peak") {
			t.refuse(`needs profile = "parabolic"`, "peak")
		}
		if k.within && f.Value[i/2] != 0 {
			t.fail("value", `has %c component %v, must be 0: a wall moves in its own plane; let fluid in by type = "velocity"`, "xyz"[i/2], f.Value[i/2])
		}
	case k.takes("density"):
		f.Density = t.number("density", spec{Density, positive, "give ρ/ρ0, for instance 1.0"}, 1)
	}
	if k.takes("ramp") {
		f.Ramp = t.optional("ramp", spec{Time, positive, "give the duration of the start in L/U, or remove it"})
		f.Period = t.optional("period", spec{Time, positive, "give the period in L/U, or remove it"})
		f.Phase = t.number("phase", spec{Number, bound{}, "give it in radians"}, 0)
		if f.Period == 0 && t.r.clean(t.key("period")) {
			t.refuse("has no effect without period", "phase")
		}
	}
	if k.takes("factor") {
		readFactor(t, &f)
		t.r.atEnd = append(t.r.atEnd, func() { t.r.checkFactor(t.path, f) })
	}
	refuseForeign(t, faceKeys, f.Type)
	return f
}

// readFactor reads how the face's value varies beyond its start.
func readFactor(t *table, f *Face) {
	for _, pair := range [][2]string{{"table", "factor"}, {"period", "factor"}, {"period", "table"}} {
		if t.has(pair[0]) && t.has(pair[1]) {
			t.fail(pair[1], "given beside %s, must be one of the two: remove one", pair[0])
			return
		}
	}
	f.Factor = t.varying("factor", spec{Number, bound{}, "give a number or an expression of t, for instance \"1 + 0.2*sin(2*pi*t)\""}, 1)
	if f.Factor == (Varying{Value: 1}) {
		t.drop("factor")
	}
	if t.has("table") {
		f.Table = readTable(t)
	} else {
		t.refuse("has no effect without table", "repeat")
	}
}

// checkFactor refuses a face that at some time of the run is too fast, or has no
// density.
func (r *reader) checkFactor(key string, f Face) {
	if !r.clean(key) {
		return
	}
	if speed := math.Max(norm(f.Value), math.Abs(f.Peak)); !f.kind().takes("density") && f.Table == nil && !f.Factor.Constant() {
		r.checkPeak(join(key, "factor"), peakOf(r.halfSteps(), func(t float64) float64 { return math.Abs(f.Factor.At(t)) * speed }))
		return
	}
	most, worst := 0.0, 0.0 // of |factor|, and the factor of the least density
	try := func(a float64) {
		most = math.Max(most, math.Abs(a))
		if (f.Density-1)*a < (f.Density-1)*worst {
			worst = a
		}
	}
	switch {
	case f.Table != nil:
		for _, a := range f.Table.Factor {
			try(a)
		}
	case f.Factor.Constant():
		try(f.Factor.Value)
	default:
		for t := range r.halfSteps() {
			try(f.Factor.At(t))
		}
	}
	if !f.kind().takes("density") {
		r.checkSpeed(key, most*math.Max(norm(f.Value), math.Abs(f.Peak)))
	} else if least := 1 + (f.Density-1)*worst; !(least > 0) {
		r.fail(key, "makes the density %.4g at some time of the run, must be greater than 0: lower the factor or bring density nearer to 1", least)
	}
}
