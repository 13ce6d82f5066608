package observe

import (
	"fmt"
	"math"

	"lbmib/lbm"
)

// healthLeast is the least number of steps between looks at all nodes: a look
// costs about as much as a step.
const healthLeast = 100

// Health looks at all nodes: where it is time to, and before anything is written of a whole state.
// What it finds may come later than the state. Until then nothing is written of it: neither a file
// nor a checkpoint that replaces another.
type Health[T lbm.Float] struct {
	*State[T]
	Extremes Extremes // over the looks that are due by the case

	every  int64        // steps between looks
	before []Observer   // of sound states
	check  *HealthCheck // of the last state checked; nil: it has been passed
}

func newHealth[T lbm.Float](s *State[T]) *Health[T] {
	return &Health[T]{State: s, every: max(healthLeast, s.Case.StepsOf(s.Case.Output.Every("forces")))}
}

// HealthCheck is the health of the state of a moment.
type HealthCheck struct {
	at     Moment
	moved  [3]int // nodes by which the domain had followed a body
	health lbm.Pending[lbm.Health]
}

// Unhealthy is the error of a state in which the flow has diverged.
type Unhealthy struct {
	At     Moment
	Health lbm.Health
}

func (e *Unhealthy) Error() string { return fmt.Sprintf("the flow diverged by step %d", e.At.Step) }

// Healthy waits for the health; nil is a check that has been passed.
func (c *HealthCheck) Healthy() error {
	if c == nil {
		return nil
	}
	h, err := c.health.Wait()
	if err == nil && !h.OK {
		err = &Unhealthy{c.at, h}
	}
	return err
}

// Due is where a look is due by the case, at the end, and where something is kept of the state.
func (h *Health[T]) Due(step int64) bool {
	if h.dueByCase(step) || step == h.Problem.Steps || h.Dir.CheckpointDue(step) {
		return true
	}
	for _, o := range h.before {
		if o.Due(step) {
			return true
		}
	}
	return false
}

func (h *Health[T]) dueByCase(step int64) bool { return step%h.every == 0 }

// Observe has the health of the state at hand found, after that of the state before has been
// looked at.
func (h *Health[T]) Observe() error {
	if err := h.End(true); err != nil {
		return err
	}
	h.check = &HealthCheck{h.Now(), h.Moved, h.Sim.PendingHealth()}
	if err := h.Lost(); err != nil {
		return err
	}
	return h.End(false)
}

// At is the check of the state of a moment; nil: it has been passed.
func (h *Health[T]) At(m Moment) *HealthCheck {
	if h.check == nil || h.check.at != m {
		return nil
	}
	return h.check
}

// End looks at the health of the last state checked, if it is known or to be waited for.
func (h *Health[T]) End(wait bool) error {
	c := h.check
	if c == nil || !wait && !c.health.Ready() {
		return nil
	}
	h.check = nil
	if err := c.Healthy(); err != nil {
		return err
	}
	found, _ := c.health.Wait() // which did not fail
	h.Keep(c.at, c.moved, found)
	return nil
}

// Check looks at all nodes now.
func (h *Health[T]) Check() error {
	found := h.Sim.Fluid.Health()
	if err := h.Lost(); err != nil {
		return err
	}
	if !found.OK {
		return &Unhealthy{h.Now(), found}
	}
	h.Keep(h.Now(), h.Moved, found)
	return nil
}

// Keep takes in a look at the state of a moment, when the domain had moved so far, if it was due there by the case.
func (h *Health[T]) Keep(at Moment, moved [3]int, found lbm.Health) {
	if !h.dueByCase(at.Step) {
		return
	}
	h.Extremes.Take(found)
	if from := h.Case.Output.Statistics.From; !(at.Time < from) { // NaN: none is given
		h.Extremes.TakePressure(h.PressurePeaks(at.Time, moved, found))
	}
}

// PressurePeaks are those of a look at a time, when the domain had moved by so many nodes; nil of a state that is not sound.
func (h *Health[T]) PressurePeaks(time float64, moved [3]int, found lbm.Health) *PressurePeaks {
	if !found.OK || found.Worst[0] < 0 {
		return nil
	}
	peak := func(rho float64, node [3]int) Peak {
		p := Peak{Pressure: h.Units.PressureOf(rho), Time: time}
		p.Place = h.Place(h.Problem.CellCentre(node))
		for a := range h.Flow.Lattice.Dim { // where the domain was then, not where it is
			p.Place[a] += float64(moved[a]-h.Moved[a]) * h.Units.Dx
		}
		return p
	}
	return &PressurePeaks{peak(found.MinRho, found.MinAt), peak(found.MaxRho, found.MaxAt)}
}

// Save keeps the extremes.
func (h *Health[T]) Save(to *Saved) error {
	to.Extremes = h.Extremes
	return nil
}

// Restore goes on from the extremes of a checkpoint, and the look at its state, which came after it.
func (h *Health[T]) Restore(from *Saved) error {
	h.Extremes = from.Extremes
	if h.dueByCase(h.Step) {
		h.Keep(h.Now(), h.Moved, h.Sim.Fluid.Health())
	}
	return nil
}

// Close has nothing to free.
func (h *Health[T]) Close() error { return nil }

// Extremes are the largest values over the looks at all nodes that are due by the case. They
// are part of a checkpoint, so that those of a run that was interrupted are the same.
type Extremes struct {
	Speed     float64 `json:"speed"`     // lattice units
	Deviation float64 `json:"deviation"` // of the density from 1

	Pressure *PressurePeaks `json:"pressure,omitempty"` // since output.statistics.from, where it is given; nil: no look yet
}

// PressurePeaks are the least and the largest pressure of all nodes.
type PressurePeaks struct {
	Least Peak `json:"least"`
	Most  Peak `json:"most"`
}

// Peak is the pressure of a node, of nested grids of a cell of the level that is finest there, in ρU² against the reference density, when it was so and where
// the node is.
type Peak struct {
	Pressure float64    `json:"pressure"`
	Time     float64    `json:"time"`  // L/U
	Place    [3]float64 `json:"place"` // L
}

// TakePressure takes in those of a later look; nil: there are none.
func (e *Extremes) TakePressure(p *PressurePeaks) {
	switch {
	case p == nil:
	case e.Pressure == nil:
		e.Pressure = p
	default:
		was := *e.Pressure // which may be on its way to a checkpoint
		if p.Least.Pressure < was.Least.Pressure {
			was.Least = p.Least
		}
		if p.Most.Pressure > was.Most.Pressure {
			was.Most = p.Most
		}
		e.Pressure = &was
	}
}

// Take takes in what a look at a sound state found.
func (e *Extremes) Take(h lbm.Health) {
	if h.OK && h.Worst[0] >= 0 {
		e.Speed = math.Max(e.Speed, h.MaxSpeed)
		e.Deviation = math.Max(e.Deviation, math.Max(h.MaxRho-1, 1-h.MinRho))
	}
}
