package run

import (
	"math"

	"lbmib/io/checkpoint"
	"lbmib/run/observe"
)

// keepVelocity remembers the flow before a step that is tested for steadiness.
func (r *run[T]) keepVelocity() { r.watch.before = r.Velocity(r.watch.before) }

// isSteady tells whether |∂u/∂t|, in U²/L, is below the case's bound everywhere: from the test
// before to this one, and in the step at hand. The latter is weighed by the Mach number, by which
// the flow is slower than sound: a wave of sound, or one of two steps, that is small beside the flow
// changes it fast and leaves it as it is.
func (r *run[T]) isSteady() (bool, error) {
	if err := r.saves.wait(); err != nil { // a checkpoint that is being written holds what was kept
		return false, r.asRunError(err)
	}
	w := r.watch
	u := r.Velocity(w.after)
	w.after = nil
	step, between := r.Change(u, w.before), math.Inf(1)
	if w.since != nil {
		between = r.Change(u, w.since) / float64(w.steady)
		w.after = w.since
	}
	w.since = u
	w.rate = r.Units.FromLatticeVelocity(math.Max(step*r.Units.Mach, between)) / r.Units.Dt
	r.progress.rate = w.rate
	return w.rate < r.SteadyBound(), r.deviceLost()
}

// savedVelocity is what a checkpoint keeps of the last test.
func (r *run[T]) savedVelocity() (sections []checkpoint.Section) {
	if r.watch.since == nil {
		return nil
	}
	for a, u := range r.watch.since.([][]T) {
		sections = append(sections, checkpoint.Section{Name: observe.SectionName("tested", a), Data: u})
	}
	return sections
}

// restoreVelocity is what the next test begins from. A checkpoint of a version that kept
// none makes it one test later.
func (r *run[T]) restoreVelocity(saved *checkpoint.Checkpoint, m *savedMeta) error {
	if r.watch.steady == 0 || m.Rate == nil {
		return nil
	}
	u, err := sectionsOf[T](saved, "tested", r.Flow.Lattice.Dim)
	if err != nil {
		return err
	}
	for a := range u { // the checkpoint's memory goes
		u[a] = append([]T(nil), u[a]...)
	}
	r.watch.rate, r.watch.since = float64(*m.Rate), u
	return nil
}
