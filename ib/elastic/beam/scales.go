package beam

import "math"

// Scales are times that a line has, in the unit of Config.Step.
type Scales struct {
	// Stretching and Bending are the largest time steps of explicit schemes, l√(ρ/k_s) and
	// l²√(ρ/k_b)/2 with the shortest segment l. The implicit step has no such limit: what is
	// faster than it is damped. +Inf without stiffness, 0 without mass or where the line keeps
	// its length.
	Stretching, Bending float64
	// Period is about that of the slowest vibration, by bending and weight; +Inf without
	// either, 0 without mass.
	Period float64
	// Step is the largest time step at which a vibration of that period loses less than 1 % of
	// its amplitude in a period.
	Step float64
}

// Scales are those of the line where a mass per length of fluid moves with it: 0 in a vacuum,
// 2ρ_f/k for a line in 2D, a sheet in whose waves of wave number k both sides take part, and
// ρ_f π d²/4 for a filament of diameter d in 3D.
func (l *Line) Scales(added float64) Scales {
	length, mass, shortest := 0., 0., math.Inf(1)
	for _, rest := range l.lengths {
		length += rest
		shortest = min(shortest, rest)
	}
	for _, m := range l.mass {
		mass += m / length
	}
	rho := mass + added
	s := Scales{
		Stretching: shortest * rootOf(rho, l.stretching),
		Bending:    shortest * shortest / 2 * rootOf(rho, l.bendingStiffness),
	}
	if l.inextensible {
		s.Stretching = 0
	}
	wave := l.firstWave() / length
	square := wave * wave * wave * wave * l.bendingStiffness
	if l.ends[0].kind != Free || l.ends[1].kind != Free { // hanging: Bernoulli's (2.4048/2)² g/L
		square += 1.4458 * mass * l.gravity.Norm() / length
	}
	s.Period = 2 * math.Pi * rootOf(rho, square)
	s.Step = s.Period / (2 * math.Pi) * phasePerStep(l.scheme)
	return s
}

// rootOf is √(mass/stiffness), +Inf without stiffness.
func rootOf(mass, stiffness float64) float64 {
	if stiffness == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(mass / stiffness)
}

// firstWave is λ of the lowest bending vibration ω = λ²√(k_b/ρ)/L² for how the ends are held.
func (l *Line) firstWave() float64 {
	switch a, b := min(l.ends[0].kind, l.ends[1].kind), max(l.ends[0].kind, l.ends[1].kind); {
	case a == Free && b == Clamped:
		return 1.8751041 // cos λ cosh λ = −1
	case a == Hinged && b == Hinged:
		return math.Pi
	case a == b:
		return 4.7300407 // both free or both clamped: cos λ cosh λ = 1
	}
	return 3.9266023 // tan λ = tanh λ
}

// phasePerStep is the largest ωΔt of a scheme whose vibrations lose 1 % in a period.
func phasePerStep(s Scheme) float64 {
	if s == Euler {
		return 0.01 / math.Pi
	}
	return math.Cbrt(0.02 / math.Pi)
}
