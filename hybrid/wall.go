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
	normal [3][]T // of every marker; 0 where a marker stands for two sides
	over   []T    // e/(νA), A the marker's area
	share  []T    // of direct forcing's coefficient that acts along the wall

	area   []T // of every marker; 0 where it stands for two sides
	eddies *WallEddies[T]
	slope  []T            // of every marker, beside eddies: see WallEddies
	shears []*ib.Shear[T] // of every worker
}

// newWall prepares the markers of all bodies; offset is e and viscosity ν.
func newWall[T lbm.Float](bodies []*rigid.Body, markers, dim int, offset, viscosity float64) *wall[T] {
	s := &wall[T]{over: make([]T, markers), share: make([]T, markers), area: make([]T, markers)}
	for a := range dim {
		s.normal[a] = make([]T, markers)
	}
	for _, b := range bodies {
		for k, area := range b.Markers.Area {
			if b.Markers.Normal[k].Norm() > 0 {
				s.area[b.First()+k], s.over[b.First()+k] = T(area), T(offset/(viscosity*area))
			}
		}
		s.turn(b)
	}
	return s
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

// weigh sets the shares for weights ε.
func (s *wall[T]) weigh(weight []T) {
	for k, e := range weight { // all of it inside bodies, where nothing is smeared
		s.share[k] = 1 / (1 + 2*e*s.over[k])
	}
}

// granted is the slip along the wall that the correction leaves the fluid at marker k, given
// the force that the marker exerts: e/(ρν) |f_t|.
func (c *directForcing[T]) granted(k int) float64 {
	if c.wall == nil {
		return 0
	}
	var push [3]T
	for a := range c.push {
		push[a] = c.push[a][k]
	}
	return float64(c.wall.over[k] / c.felt[0][k] * c.along(&push, k))
}

// slipTo is what marker k still lacks to its velocity, given the force that it
// already exerts.
func (c *directForcing[T]) slipTo(k int) (d [3]T) {
	s := c.wall
	var along [3]T
	var across T
	for a := range c.push {
		d[a] = c.velocity[a][k] - c.felt[1+a][k]
		along[a] = c.push[a][k]
		across += along[a] * s.normal[a][k]
	}
	over := s.over[k] / c.felt[0][k]
	for a := range c.push {
		d[a] -= over * (along[a] - across*s.normal[a][k])
	}
	return d
}

// addForcesAlong is addForces with walls that are smeared, of the markers lo ≤ k < hi. It
// is not finite where some force is not.
func (c *directForcing[T]) addForcesAlong(lo, hi int) (sum T) {
	s := c.wall
	for k := lo; k < hi; k++ {
		d := c.slipTo(k)
		var across T
		for a := range c.push {
			across += d[a] * s.normal[a][k]
		}
		full := 2 * c.felt[0][k] * c.weight[k]
		share := s.share[k]
		for a := range c.push {
			c.push[a][k] += full * (share*d[a] + (1-share)*across*s.normal[a][k])
			sum += c.push[a][k]
		}
	}
	return sum
}
