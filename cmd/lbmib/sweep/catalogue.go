package sweep

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run"
)

// kind is a quantity that a run may give: where summary.json has it, and where it is told. In names and titles of vectors
// * stands for the axis.
type kind struct {
	group, key string // of summary.json: a part of it and what that has of each that it tells of; behind a point what a table or list there has
	name       string // of its column, NAME.name
	letters    string // of axes; empty: xyz
	always     bool   // it has a column even where no run has a number
	rank       int    // of the column: those of a rank stand behind those of lower ones, and of the last behind notes
	with       string // a key that must have a number above 0 beside it
	force      bool   // of a body that moves freely it is in files only: its answer is its motion

	at            int // the place in the table for people; 0: it is not there
	title, format string
	label         string // at the axis of pictures; empty: it is not drawn
	told          bool   // lbmib run --converge tells it with an uncertainty
	anchored      bool   // only where it is known in SI: in other units coefficients tell as much
	ordered       bool   // its order of convergence is looked for
}

// ranks of columns, by when tables came to have them.
const (
	first = iota
	ofError
	later
	last
	inUnits // the same in SI
)

// catalogue are all quantities. Those of a group are in the order of their columns.
var catalogue = []kind{
	{group: "bodies", key: "cd_mean", name: "cd_mean", always: true, force: true, at: 20, title: "Cd", format: "%.4f", label: "mean drag coefficient", told: true, ordered: true},
	{group: "bodies", key: "cd_amplitude", name: "cd_amplitude", always: true, force: true, at: 22, title: "Cd ±", format: "%.4f", told: true},
	{group: "bodies", key: "cl_mean", name: "cl_mean", always: true, force: true, at: 23, title: "Cl", format: "%.4f", told: true},
	{group: "bodies", key: "cl_amplitude", name: "cl_amplitude", always: true, force: true, at: 24, title: "Cl ±", format: "%.4f", label: "amplitude of lift", told: true, ordered: true},
	{group: "bodies", key: "cl_rms", name: "cl_rms", always: true, force: true},
	{group: "bodies", key: "strouhal", name: "strouhal", always: true, force: true, with: "strouhal", at: 26, title: "St", format: "%.4f", label: "Strouhal number", told: true, ordered: true},
	{group: "bodies", key: "recirculation_length", name: "recirculation_length", always: true, force: true, at: 27, title: "recirculation / L", format: "%.3f", label: "recirculation / L", told: true, ordered: true},
	{group: "bodies", key: "along_mean", name: "along_mean", always: true, force: true, at: 25, title: "C along", format: "%.4f", told: true},
	{group: "bodies", key: "slip_max", name: "slip_max", always: true, force: true, at: 28, title: "slip / U", format: "%.1e"},
	{group: "bodies", key: "force_gap", name: "force_gap", always: true, force: true},
	{group: "bodies", key: "slip_granted", name: "slip_granted", always: true, force: true},
	{group: "bodies", key: "wall_slip_outside", name: "wall_slip_outside", always: true, force: true},
	{group: "bodies", key: "cd_error", name: errorQuantity, always: true, force: true, rank: ofError},
	{group: "bodies", key: "velocity_mean", name: "v*_mean", rank: later, at: 10, title: "mean v* / U", format: "%.4f", label: "mean velocity along * / U", told: true, ordered: true},
	{group: "bodies", key: "spin_mean", name: "spin_mean", rank: later, at: 13, title: "spin / (U/L)", format: "%.4f", label: "mean spin / (U/L)", told: true},
	{group: "bodies", key: "motion_amplitude", name: "*_amplitude", with: "motion_frequency", rank: later, at: 14, title: "* ± / L", format: "%.4f", label: "amplitude along * / L", told: true},
	{group: "bodies", key: "motion_frequency", name: "motion_frequency", with: "motion_frequency", rank: later, at: 17, title: "f / (U/L)", format: "%.4f", label: "frequency of motion / (U/L)", told: true, ordered: true},
	{group: "bodies", key: "cd_interval", name: "cd_interval", always: true, force: true, rank: later, at: 21, title: "known to ±", format: "%.2g"},
	{group: "bodies", key: "converged", name: "converged", always: true, rank: later},
	{group: "bodies", key: "window.0", name: "window_from", always: true, rank: later},
	{group: "bodies", key: "window.1", name: "window_to", always: true, rank: later},

	{group: "flow", key: "speed_mean", name: "speed_mean", rank: later},
	{group: "flow", key: "body_force_mean", name: "body_force_mean", rank: later, told: true},
	{group: "sections", key: "flow_rate_mean", name: "flow_rate_mean", rank: later, at: 50, title: "flow rate", format: "%.6g", label: "mean flow rate", told: true, ordered: true},
	{group: "sections", key: "pressure_mean", name: "p_mean", rank: later, at: 54, title: "mean p / ρU²", format: "%.6g", told: true},
	{group: "sections", key: "velocity_mean", name: "*_mean", letters: "uvw", rank: later, at: 51, title: "mean * / U", format: "%.6g", told: true},

	{group: "bodies", key: "oscillation.added_mass_coefficient", name: "added_mass_coefficient", rank: last, at: 30, title: "Ca", format: "%.4f", label: "added mass coefficient", told: true, ordered: true},
	{group: "bodies", key: "oscillation.drag_coefficient", name: "drag_coefficient", rank: last, at: 31, title: "Morison's Cd", format: "%.4f", label: "Morison's drag coefficient", told: true, ordered: true},
	{group: "bodies", key: "oscillation.drag_coefficient_work", name: "drag_coefficient_work", rank: last, told: true},
	{group: "bodies", key: "oscillation.added_mass", name: "added_mass", rank: last},
	{group: "bodies", key: "oscillation.damping", name: "damping", rank: last},
	{group: "bodies", key: "oscillation.force_in_velocity", name: "force_in_velocity", rank: last, at: 32, title: "C with velocity", format: "%.4f", told: true},
	{group: "bodies", key: "oscillation.force_in_acceleration", name: "force_in_acceleration", rank: last, at: 33, title: "C with acceleration", format: "%.4f", told: true},
	{group: "bodies", key: "oscillation.kc", name: "kc", rank: last, at: 34, title: "KC", format: "%.4g"},
	{group: "bodies", key: "oscillation.beta", name: "beta", rank: last, at: 35, title: "β", format: "%.4g"},
	{group: "bodies", key: "oscillation.periods", name: "oscillation_periods", rank: last},
	{group: "bodies", key: "oscillation.converged", name: "oscillation_converged", rank: last},

	{group: "bodies", key: "force_mean", name: "f*_mean", force: true, rank: last, told: true, anchored: true},
	{group: "bodies", key: "torque_mean", name: "t*_mean", force: true, rank: last, told: true, anchored: true},
	{group: "bodies", key: "torque_mean", name: "tz_mean", force: true, rank: last, told: true, anchored: true},

	{group: "cells", key: "deformation", name: "deformation", rank: last, at: 40, title: "D", format: "%.4f", label: "Taylor's deformation D", told: true, ordered: true},
	{group: "cells", key: "inclination", name: "inclination", rank: last, at: 41, title: "inclination / rad", format: "%.4f", label: "inclination / rad", told: true, ordered: true},
	{group: "cells", key: "tread_frequency", name: "tread_frequency", rank: last, at: 42, title: "treads / (U/L)", format: "%.4g", label: "frequency of tank-treading / (U/L)", told: true, ordered: true},
	{group: "cells", key: "tread", name: "tread", rank: last},
	{group: "cells", key: "area_drift", name: "area_drift", rank: last, at: 43, title: "area drift", format: "%.2g", told: true},
	{group: "cells", key: "volume_drift", name: "volume_drift", rank: last, at: 44, title: "volume drift", format: "%.2g", told: true},
	{group: "cells", key: "energy", name: "energy", rank: last, told: true},
	{group: "cells", key: "velocity", name: "v*", rank: last, told: true},
	{group: "filaments", key: "tip", name: "tip_*", rank: last, at: 60, title: "tip * / L", format: "%.4f", label: "tip along * / L at the end", told: true},
	{group: "filaments", key: "curvature_max", name: "curvature_max", rank: last, at: 64, title: "curvature L", format: "%.4g", told: true},
	{group: "filaments", key: "tension_max", name: "tension_max", rank: last, told: true},
	{group: "filaments", key: "strain_max", name: "strain_max", rank: last, at: 65, title: "strain", format: "%.2g", told: true},
	{group: "filaments", key: "energy", name: "energy", rank: last, told: true},
	{group: "suspension", key: "hematocrit_mean", name: "hematocrit_mean", rank: last, at: 70, title: "haematocrit", format: "%.4g", told: true},
	{group: "suspension", key: "discharge_hematocrit_mean", name: "discharge_hematocrit_mean", rank: last, at: 71, title: "discharge haematocrit", format: "%.4g", label: "discharge haematocrit", told: true, ordered: true},
	{group: "suspension", key: "fahraeus_ratio_mean", name: "fahraeus_ratio_mean", rank: last, at: 72, title: "Fåhræus ratio", format: "%.4g", told: true},
	{group: "suspension", key: "relative_viscosity_mean", name: "relative_viscosity_mean", rank: last, at: 73, title: "relative viscosity", format: "%.4g", label: "apparent relative viscosity", told: true, ordered: true},
	{group: "suspension", key: "cell_free_layer_mean", name: "cell_free_layer_mean", rank: last, at: 74, title: "layer / L", format: "%.4g", label: "layer free of cells / L", told: true, ordered: true},
	{group: "suspension", key: "flow_rate_mean", name: "flow_rate_mean", rank: last, told: true},
	{group: "suspension", key: "velocity_mean", name: "v*_mean", rank: last, told: true},
	{group: "suspension", key: "area_drift_max", name: "area_drift_max", rank: last, told: true},
	{group: "suspension", key: "volume_drift_max", name: "volume_drift_max", rank: last, told: true},
	{group: "suspension", key: "gap_min", name: "gap_min", rank: last},
	{group: "ports", key: "flow_rate_mean", name: "flow_rate_mean", rank: last, told: true},
	{group: "ports", key: "flow_rate_amplitude", name: "flow_rate_amplitude", rank: last, told: true},
	{group: "ports", key: "pressure_mean", name: "p_mean", rank: last, told: true},
	{group: "ports", key: "pressure_amplitude", name: "p_amplitude", rank: last, told: true},
	{group: "ports", key: "pressure_drop_mean", name: "pressure_drop_mean", rank: last, at: 55, title: "pressure drop / ρU²", format: "%.6g", label: "pressure drop / ρU²", told: true, ordered: true},

	{group: "sections", key: "flow_rate_interval", name: "flow_rate_interval", rank: last},
	{group: "sections", key: "pressure_amplitude", name: "p_amplitude", rank: last},
	{group: "sections", key: "pressure_interval", name: "p_interval", rank: last},
	{group: "sections", key: "pressure_drop_mean", name: "pressure_drop_mean", rank: last, told: true},
	{group: "ports", key: "flow_rate_interval", name: "flow_rate_interval", rank: last},
	{group: "ports", key: "pressure_interval", name: "p_interval", rank: last},
	{group: "probes", key: "velocity_mean", name: "*_mean", letters: "uvw", rank: last, label: "mean * / U", told: true, ordered: true},
	{group: "probes", key: "velocity_interval", name: "*_interval", letters: "uvw", rank: last, at: 80, title: "* known to ±", format: "%.2g"},
	{group: "probes", key: "velocity_amplitude", name: "*_amplitude", letters: "uvw", rank: last, at: 83, title: "* ± / U", format: "%.4g"},
	{group: "probes", key: "pressure_mean", name: "p_mean", rank: last, label: "mean p / ρU²", told: true, ordered: true},
	{group: "probes", key: "pressure_interval", name: "p_interval", rank: last, at: 86, title: "p known to ±", format: "%.2g"},
	{group: "probes", key: "pressure_amplitude", name: "p_amplitude", rank: last, at: 87, title: "p ± / ρU²", format: "%.4g"},

	// Of probes the last rows of probes.csv.
	{name: "rho", at: 90, title: "ρ at the end", format: "%.6g"},
	{name: "u", at: 91, title: "u / U at the end", format: "%.6g", label: "u / U at the end", ordered: true},
	{name: "v", at: 92, title: "v / U at the end", format: "%.6g", label: "v / U at the end", ordered: true},
	{name: "w", at: 93, title: "w / U at the end", format: "%.6g", ordered: true},
	{name: "p", at: 94, title: "p / ρU² at the end", format: "%.6g"},
}

func init() {
	of := map[string]string{"sheets": "filaments"}
	for group, like := range of {
		for _, k := range catalogue {
			if k.group == like {
				k.group = group
				catalogue = append(catalogue, k)
			}
		}
	}
	for _, group := range []string{"suspension", "ports", "sections", "flow", "probes"} {
		for _, k := range []kind{{key: "converged", name: "converged"}, {key: "window.0", name: "window_from"}, {key: "window.1", name: "window_to"}} {
			k.group, k.rank = group, last
			catalogue = append(catalogue, k)
		}
	}
}

// The parts of summary.json in the order of columns: those that results are of, and those that look at the flow.
var groups = []struct {
	name  string
	looks bool
}{{"bodies", false}, {"flow", true}, {"sections", true}, {"cells", false}, {"filaments", false}, {"sheets", false}, {"suspension", false}, {"ports", true}, {"probes", true}}

// component is the name of the i-th component of a vector.
func (k *kind) component(text string, i int) string {
	letters := k.letters
	if letters == "" {
		letters = "xyz"
	}
	return strings.ReplaceAll(text, "*", letters[i:i+1])
}

// entry is what summary.json has of one that it tells of.
type entry = map[string]any

// entriesOf are a run's, by part and by the name under which they are told of; flow and suspension are told of once.
func entriesOf(s *run.Summary) (all map[string]map[string]entry) {
	text, err := json.Marshal(s)
	var parts map[string]any
	if err == nil {
		err = json.Unmarshal(text, &parts)
	}
	if err != nil { // it is made of nothing but numbers and words
		panic(err)
	}
	all = map[string]map[string]entry{}
	taken := map[string]bool{}
	for _, g := range groups {
		part, _ := parts[g.name].(map[string]any)
		if part == nil {
			continue
		}
		all[g.name] = map[string]entry{}
		if g.name == "flow" || g.name == "suspension" {
			all[g.name][g.name] = part
			taken[g.name] = true
			continue
		}
		for name, v := range part {
			if e, ok := v.(map[string]any); ok {
				all[g.name][toldAs(g.name, name, taken)] = e
			}
		}
		for name := range part {
			taken[name] = true
		}
	}
	if all["suspension"] != nil {
		delete(all, "cells") // hundreds, of which it tells
	}
	return all
}

// toldAs is the name of one of a part: with the part's behind it where others have the name, too.
func toldAs(group, name string, taken map[string]bool) string {
	if taken[name] {
		name += " (" + strings.TrimSuffix(group, "s") + ")"
	}
	return name
}

// inSI is what an entry has under a key in SI, and the unit at the end of its name there; nil: nothing.
func inSI(e entry, key string) (v any, unit string) {
	within, name := "", key
	if i := strings.LastIndexByte(key, '.'); i >= 0 {
		within, name = key[:i], key[i+1:]
	}
	index := ""
	if _, err := strconv.Atoi(name); err == nil { // of a list
		index = name
		if i := strings.LastIndexByte(within, '.'); i >= 0 {
			within, name = within[:i], within[i+1:]
		} else {
			within, name = "", within
		}
	}
	holder, _ := value(e, within).(map[string]any)
	si, _ := value(holder, "si").(map[string]any)
	for of, v := range si {
		rest, ok := strings.CutPrefix(of, name+"_")
		if _, known := casefile.SymbolOf(rest); ok && known {
			return value(v, index), rest
		}
	}
	return nil, ""
}

// value is what an entry has under a key; nil: nothing, or no number.
func value(e any, key string) any {
	for key != "" && e != nil {
		var name string
		name, key, _ = strings.Cut(key, ".")
		switch of := e.(type) {
		case map[string]any:
			e = of[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(of) {
				return nil
			}
			e = of[i]
		default:
			return nil
		}
	}
	return e
}

// number is a value as one: NaN where there is none, 1 of what is true.
func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case bool:
		if v {
			return 1
		}
		return 0
	}
	return math.NaN()
}

// quantitiesOf are all that a summary has of the catalogue, and behind them in SI what it has so.
func quantitiesOf(s *run.Summary) (all []Quantity) {
	entries := entriesOf(s)
	var si []Quantity
	for _, g := range groups {
		for _, name := range slices.Sorted(maps.Keys(entries[g.name])) {
			e := entries[g.name][name]
			free := false
			if b, ok := s.Bodies[name]; ok && g.name == "bodies" {
				free = isFree(&b)
			}
			for i := range catalogue {
				if k := &catalogue[i]; k.group == g.name {
					for _, q := range k.of(e) {
						q.Of, q.probe, q.minor = name, g.looks, free && k.force
						all = append(all, q)
						if q.unit != "" {
							si = append(si, Quantity{Of: name, Name: q.Name + "_" + q.unit, Value: q.si, probe: g.looks, minor: true, rank: inUnits})
						}
					}
				}
			}
		}
	}
	return append(all, si...)
}

// of are the numbers of a kind that an entry has: several of a vector.
func (k *kind) of(e entry) (all []Quantity) {
	v := value(e, k.key)
	if k.with != "" && !(number(value(e, k.with)) > 0) {
		v = nil
	}
	si, unit := inSI(e, k.key)
	list, isVector := v.([]any)
	switch vector := strings.Contains(k.name, "*"); {
	case isVector && vector:
		for i, x := range list {
			q := Quantity{Name: k.component(k.name, i), Value: finite.Number(number(x)), rank: k.rank}
			q.inUnit(value(si, strconv.Itoa(i)), unit)
			all = append(all, q)
		}
	case isVector != vector || v == nil && !k.always: // as the spin in space
	default:
		q := Quantity{Name: k.name, Value: finite.Number(number(v)), rank: k.rank}
		q.inUnit(si, unit)
		all = append(all, q)
	}
	return all
}

// inUnit sets the value in SI, if there is one.
func (q *Quantity) inUnit(si any, unit string) {
	if v := number(si); finite.Is(v) && finite.Is(float64(q.Value)) {
		q.si, q.unit = finite.Number(v), unit
	}
}

// expanded are the kinds of which something holds, one per name, with components of vectors one by one.
func expanded(holds func(k *kind) bool) (all []kind) {
	for i := range catalogue {
		k := catalogue[i]
		n := 1
		if strings.Contains(k.name, "*") {
			n = 3
		}
		for a := range n {
			one := k
			one.name, one.title, one.label, one.at = k.component(k.name, a), k.component(k.title, a), k.component(k.label, a), k.at+a
			if holds(&k) && !slices.ContainsFunc(all, func(o kind) bool { return o.name == one.name }) {
				all = append(all, one)
			}
		}
	}
	return all
}

// namesOf are the names of the kinds of which something holds.
func namesOf(holds func(k *kind) bool) (names []string) {
	for _, k := range expanded(holds) {
		names = append(names, k.name)
	}
	return names
}
