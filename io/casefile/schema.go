package casefile

import (
	"slices"
	"strings"
	"sync"
)

// schema is the keys of every table of a case file, by the table's path: "#"
// stands for the number of an element, and "face" for one of FaceNames. A key
// ending in "#" is an array whose elements are keys, too; in "##", one of arrays. The keys
// of shapes are those of shapeKinds.
var schema = map[string]string{
	"":                     "title reference domain fluid ib body# solid# run output",
	"reference":            "resolution velocity reynolds viscosity length speed density time",
	"domain":               "lattice size# origin# force# gravity# initial boundary",
	"domain.initial":       "type velocity# amplitude wavenumber path",
	"domain.boundary":      "left right bottom top front back",
	"domain.boundary.face": "type value# profile peak density ramp period phase factor table repeat",
	"fluid":                "collision magic precision layout block streaming steps_per_sweep les",
	"fluid.les":            "type constant",
	"ib":                   "delta forcing iterations tolerance spread correction retraction inside contact",
	"ib.contact":           "distance stiffness",
	"body.#":               "name shape spacing fluid motion array",
	"body.#.array":         "count# step#",
	"body.#.motion": "type displacement# velocity# amplitude# frequency phase angle spin# swing swing_phase axis# pivot# " +
		"density release fix# inertia spring# damper# spring_rotation damper_rotation",
	"solid.#":           "name shape",
	"run":               "time steps backend threads seed soft_start stop_when",
	"run.stop_when":     "steady cd_interval body",
	"output":            "directory forces fields checkpoint bodies probes# lines# slices# boxes# means statistics plots",
	"output.forces":     "every",
	"output.fields":     "every quantities#",
	"output.checkpoint": "every keep",
	"output.bodies":     "every",
	"output.probes.#":   "name at# every",
	"output.lines.#":    "name from# to# points every",
	"output.slices.#":   "name axis at every",
	"output.boxes.#":    "name min# max# every",
	"output.means":      "from every",
	"output.statistics": "from",
}

// patterns are the paths of all keys of the schema, with "#" for numbers.
var patterns = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for table, keys := range schema {
		tables := []string{table}
		if stem, faces := strings.CutSuffix(table, ".face"); faces {
			tables = tables[:0]
			for _, name := range FaceNames {
				tables = append(tables, join(stem, name))
			}
		}
		for _, t := range tables {
			for _, key := range strings.Fields(keys) {
				path := strings.TrimPrefix(t+"."+strings.TrimRight(key, "#"), ".")
				all[path] = true
				for range strings.Count(key, "#") {
					path += ".#"
					all[path] = true
				}
			}
		}
	}
	return all
})

// KnownKey reports whether a dotted key, such as "reference.reynolds" or
// "body.0.shape.center.1", is one that a case file can have; if not, suggestion
// is a known key near to it, or "". Whether a case takes the key beside its
// others is told by Parse.
func KnownKey(key string) (ok bool, suggestion string) {
	parts := strings.Split(key, ".")
	path := ""
	for i, part := range parts {
		bare := isBare(part)
		if strings.Trim(part, "0123456789") == "" {
			part = "#"
		}
		next := strings.TrimPrefix(path+"."+part, ".")
		if !bare || !patterns()[next] {
			return false, suggest(parts, i, path)
		}
		path = next
	}
	return true, ""
}

// suggest proposes a key in place of one whose part i is not known below path.
func suggest(parts []string, i int, path string) string {
	var beside, elsewhere []string // names below path; keys of that very name
	for p := range patterns() {
		if parent(p) == path {
			beside = append(beside, strings.TrimPrefix(p, path+"."))
		}
		if (p == parts[i] || strings.HasSuffix(p, "."+parts[i])) && !strings.Contains(p, "#") && i == len(parts)-1 {
			elsewhere = append(elsewhere, p)
		}
	}
	slices.Sort(beside)
	slices.Sort(elsewhere)
	repaired := slices.Clone(parts)
	if near := nearest(parts[i], beside); near != "" && near != "#" {
		repaired[i] = near
	} else if slices.Contains(beside, "#") {
		repaired = slices.Insert(repaired, i, "0")
	} else if len(elsewhere) > 0 {
		return elsewhere[0]
	} else {
		return ""
	}
	whole := strings.Join(repaired, ".")
	if ok, further := KnownKey(whole); !ok {
		return further
	}
	return whole
}
