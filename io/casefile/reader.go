package casefile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// reader walks the decoded file, fills the case and collects every problem.
type reader struct {
	c      *Case
	errs   Errors
	tables []*table // all that were opened, for the report of unknown keys

	faults       faults
	constants    map[string]float64 // of expressions
	named        map[string]bool    // names that expressions hold
	viscosityKey string             // which of reynolds and viscosity the case gives
	atEnd        []func()           // checks that need the whole case

	asked func(t *table, name string, a ask) // is told how keys are asked for; nil where nobody wants to know
}

func (r *reader) fail(key, format string, args ...any) {
	r.report(r.c.problem(key, format, args...))
}

func (r *reader) report(e *Error) {
	r.errs = append(r.errs, e)
	r.faults.add(e.Key)
}

// faults are the keys without a sound value: at is the keys themselves, around also
// the tables that hold them.
type faults struct{ at, around map[string]bool }

func (f *faults) add(key string) {
	if f.at == nil {
		f.at, f.around = map[string]bool{}, map[string]bool{}
	}
	for f.at[key] = true; !f.around[key]; key = parent(key) {
		f.around[key] = true
	}
}

// clean reports whether nothing was found wrong at the keys, inside them or
// with the tables around them, so that a check that combines keys speaks only
// of sound values.
func (r *reader) clean(keys ...string) bool {
	for _, key := range keys {
		if key != "" && r.faults.around[key] {
			return false
		}
		for k := key; k != ""; k = parent(k) {
			if r.faults.at[k] {
				return false
			}
		}
	}
	return true
}

// within reports whether the key lies inside the table.
func within(key, table string) bool {
	return table != "" && strings.HasPrefix(key, table+".")
}

// table is one table of the file. A table that is absent reads as empty; one
// that is faulty yields defaults and no further reports. What is read is noted for the
// resolved case.
type table struct {
	notes
	r       *reader
	path    string
	values  map[string]any
	known   []string // keys asked for, in order
	present bool
	silent  bool // already reported as missing or unreadable
}

func (r *reader) open(path string, values map[string]any) *table {
	t := &table{r: r, path: path, values: values, present: true}
	r.tables = append(r.tables, t)
	return t
}

func (t *table) key(name string) string { return join(t.path, name) }

// get returns the value of a key as the file has it and makes the key known.
func (t *table) get(name string) (any, bool) {
	if !slices.Contains(t.known, name) {
		t.known = append(t.known, name)
	}
	v, ok := t.values[name]
	return v, ok
}

// allKnown tells whether every key that the table has was asked for.
func (t *table) allKnown() bool {
	for name := range t.values {
		if !slices.Contains(t.known, name) {
			return false
		}
	}
	return true
}

func (t *table) has(name string) bool {
	_, ok := t.get(name)
	return ok
}

// fail reports a problem with a key of the table.
func (t *table) fail(name, format string, args ...any) {
	t.r.fail(t.key(name), format, args...)
}

// missing reports that a required key is absent.
func (t *table) missing(name, remedy string) {
	t.ask(name, ask{form: required})
	if !t.silent {
		t.fail(name, "is missing: %s", remedy)
		t.r.errs[len(t.r.errs)-1].missing = true
	}
}

// refuse reports keys that are given but have no effect, and why.
func (t *table) refuse(why string, names ...string) {
	t.drop(names...)
	for _, name := range names {
		if t.has(name) {
			t.fail(name, "%s: remove it", why)
		}
	}
}

// hasForeign is has of a key that tables of another type take: where it is not given it is none that a message could propose.
func (t *table) hasForeign(name string) bool {
	if _, given := t.values[name]; !given {
		return false
	}
	return t.has(name)
}

// table opens a table inside the table.
func (t *table) table(name string) *table {
	t.ask(name, ask{form: "table"})
	inside := &table{r: t.r, path: t.key(name), silent: t.silent}
	if v, ok := t.get(name); ok {
		if m, ok := v.(map[string]any); ok {
			inside = t.r.open(inside.path, m)
		} else {
			t.fail(name, "must be a table such as { key = value }, not %s", kind(v))
			inside.silent = true
		}
	}
	t.note(name, &inside.notes)
	return inside
}

// require opens a table that a case must have.
func (t *table) require(name, example string) *table {
	if !t.has(name) {
		t.ask(name, ask{form: required})
		t.fail(name, "the table [%s] is missing: add it, for instance with %s", t.key(name), example)
		return &table{r: t.r, path: t.key(name), silent: true}
	}
	return t.table(name)
}

// tables opens an array of tables.
func (t *table) tables(name string) []*table {
	t.ask(name, ask{form: "tables"})
	var all []*notes
	defer func() { t.note(name, all) }()
	v, ok := t.get(name)
	if !ok {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		t.fail(name, "must be an array of tables, as [[%s]] or [{ … }, { … }], not %s", t.key(name), kind(v))
		return nil
	}
	var tables []*table
	for i, e := range list {
		path := fmt.Sprintf("%s.%d", t.key(name), i)
		if m, ok := e.(map[string]any); ok {
			inside := t.r.open(path, m)
			tables, all = append(tables, inside), append(all, &inside.notes)
		} else {
			t.r.fail(path, "must be a table such as { key = value }, not %s", kind(e))
		}
	}
	return tables
}

// text reads a string.
func (t *table) text(name, def string) string { return typed(t, name, "a string in quotes", def) }

// line reads a string that is shown to people: without control characters, which a
// terminal would obey.
func (t *table) line(name, def string) string {
	s := t.text(name, def)
	if i := strings.IndexFunc(s, unprintable); i >= 0 && t.has(name) {
		c, _ := utf8.DecodeRuneInString(s[i:])
		t.fail(name, "has the control character %U at byte %d, must be a line that can be shown: remove it", c, i)
		return def
	}
	return s
}

// flag reads a boolean.
func (t *table) flag(name string, def bool) bool { return typed(t, name, "true or false", def) }

// typed reads a value of one type; must says what it is, for messages.
func typed[V any](t *table, name, must string, def V) V {
	if t.r.asked != nil { // what goes into an any is allocated
		t.ask(name, ask{form: must, def: def})
	}
	if v, ok := t.get(name); ok {
		if x, ok := v.(V); ok {
			t.note(name, v)
			return x
		}
		t.fail(name, "must be %s, not %s", must, kind(v))
	}
	t.note(name, def)
	return def
}

// variant reads the type, on which it depends what the other keys should be:
// where it is missing or wrong they are not judged.
func (t *table) variant() string {
	v := t.choice("type", "")
	if v == "" {
		t.silent = true
	}
	return v
}

// choice reads one of the strings legal for the key; def "" makes it required.
// It returns "" where nothing legal was given.
func (t *table) choice(name, def string) string {
	v, ok := t.get(name)
	if t.r.asked != nil { // what goes into an any is allocated
		t.ask(name, ask{form: "choice", words: choices[pattern(t.key(name))].have, def: def})
	}
	if !ok && def != "" {
		t.note(name, def)
		return def
	}
	key := t.key(name)
	id := pattern(key)
	if !ok {
		t.missing(name, "it must be one of "+strings.Join(choices[id].have, ", "))
		return ""
	}
	s, ok := v.(string)
	if !ok {
		t.fail(name, "must be one of %s in quotes, not %s", strings.Join(choices[id].have, ", "), kind(v))
		return ""
	}
	if s, ok = t.r.choose(key, id, s); ok {
		t.note(name, v)
	}
	return s
}

// integer reads a whole number between lo and hi.
func (t *table) integer(name string, lo, hi, def int64, remedy string) int64 {
	t.note(name, def)
	if t.r.asked != nil { // what goes into an any is allocated
		t.ask(name, ask{form: "integer", lo: lo, hi: hi, def: def})
	}
	v, ok := t.get(name)
	if !ok {
		return def
	}
	n, ok := v.(int64)
	if f, isFloat := v.(float64); isFloat && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		n, ok = int64(f), true // 1e6 and 10.0 are whole numbers, too
	}
	switch {
	case !ok:
		t.fail(name, "must be a whole number, not %s", kind(v))
		return def
	case n < lo:
		t.fail(name, "%d must be at least %d: %s", n, lo, remedy)
		return def
	case n > hi:
		t.fail(name, "%d must be at most %d: %s", n, hi, remedy)
		return def
	}
	t.note(name, n)
	return n
}

// kind describes a TOML value in an error message.
func kind(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the string %q", v)
	case bool:
		return fmt.Sprintf("the boolean %t", v)
	case int64, float64:
		return fmt.Sprintf("the number %v", v)
	case time.Time:
		return "a date or time"
	case []any:
		return "an array"
	}
	return "a table"
}

// pattern removes array numbers and the names of faces from a path:
// "body.0.shape" → "body.shape", "domain.boundary.left.type" → "domain.boundary.type".
func pattern(path string) string {
	parts := strings.Split(path, ".")
	faces := strings.HasPrefix(path, "domain.boundary.")
	parts = slices.DeleteFunc(parts, func(s string) bool {
		return strings.Trim(s, "0123456789") == "" || faces && slices.Contains(FaceNames[:], s)
	})
	return strings.Join(parts, ".")
}

// reportUnknown reports every key that nothing asked for. It comes last, when
// the known keys are complete.
func (r *reader) reportUnknown() {
	missing := map[string]bool{}
	for _, e := range r.errs {
		missing[e.Key] = missing[e.Key] || e.missing
	}
	for _, t := range r.tables {
		if t.silent || t.allKnown() {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(t.values)) {
			if slices.Contains(t.known, name) {
				continue
			}
			// A key that is missing because it is misspelt is one problem.
			meant := t.key(nearest(name, t.known))
			if missing[meant] {
				r.errs = slices.DeleteFunc(r.errs, func(e *Error) bool { return e.missing && e.Key == meant })
				missing[meant] = false
			}
			t.fail(name, "unknown key; %s", advise(t, name))
		}
	}
}

// advise proposes a known key near to an unknown one: in its own table, or the
// very name in another at the top level.
func advise(t *table, name string) string {
	if near := nearest(name, t.known); near != "" {
		return fmt.Sprintf("did you mean %s?", t.key(near))
	}
	for _, other := range t.r.tables {
		if !strings.Contains(other.path, ".") && slices.Contains(other.known, name) {
			return fmt.Sprintf("did you mean %s?", other.key(name))
		}
	}
	known := slices.Sorted(slices.Values(t.known))
	if len(known) == 0 {
		return fmt.Sprintf("%s takes none here", t.path)
	}
	return "known here are " + strings.Join(known, ", ")
}
