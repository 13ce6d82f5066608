package suite

import (
	"math"
	"slices"
)

// What checks do with series. Everything returns NaN for series that are empty or
// differ in length, which no gate lets pass.

// within are the pairs with from ≤ t ≤ to; a billionth of slack for rounded times.
func within(t, v []float64, from, to float64) (ts, vs []float64) {
	if len(t) != len(v) {
		return nil, nil
	}
	slack := 1e-9 * math.Max(math.Abs(from), 1)
	if !math.IsInf(to, 0) {
		slack = math.Max(slack, 1e-9*math.Abs(to))
	}
	for i := range t {
		if t[i] >= from-slack && t[i] <= to+slack {
			ts, vs = append(ts, t[i]), append(vs, v[i])
		}
	}
	return ts, vs
}

// last is the last value.
func last(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	return v[len(v)-1]
}

// average is the arithmetic mean.
func average(v []float64) float64 {
	sum := 0.
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// at is y at x, linear between samples; x increases. NaN outside.
func at(xs, ys []float64, x float64) float64 {
	if len(xs) != len(ys) || len(xs) == 0 || !(x >= xs[0] && x <= xs[len(xs)-1]) {
		return math.NaN()
	}
	i, found := slices.BinarySearch(xs, x)
	if found {
		return ys[i]
	}
	s := (x - xs[i-1]) / (xs[i] - xs[i-1])
	return ys[i-1]*(1-s) + ys[i]*s
}

// largest is the largest value of evenly spaced samples, by a parabola through
// the greatest and its neighbours.
func largest(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	i := 0
	for j := range v {
		if v[j] > v[i] {
			i = j
		}
	}
	if i == 0 || i == len(v)-1 {
		return v[i]
	}
	slope, bend := (v[i+1]-v[i-1])/2, v[i+1]-2*v[i]+v[i-1]
	if bend >= 0 {
		return v[i]
	}
	return v[i] - slope*slope/(2*bend)
}

// smallest is the counterpart of largest.
func smallest(v []float64) float64 {
	n := slices.Clone(v)
	for i := range n {
		n[i] = -n[i]
	}
	return -largest(n)
}

// deviation is the largest |v − f(x)|.
func deviation(x, v []float64, f func(x float64) float64) float64 {
	if len(x) != len(v) || len(x) == 0 {
		return math.NaN()
	}
	worst := 0.
	for i := range x {
		if d := math.Abs(v[i] - f(x[i])); !(d <= worst) {
			worst = d
		}
	}
	return worst
}

// rms is the root mean square.
func rms(v []float64) float64 {
	sum := 0.
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum / float64(len(v)))
}

// order is the exponent p of y ∝ x^−p by least squares in logarithms: the order of
// an error over the resolution.
func order(x, y []float64) float64 {
	if len(x) != len(y) || len(x) < 2 {
		return math.NaN()
	}
	var sx, sy, sxx, sxy float64
	for i := range x {
		a, b := math.Log(x[i]), math.Log(math.Abs(y[i]))
		sx, sy, sxx, sxy = sx+a, sy+b, sxx+a*a, sxy+a*b
	}
	n := float64(len(x))
	return -(n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// crossing is the first time after t0 at which v passes through a level, either
// way, linear between samples.
func crossing(t, v []float64, level, t0 float64) float64 {
	if len(t) != len(v) {
		return math.NaN()
	}
	for i := 1; i < len(t); i++ {
		if t[i-1] >= t0 && (v[i-1]-level)*(v[i]-level) <= 0 && v[i] != v[i-1] {
			return t[i-1] + (level-v[i-1])/(v[i]-v[i-1])*(t[i]-t[i-1])
		}
	}
	return math.NaN()
}

// oscillation is what a series swings about, by how much and how often per unit of its time.
type oscillation struct{ mean, amplitude, frequency float64 }

// oscillationOf is that of a series: the mean of its extremes and half of their distance; the frequency
// is by the upward passages through that mean. NaN where there are fewer than two.
func oscillationOf(t, v []float64) (o oscillation) {
	most, least := largest(v), smallest(v)
	o = oscillation{(most + least) / 2, (most - least) / 2, math.NaN()}
	first, latest, count := 0., 0., -1
	for i := 1; i < len(t) && len(t) == len(v); i++ {
		if v[i-1] < o.mean && v[i] >= o.mean {
			latest = t[i-1] + (o.mean-v[i-1])/(v[i]-v[i-1])*(t[i]-t[i-1])
			if count++; count == 0 {
				first = latest
			}
		}
	}
	if count > 0 {
		o.frequency = float64(count) / (latest - first)
	}
	return o
}
