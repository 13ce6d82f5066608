package packing

import (
	"cmp"
	"slices"

	"lbmib/geometry"
)

// patches are the points of a surface in groups of near ones, so that groups that are far from another surface need no look at their points.
type patches struct {
	points []geometry.Vec
	list   []patch
}

// patch is the points from … to − 1, which are in a ball.
type patch struct {
	center   geometry.Vec
	radius   float64
	from, to int
}

// patchPoints is how many points a patch has at most: with more, more points are looked at in vain, with fewer more balls.
const patchPoints = 12

// inPatches halves points along their greatest extent until patches are small.
func inPatches(points []geometry.Vec) patches {
	p := patches{points: slices.Clone(points)}
	p.halve(0, len(points))
	return p
}

func (p *patches) halve(from, to int) {
	x := p.points[from:to]
	if len(x) == 0 {
		return
	}
	lo, hi := x[0], x[0]
	for _, v := range x {
		for a := range v {
			lo[a], hi[a] = min(lo[a], v[a]), max(hi[a], v[a])
		}
	}
	if len(x) > patchPoints {
		axis := 0
		for a := range lo {
			if hi[a]-lo[a] > hi[axis]-lo[axis] {
				axis = a
			}
		}
		slices.SortStableFunc(x, func(v, w geometry.Vec) int { return cmp.Compare(v[axis], w[axis]) })
		p.halve(from, (from+to)/2)
		p.halve((from+to)/2, to)
		return
	}
	group := patch{center: lo.Add(hi).Scale(0.5), from: from, to: to}
	for _, v := range x {
		group.radius = max(group.radius, v.Sub(group.center).Norm())
	}
	group.radius *= 1 + 1e-9 // rounding
	p.list = append(p.list, group)
}
