package kinematics

import "lbmib/geometry"

// State is where a rigid body is and how it moves. Rotation turns the body from
// how it was drawn; Position is where its centre is.
type State struct {
	Position, Velocity geometry.Vec
	Rotation           geometry.Mat
	Spin               geometry.Vec // angular velocity
}

// ToSpace is the place of a point of the body, given relative to its centre as drawn.
func (s *State) ToSpace(r geometry.Vec) geometry.Vec { return s.Position.Add(s.Rotation.Apply(r)) }

// ToBody is the inverse of ToSpace.
func (s *State) ToBody(x geometry.Vec) geometry.Vec {
	return s.Rotation.Transpose().Apply(x.Sub(s.Position))
}

// VelocityAt is the velocity of the body at a point x.
func (s *State) VelocityAt(x geometry.Vec) geometry.Vec {
	return s.Velocity.Add(s.Spin.Cross(x.Sub(s.Position)))
}

// Rigid is a prescribed motion of a body drawn with its centre at Center. It turns
// by Turn about the unit vector Axis through Pivot, and the pivot moves by Shift.
// Tracks that are nil rest.
type Rigid struct {
	Center, Pivot geometry.Vec
	Axis          geometry.Vec
	Shift         [3]Track
	Turn          Track
}

// At is the state at time t.
func (r *Rigid) At(t float64) State {
	s := State{Rotation: geometry.Identity()}
	pivot, speed := r.Pivot, geometry.Vec{}
	for a, track := range r.Shift {
		if track != nil {
			d, v := track.At(t)
			pivot[a] += d
			speed[a] = v
		}
	}
	if r.Turn != nil {
		angle, rate := r.Turn.At(t)
		s.Rotation = geometry.Rotation(r.Axis, angle)
		s.Spin = r.Axis.Scale(rate)
	}
	arm := s.Rotation.Apply(r.Center.Sub(r.Pivot))
	s.Position = pivot.Add(arm)
	s.Velocity = speed.Add(s.Spin.Cross(arm))
	return s
}
