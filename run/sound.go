package run

import (
	"fmt"
	"math"

	"lbmib/io/casefile"
	"lbmib/run/check"
	"lbmib/run/setup"
)

// What tells shedding from sound. Boxes ring, and the force on a body with them.
const (
	// Lift that swings by less than this part of the force is too weak to be told
	// from sound and rounding: just above its onset shedding reaches some percent.
	weakest = 3e-3
	// Below this part it is taken for sound where a mode of the box has its frequency,
	weak = 1e-2
	// and below this one, or where a mode has its frequency, if it fades: shedding that has begun does not.
	strong = 5e-2
)

// notShed says why a period that was found in the lift of body i is none of vortices
// that it sheds; empty: it may be. Lift that something drives is left alone.
func notShed(p *setup.Problem, i int, r *analysis) string {
	b, given := p.Bodies[i], &p.Case.Bodies[i]
	if !(r.Strouhal > 0) {
		return ""
	}
	frequency := r.Strouhal / p.Units.FromLatticeLength(b.Shape.Length())
	if passing := check.PassingNodes(p); passing > 0 && frequency > math.Max(passing/fewNodes, check.FastestShedding(p, i, setup.HeadingOf(p.Case, given).Axis)) {
		return fmt.Sprintf("no Strouhal number: the forces swing %.3g times in a time unit L/U as markers pass nodes, of which the fastest pass %.3g: refine to make it less, or write forces less often", frequency, passing)
	}
	if isDriven(p.Case) {
		return ""
	}
	mode := check.SoundNear(p, frequency)
	if h := setup.HeadingOf(p.Case, given); h.Of == "flow" && !b.Moving() {
		if limit := check.FastestShedding(p, i, h.Axis); frequency > limit {
			return fmt.Sprintf("no Strouhal number: the lift swings %.3g times in a time unit L/U, a body of this width sheds at most %.2g times; it is %s", frequency, limit, orSound(mode))
		}
	}
	if swing := r.across / r.scale; r.Fading && !b.Moving() && (swing < strong || mode != "") {
		return fmt.Sprintf("no Strouhal number: the lift swings %.3g times in a time unit L/U, by less each time, as %s does, and not as what is shed: run on until it has decayed", frequency, orSound(mode))
	} else if swing < weakest || swing < weak && mode != "" {
		return fmt.Sprintf("no Strouhal number: the forces swing by only %.2g of their mean, %.3g times in a time unit L/U, as %s does: run on until it has decayed", swing, frequency, orSound(mode))
	}
	return ""
}

// fewNodes is in how many nodes of a marker's way nothing of the flow has a period, unless
// vortices are shed as fast.
const fewNodes = 4

func orSound(mode string) string {
	if mode == "" {
		return "sound in the domain"
	}
	return mode
}

// isDriven tells whether something in the case varies with time by itself.
func isDriven(c *casefile.Case) bool {
	for _, f := range c.Domain.Force {
		if !f.Constant() {
			return true
		}
	}
	if flow := c.Domain.Flow; flow != nil && !flow.Given.Constant() {
		return true
	}
	for i := range 2 * c.Domain.Dim {
		if f := &c.Domain.Boundary[i]; f.Period > 0 || f.Table != nil || !f.Factor.Constant() {
			return true
		}
	}
	for _, b := range c.Bodies {
		if b.Motion.Type == "prescribed" {
			return true
		}
	}
	return false
}
