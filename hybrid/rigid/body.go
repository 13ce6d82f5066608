package rigid

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
)

// Body is an immersed body: a shape covered with markers, in node coordinates.
// It is fixed, unless Motion, Free or Structure is set before it is put into a fluid.
type Body struct {
	Name    string
	Shape   geometry.Shape   // as drawn, at t = 0
	Markers geometry.Markers // where they are now

	// Motion prescribes where the body is at time t in steps.
	Motion Motion
	// Free lets the fluid, gravity, springs and other bodies move it.
	Free *Free
	// Structure moves its markers one by one: the body bends.
	Structure Structure

	// Hollow bodies hold the flow that counts: the fluid inside is no part of them.
	Hollow bool

	// Damped makes the fluid inside move with the body, by forces that the body takes, where it
	// has nodes beyond the supports of its markers and nothing else in it: sound that a start at
	// once leaves there ends.
	Damped bool

	// Velocity takes the place of the velocity at a place of a body that does not
	// move freely, at time t in steps, as long as t < Moves. To that of a Structure, which the
	// fluid moves, it is added.
	Velocity func(x geometry.Vec, t float64) [3]float64
	Moves    float64

	index    int // among all bodies
	first    int // of its markers among those of all bodies
	state    kinematics.State
	drawn    geometry.Markers // relative to the centre, before any rotation
	turned   []geometry.Vec   // places of drawn, rotated by turnedBy
	turnedBy geometry.Mat
	inside   Inside
	holds    bool            // another body
	setBack  float64         // of markers behind the surface
	radius   float64         // see reach; 0: not known yet
	hollow   float64         // see hollowRadius; 0: not known yet
	checked  [2]geometry.Vec // the tips at the last check of overlaps
	seen     []geometry.Vec  // markers of a structure then
	flush    func()          // makes what has been left of the last step for later, or nil
}

// Index is the body's number in its System.
func (b *Body) Index() int { return b.index }

// First is the number of the body's first marker among those of its System.
func (b *Body) First() int { return b.first }

// OnState has a function called before State tells the velocity of a body that moves freely:
// what makes the steps may leave a part of the last one for later. nil: none.
func (b *Body) OnState(flush func()) { b.flush = flush }

// Motion is a prescribed motion: the state at time t in steps. It depends on t
// alone.
type Motion interface {
	At(t float64) kinematics.State
}

// NewBody samples a shape with markers about spacing nodes apart and sets them
// back from the surface by retraction nodes along its normal, or forward where it
// is negative: a diffuse boundary is felt in front of its markers, by ib.Offset.
// Where the body is thinner than that they move as far as it allows.
func NewBody(name string, shape geometry.Shape, spacing, retraction float64) (*Body, error) {
	if err := geometry.Check(shape); err != nil { // it may have been scaled
		return nil, fmt.Errorf("body %q: %w", name, err)
	}
	m, err := shape.Sample(spacing)
	if err != nil {
		return nil, fmt.Errorf("body %q: %w", name, err)
	}
	lo, hi := shape.Bounds()
	half := 0.
	for a := range shape.Dim() {
		half = math.Max(half, (hi[a]-lo[a])/2)
	}
	if retraction >= half {
		return nil, fmt.Errorf("body %q: markers set back by %g nodes from its surface would meet, it is only %.3g nodes from the middle: raise the resolution or set ib.retraction = 0", name, retraction, half)
	}
	m, _ = geometry.SetBack(m, retraction)
	return &Body{Name: name, Shape: shape, Markers: m, setBack: retraction}, nil
}

// Moving tells whether the body's place changes.
func (b *Body) Moving() bool { return b.Motion != nil || b.Free != nil || b.Structure != nil }

// IsMovedByFluid tells whether it is the fluid, not a prescribed motion, that moves the body.
func (b *Body) IsMovedByFluid() bool { return b.Free != nil || b.Structure != nil }

// State is where the body is and how it moves, in lattice units. A fixed body is
// where it was drawn.
func (b *Body) State() kinematics.State {
	if b.flush != nil && b.IsMovedByFluid() {
		b.flush() // its velocity is found last
	}
	return b.Here()
}

// Here is State, as far as it is known.
func (b *Body) Here() kinematics.State {
	if b.Structure != nil {
		return b.Structure.Center()
	}
	if b.Moving() {
		return b.state
	}
	return kinematics.State{Position: b.Shape.Center(), Rotation: geometry.Identity()}
}

// Outline is the body's section with the x–y plane through its centre, where it is
// now, as a polyline of about n segments.
func (b *Body) Outline(n int) []geometry.Vec {
	if b.Structure != nil {
		return b.Structure.Outline()
	}
	if !b.Moving() {
		return b.Shape.Outline(n)
	}
	here := b.state.Position.Sub(b.Shape.Center())
	line := b.Shape.Rotated(b.state.Rotation).Outline(n)
	for i := range line {
		line[i] = line[i].Add(here)
	}
	return line
}

// contains tells whether a point is inside the body where it is now.
func (b *Body) contains(x geometry.Vec) bool {
	if b.Structure != nil {
		return false
	}
	if b.Moving() {
		x = b.state.ToBody(x).Add(b.Shape.Center())
	}
	return b.Shape.Contains(x)
}

// start keeps how the body was drawn and puts it where it is at t = 0.
func (b *Body) start() error {
	b.state = kinematics.State{Position: b.Shape.Center(), Rotation: geometry.Identity()}
	if !b.Moving() {
		return nil
	}
	if b.Structure != nil {
		err := b.Structure.Start()
		b.Place()
		return err
	}
	if b.drawn.Len() == 0 {
		for k, x := range b.Markers.X {
			b.drawn.X = append(b.drawn.X, x.Sub(b.state.Position))
			b.drawn.Normal = append(b.drawn.Normal, b.Markers.Normal[k])
		}
	}
	b.turned, b.turnedBy = make([]geometry.Vec, b.drawn.Len()), geometry.Mat{} // not shared with a body that this is a copy of
	switch {
	case b.Motion != nil:
		b.state = b.Motion.At(0)
	default:
		b.Free.start(b.Shape, &b.state)
	}
	b.Place()
	return nil
}

// Place moves the markers to where the body is.
func (b *Body) Place() {
	if b.Structure != nil {
		b.Structure.Place(&b.Markers)
		return
	}
	if b.state.Rotation != b.turnedBy {
		b.turnedBy = b.state.Rotation
		b.turnedBy.ApplyAll(b.turned, b.drawn.X)
		b.turnedBy.ApplyAll(b.Markers.Normal, b.drawn.Normal)
	}
	x, y, z := b.state.Position[0], b.state.Position[1], b.state.Position[2]
	to := b.Markers.X[:len(b.turned)]
	for k, r := range b.turned {
		to[k] = geometry.Vec{x + r[0], y + r[1], z + r[2]}
	}
}

// Extent is how far the markers reach along an axis.
func (b *Body) Extent(a int) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for k := range b.Markers.X {
		least, most = math.Min(least, b.Markers.X[k][a]), math.Max(most, b.Markers.X[k][a])
	}
	return least, most
}

// VelocityAt is that of a place on the body, or inside, at time t.
func (b *Body) VelocityAt(x geometry.Vec, t float64) (u geometry.Vec) {
	switch {
	case b.Structure != nil:
		return b.Structure.Center().Velocity
	case b.Carries(t):
		return b.state.VelocityAt(x)
	case t < b.Moves:
		return b.Velocity(x, t)
	}
	return u
}

// Added is what the velocity of a structure's surface at x is beyond its own at time t: the fluid then feels it as if it moved
// by so much more, and it feels the fluid as if that moved by so much less.
func (b *Body) Added(x geometry.Vec, t float64) (u geometry.Vec, any bool) {
	if b.Velocity == nil || t >= b.Moves {
		return u, false
	}
	return b.Velocity(x, t), true
}

// Carries tells whether the velocity of the body's markers is the body's at time t.
func (b *Body) Carries(t float64) bool {
	return b.Moving() && b.Structure == nil && (b.Free != nil || b.Velocity == nil || t >= b.Moves)
}
