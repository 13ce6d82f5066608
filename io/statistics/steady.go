package statistics

import (
	"fmt"
	"math"
)

// quietTail finds the longest part at the end in which drag and lift vary by
// at most ±bound, and whether it is long enough to be called steady.
func (a *analysis) quietTail(bound float64) (from float64, ok bool) {
	cd, cl := newExtent(), newExtent()
	first := len(a.cd.t)
	for first > 0 {
		cd.include(a.cd.y[first-1])
		cl.include(a.cl.y[first-1])
		if cd.width() > 2*bound || cl.width() > 2*bound {
			break
		}
		first--
	}
	if len(a.cd.t)-first < enoughSamples {
		return 0, false
	}
	from = a.cd.t[first]
	return from, a.end()-from >= quietPart*(a.end()-a.begin())
}

// steady is the result for a window from a time to the end in which the
// forces are constant, unless that is only the calm before shedding.
func (a *analysis) steady(from float64) Result {
	if amplitude, growing := a.growing(from); growing {
		r := a.lastHalf()
		r.Note = fmt.Sprintf("the forces look steady, but the lift oscillates with a growing amplitude (%.2g at the end): shedding sets in: run longer", amplitude)
		return r
	}
	r := a.over(from, a.end())
	r.Steady = true
	quarter := (r.To - r.From) / 4
	drift := func(s series) float64 {
		return math.Abs(s.mean(r.To-quarter, r.To) - s.mean(r.From, r.From+quarter))
	}
	switch cd, cl := drift(a.cd), drift(a.cl); {
	case cd > a.floor || cl > a.floor:
		r.Note = fmt.Sprintf("across the window the drag drifts by %.2g and the lift by %.2g, more than %.2g: run longer", cd, cl, a.floor)
	case r.To-r.From < quietLengths*a.pass && a.pass < a.length:
		r.Note = fmt.Sprintf("the forces are steady for only %.3g L/U, viscosity carries changes over the body %d times in %.3g: run longer", r.To-r.From, quietLengths, quietLengths*a.pass)
	case r.To-r.From < quietLengths*a.length && a.pass == a.length:
		r.Note = fmt.Sprintf("the forces are steady for only %.3g L/U, the flow passes the body %d times in %.3g: run longer", r.To-r.From, quietLengths, quietLengths*a.length)
	default:
		r.Converged = true
	}
	return r
}

// growing tells whether the lift's oscillation, small as it is, rises from
// quarter to quarter of the window, as an unstable wake's does before it is
// seen in the drag; and its amplitude in the last quarter.
func (a *analysis) growing(from float64) (amplitude float64, yes bool) {
	var q [4]float64
	step := (a.end() - from) / 4
	for i := range q {
		q[i] = a.cl.fluctuation(from+float64(i)*step, from+float64(i+1)*step)
	}
	amplitude = math.Sqrt2 * q[3]
	slowly := q[3] > 1.2*q[2] && q[2] > 1.2*q[1] && q[1] > 1.2*q[0]
	quickly := q[3] > 1.5*max(q[0], q[1], q[2])
	return amplitude, amplitude > rounding && (slowly || quickly)
}

// extent is the interval that holds all values included.
type extent struct{ lo, hi float64 }

func newExtent() extent { return extent{math.Inf(1), math.Inf(-1)} }

func (e *extent) include(x float64) {
	e.lo = math.Min(e.lo, x)
	e.hi = math.Max(e.hi, x)
}

// extentOf holds all values.
func extentOf(values []float64) extent {
	e := newExtent()
	for _, v := range values {
		e.include(v)
	}
	return e
}

func (e *extent) width() float64 { return e.hi - e.lo }
