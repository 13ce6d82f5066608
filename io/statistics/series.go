package statistics

import (
	"math"
	"sort"
)

// series is a signal y sampled at increasing times t, linear in between.
type series struct{ t, y []float64 }

// index is that of the first sample at or after a time.
func (s series) index(time float64) int { return sort.SearchFloat64s(s.t, time) }

// at is the value at a time within the samples.
func (s series) at(time float64) float64 {
	i := s.index(time)
	if i == 0 {
		return s.y[0]
	}
	if i == len(s.t) {
		return s.y[i-1]
	}
	w := (time - s.t[i-1]) / (s.t[i] - s.t[i-1])
	return (1-w)*s.y[i-1] + w*s.y[i]
}

// average is the mean of g(y) over [from, to] by the trapezoidal rule, which
// over whole periods converges faster than any power of the spacing.
func (s series) average(from, to float64, g func(y float64) float64) float64 {
	if to <= from {
		return g(s.at(to))
	}
	t0, g0 := from, g(s.at(from))
	var sum float64
	add := func(t1, g1 float64) {
		sum += (t1 - t0) * (g0 + g1) / 2
		t0, g0 = t1, g1
	}
	for i := s.index(from); i < len(s.t) && s.t[i] < to; i++ {
		add(s.t[i], g(s.y[i]))
	}
	add(to, g(s.at(to)))
	return sum / (to - from)
}

func (s series) mean(from, to float64) float64 {
	return s.average(from, to, func(y float64) float64 { return y })
}

// swing is the amplitude of a sine with the variance that s has over [from, to].
func (s series) swing(from, to float64) float64 {
	return math.Sqrt2 * s.rms(from, to, s.mean(from, to))
}

// rms is the root mean square of y − mean.
func (s series) rms(from, to, mean float64) float64 {
	return math.Sqrt(s.average(from, to, func(y float64) float64 { return (y - mean) * (y - mean) }))
}

// amplitude is half of peak to peak in [from, to].
func (s series) amplitude(from, to float64) float64 {
	lo, hi := s.extremes(from, to)
	return (hi - lo) / 2
}

// extremes are the lowest and highest value in [from, to]. A peak between
// samples is that of the parabola through the three next to it: with 20
// samples a period the highest sample alone may be 1 % short of it.
func (s series) extremes(from, to float64) (lo, hi float64) {
	lo, hi = s.at(from), s.at(from)
	least, most := -1, -1
	for i := s.index(from); i < len(s.t) && s.t[i] <= to; i++ {
		if s.y[i] < lo {
			lo, least = s.y[i], i
		}
		if s.y[i] > hi {
			hi, most = s.y[i], i
		}
	}
	return s.peak(least, lo), s.peak(most, hi)
}

// peak is the extreme of the parabola about sample i if that is an extreme,
// and y elsewhere.
func (s series) peak(i int, y float64) float64 {
	if i < 1 || i > len(s.y)-2 {
		return y
	}
	before, after := s.y[i]-s.y[i-1], s.y[i+1]-s.y[i]
	if before*after >= 0 {
		return y
	}
	slope := (before + after) / 2
	return y - slope*slope/(2*(after-before))
}

// fluctuation is the rms of y in [from, to] about its linear trend; 0 where
// there are too few samples to tell.
func (s series) fluctuation(from, to float64) float64 {
	i, j := s.index(from), s.index(to)
	if j-i < enoughPerPeriod {
		return 0
	}
	t, y := s.t[i:j], s.y[i:j]
	slope, t0, y0 := line(t, y)
	var sum float64
	for k := range t {
		d := y[k] - y0 - slope*(t[k]-t0)
		sum += d * d
	}
	return math.Sqrt(sum / float64(len(t)))
}

// Slope is that of the least-squares line of y over x.
func Slope(x, y []float64) float64 {
	slope, _, _ := line(x, y)
	return slope
}

// line is the least-squares line y = y0 + slope (x − x0), x0 the mean of x.
func line(x, y []float64) (slope, x0, y0 float64) {
	n := float64(len(x))
	for i := range x {
		x0 += x[i] / n
		y0 += y[i] / n
	}
	var xx, xy float64
	for i := range x {
		xx += (x[i] - x0) * (x[i] - x0)
		xy += (x[i] - x0) * (y[i] - y0)
	}
	if xx == 0 {
		return 0, x0, y0
	}
	return xy / xx, x0, y0
}
