package flexible

import (
	"cmp"
	"math"
	"slices"

	"lbmib/geometry"
)

// Load is a force from outside on some of a cell's points, the same on each: what holds a bead there, or pulls at it. A surface
// without mass hands it on to the fluid, as it does the forces of its membrane.
type Load struct {
	Points []int        // of Cell.Points
	Each   geometry.Vec // on each of them, in lattice units; of a ring per depth
	Ramp   float64      // steps in which it comes smoothly from 0; 0: it is there at once
}

// share is what of the load there is at step t.
func (l *Load) share(t int64) float64 {
	if at := float64(t); at < l.Ramp {
		return (1 - math.Cos(math.Pi*at/l.Ramp)) / 2
	}
	return 1
}

// addLoads adds the forces from outside at step t to those of the membrane.
func (c *Cell) addLoads(t int64) {
	for i := range c.Loads {
		l := &c.Loads[i]
		each := l.Each.Scale(l.share(t))
		for _, k := range l.Points {
			c.force[k] = c.force[k].Add(each)
		}
	}
}

// level is how far apart, in nodes, points may be along an axis that are as far out as each other: above rounding, and below
// what tells vertices of a mesh apart.
const level = 1e-6

// Outermost are the points where the cell begins that are farthest out along an axis, at its upper or lower end: so large a
// part, 0 to 1, of those on which forces act, one at least. With the last of them come all that are as far out, so that a
// symmetric mesh has the same points at both ends.
func (c *Cell) Outermost(axis int, upper bool, part float64) []int {
	var all []int
	for k, area := range c.Areas() {
		if area > 0 { // data sites have no force
			all = append(all, k)
		}
	}
	x, sign := c.Drawn(), 1.
	if upper {
		sign = -1
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(sign*x[a][axis], sign*x[b][axis]) })
	n := min(max(1, int(math.Round(part*float64(len(all))))), len(all))
	last := sign * x[all[n-1]][axis]
	for n < len(all) && sign*x[all[n]][axis] < last+level {
		n++
	}
	all = all[:n]
	slices.Sort(all)
	return all
}
