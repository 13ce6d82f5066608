package observe

import (
	"math"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// What a node has in a body mask that is in no body.
const (
	inFluid = -1
	inSolid = -2
)

// bodyStates are where bodies are, of what was captured or at hand.
func bodyStates[T lbm.Float](r *State[T], captured *hybrid.CapturedBoxes[T]) (all []kinematics.State) {
	for i, b := range r.Bodies {
		if captured != nil {
			all = append(all, captured.State(i))
		} else {
			all = append(all, b.State())
		}
	}
	return all
}

// lattice are nodes of some width from a place on, in finest nodes: those of a region.
type lattice struct {
	lo, size [3]int // in nodes so wide
	width    int
}

// markBodies sets nodes to the number of the rigid body, of those chosen, that they are in where it is, and others to
// inFluid. An open tube that holds the flow has an inside, other open shapes have none. Images across periodic faces count.
func markBodies(p *setup.Problem, states []kinematics.State, on lattice, of func(body int) bool, mask []float32) {
	for n := range mask {
		mask[n] = inFluid
	}
	dim := p.Flow.Lattice.Dim
	for i, b := range p.Bodies {
		if b.Structure != nil || !of(i) || b.Shape.Open() && !b.Hollow {
			continue
		}
		shape := b.Shape
		if b.Hollow {
			shape = geometry.Capped(shape)
		}
		s, center, reach := states[i], b.Shape.Center(), b.Shape.Reach()+1e-9
		for _, at := range imagesNear(p, s.Position, reach) {
			there := s
			there.Position = at
			var lo, hi [3]int // among the region's
			hi[2] = 1
			for a := range dim {
				lo[a] = max(0, int(math.Floor(on.index(a, at[a]-reach))))
				hi[a] = min(on.size[a], int(math.Ceil(on.index(a, at[a]+reach)))+1)
			}
			for z := lo[2]; z < hi[2]; z++ {
				for y := lo[1]; y < hi[1]; y++ {
					for x := lo[0]; x < hi[0]; x++ {
						place := on.place([3]int{x, y, z}, dim)
						if shape.Contains(there.ToBody(place).Add(center)) {
							mask[x+on.size[0]*(y+on.size[1]*z)] = float32(i)
						}
					}
				}
			}
		}
	}
}

// index is the number along an axis, among the region's nodes, of a place in finest nodes.
func (l lattice) index(axis int, x float64) float64 {
	w := float64(l.width)
	return (x-(w-1)/2)/w - float64(l.lo[axis])
}

// place is where a node of the region is, in finest nodes.
func (l lattice) place(n [3]int, dim int) (x geometry.Vec) {
	w := float64(l.width)
	for a := range dim {
		x[a] = w*float64(l.lo[a]+n[a]) + (w-1)/2
	}
	return x
}

// imagesNear are the places of a ball across periodic faces that reach into the domain.
func imagesNear(p *setup.Problem, at geometry.Vec, reach float64) []geometry.Vec {
	all := []geometry.Vec{at}
	for a := range p.Flow.Lattice.Dim {
		if !p.Flow.Periodic(a) {
			continue
		}
		n := float64(p.Flow.Size[a])
		var more []geometry.Vec
		for _, x := range all {
			first, last := math.Ceil((-0.5-reach-x[a])/n), math.Floor((n-0.5+reach-x[a])/n)
			for k := first; k <= last; k++ {
				moved := x
				moved[a] += k * n
				more = append(more, moved)
			}
		}
		all = more
	}
	return all
}

// InBody is the name of the rigid body in which a place in L lies, but for those that the flow is in; empty: none. stateOf tells where a body is, and false where that is not known.
func InBody(p *setup.Problem, place [3]float64, stateOf func(body int) (kinematics.State, bool)) string {
	first := p.Place([3]float64{})
	var at geometry.Vec
	for a := range p.Flow.Lattice.Dim {
		at[a] = (place[a] - first[a]) / p.Units.Dx
	}
	for i, b := range p.Bodies {
		s, known := stateOf(i)
		if !known || b.Structure != nil || b.Hollow || b.Shape.Open() {
			continue
		}
		for _, s.Position = range imagesNear(p, s.Position, b.Shape.Reach()+1e-9) {
			if b.Shape.Contains(s.ToBody(at).Add(b.Shape.Center())) {
				return b.Name
			}
		}
	}
	return ""
}

// InBodies tells which nodes of the finest grid, of a box from lo on with x fastest, are in rigid bodies that the flow goes around, where these are in a state
// each, in nodes and steps. Nodes beyond the domain count as others.
func InBodies(p *setup.Problem, states []kinematics.State, lo, size [3]int) []bool {
	mask := make([]float32, size[0]*size[1]*size[2])
	markBodies(p, states, lattice{lo, size, 1}, func(i int) bool { return !p.Bodies[i].Hollow }, mask)
	in := make([]bool, len(mask))
	for k, v := range mask {
		in[k] = v != inFluid
	}
	return in
}
