package hybrid

import (
	"cmp"
	"fmt"
	"time"

	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/internal/mpi"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// Simulation is a fluid with bodies in it, stepped by a schedule: see Schedules. It has many
// methods since all that a run asks of fluid and bodies goes through it: what a schedule has left
// for later is done first.
type Simulation[T lbm.Float] struct {
	// Fluid is the fluid as it is after the last step, whatever the schedule has left
	// for later; it is for looking at and for changing.
	Fluid  lbm.Fluid[T]
	Bodies []*rigid.Body
	Cells  []*flexible.Cell // whoever looks at them calls Flush before

	fluid      lbm.Fluid[T]   // as the schedule has it
	coupling   *Coupling[T]   // nil without bodies
	schedule   schedule[T]    // nil likewise
	ellipsoids *ellipsoids[T] // suspended; nil: none
	trial      *trial[T]      // of several schedules, while it lasts
	choice     Choice
	partial    lbm.Partial // the fluid, if it has nodes that bodies cannot be near to; nil: it has not
	balances   []balance
	beside     rigid.Neighbours // of these boxes
	measures   measures[T]
	noLoads    []Load // of a step that could not be made
	ibTime     time.Duration
}

// NewSimulation puts bodies into a fluid, to be stepped by the serial schedule.
func NewSimulation[T lbm.Float](fluid lbm.Fluid[T], cfg CouplingConfig, bodies []*rigid.Body, pool *parallel.Pool) (*Simulation[T], error) {
	return NewScheduled(fluid, cfg, bodies, pool, Plan[T]{})
}

func newSimulation[T lbm.Float](fluid lbm.Fluid[T], cfg CouplingConfig, bodies []*rigid.Body, pool *parallel.Pool, ranks Divided[T]) (*Simulation[T], error) {
	s := &Simulation[T]{Fluid: fluid, Bodies: bodies, Cells: cfg.Cells, fluid: fluid, noLoads: make([]Load, len(bodies)), choice: Choice{Settled: true}}
	if cfg.Ellipsoids != nil {
		if len(bodies) > 0 || len(cfg.Cells) > 0 {
			return nil, errEllipsoidsAlone
		}
		s.choice.Schedule = "serial"
		if ranks != nil && ranks.Lead() {
			ranks.Together(togetherBegin)
		}
		var err error
		s.ellipsoids, err = newEllipsoids(fluid, cfg.Ellipsoids, cfg.Delta, pool, ranks)
		if ranks != nil {
			err = cmp.Or(err, mpi.AgreeError(ranks.Comm(), err))
		}
		return s, err
	}
	if len(bodies) == 0 && len(cfg.Cells) == 0 {
		return s, nil
	}
	for _, b := range bodies {
		b.OnState(nil) // of another simulation
	}
	var err error
	if ranks == nil {
		err = s.couple(cfg, pool)
	} else {
		err = s.share(cfg, pool, ranks)
	}
	if err != nil {
		return nil, err
	}
	s.balances = make([]balance, len(bodies))
	s.beside = rigid.NewNeighbours(domainOf(fluid.Config()))
	s.setBalances()
	return s, nil
}

// couple puts the bodies into the fluid.
func (s *Simulation[T]) couple(cfg CouplingConfig, pool *parallel.Pool) (err error) {
	if s.coupling, err = NewCoupling[T](cfg, s.fluid.Config(), s.Bodies, pool); err != nil {
		return err
	}
	partial, ok := s.fluid.(lbm.Partial)
	if c := s.coupling.cells; c != nil && c.viscosity != nil {
		if !lbm.TakesRelaxation(s.fluid) {
			return errRatioOfFluid
		}
		if divided, ok := s.fluid.(Divided[T]); ok && divided.Comm() != nil && divided.Comm().Size() > 1 && cfg.ranks == nil {
			return errRatioOfRanks
		}
		c.viscosity.partial = partial
	}
	if ok {
		s.partial, s.coupling.partial = partial, partial
		if err := partial.TakesForces(s.coupling.window.Reached()); err != nil {
			return fmt.Errorf("hybrid: %w", err)
		}
	}
	return nil
}

// setBalances gives every body a box whose momentum is balanced.
func (s *Simulation[T]) setBalances() {
	setBalances(s.balances, &s.beside, s.fluid.Config(), s.Bodies, s.coupling.delta)
	if s.partial != nil {
		for i := range s.balances {
			b := &s.balances[i]
			b.usable = b.usable && s.partial.Balances(b.lo, b.hi)
		}
	}
}

// Step advances fluid and bodies by one time step. Bodies that would move to where
// they cannot be stop it before anything has changed: see Err.
func (s *Simulation[T]) Step() {
	switch {
	case s.ellipsoids != nil:
		s.ellipsoids.step(s.fluid)
	case s.coupling == nil:
		s.fluid.Step()
	case s.trial != nil:
		s.trial.step()
	default:
		s.schedule.step()
	}
}

// move puts the bodies where they are after the next step. Where that cannot be it
// returns false, and all is as it was.
func (s *Simulation[T]) move() bool {
	if !s.coupling.moves() {
		return true
	}
	start := time.Now()
	s.coupling.startCells(s.fluid)
	moved := s.coupling.move(float64(s.fluid.Steps() + 1))
	s.ibTime += time.Since(start)
	return moved
}

// Flush does what the schedule has left of the last step for later. Whatever tells
// something of fluid and bodies calls it by itself. It costs as much as a serial
// correction, so looks are not for every step.
func (s *Simulation[T]) Flush() {
	if s.schedule != nil {
		s.schedule.flush()
	}
}

// discard forgets what has been left for later, because the state is another now.
func (s *Simulation[T]) discard() {
	if s.schedule != nil {
		s.schedule.discard()
	}
}

// Batch tells that so many steps are queued at once, after so many more that are not; see
// lbm.Batched.
func (s *Simulation[T]) Batch() (steps, after int) {
	if b, ok := s.fluid.(lbm.Batched); ok {
		return b.Batch()
	}
	return 1, 0
}

// Chosen tells which schedule makes the steps, and how it came to be chosen.
func (s *Simulation[T]) Chosen() Choice { return s.choice }

// Close ends the goroutines that a schedule has started; nothing is outstanding then.
// The simulation must not be stepped afterwards.
func (s *Simulation[T]) Close() {
	s.Flush()
	s.measures.sums.close()
	if s.coupling != nil {
		s.coupling.within.close()
	}
	switch {
	case s.trial != nil:
		s.trial.close()
	case s.schedule != nil:
		s.schedule.close()
	}
}

// Crowd tells whether goroutines other than the simulation's want the processors for a
// while, as parallel.Pool.Crowd does for the pools that it was given.
func (s *Simulation[T]) Crowd(others bool) {
	switch {
	case s.trial != nil:
		for _, one := range s.trial.of {
			one.crowd(others)
		}
	case s.schedule != nil:
		s.schedule.crowd(others)
	}
}

// Err is why the last step could not be made: forces on markers that are not finite,
// naming marker and step (the flow has diverged then), a *rigid.MotionError, with all as it
// was before the step, or a fault of the fluid's device. nil if it was made.
//
// A cell that is no membrane any more after a step stops a simulation before that step, where cells move beside the fluid's step
// after it. What a schedule leaves for later can fail then: forces that are not finite may be
// told by the next step, or by whoever looks, and name the step that they belong to.
func (s *Simulation[T]) Err() error {
	if s.coupling != nil && s.coupling.Err() != nil {
		return s.coupling.Err()
	}
	if s.ellipsoids != nil && s.ellipsoids.failure != nil {
		return s.ellipsoids.failure
	}
	if f, ok := s.fluid.(lbm.Fallible); ok {
		return f.Err()
	}
	return nil
}

// Strategy is the strategy by which markers are coupled, empty without bodies.
func (s *Simulation[T]) Strategy() string {
	if s.coupling == nil {
		return ""
	}
	return s.coupling.Strategy()
}

// Box reads density and the physical velocity of the nodes lo ≤ p < hi, x
// fastest, with the bodies' forces accounted for. Destinations may be nil.
func (s *Simulation[T]) Box(lo, hi [3]int, rho []T, u [][]T) {
	s.Flush()
	s.fluid.Box(lo, hi, rho, u)
	if s.coupling != nil && u != nil {
		s.halfForce(lbm.Box{Lo: lo, Hi: hi}, u)
	}
	if s.ellipsoids != nil && u != nil {
		s.ellipsoids.box(lo, hi, u)
	}
}

// Held is the bodies' part of the state beside the fluid's : density and force density of support nodes, in the order of the fluid. Populations do not tell it, and Box needs it; it is
// empty without bodies. SetHeld restores it.
func (s *Simulation[T]) Held() [][]T {
	if s.ellipsoids != nil {
		return s.ellipsoids.held()
	}
	if s.coupling == nil {
		return nil
	}
	s.Flush()
	if s.coupling.sharing != nil {
		h := s.heldTogether(lbm.Box{Hi: s.fluid.Config().Size})
		return append([][]T{h.rho}, h.force...)
	}
	return s.coupling.window.Held()
}

// SetHeld restores what Held returned for the same bodies.
func (s *Simulation[T]) SetHeld(held [][]T) error {
	if s.ellipsoids != nil {
		return s.ellipsoids.setHeld(held)
	}
	if s.coupling == nil {
		return nil
	}
	s.discard()
	if ranks := s.coupling.sharing; ranks != nil {
		ranks.tell(togetherSetHeld)
		return ranks.setHeld(s.coupling, held)
	}
	return s.coupling.window.SetHeld(held)
}

// Rigid is what moving bodies need of the state beside Held, nil where nothing
// moves. SetRigid restores it in a simulation of the same bodies whose fluid has
// its state already; SetHeld comes after it.
func (s *Simulation[T]) Rigid() []float64 {
	if s.coupling == nil || !s.coupling.system.Moves() {
		return nil
	}
	s.Flush()
	return s.coupling.system.State(float64(s.fluid.Steps()))
}

// SetRigid restores what Rigid returned.
func (s *Simulation[T]) SetRigid(state []float64) error {
	if s.coupling == nil || !s.coupling.system.Moves() {
		return nil
	}
	s.discard()
	s.coupling.sharing.tell(togetherRigid)
	return s.coupling.setRigid(s.coupling.sharing.same(state))
}

// Traction is the force per area on body i's markers, one slice per axis.
func (s *Simulation[T]) Traction(i int) [][]T {
	s.Flush()
	return s.coupling.MarkerForces(s.Bodies[i])
}

// Markers is the number of markers of all bodies.
func (s *Simulation[T]) Markers() int {
	if s.coupling == nil {
		return 0
	}
	return s.coupling.Markers()
}

// SupportNodes is the number of nodes of the fluid that markers reach, now.
func (s *Simulation[T]) SupportNodes() int {
	if s.coupling == nil {
		return 0
	}
	n := len(s.coupling.window.Nodes)
	if ranks := s.coupling.sharing; ranks != nil {
		ranks.tell(togetherCount)
		return ranks.sum(n)
	}
	return n
}

// Times is what the parts of all steps so far have taken; ib is what coupling bodies
// took in addition to the fluid's steps, as far as the host can tell.
func (s *Simulation[T]) Times() (bulk, boundary, ib time.Duration) {
	boundary, bulk = s.fluid.Times()
	if s.ellipsoids != nil {
		return bulk, boundary, s.ellipsoids.times.took()
	}
	return bulk, boundary, s.ibTime
}
