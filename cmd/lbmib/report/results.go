package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lbmib/io/casefile"
)

// results are the statistics of all bodies: a row per quantity, a column per body.
type results struct {
	Bodies []string
	Rows   []resultRow
	Notes  []string
}

type resultRow struct {
	Name, Unit, Meaning string
	Values              []string
}

// motionQuantities are how many at the beginning are of motion, behind which those in SI stand.
const motionQuantities = 5

// quantities are what a summary says of a body, and in words.
var quantities = []struct{ key, name, unit, meaning string }{
	{"velocity_mean", "mean velocity", "U", "over the window of the motion"},
	{"spin_mean", "mean spin", "U/L", "in radians, likewise"},
	{"motion_amplitude", "amplitude of motion", "L", "half of peak to peak about the mean motion, along each axis"},
	{"motion_frequency", "frequency of motion", "U/L", "across the heading or, where that has none, along it"},
	{"motion_window", "window of motion", "L/U", "of these"},
	{"heading", "heading", "", "direction of the drag, where it is not +x"},
	{"along_mean", "force coefficient", "", "mean, in that direction"},
	{"cd_mean", "drag coefficient", "", "mean along x, of ρU²/2 times the frontal length or area"},
	{"cd_interval", "± of the mean drag", "", "half width of the 95 % confidence interval"},
	{"cd_error", "error of the drag", "", "estimated from nodes, mean slip along the wall or boundary layer, and Mach number, as a part of it, either way"},
	{"cd_amplitude", "drag amplitude", "", "half of peak to peak"},
	{"cl_mean", "lift coefficient", "", "mean along y"},
	{"cl_amplitude", "lift amplitude", "", "half of peak to peak"},
	{"cl_rms", "lift fluctuation", "", "root mean square about the mean"},
	{"strouhal", "Strouhal number", "", "frequency of lift times length over U"},
	{"recirculation_length", "recirculation", "L", "behind the body, mean"},
	{"periods", "periods", "", "whole ones in the window"},
	{"window", "window", "L/U", "of these statistics"},
	{"slip_max", "slip", "U", "largest at a marker: how well the wall is felt"},
	{"slip_granted", "slip left by the wall correction", "U", "along the wall, mean over the markers: above 0.3 the boundary layer is not resolved"},
	{"wall_slip_outside", "velocity at the wall", "U", "along it, that the flow beyond the markers' supports leads to, mean at the end: within 0.1 where the wall is where it is drawn"},
	{"force_gap", "force gap", "", "force on the markers against the momentum balance, relative"},
	{"reference_area", "reference area", areaUnit, "frontal, as drawn: of the coefficients of drag and lift"},
	{"reference_length", "reference length", "L", "of the Strouhal number"},
	{"torque_mean", "torque coefficient", "", "mean, about the body's centre, over ρU²Lᵈ/2"},
	{"torque_amplitude", "torque amplitude", "", "half of peak to peak"},
	{"oscillation.amplitude", "amplitude of oscillation", "L", "half of peak to peak along its direction; of a rotation in radians"},
	{"oscillation.frequency", "frequency of oscillation", "U/L", ""},
	{"oscillation.kc", "Keulegan–Carpenter number", "", "largest velocity times period over the reference length"},
	{"oscillation.beta", "Stokes number β", "", "square of the reference length over viscosity times period"},
	{"oscillation.drag_coefficient", "Morison's drag coefficient", "", "by least squares, over the reference area"},
	{"oscillation.drag_spread", "± among periods", "", "standard deviation"},
	{"oscillation.drag_coefficient_work", "drag coefficient by work", "", "which takes as much energy as the force: of a sinusoidal motion by first harmonics"},
	{"oscillation.added_mass_coefficient", "added mass coefficient", "", "over the mass of the fluid displaced; of inertia it is 1 more"},
	{"oscillation.added_mass_spread", "± among periods", "", "standard deviation"},
	{"oscillation.added_mass", "added mass", "ρLᵈ", "of a rotation moment of inertia, ρLᵈ⁺²"},
	{"oscillation.damping", "damping", "ρULᵈ⁻¹", "force per velocity; of a rotation torque per spin, ρULᵈ⁺¹"},
	{"oscillation.force_in_velocity", "force in phase with the velocity", "", "as a coefficient; below 0 it brakes"},
	{"oscillation.force_in_acceleration", "force in phase with the acceleration", "", "as a coefficient; below 0 it is an added mass"},
	{"oscillation.morison_rest", "left by Morison's", "", "part of the force that its fit leaves"},
	{"oscillation.linear_rest", "left by the linear fit", "", "in velocity and acceleration"},
	{"oscillation.periods", "periods of the fits", "", "that agree; means at phases are in phase.csv"},
	{"oscillation.window", "window of the fits", "L/U", ""},
	{"position", "position", "L", "at the end"},
	{"velocity", "velocity", "U", "at the end"},
	{"angle", "angle", "rad", "at the end"},
}

// areaUnit stands for that of the case's dimension.
const areaUnit = "area"

// of is a number of a body, in a table of it behind a point: "oscillation.kc".
func of(body map[string]any, key string) any {
	if within, name, ok := strings.Cut(key, "."); ok {
		inner, _ := body[within].(map[string]any)
		return inner[name]
	}
	return body[key]
}

const mostColumns = 24

// results are those of the bodies; none of a flow that is lost.
func (d *Directory) results() *results {
	if d.Summary == nil || len(d.Summary.Bodies) == 0 || d.Summary.Status == "diverged" || d.Summary.Status == "failed" {
		return nil
	}
	r := &results{Bodies: slices.Sorted(maps.Keys(d.Summary.Bodies))}
	if more := len(r.Bodies) - mostColumns; more > 0 {
		r.Bodies = r.Bodies[:mostColumns]
		r.Notes = append(r.Notes, fmt.Sprintf("%s more are in summary.json.", plural(more, "body")))
	}
	for i, q := range quantities {
		if i == motionQuantities {
			r.Rows = append(r.Rows, d.resultsInSI(r.Bodies)...)
		}
		row := resultRow{Name: q.name, Unit: q.unit, Meaning: q.meaning}
		if q.unit == areaUnit {
			row.Unit = []string{"L", "L²"}[d.dim()-2]
		}
		some := false
		for _, b := range r.Bodies {
			v := told(strings.TrimPrefix(q.key, "oscillation."), d.rounded(q.key, of(d.Summary.Bodies[b], q.key), of(d.Summary.Bodies[b], q.key)))
			some = some || v != ""
			row.Values = append(row.Values, v)
		}
		if some {
			r.Rows = append(r.Rows, row)
		}
	}
	for _, b := range r.Bodies {
		if note, _ := d.Summary.Bodies[b]["note"].(string); note != "" {
			r.Notes = append(r.Notes, b+": "+note+".")
		}
		if note, _ := of(d.Summary.Bodies[b], "oscillation.note").(string); note != "" {
			r.Notes = append(r.Notes, b+", oscillation: "+note+".")
		}
	}
	return r
}

// inSI are what a summary says of a body in SI, too: the key there without the unit, and in words.
var inSI = []struct {
	key, name, meaning string
	quantity           casefile.Quantity
}{
	{"force_mean", "mean force", "along the axes", casefile.Force},
	{"force_amplitude", "amplitude of the force", "half of peak to peak", casefile.Force},
	{"torque_mean", "mean torque", "about the body's centre", casefile.Torque},
	{"torque_amplitude", "amplitude of the torque", "half of peak to peak", casefile.Torque},
	{"frequency", "frequency", "of shedding", casefile.Frequency},
	{"velocity_mean", "mean velocity", "over the window of the motion", casefile.Velocity},
	{"spin_mean", "mean spin", "over the window of the motion", casefile.Spin},
	{"motion_amplitude", "amplitude of motion", "along each axis", casefile.Length},
	{"motion_frequency", "frequency of motion", "", casefile.Frequency},
	{"motion_window", "window of motion", "of these", casefile.Time},
	{"position", "position", "at the end", casefile.Length},
	{"velocity", "velocity", "at the end", casefile.Velocity},
	{"recirculation_length", "recirculation", "behind the body, mean", casefile.Length},
	{"oscillation.added_mass", "added mass", "of the oscillation", casefile.Mass},
	{"oscillation.damping", "damping", "force per velocity of the oscillation", casefile.Damping},
	{"oscillation.added_mass", "added moment of inertia", "of the oscillation", casefile.Inertia},
	{"oscillation.damping", "rotary damping", "torque per spin of the oscillation", casefile.RotaryDamping},
	{"reference_area", "reference area", "frontal, as drawn", casefile.Area},
	{"reference_length", "reference length", "", casefile.Length},
	{"window", "window", "of these statistics", casefile.Time},
}

// resultsInSI are the rows of what is known in SI; none without anchors.
func (d *Record) resultsInSI(bodies []string) (rows []resultRow) {
	u := d.units()
	for _, q := range inSI {
		row := resultRow{Name: q.name, Unit: superscripts(u.Symbol(q.quantity)), Meaning: q.meaning}
		some := false
		for _, b := range bodies {
			body, name := d.Summary.Bodies[b], q.key
			if inner, key, ok := strings.Cut(q.key, "."); ok { // of a table of the body
				body, _ = body[inner].(map[string]any)
				name = key
			}
			si, _ := body["si"].(map[string]any)
			if told(name, body[name]) == "" { // nothing beside rounding
				row.Values = append(row.Values, "")
				continue
			}
			v := quantity(d.rounded(q.key, si[name+"_"+u.Suffix(q.quantity)], body[name]))
			some = some || v != ""
			row.Values = append(row.Values, v)
		}
		if some {
			rows = append(rows, row)
		}
	}
	return rows
}

// units are those of the case.
func (d *Record) units() casefile.Units {
	return casefile.UnitsOf(d.Manifest.Case.Reference, d.dim(), d.Manifest.Precision)
}

// superscripts raises the powers of a unit.
func superscripts(unit string) string {
	return strings.NewReplacer("^2", "²", "^3", "³", "^4", "⁴", " ", "\u202f").Replace(unit)
}

// quantity is a number with a unit, or several, with four digits.
func quantity(v any) string {
	switch x := v.(type) {
	case float64:
		return figure(significant(x, 4))
	case []any:
		largest := 0.
		for _, e := range x {
			if f, ok := e.(float64); ok {
				largest = math.Max(largest, math.Abs(f))
			}
		}
		words := make([]string, 0, len(x))
		for _, e := range x {
			f, ok := e.(float64)
			if !ok {
				continue
			}
			if math.Abs(f) < 5e-4*largest { // rounding beside the others
				f = 0
			}
			words = append(words, figure(significant(f, 4)))
		}
		return strings.Join(words, ", ")
	}
	return ""
}

// told is a number of a body for people, empty where there is none.
func told(key string, v any) string {
	switch x := v.(type) {
	case string:
		return strings.Replace(x, "-", "−", 1)
	case float64:
		switch {
		case x == 0 && (key == "strouhal" || key == "periods" || key == "recirculation_length"):
			return ""
		case key == "periods":
			return figure(x)
		case math.Abs(x) < 1e-6 && strings.HasPrefix(key, "torque"):
			return ""
		case x == 0 && key == "slip_granted": // walls are not corrected
			return ""
		case key == "cd_error" || key == "slip_max" || key == "slip_granted" || key == "wall_slip_outside" || key == "force_gap":
			return figure(significant(x, 2))
		case math.Abs(x) < 1e-9: // rounding beside coefficients of order 1
			return "0"
		}
		return coefficient(x)
	case []any:
		if len(x) == 2 && (key == "window" || key == "motion_window") {
			from, ok := x[0].(float64)
			to, also := x[1].(float64)
			if ok && also {
				return figure(significant(from, 4)) + "\u202f–\u202f" + figure(significant(to, 4))
			}
			return ""
		}
		if key == "spin_mean" && !slices.ContainsFunc(x, func(e any) bool { v, ok := e.(float64); return ok && math.Abs(v) >= 5e-4 }) {
			return ""
		}
		if strings.HasPrefix(key, "torque") && !slices.ContainsFunc(x, func(e any) bool { v, ok := e.(float64); return ok && math.Abs(v) >= 1e-6 }) {
			return ""
		}
		if !slices.ContainsFunc(x, func(e any) bool { v, ok := e.(float64); return ok && math.Abs(v) >= 1e-9 }) { // rounding beside numbers of order 1
			x = make([]any, len(x))
			for i := range x {
				x[i] = 0.
			}
		}
		return vector(x)
	}
	return ""
}

// coefficient is a number of order 1 with four decimals, or two digits of a small
// one.
func coefficient(v float64) string {
	if math.Abs(v) < 5e-4 {
		return figure(significant(v, 2))
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', 4, 64), "-", "−", 1)
}

// vector is a list of numbers of order 1 with four digits each.
func vector(all []any) string {
	return quantity(all)
}

// significant rounds to so many digits.
func significant(v float64, digits int) float64 {
	if v == 0 {
		return 0
	}
	unit := math.Pow10(digits - 1 - int(math.Floor(math.Log10(math.Abs(v)))))
	return math.Round(v*unit) / unit
}
