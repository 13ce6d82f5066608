package statistics

import (
	"fmt"
	"math"
)

// Swinging is the motion of a body along a line, and the force on it along that line, each at even times of its own. About an axis
// the same holds of spin and torque.
type Swinging struct {
	T, V   []float64 // velocity
	FT, F  []float64 // force
	Period float64   // where it is known beforehand; 0: it is found
	Forced bool      // the motion is prescribed: what turns back is meant to come again
}

// ForceFit is F ≈ Mean − Drag·g(V) − Mass·dV/dt by least squares, g(V) being V or V|V|.
type ForceFit struct {
	Mean, Drag, Mass       float64
	DragSpread, MassSpread float64 // standard deviation among periods that are fitted one by one
	Rest                   float64 // root mean square of what is left, over that of the force about its mean
}

// Oscillation is what a force does beside a motion that comes again, over whole periods.
type Oscillation struct {
	From, To  float64
	Period    float64 // mean
	Zero      float64 // a time of phase 0, when the velocity's first harmonic is largest
	Periods   int
	Converged bool   // four of them and more agree
	Note      string // why not, and what to do; "" otherwise

	VelocityMean float64
	Velocity     float64 // amplitude: half of peak to peak
	Acceleration float64 // likewise
	ForceMean    float64

	Linear  ForceFit // F ≈ Mean − Drag·V − Mass·dV/dt
	Morison ForceFit // F ≈ Mean − Drag·V|V| − Mass·dV/dt (Morison, Johnson, O'Brien & Schaaf, Petrol. Trans. AIME 189 (1950) 149)
	Work    float64  // the Drag by which Drag·V|V| takes as much energy as the force: of a sinusoidal motion that of the first harmonics

	motion *track
}

// The bounds by which swinging bodies are judged, beside those of histories.
const (
	leastPeriods = 2    // with which one can be held against another
	alikeSpans   = 0.01 // of the mean: periods whose lengths differ by less are one and the same
)

// Oscillate tells what the force on a body does beside its motion, from the time from on. Periods are those of the velocity; they end
// with the record. The window is the last of them that agree with each other within 2 % of the force in its mean, its parts in phase with velocity
// and acceleration and its size or, with given, all of them; where two do not agree, the last half. With fewer than two periods
// numbers are NaN. It is nil of motions that do not come again.
func Oscillate(s Swinging, from float64, given bool) *Oscillation {
	if (History{T: s.T, Cd: s.V, Cl: s.V}).problem(1) != "" || (History{T: s.FT, Cd: s.F, Cl: s.F}).problem(1) != "" || len(s.FT) < 2 {
		return nil
	}
	end := math.Min(s.T[len(s.T)-1], s.FT[len(s.FT)-1])
	begin := math.Max(from, math.Max(s.T[0], s.FT[0]))
	i := series{s.T, s.V}.index(begin)
	s.T, s.V = s.T[i:], s.V[i:]
	marks := s.marks()
	if marks == nil {
		return s.short(begin, end)
	}
	cuts, period := cutAtEnd(marks, begin, end, s.FT[1]-s.FT[0])
	if len(cuts) <= leastPeriods {
		s.Period = period
		return s.short(begin, end)
	}
	k := newTrack(s.T, s.V)
	cycles := make([]cycle, len(cuts)-1)
	for i := range cycles {
		cycles[i] = s.cycle(k, cuts[i], cuts[i+1])
	}
	n, differs := agreeingCycles(cycles)
	all := len(cycles)
	switch {
	case given:
	case n >= leastPeriods:
		cycles = cycles[all-n:]
	default:
		cycles = cycles[all-max(leastPeriods, (all+1)/2):]
	}
	o := s.over(k, cycles, period)
	samples := o.Period / (o.To - o.From) * float64(len(s.FT[series{s.FT, s.F}.index(o.From):]))
	switch agree := min(n, len(cycles)); {
	case n < len(cycles):
		o.Note = fmt.Sprintf("periods of the motion do not agree in the %s: run longer", differs)
	case agree < enoughPeriods:
		o.Note = fmt.Sprintf("only %d periods of the motion agree, %d are needed: run about %.3g L/U longer", agree, enoughPeriods, float64(enoughPeriods-agree)*o.Period)
	case samples < enoughPerPeriod:
		o.Note = fmt.Sprintf("a period of the motion has only %.1f samples of the force, %d are needed: write forces more often", samples, enoughPerPeriod)
	default:
		o.Converged = true
	}
	return o
}

// marks are the times at which the velocity rises through its mean; nil if it does not twice.
func (s *Swinging) marks() []float64 {
	if len(s.T) < enoughSamples {
		return nil
	}
	v := series{s.T, s.V}
	lo, hi := v.extremes(s.T[0], s.T[len(s.T)-1])
	if !(hi-lo > 2*quiet*math.Max(math.Abs(lo), math.Abs(hi))) {
		return nil
	}
	m := v.marks(quiet * (hi - lo) / 2)
	if m == nil && s.Forced { // the last half may be too short for two
		m = v.rises(0, (lo+hi)/2, crossingBand*(hi-lo)/2)
	}
	if len(m) < 2 {
		return nil
	}
	return m
}

// cutAtEnd are the times that part whole periods, the last at the end of the record where all are alike; before the first
// sample, by no more than the time between two, things go on as after it.
func cutAtEnd(all []float64, begin, end, sample float64) (cuts []float64, period float64) {
	marks := all[max(0, min(len(all)/2, len(all)-1-leastPeriods)):] // what begins smoothly begins with other periods
	number := make([]float64, len(marks))
	spans := newExtent()
	for i := range marks {
		number[i] = float64(i)
		if i > 0 {
			spans.include(marks[i] - marks[i-1])
		}
	}
	period, _, _ = line(number, marks)
	if spans.width() > alikeSpans*period {
		return all, period
	}
	const rounding = 1e-4 // of a period, by which marks may be off
	for k := int((end-begin+sample)/period + rounding); k >= 0; k-- {
		cuts = append(cuts, end-float64(k)*period)
	}
	return cuts, period
}

// short is what can be said without two whole periods; nil of what does not turn back.
func (s *Swinging) short(begin, end float64) *Oscillation {
	v := extentOf(s.V)
	turns := math.Min(-v.lo, v.hi) >= crossingBand*math.Max(-v.lo, v.hi)
	if s.Period == 0 && !(s.Forced && turns) {
		return nil
	}
	nan := math.NaN()
	none := ForceFit{nan, nan, nan, nan, nan, nan}
	o := &Oscillation{From: nan, To: nan, Period: nan, Zero: nan, VelocityMean: nan, Velocity: nan, Acceleration: nan, ForceMean: nan, Linear: none, Morison: none, Work: nan}
	if s.Period == 0 {
		o.Note = fmt.Sprintf("the motion has no whole period from t = %.4g on: run longer, two are needed for added mass and drag", begin)
		return o
	}
	o.Period = s.Period
	o.Note = fmt.Sprintf("the motion has only %.2g periods from t = %.4g on: two are needed for added mass and drag, %d to tell that they agree: run to t = %.4g",
		(end-begin)/s.Period, begin, enoughPeriods, math.Ceil(begin+enoughPeriods*s.Period))
	return o
}
