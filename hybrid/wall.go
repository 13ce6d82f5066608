package hybrid

import (
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/lbm"
)

// wall is what a diffuse wall does to the velocity that its markers feel. Where the
// flow along a wall has slopes that differ by κ between the two sides, the velocity
// interpolated at the wall exceeds that of the two linear profiles there by e·κ, e
// being ib.Offset: kernels smear the kink. The wall's force per area on the fluid is
// f = −ρν·κ. So a marker is not brought to the wall's velocity U_d but to
//
//	U_d − e/(ρν) f_t,
//
// f_t the part of f along the wall, and the profiles meet the wall where it is. On
// neither side is the fluid felt before the wall, so plates need no thickness, and
// the fluid inside a body is left at rest. The condition is implicit in f: a slip
// along the wall meets a friction of ρν/e, in series with that of direct forcing.
// Across the wall there is no kink, and the velocity is U_d. Beside an eddy viscosity ν and
// e are those at the wall, which depend on f and on the slope there (WallEddies).
type wall[T lbm.Float] struct {
	*points[T]
	velocity [][]T // of each: U_d
	weight   []T   // of each: ε

	normal [3][]T // of every marker; 0 where a marker stands for two sides
	over   []T    // e/(νA), A the marker's area and ν the viscosity there
	share  []T    // of direct forcing's coefficient that acts along the wall

	slopes  func(worker int) // the slopes beside an eddy viscosity: a loop over points
	bySlip  func(worker int) // what is left of it there, before a force
	byForce func(worker int) // the same, by the force

	area   []T             // of every marker; 0 where it stands for two sides
	inside *viscosities[T] // of cells beside, which the wall may be in; nil: all fluid is alike
	eddies *WallEddies[T]
	slope  []T            // of every marker, beside eddies: see WallEddies
	told   [][]T          // these
	shears []*ib.Shear[T] // of every worker
}

// newWall prepares the walls of direct forcing; its weights are not known yet.
func newWall[T lbm.Float](c *directForcing[T]) *wall[T] {
	n := len(c.at)
	s := &wall[T]{points: c.points, velocity: c.velocity, weight: c.weight, over: make([]T, n), share: make([]T, n), area: make([]T, n)}
	for a := range c.dim {
		s.normal[a] = make([]T, n)
	}
	s.slopes = c.overPoints(s.findSlopes)
	s.bySlip = c.overPoints(func(_, lo, hi int) { s.eddiesBySlip(lo, hi) })
	s.byForce = c.overPoints(func(_, lo, hi int) { s.eddiesByForce(lo, hi) })
	s.beside(newWallEddies(c.delta, c.flow.Collision))
	for _, b := range c.bodies {
		for k, area := range b.Markers.Area {
			if b.Markers.Normal[k].Norm() > 0 {
				s.area[b.First()+k] = T(area)
			}
		}
		s.turn(b)
	}
	s.setSlip()
	return s
}

// setSlip sets the slip per force of all markers.
func (s *wall[T]) setSlip() {
	offset, viscosity := s.cfg.Offset, s.flow.Collision.Viscosity()
	for _, b := range s.bodies {
		for k, area := range b.Markers.Area {
			if b.Markers.Normal[k].Norm() == 0 {
				continue
			}
			over := T(offset / (viscosity * area))
			if s.inside != nil {
				over /= s.inside.at(b.Markers.X[k])
			}
			s.over[b.First()+k] = over
		}
	}
}

// turn sets the normals of a body's markers.
func (s *wall[T]) turn(b *rigid.Body) {
	for k, n := range b.Markers.Normal {
		for a := range s.normal {
			if s.normal[a] != nil {
				s.normal[a][b.First()+k] = T(n[a])
			}
		}
	}
}

// follow makes normals and shares those of where the markers are, of their weights there, and of the viscosity around them.
func (s *wall[T]) follow() {
	if s.inside != nil {
		s.setSlip()
	}
	for _, b := range s.bodies {
		if b.Moving() {
			s.turn(b)
		}
	}
	s.weigh()
}

// weigh sets the shares for the weights.
func (s *wall[T]) weigh() {
	for k, e := range s.weight { // all of it inside bodies, where nothing is smeared
		s.share[k] = 1 / (1 + 2*e*s.over[k])
	}
}

// granted is the slip along the wall that the correction leaves the fluid at marker k, given
// the force that the marker exerts: e/(ρν) |f_t|.
func (s *wall[T]) granted(k int) float64 {
	var push [3]T
	for a := range s.push {
		push[a] = s.push[a][k]
	}
	return float64(s.over[k] / s.felt[0][k] * s.along(&push, k))
}

// slipTo is what marker k still lacks to its velocity, given the force that it
// already exerts.
func (s *wall[T]) slipTo(k int) (d [3]T) {
	var along [3]T
	var across T
	for a := range s.push {
		d[a] = s.velocity[a][k] - s.felt[1+a][k]
		along[a] = s.push[a][k]
		across += along[a] * s.normal[a][k]
	}
	over := s.over[k] / s.felt[0][k]
	for a := range s.push {
		d[a] -= over * (along[a] - across*s.normal[a][k])
	}
	return d
}

// addForces is directForcing.addForces with walls that are smeared, of the markers lo ≤ k < hi. It
// is not finite where some force is not.
func (s *wall[T]) addForces(lo, hi int) (sum T) {
	for k := lo; k < hi; k++ {
		d := s.slipTo(k)
		var across T
		for a := range s.push {
			across += d[a] * s.normal[a][k]
		}
		full := 2 * s.felt[0][k] * s.weight[k]
		share := s.share[k]
		for a := range s.push {
			s.push[a][k] += full * (share*d[a] + (1-share)*across*s.normal[a][k])
			sum += s.push[a][k]
		}
	}
	return sum
}
