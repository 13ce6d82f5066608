package run

import (
	"lbmib/hybrid"
	"lbmib/internal/finite"
	"lbmib/io/checkpoint"
	"lbmib/lbm"
	"lbmib/run/observe"
)

// stateSource is where a checkpoint's populations come from: the simulation, which waits
// where it is, or a state of it that was captured.
type stateSource[T lbm.Float] interface {
	Population(i int, dst []T) error
	OpenFaces() ([]float64, error)
	Held() ([][]T, error)
}

// atHand is the state at hand.
type atHand[T lbm.Float] struct{ r *run[T] }

func (s atHand[T]) Population(i int, dst []T) error {
	s.r.Sim.Fluid.Population(i, dst)
	return s.r.deviceLost()
}

func (s atHand[T]) OpenFaces() ([]float64, error) {
	open := s.r.Sim.Fluid.OpenFaces()
	return open, s.r.deviceLost()
}

func (s atHand[T]) Held() ([][]T, error) {
	held := s.r.Sim.Held()
	return held, s.r.deviceLost()
}

// pending is a checkpoint that is to be written.
type pending[T lbm.Float] struct {
	meta   savedMeta
	at     observe.Moment
	rigid  []float64
	means  []checkpoint.Section
	health *healthCheck // of the state
	fields *work        // whose files it refers to
}

// save writes a checkpoint of the state after the step at hand, beside the stepping where
// the fluid can be captured. What it refers to is on disk before it is: time series are
// synced and fields waited for. The error is that of the checkpoint before, or, where
// stepping has to wait anyway, of this one.
func (r *run[T]) save() error {
	if err := r.saves.wait(); err != nil {
		return err
	}
	r.savedAt = r.Step
	captured := r.Sim.CaptureState()
	if captured == nil {
		return r.saveAtHand()
	}
	p, err := r.pending()
	if err != nil {
		captured.Release()
		return err
	}
	p.rigid = captured.Rigid
	r.saves.start(func() error { return r.saveCaptured(p, captured) })
	return nil
}

// saveNow is save, and waits until the checkpoint is in place.
func (r *run[T]) saveNow() error {
	if err := r.save(); err != nil {
		return err
	}
	return r.saves.wait()
}

// pending prepares a checkpoint.
func (r *run[T]) pending() (*pending[T], error) {
	offsets, tables, err := r.records.offsets()
	if err != nil {
		return nil, err
	}
	samples, parts := r.means.Saved()
	p := &pending[T]{at: r.Now(), means: parts, health: r.pendingHealthAt(r.Now()), fields: r.fields.now, meta: savedMeta{
		Hash: r.Case.Hash(), Precision: r.Case.Fluid.Precision, Kernel: r.Sim.Fluid.Config().Kernel, Offsets: offsets,
		Wall: r.wall().Seconds(), Version: r.opts.Version, Means: samples, Outputs: tables, Extremes: r.extremes,
	}}
	if since := r.savedVelocity(); since != nil {
		rate := finite.Number(r.watch.rate)
		p.means, p.meta.Rate = append(p.means, since...), &rate
	}
	p.meta.Warnings, p.meta.MoreWarnings = r.checks.kept()
	if r.Step >= r.Problem.Steps || r.stopped != "" {
		for _, v := range r.wallSlips() {
			p.meta.WallSlips = append(p.meta.WallSlips, finite.Number(v))
		}
	}
	switch r.stopped {
	case "steady":
		p.meta.Steady = r.Case.Run.StopSteady
	case "cd_interval":
		p.meta.Drag, p.meta.DragOf = r.Case.Run.StopCd, r.Case.Run.StopBody
	}
	return p, nil
}

// saveAtHand writes a checkpoint while stepping waits.
func (r *run[T]) saveAtHand() error {
	if err := r.fields.wait(); err != nil {
		return err
	}
	p, err := r.pending()
	if err != nil {
		return err
	}
	p.rigid = r.Sim.Rigid()
	if err := p.health.healthy(); err != nil {
		return err
	}
	return r.writeCheckpoint(p, atHand[T]{r})
}

// saveCaptured writes a checkpoint of a captured state. It runs in the background.
func (r *run[T]) saveCaptured(p *pending[T], state *hybrid.CapturedState[T]) error {
	defer state.Release()
	if err := p.health.healthy(); err != nil {
		return err
	}
	if p.fields.outcome() != nil {
		return nil // ends the run; a checkpoint without the files that it refers to is none
	}
	return r.writeCheckpoint(p, state)
}

// writeCheckpoint writes a checkpoint, once the time series are on the disk.
func (r *run[T]) writeCheckpoint(p *pending[T], state stateSource[T]) error {
	if err := r.records.commit(); err != nil {
		return err
	}
	open, err := state.OpenFaces()
	if err != nil {
		return err
	}
	sections := []checkpoint.Section{{Name: "open", Data: append([]float64{}, open...)}}
	one := make([]T, r.Flow.Nodes()) // of all populations in turn
	for i := range r.Flow.Lattice.Q {
		sections = append(sections, checkpoint.Section{Name: observe.SectionName("f", i), Data: one, Fill: func() error {
			if err := state.Population(i, one); err != nil {
				return err
			}
			for n, wall := range r.Flow.Solid {
				if wall {
					one[n] = 0 // what lies within walls is nothing's future, and depends on where a run began
				}
			}
			return nil
		}})
	}
	held, err := state.Held()
	if err != nil {
		return err
	}
	for i, h := range held {
		sections = append(sections, checkpoint.Section{Name: observe.SectionName("held", i), Data: h})
	}
	if p.rigid != nil {
		sections = append(sections, checkpoint.Section{Name: "rigid", Data: p.rigid})
	}
	sections = append(sections, p.means...)
	p.meta.Outputs = append(p.meta.Outputs, r.outputs.until(p.at.Time+r.Units.Dt/2)...)
	if err := r.means.Write(&r.State); err != nil {
		return err
	}
	_, err = checkpoint.Write(r.Dir.Checkpoints(), p.at.Step, p.meta, sections, r.Dir.Keep)
	return err
}
