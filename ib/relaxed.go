package ib

import (
	"fmt"
	"slices"

	"lbmib/geometry"
)

// ForcingWeights are weights of direct forcing for any markers: PinelliWeights
// where these are usable (exact), else weights near to them that are. Markers that
// are unevenly spaced for the delta, as at corners, at trailing edges or where
// markers set back from a curved surface have come together, have exact weights of
// both signs. There ε ← ε(2 − Aε), which keeps ε positive, is swept from 1/Σ_l A_kl:
// Aε comes as near to one everywhere as positive weights allow, and a marker that
// has no room fades out. What slip that leaves decays over the next steps; as row
// sums are about one, none grows. Deltas with negative weights may still let it
// grow between some markers, and are refused then.
// condition estimates the condition number of A. Points near mirrors act and feel with
// their images.
func ForcingWeights[T Float](g Grid, d Delta[T], x []geometry.Vec, mirrors ...Mirror) (weights []float64, condition float64, exact bool, err error) {
	if err := g.check(d); err != nil {
		return nil, 0, false, err
	}
	if len(x) == 0 {
		return nil, 1, true, nil
	}
	a, err := newOverlap(g, d, x, mirrors...)
	if err != nil {
		return nil, 0, false, err
	}
	weights, condition = a.solve()
	if a.judge(d.Name(), weights, condition, SafeSpacing(d, g.Dim)) == nil && even(weights) {
		return weights, condition, true, nil
	}
	weights = a.relaxed()
	if growth := a.growth(weights, maxGrowth); !(growth <= maxGrowth) {
		return nil, condition, false, fmt.Errorf("ib: direct forcing with delta %s at these %d markers may let slip grow %.3g times a step, must be at most 1: use a delta without negative weights, such as roma3", d.Name(), a.n(), growth-1)
	}
	return weights, condition, false, nil
}

// evenness is the least weight over their mean of markers at their SafeSpacing. Where
// weights differ by more, markers are nearly dependent (a straight row one node apart,
// whose even–odd mode spreads to nothing): the exact weights are of no more use to the
// fluid than relaxed ones, and the force per area would alternate as they do.
const evenness = 0.3

func even(weights []float64) bool {
	var sum float64
	for _, e := range weights {
		sum += e
	}
	return slices.Min(weights) >= evenness*sum/float64(len(weights))
}

// RelaxationSweeps take the part of a uniform slip that is left to some per cent at
// corners and ends and less elsewhere; the next steps take the rest. More of them bring
// out the modes that spread to nothing, and uneven weights with them.
const RelaxationSweeps = 3

// relaxed are positive weights with A ε near one.
func (a *overlap) relaxed() []float64 {
	weights, felt := make([]float64, a.n()), make([]float64, a.n())
	for k := range weights {
		weights[k] = 1
	}
	a.multiply(felt, weights)
	for k, sum := range felt {
		weights[k] = 1 / sum
	}
	for range RelaxationSweeps {
		a.multiply(felt, weights)
		for k := range weights {
			weights[k] *= min(1.5, max(0.5, 2-felt[k]))
		}
	}
	return weights
}
