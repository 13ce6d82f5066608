package rigid

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// Contact is a repulsion of short range that keeps freely moving bodies away from
// each other, from other bodies and from walls: within Distance of each other the
// nearest two places of two surfaces repel with
//
//	Stiffness · f (1 − gap/Distance)²
//
// as Glowinski et al., J. Comput. Phys. 169 (2001) 363, have for discs; f stops the
// body from Speed within the distance, and ten times its weight.
type Contact struct {
	Distance  float64 // nodes
	Stiffness float64
	Speed     float64 // of the flow
}

// deepest is how far, in nodes, two bodies may be pressed into each other.
const deepest = 1.0

// contacts finds the forces of contact on the freely moving bodies.
func (s *System) contacts(t float64) error {
	for _, b := range s.Bodies {
		if b.Free != nil {
			b.Free.contact = [6]float64{}
		}
	}
	s.closest = math.Inf(1)
	if !(s.contact.Distance > 0) {
		return nil
	}
	s.neighbours.Find(s.Bodies, s.contact.Distance+2)
	for i, b := range s.Bodies {
		if b.Free != nil {
			if err := s.walls(b, t); err != nil {
				return err
			}
		}
		for _, j := range s.neighbours.Of(i) {
			o := s.Bodies[j]
			bends := b.Structure != nil || o.Structure != nil // which has contact of its own
			if int(j) < i || bends || b.Free == nil && o.Free == nil || !s.near(b, o, s.contact.Distance+2) {
				continue
			}
			if err := s.pair(b, o, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// Surface is the place on a body's surface in front of marker k.
func (b *Body) Surface(k int) geometry.Vec {
	return b.Markers.X[k].Add(b.Markers.Normal[k].Scale(b.setBack))
}

// reach is the radius of a sphere around the body's centre that holds it.
func (b *Body) reach() float64 {
	if b.Structure != nil {
		return b.Structure.Reach()
	}
	if b.radius == 0 {
		center := b.Here().Position
		for k := range b.Markers.X {
			b.radius = math.Max(b.radius, b.Surface(k).Sub(center).Norm())
		}
	}
	return b.radius
}

// hollowRadius is the radius of a sphere around the body's centre that its surface does not
// come near: markers stand a node from each other, about.
func (b *Body) hollowRadius() float64 {
	if b.Structure != nil {
		return math.SmallestNonzeroFloat64
	}
	if b.hollow == 0 {
		center, least := b.Here().Position, math.Inf(1)
		for k := range b.Markers.X {
			least = math.Min(least, b.Surface(k).Sub(center).Norm())
		}
		b.hollow = math.Max(least-2, math.SmallestNonzeroFloat64)
	}
	return b.hollow
}

// repulsion is the force of contact at a gap, in nodes.
func (s *System) repulsion(b *Body, gap float64) float64 {
	k, f := s.contact, b.Free
	full := 2*f.mass*k.Speed*k.Speed/k.Distance + 10*math.Abs(f.mass-f.displaced)*f.Gravity.Norm()
	depth := 1 - gap/k.Distance
	return k.Stiffness * full * depth * depth
}

// walls lets the domain's faces repel a body.
func (s *System) walls(b *Body, t float64) error {
	for a := range s.domain.Dim {
		if s.domain.Periodic[a] {
			continue
		}
		for side, sign := range [2]float64{1, -1} {
			face := -0.5
			if side == 1 {
				face = float64(s.domain.Size[a]) - 0.5
			}
			gap := math.Inf(1)
			for k := range b.Markers.X {
				gap = math.Min(gap, sign*(b.Surface(k)[a]-face))
			}
			s.closest = math.Min(s.closest, gap)
			if gap < -deepest {
				return &MotionError{b.Name, int64(t), fmt.Sprintf("body %q has moved %.3g nodes into face %s: raise ib.contact.stiffness, or keep the body away by its motion", b.Name, -gap, s.domain.Faces[2*a+side])}
			}
			if gap < s.contact.Distance {
				var f geometry.Vec
				f[a] = sign * s.repulsion(b, gap)
				b.Free.Touch(f, s.footOn(b, a, face, sign).Sub(b.state.Position))
			}
		}
	}
	return nil
}

// footOn is where a face repels a body: the mean of the surface within the distance
// of contact, by how near it is. It does not jump as single markers come nearest.
func (s *System) footOn(b *Body, a int, face, sign float64) (foot geometry.Vec) {
	sum := 0.
	for k, area := range b.Markers.Area {
		x := b.Surface(k)
		if depth := 1 - sign*(x[a]-face)/s.contact.Distance; depth > 0 {
			foot = foot.Add(x.Scale(depth * depth * area))
			sum += depth * depth * area
		}
	}
	return foot.Scale(1 / sum)
}

// Touch adds a force of contact at an arm from the centre.
func (f *Free) Touch(force, arm geometry.Vec) {
	m := arm.Cross(force)
	for a := range 3 {
		f.contact[a] += force[a]
		f.contact[3+a] += m[a]
	}
}

// meeting is where two surfaces are within the distance of contact: means over all
// such places, which do not jump from marker to marker.
type meeting struct {
	ours, theirs geometry.Vec // on the two surfaces, as the first body sees them
	toward       geometry.Vec // from one to the other, of length one
	gap          float64      // the least; negative where they have passed through each other
}

// pair lets two bodies repel each other where they meet.
func (s *System) pair(b, o *Body, t float64) error {
	shift := s.image(o.Here().Position, b.Here().Position).Sub(o.Here().Position)
	at, ok := s.meet(b, o, shift)
	if !ok {
		s.closest = math.Min(s.closest, s.contact.Distance)
		return nil
	}
	s.closest = math.Min(s.closest, at.gap)
	if at.gap < -deepest {
		return &MotionError{b.Name, int64(t), fmt.Sprintf("bodies %q and %q have moved %.3g nodes into each other: raise ib.contact.stiffness, or change their motions", b.Name, o.Name, -at.gap)}
	}
	size := 0.
	for _, one := range []*Body{b, o} {
		if one.Free != nil {
			size = math.Max(size, s.repulsion(one, at.gap))
		}
	}
	if b.Free != nil {
		b.Free.Touch(at.toward.Scale(-size), at.ours.Sub(b.state.Position))
	}
	if o.Free != nil {
		o.Free.Touch(at.toward.Scale(size), at.theirs.Sub(shift).Sub(o.state.Position))
	}
	return nil
}

// meet finds where b meets the image of o that shift moves it to.
func (s *System) meet(b, o *Body, shift geometry.Vec) (m meeting, ok bool) {
	distance := s.contact.Distance
	facing := s.nearMarkers(b, o, shift)
	if len(facing) == 0 {
		return m, false
	}
	m.gap = math.Inf(1)
	middle, reach := o.Here().Position.Add(shift), o.reach()+distance+1
	sum := 0.
	for k, area := range b.Markers.Area {
		x := b.Surface(k)
		if x.Sub(middle).Norm() > reach {
			continue
		}
		near, at := math.Inf(1), -1
		for _, l := range facing {
			if d := o.Surface(int(l)).Add(shift).Sub(x); d.Dot(d) < near {
				near, at = d.Dot(d), int(l)
			}
		}
		gap := math.Sqrt(near)
		if gap > distance+1 {
			continue // nearMarkers may have left out others that are nearer
		}
		y := o.Surface(at).Add(shift)
		d := y.Sub(x)
		normal, other := b.outward(k), o.outward(at)
		if d.Dot(normal) < 0 && normal.Dot(other) < 0 { // passed through each other
			gap, d = -gap, d.Scale(-1)
		}
		m.gap = math.Min(m.gap, gap)
		if depth := 1 - gap/distance; depth > 0 {
			w := depth * depth * area
			m.ours, m.theirs, sum = m.ours.Add(x.Scale(w)), m.theirs.Add(y.Scale(w)), sum+w
			m.toward = m.toward.Add(unit(d, normal).Scale(w))
		}
	}
	if sum == 0 {
		return m, false
	}
	m.ours, m.theirs = m.ours.Scale(1/sum), m.theirs.Scale(1/sum)
	m.toward = unit(m.toward, m.toward)
	return m, true
}

// nearMarkers are the markers of o's image that lie near the sphere around b.
func (s *System) nearMarkers(b, o *Body, shift geometry.Vec) []int32 {
	s.facing = s.facing[:0]
	center, reach := b.Here().Position, b.reach()+s.contact.Distance+1
	for l := range o.Markers.X {
		if o.Surface(l).Add(shift).Sub(center).Norm() < reach {
			s.facing = append(s.facing, int32(l))
		}
	}
	return s.facing
}

// outward is the normal of marker k into the flow.
func (b *Body) outward(k int) geometry.Vec {
	if b.Hollow {
		return b.Markers.Normal[k].Scale(-1)
	}
	return b.Markers.Normal[k]
}

// unit is v at length one, or another vector where v has none.
func unit(v, otherwise geometry.Vec) geometry.Vec {
	if n := v.Norm(); n > 0 {
		return v.Scale(1 / n)
	}
	return otherwise
}
