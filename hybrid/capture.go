package hybrid

import (
	"slices"
	"sync"

	"lbmib/geometry/kinematics"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// Captures set the state of fluid and bodies aside, to be copied out while steps go on,
// where the fluid is one that can (lbm.Capturer). They return at once, but that what a
// schedule has left of the last step for later is done first; a device's coupling is
// captured as the fluid is. They are nil where state or fields are to be read as ever:
// from the simulation, before it goes on.

// CapturedState is what a checkpoint holds. One goroutine at a time may use it, any.
type CapturedState[T lbm.Float] struct {
	lbm.CapturedState[T]

	Rigid    []float64 // that of Simulation.Rigid
	Flexible []float64 // that of Simulation.Flexible

	flow   *lbm.Config
	bodies *capturedBodies[T]
}

// CaptureState sets aside all that a run goes on from: populations, open faces, Held,
// Rigid and Flexible. A capture must be released before the next.
func (s *Simulation[T]) CaptureState() *CapturedState[T] {
	c, ok := s.fluid.(lbm.Capturer[T])
	if !ok {
		return nil
	}
	s.complete()
	fluid := c.CaptureState()
	if fluid == nil {
		return nil
	}
	out := &CapturedState[T]{CapturedState: fluid, flow: s.fluid.Config(), bodies: s.captureBodies()}
	if s.coupling != nil && s.coupling.system.Moves() {
		s.schedule.storeResiduals()
		out.Rigid = s.coupling.system.State(float64(s.fluid.Steps()))
	}
	out.Flexible = s.Flexible()
	return out
}

// Parts are those of the fluid: one, of all that can be captured.
func (c *CapturedState[T]) Parts() []lbm.Part { return []lbm.Part{{Width: 1, Hi: c.flow.Size}} }

// PartPopulation is lbm.PartPopulation.
func (c *CapturedState[T]) PartPopulation(_, i int, dst []T) error { return c.Population(i, dst) }

// Held is that of Simulation.Held.
func (c *CapturedState[T]) Held() ([][]T, error) {
	if c.bodies == nil {
		return nil, nil
	}
	return c.bodies.support()
}

// Release lets the memory of all of it be used again.
func (c *CapturedState[T]) Release() {
	c.CapturedState.Release()
	c.bodies.release()
}

// CapturedBoxes are density and velocity of boxes, and the traction on bodies. One
// goroutine at a time may use them, any.
type CapturedBoxes[T lbm.Float] struct {
	fluid  lbm.CapturedBoxes[T]
	flow   *lbm.Config
	boxes  []lbm.Box
	bodies *capturedBodies[T]
}

// CaptureBoxes sets density and physical velocity of boxes aside, as Box reads them, and
// Traction. A capture must be released before the next.
func (s *Simulation[T]) CaptureBoxes(boxes []lbm.Box) *CapturedBoxes[T] {
	c, ok := s.fluid.(lbm.Capturer[T])
	if !ok {
		return nil
	}
	s.complete()
	fluid := c.CaptureBoxes(boxes)
	if fluid == nil {
		return nil
	}
	return &CapturedBoxes[T]{fluid, s.fluid.Config(), slices.Clone(boxes), s.captureBodies()}
}

// Box is the k-th box, with the bodies' forces accounted for. Destinations may be nil.
func (c *CapturedBoxes[T]) Box(k int, rho []T, u [][]T) error {
	if err := c.fluid.Box(k, rho, u); err != nil || c.bodies == nil || u == nil {
		return err
	}
	held, err := c.bodies.support()
	if err != nil {
		return err
	}
	patch.HalfForce(c.flow, c.boxes[k], u, c.bodies.nodes, c.bodies.at, held[0], held[1:])
	return nil
}

// State is where body i is and how it moves.
func (c *CapturedBoxes[T]) State(i int) kinematics.State { return c.bodies.states[i] }

// Traction is the force per area on body i's markers, one slice per axis.
func (c *CapturedBoxes[T]) Traction(i int) ([][]T, error) {
	push, err := c.bodies.forces()
	if err != nil {
		return nil, err
	}
	return traction(c.bodies.of[i], push), nil
}

// Release lets the memory of all of it be used again.
func (c *CapturedBoxes[T]) Release() {
	c.fluid.Release()
	c.bodies.release()
}

// PendingHealth is the health of the state at hand.
func (s *Simulation[T]) PendingHealth() lbm.Pending[lbm.Health] {
	s.complete()
	if c, ok := s.fluid.(lbm.Capturer[T]); ok {
		return c.PendingHealth()
	}
	return lbm.Done(s.fluid.Health())
}

// Complete makes the state of the fluid, and where bodies are, that after the last step: what a capture
// begins with, and what chooses the boxes of one by the places of markers.
func (s *Simulation[T]) Complete() { s.complete() }

func (s *Simulation[T]) complete() {
	if s.schedule != nil {
		s.schedule.complete()
	}
}

// capturedBodies is what bodies did in a step.
type capturedBodies[T lbm.Float] struct {
	of        []*rigid.Body
	states    []kinematics.State
	dim       int
	markers   int
	order     []int32 // of the device's support nodes in Held
	nodes, at []int32 // the support in that order, and its places there

	mu     sync.Mutex
	device CapturedReading[T] // nil: it has all been read
	held   [][]T              // of the support nodes: ρ and force density
	push   [][]T              // of the markers
}

// captureBodies sets aside what bodies did in the last step; nil without bodies.
func (s *Simulation[T]) captureBodies() *capturedBodies[T] {
	c := s.coupling
	if c == nil {
		return nil
	}
	b := &capturedBodies[T]{of: s.Bodies, dim: c.dim, markers: len(c.at)}
	if s.trial == nil { // which may do without the device at its end
		b.device = s.schedule.capture()
	}
	if b.device == nil {
		s.Flush() // by which the window may be another
	}
	b.order = c.window.Order()
	for _, body := range s.Bodies {
		b.states = append(b.states, body.Here())
	}
	for i, k := range b.order {
		b.nodes, b.at = append(b.nodes, c.window.Nodes[k]), append(b.at, int32(i))
	}
	if b.device != nil {
		return b
	}
	b.held = s.Held()
	for _, p := range c.push {
		b.push = append(b.push, slices.Clone(p))
	}
	return b
}

// support is what Simulation.Held tells.
func (b *capturedBodies[T]) support() ([][]T, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held == nil {
		read := patch.Fields[T](1+b.dim, len(b.nodes))
		if err := b.device.Read(Reading[T]{Moments: read[:1], Force: read[1:]}); err != nil {
			return nil, err
		}
		held := patch.Fields[T](1+b.dim, len(b.nodes))
		for i, k := range b.order {
			for a := range held {
				held[a][i] = read[a][k]
			}
		}
		b.held = held
	}
	return b.held, nil
}

// forces are those of the markers on the fluid.
func (b *capturedBodies[T]) forces() ([][]T, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.push == nil {
		push := patch.Fields[T](b.dim, b.markers)
		if err := b.device.Read(Reading[T]{Push: push}); err != nil {
			return nil, err
		}
		b.push = push
	}
	return b.push, nil
}

func (b *capturedBodies[T]) release() {
	if b != nil && b.device != nil {
		b.device.Release()
	}
}
