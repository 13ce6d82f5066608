package rigid

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
)

// Domain is the box that bodies are in: nodes 0 … Size−1 along each of Dim axes, and faces
// half a node beyond the first and the last, but for periodic axes.
type Domain struct {
	Dim      int
	Size     [3]int
	Periodic [3]bool
	Faces    [6]string // names: of the low and the high face of each axis
}

// System is the bodies of a domain. A step of it is
//
//	Save()       what a step changes
//	Advance(t)   bodies to where they are at time t
//	Place()      of each body: its markers along
//	Check(t)     refuses places where bodies cannot be, and finds the forces of contact
//
// after which Restore takes the step back, should something else refuse it. Solve and
// StoreResidual of the free bodies end it, once it is known what their markers feel and give; Joined solves for those that hold structures,
// after Solve of these.
type System struct {
	Bodies []*Body

	domain     Domain
	contact    Contact
	moves      bool // some body does
	frees      bool // some body moves freely
	markers    int
	neighbours Neighbours
	facing     []int32 // markers near another body
	closest    float64 // least gap where there may be contact; −∞: not known
	before     []snapshot
}

// snapshot is what a step changes of a body.
type snapshot struct {
	state   kinematics.State
	free    Free
	checked [2]geometry.Vec
	reach   float64 // how far the next step may take it, in nodes
}

// MotionError is a body that has moved to where it cannot be.
type MotionError struct {
	Body string
	Step int64
	Msg  string
}

func (e *MotionError) Error() string { return fmt.Sprintf("step %d: %s", e.Step, e.Msg) }

// NewSystem puts bodies where they begin, and refuses those that cannot be there together.
func NewSystem(bodies []*Body, domain Domain, contact Contact) (*System, error) {
	s := &System{Bodies: bodies, domain: domain, contact: contact, closest: math.Inf(-1),
		neighbours: NewNeighbours(domain), before: make([]snapshot, len(bodies))}
	for i, b := range bodies {
		if err := b.start(); err != nil {
			return nil, fmt.Errorf("body %q: %w", b.Name, err)
		}
		b.index, b.first, b.holds = i, s.markers, false
		s.markers += b.Markers.Len()
		s.moves, s.frees = s.moves || b.Moving(), s.frees || b.Free != nil
	}
	for _, b := range bodies {
		for _, of := range pulled(b) {
			if of != nil {
				of.Free.joined = true
			}
		}
	}
	if err := Finite(bodies, 0); err != nil {
		return nil, err
	}
	return s, s.apart()
}

// Moves tells whether the place of some body changes, Frees whether the fluid moves one.
func (s *System) Moves() bool { return s.moves }
func (s *System) Frees() bool { return s.frees }

// Markers is the number of markers of all bodies.
func (s *System) Markers() int { return s.markers }

// Save keeps what a step changes, for Restore.
func (s *System) Save() {
	for i, b := range s.Bodies {
		s.before[i].state, s.before[i].checked = b.state, b.checked
		switch {
		case b.Free != nil:
			s.before[i].free = *b.Free
		case b.Structure != nil:
			b.Structure.Save()
		}
	}
}

// Restore takes the step since Save back.
func (s *System) Restore() {
	for i, b := range s.Bodies {
		if !b.Moving() {
			continue
		}
		b.state, b.checked = s.before[i].state, s.before[i].checked
		if b.Free != nil {
			*b.Free = s.before[i].free
		}
		if b.Structure == nil {
			b.Place()
		}
	}
	for _, b := range s.Bodies { // held by others
		if b.Structure != nil {
			b.Structure.Restore()
			b.Place()
		}
	}
}

// Advance moves the bodies to where they are at time t. Their markers stay: see Body.Place. Its error, a
// *MotionError, is a structure that cannot be there.
func (s *System) Advance(t float64) error {
	for _, b := range s.Bodies {
		switch {
		case b.Motion != nil:
			b.state = b.Motion.At(t)
		case b.Free != nil:
			b.Free.advance(t)
		}
	}
	for _, b := range s.Bodies { // held by others
		if b.Structure != nil {
			if err := b.Structure.Advance(t); err != nil {
				return &MotionError{b.Name, int64(t), fmt.Sprintf("body %q: %v", b.Name, err)}
			}
		}
	}
	return nil
}

// Check finds the forces of contact at time t. Its error, a *MotionError, is a body where it
// cannot be.
func (s *System) Check(t float64) error {
	if err := Finite(s.Bodies, int64(t)); err != nil {
		return &MotionError{Step: int64(t), Msg: err.Error()}
	}
	if err := s.contacts(t); err != nil {
		return err
	}
	return s.checkOverlaps(t)
}

// Shift moves all bodies, which move freely, along an axis, as a domain does that moves the other way.
func (s *System) Shift(axis int, by float64) {
	for _, b := range s.Bodies {
		b.state.Position[axis] += by
		b.Free.home[axis] += by
		for k := range b.checked {
			b.checked[k][axis] += by
		}
		b.Place()
	}
}

// Finite refuses markers without a position, or so far away that nodes there cannot be
// numbered, at a step.
func Finite(bodies []*Body, step int64) error {
	for _, b := range bodies {
		for k, x := range b.Markers.X {
			if !(math.Abs(x[0]) <= geometry.MaxCoordinate && math.Abs(x[1]) <= geometry.MaxCoordinate && math.Abs(x[2]) <= geometry.MaxCoordinate) {
				return fmt.Errorf("body %q: marker %d is at x = %g, y = %g, z = %g nodes at step %d: positions must be finite and within ±%.3g, its shape or motion is wrong", b.Name, k, x[0], x[1], x[2], step, float64(geometry.MaxCoordinate))
			}
		}
	}
	return nil
}

// State is what a checkpoint holds of all moving bodies, at time t.
func (s *System) State(t float64) []float64 {
	state := []float64{t}
	for _, b := range s.Bodies {
		switch {
		case b.Free != nil:
			state = b.Free.keep(state)
		case b.Structure != nil:
			state = b.Structure.Keep(state)
		}
	}
	return state
}

// SetState restores what State returned for the same bodies.
func (s *System) SetState(state []float64) error {
	want := 1
	for _, b := range s.Bodies {
		switch {
		case b.Free != nil:
			want += b.Free.stateLen()
		case b.Structure != nil:
			want += b.Structure.StateLen()
		}
	}
	if len(state) != want {
		return fmt.Errorf("the motions of other bodies: %d values, the bodies here have %d: resume with the case that wrote them", len(state), want)
	}
	t, from := state[0], state[1:]
	for _, b := range s.Bodies {
		switch {
		case b.Free != nil:
			n := b.Free.stateLen()
			b.Free.restore(from[:n])
			from = from[n:]
		case b.Structure != nil:
			n := b.Structure.StateLen()
			if err := b.Structure.Take(from[:n]); err != nil {
				return fmt.Errorf("body %q: %w", b.Name, err)
			}
			from = from[n:]
		case b.Motion != nil:
			b.state = b.Motion.At(t)
		default:
			continue
		}
		b.Place()
	}
	return nil
}
