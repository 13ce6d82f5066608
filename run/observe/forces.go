package observe

import (
	"cmp"
	"math"
	"slices"

	"lbmib/hybrid"
	"lbmib/internal/finite"
	"lbmib/lbm"
	"lbmib/run/setup"
)

const forcesFile = "forces.csv"

// forceColumns are the columns of forces.csv (interface.md), and behind them
// the length of the recirculation at that instant, the slip that is granted, and the
// force by the fluid outside.
func forceColumns(dim int) []string {
	c := []string{"t", "step", "body", "fx", "fy", "fz", "tx", "ty", "tz", "cd", "cl", "cs", "slip_max", "cv_fx", "cv_fy", "cv_fz", "recirculation", "slip_granted", "outer_fx", "outer_fy", "outer_fz"}
	if dim == 3 {
		return c
	}
	return []string{"t", "step", "body", "fx", "fy", "tx", "ty", "tz", "cd", "cl", "slip_max", "cv_fx", "cv_fy", "recirculation", "slip_granted", "outer_fx", "outer_fy"}
}

// Forces writes forces.csv: a row per body of every step whose loads have been measured. A device
// tells of loads some steps later; they are waited for only where something needs all so far.
type Forces[T lbm.Float] struct {
	*State[T]
	*Table
	Latest float64 // coefficient of the force on the first body along its heading; NaN before the first row

	hooks  *Hooks
	health *Health[T]
	wakes  []wake // behind each body
	drag   dragStop
	queue  []lbm.Pending[*hybrid.Measurement[T]] // of steps whose rows have not been written, in their order
	lost   bool                                  // a measurement that was taken from it and not recorded
}

func init() {
	register(kind{key: "forces", files: []string{forcesFile}, f32: newForces[float32], f64: newForces[float64]})
}

func newForces[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	if len(o.Problem.Bodies) == 0 {
		return nil, nil
	}
	dim := o.Flow.Lattice.Dim // of the force by the fluid outside, which some versions did not tell, nor the slip that is granted
	t, err := o.Table(forcesFile, forceColumns(dim), o.Case.Output.Every("forces"), dim, dim+1)
	if err != nil {
		return nil, err
	}
	f := &Forces[T]{State: o.State, Table: t, Latest: math.NaN(), hooks: &o.Hooks, health: o.Health, drag: newDragStop(o.Problem)}
	f.watchWakes()
	o.Forces = f
	return []Observer{f}, nil
}

// TellsGranted tells whether the table has the slip that is granted.
func (f *Forces[T]) TellsGranted() bool {
	return f != nil && f.columns == len(forceColumns(f.Flow.Lattice.Dim))
}

// Due is also where something needs all loads so far.
func (f *Forces[T]) Due(step int64) bool { return f.Table.Due(step) || f.wanted(step) }

// wanted tells whether something after a step needs all loads so far.
func (f *Forces[T]) wanted(step int64) bool {
	return f.drag.due(step) || f.Dir.CheckpointDue(step) || f.hooks.ShowsForce(step)
}

// Observe appends the rows of all steps whose loads are known, and ends the run where they tell
// the mean drag as well as the case asks for.
func (f *Forces[T]) Observe() error {
	if err := f.Take(f.wanted(f.Step)); err != nil {
		return err
	}
	if f.drag.due(f.Step) && f.drag.isKnown() {
		f.hooks.Stop("cd_interval")
	}
	return nil
}

// Restore reads the drag up to the state at hand back.
func (f *Forces[T]) Restore(*Saved) error { return f.drag.resume(f.Dir.File(forcesFile)) }

// StepError is why a step could not be made, as the simulation tells it.
type StepError struct{ Err error }

func (e *StepError) Error() string { return e.Err.Error() }
func (e *StepError) Unwrap() error { return e.Err }

// MeasureStep makes a step and queues its loads.
func (f *Forces[T]) MeasureStep() { f.queue = append(f.queue, f.Sim.MeasureStep()) }

// next waits for the oldest measurement.
func (f *Forces[T]) next() (*hybrid.Measurement[T], error) {
	m, err := f.queue[0].Wait()
	f.queue = slices.Delete(f.queue, 0, 1)
	return m, err
}

// Take appends the rows of all steps whose loads are known; with wait of all steps that have
// been measured.
func (f *Forces[T]) Take(wait bool) error {
	if f == nil {
		return nil
	}
	for len(f.queue) > 0 && (wait || f.queue[0].Ready()) {
		m, err := f.next()
		if err = cmp.Or(f.Sim.Err(), err); err != nil {
			f.lost = true // this one: those after it would leave a gap
			return &StepError{err}
		}
		if err := f.record(m); err != nil {
			return err
		}
	}
	if err := f.Sim.Err(); err != nil {
		return &StepError{err}
	}
	return nil
}

// TakeLast is Take of a run that has ended, for whatever reason: up to the first
// that are not sound. A failure to write shows when the series are synced.
func (f *Forces[T]) TakeLast() {
	if f == nil || f.lost {
		return
	}
	for len(f.queue) > 0 {
		if m, err := f.next(); err != nil || slices.ContainsFunc(m.Loads, isUnsound) || f.record(m) != nil {
			return
		}
	}
}

// isUnsound tells whether a load is that of a flow that may be lost.
func isUnsound(l hybrid.Load) bool {
	return !(l.Slip < 1/math.Sqrt(3)) || !finite.Is(l.Force[0]+l.Force[1]+l.Force[2])
}

// record appends a row per body.
func (f *Forces[T]) record(m *hybrid.Measurement[T]) error {
	dim, u, time := f.Flow.Lattice.Dim, f.Units, f.Units.TimeAt(m.Step)
	for i, l := range m.Loads {
		if isUnsound(l) {
			if err := f.health.Check(); err != nil { // before a row of a flow that is lost
				return err
			}
		}
		b := f.Problem.Bodies[i]
		frontal := b.Shape.Frontal() / math.Pow(f.Case.Reference.Resolution, float64(dim-1)) // in L^(d−1)
		row := append(f.row[:0], time, m.Step, b.Name)
		for a := range dim {
			row = append(row, u.ForceCoefficient(l.Force[a]))
		}
		for a := range 3 {
			row = append(row, u.TorqueCoefficient(l.Torque[a]))
		}
		for a := range dim {
			row = append(row, u.ForceCoefficient(l.Force[a])/frontal)
		}
		row = append(row, u.FromLatticeVelocity(l.Slip))
		for a := range dim {
			row = append(row, u.ForceCoefficient(l.Balance[a]))
		}
		granted := u.FromLatticeVelocity(l.Granted)
		row = append(row, f.recirculation(i, m), granted)
		for a := range dim {
			row = append(row, u.ForceCoefficient(l.Outer[a]))
		}
		f.row = row
		if err := f.Append(row...); err != nil {
			return err
		}
		f.hooks.Granted(i, time, granted)
		if i == 0 {
			h := setup.HeadingOf(f.Case, &f.Case.Bodies[0])
			f.Latest = h.Sign * u.ForceCoefficient(l.Force[h.Axis]) / frontal
		}
		var c [3]float64
		for a := range dim {
			c[a] = u.ForceCoefficient(l.Force[a]) / frontal
		}
		f.drag.add(b.Name, time, c[:dim])
	}
	return nil
}
