package statistics

import "math"

// Spread is what a signal does in a window.
type Spread struct {
	Mean          float64 // by the trapezoidal rule
	Amplitude     float64 // half of peak to peak
	Least, Most   float64 // peaks by a parabola through three samples
	LeastT, MostT float64 // when they are
}

// Over is the spread of samples y at increasing times t over from ≤ t ≤ to; NaN in every number where there
// are none or one is not finite.
func Over(t, y []float64, from, to float64) Spread {
	nan := math.NaN()
	none := Spread{nan, nan, nan, nan, nan, nan}
	s := series{t, y}
	i, j := within(t, from, to)
	if len(t) != len(y) || i >= j {
		return none
	}
	least, most := i, i
	for k := i; k < j; k++ {
		if !finite(y[k]) {
			return none
		}
		if y[k] < y[least] {
			least = k
		}
		if y[k] > y[most] {
			most = k
		}
	}
	out := Spread{Mean: s.mean(math.Max(from, t[0]), math.Min(to, t[len(t)-1]))}
	inside := series{t[i:j], y[i:j]}
	out.Least, out.LeastT = inside.peak(least-i, y[least]), inside.peakTime(least-i)
	out.Most, out.MostT = inside.peak(most-i, y[most]), inside.peakTime(most-i)
	out.Amplitude = (out.Most - out.Least) / 2
	return out
}

// peakTime is the time of peak's extreme.
func (s series) peakTime(i int) float64 {
	if i < 1 || i > len(s.y)-2 {
		return s.t[i]
	}
	before, after := s.y[i]-s.y[i-1], s.y[i+1]-s.y[i]
	if before*after >= 0 {
		return s.t[i]
	}
	return s.t[i] + (before+after)/2/(before-after)*(s.t[i+1]-s.t[i-1])/2
}
