package hybrid

import (
	"fmt"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
)

// structure is a body that bends, and what its markers feel.
type structure struct {
	body     *rigid.Body
	felt     []geometry.Vec
	reaction []float64
	share    []float64      // of it along the surface; nil: walls are not corrected
	added    []geometry.Vec // velocity of the surface beyond the structure's, in a soft start
	err      error
}

// findStructures finds the bodies that bend.
func (c *directForcing[T]) findStructures() {
	for _, b := range c.bodies {
		if b.Structure != nil {
			n := b.Markers.Len()
			s := &structure{body: b, felt: make([]geometry.Vec, n), reaction: make([]float64, n), added: make([]geometry.Vec, n)}
			if c.cfg.Offset != 0 {
				s.share = make([]float64, n)
			}
			c.bend = append(c.bend, s)
		}
	}
	n := c.loops.Workers()
	c.solve = func(w int) {
		for i := w; i < len(c.bend); i += n {
			c.moveStructure(c.bend[i])
		}
	}
	c.joinedWith = make([]*rigid.Joined, len(c.bodies))
	c.joined = rigid.Join(c.bodies)
	for _, j := range c.joined {
		for _, b := range slices.Concat(j.Bodies, j.Structures) {
			c.joinedWith[b.Index()] = j
		}
	}
	c.failures = make([]error, len(c.joined))
	c.join = func(w int) {
		for i := w; i < len(c.joined); i += n {
			c.failures[i] = c.moveGroup(c.joined[i])
		}
	}
}

// moveStructures finds the velocities after the step of bodies that bend, from what their markers feel. It is false where
// one has none.
func (c *directForcing[T]) moveStructures() bool {
	if len(c.bend) == 0 {
		return true
	}
	c.loops.Run(c.surface, c.solve)
	for _, s := range c.bend {
		if s.err != nil {
			c.failed = fmt.Errorf("body %q at step %d: %w", s.body.Name, int64(c.now), s.err)
			return false
		}
	}
	return true
}

// moveStructure finds the velocities of one. A marker's reaction is what direct forcing multiplies its slip with, so that the
// force that the structure expects is that which the fluid gets. In a soft start the surface moves with velocity w beyond the structure's:
// slip is U′ + w − Û, of which the structure knows U′ and feels Û − w, so that its equations are as stable as ever and momentum is kept.
func (c *directForcing[T]) moveStructure(s *structure) {
	first := s.body.First()
	for k := range s.felt {
		s.added[k], _ = s.body.Added(s.body.Markers.X[k], c.now)
		for a := range c.push {
			s.felt[k][a] = float64(c.felt[1+a][first+k]) - s.added[k][a]
		}
		s.reaction[k] = 2 * float64(c.felt[0][first+k]*c.weight[first+k])
		if s.share != nil {
			s.share[k] = float64(c.wall.share[first+k])
		}
	}
	if s.err = s.body.Structure.Solve(s.felt, s.reaction, s.share, c.now); s.err == nil && c.joinedWith[s.body.Index()] == nil {
		c.takeVelocities(s)
	}
}

// takeVelocities gives the markers of one their velocities.
func (c *directForcing[T]) takeVelocities(s *structure) {
	first := s.body.First()
	for k, u := range s.body.Structure.Velocities() {
		for a := range c.velocity {
			c.velocity[a][first+k] = T(u[a] + s.added[k][a])
		}
	}
}

// moveJoined finds the velocities after the step of freely moving bodies that hold what bends, and of that. It is false where there are none.
func (c *directForcing[T]) moveJoined() bool {
	if len(c.joined) == 0 {
		return true
	}
	c.loops.Run(c.surface, c.join)
	for _, err := range c.failures {
		if err != nil {
			c.failed = err
			return false
		}
	}
	return true
}

// moveGroup is moveJoined, of those that are joined with each other.
func (c *directForcing[T]) moveGroup(j *rigid.Joined) error {
	if err := j.Solve(c.now, c.dim); err != nil {
		return err
	}
	for _, b := range j.Bodies {
		c.setVelocity(b)
	}
	for _, s := range c.bend {
		if c.joinedWith[s.body.Index()] == j {
			c.takeVelocities(s)
		}
	}
	return nil
}
