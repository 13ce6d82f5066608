package hybrid

import (
	"time"

	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// Simulation is a fluid with bodies in it, stepped by the serial schedule: the
// global step, then the correction.
type Simulation[T lbm.Float] struct {
	Fluid  lbm.Fluid[T]
	Bodies []*Body

	coupling *Coupling[T] // nil without bodies
	balances []balance
	loads    []Load
	inner    [2][]innerMomentum // before and after a step
	ibTime   time.Duration
}

// NewSimulation puts bodies into a fluid.
func NewSimulation[T lbm.Float](fluid lbm.Fluid[T], cfg CouplingConfig, bodies []*Body, pool *parallel.Pool) (*Simulation[T], error) {
	s := &Simulation[T]{Fluid: fluid, Bodies: bodies, loads: make([]Load, len(bodies))}
	if len(bodies) == 0 {
		return s, nil
	}
	var err error
	if s.coupling, err = NewCoupling[T](cfg, fluid.Config(), bodies, pool); err != nil {
		return nil, err
	}
	s.balances = make([]balance, len(bodies))
	s.inner = [2][]innerMomentum{make([]innerMomentum, len(bodies)), make([]innerMomentum, len(bodies))}
	setBalances(s.balances, fluid.Config(), bodies, s.coupling.delta)
	return s, nil
}

// Step advances fluid and bodies by one time step. Bodies that would move to where
// they cannot be stop it before anything has changed: see Err.
func (s *Simulation[T]) Step() {
	if s.coupling != nil && s.coupling.moves {
		start := time.Now()
		moved := s.coupling.move(float64(s.Fluid.Steps() + 1)) // X, supports, ε
		s.ibTime += time.Since(start)
		if !moved {
			return // the state stays that before the step
		}
	}
	s.Fluid.Step() // f ← pull, collide
	if s.coupling != nil {
		start := time.Now()
		s.coupling.Correct(s.Fluid) // f(x) += Guo(Σ F δ(x−X) ε) on supports
		s.ibTime += time.Since(start)
	}
}

// StepMeasured is Step, and returns the load on every body in that step. The
// slice is valid until the next call.
func (s *Simulation[T]) StepMeasured() []Load {
	if s.coupling == nil {
		s.Step()
		return s.loads
	}
	if s.coupling.moves {
		setBalances(s.balances, s.Fluid.Config(), s.Bodies, s.coupling.delta)
	}
	for i := range s.balances {
		openBalance(&s.balances[i], s.Fluid)
	}
	s.coupling.innerMomenta(s.Fluid, s.inner[0])
	if s.Step(); s.Err() != nil {
		return s.loads
	}
	s.coupling.innerMomenta(s.Fluid, s.inner[1])
	s.coupling.loads(s.loads)
	for i := range s.balances {
		s.loads[i].Balance = closeBalance(&s.balances[i], s.Fluid)
	}
	s.coupling.addInner(s.loads, s.inner[0], s.inner[1])
	return s.loads
}

// Err is why the last step could not be made: forces on markers that are not finite,
// naming marker and step (the flow has diverged then), or a *MotionError, with all
// as it was before the step. nil if it was made.
func (s *Simulation[T]) Err() error {
	if s.coupling == nil {
		return nil
	}
	return s.coupling.Err()
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
	s.Fluid.Box(lo, hi, rho, u)
	if s.coupling != nil && u != nil {
		s.coupling.HalfForce(s.Fluid.Config(), lo, hi, u)
	}
}

// Held is the bodies' part of the state beside the fluid's (Coupling.Held); it is
// empty without bodies. SetHeld restores it.
func (s *Simulation[T]) Held() [][]T {
	if s.coupling == nil {
		return nil
	}
	return s.coupling.Held()
}

// SetHeld restores what Held returned for the same bodies.
func (s *Simulation[T]) SetHeld(held [][]T) error {
	if s.coupling == nil {
		return nil
	}
	return s.coupling.SetHeld(held)
}

// Rigid is what moving bodies need of the state beside Held, nil where nothing
// moves. SetRigid restores it in a simulation of the same bodies whose fluid has
// its state already; SetHeld comes after it.
func (s *Simulation[T]) Rigid() []float64 {
	if s.coupling == nil || !s.coupling.moves {
		return nil
	}
	return s.coupling.rigid(float64(s.Fluid.Steps()))
}

// SetRigid restores what Rigid returned.
func (s *Simulation[T]) SetRigid(state []float64) error {
	if s.coupling == nil || !s.coupling.moves {
		return nil
	}
	return s.coupling.setRigid(state)
}

// Traction is the force per area on body i's markers, one slice per axis.
func (s *Simulation[T]) Traction(i int) [][]T { return s.coupling.MarkerForces(s.Bodies[i]) }

// Markers is the number of markers of all bodies.
func (s *Simulation[T]) Markers() int {
	if s.coupling == nil {
		return 0
	}
	return s.coupling.Markers()
}

// Times is what the parts of all steps so far have taken.
func (s *Simulation[T]) Times() (bulk, boundary, ib time.Duration) {
	boundary, bulk = s.Fluid.Times()
	return bulk, boundary, s.ibTime
}
