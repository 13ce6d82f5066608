package hybrid

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/lbm"
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
func (c *Coupling[T]) contacts(t float64) error {
	for _, b := range c.bodies {
		if b.Free != nil {
			b.Free.contact = [6]float64{}
		}
	}
	if !(c.cfg.Contact.Distance > 0) {
		return nil
	}
	for i, b := range c.bodies {
		if b.Free != nil {
			if err := c.walls(b, t); err != nil {
				return err
			}
		}
		for _, o := range c.bodies[i+1:] {
			if b.Free == nil && o.Free == nil || !c.near(b, o, c.cfg.Contact.Distance+2) {
				continue
			}
			if err := c.pair(b, o, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// surface is the place on a body's surface in front of marker k.
func (b *Body) surface(k int) geometry.Vec {
	return b.Markers.X[k].Add(b.Markers.Normal[k].Scale(b.setBack))
}

// reach is the radius of a sphere around the body's centre that holds it.
func (b *Body) reach() float64 {
	if b.radius == 0 {
		center := b.State().Position
		for k := range b.Markers.X {
			b.radius = math.Max(b.radius, b.surface(k).Sub(center).Norm())
		}
	}
	return b.radius
}

// repulsion is the force of contact at a gap, in nodes.
func (c *Coupling[T]) repulsion(b *Body, gap float64) float64 {
	k, f := c.cfg.Contact, b.Free
	full := 2*f.mass*k.Speed*k.Speed/k.Distance + 10*math.Abs(f.mass-f.displaced)*f.Gravity.Norm()
	s := 1 - gap/k.Distance
	return k.Stiffness * full * s * s
}

// walls lets the domain's faces repel a body.
func (c *Coupling[T]) walls(b *Body, t float64) error {
	for a := range c.dim {
		if c.flow.Faces[2*a].Kind == lbm.Periodic {
			continue
		}
		for side, sign := range [2]float64{1, -1} {
			face := -0.5
			if side == 1 {
				face = float64(c.flow.Size[a]) - 0.5
			}
			gap := math.Inf(1)
			for k := range b.Markers.X {
				gap = math.Min(gap, sign*(b.surface(k)[a]-face))
			}
			if gap < -deepest {
				return &MotionError{b.Name, int64(t), fmt.Sprintf("body %q has moved %.3g nodes into face %s: raise ib.contact.stiffness, or keep the body away by its motion", b.Name, -gap, lbm.FaceNames[2*a+side])}
			}
			if gap < c.cfg.Contact.Distance {
				var f geometry.Vec
				f[a] = sign * c.repulsion(b, gap)
				b.Free.touch(f, c.footOn(b, a, face, sign).Sub(b.state.Position))
			}
		}
	}
	return nil
}

// footOn is where a face repels a body: the mean of the surface within the distance
// of contact, by how near it is. It does not jump as single markers come nearest.
func (c *Coupling[T]) footOn(b *Body, a int, face, sign float64) (foot geometry.Vec) {
	sum := 0.
	for k, area := range b.Markers.Area {
		x := b.surface(k)
		if s := 1 - sign*(x[a]-face)/c.cfg.Contact.Distance; s > 0 {
			foot = foot.Add(x.Scale(s * s * area))
			sum += s * s * area
		}
	}
	return foot.Scale(1 / sum)
}

// touch adds a force of contact at an arm from the centre.
func (f *Free) touch(force, arm geometry.Vec) {
	m := arm.Cross(force)
	for a := range 3 {
		f.contact[a] += force[a]
		f.contact[3+a] += m[a]
	}
}

// pair lets two bodies repel each other where they are near: at the mean of these
// places, which does not jump from marker to marker.
func (c *Coupling[T]) pair(b, o *Body, t float64) error {
	reach := c.cfg.Contact.Distance + 1
	shift := c.image(o.State().Position, b.State().Position).Sub(o.State().Position)
	facing := c.facing[:0]
	toOther := o.State().Position.Add(shift)
	for l := range o.Markers.X { // what of the other lies within our sphere
		if o.surface(l).Add(shift).Sub(b.State().Position).Norm() < b.reach()+reach {
			facing = append(facing, int32(l))
		}
	}
	c.facing = facing
	inward := 1.
	if o.Hollow || b.Hollow { // one in the other: its surface faces the other way
		inward = -1
	}
	least := math.Inf(1)
	var ours, theirs, toward geometry.Vec // means over the places that are in contact
	sum := 0.
	for k, area := range b.Markers.Area {
		x := b.surface(k)
		if x.Sub(toOther).Norm() > o.reach()+reach {
			continue
		}
		near, at := math.Inf(1), -1
		for _, l := range facing {
			if d := o.surface(int(l)).Add(shift).Sub(x); d.Dot(d) < near {
				near, at = d.Dot(d), int(l)
			}
		}
		if at < 0 {
			continue
		}
		y := o.surface(at).Add(shift)
		d := y.Sub(x)
		gap := math.Sqrt(near)
		// Surfaces that have passed through each other face away from each other.
		normal := b.Markers.Normal[k]
		if b.Hollow {
			normal = normal.Scale(-1)
		}
		if d.Dot(normal) < 0 && inward*o.Markers.Normal[at].Dot(b.Markers.Normal[k]) < 0 {
			gap, d = -gap, d.Scale(-1)
		}
		least = math.Min(least, gap)
		if s := 1 - gap/c.cfg.Contact.Distance; s > 0 {
			w := s * s * area
			ours, theirs, sum = ours.Add(x.Scale(w)), theirs.Add(y.Scale(w)), sum+w
			if n := d.Norm(); n > 0 {
				toward = toward.Add(d.Scale(w / n))
			} else {
				toward = toward.Add(normal.Scale(w))
			}
		}
	}
	if sum == 0 {
		return nil
	}
	gap := least
	if gap < -deepest {
		return &MotionError{b.Name, int64(t), fmt.Sprintf("bodies %q and %q have moved %.3g nodes into each other: raise ib.contact.stiffness, or change their motions", b.Name, o.Name, -gap)}
	}
	d := toward
	if n := d.Norm(); n > 0 {
		d = d.Scale(1 / n)
	}
	ours, theirs = ours.Scale(1/sum), theirs.Scale(1/sum).Sub(shift)
	size := 0.
	for _, one := range []*Body{b, o} {
		if one.Free != nil {
			size = math.Max(size, c.repulsion(one, gap))
		}
	}
	if b.Free != nil {
		b.Free.touch(d.Scale(-size), ours.Sub(b.state.Position))
	}
	if o.Free != nil {
		o.Free.touch(d.Scale(size), theirs.Sub(o.state.Position))
	}
	return nil
}
