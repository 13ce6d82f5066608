package plate

import "math"

// Scales are times that a sheet has, in the unit of Config.Step.
type Scales struct {
	// Stretching and Bending are about the largest time steps of explicit schemes, h√(ρ/k_s) and h²√(ρ/D)/4
	// with the shorter spacing h. The implicit step has no such limit: what is faster than it is damped.
	Stretching, Bending float64
	// Period is about that of the slowest vibration by bending and weight, of a strip as long as the sheet from
	// what holds it; +Inf without either, 0 without mass.
	Period float64
	// Step is the largest time step at which a vibration of that period loses less than 1 % of
	// its amplitude in a period.
	Step float64
}

// Scales are those of the sheet where a mass per area of fluid moves with it: 0 in a vacuum, 2ρ_f/k where both sides of it
// take part in waves of wave number k.
func (s *Sheet) Scales(added float64) Scales {
	h, rho := min(s.h[0], s.h[1]), s.density+added
	root := func(stiffness float64) float64 {
		if stiffness == 0 {
			return math.Inf(1)
		}
		return math.Sqrt(rho / stiffness)
	}
	stiffness := s.bending.stiffness
	scales := Scales{Stretching: h * root(s.stretching), Bending: h * h / 4 * root(stiffness)}
	wave, length := s.firstWave()
	square := math.Pow(wave/length, 4) * stiffness
	if len(s.held) > 0 { // hanging: Bernoulli's (2.4048/2)² g/L
		square += 1.4458 * s.density * s.gravity.Norm() / length
	}
	scales.Period = 2 * math.Pi * root(square)
	phase := math.Cbrt(0.02 / math.Pi) // of BDF2, whose vibrations lose π(ωΔt)³/2 of the amplitude in a period
	if s.scheme == Euler {
		phase = 0.01 / math.Pi
	}
	scales.Step = scales.Period / (2 * math.Pi) * phase
	return scales
}

// firstWave is λ of the lowest bending vibration ω = λ²√(D/ρ)/L² along the side whose edges are held, and its length L; of a
// sheet that nothing holds along the longer side.
func (s *Sheet) firstWave() (wave, length float64) {
	for axis := range 2 {
		l := float64(s.n[axis]-1) * s.h[axis]
		a, b := min(s.ends[2*axis], s.ends[2*axis+1]), max(s.ends[2*axis], s.ends[2*axis+1])
		lambda := 0.
		switch {
		case b == Free: // both
			continue
		case a == Free && b == Clamped:
			lambda = 1.8751041 // cos λ cosh λ = −1
		case a == Hinged && b == Hinged:
			lambda = math.Pi
		case a == Clamped:
			lambda = 4.7300407 // cos λ cosh λ = 1
		default:
			lambda = 3.9266023 // tan λ = tanh λ; of a hinged edge the first that bends
		}
		if lambda/math.Max(l, 1e-300) > wave/math.Max(length, 1e-300) || length == 0 { // the stiffer one
			wave, length = lambda, l
		}
	}
	if length == 0 {
		return 4.7300407, math.Max(float64(s.n[0]-1)*s.h[0], float64(s.n[1]-1)*s.h[1])
	}
	return wave, length
}
