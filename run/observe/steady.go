package observe

import (
	"math"
	"slices"

	"lbmib/internal/finite"
	"lbmib/lbm"
)

// Steady ends a run whose flow has become steady.
type Steady[T lbm.Float] struct {
	*State[T]
	every  int64 // steps between tests
	stride int64 // steps whose change is looked at: one of the coarsest level, beside whose ends finer ones have a cycle as long
	hooks  *Hooks
	before [][]T   // velocity before the steps that are tested
	after  [][]T   // and room for that after it
	since  [][]T   // and at the test before; nil: there was none
	rate   float64 // |∂u/∂t|, U²/L, at the last test; NaN: there was none
}

func init() {
	register(kind{key: "run.stop_when.steady", f32: newSteady[float32], f64: newSteady[float64]})
}

func newSteady[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	if o.Case.Run.StopSteady == 0 {
		return nil, nil
	}
	stride := int64(o.Problem.Parts()[0].Width)
	every := (o.Case.StepsOf(1) + stride - 1) / stride * stride
	o.Steady = &Steady[T]{State: o.State, every: every, stride: stride, hooks: &o.Hooks, rate: math.NaN()}
	return []Observer{o.Steady}, nil
}

// Due is every L/U, after a step of the coarsest level.
func (s *Steady[T]) Due(step int64) bool { return step%s.every == 0 }

// Before keeps the flow before a step, if those that are tested begin with it.
func (s *Steady[T]) Before(step int64) {
	if s.Due(step + s.stride - 1) {
		s.before = s.Velocity(s.before)
	}
}

// between tells whether, after a step, those that are tested have begun and not ended.
func (s *Steady[T]) between(step int64) bool { return step%s.every > s.every-s.stride }

// Rate is |∂u/∂t|, in U²/L, at the last test; NaN: there was none.
func (s *Steady[T]) Rate() float64 {
	if s == nil {
		return math.NaN()
	}
	return s.rate
}

// Observe ends the run if |∂u/∂t|, in U²/L, is below the case's bound everywhere: from the test
// before to this one, and in the step at hand. The latter is weighed by the Mach number, by which
// the flow is slower than sound: a wave of sound, or one of two steps, that is small beside the flow
// changes it fast and leaves it as it is.
func (s *Steady[T]) Observe() error {
	if err := s.hooks.Unshared(); err != nil {
		return err
	}
	u := s.Velocity(s.after)
	s.after = nil
	step, between := math.Inf(1), math.Inf(1)
	if s.before != nil {
		step = s.Change(u, s.before) / float64(s.stride)
	}
	if s.since != nil {
		between = s.Change(u, s.since) / float64(s.every)
		s.after = s.since
	}
	s.since = u
	s.rate = s.Units.FromLatticeVelocity(math.Max(step*s.Units.Mach, between)) / s.Units.Dt
	if s.rate < s.SteadyBound() {
		s.hooks.Stop("steady") // before a checkpoint is written, which keeps it
	}
	return s.Lost()
}

// Save keeps the last test, and what the next has begun with.
func (s *Steady[T]) Save(to *Saved) error {
	if s.between(s.Step) {
		for a, u := range s.before {
			to.Keep("before", a, u)
		}
	}
	if s.since == nil {
		return nil
	}
	rate := finite.Number(s.rate)
	to.Rate = &rate
	for a, u := range s.since {
		to.Keep("tested", a, u)
	}
	return nil
}

// Restore has the next test begin from the last. A checkpoint of a version that kept
// none makes it one test later.
func (s *Steady[T]) Restore(from *Saved) error {
	s.before = nil
	if s.between(s.Step) && slices.Contains(from.From.Names(), SectionName("before", 0)) {
		before, err := SectionsOf[T](from.From, "before", s.Flow.Lattice.Dim)
		if err != nil {
			return err
		}
		for _, u := range before {
			if len(u) != s.Flow.Nodes() {
				s.before = nil // as below
				break
			}
			s.before = append(s.before, append([]T(nil), u...))
		}
	}
	if !slices.Contains(from.From.Names(), SectionName("tested", 0)) {
		return nil
	}
	u, err := SectionsOf[T](from.From, "tested", s.Flow.Lattice.Dim)
	if err != nil {
		return err
	}
	if len(u[0]) != s.Flow.Nodes() { // a vessel's, whose nodes had other numbers where it was computed: the test is made one later, too
		return nil
	}
	for a := range u { // the checkpoint's memory goes
		u[a] = append([]T(nil), u[a]...)
	}
	s.rest(u)                                               // as versions before did not
	if s.rate, s.since = math.Inf(1), u; from.Rate != nil { // of a first test there is none
		s.rate = float64(*from.Rate)
	}
	return nil
}

// Close has nothing to free.
func (s *Steady[T]) Close() error { return nil }
