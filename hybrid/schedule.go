package hybrid

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/internal/precompiled"
	"lbmib/lbm"
)

// Schedules lists the ways in which the parts of a step follow each other.
//
//	serial     the fluid's step, then the correction on the host
//	pipelined  the correction on the host while the fluid makes its next step
//	device     both on the fluid's device
//	auto       the fastest of those that are possible, by measurement; the device where no other
//	           is three hundredths faster
//
// Results are the same but for rounding: serial and pipelined are the same bits where
// the fluid computes as the host does (the CPU's), if the strategy of interpolation
// and spreading is one whose results do not depend on the number of workers.
var Schedules = func() (names []string) {
	for _, m := range makers[float64]() {
		names = append(names, m.name)
	}
	return append(names, "auto")
}()

// Plan says how the steps of a simulation are to be made. The zero value is serial.
type Plan[T lbm.Float] struct {
	// Schedule is one of Schedules; empty: serial. One that a run has been found to be
	// fastest with (Simulation.Chosen) is to be asked for by name where the run is
	// resumed: what auto finds depends on the machine and on what else it is doing.
	Schedule string

	// Device makes corrections on the fluid's device; nil: there is none.
	Device DeviceCoupling[T]

	// Cells makes steps of elastic bodies there, where there are no others; nil: the host does.
	Cells DeviceCells[T]
}

// Choice is the schedule of a simulation, and how it came to be.
type Choice struct {
	Schedule string                   // serial, pipelined or device: that of the next step
	Settled  bool                     // auto is not measuring any more
	Times    map[string]time.Duration // per step, of those that auto has measured
	Reasons  map[string]string        // why others are not possible, or not this time
}

// NotPossible is the error of a plan whose schedule cannot be followed.
type NotPossible struct{ Schedule, Reason string }

func (e *NotPossible) Error() string {
	return fmt.Sprintf("the %s schedule is not possible here: %s", e.Schedule, e.Reason)
}

// String is the choice in a line.
func (c Choice) String() string {
	said := []string{}
	for _, name := range Schedules {
		if t, ok := c.Times[name]; ok {
			said = append(said, fmt.Sprintf("%s %.3g ms a step", name, t.Seconds()*1e3))
		} else if why, ok := c.Reasons[name]; ok {
			said = append(said, fmt.Sprintf("not %s: %s", name, why))
		}
	}
	if len(said) == 0 {
		return c.Schedule
	}
	return fmt.Sprintf("%s (%s)", c.Schedule, strings.Join(said, "; "))
}

// schedule makes the steps of a simulation with bodies. What is done when and where is its own
// affair, so it also answers for that: nothing else asks which schedule it is. To add one is to
// write it and to name it in makers.
type schedule[T lbm.Float] interface {
	name() string

	// start is called before the first step, or the first after steps of another
	// schedule, when nothing is outstanding.
	start()

	// step advances fluid and bodies by a step. Where bodies cannot be moved all stays
	// as it was.
	step()

	// complete makes the state of the fluid, and where bodies are, that after the last
	// step; flush also has the host know what its correction did. discard forgets what
	// is outstanding.
	complete()
	flush()
	discard()

	// storeResiduals has freely moving bodies take what their markers gave in the last
	// step, where that is left for later.
	storeResiduals()

	// markerSums are what the markers did in the last step, for a measurement of it.
	markerSums(m *measuring[T]) lbm.Pending[*MarkerSums]

	// capture sets aside what the last correction did, where a device keeps it; nil:
	// the host knows it after a flush.
	capture() CapturedReading[T]

	// warmUp is how many of its first steps say nothing about how long one takes.
	warmUp() int

	// crowd tells whether others want the processors that it has workers on.
	crowd(others bool)
	close()
}

// onHost is what schedules answer whose corrections the host makes, each in its step.
type onHost[T lbm.Float] struct{ s *Simulation[T] }

func (onHost[T]) start()                      {}
func (onHost[T]) storeResiduals()             {}
func (onHost[T]) capture() CapturedReading[T] { return nil }
func (onHost[T]) warmUp() int                 { return trialFirst }
func (onHost[T]) crowd(bool)                  {}

func (h onHost[T]) markerSums(m *measuring[T]) lbm.Pending[*MarkerSums] {
	return m.readMarkerSums()
}

// maker makes a schedule; its error is why that is not possible.
type maker[T lbm.Float] struct {
	name string
	make func(s *Simulation[T], pool *parallel.Pool, plan *Plan[T]) (schedule[T], error)
}

// makers are those of all schedules that steps can be made with.
func makers[T lbm.Float]() []maker[T] {
	return []maker[T]{
		{"serial", newSerial[T]},
		{"pipelined", newPipelined[T]},
		{"device", newOnDevice[T]},
	}
}

// Split shares the processors between a fluid on the host and the host's part of
// the pipelined schedule, whose work is a few per cent of the fluid's: the workers of
// either one's pool.
func Split(processors int) (fluid, bodies int) {
	bodies = max(1, processors/8)
	return max(1, processors-bodies), bodies
}

// NewScheduled is NewSimulation with a plan. For the pipelined schedule pool is not
// the fluid's own: see Split. A plan that cannot be followed is refused; what auto
// cannot do it leaves out, and Chosen tells why. Close ends what a plan has started.
func NewScheduled[T lbm.Float](fluid lbm.Fluid[T], cfg CouplingConfig, bodies []*rigid.Body, pool *parallel.Pool, plan Plan[T]) (*Simulation[T], error) {
	return precompiled.Of[scheduler[T]](schedulers)(fluid, cfg, bodies, pool, plan)
}

// scheduler is a NewScheduled of one precision; see package precompiled.
type scheduler[T lbm.Float] func(fluid lbm.Fluid[T], cfg CouplingConfig, bodies []*rigid.Body, pool *parallel.Pool, plan Plan[T]) (*Simulation[T], error)

var schedulers = []any{scheduler[float32](newScheduled[float32]), scheduler[float64](newScheduled[float64])}

func newScheduled[T lbm.Float](fluid lbm.Fluid[T], cfg CouplingConfig, bodies []*rigid.Body, pool *parallel.Pool, plan Plan[T]) (*Simulation[T], error) {
	if plan.Schedule == "" {
		plan.Schedule = "serial"
	}
	if !slices.Contains(Schedules, plan.Schedule) {
		return nil, fmt.Errorf("hybrid: schedule %q is unknown: choose one of %s", plan.Schedule, strings.Join(Schedules, ", "))
	}
	s, err := newSimulation(fluid, cfg, bodies, pool, shareOf(fluid, &cfg, bodies, plan.Schedule))
	if err != nil || s.coupling == nil {
		return s, err
	}
	possible, reasons := possible(s, pool, plan)
	if plan.Schedule != "auto" {
		i := slices.IndexFunc(possible, func(p schedule[T]) bool { return p.name() == plan.Schedule })
		for k, p := range possible {
			if k != i {
				p.close()
			}
		}
		if i < 0 {
			return nil, &NotPossible{plan.Schedule, reasons[plan.Schedule]}
		}
		possible, reasons = possible[i:i+1], nil
	}
	s.choice = Choice{Reasons: reasons, Settled: len(possible) == 1}
	s.use(possible[0])
	if len(possible) > 1 {
		s.trial = newTrial(s, possible)
	}
	if len(possible) > 1 || possible[0].name() != "serial" {
		s.Fluid = &flushed[T]{s}
		for _, b := range bodies {
			b.OnState(s.complete)
		}
	}
	return s, nil
}

// possible are the schedules that a plan allows, and why the others are not.
func possible[T lbm.Float](s *Simulation[T], pool *parallel.Pool, plan Plan[T]) (all []schedule[T], reasons map[string]string) {
	reasons = map[string]string{}
	for _, m := range makers[T]() {
		if m.name != "serial" && plan.Schedule != m.name && plan.Schedule != "auto" {
			continue
		}
		if p, err := m.make(s, pool, &plan); err != nil {
			reasons[m.name] = err.Error()
		} else {
			all = append(all, p)
		}
	}
	return all, reasons
}

// use makes the next steps those of a schedule.
func (s *Simulation[T]) use(next schedule[T]) {
	if s.schedule != nil {
		s.schedule.flush()
	}
	s.schedule, s.choice.Schedule = next, next.name()
	next.start()
}
