package casefile

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// override is one --set: its text, the key that it gave a value, and whether an earlier run was given it, so that it is now as of the file.
type override struct {
	text, key string
	earlier   bool
	adds      bool // a constant that there was not
}

// alternatives are keys of which a case gives one. Setting one on the command
// line takes the place of the others in the file.
var alternatives = [][]string{
	{"run.time", "run.steps"},
	{"reference.reynolds", "reference.viscosity"},
	{"reference.speed", "reference.time"},
}

// override applies one "key=value" to the decoded file.
func (c *Case) override(root map[string]any, set string) *Error {
	key, raw, ok := strings.Cut(set, "=")
	key = strings.TrimSpace(key)
	parts := strings.Split(key, ".")
	o := override{text: set, key: key}
	fault := func(format string, args ...any) *Error {
		return &Error{File: c.File, Set: set, Key: key, Msg: fmt.Sprintf(format, args...), order: len(c.overrides) + 1}
	}
	if !ok || slices.ContainsFunc(parts, func(p string) bool { return !isBare(p) }) {
		return fault(`must be key=value with a dotted key, for instance run.time=10 or body.0.shape.diameter=1.5`)
	}
	if len(parts) > maxDepth {
		return fault("the key has %d parts, the most that is read is %d: is this a key of a case?", len(parts), maxDepth)
	}
	value, err := parseValue(strings.TrimSpace(raw))
	if err != nil {
		return fault("%s", err)
	}
	if table, ok := root["reference"].(map[string]any); ok && c.reynoldsOfFile == nil {
		c.reynoldsOfFile = table["reynolds"]
	}
	o.adds = len(parts) == 2 && parts[0] == constantsTable && !hasConstant(root, parts[1])
	if _, err := assign(root, parts, "", value); err != nil {
		return fault("%s", err)
	}
	for _, group := range alternatives {
		if slices.Contains(group, key) {
			c.dropFromFile(root, group, key)
		}
	}
	maps.DeleteFunc(c.positions, func(k string, _ Position) bool { return k == key || within(k, key) })
	o.adds = o.adds || slices.ContainsFunc(c.overrides, func(before override) bool { return before.key == key && before.adds })
	c.overrides = slices.DeleteFunc(c.overrides, func(o override) bool { return within(o.key, key) })
	c.overrides = append(c.overrides, o)
	return nil
}

// reynoldsInTitle is a Reynolds number as titles tell it.
var reynoldsInTitle = regexp.MustCompile(`\bRe = ([0-9.]+(?:e[-+]?[0-9]+)?)`)

// retitle puts the Reynolds number that is run into the place of that of the file, where the title tells it; ok tells whether it did.
func (c *Case) retitle() (ok bool) {
	var was float64
	switch v := c.reynoldsOfFile.(type) {
	case int64:
		was = float64(v)
	case float64:
		was = v
	}
	now := c.Reference.Reynolds
	if !(was > 0) || !(now > 0) || math.Abs(now/was-1) < 1e-9 {
		return false
	}
	c.Title = reynoldsInTitle.ReplaceAllStringFunc(c.Title, func(text string) string {
		if told, err := strconv.ParseFloat(strings.TrimPrefix(text, "Re = "), 64); err != nil || told != was {
			return text // another one, or of other scales
		}
		ok = true
		return "Re = " + strconv.FormatFloat(now, 'g', 4, 64)
	})
	return ok
}

// titleOverrides puts the Reynolds number that is run into the title, and adds to it what else overrides have changed of the flow, which it may tell
// otherwise: "…, Re = 40 (size = [20, 15])". How long a run is, on what and what it writes are no part of it.
func (c *Case) titleOverrides() {
	if slices.ContainsFunc(c.overrides, func(o override) bool { return o.key == "title" || within(o.key, "title") }) { // it is told as it is to be
		return
	}
	var changed []string
	told := c.retitle()
	for _, o := range c.overrides {
		table, _, _ := strings.Cut(o.key, ".")
		if told && o.key == "reference.reynolds" {
			continue
		}
		if table == "run" || table == "output" || slices.Contains([]string{"fluid.streaming", "fluid.layout", "fluid.block", "fluid.steps_per_sweep", "ib.spread"}, o.key) {
			continue
		}
		name := o.key[strings.LastIndexByte(o.key, '.')+1:]
		_, value, _ := strings.Cut(o.text, "=")
		_, err := strconv.Atoi(name)
		if err == nil && table == "body" { // a whole one
			continue
		}
		if err == nil || len(value) > mostTitled { // an element, or a table
			name, value = o.key, "…"
		}
		changed = append(changed, name+" = "+strings.Trim(strings.TrimSpace(value), `"'`))
	}
	if len(changed) == 0 {
		if told {
			c.notes.note("title", c.Title)
		}
		return
	}
	if len(changed) > mostTitles {
		changed = append(changed[:mostTitles], "…")
	}
	c.Title += " (" + strings.Join(changed, ", ") + ")"
	c.notes.note("title", c.Title)
}

// What of overrides a title has.
const (
	mostTitles = 4  // of them
	mostTitled = 24 // bytes of a value
)

// With is the case with further overrides and with the first few tables of bodies alone, at
// most so many: what Parse gives of such a file, but for the positions of bodies where some are left out, which
// errors then do not tell. The text is not read again.
func (c *Case) With(sets []string, tables int) (*Case, error) {
	d := &Case{File: c.File, Name: c.Name, text: c.text, folder: c.folder, positions: map[string]Position{}, overrides: slices.Clone(c.overrides), reynoldsOfFile: c.reynoldsOfFile}
	d.root = maps.Clone(c.root)
	bodies, ok := d.root["body"].([]any)
	fewer := ok && tables < len(bodies)
	if fewer {
		d.root["body"] = bodies[:tables]
	}
	for i := range d.overrides { // that were looked at, with all bodies
		d.overrides[i].adds = false
	}
	for key, at := range c.positions {
		if !fewer || !within(key, "body") {
			d.positions[key] = at
		}
	}
	for key, value := range d.root { // what overrides change must not be the case's own
		d.root[key] = cloned(value)
	}
	return d.read(sets)
}

// cloned is a decoded value that shares nothing that can be changed.
func cloned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, e := range v {
			m[key] = cloned(e)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = cloned(e)
		}
		return list
	}
	return v
}

// dropFromFile removes the other keys of a group where they came from the
// file; two alternatives both given by --set stay, and are reported.
func (c *Case) dropFromFile(root map[string]any, group []string, key string) {
	for _, other := range group {
		table, name, _ := strings.Cut(other, ".")
		_, inFile := c.positions[other]
		if before := slices.IndexFunc(c.overrides, func(o override) bool { return o.earlier && o.key == other }); before >= 0 && other != key {
			c.overrides, inFile = slices.Delete(c.overrides, before, before+1), true
		}
		if inFile && other != key {
			delete(root[table].(map[string]any), name) // assign made sure that it is a table
			delete(c.positions, other)
		}
	}
}

// parseValue reads a TOML value; what is none and does not look like one is a
// string.
func parseValue(raw string) (any, error) {
	if _, deep := indexPositions("v = " + raw); deep != nil {
		return nil, fmt.Errorf("the value is nested deeper than %d levels: flatten it", maxDepth)
	}
	root, err := decodeTOML("v = " + raw)
	if v, ok := root["v"]; err == nil && ok && len(root) == 1 {
		return v, nil
	}
	if raw != "" && strings.ContainsAny(raw[:1], `[{"'`) || strings.Contains(raw, "\n") {
		return nil, fmt.Errorf("the value is not valid TOML: check its brackets and quotes (the shell takes quotes away unless the whole is quoted)")
	}
	return raw, nil
}

// assign stores the value under the keys inside node and returns the node,
// which it makes where there is none. The number after the last element of an
// array appends one.
func assign(node any, keys []string, path string, value any) (any, error) {
	if len(keys) == 0 {
		return value, nil
	}
	at := join(path, keys[0])
	index, err := strconv.Atoi(keys[0])
	isIndex := err == nil && index >= 0
	if node == nil {
		node = map[string]any{}
		if isIndex {
			node = []any{}
		}
	}
	switch n := node.(type) {
	case map[string]any:
		child, err := assign(n[keys[0]], keys[1:], at, value)
		if err != nil {
			return nil, err
		}
		n[keys[0]] = child
		return n, nil
	case []any:
		if !isIndex || index > len(n) {
			return nil, fmt.Errorf("%s has %d elements, numbered from 0: %q is none of them", path, len(n), keys[0])
		}
		if index == len(n) {
			n = append(n, nil)
		}
		child, err := assign(n[index], keys[1:], at, value)
		if err != nil {
			return nil, err
		}
		n[index] = child
		return n, nil
	}
	return nil, fmt.Errorf("%s is %s and has no keys: set %s itself", path, kind(node), path)
}
