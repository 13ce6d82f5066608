package hybrid

import (
	"math"

	"lbmib/ib"
	"lbmib/lbm"
)

// WallEddies is the correction of smeared walls beside Smagorinsky's eddy viscosity C²|S|.
// Slopes of the velocity along the wall being in units of ν/C², the stress of a flow of slope k is
// k + k|k| in units of ρν²/C². The wall's force f is the difference between the stresses of its
// two sides, and the slope m that the flow has at the marker, interpolated, is what lies
// midway: with it the slopes of the two sides are about m ± d,
//
//	f = 2d (1 + β),    β = d + m²/d where d > m,  2m elsewhere,
//
// which tells d, whether the flow is on one side of the wall (d = m) or alike on both (m = 0). The
// offset e depends on d and m, too, since the eddy viscosity changes over the width of the
// delta (ib.OffsetInEddies). Tables have it in terms of p = d + m and of d/p; where they were made
// m is what is found in the flow that OffsetInEddies describes. Devices hold it as it lies here.
type WallEddies[T lbm.Float] struct {
	Viscosity, Square T                               // ν, and C²
	Odd, Power        T                               // t = Odd·ν^Power: lbm.Collision.Odd
	Lattice           T                               // νt as ib.Chord has it, 0 where it is as small as ν
	Kink, Node        [EddySteps + 1][EddyParts + 1]T // of the offset in nodes, by p/(1 + p) and d/p in equal steps
}

// EddySteps and EddyParts are the steps of the tables: what lies between is linear to some 1e-4 of a node.
const (
	EddySteps = 32
	EddyParts = 16
)

// newWallEddies is nil where the collision has no eddy viscosity.
func newWallEddies[T lbm.Float](d ib.Delta[T], c lbm.Collision) *WallEddies[T] {
	if c.Smagorinsky == 0 {
		return nil
	}
	odd, power := c.Odd()
	w := &WallEddies[T]{Viscosity: T(c.Viscosity()), Square: T(c.Smagorinsky * c.Smagorinsky), Odd: T(odd), Power: T(power)}
	lattice := 0.
	if power < 0 {
		lattice = odd
	}
	w.Lattice = T(lattice)
	for i := range w.Kink {
		x := math.Min(float64(i)/EddySteps, 1-1e-4)
		for j := range w.Kink[i] {
			p, part := max(x, 1e-14)/(1-x), max(float64(j)/EddyParts, 1e-3)
			kink, node := offsetInEddies(d, part*p, (1-part)*p, power, lattice)
			w.Kink[i][j], w.Node[i][j] = T(kink), T(node)
		}
	}
	return w
}

// offsetInEddies is the offset in nodes at d and m, without the lattice's part, and this over
// 2νt at the viscosity (1 + β)ν. The mean of the two stresses is that at which the slope found is m.
func offsetInEddies[T lbm.Float](delta ib.Delta[T], d, m, power, lattice float64) (kink, node float64) {
	full := 1 + spread(d, m)
	f := 2 * d * full
	at := func(mean float64) float64 {
		var slope float64
		kink, node, slope = ib.OffsetInEddies(delta, 64, f, mean, power, lattice)
		return slope*f - m
	}
	lo, hi := 0., m*(1+m)/f+1 // of the mean, over f
	for below, above := at(lo), at(hi); hi-lo > 1e-8*hi; {
		mid := lo - below*(hi-lo)/(above-below)
		if !(mid > lo && mid < hi) {
			mid = (lo + hi) / 2
		}
		v := at(mid)
		switch {
		case math.Abs(v) < 1e-7*(d+m):
			lo, hi = mid, mid
		case v < 0:
			lo, below, above = mid, v, above/2 // Illinois
		default:
			hi, above, below = mid, v, below/2
		}
	}
	return kink * full, node / math.Pow(full, power)
}

// spread is β at d and m.
func spread[T lbm.Float](d, m T) T {
	if d > m {
		return d + m*m/d
	}
	return 2 * m
}

// offset is e in nodes. Where the eddies are so viscous that the wall would be felt behind its
// markers it is 0: a slip along the wall that grows with its own friction has no solution.
func (w *WallEddies[T]) offset(d, m T) T {
	p := d + m
	x, i := p/(1+p)*EddySteps, EddySteps-1
	if x < EddySteps-1 { // else p may be infinite or not a number, and so is e
		i = max(0, int(x))
	}
	y, j := T(EddyParts)/2, EddyParts/2
	if p > 0 {
		y, j = d/p*EddyParts, EddyParts-1
	}
	if y < EddyParts-1 {
		j = max(0, int(y))
	}
	x, y = x-T(i), y-T(j)
	k, n := &w.Kink, &w.Node
	k0, k1 := k[i][j]+x*(k[i+1][j]-k[i][j]), k[i][j+1]+x*(k[i+1][j+1]-k[i][j+1])
	n0, n1 := n[i][j]+x*(n[i+1][j]-n[i][j]), n[i][j+1]+x*(n[i+1][j+1]-n[i][j+1])
	wall := (1 + spread(d, m)) * w.Viscosity
	t := w.Odd // of the wall's viscosity
	switch {
	case w.Power > 0:
		t *= wall
	case w.Power < 0:
		t /= wall
	}
	e := k0 + y*(k1-k0) - 2*wall*t*(n0+y*(n1-n0))
	if e < 0 {
		e = 0
	}
	return e
}

// Over is e/((1 + β)ν), in steps per node: over a marker's area it is Smear.Over.
func (w *WallEddies[T]) Over(d, m T) T { return w.offset(d, m) / ((1 + spread(d, m)) * w.Viscosity) }

// Slope is m where the velocity's slope is s, per step.
func (w *WallEddies[T]) Slope(s T) T { return s * w.Square / w.Viscosity }

// OfStress is d where the wall's force per area, over the density, is s.
func (w *WallEddies[T]) OfStress(s, m T) T {
	f := s * w.Square / (w.Viscosity * w.Viscosity)
	if f <= 2*m+4*m*m {
		return f / (2 + 4*m)
	}
	return (f - 2*m*m) / (1 + root(1+2*f-4*m*m))
}

// OfSlip is d of a marker that has exerted no force yet and feels the slip v, where the
// stress s takes away s·give of it, give being area/(2·weight): v = give·s + 2e d, and s and e
// depend on d. Since e does so weakly, few rounds find it; since it falls with d and ends at 0,
// they do not pass the solution.
func (w *WallEddies[T]) OfSlip(v, give, m T) (d T) {
	if v == 0 {
		return 0
	}
	v *= w.Square / w.Viscosity
	give *= w.Viscosity
	for range 20 {
		last, e := d, w.offset(d, m)
		d = v / (2 * (give*(1+2*m) + e))
		if !(d <= m) {
			b, rest := give+e, v-2*give*m*m
			d = rest / (b + root(b*b+2*give*rest))
		}
		if c := d - last; c*c <= 1e-20*d*d {
			break
		}
	}
	return d
}

func root[T lbm.Float](v T) T { return T(math.Sqrt(float64(v))) }

// along is the length of v's part along the wall at marker k.
func (s *wall[T]) along(v *[3]T, k int) T {
	var across, square T
	for a := range s.push {
		across += v[a] * s.normal[a][k]
	}
	for a := range s.push {
		d := v[a] - across*s.normal[a][k]
		square += d * d
	}
	return root(square)
}

// meetEddies sets what walls leave of slip beside an eddy viscosity: by the slip that
// markers feel before they exert a force, and then by the force.
func (s *wall[T]) meetEddies(before bool) {
	switch {
	case s.eddies == nil:
	case before:
		s.loops.Run(len(s.at), s.slopes)
		s.window.TellOwn(s.told)
		s.loops.Run(len(s.at), s.bySlip)
	default:
		s.loops.Run(len(s.at), s.byForce)
	}
}

// findSlopes finds the slopes at markers lo ≤ k < hi that this rank has, by one of the workers.
func (s *wall[T]) findSlopes(worker, lo, hi int) {
	for k := lo; k < hi; k++ {
		if s.area[k] > 0 && s.window.HasPoint(k) {
			s.slope[k] = s.eddies.Slope(s.shear(worker, k))
		}
	}
}

// eddiesBySlip is for the markers lo ≤ k < hi.
func (s *wall[T]) eddiesBySlip(lo, hi int) {
	for k := lo; k < hi; k++ {
		if area := s.area[k]; area > 0 {
			var v [3]T
			for a := range s.push {
				v[a] = s.velocity[a][k] - s.felt[1+a][k]
			}
			s.meet(k, s.eddies.OfSlip(s.along(&v, k), area/(2*s.weight[k]), s.slope[k]), s.weight[k])
		}
	}
}

// shear is the slope along the wall of the velocity û at marker k, on its way across the wall. A
// wall that turns with the fluid has none.
func (s *wall[T]) shear(worker, k int) T {
	var n [3]T
	for a := range s.push {
		n[a] = s.normal[a][k]
	}
	q := s.shears[worker].At(&s.window.Grid, s.window.Moments[1:], s.placed[k], &n)
	return s.along(&q, k)
}

// eddiesByForce is for the markers lo ≤ k < hi.
func (s *wall[T]) eddiesByForce(lo, hi int) {
	for k := lo; k < hi; k++ {
		if area := s.area[k]; area > 0 {
			var f [3]T
			for a := range s.push {
				f[a] = s.push[a][k]
			}
			s.meet(k, s.eddies.OfStress(s.along(&f, k)/(area*s.felt[0][k]), s.slope[k]), s.weight[k])
		}
	}
}

// meet makes d that of marker k, whose weight is ε.
func (s *wall[T]) meet(k int, d, weight T) {
	s.over[k] = s.eddies.Over(d, s.slope[k]) / s.area[k]
	s.share[k] = 1 / (1 + 2*weight*s.over[k])
}

// beside makes ready for eddies; nil is none.
func (s *wall[T]) beside(eddies *WallEddies[T]) {
	if s.eddies = eddies; eddies == nil {
		return
	}
	s.slope = make([]T, len(s.area))
	s.told = [][]T{s.slope}
	for range s.loops.Workers() {
		s.shears = append(s.shears, ib.NewShear(s.delta, eddies.Lattice))
	}
}
