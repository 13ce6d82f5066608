package ellipsoid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// Packing fills boxes: particles begin small, at random places and in random directions, and grow while they push each other away. Steps are those
// of steepest descent in the energy of the repulsion with ε = 1 everywhere, of a bounded length.
const (
	packBegin  = 0.4  // of their size
	packGrowth = 1.02 // from stage to stage
	packRounds = 12   // of descent, of a stage
	packLast   = 4000 // of descent when grown, at most
	packStep   = 4e-4 // of descent: σ₀² times that per force; curvatures of the energy are 456/σ₀² of a pair in contact
	packMost   = 0.05 // of the smaller semi-axis, the longest way in a round, and of the equator's radius on the rim
)

// Pack places the particles of a system without overlap (R ≥ σ of all pairs, and outside walls), from a seed. Velocities become zero.
// The same seed gives the same places for any number of workers. Its error tells how far it came.
func (s *System) Pack(seed uint64) error {
	p, err := New(s.packing(), s.Len(), s.loops)
	if err != nil {
		return err
	}
	if err := p.scatter(rand.New(rand.NewPCG(seed, 0x656c6c6970736f69))); err != nil {
		return err
	}
	for size := packBegin; size < 1; size *= packGrowth {
		if err := p.resize(size); err != nil {
			return err
		}
		for range packRounds {
			p.descend()
		}
	}
	if err := p.resize(1); err != nil {
		return err
	}
	for range packLast {
		if p.Forces(); p.Overlaps() == 0 {
			for i := range s.X {
				s.X[i], s.Axes[i], s.V[i], s.L[i], s.Turns[i] = p.X[i], p.Axes[i], geometry.Vec{}, geometry.Vec{}, [3]int32{}
			}
			s.sort()
			return nil
		}
		p.descend()
	}
	return fmt.Errorf("ellipsoid: %d particles, %.1f %% of the box, could not be placed without overlap: %d still touch after %d rounds: ask for fewer, or for another seed",
		s.Len(), 100*float64(s.Len())*s.cfg.Shape.Volume()/float64(s.cfg.Size[0]*s.cfg.Size[1]*s.cfg.Size[2]), p.Overlaps(), packLast)
}

// packing is the configuration of particles that are packed.
func (s *System) packing() Config {
	c := s.cfg
	c.Repulsion, c.Force, c.Mass = Repulsion{Strength: 1, Ratio: 1, Mu: 1}, geometry.Vec{}, 1
	return c
}

// scatter puts particles of their first size anywhere outside walls.
func (s *System) scatter(r *rand.Rand) error {
	const tries = 10_000
	margin := packBegin * max(s.cfg.Shape.Equatorial, s.cfg.Shape.Polar)
	free := func(x geometry.Vec) bool {
		for _, w := range s.walls {
			if d, _ := w(x); d < margin {
				return false
			}
		}
		return true
	}
	for i := range s.X {
		found := false
		for try := 0; try < tries && !found; try++ {
			for a, n := range s.cfg.Size {
				s.X[i][a] = r.Float64()*float64(n) - 0.5
			}
			found = free(s.X[i])
		}
		if !found {
			return fmt.Errorf("ellipsoid: %d tries found no place for particle %d that is %.3g nodes from all walls: use smaller ones or wider vessels", tries, i, margin)
		}
		s.Axes[i] = NewAxes(geometry.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
	}
	s.Moved()
	return nil
}

// resize makes laws those of particles of a part of their size. Lists reach as far as those of their whole size.
func (s *System) resize(part float64) (err error) {
	shape := Shape{part * s.cfg.Shape.Equatorial, part * s.cfg.Shape.Polar}
	if s.law, err = newGayBerne(shape, s.cfg.Repulsion); err != nil {
		return err
	}
	s.wall = newWallLaw(shape, &s.law)
	return nil
}

// descend moves particles along their forces, and turns them along their torques.
func (s *System) descend() {
	s.Forces()
	rate := packStep * s.law.sigma0 * s.law.sigma0
	radius := s.law.sigma0 / 2
	most := packMost * min(s.cfg.Shape.Equatorial, s.cfg.Shape.Polar)
	workers := s.loops.Workers()
	s.loops.Run(s.Len(), func(w int) {
		lo, hi := parallel.Share(s.Len(), w, workers)
		for i := lo; i < hi; i++ {
			move := bounded(s.force[i].Scale(rate), most)
			s.X[i] = s.X[i].Add(move)
			s.lists.box.wrap(&s.X[i], &s.Turns[i])
			turn := bounded(s.torque[i].Scale(rate/(radius*radius)), most/radius)
			s.Axes[i] = NewAxes(s.Axes[i][2].Add(turn.Cross(s.Axes[i][2])))
		}
	})
}

// bounded is a vector, of a length of most at most.
func bounded(v geometry.Vec, most float64) geometry.Vec {
	if n := v.Norm(); n > most {
		return v.Scale(most / n)
	} else if !(n <= most) { // centres that coincide
		return geometry.Vec{most}
	}
	return v
}

// Overlaps is the number of particles whose surface is within another's or a wall: R < σ. Forces is called before it.
func (s *System) Overlaps() (count int) {
	l := s.lists
	slot := 0
	for w := range l.shares {
		own := &l.shares[w]
		for k := range len(own.from) - 1 {
			if s.overlaps(&l.places[slot], own.near[own.from[k]:own.from[k+1]]) {
				count++
			}
			slot++
		}
	}
	return count
}

func (s *System) overlaps(me *place, near []int32) bool {
	for _, j := range near {
		o := &s.lists.places[j]
		d := s.lists.box.apart(&me.x, &o.x)
		r := d.Norm()
		if r < s.law.reach && r < s.law.contact(d.Dot(me.axis)/r, d.Dot(o.axis)/r, me.axis.Dot(o.axis)) {
			return true
		}
	}
	for _, wall := range s.walls {
		d, n := wall(me.x)
		along := n.Dot(me.axis)
		if d < math.Sqrt(s.wall.equatorial2+s.wall.difference*along*along) {
			return true
		}
	}
	return false
}

// Repeat fills a box with copies of another system's particles side by side, whose box is periodic and goes a whole number of times into this one's along each
// axis: many particles for the effort of packing few. Velocities become zero.
func (s *System) Repeat(tile *System) error {
	copies, count := [3]int{}, tile.Len()
	for a, n := range s.cfg.Size {
		of := tile.cfg.Size[a]
		copies[a] = n / of
		if copies[a]*of != n || !tile.cfg.Periodic[a] {
			return fmt.Errorf("ellipsoid: a periodic box of %v nodes does not fill one of %v: choose multiples", tile.cfg.Size, s.cfg.Size)
		}
		count *= copies[a]
	}
	if count != s.Len() || tile.cfg.Shape != s.cfg.Shape {
		return fmt.Errorf("ellipsoid: copies of %d particles side by side are %d, here are %d: make as many, and alike", tile.Len(), count, s.Len())
	}
	i := 0
	for z := range copies[2] {
		for y := range copies[1] {
			for x := range copies[0] {
				shift := geometry.Vec{float64(x * tile.cfg.Size[0]), float64(y * tile.cfg.Size[1]), float64(z * tile.cfg.Size[2])}
				for k := range tile.X {
					s.X[i], s.Axes[i], s.V[i], s.L[i], s.Turns[i] = tile.X[k].Add(shift), tile.Axes[k], geometry.Vec{}, geometry.Vec{}, [3]int32{}
					i++
				}
			}
		}
	}
	s.sort()
	return nil
}

// sort numbers particles that have just been placed by cells, plane by plane: those near in space are near in memory then, and for long.
func (s *System) sort() {
	l := s.lists
	s.Moved()
	l.update(s.loops)
	x, axes := slices.Clone(s.X), slices.Clone(s.Axes)
	for k, i := range l.slot {
		s.X[k], s.Axes[k] = x[i], axes[i]
	}
	s.Moved()
}
