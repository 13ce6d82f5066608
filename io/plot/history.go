package plot

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// Forces is the history of one body: coefficients of drag and lift at times in
// L/U. The three have the same length.
type Forces struct {
	Name      string
	T, Cd, Cl []float64
	ByAxes    bool // Cd and Cl are not along and across the drag: they are named Cx and Cy
}

// Size of a force history.
const (
	historyWidth  = vg.Length(700)
	historyHeight = vg.Length(450)
	panelGap      = vg.Length(12)
)

// ForceHistory draws the drag of all bodies in an upper and their lift in a
// lower panel over the same time, with the statistics window shaded and, for
// several bodies, a legend; of more than MostCurves a Bundle is drawn. NaN in window, or an empty one, shades nothing;
// values that are not finite leave a gap.
//
// Starting from rest or from a uniform flow, forces are huge for a moment. The
// vertical ranges therefore hold everything from the start of the window on, or
// the later half of the time if there is none, and the middle 90 % of the whole
// history; what lies outside is cut off, and a note gives its extreme.
//
// The picture, 1400 × 900 pixels, replaces path when it is complete. An error
// names path and the body whose T, Cd and Cl differ in length or the window that
// ends before it starts, or the failure to write.
func ForceHistory(path, title string, bodies []Forces, window [2]float64) error {
	for i, b := range bodies {
		if len(b.T) != len(b.Cd) || len(b.T) != len(b.Cl) {
			return fmt.Errorf("plot: %s: body %d, %q: %d times, %d values of Cd and %d of Cl: pass one of each per sample",
				path, i, b.Name, len(b.T), len(b.Cd), len(b.Cl))
		}
	}
	if window[0] > window[1] {
		return fmt.Errorf("plot: %s: statistics window from %g to %g: it must not end before it starts", path, window[0], window[1])
	}
	return drawHistory(title, bodies, window).save(path)
}

func drawHistory(title string, bodies []Forces, window [2]float64) *page {
	var drags, lifts []Line // of each panel, where there are too many for curves
	if len(bodies) > MostCurves {
		drags, lifts, bodies = bundled(bodies)
	}
	drag, lift := historyPanels(bodies, window)
	head := header{title: title, note: clippedNote(drag, lift)}
	switch {
	case drags != nil:
		head.legend = legendOf(drags, false)
	case len(bodies) > 1:
		for i, b := range bodies {
			head.legend = append(head.legend, entry{name: b.Name, line: true, look: look{index: i}})
		}
	}
	p := newPage(historyWidth, historyHeight)
	stack(&drag.axes, &lift.axes, head.height(historyWidth-2*margin))
	head.draw(p, historyWidth/2, historyHeight-margin, historyWidth-2*margin)
	if drags != nil {
		drag.drawBundle(p, drags, window)
		lift.drawBundle(p, lifts, window)
		return p
	}
	drag.draw(p, bodies, window)
	lift.draw(p, bodies, window)
	return p
}

// bundled are drag and lift of many bodies as bundles, and bodies that have the
// edges of these, by which panels find their ranges.
func bundled(bodies []Forces) (drags, lifts []Line, edges []Forces) {
	var cd, cl [][]float64
	var t []float64 // the longest
	for _, b := range bodies {
		cd, cl = append(cd, b.Cd), append(cl, b.Cl)
		if len(b.T) > len(t) {
			t = b.T
		}
	}
	drags, lifts = Bundle("bodies", t, cd), Bundle("bodies", t, cl)
	byAxes := slices.ContainsFunc(bodies, func(f Forces) bool { return f.ByAxes })
	edges = []Forces{{ByAxes: byAxes, T: t, Cd: drags[0].Low, Cl: lifts[0].Low}, {T: t, Cd: drags[0].Y, Cl: lifts[0].Y}}
	return drags, lifts, edges
}

// panel shows one coefficient.
type panel struct {
	axes
	name        string
	coefficient func(*Forces) []float64
	all         span // of the values, drawn or cut off
}

func historyPanels(bodies []Forces, window [2]float64) (drag, lift *panel) {
	drag = &panel{name: "Cd", coefficient: func(f *Forces) []float64 { return f.Cd }}
	lift = &panel{name: "Cl", coefficient: func(f *Forces) []float64 { return f.Cl }}
	drag.y.label, lift.y.label = label{"coefficient along x  C", "d"}, label{"coefficient along y  C", "l"}
	if slices.ContainsFunc(bodies, func(f Forces) bool { return f.ByAxes }) {
		drag.name, lift.name, drag.y.label.sub, lift.y.label.sub = "Cx", "Cy", "x", "y"
	}
	drag.x.bare, lift.x.label = true, label{text: "time  t U / L"}

	times := nothing()
	for _, b := range bodies {
		for _, t := range b.T {
			if finite(t) {
				times.add(t)
			}
		}
	}
	from := (times.lo + times.hi) / 2
	if w := window[0]; w >= times.lo && w <= times.hi {
		from = w
	}
	cd, cl := drag.later(bodies, from), lift.later(bodies, from)
	// A lift of rounding errors is zero beside the drag.
	least := 2e-3 * math.Max(cd.size(), cl.size())
	cd, cl = cd.padded(0.08, least), cl.padded(0.08, least)
	drag.y.min, drag.y.max, lift.y.min, lift.y.max = cd.lo, cd.hi, cl.lo, cl.hi
	times = times.padded(0, 0)
	for _, a := range []*axis{&drag.x, &lift.x} {
		a.min, a.max = times.lo, times.hi
	}
	return drag, lift
}

// later is the range worth showing: all values at times from on, and the middle
// 90 % of each body's history.
func (p *panel) later(bodies []Forces, from float64) span {
	p.all = nothing()
	s := nothing()
	for i := range bodies {
		values := make([]float64, 0, len(bodies[i].T))
		for j, v := range p.coefficient(&bodies[i]) {
			if !finite(v) || !finite(bodies[i].T[j]) {
				continue
			}
			values = append(values, v)
			p.all.add(v)
			if bodies[i].T[j] >= from {
				s.add(v)
			}
		}
		if len(values) > 0 {
			slices.Sort(values)
			s.add(quantile(values, 0.05))
			s.add(quantile(values, 0.95))
		}
	}
	return s
}

// clippedNote says what the panels cut off.
func clippedNote(panels ...*panel) string {
	note := ""
	for _, p := range panels {
		if p.all.empty() {
			continue
		}
		for _, extreme := range [...]float64{p.all.lo, p.all.hi} {
			if extreme >= p.y.min && extreme <= p.y.max {
				continue
			}
			if note != "" {
				note += ",  "
			}
			note += p.name + " to " + minus(fmt.Sprintf("%.3g", extreme))
		}
	}
	if note != "" {
		note = "outside the plotted range:  " + note
	}
	return note
}

// stack lays two panels out with data areas of the same width and height.
func stack(upper, lower *axes, head vg.Length) {
	bottom := margin + lower.x.room(false)
	top := historyHeight - margin - head - capHeight/2*tickStyle.size
	h := (top - bottom - panelGap) / 2
	lower.data.Min.Y, lower.data.Max.Y = snap(bottom), snap(bottom+h)
	upper.data.Min.Y, upper.data.Max.Y = snap(top-h), snap(top)
	upper.y.mark(h, tickSpacing*0.4)
	lower.y.mark(h, tickSpacing*0.4)
	upper.y.numbers = max(upper.y.widest(), lower.y.widest())
	lower.y.numbers = upper.y.numbers
	left := snap(margin + lower.y.room(true))
	for _, a := range []*axes{upper, lower} {
		a.x.mark(historyWidth-left, tickSpacing*1.2)
		a.data.Min.X = left
		a.data.Max.X = snap(historyWidth - margin - a.x.widest()/2)
	}
}

func (p *panel) drawBundle(on *page, lines []Line, window [2]float64) {
	p.shade(on, window)
	p.grid(on)
	for i, as := range looks(lines) {
		p.line(on, &lines[i], as)
	}
	p.axes.draw(on)
}

func (p *panel) draw(on *page, bodies []Forces, window [2]float64) {
	p.shade(on, window)
	p.grid(on)
	for i := range bodies {
		p.curve(on, bodies[i].T, p.coefficient(&bodies[i]), i)
	}
	p.axes.draw(on)
}

// shade fills the stretch of time in the statistics window.
func (p *panel) shade(on *page, window [2]float64) {
	from, to := math.Max(window[0], p.x.min), math.Min(window[1], p.x.max)
	if !(from < to) {
		return
	}
	a, z := p.at(from, p.y.min), p.at(to, p.y.max)
	on.FillPolygon(windowColor, []vg.Point{a, {X: z.X, Y: a.Y}, z, {X: a.X, Y: z.Y}})
}
