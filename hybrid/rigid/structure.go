package rigid

import (
	"lbmib/geometry"
	"lbmib/geometry/kinematics"
)

// Structure moves the markers of a body that bends, each its own way; package flexible has such. A
// step of one is
//
//	Advance(t)   expects where it will be at time t, after all rigid bodies have been moved
//	Place        markers there
//	Solve        finds how its markers move after the step, and with it where they are, from what they feel
//
// The fluid feels its forces where it was expected, which differs by Δt² from where it comes to be.
type Structure interface {
	// Start puts it where it begins.
	Start() error
	// Advance expects where it will be at time t in steps. Its error is why it cannot be there.
	Advance(t float64) error
	// Place puts markers, and their normals, to where it is expected.
	Place(m *geometry.Markers)
	// Save keeps what Advance changes, for Restore.
	Save()
	Restore()
	// Load sets forces on markers, other than the fluid's, for the next step: of contact.
	Load(force []geometry.Vec)

	// Solve makes the step to time t. felt is the fluid's velocity at the markers as it is without
	// the structure, reaction what a marker gives the fluid by a unit of slip in it, 2ρε, and share how much
	// of that along its surface; nil: all. Of one that freely moving bodies hold it is a half of the step: see Pulling.
	Solve(felt []geometry.Vec, reaction, share []float64, t float64) error
	// Velocities are those of the markers after the last step.
	Velocities() []geometry.Vec
	// Gained is what the momentum of the fluid that it displaces has changed by over the last step,
	// about Center.
	Gained() Momentum

	// Center is its centre of mass, how that moves and how the structure has turned as a whole, Outline a line along it as it is now.
	Center() kinematics.State
	Outline() []geometry.Vec
	// Reach is the radius of a ball around any of its places that holds it, whatever its shape.
	Reach() float64
	// IsHeldBy tells whether a body holds it: the two may lie in each other.
	IsHeldBy(b *Body) bool

	// Keep appends its state for a checkpoint, StateLen values; Take takes them back.
	StateLen() int
	Keep(to []float64) []float64
	Take(from []float64) error
}

// fastest is the speed of the fastest marker of a structure.
func fastest(s Structure) (speed float64) {
	for _, u := range s.Velocities() {
		speed = max(speed, u.Norm())
	}
	return speed
}

// joined tells whether one of two bodies holds the other.
func joined(b, o *Body) bool {
	return b.Structure != nil && b.Structure.IsHeldBy(o) || o.Structure != nil && o.Structure.IsHeldBy(b)
}
