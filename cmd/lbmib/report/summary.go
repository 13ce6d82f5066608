package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"lbmib/io/casefile"
)

// status is how the run ended, and how good that is.
func (d *Record) status() (word, kind string) {
	word = d.Manifest.Status
	switch word {
	case "done", "steady":
		kind = "good"
	case "running", "interrupted", "stopped":
		kind = "fair"
	default:
		kind = "bad"
	}
	if word == "steady" {
		word = "steady state reached"
	}
	switch {
	case word == "stopped":
		word += " by a body"
	case d.Summary != nil && d.Summary.StoppedBy != "":
		word += ", stopped by " + d.Summary.StoppedBy
	}
	return word, kind
}

// subtitle says when and where the run was.
func (d *Record) subtitle() string {
	m := &d.Manifest
	words := []string{m.Device, plural(m.Threads, "thread"), m.Precision}
	if when, err := time.Parse(time.RFC3339, m.Start); err == nil {
		words = append([]string{when.UTC().Format("2 January 2006, 15:04 MST")}, words...)
	}
	return strings.Join(words, " · ")
}

// facts are the run at a glance.
func (d *Record) facts() (all []fact) {
	r := d.Manifest.Case.Reference
	all = append(all, fact{"Reynolds number", figure(r["reynolds"]), "U L / ν"}, fact{"nodes", grouped(d.Manifest.Nodes), d.nodes()})
	if d.Manifest.Markers > 0 {
		all = append(all, fact{"markers", grouped(d.Manifest.Markers), plural(len(d.Manifest.Case.Body), "body")})
	}
	if s := d.Summary; s != nil {
		all = append(all, fact{"time", figure(s.Time), fmt.Sprintf("L/U%s, %s", d.inSI(casefile.Time, s.Time), plural64(s.Steps, "step"))}, fact{"wall time", duration(s.WallSeconds), ""})
		if s.MFLUPS != nil {
			all = append(all, fact{"speed", figure(significant(*s.MFLUPS, 3)), "million node updates a second, while stepping"})
		}
		if s.MachMax != nil && s.Density != nil && *s.MachMax > 0 {
			all = append(all, fact{"largest Mach number", figure(significant(*s.MachMax, 2)), d.densityText()})
		}
		if p := s.Pressure; p != nil {
			all = append(all, fact{"pressure at the end", d.figureOf(casefile.Pressure, p.Min) + " to " + d.figureOf(casefile.Pressure, p.Max) + " ρU²",
				"at (" + vector(p.MinPlace) + ")" + d.inSI(casefile.Pressure, p.Min) + " and at (" + vector(p.MaxPlace) + ") L" + d.inSI(casefile.Pressure, p.Max)})
		}
		if s.GridNoise != nil {
			all = append(all, fact{"grid noise", figure(significant(*s.GridNoise, 2)), "of the velocity's variation; noise from 0.05 on"})
		}
	}
	return all
}

// densityText tells how constant the density is.
func (d *Record) densityText() string {
	most := *d.Summary.Density
	if most < 10*d.units().Roundoff { // see Units.Rounding
		return "density constant but for rounding"
	}
	return "density within " + figure(significant(100*most, 2)) + " %"
}

// inSI is a number of a quantity in SI behind an equals sign; empty without anchors.
func (d *Record) inSI(q casefile.Quantity, reference float64) string {
	u := d.units()
	si, ok := u.ToSI(q, reference)
	if !ok {
		return ""
	}
	if u.Told(q, 1, reference) == 0 {
		si = 0
	}
	return " = " + figure(significant(si, 4)) + " " + superscripts(u.Symbol(q))
}

// nodes is the number of nodes along each axis.
func (d *Record) nodes() string {
	var words []string
	for _, size := range d.Manifest.Case.Domain.Size {
		words = append(words, fmt.Sprint(int(math.Round(size*d.Manifest.Case.Reference["resolution"]))))
	}
	return strings.Join(words, " × ")
}

// faces are the names of faces, in pairs along the axes.
var faces = []string{"left", "right", "bottom", "top", "front", "back"}

// setup is what was computed.
func (d *Record) setup() (all []fact) {
	c := &d.Manifest.Case
	var size []string
	for _, s := range c.Domain.Size {
		size = append(size, figure(s))
	}
	all = append(all, fact{"domain", strings.Join(size, " × ") + " L", c.Domain.Lattice + " lattice"})
	for _, f := range faces[:2*d.dim()] {
		all = append(all, fact{f, described(c.Domain.Boundary[f]), ""})
	}
	all = append(all, fact{"initial state", described(c.Domain.Initial), ""})
	if slices.ContainsFunc(c.Domain.Force, func(v any) bool { return v != 0. }) {
		all = append(all, fact{"body force", value(c.Domain.Force), "U²/L"})
	}
	for _, b := range c.Solid {
		all = append(all, fact{"solid " + b.Name, described(b.Shape), ""})
	}
	const mostBodies = 12
	for i, b := range c.Body {
		if i == mostBodies {
			all = append(all, fact{"more bodies", fmt.Sprint(len(c.Body) - i), "see the case below"})
			break
		}
		note := ""
		if b.Motion["type"] != "fixed" {
			note = "motion: " + described(withoutZeros(b.Motion))
		}
		all = append(all, fact{"body " + b.Name, described(b.Shape), note})
	}
	all = append(all, fact{"collision", described(c.Fluid, "collision", "magic", "les", "rheology"), ""})
	if len(c.Body) > 0 {
		all = append(all, fact{"coupling", described(c.IB, "forcing", "delta", "correction", "retraction"), strings.TrimPrefix("spread: "+d.Manifest.Spread, "spread: auto")})
	}
	return all
}

// scale is a quantity in the units of the case, of the lattice and, where the case
// says what they are, in SI.
type scale struct{ Name, Reference, Lattice, SI string }

// scales translate between units.
func (d *Record) scales() (all []scale) {
	r := d.Manifest.Case.Reference
	if !(r["resolution"] > 0) || !(r["velocity"] > 0) {
		return nil
	}
	u := d.units()
	for _, of := range []struct {
		name, reference string
		quantity        casefile.Quantity
		times           float64 // of the reference unit
	}{
		{"length L", "1", casefile.Length, 1},
		{"speed U", "1", casefile.Velocity, 1},
		{"time L/U", "1", casefile.Time, 1},
		{"spacing of nodes Δx", figure(u.Dx), casefile.Length, u.Dx},
		{"time step Δt", figure(u.Dt), casefile.Time, u.Dt},
		{"kinematic viscosity ν", figure(r["viscosity"]), casefile.Viscosity, r["viscosity"]},
		{"density ρ₀", "1", casefile.Density, 1},
		{"pressure ρ₀U²", "1", casefile.Pressure, 1},
		{[]string{"force ρ₀U²L", "force ρ₀U²L²"}[u.Dim-2], "1", casefile.Force, 1},
	} {
		s := scale{Name: of.name, Reference: of.reference, Lattice: figure(u.ToLattice(of.quantity, of.times))}
		if si, ok := u.ToSI(of.quantity, of.times); ok {
			s.SI = figure(si) + " " + superscripts(u.Symbol(of.quantity))
		}
		all = append(all, s)
	}
	all = append(all,
		scale{Name: "relaxation time τ", Lattice: figure(u.Tau)},
		scale{Name: "Mach number U/cₛ", Lattice: figure(u.Mach)},
		scale{Name: "grid Reynolds number UΔx/ν", Lattice: figure(u.GridReynolds)})
	return all
}

// described is a table of the case in words: its type, then its other keys. With
// names only these are told, in order.
func described(m map[string]any, names ...string) string {
	var words []string
	if len(names) == 0 {
		if t, ok := m["type"].(string); ok {
			words = append(words, t)
		}
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if k != "type" && !isDefault(k, m[k]) {
				words = append(words, k+" "+value(m[k]))
			}
		}
		return strings.Join(words, ", ")
	}
	for i, k := range names {
		switch v, ok := m[k]; {
		case !ok || isDefault(k, v):
		case i == 0:
			words = append(words, value(v))
		default:
			words = append(words, k+" "+value(v))
		}
	}
	return strings.Join(words, ", ")
}

// withoutZeros is a table without its vectors of zeros.
func withoutZeros(m map[string]any) map[string]any {
	some := maps.Clone(m)
	maps.DeleteFunc(some, func(_ string, v any) bool {
		list, ok := v.([]any)
		return ok && !slices.ContainsFunc(list, func(e any) bool { return e != 0. })
	})
	return some
}

// isDefault tells which values say nothing.
func isDefault(key string, v any) bool {
	switch x := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(x) == 0
	case []any:
		return len(x) == 0
	case bool:
		return !x
	case float64:
		return x == 0
	case string:
		return x == ""
	}
	return false
}

// value is a value of the case in words.
func value(v any) string {
	switch x := v.(type) {
	case float64:
		return figure(x)
	case []any:
		const most = 6
		var words []string
		for i, e := range x {
			if i == most {
				words = append(words, "…")
				break
			}
			words = append(words, value(e))
		}
		return "(" + strings.Join(words, ", ") + ")"
	case map[string]any:
		return described(x)
	}
	return fmt.Sprint(v)
}

// resolved is the case with every default, indented.
func (d *Record) resolved() string {
	var b bytes.Buffer
	if json.Indent(&b, d.Manifest.raw, "", "  ") != nil {
		return string(d.Manifest.raw)
	}
	return b.String()
}

// figure is a number for people: five digits, powers of ten written as such.
func figure(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	text := strconv.FormatFloat(v, 'g', 5, 64)
	if mantissa, power, ok := strings.Cut(text, "e"); ok {
		n, err := strconv.Atoi(power)
		if err == nil {
			text = mantissa + "·10" + raised(n)
		}
	}
	return strings.Replace(text, "-", "−", 1)
}

// raised is an exponent in raised digits.
func raised(n int) string {
	return strings.Map(func(c rune) rune {
		if c == '-' {
			return '⁻'
		}
		return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[c-'0']
	}, strconv.Itoa(n))
}

// grouped is a count with thin spaces between thousands.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

func plural(n int, noun string) string { return plural64(int64(n), noun) }

func plural64(n int64, noun string) string {
	count := grouped(int(n)) + " "
	switch {
	case n == 1:
		return count + noun
	case strings.HasSuffix(noun, "y"):
		return count + strings.TrimSuffix(noun, "y") + "ies"
	}
	return count + noun + "s"
}

// duration is a time for people.
func duration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < 10*time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d < 10*time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
