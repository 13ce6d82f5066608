package observe

import (
	"slices"

	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/io/casefile"
	"lbmib/io/hdf5"
	"lbmib/io/vtkhdf"
	"lbmib/run/setup"
)

// lengthOfMarkers is the unit of their area in the plane.
var lengthOfMarkers = fieldUnit{"L", casefile.Length, 1}

// fieldUnit is the unit of a quantity as the case has it, and what it is.
type fieldUnit struct {
	unit     string
	quantity casefile.Quantity
	times    float64 // of the quantity's reference unit
}

// fieldUnits are the units of field quantities: as the case has them, and what they are.
var fieldUnits = map[string]fieldUnit{
	"velocity":                {"U", casefile.Velocity, 1},
	"density":                 {"rho", casefile.Density, 1},
	"vorticity":               {"U/L", casefile.Rate, 1},
	"pressure":                {"rho U^2", casefile.Pressure, 1},
	"pressure_coefficient":    {"rho U^2/2", casefile.Pressure, 0.5},
	"q_criterion":             {"U^2/L^2", casefile.RateSquared, 1},
	"normal":                  {"1", casefile.Number, 0},
	"area":                    {"L^2", casefile.Area, 1}, // in the plane see lengthOfMarkers
	"traction":                {"rho U^2/2", casefile.Pressure, 0.5},
	"friction_coefficient":    {"rho U^2/2", casefile.Pressure, 0.5},
	"velocity_mean":           {"U", casefile.Velocity, 1},
	"density_mean":            {"rho", casefile.Density, 1},
	"velocity_variance":       {"U^2", casefile.Number, 0},
	"density_variance":        {"rho^2", casefile.Number, 0},
	"wall_shear_stress":       {"rho U^2", casefile.Pressure, 1},
	"wall_shear_stress_mean":  {"rho U^2", casefile.Pressure, 1},
	"tension":                 {"rho U^2 L", casefile.Tension, 1}, // of surfaces; of lines in space see notesOn
	"curvature":               {"1/L", casefile.Curvature, 1},
	"oscillatory_index":       {"1", casefile.Number, 0},
	"relative_residence_time": {"1/(rho U^2)", casefile.Number, 0},
}

// notesOn are the attributes of a file with arrays: when its state was and what the scales are, and of each array its unit, in the
// reference quantities of the case, and, where [reference] has the anchors, si_unit and si_factor, by which a number is to be multiplied.
func notesOn(p *setup.Problem, at Moment, arrays []vtkhdf.Array) vtkhdf.Notes {
	notes := vtkhdf.Notes{File: ofMoment(p, at), Arrays: map[string][]hdf5.Attribute{}}
	for _, a := range arrays {
		of, ok := fieldUnits[a.Name]
		if !ok || a.Name == "tension" && p.Flow.Lattice.Dim == 3 && slices.ContainsFunc(p.Bodies, isLine) { // a force there, and beside those of surfaces
			continue
		}
		if a.Name == "area" && p.Flow.Lattice.Dim == 2 {
			of = lengthOfMarkers
		}
		told := []hdf5.Attribute{{Name: "unit", Text: of.unit}}
		if si, ok := p.Units.ToSI(of.quantity, of.times); ok && si != 0 {
			told = append(told, hdf5.Attribute{Name: "si_unit", Text: p.Units.Symbol(of.quantity)}, hdf5.Attribute{Name: "si_factor", Number: si})
		}
		notes.Arrays[a.Name] = told
	}
	return notes
}

// isLine tells whether a body is a line that bends.
func isLine(b *rigid.Body) bool { _, ok := b.Structure.(*flexible.Filament); return ok }

// ofMoment tells when a state was and what the scales are.
func ofMoment(p *setup.Problem, at Moment) []hdf5.Attribute {
	all := []hdf5.Attribute{{Name: "time", Number: at.Time}, {Name: "step", Number: float64(at.Step)}, {Name: "reynolds", Number: p.Case.Reference.Reynolds}}
	for _, a := range []struct {
		name string
		q    casefile.Quantity
		x    float64
	}{{"time", casefile.Time, at.Time}, {"length", casefile.Length, 1}, {"speed", casefile.Velocity, 1}, {"density", casefile.Density, 1}} {
		if si, ok := p.Units.ToSI(a.q, a.x); ok {
			all = append(all, hdf5.Attribute{Name: a.name + "_" + p.Units.Suffix(a.q), Number: si})
		}
	}
	return all
}
