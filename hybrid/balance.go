package hybrid

import (
	"math"

	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/lbm"
)

// balance is the box of fluid around one body whose momentum is balanced over one
// step: an exact account of populations, so what it finds is what the fluid
// felt, rounding aside. It knows nothing of markers.
type balance struct {
	lo, hi [3]int
	usable bool
}

// balanceMargin is how far, in nodes, a box reaches beyond the supports.
const balanceMargin = 2

// setBalances gives every body a box, unless it would touch a face, a solid node
// or another body's box, which near finds.
func setBalances(boxes []balance, near *rigid.Neighbours, flow *lbm.Config, bodies []*rigid.Body, delta ib.Stencil) {
	for i, b := range bodies {
		box := &boxes[i]
		box.lo, box.hi = supportBox(b, delta.First, delta.Support(), flow.Lattice.Dim)
		box.usable = true
		for a := range flow.Lattice.Dim {
			if n := flow.Size[a]; flow.Periodic(a) { // after any number of turns
				turns := box.lo[a] / n
				if box.lo[a] < 0 {
					turns = -((n - 1 - box.lo[a]) / n)
				}
				box.lo[a], box.hi[a] = box.lo[a]-turns*n, box.hi[a]-turns*n
			}
			box.usable = box.usable && box.lo[a] >= 1 && box.hi[a] < flow.Size[a]
		}
		for a := range flow.Lattice.Dim {
			box.lo[a], box.hi[a] = box.lo[a]-balanceMargin, box.hi[a]+balanceMargin
			if box.usable {
				box.lo[a], box.hi[a] = max(1, box.lo[a]), min(flow.Size[a]-1, box.hi[a])
			}
		}
		box.usable = box.usable && !box.holdsSolid(flow)
	}
	near.FindBoxes(len(boxes), func(i int) (lo, hi [3]int) { return boxes[i].lo, boxes[i].hi })
	for i := range boxes {
		for _, j := range near.Of(i) {
			if boxes[i].overlaps(&boxes[j], flow) {
				boxes[i].usable = false
				break
			}
		}
	}
}

// supportBox is the box of nodes lo ≤ p < hi that the markers' supports span.
func supportBox(b *rigid.Body, firstOf func(x float64) int, support, dim int) (lo, hi [3]int) {
	for a := range 3 {
		lo[a], hi[a] = math.MaxInt, math.MinInt
		if a >= dim {
			lo[a], hi[a] = 0, 1
			continue
		}
		least, most := b.Extent(a)
		lo[a], hi[a] = firstOf(least), firstOf(most)+support
	}
	return lo, hi
}

// overlaps tells whether two boxes share nodes, images across periodic faces
// included: a box that is not usable may reach beyond one.
func (b *balance) overlaps(o *balance, flow *lbm.Config) bool {
	for a := range flow.Lattice.Dim {
		share := b.lo[a] < o.hi[a] && o.lo[a] < b.hi[a]
		if n := flow.Size[a]; flow.Periodic(a) {
			share = share || b.lo[a] < o.hi[a]+n && o.lo[a]+n < b.hi[a] || b.lo[a] < o.hi[a]-n && o.lo[a]-n < b.hi[a]
		}
		if !share {
			return false
		}
	}
	return true
}

// holdsSolid tells whether a wall is in the box or the ring of nodes around it,
// from which populations stream in.
func (b *balance) holdsSolid(flow *lbm.Config) bool {
	if flow.Solid == nil {
		return false
	}
	lo, hi := b.lo, b.hi
	for a := range flow.Lattice.Dim {
		lo[a], hi[a] = lo[a]-1, hi[a]+1
	}
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			for x := lo[0]; x < hi[0]; x++ {
				if flow.Solid[flow.Node([3]int{x, y, z})] {
					return true
				}
			}
		}
	}
	return false
}

// force is the force on the body: minus what acted on the fluid in the box during the
// step beside the uniform body force, whose acceleration is given.
func (b *balance) force(before, after *lbm.BoxSums, accel [3]float64) (force [3]float64) {
	if !b.usable {
		return [3]float64{math.NaN(), math.NaN(), math.NaN()}
	}
	for a := range force {
		force[a] = -(after.Momentum[a] - before.Momentum[a] - before.Inflow[a] - after.Mass*accel[a])
	}
	return force
}
