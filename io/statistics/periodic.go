package statistics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// oscillation returns the times at which periods begin, those of the lift
// or, where the lift does not oscillate, those of the drag; nil for neither.
func (a *analysis) oscillation() (marks []float64, lift bool) {
	if marks = a.cl.marks(a.floor); marks != nil {
		return marks, true
	}
	return a.cd.marks(a.floor), false
}

// period is one oscillation and what is compared between oscillations.
type period struct {
	from, to              float64
	rms, mean, drag, span float64
}

func (a *analysis) periods(marks []float64, lift bool) []period {
	s := a.cl
	if !lift {
		s = a.cd
	}
	list := make([]period, len(marks)-1)
	for i := range list {
		p := period{from: marks[i], to: marks[i+1]}
		p.span = p.to - p.from
		p.mean = s.mean(p.from, p.to)
		p.rms = s.rms(p.from, p.to, p.mean)
		p.drag = a.cd.mean(p.from, p.to)
		list[i] = p
	}
	return list
}

// aspect is a quantity of a period with the width within which it must stay.
type aspect struct {
	name  string
	of    func(period) float64
	width float64
}

// aspects of periods that are like the given one.
func (a *analysis) aspects(like period) []aspect {
	return []aspect{
		{"amplitude", func(p period) float64 { return p.rms }, agreeLift * like.rms},
		{"mean", func(p period) float64 { return p.mean }, agreeLift * math.Sqrt2 * like.rms},
		{"mean drag", func(p period) float64 { return p.drag }, math.Max(agreeDrag*a.scale, rounding)},
		{"length", func(p period) float64 { return p.span }, agreePeriod * like.span},
	}
}

// agreeing is the number of periods at the end that agree with each other,
// and the aspect in which the one before them does not.
func (a *analysis) agreeing(list []period) (n int, differs string) {
	aspects := a.aspects(list[len(list)-1])
	extents := make([]extent, len(aspects))
	for i := range extents {
		extents[i] = newExtent()
	}
	for n < len(list) {
		for i, q := range aspects {
			extents[i].include(q.of(list[len(list)-1-n]))
			if extents[i].width() > q.width {
				return n, q.name
			}
		}
		n++
	}
	return n, ""
}

// trend names an aspect that changes across agreeing periods by more than
// half of what it may, so that it would leave its bound if the run went on.
func (a *analysis) trend(list []period) string {
	x, y := make([]float64, len(list)), make([]float64, len(list))
	for _, q := range a.aspects(list[len(list)-1]) {
		for i, p := range list {
			x[i], y[i] = float64(i), q.of(p)
		}
		if slope, _, _ := line(x, y); math.Abs(slope)*float64(len(list)-1) > q.width/2 {
			return q.name
		}
	}
	return ""
}

// level leaves out up to a third of agreeing periods at their beginning if
// that rids them of a trend, which is then the end of the transient. A trend
// that goes on to the end remains: two thirds of the run still show it.
func (a *analysis) level(list []period) []period {
	for i := 0; 3*i <= len(list) && len(list)-i >= enoughPeriods; i++ {
		if a.trend(list[i:]) == "" {
			return list[i:]
		}
	}
	return list
}

// periodic is the result over the last agreeing periods.
func (a *analysis) periodic(marks []float64, lift bool) Result {
	list := a.periods(marks, lift)
	n, differs := a.agreeing(list)
	if n >= 2 {
		return a.overPeriods(a.level(list[len(list)-n:]), lift)
	}
	from := a.middle()
	half := slices.DeleteFunc(slices.Clone(list), func(p period) bool { return p.from < from })
	if len(half) == 0 {
		r := a.lastHalf()
		r.Note = "the last half of the history holds no whole period: run longer"
		return r
	}
	return a.unsettled(half, lift, differs)
}

// whole is the result over all periods, of a window that was given.
func (a *analysis) whole(marks []float64, lift bool) Result {
	list := a.periods(marks, lift)
	if n, differs := a.agreeing(list); n < len(list) {
		return a.unsettled(list, lift, differs)
	}
	return a.overPeriods(list, lift)
}

// overPeriods is the result over periods that agree.
func (a *analysis) overPeriods(list []period, lift bool) Result {
	n := len(list)
	r := a.over(list[0].from, list[n-1].to)
	r.Periods = n
	// The line through all beginnings, as noise in the first and the last
	// would weigh fully on their difference.
	number, time := make([]float64, n+1), make([]float64, n+1)
	for i, p := range list {
		number[i], time[i] = float64(i), p.from
	}
	number[n], time[n] = float64(n), list[n-1].to
	span, _, _ := line(number, time)
	if lift {
		r.Strouhal = a.length / span
	}
	samples := span / (a.end() - a.begin()) * float64(len(a.cd.t)-1)
	switch trend := a.trend(list); {
	case n < enoughPeriods:
		r.Note = fmt.Sprintf("only %d periods agree, %d are needed: run about %.3g L/U longer", n, enoughPeriods, float64(enoughPeriods-n)*span)
	case trend != "":
		r.Note = fmt.Sprintf("the %s of the periods still changes steadily over the last %d: run longer", trend, n)
	case samples < enoughPerPeriod:
		r.Note = fmt.Sprintf("a period has only %.1f samples, %d are needed to meet its peaks: write forces more often", samples, enoughPerPeriod)
	default:
		r.Converged = true
	}
	return r
}

// unsettled is the result over periods that do not agree.
func (a *analysis) unsettled(list []period, lift bool, differs string) Result {
	r := a.over(list[0].from, list[len(list)-1].to)
	spans := make([]float64, len(list))
	var mean, square float64
	for i, p := range list {
		spans[i] = p.span
		mean += p.span / float64(len(list))
		square += p.span * p.span / float64(len(list))
	}
	if math.Sqrt(math.Max(0, square-mean*mean)) > irregular*mean {
		r.Note = "the forces fluctuate without a regular period: run longer, or take a longer window for their mean"
		return r
	}
	r.Periods = len(list)
	r.Fading = lift && fades(list)
	if lift {
		slices.Sort(spans)
		r.Strouhal = a.length / spans[len(spans)/2]
	}
	r.Note = fmt.Sprintf("the periods do not agree in their %s: run longer", differs)
	if differs == "" { // there is no other to compare it with
		r.Note = fmt.Sprintf("only one whole period was seen, %d are needed: run longer", enoughPeriods)
	}
	return r
}

// faded is by how much of its first swing a lift has lost that fades.
const faded = 1. / 3

// fades tells whether of three periods or more every one swings less than the one before, and the last by much less than the first.
func fades(list []period) bool {
	n := len(list)
	return n > 2 && list[n-1].rms < (1-faded)*list[0].rms && slices.IsSortedFunc(list, func(a, b period) int { return cmp.Compare(b.rms, a.rms) })
}
