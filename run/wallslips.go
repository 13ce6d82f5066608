package run

import (
	"math"

	"lbmib/run/observe"
)

// wallSlips are, for each body, the velocity that the flow outside has at the wall, along
// itself: mean over the markers, over U, positive where the fluid slips and negative where it comes to
// rest in front of the wall. NaN where too few markers can be looked at. Before a process has made a
// step it has no forces, and they are those of the checkpoint that it goes on from.
func (r *results[T]) wallSlips() []float64 {
	all := make([]float64, len(r.Bodies))
	for i := range all {
		all[i] = math.NaN()
		if r.Step == r.first {
			if i < len(r.endedSlips) {
				all[i] = float64(r.endedSlips[i])
			}
			continue
		}
		if i < observe.WallBodies && !r.isLost() {
			all[i] = r.WallSlip(i)
		}
	}
	return all
}
