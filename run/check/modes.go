package check

import (
	"fmt"
	"math"

	"lbmib/lbm"
	"lbmib/run/setup"
)

// soundModes are how many standing waves along an axis are looked at, the lowest.
const soundModes = 6

// Bluff bodies shed at 0.1 to 0.3 of the speed past them over their width across
// the stream, gaps between bodies at up to twice that.
const fastestShed = 0.6

// nearMode is to within which part a frequency is that of a standing wave.
const nearMode = 0.06

// PassingNodes is how many nodes the fastest marker that moves as prescribed passes in a time unit L/U.
func PassingNodes(p *setup.Problem) (most float64) {
	for i, b := range p.Bodies {
		if b.Motion != nil {
			speed, _ := p.FastestOf(i)
			most = math.Max(most, p.Units.FromLatticeVelocity(speed)*p.Case.Reference.Resolution)
		}
	}
	return most
}

// FastestShedding is the highest frequency, in U/L, at which a body can shed in a
// stream along an axis.
func FastestShedding(p *setup.Problem, i, axis int) float64 {
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
	return fastestShed * math.Max(fastestGiven(p.Case), fastestMean(p.Case)) / (1 - taken) / p.Units.FromLatticeLength(width)
}

// SoundNear names the standing wave of the box, along an axis, that has about a
// frequency in U/L; empty: none of the lowest.
func SoundNear(p *setup.Problem, frequency float64) string {
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
