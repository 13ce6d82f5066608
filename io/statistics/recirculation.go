package statistics

import (
	"fmt"
	"math"
)

// RecirculationLength is the distance from the body's rear point to where the
// flow on the centreline turns from upstream to downstream, found by linear
// interpolation. x increases and has the unit of rear and of the result; u is
// the streamwise velocity at x, in any unit. Samples before rear, which lie in
// the body, are ignored.
//
// It is 0 if there is no reversed flow behind the body, and NaN if the flow
// is still reversed at the last sample or a velocity on the way is not a
// number. It panics if x and u differ in length.
func RecirculationLength(x, u []float64, rear float64) float64 {
	if len(x) != len(u) {
		panic(fmt.Sprintf("statistics: %d positions for %d velocities", len(x), len(u)))
	}
	reversed := false
	for i := range x {
		switch {
		case x[i] < rear:
		case math.IsNaN(u[i]):
			return math.NaN()
		case u[i] < 0:
			reversed = true
		case reversed:
			w := u[i-1] / (u[i-1] - u[i])
			return x[i-1] + w*(x[i]-x[i-1]) - rear
		}
	}
	if reversed {
		return math.NaN()
	}
	return 0
}
