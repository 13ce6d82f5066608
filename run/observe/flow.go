package observe

import (
	"math"

	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/setup"
)

const flowFile = "flow.csv"

// flowColumns are those of flow.csv: the flow rate and its mean speed, the speed that is held, and the force per mass that it takes.
var flowColumns = []string{"t", "step", "flow_rate", "speed", "speed_held", "body_force"}

// Flow holds a flow rate by a body force, and writes flow.csv: a row per correction, or of every so-many-th.
//
// The fluid between the sections obeys dU/dt = f − D, with its mean speed U and what walls and bodies take, D, which changes slowly.
// Over an interval τ of constant f, D = f − ΔU/τ was its mean; the force over the next is
//
//	f = D + ΔU*/τ + (U* − U)/T,   T = 4τ,
//
// so that U comes to the speed asked for, U*, as e^(−t/T), and keeps no error where D becomes steady, and one of Tτ dD/dt where it
// goes on to change. Where D follows U at once, D = λU, as in slow flow, this is stable for any λτ (the roots of
// z² + (−1 − a + b + b/4)z + a − b, a = e^(−λτ), b = (1 − a)/λτ, are within the unit circle), and slow where λτ is large: hence τ
// is at most half of 1/λ = H²/12ν, as between plates as far apart as the domain is wide.
type Flow[T lbm.Float] struct {
	*State[T]
	*Table
	every    int64 // steps between corrections
	sections []*section[T]
	held     bool    // a body holds the flow: what is outside of it does not count
	before   float64 // the speed at the last correction, nodes per step
}

// correctEvery is the longest time between corrections, L/U, and mostSections from how many sections the mean is taken: along an axis with
// as many, sound of all but the shortest waves has no part in it.
const (
	correctEvery = 0.05
	mostSections = 8
	slower       = 4 // T/τ
)

func init() {
	register(kind{key: "flow", files: []string{flowFile}, f32: newFlow[float32], f64: newFlow[float64]})
}

func newFlow[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	if o.Held == nil {
		return nil, nil
	}
	t, err := o.Table(flowFile, flowColumns, 0)
	if err != nil {
		return nil, err
	}
	f := &Flow[T]{State: o.State, Table: t, every: roundUp(o.Case.StepsOf(correctionTime(o.Case)), int64(o.Problem.Parts()[0].Width))}
	t.Every = roundUp(o.Case.StepsOf(o.Case.Output.Every("flow")), f.every)
	n := o.Flow.Size[o.Held.Axis]
	for k := range min(n, mostSections) {
		at := setup.Region{Size: o.Flow.Size, Across: o.Held.Axis}
		at.Lo[o.Held.Axis], at.Size[o.Held.Axis] = (2*k+1)*n/(2*min(n, mostSections)), 1
		f.sections = append(f.sections, newSection[T](casefile.Section{Axis: o.Held.Axis}, at))
	}
	for _, b := range o.Case.Bodies {
		f.held = f.held || b.Fluid == "inside"
	}
	o.Driven = f
	return []Observer{f}, nil
}

// correctionTime is the time between corrections, L/U.
func correctionTime(c *casefile.Case) float64 {
	width := math.Inf(1)
	for a, size := range c.Domain.Size[:c.Domain.Dim] {
		if a != c.Domain.Flow.Axis {
			width = math.Min(width, size)
		}
	}
	return math.Min(correctEvery, width*width/(24*c.LargestViscosity()))
}

// roundUp is the multiple of a width that is a number or next above it.
func roundUp(n, width int64) int64 { return (n + width - 1) / width * width }

// Before sets the force that the first step begins with.
func (f *Flow[T]) Before(step int64) {
	if step == 1 {
		_, u := f.mean()
		f.Held.Correct(0, f.next(0, u, 0))
		f.before = u
	}
}

// Due is at every correction.
func (f *Flow[T]) Due(step int64) bool { return step%f.every == 0 }

// Observe measures the flow, corrects the force and appends a row.
func (f *Flow[T]) Observe() error {
	area, u := f.mean()
	taken := f.Held.Now - (u-f.before)/float64(f.every)
	f.Held.Correct(f.Step, f.next(taken, u, f.Step))
	f.before = u
	if f.Step%f.Table.Every != 0 {
		return f.Lost()
	}
	speed := f.Units.FromLatticeVelocity(u)
	err := f.Append(f.Time(), f.Step, speed*area, speed, f.Units.FromLatticeVelocity(f.wanted(f.Step)), f.Units.FromLattice(casefile.Acceleration, f.Held.Until))
	if err == nil {
		err = f.Lost()
	}
	return err
}

// next is the force over the interval that begins, beside walls that take so much.
func (f *Flow[T]) next(taken, u float64, step int64) float64 {
	tau := float64(f.every)
	return taken + (f.wanted(step+f.every)-f.wanted(step))/tau + (f.wanted(step)-u)/(slower*tau)
}

// wanted is the mean speed that is asked for after a step, nodes per step.
func (f *Flow[T]) wanted(step int64) float64 {
	flow, t := f.Case.Domain.Flow, f.Units.TimeAt(step)
	v := flow.Given.At(t)
	if !flow.BySpeed {
		v /= f.area()
	}
	return f.Units.ToLatticeVelocity(v)
}

// area is the mean of the sections' areas, L^(d−1).
func (f *Flow[T]) area() float64 {
	n := 0
	for _, x := range f.sections {
		n += x.inFlow
	}
	return f.Units.FromLattice(casefile.Area, float64(n)/float64(len(f.sections)))
}

// mean is the area and the mean speed over all sections. What moving bodies carry along counts, and so does the fluid inside bodies.
func (f *Flow[T]) mean() (area, speed float64) {
	sum, n := 0., 0
	for _, x := range f.sections {
		size := x.hi
		for a := range size {
			size[a] -= x.lo[a]
		}
		x.now.Read(f.State, x.lo, size)
		if x.counts == nil || f.held && f.Problem.Moving() {
			x.counts = notOutside(f.State, x.lo, size, x.counts)
			x.inFlow = 0
			for _, counts := range x.counts {
				if counts {
					x.inFlow++
				}
			}
		}
		for k, counts := range x.counts {
			if counts {
				sum += float64(x.now.U[f.Held.Axis][k])
			}
		}
		n += x.inFlow
	}
	return f.area(), sum / math.Max(1, float64(n))
}

// SavedFlow is what a checkpoint keeps of a flow that is held.
type SavedFlow struct {
	setup.HeldForce
	Speed float64 // at the last correction, nodes per step
}

// Save keeps the force and what it follows from.
func (f *Flow[T]) Save(to *Saved) error {
	to.Flow = &SavedFlow{*f.Held, f.before}
	return f.Table.Save(to)
}

// Restore goes on with them.
func (f *Flow[T]) Restore(from *Saved) error {
	if from.Flow != nil {
		*f.Held, f.before = from.Flow.HeldForce, from.Flow.Speed
	}
	f.mean() // so that areas are known
	return nil
}
