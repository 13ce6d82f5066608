package chart

import (
	"fmt"
	"math"
	"slices"
)

// scale maps values to fractions of an axis.
type scale struct {
	lo, hi float64 // at its ends
	log    bool
}

// upwards is the scale of values from zero, or from their smallest decade where it
// is logarithmic, with room above them.
func upwards(values []float64, room float64, log bool) scale {
	if !log {
		top := 0.
		for _, v := range values {
			top = max(top, v)
		}
		if top == 0 {
			top = 1
		}
		return scale{0, room * top, false}
	}
	lo, hi := slices.Min(values), slices.Max(values)
	return scale{lo / 1.5, hi * 1.5, true}
}

// rightwards is the scale of values with a little room on both sides.
func rightwards(values []float64, log bool) scale {
	s := scale{slices.Min(values), slices.Max(values), log}
	lo, hi := s.of(s.lo), s.of(s.hi)
	pad := math.Max(0.05*(hi-lo), 0.05)
	if log {
		return scale{math.Pow(10, lo-pad), math.Pow(10, hi+pad), true}
	}
	return scale{lo - pad, hi + pad, false}
}

func (s scale) of(v float64) float64 {
	if s.log {
		return math.Log10(v)
	}
	return v
}

// fraction is the place of a value on the axis.
func (s scale) fraction(v float64) float64 {
	return (s.of(v) - s.of(s.lo)) / (s.of(s.hi) - s.of(s.lo))
}

// mark is a labelled value of an axis.
type mark struct {
	value float64
	label string
}

// marks are round values: of a logarithmic scale its decades, with their halves
// and fifths where there are few.
func (s scale) marks() (all []mark) {
	if !s.log {
		step := tickStep(s.hi)
		for n := math.Ceil(s.lo / step); n*step <= s.hi; n++ {
			all = append(all, mark{n * step, fmt.Sprintf("%.6g", n*step)})
		}
		return all
	}
	first, last := math.Floor(math.Log10(s.lo)), math.Ceil(math.Log10(s.hi))
	few := math.Log10(s.hi/s.lo) < 2
	for e := first; e <= last; e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, e)
			if v < s.lo || v > s.hi || m != 1 && !few {
				continue
			}
			label := fmt.Sprintf("%g", v)
			if !few || v >= 1e5 || v < 1e-3 {
				label = power(int(e))
				if m != 1 {
					label = fmt.Sprintf("%g·%s", m, label)
				}
			}
			all = append(all, mark{v, label})
		}
	}
	return all
}

// tickStep is 1, 2 or 5 times a power of ten, four to nine of which reach top.
func tickStep(top float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(top/4)))
	for _, m := range []float64{5, 2} {
		if top >= 4*m*unit {
			return m * unit
		}
	}
	return unit
}

// power writes a power of ten. Those next to one are written out, as anybody would, and
// because the font has no raised 0.
func power(e int) string {
	switch e {
	case 0:
		return "1"
	case 1:
		return "10"
	}
	return "10" + superscript(e)
}

// superscript writes a whole number.
func superscript(n int) (text string) {
	if n < 0 {
		text, n = "⁻", -n
	}
	for _, d := range fmt.Sprint(n) {
		text += string([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[d-'0'])
	}
	return text
}
