package hybrid

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/ib/ellipsoid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// ellipsoids couples suspended ellipsoids with the fluid. A step is
//
//	Forces()                 of pairs and walls, at X
//	Ũ = Σ u δ(x−X)           Ω̃ = ½ ∇ × Ũ
//	Kick()                   V, L; drag −F and torque −T on each
//	G(x) = Σ F δ(x−X) + ½ T × ∇δ(x−X)
//	Drift()                  X ← X + V
//	fluid.Step() with G in the collision
//
// Unlike cells they may touch any node, and there may be many of them on each: forces and velocities are fields of the whole domain, and
// all nodes that are fluid are in the fluid's list.
type ellipsoids[T lbm.Float] struct {
	system   *ellipsoid.System
	flow     *lbm.Config
	points   *pointTransfer[T]
	list     lbm.NodeStep[T]
	nodes    []int32 // that are fluid
	felt     []felt  // of each: what it has felt of the step before
	started  bool    // velocities are those of a step, or of the beginning
	averages bool    // and felt is
	failure  error
	ranks    *sharedEllipsoids[T] // with other ranks; nil: this process has all

	times EllipsoidTimes
}

// felt is the fluid's velocity and spin at an ellipsoid.
type felt struct{ flow, spin geometry.Vec }

// average has the drag be that by the mean of what was felt in the last two steps. Populations carry the momentum along an axis from even to odd
// nodes along it and back, whatever collisions do, so that a part of it that changes sign from node to node and from step to step lives on (Zanetti,
// Phys. Rev. A 40 (1989) 1539). A drag by the velocity of the step before has the wrong sign for that part, and makes it grow wherever
// the delta feels it, as roma3 does; the mean does not feel it.
func (e *ellipsoids[T]) average() {
	s := e.system
	for i := range e.felt {
		if e.ranks != nil && !e.ranks.mine[i] {
			continue
		}
		now := felt{s.Flow[i], s.Spin[i]}
		if e.averages {
			s.Flow[i], s.Spin[i] = now.flow.Add(e.felt[i].flow).Scale(0.5), now.spin.Add(e.felt[i].spin).Scale(0.5)
		}
		e.felt[i] = now
	}
	e.averages = true
}

// EllipsoidTimes is what the parts of all steps of ellipsoids so far have taken.
type EllipsoidTimes struct{ Forces, Motion, Coupling time.Duration }

var errEllipsoidsAlone = errors.New("hybrid: ellipsoids are in a fluid without other bodies: leave out one or the other")

// newEllipsoids couples a system by a delta; ranks is the fluid where they share it, or nil.
func newEllipsoids[T lbm.Float](fluid lbm.Fluid[T], system *ellipsoid.System, delta string, pool *parallel.Pool, ranks Divided[T]) (*ellipsoids[T], error) {
	flow := fluid.Config()
	if flow.Lattice.Dim != 3 {
		return nil, fmt.Errorf("hybrid: ellipsoids are in space, the lattice is %s: choose D3Q19", flow.Lattice.Name)
	}
	if c := system.Config(); c.Size != flow.Size || c.Periodic != [3]bool{flow.Periodic(0), flow.Periodic(1), flow.Periodic(2)} {
		return nil, fmt.Errorf("hybrid: ellipsoids are in a box of %v nodes, periodic %v, the fluid in another one of %v: make them alike", c.Size, c.Periodic, flow.Size)
	}
	d, err := ib.NewDelta[float64](delta)
	if err != nil {
		return nil, err
	}
	sloped, ok := d.(ib.Sloped[float64])
	if !ok {
		return nil, fmt.Errorf("hybrid: delta %s has no slopes, by which torques act: choose roma3 or peskin4 for ellipsoids", delta)
	}
	for a, n := range flow.Size {
		if n < d.Support() {
			return nil, fmt.Errorf("hybrid: the domain has %d nodes along %s, delta %s reaches over %d: use at least that many", n, "xyz"[a:a+1], delta, d.Support())
		}
	}
	e := &ellipsoids[T]{system: system, flow: flow, points: newPointTransfer[T](flow, sloped, system.Len(), parallel.Loops{Pool: pool})}
	n := flow.Nodes()
	for k := range n {
		if flow.Solid == nil || !flow.Solid[k] {
			e.nodes = append(e.nodes, int32(k))
		}
	}
	if partial, ok := fluid.(lbm.Partial); ok {
		if err := partial.TakesForces(e.nodes); err != nil {
			return nil, fmt.Errorf("hybrid: %w", err)
		}
	}
	e.felt = make([]felt, system.Len())
	e.list.Rho = make([]T, n)
	for range 3 {
		e.list.Force, e.list.U = append(e.list.Force, make([]T, n)), append(e.list.U, make([]T, n))
	}
	system.Share(parallel.Loops{Pool: pool})
	if ranks != nil {
		e.share(ranks)
	}
	e.list.SetNodes(e.nodes, e.nodes)
	system.Response.Translation, system.Response.Rotation = responses(sloped)
	return e, nil
}

// EllipsoidBytes is what so many ellipsoids, their lists and fields of the domain take, whose values have a size.
func EllipsoidBytes(flow *lbm.Config, count, value int) int64 {
	const (
		values = 7   // of a node: ρ, u and F
		list   = 8   // bytes of a node: lists of those that are fluid
		each   = 800 // bytes of an ellipsoid: state, forces, lists with room to grow
	)
	return int64(flow.Nodes())*int64(values*value+list) + int64(count)*each
}

// responses are half of the velocity that a force of one, and half of the spin that a torque of one, give the fluid of density one at their point, at most:
// Σδ²/2, and ½ of the largest ¼ Σ (|∇δ|² − (∂δ/∂x)²) of a torque along x.
func responses(d ib.Sloped[float64]) (translation, rotation float64) {
	squares, slopes := 0., 0.
	for k := range 1000 {
		var w, slope [ib.MaxSupport]float64
		d.Slopes(&w, &slope, 10+float64(k)/1000)
		w2, d2 := 0., 0.
		for j := range d.Support() {
			w2, d2 = w2+w[j]*w[j], d2+slope[j]*slope[j]
		}
		squares, slopes = max(squares, w2), max(slopes, d2)
	}
	return squares * squares * squares / 2, slopes * squares * squares / 4
}

// step makes a step of fluid and ellipsoids. Where it cannot be made the fluid stays.
func (e *ellipsoids[T]) step(fluid lbm.Fluid[T]) {
	if e.failure != nil {
		return
	}
	e.ranks.tell(togetherStep)
	if !e.started {
		fluid.Moments(e.nodes, e.nodes, e.list.Rho, e.list.U)
		e.started = true
	}
	s := e.system
	e.ranks.attend(e)
	clock := time.Now()
	lap := func(to *time.Duration) {
		now := time.Now()
		*to += now.Sub(clock)
		clock = now
	}
	s.Forces()
	lap(&e.times.Forces)
	err := e.points.setPoints(s.X)
	if err == nil {
		err = e.points.interpolate(s.Flow, s.Spin, e.list.U)
		e.average()
	}
	err = e.ranks.agree(err)
	lap(&e.times.Coupling)
	if err == nil {
		s.Kick()
		e.ranks.gather(e)
		lap(&e.times.Motion)
		e.points.spread(e.list.Force, s.Push, s.Twist)
		lap(&e.times.Coupling)
		err = s.Drift()
		lap(&e.times.Motion)
	}
	if err != nil {
		e.failure = &rigid.MotionError{Step: fluid.Steps(), Msg: fmt.Sprintf("at step %d: %v", fluid.Steps(), err)}
		return
	}
	if e.ranks != nil {
		e.ranks.fluid.StepShare(&e.list)
		return
	}
	lbm.StepNodes(fluid, &e.list)
}

// took is what ellipsoids have taken of all steps.
func (t EllipsoidTimes) took() time.Duration { return t.Forces + t.Motion + t.Coupling }

// box stores the velocity of a box of nodes: that in the step, with half of the forces.
func (e *ellipsoids[T]) box(lo, hi [3]int, u [][]T) {
	if !e.started {
		return
	}
	if e.ranks != nil {
		e.ranks.box(e, lbm.Box{Lo: lo, Hi: hi}, u)
		return
	}
	for a, to := range u {
		if to == nil {
			continue
		}
		from := e.list.U[a]
		for z := lo[2]; z < hi[2]; z++ {
			for y := lo[1]; y < hi[1]; y++ {
				row := e.flow.Node([3]int{lo[0], y, z})
				copy(to[:hi[0]-lo[0]], from[row:])
				to = to[hi[0]-lo[0]:]
			}
		}
	}
}

// Ellipsoids are those suspended in the fluid; nil: none.
func (s *Simulation[T]) Ellipsoids() *ellipsoid.System {
	if s.ellipsoids == nil {
		return nil
	}
	return s.ellipsoids.system
}

// EllipsoidTimes is what their part of all steps so far has taken.
func (s *Simulation[T]) EllipsoidTimes() EllipsoidTimes {
	if s.ellipsoids == nil {
		return EllipsoidTimes{}
	}
	return s.ellipsoids.times
}

// Suspended is what ellipsoids need of the state beside Held, nil where there are none: of each its place, velocity, axes, angular momentum,
// turns, drag and torque of the last step, and what it has felt of it. SetSuspended restores it in a simulation of as many; SetHeld comes after it.
func (s *Simulation[T]) Suspended() []float64 {
	if s.ellipsoids == nil {
		return nil
	}
	return s.ellipsoids.state()
}

func (e *ellipsoids[T]) state() (state []float64) {
	p := e.system
	for i := range p.X {
		state = append(state, p.X[i][:]...)
		state = append(state, p.V[i][:]...)
		for _, axis := range p.Axes[i] {
			state = append(state, axis[:]...)
		}
		state = append(state, p.L[i][:]...)
		for _, n := range p.Turns[i] {
			state = append(state, float64(n))
		}
		state = append(state, p.Push[i][:]...)
		state = append(state, p.Twist[i][:]...)
		state = append(state, e.felt[i].flow[:]...)
		state = append(state, e.felt[i].spin[:]...)
	}
	return state
}

// suspendedValues are the numbers of an ellipsoid's state.
const suspendedValues = 3 + 3 + 9 + 3 + 3 + 6 + 6

// SetSuspended restores what Suspended returned.
func (s *Simulation[T]) SetSuspended(state []float64) error {
	if s.ellipsoids == nil {
		return nil
	}
	ranks := s.ellipsoids.ranks
	ranks.tell(togetherFlexible)
	return s.ellipsoids.setState(ranks.same(state))
}

func (e *ellipsoids[T]) setState(state []float64) error {
	p := e.system
	if len(state) != suspendedValues*p.Len() {
		return fmt.Errorf("the state of %d ellipsoids, the case has %d: resume with the case that wrote it", len(state)/suspendedValues, p.Len())
	}
	next := func() (v geometry.Vec) {
		copy(v[:], state)
		state = state[3:]
		return v
	}
	for i := range p.X {
		p.X[i], p.V[i] = next(), next()
		p.Axes[i] = ellipsoid.Axes{next(), next(), next()}
		p.L[i] = next()
		for a, n := range next() {
			p.Turns[i][a] = int32(n)
		}
		p.Push[i], p.Twist[i] = next(), next()
		e.felt[i] = felt{next(), next()}
	}
	p.Moved()
	return nil
}

// held is the velocity that the last step left on all nodes, which the next one's drag is of; nothing before the first step.
func (e *ellipsoids[T]) held() (u [][]T) {
	if !e.started {
		return nil
	}
	if e.ranks != nil {
		u = patch.Fields[T](3, e.flow.Nodes())
		e.ranks.box(e, lbm.Box{Hi: e.flow.Size}, u)
		return u
	}
	for _, v := range e.list.U {
		u = append(u, slices.Clone(v))
	}
	return u
}

func (e *ellipsoids[T]) setHeld(held [][]T) error {
	e.ranks.tell(togetherSetHeld)
	held = e.ranks.sameFields(held)
	e.started = len(held) > 0
	if e.averages = e.started; !e.started {
		return nil
	}
	for a, u := range e.list.U {
		if len(held) != 3 || len(held[a]) != len(u) {
			return fmt.Errorf("the velocities of another run: %d components of %d nodes, the case has 3 of %d: resume with the case that wrote them", len(held), len(held[0]), len(u))
		}
	}
	for a, u := range e.list.U {
		copy(u, held[a])
	}
	return nil
}
