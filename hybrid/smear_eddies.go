package hybrid

import (
	"math"

	"lbmib/ib"
	"lbmib/lbm"
)

// WallEddies is the correction of smeared walls beside Smagorinsky's eddy viscosity C²|S|.
// The wall's stress f is then carried by ν_w = (1 + β)ν, β = C²κ/ν, κ the slope of the
// velocity at the wall: f/ρ = νκ + C²κ². β follows from f alone, so that nothing is
// interpolated for it, and the offset e depends on β, since the eddy viscosity fades over
// the width of the delta, too (ib.OffsetInEddies). The flow is taken to be on one side of the
// wall, as for a body whose inside is at rest. Devices hold it as it lies here.
type WallEddies[T lbm.Float] struct {
	Viscosity, Square T                // ν, and C²
	Odd, Power        T                // t = Odd·ν^Power: lbm.Collision.Odd
	Kink, Node        [EddySteps + 1]T // of the offset in nodes (ib.OffsetInEddies), by β/(1 + β) in equal steps
}

// EddySteps are those of the tables: what lies between is linear to 1e-4 of a node.
const EddySteps = 64

// newWallEddies is nil where the collision has no eddy viscosity.
func newWallEddies[T lbm.Float](d ib.Delta[T], c lbm.Collision) *WallEddies[T] {
	if c.Smagorinsky == 0 {
		return nil
	}
	odd, power := c.Odd()
	w := &WallEddies[T]{Viscosity: T(c.Viscosity()), Square: T(c.Smagorinsky * c.Smagorinsky), Odd: T(odd), Power: T(power)}
	for i := range w.Kink {
		x := math.Min(float64(i)/EddySteps, 1-1e-6)
		kink, node := ib.OffsetInEddies(d, x/(1-x), power)
		w.Kink[i], w.Node[i] = T(kink), T(node)
	}
	return w
}

// offset is e at β, in nodes. Where the eddies are so viscous that the wall would be felt behind its
// markers it is 0: a slip along the wall that grows with its own friction has no solution.
func (w *WallEddies[T]) offset(beta T) T {
	x, i := beta/(1+beta)*EddySteps, EddySteps-1
	if x < EddySteps-1 { // else β may be infinite or not a number, and so is e
		i = max(0, int(x))
	}
	x -= T(i)
	kink, node := w.Kink[i]+x*(w.Kink[i+1]-w.Kink[i]), w.Node[i]+x*(w.Node[i+1]-w.Node[i])
	wall := (1 + beta) * w.Viscosity
	t := w.Odd // of the wall's viscosity
	switch {
	case w.Power > 0:
		t *= wall
	case w.Power < 0:
		t /= wall
	}
	e := kink - 2*wall*t*node
	if e < 0 {
		e = 0
	}
	return e
}

// Over is e/ν_w at β, in steps per node: over a marker's area it is Smear.Over.
func (w *WallEddies[T]) Over(beta T) T { return w.offset(beta) / ((1 + beta) * w.Viscosity) }

// OfStress is β where the wall's stress over the density is s.
func (w *WallEddies[T]) OfStress(s T) T {
	x := s * w.Square / (w.Viscosity * w.Viscosity) // β + β²
	return 2 * x / (1 + root(1+4*x))
}

// OfSlip is β of a marker that has exerted no force yet and feels the slip v, where the
// stress s takes away s·give of it, give being area/(2·weight): v = give·s + e κ, both of which
// depend on β. Since e does so weakly, few rounds find it; since it falls with β and ends at 0,
// they do not pass the solution.
func (w *WallEddies[T]) OfSlip(v, give T) (beta T) {
	if v == 0 {
		return 0
	}
	unit := w.Viscosity / w.Square // κ over β
	a := give * w.Viscosity * unit // s = ν·unit·β(1 + β)
	for range 20 {
		last, b := beta, a+unit*w.offset(beta)
		beta = 2 * v / (b + root(b*b+4*a*v))
		if d := beta - last; d*d <= 1e-20*beta*beta {
			break
		}
	}
	return beta
}

func root[T lbm.Float](v T) T { return T(math.Sqrt(float64(v))) }

// along is the length of v's part along the wall at marker k.
func (c *Coupling[T]) along(v *[3]T, k int) T {
	var across, square T
	for a := range c.push {
		across += v[a] * c.smear.normal[a][k]
	}
	for a := range c.push {
		d := v[a] - across*c.smear.normal[a][k]
		square += d * d
	}
	return root(square)
}

// meetEddies sets what walls leave of slip beside an eddy viscosity: by the slip that
// markers feel before they exert a force, and then by the force.
func (c *Coupling[T]) meetEddies(before bool) {
	switch {
	case c.smear == nil || c.smear.eddies == nil:
	case before:
		c.share(len(c.points), c.phases.slip)
	default:
		c.share(len(c.points), c.phases.stress)
	}
}

// eddiesBySlip is for the markers lo ≤ k < hi.
func (c *Coupling[T]) eddiesBySlip(lo, hi int) {
	s := c.smear
	for k := lo; k < hi; k++ {
		if area := s.area[k]; area > 0 {
			var v [3]T
			for a := range c.push {
				v[a] = c.velocity[a][k] - c.felt[1+a][k]
			}
			s.meet(k, s.eddies.OfSlip(c.along(&v, k), area/(2*c.weight[k])), c.weight[k])
		}
	}
}

// eddiesByForce is for the markers lo ≤ k < hi.
func (c *Coupling[T]) eddiesByForce(lo, hi int) {
	s := c.smear
	for k := lo; k < hi; k++ {
		if area := s.area[k]; area > 0 {
			var f [3]T
			for a := range c.push {
				f[a] = c.push[a][k]
			}
			s.meet(k, s.eddies.OfStress(c.along(&f, k)/(area*c.felt[0][k])), c.weight[k])
		}
	}
}

// meet makes β that of marker k, whose weight is ε.
func (s *smear[T]) meet(k int, beta, weight T) {
	s.over[k] = s.eddies.Over(beta) / s.area[k]
	s.share[k] = 1 / (1 + 2*weight*s.over[k])
}
