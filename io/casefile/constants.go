package casefile

import (
	"maps"
	"math"
	"slices"
	"strings"

	"lbmib/io/expression"
)

// constantsTable is the table of the case's constants.
const constantsTable = "constants"

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
		t.ask(name, ask{form: "constant"})
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
	names := namesIn(text)
	if !slices.ContainsFunc(names, func(name string) bool { _, known := r.constants[name]; return known }) {
		return 0, false
	}
	if _, _, err := parseUnitString(text); err == nil {
		return 0, false
	}
	e, err := r.compile(text)
	if err != nil {
		return 0, false
	}
	x, err = e.Eval()
	return x, err == nil
}

// namesIn are the words of an expression, those of functions and units among them.
func namesIn(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return !isName("a" + string(c)) })
}

// compile compiles an expression that may name the case's constants, and remembers the names that it holds.
func (r *reader) compile(text string, variables ...string) (*expression.Expression, error) {
	if r.named == nil {
		r.named = map[string]bool{}
	}
	for _, name := range namesIn(text) {
		r.named[name] = true
	}
	return expression.CompileWith(r.constants, text, variables...)
}

// hasConstant tells whether a decoded file has a constant.
func hasConstant(root map[string]any, name string) bool {
	table, _ := root[constantsTable].(map[string]any)
	_, has := table[name]
	return has
}

// reportIdleConstants refuses overrides of constants that the file does not have and no expression of a sound case names:
// they change nothing, as where the name is mistyped.
func (r *reader) reportIdleConstants(root map[string]any) {
	if len(r.errs) > 0 { // of what is wrong not all expressions were read
		return
	}
	added := map[string]bool{}
	for _, o := range r.c.overrides {
		added[o.key] = added[o.key] || o.adds
	}
	var known []string
	table, _ := root[constantsTable].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if !added[join(constantsTable, name)] {
			known = append(known, name)
		}
	}
	for _, o := range r.c.overrides {
		_, name, _ := strings.Cut(o.key, ".")
		if !o.adds || r.named[name] {
			continue
		}
		remedy := "the file has none: add it to [constants] and write it in expressions"
		if near := nearest(name, known); near != "" {
			remedy = "did you mean " + join(constantsTable, near) + "?"
		} else if len(known) > 0 {
			remedy = "known are " + strings.Join(known, ", ")
		}
		r.fail(o.key, "is no constant of the file, and no expression names it, so that it would change nothing: %s", remedy)
	}
}
