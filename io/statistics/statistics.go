// Package statistics turns the force history of a body into the numbers that
// are published: mean coefficients, amplitudes, Strouhal number, and the
// length of the recirculation bubble; and says whether the history has
// settled enough for them.
package statistics

import (
	"fmt"
	"math"
	"strings"
)

// History is the drag and lift of one body over time. T increases, evenly up
// to rounding, in L/U; Cd and Cl are coefficients at these times.
type History struct {
	T, Cd, Cl []float64

	// Response is the time, in L/U, that the flow past the body needs to follow a change,
	// where that is shorter than the body's length over U: L²/ν in creeping flow. 0: not known.
	Response float64
}

// Result holds the statistics over the window [From, To], in L/U.
type Result struct {
	From, To float64

	CdMean      float64 // time average, trapezoidal rule
	CdAmplitude float64 // half of peak to peak, peaks by a parabola through three samples
	ClMean      float64
	ClAmplitude float64 // as CdAmplitude
	ClRMS       float64 // root mean square of Cl − ClMean
	Strouhal    float64 // lift frequency · body length / U; 0 without shedding

	Periods   int    // whole periods in the window; 0 without oscillation
	Converged bool   // the numbers would not change if the run went on
	Steady    bool   // the forces are constant in the window
	Instead   bool   // the window was found, as too little lies in the given one
	Fading    bool   // lift swings less from period to period, and by a third less at the end: what sheds does not
	Note      string // why not converged, and what to do; "" otherwise
}

// swings tells by how much the forces vary, beyond rounding.
func (r *Result) swings() string {
	var said []string
	for _, c := range []struct {
		name      string
		amplitude float64
	}{{"drag", r.CdAmplitude}, {"lift", r.ClAmplitude}} {
		if c.amplitude > rounding {
			said = append(said, fmt.Sprintf("±%.2g in %s", c.amplitude, c.name))
		}
	}
	return strings.Join(said, ", ")
}

// The bounds by which a history is judged. What is relative is so to the
// scale of the forces: the larger of |mean Cd| and |mean Cl| over the last
// half of the history or, where both are nothing beside it, the amplitude there.
const (
	// Oscillations with an amplitude below this part of the scale are
	// acoustic waves or rounding: vortex shedding just above its onset
	// already reaches some per cent. Forces that vary by less are steady.
	quiet = 1e-3
	// Means are nothing beside an amplitude this many times as large, as those of a body that
	// swings in fluid at rest.
	beside = 10
	// Rounding errors in coefficients stay below this, whatever the scale.
	rounding = 1e-6
	// Forces that vary by less than this part, without a period, have lost
	// their transient but for a rest: steady, though not converged.
	nearlyQuiet = 10 * quiet
	// A steady window spans at least this part of the history …
	quietPart = 0.2
	// … and this many body lengths of free stream or, where that is shorter, times in which
	// viscosity carries changes over the body, before it is converged.
	quietLengths = 5

	// Periods agree while their extremes lie within these bounds. Lift is
	// compared by its rms in each period, which noise hardly touches.
	agreeLift   = 0.02  // of the rms; of the amplitude for the mean
	agreeDrag   = 0.003 // of the scale, as its rest of transient adds to the small drag amplitude
	agreePeriod = 0.05  // of the period
	// This many agreeing periods make a converged result, if no quantity has
	// a trend across them of more than half its bound.
	enoughPeriods = 4

	// Periods whose lengths scatter by more than this are none.
	irregular = 0.2
	// With fewer samples per period, peaks are missed.
	enoughPerPeriod = 8
	// Histories shorter than this are averaged, not analysed.
	enoughSamples = 16
)

// Analyse computes statistics over a window from the time from, or over the
// settled part at the end that it finds itself if from is NaN. length is the
// body's length in L that the Strouhal number is made with.
//
// Steady flows are averaged over the last part in which drag and lift vary by
// less than ±0.1 %. Periodic flows are averaged over the last whole periods
// that agree with each other, without those at their beginning that still
// show the transient; periods are those of the lift, or of the drag where the
// lift does not oscillate. A given window is trimmed to whole periods. If the
// history has not settled, the window is its last half. Whatever falls short
// is said in Note, with Converged false.
//
// A history that cannot be analysed at all (values that are not finite, times
// that do not increase, lengths that differ, no samples) gives NaN in every
// number and the reason in Note.
func Analyse(h History, from, length float64) Result {
	if problem := h.problem(length); problem != "" {
		return refused(problem)
	}
	a := newAnalysis(h, length)
	if n := len(h.T); n < enoughSamples {
		r := a.over(h.T[0], a.end())
		r.Note = fmt.Sprintf("only %d samples: %d are needed to judge the history: run longer or write forces more often", n, enoughSamples)
		return r
	}
	if math.IsNaN(from) {
		return a.automatic()
	}
	window := h.since(from)
	if n := len(window.T); n < enoughSamples {
		r := a.automatic()
		r.Converged, r.Instead = false, true
		r.Note = fmt.Sprintf("the window from t = %g has %d samples, the history ends at t = %g: a window is found in it instead, as if none were given: run longer or begin the window earlier", from, n, a.end())
		return r
	}
	return newAnalysis(window, length).given()
}

func (h History) problem(length float64) string {
	n := len(h.T)
	switch {
	case n == 0:
		return "the history is empty: write forces more often or run longer"
	case len(h.Cd) != n || len(h.Cl) != n:
		return fmt.Sprintf("the history has %d times, %d drag and %d lift values: it needs as many of each", n, len(h.Cd), len(h.Cl))
	case !(length > 0) || math.IsInf(length, 0):
		return fmt.Sprintf("the body's length is %g: it must be positive and finite", length)
	}
	for i, t := range h.T {
		if !finite(t) || !finite(h.Cd[i]) || !finite(h.Cl[i]) {
			return fmt.Sprintf("sample %d (t = %g, cd = %g, cl = %g) is not finite: the flow diverged or the file is damaged", i, t, h.Cd[i], h.Cl[i])
		}
		if i > 0 && t <= h.T[i-1] {
			return fmt.Sprintf("sample %d has t = %g after t = %g: times must increase", i, t, h.T[i-1])
		}
	}
	return ""
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func refused(note string) Result {
	nan := math.NaN()
	return Result{From: nan, To: nan, CdMean: nan, CdAmplitude: nan, ClMean: nan, ClAmplitude: nan, ClRMS: nan, Strouhal: nan, Note: note}
}

// since is the part of the history from t0 on.
func (h History) since(t0 float64) History {
	i := series{h.T, h.Cd}.index(t0)
	return History{T: h.T[i:], Cd: h.Cd[i:], Cl: h.Cl[i:], Response: h.Response}
}

// analysis is a history with the scale it is judged by.
type analysis struct {
	cd, cl series
	length float64
	pass   float64 // time that the flow needs to follow a change, L/U
	scale  float64 // of the forces
	floor  float64 // amplitude below which forces are steady
}

func newAnalysis(h History, length float64) *analysis {
	a := &analysis{cd: series{h.T, h.Cd}, cl: series{h.T, h.Cl}, length: length, pass: length}
	if h.Response > 0 {
		a.pass = math.Min(length, h.Response)
	}
	middle, end := a.middle(), a.end()
	a.scale = math.Max(math.Abs(a.cd.mean(middle, end)), math.Abs(a.cl.mean(middle, end)))
	if swing := math.Max(a.cd.swing(middle, end), a.cl.swing(middle, end)); swing > beside*a.scale {
		a.scale = swing
	}
	a.floor = math.Max(rounding, quiet*a.scale)
	return a
}

func (a *analysis) begin() float64  { return a.cd.t[0] }
func (a *analysis) end() float64    { return a.cd.t[len(a.cd.t)-1] }
func (a *analysis) middle() float64 { return (a.begin() + a.end()) / 2 }

// over is the statistics of a window, without any judgement.
func (a *analysis) over(from, to float64) Result {
	mean := a.cl.mean(from, to)
	return Result{
		From: from, To: to,
		CdMean: a.cd.mean(from, to), CdAmplitude: a.cd.amplitude(from, to),
		ClMean: mean, ClAmplitude: a.cl.amplitude(from, to), ClRMS: a.cl.rms(from, to, mean),
	}
}

func (a *analysis) lastHalf() Result { return a.over(a.middle(), a.end()) }

// automatic finds the window.
func (a *analysis) automatic() Result {
	if from, ok := a.quietTail(a.floor); ok {
		return a.steady(from)
	}
	if marks, lift := a.oscillation(); marks != nil {
		return a.periodic(marks, lift)
	}
	if from, ok := a.quietTail(math.Max(rounding, nearlyQuiet*a.scale)); ok {
		r := a.over(from, a.end())
		r.Steady = true
		r.Note = fmt.Sprintf("the forces are nearly steady, but still vary by %s: run longer", r.swings())
		return r
	}
	r := a.lastHalf()
	r.Note = fmt.Sprintf("the forces are neither steady nor periodic (%s over the last half): run longer", r.swings())
	return r
}

// given judges the whole history as the window.
func (a *analysis) given() Result {
	if a.cd.amplitude(a.begin(), a.end()) <= a.floor && a.cl.amplitude(a.begin(), a.end()) <= a.floor {
		return a.steady(a.begin())
	}
	if marks, lift := a.oscillation(); marks != nil {
		return a.whole(marks, lift)
	}
	r := a.over(a.begin(), a.end())
	r.Note = fmt.Sprintf("the forces are neither steady nor periodic in the window (%s): begin it later or run longer", r.swings())
	return r
}
