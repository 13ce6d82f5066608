package run

import (
	"fmt"
	"math"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
)

// InSI are numbers of a summary in SI, under their names with the unit at the end: "force_mean_N", in two dimensions
// "force_mean_N_per_m", for a metre of span. Without the anchors that a quantity needs it is not there.
type InSI map[string]any

// set adds a number, or several, of so many times a quantity's reference unit. Nothing is added where there is no number.
func (m InSI) set(u casefile.Units, name string, q casefile.Quantity, times float64, values ...finite.Number) {
	factor, ok := u.ToSI(q, times)
	if !ok || len(values) == 0 {
		return
	}
	out := make([]finite.Number, len(values))
	some := false
	for i, v := range values {
		out[i] = finite.Number(casefile.Shown(float64(v) * factor))
		some = some || finite.Is(float64(v))
	}
	switch key := name + "_" + u.Suffix(q); {
	case !some:
	case len(out) == 1:
		m[key] = out[0]
	default:
		m[key] = out
	}
}

// scalesInSI are the scales of the case and the time that has been reached.
func scalesInSI(u casefile.Units, time float64) InSI {
	m := InSI{}
	m.set(u, "length", casefile.Length, 1, 1)
	m.set(u, "speed", casefile.Velocity, 1, 1)
	m.set(u, "density", casefile.Density, 1, 1)
	m.set(u, "pressure", casefile.Pressure, 1, 1)
	m.set(u, "time_unit", casefile.Time, 1, 1)
	m.set(u, "time", casefile.Time, 1, finite.Number(time))
	if len(m) == 0 {
		return nil
	}
	return m
}

// siText is a number or a vector in SI for people, its unit behind; empty without the anchors that it needs.
func siText(u casefile.Units, q casefile.Quantity, times float64, values ...finite.Number) string {
	factor, ok := u.ToSI(q, times)
	if !ok || len(values) == 0 {
		return ""
	}
	largest := 0.
	for _, v := range values {
		largest = math.Max(largest, math.Abs(float64(v)*factor))
	}
	words := make([]string, len(values))
	for i, v := range values {
		x := float64(v) * factor
		if math.Abs(x) < 5e-4*largest { // beside the others
			x = 0
		}
		words[i] = fmt.Sprintf("%.4g", x)
	}
	text := strings.Join(words, ", ")
	if len(words) > 1 {
		text = "(" + text + ")"
	}
	return text + " " + u.Symbol(q)
}
