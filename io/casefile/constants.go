package casefile

import (
	"maps"
	"math"
	"slices"
	"strings"

	"lbmib/io/expression"
)

// reynoldsName is what the Reynolds number is called in expressions.
const reynoldsName = "Re"

// readConstants reads the names that expressions may use: the Reynolds number, and those of [constants].
func readConstants(t *table) {
	r := t.r
	r.constants = map[string]float64{reynoldsName: r.c.Reference.Reynolds}
	if !r.clean("reference") || !(r.c.Reference.Reynolds > 0) || math.IsInf(r.c.Reference.Reynolds, 0) {
		r.constants[reynoldsName] = 1 // what is wrong with it is reported itself
	}
	own := map[string]float64{} // those of the table, of which none knows another: keys of TOML have no order
	for _, name := range slices.Sorted(maps.Keys(t.values)) {
		_, isUnit := lookUpUnit(name)
		v, _ := t.get(name)
		switch {
		case expression.Reserved(name) || name == reynoldsName || slices.Contains([]string{"t", "x", "y", "z"}, name):
			t.fail(name, "means something else in expressions: choose another name, for instance %s_0", name)
			continue
		case isUnit:
			t.fail(name, "is a unit, as in \"5 %s\": choose another name, for instance %[1]s_0", name)
			continue
		case !isName(name):
			t.fail(name, "must be letters, digits and _, with a letter first: choose another name")
			continue
		}
		x := r.varying(t.key(name), v, spec{Number, bound{}, "give a number, or an expression of Re in quotes"})
		if !x.Constant() {
			t.fail(name, "varies with t, must be a number: write the expression where it is used")
			continue
		}
		t.note(name, x.Value)
		own[name] = x.Value
	}
	maps.Copy(r.constants, own)
}

// isName tells whether a text can stand in an expression.
func isName(s string) bool {
	for i, c := range s {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// ofConstants is the value of an expression that names the Reynolds number or one of the case's constants, and nothing that varies.
func (r *reader) ofConstants(text string) (x float64, ok bool) {
	names := strings.FieldsFunc(text, func(c rune) bool { return !isName("a" + string(c)) })
	if !slices.ContainsFunc(names, func(name string) bool { _, known := r.constants[name]; return known }) {
		return 0, false
	}
	if _, _, err := parseUnitString(text); err == nil {
		return 0, false
	}
	e, err := expression.CompileWith(r.constants, text)
	if err != nil {
		return 0, false
	}
	x, err = e.Eval()
	return x, err == nil
}
