package observe

import (
	"lbmib/lbm"
)

// Observer is an output of a run. After every step the run asks each, in the order of their
// registrations, whether it is due, and then to observe. Errors are plain: the run makes of them
// the message and the exit code that it ends with.
type Observer interface {
	// Due tells whether something is to be written of the state after a step.
	Due(step int64) bool

	// Observe writes it, of the state at hand. What goes on in the background has copied what
	// it needs.
	Observe() error

	// Save puts into a checkpoint of the state at hand what Restore needs to go on as if the run
	// had not been interrupted.
	Save(to *Saved) error

	// Restore goes on from a checkpoint, before the first step.
	Restore(from *Saved) error

	// Close frees what is held, when all has been written or the run has failed.
	Close() error
}

// Stateless is embedded by an observer that holds nothing and of which a checkpoint keeps nothing.
type Stateless struct{}

func (Stateless) Save(*Saved) error    { return nil }
func (Stateless) Restore(*Saved) error { return nil }
func (Stateless) Close() error         { return nil }

// Hooks are what outputs ask of the run that they belong to.
type Hooks struct {
	// Unshared waits until no checkpoint is being written, which reads what Save gave it.
	Unshared func() error

	// ShowsForce tells whether the force is shown after a step: it is waited for then.
	ShowsForce func(step int64) bool

	// Crossed takes two bodies, lines in the plane, or one twice, that cross at a time, in L/U, and a place; each pair once. nil: nobody asks.
	Crossed func(body, other int, time float64, at [3]float64)
	// Granted takes the slip, in U, that the wall correction grants to the fluid at a body at a
	// time in L/U.
	Granted func(body int, time, slip float64)

	// Row takes each row of a time series, the time and the step first, and the columns of its table; the row is the
	// table's. nil: nobody asks.
	Row func(table string, columns []string, row []any)

	// Stop ends the run after the step at hand: "steady" or "cd_interval".
	Stop func(by string)
}

// Outputs are the outputs of a run and what they share.
type Outputs[T lbm.Float] struct {
	*State[T]
	Hooks
	Observers []Observer // in the order in which they observe
	Files     Files      // of fields and markers so far

	Health    *Health[T]
	Steady    *Steady[T]         // nil: the run stops at no steady state
	Forces    *Forces[T]         // nil without bodies
	Bodies    *Bodies[T]         // nil where nothing moves
	Cells     *Cells[T]          // nil without elastic surfaces
	Suspended *SuspendedCells[T] // nil without a suspension of these
	Filaments *Filaments[T]      // nil without lines that bend
	Sheets    *Sheets[T]         // nil without sheets
	Driven    *Flow[T]           // nil: no flow rate is held
	Wall      *Wall[T]           // nil: the case wants none
	Means     *Means[T]          // nil: the case wants none
	Fields    *Fields[T]

	resumed *Saved   // nil: the run begins
	tables  []*Table // that are open
}

// New makes the outputs that the case asks for. Their files begin or, with what a checkpoint kept
// of them, go on from there.
func New[T lbm.Float](s *State[T], resumed *Saved, hooks Hooks) (*Outputs[T], error) {
	o := &Outputs[T]{State: s, Hooks: hooks, resumed: resumed, Health: newHealth(s)}
	var sound []Observer
	for _, k := range kinds() {
		made, err := makerOf[T](k)(o)
		if err != nil {
			o.Close()
			return nil, err
		}
		if k.sound {
			sound = append(sound, made...)
		} else {
			o.Observers = append(o.Observers, made...)
		}
	}
	o.Health.before = sound
	o.Observers = append(append(o.Observers, o.Health), sound...)
	return o, nil
}

// BeforeStep prepares for a step, and tells whether its loads are to be measured.
func (o *Outputs[T]) BeforeStep(step int64) (measure bool) {
	if o.Steady != nil {
		o.Steady.Before(step)
	}
	if o.Driven != nil {
		o.Driven.Before(step)
	}
	return o.Forces != nil && o.Forces.Table.Due(step)
}

// Save puts what a checkpoint keeps of all outputs into it. Tables are on the disk after Commit.
func (o *Outputs[T]) Save(to *Saved) error {
	for _, each := range o.Observers {
		if err := each.Save(to); err != nil {
			return err
		}
	}
	return nil
}

// Restore has all outputs go on from a checkpoint.
func (o *Outputs[T]) Restore(from *Saved) error {
	for _, each := range o.Observers {
		if err := each.Restore(from); err != nil {
			return err
		}
	}
	return nil
}

// Commit waits until all rows that have been flushed are on the disk. Rows may be appended
// meanwhile.
func (o *Outputs[T]) Commit() error {
	for _, t := range o.tables {
		if err := t.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// Sync waits until all rows are on the disk.
func (o *Outputs[T]) Sync() error {
	for _, t := range o.tables {
		if _, err := t.Sync(); err != nil {
			return err
		}
	}
	return nil
}

// Close closes all outputs; Sync has told of any failure before.
func (o *Outputs[T]) Close() {
	for _, each := range o.Observers {
		each.Close()
	}
}

// Tables are those that are open.
func (o *Outputs[T]) Tables() []*Table { return o.tables }
