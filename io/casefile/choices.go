package casefile

import (
	"slices"
	"strings"
)

// choice is what a key may be: the values that this version has, and those
// that the case format names but this version refuses.
type choice struct {
	what        string // "a collision operator"
	have, later []string
}

// endKinds are the ways to hold an end of a line.
var endKinds = choice{"a way to hold an end", []string{"free", "hinged", "clamped"}, nil}

// edgeKinds are the ways to hold an edge of a sheet.
var edgeKinds = choice{"a way to hold an edge", []string{"free", "hinged", "clamped"}, nil}

// choices holds one entry for each key with a list of legal values, by path
// without array numbers, those of shapes and faces by shapeKinds and faceKinds. What a
// later version learns moves from later to have.
var choices = map[string]choice{
	"domain.lattice":              {"a lattice", []string{"D2Q9", "D3Q19"}, []string{"D3Q27"}},
	"domain.initial.type":         {"an initial state", []string{"uniform", "rest", "couette", "poiseuille", "taylor-green", "shear", "file"}, nil},
	"domain.flow.axis":            {"an axis", []string{"x", "y", "z"}, nil},
	"domain.follow.axis":          {"an axis", []string{"x", "y", "z"}, nil},
	"domain.boundary.profile":     {"a velocity profile", []string{"uniform", "parabolic"}, nil},
	"fluid.collision":             {"a collision operator", []string{"bgk", "trt", "mrt", "regularized", "recursive"}, nil},
	"fluid.precision":             {"a precision", []string{"f64", "f32", "f32/f16"}, nil},
	"fluid.layout":                {"a memory layout", []string{"auto", "aos", "soa", "soaos"}, nil},
	"fluid.streaming":             {"a streaming scheme", []string{"auto", "ab", "inplace"}, nil},
	"fluid.storage":               {"a storage", []string{"auto", "box", "runs"}, nil},
	"ib.delta":                    {"a delta function", []string{"hat2", "roma3", "bspline3", "peskin4", "cosine4", "bspline4", "m4prime", "ib6"}, nil},
	"ib.forcing":                  {"a forcing scheme", []string{"direct", "multidirect"}, []string{"penalty"}},
	"ib.correction":               {"a correction of the smeared wall", []string{"slip", "none"}, nil},
	"ib.inside":                   {"what the fluid inside bodies is", []string{"free", "damped"}, nil},
	"ib.spread":                   {"a spreading strategy", []string{"auto", "serial", "sort-reduce", "buffered", "buffered-otf", "columns", "columns-pruned", "cells", "atomic", "blocks", "shift-reduce"}, nil},
	"fluid.les.type":              {"a turbulence model", []string{"smagorinsky"}, nil},
	"fluid.rheology.type":         {"a law of viscosity", []string{"carreau-yasuda"}, nil},
	"body.fluid":                  {"a side of a body", []string{"outside", "inside", "both"}, nil},
	"body.motion.type":            {"a motion", []string{"fixed", "prescribed", "free", "elastic"}, nil},
	"body.motion.law":             {"a law of elastic bodies", []string{"skalak", "neo-hookean", "hooke", "beam", "plate"}, nil},
	"body.motion.rest":            {"a shape free of bending", []string{"straight", "drawn"}, nil},
	"body.motion.hold.start":      endKinds,
	"body.motion.hold.end":        endKinds,
	"body.motion.hold.left":       edgeKinds,
	"body.motion.hold.right":      edgeKinds,
	"body.motion.hold.bottom":     edgeKinds,
	"body.motion.hold.top":        edgeKinds,
	"body.motion.bending_model":   {"a model of bending", []string{"juelicher", "cotangent", "dihedral"}, nil},
	"body.motion.loads.at":        {"an end of an elastic body", []string{"x-min", "x-max", "y-min", "y-max", "z-min", "z-max"}, nil},
	"body.motion.fix":             {"a direction that a body can be held in", []string{"x", "y", "z", "rotation", "rx", "ry", "rz"}, nil},
	"run.backend":                 {"a backend", []string{"auto", "cpu", "cuda", "hybrid"}, nil},
	"body.motion.hold.start.type": endKinds,
	"body.motion.hold.end.type":   endKinds,
	"domain.vessel.inside":        {"a side of the threshold", []string{"above", "below"}, nil},
	"port.type":                   {"a port", []string{"velocity", "pressure", "windkessel"}, nil},
	"port.profile":                {"a velocity profile", []string{"parabolic", "poiseuille", "plug"}, nil},
	"suspension.model":            {"a model of suspensions", []string{"ellipsoid", "elastic"}, nil},
	"solid.fluid":                 {"a side of a solid", []string{"outside", "inside"}, nil},
	"output.suspension.profile":   {"an axis", []string{"x", "y", "z", "radial"}, nil},
	"output.slices.axis":          {"an axis", []string{"x", "y", "z"}, nil},
	"output.sections.axis":        {"an axis", []string{"x", "y", "z"}, nil},
	"output.fields.quantities":    {"a field quantity", []string{"velocity", "density", "vorticity", "pressure", "pressure_coefficient", "q_criterion", "body"}, nil},
	"output.fields.format":        {"a format of fields", []string{"image", "amr", "fluid"}, nil},
}

// choose returns v if it is among the values of the choice id that this
// version has, and reports it otherwise.
func (r *reader) choose(key, id, v string) (string, bool) {
	c := choices[id]
	switch {
	case slices.Contains(c.have, v):
		return v, true
	case slices.Contains(c.later, v):
		r.fail(key, "%q is not available in this version: it has %s", v, strings.Join(c.have, ", "))
	default:
		r.fail(key, "%q is not %s%s: it must be one of %s", v, c.what, didYouMean(v, slices.Concat(c.have, c.later)), strings.Join(c.have, ", "))
	}
	return "", false
}

// didYouMean returns ` (did you mean "…"?)` if a candidate is near, or "".
func didYouMean(word string, candidates []string) string {
	if near := nearest(word, candidates); near != "" {
		return ` (did you mean "` + near + `"?)`
	}
	return ""
}

// nearest returns the candidate with the fewest typing errors from word, up to
// one error for every three letters, or "".
func nearest(word string, candidates []string) string {
	const longest = 64 // no key is longer; bounds the cost
	if len(word) > longest {
		return ""
	}
	best, bestDistance := "", max(1, (len(word)+1)/3)+1
	for _, c := range candidates {
		if d := editDistance(strings.ToLower(word), strings.ToLower(c)); d < bestDistance && d < len(word) {
			best, bestDistance = c, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions, substitutions and
// transpositions of neighbours (optimal string alignment) from a to b.
func editDistance(a, b string) int {
	s, t := []rune(a), []rune(b)
	older, old, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		older, old, row = old, row, older
		row[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			row[j+1] = min(old[j+1]+1, row[j]+1, old[j]+cost)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
	}
	return row[len(t)]
}
