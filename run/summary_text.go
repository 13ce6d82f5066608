package run

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/check"
	"lbmib/run/setup"
)

// mostTold bounds the bodies whose numbers are printed.
const mostTold = 12

// String is the summary for people. What was not measured is not printed.
func (s *Summary) String() string {
	var b strings.Builder
	status := s.Status
	if s.StoppedBy == "cd_interval" {
		status += ", the mean drag being known,"
	}
	fmt.Fprintf(&b, "%s: %s after %d steps, t = %.4g L/U%s, in %s\n", s.Case, status, s.Steps, s.Time, equals(siText(s.units, casefile.Time, 1, finite.Number(s.Time))), time.Duration(s.WallSeconds*float64(time.Second)).Round(100*time.Millisecond))
	if s.MFLUPS > 0 { // a run that was resumed at its end has made no step
		fmt.Fprintf(&b, "  %.1f MFLUPS while stepping; of the wall time lbm %.0f %%, boundary %.1f %%, ib %.1f %%, output %.1f %%\n",
			float64(s.MFLUPS), 100*s.Share["lbm"], 100*s.Share["boundary"], 100*s.Share["ib"], 100*s.Share["output"])
	}
	if text := s.audit(); text != "" {
		wrapped(&b, "  ", text)
	}
	if s.Status == "stopped" {
		wrapped(&b, "  ", "stopped: "+s.Reason)
	}
	if s.Status != "diverged" { // statistics of a flow that is lost
		names := slices.Sorted(maps.Keys(s.Bodies))
		for _, name := range names[:min(len(names), mostTold)] {
			v := s.Bodies[name]
			v.write(&b, name, s.StoppedBy == "cd_interval", s.units)
		}
		if more := len(names) - mostTold; more > 0 {
			fmt.Fprintf(&b, "  … and %d more bodies: see summary.json\n", more)
		}
		s.Pressure.write(&b, s.units)
		s.writeSuspension(&b)
		s.writeCells(&b)
		s.writeFilaments(&b)
		s.writeSheets(&b)
		s.writeFlow(&b)
		s.writeSamples(&b)
	}
	fmt.Fprintf(&b, "  results in %s\n", s.Directory)
	return b.String()
}

// audit tells how far the flow went from what the method presumes.
func (s *Summary) audit() string {
	var words []string
	if finite.Is(float64(s.MachMax)) && s.MachMax > 0 {
		density := "constant but for rounding"
		if float64(s.DensityDeviation) >= 10*s.units.Roundoff { // see Units.Rounding
			density = fmt.Sprintf("within %.2g %%", 100*float64(s.DensityDeviation))
		}
		words = append(words, fmt.Sprintf("Mach number up to %.2g, density %s", float64(s.MachMax), density))
	}
	if s.GridNoise > check.NoiseMost {
		words = append(words, fmt.Sprintf("%.2g of the variation is noise of the grid", float64(s.GridNoise)))
	}
	if s.Steadiness != nil && finite.Is(float64(*s.Steadiness)) {
		words = append(words, fmt.Sprintf("|∂u/∂t| %.2g U²/L at the last test", float64(*s.Steadiness)))
	}
	return strings.Join(words, "; ")
}

// grantedFormat tells the slip along the wall that its correction leaves, where walls are corrected.
const grantedFormat = "slip left by the wall correction %.2g U"

// write prints what is known of a body.
func (v *BodySummary) write(b *strings.Builder, name string, interval bool, u casefile.Units) {
	if math.IsNaN(float64(v.CdMean)) {
		wrapped(b, "  ", fmt.Sprintf("%s: no statistics: %s", name, v.Note))
		return
	}
	wrapped(b, "  ", name+": "+v.forces(interval))
	fmt.Fprintf(b, "    window %.4g–%.4g L/U", float64(v.Window[0]), float64(v.Window[1]))
	if !v.Converged {
		b.WriteString(", not converged")
	}
	separator := "; "
	slip := func(v finite.Number) finite.Number { return finite.Number(u.Told(casefile.Velocity, 1, float64(v))) }
	for _, q := range []struct {
		format string
		value  finite.Number
	}{{"slip %.2g U", slip(v.SlipMax)}, {"force and momentum balance differ by %.2g %%", 100 * v.ForceGap}, {"by %.2g %% without the fluid inside", 100 * v.OuterGap}, {grantedFormat, slip(v.SlipGranted)}} {
		if finite.Is(float64(q.value)) && (q.value > 0 || q.format != grantedFormat) {
			fmt.Fprintf(b, separator+q.format, float64(q.value))
			separator = ", "
		}
	}
	b.WriteByte('\n')
	v.writeQuantities(b, u)
	v.Oscillation.write(b, u)
	if m := v.MotionSummary; m != nil {
		wrapped(b, "    ", fmt.Sprintf("at the end at %s L, moving with %s U%s", list(m.Position), list(m.Velocity), m.turning()))
		if v.SoftStart > 0 { // it is not the motion that bodies.csv tells until then
			wrapped(b, "    ", "soft start: "+setup.SoftStartText(v.SoftStart))
		}
	}
	if v.DragError > check.ErrorTold {
		wrapped(b, "    ", check.DragWords(float64(v.DragError), v.SlipGranted > 0 && finite.Is(v.slipMean)))
	}
	if v.wallText != "" {
		wrapped(b, "    ", v.wallText)
	}
	if v.Note != "" {
		wrapped(b, "    ", v.Note)
	}
}

// writeQuantities prints what the coefficients are of, the force and torque in SI and the mean motion.
func (v *BodySummary) writeQuantities(b *strings.Builder, u casefile.Units) {
	area := "area %.4g L²"
	if u.Dim == 2 {
		area = "width %.4g L"
	}
	if v.ReferenceArea > 0 {
		wrapped(b, "    ", fmt.Sprintf("coefficients over ½ρU² and a frontal "+area+", St with a length of %.4g L", float64(v.ReferenceArea), float64(v.ReferenceLength)))
	}
	if force := siText(u, casefile.Force, 0.5, v.ForceMean...); force != "" {
		if slices.ContainsFunc(all(v.TorqueMean), turns) {
			force += ", torque about the centre " + siText(u, casefile.Torque, 0.5, all(v.TorqueMean)...)
		}
		wrapped(b, "    ", "mean force "+force)
	}
	m := v.MotionStatistics
	if m == nil || !finite.Is(float64(m.VelocityMean[0])) {
		return
	}
	text := "mean velocity " + list(m.VelocityMean) + " U" + equals(siText(u, casefile.Velocity, 1, m.VelocityMean...))
	if spin := all(m.SpinMean); slices.ContainsFunc(spin, turns) {
		rate := list(spin)
		if len(spin) == 1 {
			rate = strings.Trim(rate, "()")
		}
		text += ", spin " + rate + " rad U/L" + equals(siText(u, casefile.Spin, 1, spin...))
	}
	if m.Frequency > 0 {
		text += fmt.Sprintf(", swinging by ±%s L with %.4g U/L%s", list(m.PlaceAmplitude), float64(m.Frequency), equals(siText(u, casefile.Frequency, 1, m.Frequency)))
	}
	text += fmt.Sprintf(", over %.4g–%.4g L/U", float64(m.MotionWindow[0]), float64(m.MotionWindow[1]))
	if !m.MotionConverged {
		text += ", not converged"
	}
	wrapped(b, "    ", text)
}

// equals is a number in SI behind the same in reference units.
func equals(si string) string {
	if si == "" {
		return ""
	}
	return " = " + si
}

// wrapped writes words in lines of the page, those after the first indented further.
func wrapped(b *strings.Builder, indent, text string) {
	lines := check.Wrap(text, check.PageWidth-len(indent)-2)
	b.WriteString(indent + strings.Join(lines, "\n"+indent+"  ") + "\n")
}

// turning tells the rotation of a body that has turned.
func (m *MotionSummary) turning() string {
	switch angle := m.Angle.(type) {
	case finite.Number:
		if spin, ok := m.Spin.(finite.Number); ok && (turns(angle) || turns(spin)) {
			return fmt.Sprintf(", turned by %.3f rad, turning with %.3f rad U/L", float64(angle), float64(spin))
		}
	case []finite.Number:
		if spin, ok := m.Spin.([]finite.Number); ok && (slices.ContainsFunc(angle, turns) || slices.ContainsFunc(spin, turns)) {
			return fmt.Sprintf(", turned by %s rad, turning with %s rad U/L", list(angle), list(spin))
		}
	}
	return ""
}

// turns tells what three digits show.
func turns(v finite.Number) bool { return math.Abs(float64(v)) >= 5e-4 }

// forces are drag and lift or, where the drag is not along +x, the force along its
// direction.
func (v *BodySummary) forces(interval bool) string {
	text := "Cd " + coefficient(v.CdMean)
	if v.Heading != "" {
		text = fmt.Sprintf("force coefficient along %s (%s) %s", strings.Replace(v.Heading, "-", "−", 1), v.HeadingOf, coefficient(v.Along))
	}
	if interval {
		text += fmt.Sprintf(" (mean known to ±%.2g)", float64(v.CdInterval))
	}
	switch wake := float64(v.RecirculationLength); {
	case v.Heading != "" && v.Strouhal > 0:
		text += fmt.Sprintf(", St %.4f over %d periods", float64(v.Strouhal), v.Periods)
	case v.Heading != "":
	case v.Strouhal > 0:
		text += fmt.Sprintf(" ± %.4f, Cl %s ± %.4f, St %.4f over %d periods", float64(v.CdAmplitude), coefficient(v.ClMean), float64(v.ClAmplitude), float64(v.Strouhal), v.Periods)
	default:
		if v.swings() {
			text += fmt.Sprintf(" ± %.4f, Cl %s ± %.4f", float64(v.CdAmplitude), coefficient(v.ClMean), float64(v.ClAmplitude))
		} else {
			text += ", Cl " + coefficient(v.ClMean)
		}
		if v.Periods > 0 {
			text += fmt.Sprintf(", over %d periods", v.Periods)
		}
		if wake > 0 && finite.Is(wake) {
			text += fmt.Sprintf(", recirculation %.3f L", wake)
		}
	}
	return text
}

// coefficient is a coefficient with four decimals, nothing without a sign.
func coefficient(v finite.Number) string {
	if math.Abs(float64(v)) < 5e-5 {
		v = 0
	}
	return fmt.Sprintf("%.4f", float64(v))
}

// swings tells whether means alone would hide what the forces do: amplitudes of a tenth of them and more.
func (v *BodySummary) swings() bool {
	const most = 0.1
	mean := math.Max(math.Abs(float64(v.CdMean)), math.Abs(float64(v.ClMean)))
	return math.Max(float64(v.CdAmplitude), float64(v.ClAmplitude)) > math.Max(most*mean, 5e-5) // what the digits show
}

// list is a vector for people.
func list(v []finite.Number) string {
	words := make([]string, len(v))
	for i, x := range v {
		words[i] = strings.Replace(fmt.Sprintf("%.3f", float64(x)), "-0.000", "0.000", 1)
	}
	return "(" + strings.Join(words, ", ") + ")"
}
