package casefile

import "math"

// Rheology is a law of viscosity: ν∞ + (ν₀ − ν∞)[1 + (λ|S|)^a]^((n − 1)/a), ν∞ being Reference.Viscosity, |S|² = 2 S:S.
type Rheology struct {
	Type       string  // carreau-yasuda; empty: one viscosity
	Zero       float64 // ν₀, of fluid at rest, in U·L
	Time       float64 // λ, in L/U
	Exponent   float64 // n
	Transition float64 // a
}

// WallRate is a rate of strain in U/L that stands for a flow as a whole: that at the wall of a pipe of diameter L.
const WallRate = 8.

// at is ν in UL where the rate of strain, in U/L, is given, infinite being ν∞.
func (r Rheology) at(infinite, rate float64) float64 {
	if r.Type == "" {
		return infinite
	}
	return infinite + (r.Zero-infinite)*math.Pow(1+math.Pow(r.Time*rate, r.Transition), (r.Exponent-1)/r.Transition)
}

// LargestViscosity is ν in UL of fluid at rest.
func (c *Case) LargestViscosity() float64 { return c.Fluid.Rheology.at(c.Reference.Viscosity, 0) }

// WallViscosity is ν in UL, of a fluid with a law of viscosity that at WallRate.
func (c *Case) WallViscosity() float64 { return c.Fluid.Rheology.at(c.Reference.Viscosity, WallRate) }

// WallTau is the relaxation time of the stress, of a fluid with a law of viscosity that at WallRate.
func (c *Case) WallTau() float64 {
	return 0.5 + (c.Units().Tau-0.5)*c.WallViscosity()/c.Reference.Viscosity
}

// GridReynolds is U Δx/ν, of a fluid with a law of viscosity that at WallRate.
func (c *Case) GridReynolds() float64 {
	return c.Units().GridReynolds * c.Reference.Viscosity / c.WallViscosity()
}

func readRheology(t *table) {
	if !t.present {
		return
	}
	law := Rheology{Type: t.variant()}
	if law.Type == "" {
		return
	}
	c := t.r.c
	law.Zero = t.requiredNumber("zero_viscosity", spec{Viscosity, positive, "give ν of fluid at rest in U·L, or with a unit"})
	law.Time = t.requiredNumber("time", spec{Time, positive, "give λ in L/U, or with a unit"})
	law.Exponent = t.requiredNumber("exponent", spec{Number, positive, "give n, below 1: blood has 0.2 to 0.4"})
	law.Transition = t.number("transition", spec{Number, positive, "give a, or leave it out for Carreau's law, a = 2"}, 2)
	c.Fluid.Rheology = law
	if law.Exponent > 1 {
		t.fail("exponent", "%v must be at most 1, where the viscosity falls as the rate of strain grows: use 0.2 to 0.4 for blood", law.Exponent)
	}
	t.r.atEnd = append(t.r.atEnd, func() {
		switch {
		case !t.r.clean(t.path, "reference"):
		case c.Fluid.LES > 0:
			t.r.fail(t.path, "does not go with fluid.les, which has a viscosity of its own: remove one of them")
		case law.Zero < c.Reference.Viscosity:
			t.fail("zero_viscosity", "%v UL must be at least reference.viscosity, %v, that of the largest rates of strain: give the viscosity of fluid at rest", law.Zero, c.Reference.Viscosity)
		case len(c.Bodies)+len(c.Suspensions) > 0:
			t.r.fail(t.path, "does not go with [[body]] and [[suspension]]: how far a delta smears their walls is known of one viscosity alone; let walls be solid, a vessel's or the domain's")
		}
	})
}
