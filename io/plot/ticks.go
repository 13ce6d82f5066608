package plot

import (
	"math"
	"strconv"
	"strings"
)

// tick is a mark on an axis; a minor one has no label.
type tick struct {
	at    float64
	label string
}

// linearTicks are round values in [lo, hi]: multiples of 1, 2, 2.5 or 5 times
// a power of ten, at most n of them where n ≥ 2, and at least one.
func linearTicks(lo, hi float64, n int) []tick {
	span := hi - lo
	if !(span > 0) {
		return nil
	}
	slack := 1e-9 * span // keeps a mark that rounding pushed past the end
	steps := [...]float64{1, 2, 2.5, 5}
	exponent := int(math.Floor(math.Log10(span/float64(max(n, 1))))) - 1
	best := 0.0
	var first, last float64
	for k := 0; k < 4*len(steps); k++ {
		step := steps[k%len(steps)] * math.Pow10(exponent+k/len(steps))
		a, b := math.Ceil((lo-slack)/step), math.Floor((hi+slack)/step)
		if b < a {
			break // coarser steps have no mark in the range at all
		}
		best, first, last = step, a, b
		if int(b-a)+1 <= max(n, 1) {
			break
		}
	}
	return stepTicks(best, first, last)
}

// endTicks are at most n marks of a range from zero or symmetric about zero,
// the ends among them if a step allows; round values for other ranges.
func endTicks(lo, hi float64, n int) []tick {
	sides := 1
	if lo == -hi {
		sides = 2
	} else if lo != 0 {
		return linearTicks(lo, hi, n)
	}
	for _, digits := range [...][]float64{{1, 2, 2.5, 5}, {1.5, 3, 4, 6, 8}} {
		for parts := min(10, (n-1)/sides); parts > 0; parts-- {
			step := hi / float64(parts)
			digit := step / math.Pow(10, math.Floor(math.Log10(step)+1e-9))
			for _, d := range digits {
				if math.Abs(d-digit) < 1e-6 {
					return stepTicks(step, float64((1-sides)*parts), float64(parts))
				}
			}
		}
	}
	return linearTicks(lo, hi, n)
}

// stepTicks are the marks first·step … last·step.
func stepTicks(step, first, last float64) []tick {
	ticks := make([]tick, 0, int(last-first)+1)
	write := numberFormat(step, math.Max(math.Abs(first), math.Abs(last))*step)
	for i := first; i <= last; i++ {
		ticks = append(ticks, tick{i * step, write(i * step)})
	}
	return ticks
}

// numberFormat returns how to write multiples of step up to size largest: with
// the decimals that the step needs, and with a power of ten where plain digits
// would be long.
func numberFormat(step, largest float64) func(float64) string {
	e := 0
	if largest >= 99999.5 || (largest > 0 && largest < 0.99e-3) {
		e = int(math.Floor(math.Log10(largest) + 1e-9))
	}
	unit := math.Pow10(e)
	digits := 0
	for s := step / unit; digits < 12 && math.Abs(s-math.Round(s)) > 1e-6*s; s *= 10 {
		digits++
	}
	return func(v float64) string {
		if v == 0 {
			return "0" // without decimals, exponent or the sign of −0
		}
		text := strconv.FormatFloat(v/unit, 'f', digits, 64)
		if e != 0 {
			text += "e" + strconv.Itoa(e)
		}
		return minus(text)
	}
}

// logTicks are marks of a logarithmic axis: decades where there are two or
// more of them, the values 1, 2 and 5 below that, round values in a range too
// short for those; the other multiples of a decade are minor.
func logTicks(lo, hi float64, n int) []tick {
	first, last := int(math.Ceil(math.Log10(lo)-1e-9)), int(math.Floor(math.Log10(hi)+1e-9))
	if last-first < 1 {
		if labelled := multiples(lo, hi, 1, 2, 5); len(labelled) >= 2 {
			return withMinor(labelled, lo, hi)
		}
		return linearTicks(lo, hi, n)
	}
	if last-first == 1 && n >= 8 {
		return withMinor(multiples(lo, hi, 1, 2, 5), lo, hi)
	}
	stride := (last-first)/max(n, 2) + 1
	var ticks []tick
	for e := first; e <= last; e++ {
		t := tick{at: math.Pow10(e)}
		if (e-first)%stride == 0 {
			t.label = decadeLabel(t.at)
		}
		ticks = append(ticks, t)
	}
	if stride > 1 {
		return ticks // decades are the minor marks
	}
	return withMinor(ticks, lo, hi)
}

// multiples are the labelled marks m·10^k in [lo, hi].
func multiples(lo, hi float64, ms ...float64) []tick {
	var ticks []tick
	for e := int(math.Floor(math.Log10(lo))); e <= int(math.Ceil(math.Log10(hi))); e++ {
		for _, m := range ms {
			if v := m * math.Pow10(e); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
				ticks = append(ticks, tick{v, decadeLabel(v)})
			}
		}
	}
	return ticks
}

// withMinor adds unlabelled marks at 1 … 9 times the decades.
func withMinor(ticks []tick, lo, hi float64) []tick {
	for _, t := range multiples(lo, hi, 1, 2, 3, 4, 5, 6, 7, 8, 9) {
		ticks = append(ticks, tick{at: t.at})
	}
	return ticks
}

// decadeLabel writes m·10^k, m a digit.
func decadeLabel(v float64) string {
	e := int(math.Floor(math.Log10(v) + 1e-9))
	if e >= -3 && e <= 4 {
		return strconv.FormatFloat(v, 'f', max(0, -e), 64)
	}
	return minus(strconv.FormatFloat(v/math.Pow10(e), 'f', 0, 64) + "e" + strconv.Itoa(e))
}

// minus writes hyphens as minus signs.
func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }
