package run

import (
	"math"

	"lbmib/io/casefile"
	"lbmib/io/statistics"
)

// swinging is a body's motion along the direction in which it swings most, and the force there.
type swinging struct {
	statistics.Swinging
	of    string
	along []float64
	place []float64
}

// swingingOf finds how a body swings; nil where it does not.
func swingingOf(h *history, m *motionHistory, b *casefile.Body) *swinging {
	forced := b.Motion.Type == "prescribed"
	least := 1e-3 // U; what slower free bodies do is noise beside the flow
	if forced {
		least = 0
	}
	s := &swinging{of: "translation", along: principal(m.velocity, least)}
	load, rate, place := h.ib, m.velocity, m.place
	if s.along == nil {
		s.of, s.along = "rotation", principal(m.spin, least)
		load, rate, place = h.torque, m.spin, m.angle
	}
	if s.along == nil {
		return nil
	}
	s.Swinging = statistics.Swinging{T: m.t, V: component(rate, s.along), FT: h.T, F: component(load, s.along), Period: b.Motion.Period(), Forced: forced}
	s.place = component(place, s.along)
	return s
}

// component is that of vectors, given by axis, along a direction.
func component(of [][]float64, along []float64) []float64 {
	out := make([]float64, len(of[0]))
	for a, v := range of {
		for i := range v {
			out[i] += along[a] * v[i]
		}
	}
	return out
}

// principal is the direction along which vectors, given by axis, vary most over their last half, its largest component positive; nil where they do not vary
// by as much as least.
func principal(of [][]float64, least float64) []float64 {
	n := len(of[0])
	half := n / 2
	var m [3][3]float64
	largest := 0.
	for a := range of {
		for b := range of {
			m[a][b] = covariance(of[a][half:], of[b][half:])
		}
		for _, v := range of[a][half:] {
			largest = math.Max(largest, math.Abs(v))
		}
	}
	const rounding = 1e-9
	trace := m[0][0] + m[1][1] + m[2][2]
	if !(math.Sqrt(trace) > math.Max(least, rounding*math.Max(largest, rounding))) {
		return nil
	}
	if square := powers(&m); square < 0.9*trace*trace { // on a circle, or another curve: there is no direction
		return nil
	}
	for range 30 { // its 2³⁰th power, in which the largest eigenvalue alone is left
		trace := m[0][0] + m[1][1] + m[2][2]
		var square [3][3]float64
		for a := range 3 {
			for b := range 3 {
				for c := range 3 {
					square[a][b] += m[a][c] / trace * (m[c][b] / trace)
				}
			}
		}
		m = square
	}
	column := 0
	for a := range of {
		if m[a][a] > m[column][column] {
			column = a
		}
	}
	along, norm := make([]float64, len(of)), 0.
	for a := range along {
		along[a] = m[a][column]
		norm += along[a] * along[a]
	}
	for a := range along {
		if along[a] /= math.Sqrt(norm); math.Abs(along[a]) < rounding {
			along[a] = 0
		}
	}
	return along
}

// powers is the sum of the squares of the eigenvalues of a symmetric matrix.
func powers(m *[3][3]float64) (sum float64) {
	for _, row := range m {
		for _, v := range row {
			sum += v * v
		}
	}
	return sum
}

// covariance is that of two samples.
func covariance(x, y []float64) (sum float64) {
	n := float64(len(x))
	mx, my := 0., 0.
	for i := range x {
		mx, my = mx+x[i]/n, my+y[i]/n
	}
	for i := range x {
		sum += (x[i] - mx) * (y[i] - my) / n
	}
	return sum
}

// mostDrift is the mean velocity, as a part of its amplitude, beyond which a free body goes somewhere rather than swinging about a place.
const mostDrift = 0.1

// oscillate tells what a body that swings feels from a time on; nil of one that does not swing.
func (s *swinging) oscillate(from float64, given bool) *statistics.Oscillation {
	o := statistics.Oscillate(s.Swinging, from, given)
	if o == nil || s.Forced {
		return o
	}
	if o.Periods == 0 || !(math.Abs(o.VelocityMean) < mostDrift*o.Velocity) {
		return nil
	}
	return o
}
