package casefile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// notes are what the readers of a table returned, by the keys of the case file, defaults among
// it. Values are bool, numbers, string and lists of them, and the types of resolved.
type notes struct {
	values []value
	first  [6]value // room for those of most tables
}

// value is what a key gives.
type value struct {
	key string
	of  any
}

// What keys of shapes and motions may give, beside numbers, texts and vectors.
type (
	place  [3]float64   // L, moves with the copies of an array
	places [][3]float64 // so do these
	parts  []Shape      // and these
	source struct {
		NamedFile
		path string // joined with the case's folder
	}
)

// note keeps what a key gives, in place of what it gave before.
func (n *notes) note(key string, of any) {
	if n.values == nil {
		n.values = n.first[:0]
	}
	for i := range n.values {
		if n.values[i].key == key {
			n.values[i].of = of
			return
		}
	}
	n.values = append(n.values, value{key, of})
}

// drop forgets keys that have no effect.
func (n *notes) drop(keys ...string) {
	n.values = slices.DeleteFunc(n.values, func(v value) bool { return slices.Contains(keys, v.key) })
}

// noted is what a key gives, nil where it was left out.
func (n *notes) noted(key string) any {
	for _, v := range n.values {
		if v.key == key {
			return v.of
		}
	}
	return nil
}

// resolved are the notes ready for JSON: vectors cut to the dimension of the case, places
// moved by a shift in L. Tables without notes are left out.
func (n *notes) resolved(dim int, shift [3]float64) map[string]any {
	m := make(map[string]any, len(n.values))
	for _, v := range n.values {
		if table, ok := v.of.(*notes); !ok || len(table.values) > 0 {
			m[v.key] = resolved(v.of, dim, shift)
		}
	}
	return m
}

func resolved(of any, dim int, shift [3]float64) any {
	switch v := of.(type) {
	case *notes:
		return v.resolved(dim, shift)
	case []*notes:
		return list(v, func(n *notes) any { return n.resolved(dim, shift) })
	case [3]float64:
		return v[:dim:dim]
	case place:
		return resolved(plus(v, shift), dim, shift)
	case places:
		return list(v, func(p [3]float64) any { return resolved(place(p), dim, shift) })
	case parts:
		return list(v, func(s Shape) any { return s.notes.resolved(dim, plus(s.shift, shift)) })
	case source:
		return v.Path
	case Varying:
		if v.Expr == nil {
			return v.Value
		}
		return v.Expr.String()
	case [3]Varying:
		return list(v[:dim], func(x Varying) any { return resolved(x, dim, shift) })
	}
	return of
}

func list[T any](items []T, f func(T) any) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = f(item)
	}
	return out
}

// Resolved returns the case with every default filled in, under the keys of
// the case file, ready for JSON. Of alternatives (reynolds and viscosity, time
// and steps) it holds both, and each copy of an array is a body of its own.
func (c *Case) Resolved() map[string]any {
	m := c.notes.resolved(c.Domain.Dim, [3]float64{})
	m["body"] = list(c.inOrder(), func(b Body) any {
		of := b.notes.resolved(c.Domain.Dim, b.Shape.shift)
		of["name"] = b.Name
		return of
	})
	return m
}

// inOrder are all bodies in the order of the file.
func (c *Case) inOrder() []Body {
	all := slices.Concat(c.Bodies, c.Cells)
	slices.SortStableFunc(all, func(a, b Body) int { return a.table - b.table })
	return all
}

// Hash returns the SHA-256, in hexadecimal, of what determines the physics and
// the rows of the outputs, the contents of files that the case names included. Title,
// duration, stopping, threads, parts, backend, streaming scheme, storage, memory layout, output directory,
// plots, statistics and checkpoints do not take part, so that a run may be resumed longer,
// elsewhere and on another machine.
func (c *Case) Hash() string {
	text, err := json.Marshal(c.identity()) // map keys in order
	if err != nil {
		panic(fmt.Sprintf("casefile: a resolved case has no JSON form: %v", err)) // all numbers are finite
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// identity is what the hash is of.
func (c *Case) identity() map[string]any {
	m := c.Resolved()
	m["format"] = "lbmib case 1"
	delete(m, "title")
	fluid := m["fluid"].(map[string]any)
	fluid["layout"], fluid["streaming"] = "auto", "auto" // where populations lie, not what they are
	delete(fluid, "block")
	delete(fluid, "storage")
	delete(fluid, "steps_per_sweep")
	run, output := m["run"].(map[string]any), m["output"].(map[string]any)
	if c.Run.SoftStart == AutoSoftStart {
		run["soft_start"] = LongestSoftStart // the default once: checkpoints from then are resumed
	}
	if c.IB.Inside == "free" {
		delete(m["ib"].(map[string]any), "inside") // as before there was a choice
	}
	if len(c.Refine) == 0 {
		delete(m, "refine") // as before there were levels
	}
	if len(c.Ports) == 0 {
		delete(m, "port") // as before there were vessels
	}
	if len(c.Suspensions) == 0 {
		delete(m, "suspension") // as before there were any
	}
	if fields, ok := m["output"].(map[string]any)["fields"].(map[string]any); ok && c.Output.Fields.Format == "image" {
		delete(fields, "format") // as before there was a choice
	}
	if len(c.Output.Sections) == 0 {
		delete(output, "sections") // as before there were any
	}
	m["files"] = c.Files()
	for _, k := range []string{"time", "steps", "backend", "threads", "parts", "stop_when"} {
		delete(run, k)
	}
	for _, k := range []string{"directory", "plots", "checkpoint", "statistics"} {
		delete(output, k)
	}
	return m
}

// NamedFile is a file that the case names: how, and the SHA-256 of its content
// in hexadecimal.
type NamedFile struct {
	Path   string `json:"path"` // relative to the case's folder where it was given so
	SHA256 string `json:"sha256"`
}

// Files lists the files that the case names, each once, in the order of the keys.
func (c *Case) Files() []NamedFile { return c.notes.files(nil) }

// files appends the files that the notes name to a list that has each once.
func (n *notes) files(all []NamedFile) []NamedFile {
	for _, v := range n.values {
		switch of := v.of.(type) {
		case source:
			if !slices.Contains(all, of.NamedFile) {
				all = append(all, of.NamedFile)
			}
		case *notes:
			all = of.files(all)
		case []*notes:
			for _, table := range of {
				all = table.files(all)
			}
		case parts:
			for _, part := range of {
				all = part.notes.files(all)
			}
		}
	}
	return all
}
