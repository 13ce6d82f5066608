package setup

import (
	"math"
	"testing"
)

// A body is looked for where it is, whatever the number of its periods in a run.
func TestPathsAreFollowedBetweenPeriods(t *testing.T) {
	for _, steps := range []int64{1, 700, 500 * 2000, 1000 * 4096, 1 << 33} {
		for _, periods := range []float64{0.25, 1, 500, 1000, 12345} {
			if periods > float64(steps)/20 && periods > 0.25 {
				continue
			}
			most, last := 0., 0.
			pathTimes(steps, func(t float64) {
				most, last = math.Max(most, math.Sin(2*math.Pi*periods*t/float64(steps))), math.Max(last, t)
				if t < 0 || t > float64(steps) {
					panic("a time outside the run")
				}
			})
			if most < 0.98 || last != float64(steps) {
				t.Errorf("%d steps with %g periods: the largest sine found is %g, the last time %g", steps, periods, most, last)
			}
		}
	}
}
