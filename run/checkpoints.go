package run

import (
	"fmt"

	"lbmib/hybrid"
	"lbmib/internal/finite"
	"lbmib/io/checkpoint"
	"lbmib/lbm"
	"lbmib/run/observe"
)

// checkpoints writes checkpoints, beside the stepping where the fluid can be captured. It is an
// observer, which keeps what all the others do.
type checkpoints[T lbm.Float] struct {
	observe.Stateless
	observe.Background
	*observe.State[T]
	*ending
	*clock
	out     *observe.Outputs[T]
	checks  *checks
	results *results[T]
	savedAt int64 // step of the last checkpoint that was begun; −1: none
}

func newCheckpoints[T lbm.Float](r *results[T]) *checkpoints[T] {
	return &checkpoints[T]{State: r.State, ending: r.ending, clock: r.clock, checks: r.checks, results: r, savedAt: -1}
}

// Due is at the interval of the case.
func (c *checkpoints[T]) Due(step int64) bool { return c.Dir.CheckpointDue(step) }

// Observe writes a checkpoint of the state after the step at hand. What it refers to is on disk
// before it is: time series are synced and fields waited for. The error is that of the checkpoint
// before, or, where stepping has to wait anyway, of this one.
func (c *checkpoints[T]) Observe() error {
	if err := c.Wait(); err != nil {
		return err
	}
	c.savedAt = c.Step
	captured := c.Sim.CaptureState()
	if captured == nil {
		return c.saveAtHand()
	}
	p, err := c.pending()
	if err != nil {
		captured.Release()
		return err
	}
	p.rigid, p.cells = captured.Rigid, captured.Flexible
	c.Start(func() error { return c.saveCaptured(p, captured) })
	return nil
}

// now is Observe, and waits until the checkpoint is in place.
func (c *checkpoints[T]) now() error {
	if err := c.Observe(); err != nil {
		return err
	}
	return c.Wait()
}

// has tells whether there is a checkpoint of the state at hand, which may still be being written.
func (c *checkpoints[T]) has() bool { return c.savedAt == c.Step || c.restored(c.Step) }

// stateSource is where a checkpoint's populations come from: the simulation, which waits
// where it is, or a state of it that was captured.
type stateSource[T lbm.Float] interface {
	Parts() []lbm.Part
	PartPopulation(part, i int, dst []T) error
	OpenFaces() ([]float64, error)
	Held() ([][]T, error)
}

// atHand is the state at hand.
type atHand[T lbm.Float] struct{ *observe.State[T] }

func (s atHand[T]) Parts() []lbm.Part { return lbm.PartsOf(s.Sim.Fluid) }

func (s atHand[T]) PartPopulation(part, i int, dst []T) error {
	lbm.PartPopulation(s.Sim.Fluid, part, i, dst)
	return s.Lost()
}

func (s atHand[T]) OpenFaces() ([]float64, error) {
	open := s.Sim.Fluid.OpenFaces()
	return open, s.Lost()
}

func (s atHand[T]) Held() ([][]T, error) {
	held := s.Sim.Held()
	return held, s.Lost()
}

// pending is a checkpoint that is to be written.
type pending[T lbm.Float] struct {
	meta      savedMeta
	at        observe.Moment
	rigid     []float64
	cells     []float64            // of elastic bodies
	suspended []float64            // of ellipsoids
	health    *observe.HealthCheck // of the state
	fields    *observe.Work        // whose files it refers to
}

// pending prepares a checkpoint.
func (c *checkpoints[T]) pending() (*pending[T], error) {
	p := &pending[T]{at: c.Now(), health: c.out.Health.At(c.Now()), fields: c.out.Fields.Work(), meta: savedMeta{
		Hash: c.Case.Hash(), Precision: c.Case.Fluid.Precision, Kernel: c.Sim.Fluid.Config().Kernel,
		Wall: c.wall().Seconds(), Version: c.results.version,
	}}
	if err := c.out.Save(&p.meta.Saved); err != nil {
		return nil, err
	}
	if c.Case.Domain.Follow != nil {
		p.meta.Moved = append([]int{}, c.Moved[:]...)
	}
	p.meta.Warnings, p.meta.MoreWarnings = c.checks.kept()
	if c.Step >= c.Problem.Steps || c.stopped != "" {
		for _, v := range c.results.wallSlips() {
			p.meta.WallSlips = append(p.meta.WallSlips, finite.Number(v))
		}
	}
	switch c.stopped {
	case "steady":
		p.meta.Steady = c.Case.Run.StopSteady
	case "cd_interval":
		p.meta.Drag, p.meta.DragOf = c.Case.Run.StopCd, c.Case.Run.StopBody
		if from := c.Case.Output.Statistics.From; finite.Is(from) {
			p.meta.DragFrom = &from
		}
	}
	return p, nil
}

// saveAtHand writes a checkpoint while stepping waits.
func (c *checkpoints[T]) saveAtHand() error {
	if err := c.out.Fields.Wait(); err != nil {
		return err
	}
	p, err := c.pending()
	if err != nil {
		return err
	}
	p.rigid, p.cells, p.suspended = c.Sim.Rigid(), c.Sim.Flexible(), c.Sim.Suspended()
	if err := p.health.Healthy(); err != nil {
		return err
	}
	return c.write(p, atHand[T]{c.State})
}

// saveCaptured writes a checkpoint of a captured state. It runs in the background.
func (c *checkpoints[T]) saveCaptured(p *pending[T], state *hybrid.CapturedState[T]) error {
	defer state.Release()
	if err := p.health.Healthy(); err != nil {
		return err
	}
	if p.fields.Outcome() != nil {
		return nil // ends the run; a checkpoint without the files that it refers to is none
	}
	return c.write(p, state)
}

// populationSections are the populations of all parts, which take turns in one array.
func populationSections[T lbm.Float](state stateSource[T], flow *lbm.Config) (sections []checkpoint.Section) {
	parts := state.Parts()
	nodes := func(k int) int { // of a vessel those of its fluid, in their order
		if flow.Inside != nil {
			return flow.Nodes()
		}
		return parts[k].Nodes(flow.Lattice)
	}
	most := 0
	for k := range parts {
		most = max(most, nodes(k))
	}
	room := make([]T, most)
	for k := range parts {
		one := room[:nodes(k)]
		for i := range flow.Lattice.Q {
			sections = append(sections, checkpoint.Section{Name: observe.SectionName(partPrefix(k, len(parts))+"f", i), Data: one, Fill: func() error {
				if err := state.PartPopulation(k, i, one); err != nil {
					return err
				}
				if len(parts) == 1 {
					for n, wall := range flow.Solid {
						if wall {
							one[n] = 0 // what lies within walls is nothing's future, and depends on where a run began
						}
					}
				}
				return nil
			}})
		}
	}
	return sections
}

// partPrefix is what the names of a part's sections begin with.
func partPrefix(k, parts int) string {
	if parts == 1 {
		return ""
	}
	return fmt.Sprintf("part%d/", k)
}

// write writes a checkpoint, once the time series are on the disk.
func (c *checkpoints[T]) write(p *pending[T], state stateSource[T]) error {
	if err := c.out.Commit(); err != nil {
		return err
	}
	open, err := state.OpenFaces()
	if err != nil {
		return err
	}
	sections := []checkpoint.Section{{Name: "open", Data: append([]float64{}, open...)}}
	sections = append(sections, populationSections(state, &c.Flow)...)
	p.meta.Grids = savedGrids(state.Parts())
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
	if p.cells != nil {
		sections = append(sections, checkpoint.Section{Name: "flexible", Data: p.cells})
	}
	if p.suspended != nil {
		sections = append(sections, checkpoint.Section{Name: "suspended", Data: p.suspended})
	}
	sections = append(sections, p.meta.Sections...)
	p.meta.Outputs = append(p.meta.Outputs, c.out.Files.Until(p.at.Time+c.Units.Dt/2)...)
	if err := c.out.Means.Write(); err != nil {
		return err
	}
	_, err = checkpoint.Write(c.Dir.Checkpoints(), p.at.Step, p.meta, sections, c.Dir.Keep)
	return err
}
