package casefile

import (
	"maps"
	"slices"
)

// ask is how a reader asks for a key: what it may be, and what it is where it is left out. Readers
// tell it so that the reference of the keys is what they do.
type ask struct {
	form   string // of its value: "number", "table", …
	spec   spec
	words  []string // of a choice
	lo, hi int64    // of a whole number
	def    any      // nil: none
}

// required is the form of a key that must be there.
const required = "required"

// ask tells who listens how a key is asked for.
func (t *table) ask(name string, a ask) {
	if t.r.asked != nil {
		t.r.asked(t, name, a)
	}
}

// asking is one time that a key was asked for.
type asking struct {
	ask
	variant string // of its table
	given   bool   // whether the case has it
	whole   bool   // whether the sample is as it stands
}

// survey reads a case and returns how each key was asked for, by "table key" in the names of the reference;
// what is wrong with the case does not matter. known are all keys, those that are only refused included. heard, unless it is
// nil, is called at every asking.
func survey(root map[string]any, whole bool, heard func()) (asked map[string][]asking, known map[string]bool) {
	asked, known = map[string][]asking{}, map[string]bool{}
	r := &reader{c: &Case{File: "case.toml", Name: "case"}}
	r.asked = func(t *table, name string, a ask) {
		if heard != nil {
			heard()
		}
		id := keyID(placeOf(t.path), name)
		_, given := t.values[name]
		asked[id] = append(asked[id], asking{a, variantOf(t), given, whole})
	}
	r.read(root)
	for _, t := range r.tables {
		for _, name := range t.known {
			known[keyID(placeOf(t.path), name)] = true
		}
	}
	return asked, known
}

// without is a copy of a decoded file that lacks a key, whose tables are named and numbered by path.
func without(v any, path []any) any {
	switch of := v.(type) {
	case map[string]any:
		of = maps.Clone(of)
		if name := path[0].(string); len(path) == 1 {
			delete(of, name)
		} else {
			of[name] = without(of[name], path[1:])
		}
		return of
	case []any:
		of = append([]any(nil), of...)
		i := path[0].(int)
		of[i] = without(of[i], path[1:])
		return of
	}
	return v
}

// everyPath calls f with the path of every key of a decoded file, in order.
func everyPath(v any, path []any, f func(path []any)) {
	switch of := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(of)) {
			p := append(path[:len(path):len(path)], name)
			f(p)
			everyPath(of[name], p, f)
		}
	case []any:
		for i, inside := range of {
			everyPath(inside, append(path[:len(path):len(path)], i), f)
		}
	}
}
