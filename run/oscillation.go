package run

import (
	"fmt"
	"math"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/io/statistics"
)

// OscillationSummary is what a body that swings to and fro feels: the force along its motion, taken apart by least squares over whole
// periods that agree with each other, or all since output.statistics. Of a body that swings about an axis force, velocity and mass are
// torque, spin and moment of inertia, its numbers ρUL^(d+1) and ρL^(d+2), and what belongs to a translation is null.
type OscillationSummary struct {
	Of        string          `json:"of"`        // translation | rotation
	Direction []finite.Number `json:"direction"` // of unit length; of a rotation its axis

	Period    finite.Number `json:"period" si:"time"`         // L/U
	Frequency finite.Number `json:"frequency" si:"frequency"` // U/L
	Amplitude finite.Number `json:"amplitude"`                // half of peak to peak, L or radians
	Velocity  finite.Number `json:"velocity_amplitude"`
	KC        finite.Number `json:"kc"`   // Keulegan and Carpenter's: velocity amplitude times period over the reference length
	Beta      finite.Number `json:"beta"` // of Stokes: the square of that length over viscosity times period
	Reynolds  finite.Number `json:"reynolds"`

	Mean           finite.Number    `json:"force_mean"`             // as cd, along the direction; of a rotation as tx, ty, tz
	InVelocity     finite.Number    `json:"force_in_velocity"`      // amplitude of the part in phase with the velocity; below 0 it brakes
	InAcceleration finite.Number    `json:"force_in_acceleration"`  // likewise; below 0 it is an added mass
	LinearRest     finite.Number    `json:"linear_rest"`            // what both leave of the force, rms over rms about the mean
	AddedMass      finite.Number    `json:"added_mass"`             // ρL^d
	Damping        finite.Number    `json:"damping"`                // ρUL^(d−1)
	Ca             finite.Number    `json:"added_mass_coefficient"` // over the mass of the fluid displaced; null of what displaces none
	CaSpread       finite.Number    `json:"added_mass_spread"`      // standard deviation among periods
	Cd             finite.Number    `json:"drag_coefficient"`       // Morison's, of V|V|; null in a stream
	CdSpread       finite.Number    `json:"drag_spread"`
	CdWork         finite.Number    `json:"drag_coefficient_work"` // that which takes as much energy: of sinusoidal motions by first harmonics
	MorisonRest    finite.Number    `json:"morison_rest"`
	Periods        int              `json:"periods"`
	Window         [2]finite.Number `json:"window" si:"time"` // L/U
	Converged      bool             `json:"converged"`
	Note           string           `json:"note,omitempty"`
	SI             InSI             `json:"si,omitempty"`
}

// reference is what a body's oscillation is told in.
type reference struct {
	length    float64 // L
	area      float64 // L^(d−1)
	displaced float64 // L^d; 0 of what encloses nothing
	viscosity float64 // UL
	stream    bool    // there is one, in which V|V| is not what drags
}

// summary tells what was found, in reference units.
func (s *swinging) summary(o *statistics.Oscillation, r reference) *OscillationSummary {
	translation, nan := s.of == "translation", math.NaN()
	only := func(v float64) finite.Number { // of a translation
		if !translation {
			v = nan
		}
		return finite.Number(v)
	}
	over := 1. // of forces
	if translation {
		over = r.area
	}
	part := func(factor, size float64) finite.Number { return finite.Number(-factor * size / over) }
	out := &OscillationSummary{
		Of: s.of, Direction: numbers(s.along), Period: finite.Number(o.Period), Frequency: finite.Number(1 / o.Period),
		Amplitude: finite.Number(nan), Velocity: finite.Number(o.Velocity),
		KC: only(o.Velocity * o.Period / r.length), Beta: finite.Number(r.length * r.length / r.viscosity / o.Period), Reynolds: only(o.Velocity * r.length / r.viscosity),
		Mean: finite.Number(o.ForceMean / over), InVelocity: part(o.Linear.Drag, o.Velocity), InAcceleration: part(o.Linear.Mass, o.Acceleration), LinearRest: finite.Number(o.Linear.Rest),
		AddedMass: finite.Number(o.Linear.Mass / 2), Damping: finite.Number(o.Linear.Drag / 2),
		Ca: only(o.Linear.Mass / 2 / r.displaced), CaSpread: only(o.Linear.MassSpread / 2 / r.displaced),
		Cd: only(o.Morison.Drag / r.area), CdSpread: only(o.Morison.DragSpread / r.area), CdWork: only(o.Work / r.area), MorisonRest: only(o.Morison.Rest),
		Periods: o.Periods, Window: [2]finite.Number{finite.Number(o.From), finite.Number(o.To)}, Converged: o.Converged, Note: o.Note,
	}
	if o.Periods > 0 {
		out.Amplitude = finite.Number(statistics.Over(s.T, s.displaced(o), o.From, o.To).Amplitude)
	}
	if r.displaced == 0 {
		out.Ca, out.CaSpread = finite.Number(nan), finite.Number(nan)
	}
	if r.stream {
		out.Cd, out.CdSpread, out.CdWork, out.MorisonRest = finite.Number(nan), finite.Number(nan), finite.Number(nan), finite.Number(nan)
	}
	return out
}

// displaced is the place along the direction less the mean motion, about its mean over the window.
func (s *swinging) displaced(o *statistics.Oscillation) []float64 {
	out := make([]float64, len(s.place))
	for i, x := range s.place {
		out[i] = x - o.VelocityMean*(s.T[i]-o.From)
	}
	mean := statistics.Over(s.T, out, o.From, o.To).Mean
	for i := range out {
		out[i] -= mean
	}
	return out
}

// measure sets in SI what has another unit of a translation than of a rotation, and returns what is told among a body's numbers, too.
func (v *OscillationSummary) measure(u casefile.Units, area finite.Number) InSI {
	if v == nil {
		return nil
	}
	v.SI = InSI{}
	speed, force, times := casefile.Velocity, casefile.Force, 0.5*float64(area)
	if v.Of != "translation" {
		speed, force, times = casefile.Spin, casefile.Torque, 0.5
	}
	v.SI.set(u, "velocity_amplitude", speed, 1, v.Velocity)
	v.SI.set(u, "force_mean", force, times, v.Mean)
	v.SI.set(u, "force_in_velocity", force, times, v.InVelocity)
	v.SI.set(u, "force_in_acceleration", force, times, v.InAcceleration)
	inertia, damping := casefile.Mass, casefile.Damping
	if v.Of != "translation" {
		inertia, damping = casefile.Inertia, casefile.RotaryDamping
	}
	v.SI.set(u, "added_mass", inertia, 1, v.AddedMass)
	v.SI.set(u, "damping", damping, 1, v.Damping)
	body := InSI{}
	if v.Of == "translation" {
		v.SI.set(u, "amplitude", casefile.Length, 1, v.Amplitude)
		body.set(u, "oscillation_amplitude", casefile.Length, 1, v.Amplitude)
		body.set(u, "oscillation_frequency", casefile.Frequency, 1, v.Frequency)
		body.set(u, "added_mass", casefile.Mass, 1, v.AddedMass)
	}
	return body
}

// write prints it.
func (v *OscillationSummary) write(b *strings.Builder, u casefile.Units) {
	if v == nil {
		return
	}
	along, tell := "along ", v.translation
	if v.Of == "rotation" {
		along, tell = "about ", v.rotation
	}
	text := "oscillates " + along + axisName(v.Direction)
	if v.Periods == 0 {
		wrapped(b, "    ", text+": no added mass and drag: "+v.Note)
		return
	}
	text += tell(u) + fmt.Sprintf("; over %d periods, %.4g–%.4g L/U", v.Periods, float64(v.Window[0]), float64(v.Window[1]))
	if !v.Converged {
		text += ", not converged: " + v.Note
	}
	wrapped(b, "    ", text)
}

// rotation tells of a body that swings about an axis.
func (v *OscillationSummary) rotation(u casefile.Units) string {
	return fmt.Sprintf(" by ±%.4g rad with %.4g U/L%s, β %.4g; added moment of inertia %.4g ρL%s%s, damping %.4g ρUL%s%s, the fit leaves %.2g of the torque",
		float64(v.Amplitude), float64(v.Frequency), equals(siText(u, casefile.Frequency, 1, v.Frequency)), float64(v.Beta),
		float64(v.AddedMass), power(u.Dim+2), equals(siText(u, casefile.Inertia, 1, v.AddedMass)),
		float64(v.Damping), power(u.Dim+1), equals(siText(u, casefile.RotaryDamping, 1, v.Damping)), float64(v.LinearRest))
}

// translation tells of a body that swings along a line.
func (v *OscillationSummary) translation(u casefile.Units) string {
	text := fmt.Sprintf(" by ±%.4g L with %.4g U/L%s: KC %.4g, β %.4g", float64(v.Amplitude), float64(v.Frequency), equals(siText(u, casefile.Frequency, 1, v.Frequency)), float64(v.KC), float64(v.Beta))
	rest := v.LinearRest
	if finite.Is(float64(v.Cd)) {
		text += fmt.Sprintf("; Morison's Cd %.4g (by work %.4g)", float64(v.Cd), float64(v.CdWork))
		rest = v.MorisonRest
	}
	switch {
	case !finite.Is(float64(v.Ca)):
		text += fmt.Sprintf(", added mass %.4g ρL%s", float64(v.AddedMass), power(u.Dim))
	case finite.Is(float64(v.Cd)):
		text += fmt.Sprintf(", added mass Ca %.4g (inertia CM = 1 + Ca = %.4g)", float64(v.Ca), 1+float64(v.Ca))
	default:
		text += fmt.Sprintf(", added mass Ca %.4g", float64(v.Ca))
	}
	return text + fmt.Sprintf(", the fit leaves %.2g of the force; in phase with the velocity %.4g, with the acceleration %.4g", float64(rest), u.Told(casefile.Force, 0.5, float64(v.InVelocity)), u.Told(casefile.Force, 0.5, float64(v.InAcceleration)))
}

// power is an exponent in raised digits.
func power(n int) string { return string([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[n]) }

// axisName is a coordinate's name or, of a direction between them, its components.
func axisName(direction []finite.Number) string {
	if len(direction) == 1 { // a rotation in the plane
		return "z"
	}
	for a, v := range direction {
		if math.Abs(float64(v)) > 1-1e-6 {
			return "xyz"[a : a+1]
		}
	}
	return list(direction)
}
