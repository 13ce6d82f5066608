package casefile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Key is a key of a case file, as a reference has it.
type Key struct {
	Name    string
	Of      []string // the types of its table that take it; empty: all
	Type    string   // of its value, in words
	Words   []string // that it may be, where it is a choice
	Unit    string   // in reference units; empty: a plain number, or no number
	Example string   // of a value with a unit; empty: none may have one
	Default string   // TOML, or words; "required"
	Means   string   // a sentence of Markdown
}

// KeyTable is a table of a case file and its keys.
type KeyTable struct {
	Name  string // "domain.boundary.FACE"; empty: the keys above all tables
	Array bool   // of tables
	Keys  []Key
}

// KeyTables are all keys that a case may have. Their types, words, units and defaults are those with which the
// reader asks for them; what they mean is in keyTexts, in whose order they come.
func KeyTables() []KeyTable {
	asked, _ := surveyAll(nil)
	var tables []KeyTable
	for _, e := range keyTexts {
		if n := len(tables); n == 0 || tables[n-1].Name != e.table {
			tables = append(tables, KeyTable{Name: e.table, Array: slices.Contains(arrays, e.table)})
		}
		t := &tables[len(tables)-1]
		t.Keys = append(t.Keys, e.key(asked))
	}
	return tables
}

// arrays are the tables of which there may be several.
var arrays = []string{"solid", "body", "refine", "port", "suspension", "output.probes", "output.lines", "output.sections", "output.slices", "output.boxes", "body.motion.loads"}

// keyText says of a key what the code does not.
type keyText struct {
	table, name string
	means       string
	unit        string // in place of the quantity's
	def         string // in place of the reader's: where it depends on other keys
}

// keyID names a key of a table; names of constants are free, and one key.
func keyID(table, name string) string {
	if table == constantsTable {
		name = "NAME"
	}
	return table + " " + name
}

// placeOf is the table of the reference to which a table of a file belongs: those that take the same keys are one.
func placeOf(path string) string {
	parts := slices.DeleteFunc(strings.Split(path, "."), func(s string) bool { return strings.Trim(s, "0123456789") == "" })
	for i, p := range parts {
		switch {
		case i == 2 && parts[1] == "boundary" && slices.Contains(FaceNames[:], p):
			parts[i] = "FACE"
		case i == 3 && parts[2] == "hold":
			parts[i] = "END"
		}
	}
	place := strings.Join(parts, ".")
	for _, same := range [][2]string{{"body.shape.of", "shape"}, {"body.shape", "shape"}, {"solid.shape.of", "shape"}, {"solid.shape", "shape"},
		{"suspension.shape", "shape"}, {"suspension.material", "body.motion"}} {
		if rest, is := strings.CutPrefix(place, same[0]); is {
			return same[1] + rest
		}
	}
	return place
}

// variantOf is what decides which keys a table takes: its type, with the law of what bends, or its model.
func variantOf(t *table) string {
	kind, _ := t.values["type"].(string)
	law, _ := t.values["law"].(string)
	model, _ := t.values["model"].(string)
	switch {
	case placeOf(t.path) == "body.motion" && kind == "":
		return "elastic"
	case law == "beam" || law == "plate":
		return kind + ", law " + law
	case kind != "":
		return kind
	}
	return model
}

// surveyAll reads all samples, whole and without each of their keys.
func surveyAll(heard func()) (asked map[string][]asking, known map[string]bool) {
	asked, known = map[string][]asking{}, map[string]bool{}
	for _, text := range keySamples {
		root, err := decodeTOML(text)
		if err != nil {
			panic(fmt.Sprintf("casefile: a sample of the reference cannot be read: %v", err))
		}
		add := func(root map[string]any, whole bool) {
			a, k := survey(root, whole, heard)
			for id, all := range a {
				asked[id] = append(asked[id], all...)
			}
			for id := range k {
				known[id] = true
			}
		}
		add(root, true)
		everyPath(root, nil, func(path []any) {
			add(without(root, path).(map[string]any), false)
		})
	}
	return asked, known
}

// key is the entry of the reference that a text and what the readers asked for make.
func (e keyText) key(asked map[string][]asking) Key {
	k := Key{Name: e.name, Means: e.means, Unit: e.unit, Default: e.def}
	var forms, of []string
	for _, a := range asked[keyID(e.table, e.name)] {
		if a.form == required {
			if k.Default == "" {
				k.Default = required
			}
			continue
		}
		if !a.given && k.Default == "" && a.def != nil {
			k.Default = tomlOf(a.def)
		}
		if !a.whole {
			continue
		}
		if !slices.Contains(of, a.variant) {
			of = append(of, a.variant)
		}
		if f := a.says(); !slices.Contains(forms, f) {
			forms = append(forms, f)
		}
		for _, w := range a.words {
			if !slices.Contains(k.Words, w) {
				k.Words = append(k.Words, w)
			}
		}
		if q := a.spec.quantity; q != Number {
			if k.Example = quantities[q].example; k.Unit == "" {
				k.Unit = q.reference()
			}
		}
	}
	if k.Default == "" {
		k.Default = "none"
	}
	forms = slices.DeleteFunc(forms, func(f string) bool { // what a wider form holds
		return f == "text" && slices.Contains(forms, "the path of a file") || f == "a number" && slices.Contains(forms, "a number or an expression of t") ||
			f == "a vector of numbers" && slices.Contains(forms, "a vector of numbers or expressions of t")
	})
	slices.Sort(forms)
	slices.Sort(of)
	if k.Type = strings.Join(forms, ", or "); len(of) < variantsOf(e.table, asked) && e.name != "type" {
		k.Of = of
	}
	return k
}

// variantsOf is how many variants a table has in the samples.
func variantsOf(table string, asked map[string][]asking) int {
	all := map[string]bool{}
	for id, some := range asked {
		if of, _, _ := strings.Cut(id, " "); of != table {
			continue
		}
		for _, a := range some {
			if a.whole && a.form != required {
				all[a.variant] = true
			}
		}
	}
	return len(all)
}

// says tells what a value may be.
func (a asking) says() string {
	bound := ""
	if a.spec.bound.says != "" {
		bound = strings.NewReplacer("must be greater than 0", " above 0", "must not be negative", ", not negative", "must be ", ", ").Replace(a.spec.bound.says)
	}
	switch a.form {
	case "integer":
		if a.hi >= 1<<31 {
			return "a whole number"
		}
		return fmt.Sprintf("a whole number, %d to %d", a.lo, a.hi)
	case "number":
		return "a number" + bound
	case "vector":
		return "a vector of numbers" + bound
	}
	if words := formWords[a.form]; words != "" {
		return words
	}
	return a.form
}

// formWords are the forms of values that have no bounds, in words.
var formWords = map[string]string{
	"choice": "one of the words", "list": "an array of some of the words", "auto": `"auto"`, "file": "the path of a file", "a string in quotes": "text",
	"varying": "a number or an expression of t", "varying vector": "a vector of numbers or expressions of t", "constant": "a number or an expression of Re",
	"place": "an expression of x, y, z", "points": "an array of points", "lengths": "an array of numbers", "table": "a table", "tables": "an array of tables",
}

// tomlOf writes a default as a case file has it; nothing of an empty one.
func tomlOf(v any) string {
	switch v := v.(type) {
	case string:
		if v == "" {
			return ""
		}
		return strconv.Quote(v)
	case [3]float64:
		return fmt.Sprintf("[%v, %v, %v]", v[0], v[1], v[2])
	case []string:
		quoted := make([]string, len(v))
		for i := range v {
			quoted[i] = strconv.Quote(v[i])
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case float64:
		return formatNumber(v)
	}
	return fmt.Sprint(v)
}

// reference is the unit of a quantity in reference units, "ρU²L²" of a force in space.
func (q Quantity) reference() string {
	unit := q.in(3).symbols()
	if plane := q.in(2); plane != q.in(3) {
		unit += ", in 2D " + plane.symbols()
	}
	return unit
}

// symbols writes powers as a product of ρ, U and L.
func (p powers) symbols() string {
	above, below := "", ""
	for _, f := range []struct {
		of string
		n  int
	}{{"ρ", p.density}, {"U", p.speed}, {"L", p.length}} {
		text := f.of
		switch n := max(f.n, -f.n); {
		case n == 0:
			continue
		case n > 1:
			text += string([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[n])
		}
		if f.n > 0 {
			above += text
		} else {
			below += text
		}
	}
	switch {
	case below == "":
		return above
	case above == "":
		above = "1"
	}
	if len([]rune(strings.Trim(below, "⁰¹²³⁴⁵⁶⁷⁸⁹"))) > 1 {
		below = "(" + below + ")"
	}
	return above + "/" + below
}
