package statistics

import (
	"math"
	"slices"
)

// crossingBand is the part of the amplitude by which a signal must pass its
// mean on both sides to count as crossing it: small waves on top do not.
const crossingBand = 0.25

// marks are the times at which a signal that oscillates up to its end rises
// through its mean; nil if it does not oscillate by floor or more.
//
// The mean and amplitude that matter are those of the last periods, which are
// found from the last half of the record; if the oscillation there has died,
// from what remained after its last period.
func (s series) marks(floor float64) []float64 {
	begin, end := s.t[0], s.t[len(s.t)-1]
	for tail := (begin + end) / 2; tail < end; {
		lo, hi := s.extremes(tail, end)
		if (hi-lo)/2 < floor {
			return nil
		}
		m := s.rises(s.index(tail), (lo+hi)/2, crossingBand*(hi-lo)/2)
		if len(m) < 2 {
			return nil
		}
		last, span := m[len(m)-1], typicalSpan(m)
		if end-last <= 1.5*span {
			return s.refine(m, floor)
		}
		tail = last + span
	}
	return nil
}

// refine finds the marks over the whole record from those in its tail.
func (s series) refine(m []float64, floor float64) []float64 {
	from, to := m[max(0, len(m)-3)], m[len(m)-1]
	amplitude := s.amplitude(from, to)
	m = s.rises(0, s.mean(from, to), crossingBand*amplitude)
	if amplitude < floor || len(m) < 2 || s.t[len(s.t)-1]-m[len(m)-1] > 1.5*typicalSpan(m) {
		return nil
	}
	return m
}

// typicalSpan is the median time between two marks.
func typicalSpan(m []float64) float64 {
	spans := make([]float64, len(m)-1)
	for i := range spans {
		spans[i] = m[i+1] - m[i]
	}
	slices.Sort(spans)
	return spans[len(spans)/2]
}

// rises are the times after sample first at which the signal goes from below
// level − band to above level + band, taken where it passes the level; where
// noise makes it pass several times, their mean.
func (s series) rises(first int, level, band float64) []float64 {
	var m []float64
	below := -1 // the last sample below the band since the last rise
	for i := first; i < len(s.y); i++ {
		switch {
		case s.y[i] <= level-band:
			below = i
		case s.y[i] >= level+band && below >= 0:
			m = append(m, s.crossing(below, i, level))
			below = -1
		}
	}
	return m
}

// crossing is the mean of the times between samples i and j, of which the
// first is below and the second above, at which the signal passes the level.
func (s series) crossing(i, j int, level float64) float64 {
	var sum float64
	n := 0
	for k := i; k < j; k++ {
		y0, y1 := s.y[k]-level, s.y[k+1]-level
		if math.Signbit(y0) != math.Signbit(y1) {
			sum += s.t[k] - y0*(s.t[k+1]-s.t[k])/(y1-y0)
			n++
		}
	}
	return sum / float64(n)
}
