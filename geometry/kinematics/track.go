// Package kinematics describes prescribed rigid motions: where a body is and how
// fast it moves at any time. It knows no lattice; times and lengths are in the
// units of the caller.
package kinematics

import "math"

// Track is one coordinate over time: a length or an angle, and its rate.
type Track interface {
	At(t float64) (value, rate float64)
}

// Steady moves at a constant rate from 0 at t = 0.
type Steady struct{ Rate float64 }

// At is rate·t.
func (s Steady) At(t float64) (value, rate float64) { return s.Rate * t, s.Rate }

// Harmonic is Amplitude·sin(Omega·t + Phase).
type Harmonic struct{ Amplitude, Omega, Phase float64 }

// At is the sine and its derivative.
func (h Harmonic) At(t float64) (value, rate float64) {
	sin, cos := math.Sincos(h.Omega*t + h.Phase)
	return h.Amplitude * sin, h.Amplitude * h.Omega * cos
}

// Function is a coordinate given as a function of t ≥ 0. Its rate is the
// difference over an interval Step around t: with the time step of a solver, what
// the coordinate changes by in it.
type Function struct {
	Of   func(t float64) float64
	Step float64
}

// At is the function and its difference quotient, one-sided at t = 0.
func (f Function) At(t float64) (value, rate float64) {
	from, to := max(0, t-f.Step/2), t+f.Step/2
	return f.Of(t), (f.Of(to) - f.Of(from)) / (to - from)
}
