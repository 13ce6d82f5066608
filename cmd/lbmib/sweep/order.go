package sweep

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"lbmib/internal/finite"
)

// ResolutionKey is the key whose values refine a case.
const ResolutionKey = "reference.resolution"

// Order is how a quantity converges with resolution: by the three finest ones.
type Order struct {
	Of           string        `json:"of"`
	Quantity     string        `json:"quantity"`
	At           string        `json:"at,omitempty"` // the values of the other keys
	Resolutions  [3]float64    `json:"resolutions"`
	Values       [3]float64    `json:"values"`
	Monotone     bool          `json:"monotone"` // over all resolutions
	Order        finite.Number `json:"order"`    // observed; null where the differences give none
	Extrapolated finite.Number `json:"extrapolated"`
	Note         string        `json:"note,omitempty"`
}

// converging are the quantities that are looked at.
var converging = namesOf(func(k *kind) bool { return k.ordered })

// swingMost is by which part of their difference values may vary at the end of their runs.
const swingMost = 0.1

// line is a quantity over an axis, the values of the others fixed.
type line struct {
	of, name, at string
	x, y         []float64
	swing        []float64 // by which y varies at the end of its run, where it is a last value
	unsafe       []bool    // y is of a run that is told to be unsafe
}

// lines are the values of a quantity over an axis, per body or probe and per
// combination of the other axes, ordered by x. Runs without the quantity are
// left out.
func (p *Plan) lines(runs []Run, axis int, x []float64, name string) (all []line) {
	for i := range runs {
		r := &runs[i]
		var others []string
		for k, label := range labels(p.Axes) {
			if k != axis {
				others = append(others, label+" = "+shown(r.values[k]))
			}
		}
		at := strings.Join(others, ", ")
		for _, q := range r.quantities {
			if v := float64(q.Value); q.Name != name || q.minor || math.IsNaN(v) {
				continue
			}
			n := slices.IndexFunc(all, func(l line) bool { return l.of == q.Of && l.at == at })
			if n < 0 {
				n = len(all)
				all = append(all, line{of: q.Of, name: name, at: at})
			}
			all[n].x = append(all[n].x, x[slices.Index(p.Axes[axis].Values, r.values[axis])])
			all[n].y, all[n].swing = append(all[n].y, float64(q.Value)), append(all[n].swing, q.swing)
			all[n].unsafe = append(all[n].unsafe, r.isUnsafe())
		}
	}
	for i := range all {
		all[i].sort()
	}
	return all
}

// sort puts the values in ascending order of x.
func (l *line) sort() {
	type pair struct {
		x, y, swing float64
		unsafe      bool
	}
	pairs := make([]pair, len(l.x))
	for i := range pairs {
		pairs[i] = pair{l.x[i], l.y[i], l.swing[i], l.unsafe[i]}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.x, b.x) })
	for i, q := range pairs {
		l.x[i], l.y[i], l.swing[i], l.unsafe[i] = q.x, q.y, q.swing, q.unsafe
	}
}

// orders are the orders of convergence of a sweep over the resolution, if it has
// three values or more.
func (p *Plan) orders(runs []Run) (all []Order) {
	axis := slices.IndexFunc(p.Axes, func(a Axis) bool { return a.Key == ResolutionKey })
	if axis < 0 {
		return nil
	}
	x, ok := p.Axes[axis].numbers()
	if !ok || len(x) < 3 {
		return nil
	}
	for _, name := range converging {
		for _, l := range p.lines(runs, axis, x, name) {
			if len(l.x) >= 3 && !l.isRounding() {
				all = append(all, l.order())
			}
		}
	}
	return all
}

// isRounding tells whether the values are zero beside 1, the size that
// coefficients and velocities have.
func (l *line) isRounding() bool {
	return !slices.ContainsFunc(l.y, func(v float64) bool { return math.Abs(v) > 1e-9 })
}

// order is Richardson's: with errors proportional to N^(−p), three resolutions N
// give p and what the quantity tends to (L. F. Richardson, Phil. Trans. R. Soc. A
// 226 (1927) 299; for any ratios P. J. Roache, J. Fluids Eng. 116 (1994) 405).
func (l *line) order() Order {
	n := len(l.x)
	o := Order{
		Of: l.of, Quantity: l.name, At: l.at, Resolutions: [3]float64(l.x[n-3:]), Values: [3]float64(l.y[n-3:]),
		Monotone: true, Order: finite.Number(math.NaN()), Extrapolated: finite.Number(math.NaN()),
	}
	for i := 2; i < n; i++ {
		if (l.y[i]-l.y[i-1])*(l.y[i-1]-l.y[i-2]) < 0 {
			o.Monotone = false
		}
	}
	order, limit, note := richardson(o.Resolutions, o.Values)
	if swing, apart := slices.Max(l.swing[n-3:]), math.Abs(l.y[n-1]-l.y[n-2]); note == "" && swing > swingMost*apart {
		note = fmt.Sprintf("a last value, which varies by ±%.2g at the end of a run: a difference of %.2g between resolutions means nothing", swing, apart)
	}
	if k := slices.Index(l.unsafe[n-3:], true); note == "" && k >= 0 {
		note = fmt.Sprintf("the run at %g is unsafe, as its summary says: refine further", o.Resolutions[k])
	}
	o.Note = note
	if note == "" {
		o.Order, o.Extrapolated = finite.Number(order), finite.Number(limit)
		if !o.Monotone {
			o.Note = "not monotone over all resolutions: by the three finest only"
		}
	}
	return o
}

// richardson finds order and limit; a note says why there are none.
func richardson(n, q [3]float64) (order, limit float64, note string) {
	const highest = 12 // orders beyond are rounding
	const steepest = 3 // no scheme here has an order above
	const lowest = 0.5 // the limit of an order below is further off than the values are from each other, and no scheme here has one
	coarse, fine := q[0]-q[1], q[1]-q[2]
	switch {
	case coarse == 0 && fine == 0:
		return 0, 0, "the same at all three resolutions"
	case coarse*fine < 0:
		return 0, 0, "not monotone: differences change sign, refine further"
	case fine == 0:
		return 0, 0, "the same at the two finest resolutions"
	}
	ratio := func(p float64) float64 { // grows with p
		return (math.Pow(n[0], -p) - math.Pow(n[1], -p)) / (math.Pow(n[1], -p) - math.Pow(n[2], -p))
	}
	lo, hi := 1e-3, float64(highest)
	switch want := coarse / fine; {
	case want <= ratio(lo):
		return 0, 0, "differences do not shrink: not yet converging, refine further"
	case want >= ratio(hi):
		return 0, 0, fmt.Sprintf("differences shrink faster than by order %d: the finest one is rounding", highest)
	default:
		for range 60 {
			if m := (lo + hi) / 2; ratio(m) < want {
				lo = m
			} else {
				hi = m
			}
		}
	}
	if lo > steepest {
		return 0, 0, fmt.Sprintf("differences shrink by order %.2g, more than any scheme here: the coarsest run is not yet converging, refine further", lo)
	}
	if lo < lowest {
		return 0, 0, fmt.Sprintf("differences shrink by order %.2g, less than %g: not yet converging, refine further", lo, lowest)
	}
	return lo, q[2] - fine/(math.Pow(n[2]/n[1], lo)-1), ""
}
