package ib

import (
	"fmt"

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
// condition estimates the condition number of A.
func ForcingWeights[T Float](g Grid, d Delta[T], x []geometry.Vec) (weights []float64, condition float64, exact bool, err error) {
	if err := g.check(d); err != nil {
		return nil, 0, false, err
	}
	if len(x) == 0 {
		return nil, 1, true, nil
	}
	a, err := newOverlap(g, d, x)
	if err != nil {
		return nil, 0, false, err
	}
	weights, condition = a.solve()
	if a.judge(d.Name(), weights, condition, SafeSpacing(d, g.Dim)) == nil {
		return weights, condition, true, nil
	}
	weights = a.relaxed()
	if growth := a.growth(weights, maxGrowth); !(growth <= maxGrowth) {
		return nil, condition, false, fmt.Errorf("ib: direct forcing with delta %s at these %d markers may let slip grow %.3g times a step, must be at most 1: use a delta without negative weights, such as roma3", d.Name(), a.n(), growth-1)
	}
	return weights, condition, false, nil
}

// relaxationSweeps take the part of a uniform slip that is left below 1 % on
// curves and surfaces whose markers are 0.5 to 2 nodes apart.
const relaxationSweeps = 200

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
	for range relaxationSweeps {
		a.multiply(felt, weights)
		for k := range weights {
			weights[k] *= min(1.5, max(0.5, 2-felt[k]))
		}
	}
	return weights
}
