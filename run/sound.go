package run

import (
	"fmt"
	"math"

	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// soundModes are how many standing waves along an axis are looked at, the lowest.
const soundModes = 6

// What tells shedding from sound. Boxes ring, and the force on a body with them.
const (
	// Bluff bodies shed at 0.1 to 0.3 of the speed past them over their width across
	// the stream, gaps between bodies at up to twice that.
	fastestShed = 0.6
	// Lift that swings by less than this part of the force is too weak to be told
	// from sound and rounding: just above its onset shedding reaches some percent.
	weakest = 3e-3
	// Below this part it is taken for sound where a mode of the box has its frequency,
	weak = 1e-2
	// to within this part of it.
	nearMode = 0.06
)

// notShed says why a period that was found in the lift of body i is none of vortices
// that it sheds; empty: it may be. Lift that something drives is left alone.
func notShed(p *setup.Problem, i int, r *analysis) string {
	b, given := p.Bodies[i], &p.Case.Bodies[i]
	if !(r.Strouhal > 0) {
		return ""
	}
	frequency := r.Strouhal / p.Units.FromLatticeLength(b.Shape.Length())
	if passing := passingNodes(p); passing > 0 && frequency > math.Max(passing/fewNodes, fastestShedding(p, i, setup.HeadingOf(p.Case, given).Axis)) {
		return fmt.Sprintf("no Strouhal number: the forces swing %.3g times in a time unit L/U as markers pass nodes, of which the fastest pass %.3g: refine to make it less, or write forces less often", frequency, passing)
	}
	if isDriven(p.Case) {
		return ""
	}
	mode := soundNear(p, frequency)
	if h := setup.HeadingOf(p.Case, given); h.Of == "flow" && !b.Moving() {
		if limit := fastestShedding(p, i, h.Axis); frequency > limit {
			return fmt.Sprintf("no Strouhal number: the lift swings %.3g times in a time unit L/U, a body of this width sheds at most %.2g times; it is %s", frequency, limit, orSound(mode))
		}
	}
	if swing := r.across / r.scale; swing < weakest || swing < weak && mode != "" {
		return fmt.Sprintf("no Strouhal number: the forces swing by only %.2g of their mean, %.3g times in a time unit L/U, as %s does: run on until it has decayed", swing, frequency, orSound(mode))
	}
	return ""
}

// fewNodes is in how many nodes of a marker's way nothing of the flow has a period, unless
// vortices are shed as fast.
const fewNodes = 4

// passingNodes is how many nodes the fastest marker that moves as prescribed passes in a time unit L/U.
func passingNodes(p *setup.Problem) (most float64) {
	for i, b := range p.Bodies {
		if b.Motion != nil {
			speed, _ := p.FastestOf(i)
			most = math.Max(most, p.Units.FromLatticeVelocity(speed)*p.Case.Reference.Resolution)
		}
	}
	return most
}

func orSound(mode string) string {
	if mode == "" {
		return "sound in the domain"
	}
	return mode
}

// fastestShedding is the highest frequency, in U/L, at which a body can shed in a
// stream along an axis.
func fastestShedding(p *setup.Problem, i, axis int) float64 {
	width, taken := math.Inf(1), 0.
	for a := range p.Flow.Lattice.Dim {
		if a == axis {
			continue
		}
		lo, hi := p.Bodies[i].Shape.Bounds()
		width = math.Min(width, hi[a]-lo[a])
		blocked := 0.
		for _, b := range p.Bodies {
			lo, hi := b.Shape.Bounds()
			blocked += (hi[a] - lo[a]) / float64(p.Flow.Size[a])
		}
		taken = math.Max(taken, math.Min(blocked, 0.8))
	}
	return fastestShed * fastest(p.Case) / (1 - taken) / p.Units.FromLatticeLength(width)
}

// soundNear names the standing wave of the box, along an axis, that has about a
// frequency in U/L; empty: none of the lowest.
func soundNear(p *setup.Problem, frequency float64) string {
	sound := 1 / p.Units.Mach // in U
	for a := range p.Flow.Lattice.Dim {
		low, high := p.Flow.Faces[2*a].Kind, p.Flow.Faces[2*a+1].Kind
		size := p.Units.FromLatticeLength(float64(p.Flow.Size[a]))
		for n := range soundModes {
			f := float64(n+1) * sound / (2 * size) // both ends alike
			where := fmt.Sprintf("between %s and %s", lbm.FaceNames[2*a], lbm.FaceNames[2*a+1])
			switch {
			case low == lbm.Periodic:
				f, where = 2*f, "around the periodic axis "+"xyz"[a:a+1]
			case low.HoldsPressure() != high.HoldsPressure():
				f = float64(2*n+1) * sound / (4 * size)
			}
			if math.Abs(frequency-f) <= nearMode*f {
				return fmt.Sprintf("sound %s (%.3g U/L)", where, f)
			}
		}
	}
	return ""
}

// isDriven tells whether something in the case varies with time by itself.
func isDriven(c *casefile.Case) bool {
	for _, f := range c.Domain.Force {
		if !f.Constant() {
			return true
		}
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
