package lbm

import (
	"fmt"
	"math"

	"lbmib/lbm/internal/simd/piecewise"
)

// Rheology is a viscosity that depends on the rate of strain |S|, |S|² = 2 S:S, by the law of Carreau (1972) and Yasuda, Armstrong & Cohen,
// Rheol. Acta 20 (1981) 163,
//
//	ν(|S|) = ν∞ + (ν₀ − ν∞) [1 + (λ|S|)^a]^((n − 1)/a),
//
// ν∞ being the viscosity of the collision, in nodes and steps. Its zero value is none: the same viscosity everywhere.
//
// Each node finds its own τ from the non-equilibrium stress Π that arrives, as with an eddy viscosity (Collision.Smagorinsky): with |S| = 3√(Π:Π/2)/(ρτ),
// τ = ½ + 3ν(|S|) has one solution, and a table has it by Π:Π/ρ², within 4·10⁻⁵ of τ − ½ for blood. Λ stays where it is given.
type Rheology struct {
	Zero       float64 // ν₀, of fluid at rest
	Time       float64 // λ, in steps
	Exponent   float64 // n: 0 ≤ n ≤ 1; the viscosity falls as |S|^(n − 1) between both ends
	Transition float64 // a, 2: Carreau's law
	Typical    float64 // rate of strain of the flow as a whole, per step: what needs one viscosity takes that of it
}

// Exists tells whether there is a law.
func (r Rheology) Exists() bool { return r != Rheology{} }

// Viscosity is ν where the rate of strain is |S|; infinite is ν∞.
func (r Rheology) Viscosity(infinite, strain float64) float64 {
	if !r.Exists() {
		return infinite
	}
	return infinite + (r.Zero-infinite)*math.Pow(1+math.Pow(r.Time*strain, r.Transition), (r.Exponent-1)/r.Transition)
}

// validate refuses what is no law that thins.
func (r Rheology) validate(infinite float64) error {
	if !r.Exists() {
		return nil
	}
	switch {
	case !(r.Zero >= infinite) || math.IsInf(r.Zero, 0):
		return fmt.Errorf("lbm: the viscosity of fluid at rest is %g: it must be at least that of the largest rates of strain, %g", r.Zero, infinite)
	case !(r.Time > 0) || math.IsInf(r.Time, 0):
		return fmt.Errorf("lbm: the time λ of the law of viscosity is %g steps: it must be positive", r.Time)
	case !(r.Exponent >= 0 && r.Exponent <= 1):
		return fmt.Errorf("lbm: the exponent n of the law of viscosity is %g: it must lie between 0 and 1 (1: one viscosity)", r.Exponent)
	case !(r.Transition > 0) || math.IsInf(r.Transition, 0):
		return fmt.Errorf("lbm: the transition a of the law of viscosity is %g: it must be positive, 2 is Carreau's law", r.Transition)
	}
	return nil
}

// relaxationTime is τ of a node by z = Π:Π/ρ²: where τ − ½ is 3ν of the rate of strain |S| = 3√(z/2)/τ, by Newton's method. τ − ½ − 3ν grows with τ,
// as the stress does with the rate of strain; steps that would leave what is known of τ halve it.
func (r Rheology) relaxationTime(infinite, z float64) float64 {
	least := 0.5 + 3*infinite
	lo, hi := least, 0.5+3*r.Zero
	stress, range3, fall := 3*math.Sqrt(z/2), 3*(r.Zero-infinite), (r.Exponent-1)/r.Transition
	tau := hi
	for range 60 {
		p := math.Pow(r.Time*stress/tau, r.Transition)
		q := range3 * math.Pow(1+p, fall)
		excess := tau - least - q
		if excess > 0 {
			hi = tau
		} else {
			lo = tau
		}
		next := tau - excess/(1+q*(r.Exponent-1)*p/((1+p)*tau))
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-tau) <= 1e-16*tau {
			return next
		}
		tau = next
	}
	return tau
}

// TableBytes is the memory of a table of relaxation times of so many bytes each.
func TableBytes(value int) int { return 2 * piecewise.Pieces * value }

// tableOf is that of a law; nil: there is none.
func tableOf[T Float](c Collision) *piecewise.Table[T] {
	if !c.Rheology.Exists() {
		return nil
	}
	return piecewise.Of[T](func(z float64) float64 { return c.Rheology.relaxationTime(c.Viscosity(), z) })
}
