package plot

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
)

// Size of a picture of lines.
const (
	linesWidth  = vg.Length(560)
	linesHeight = vg.Length(400)
)

// Profile draws lines and points in linear axes, as a velocity profile against
// reference data. Pairs that are not finite are left out; without any other the
// axes stand empty. The picture, 1120 × 800 pixels, replaces path when it is
// complete.
//
// An error names path and the line whose X and Y differ in length, or the
// failure to write.
func Profile(path, title, xlabel, ylabel string, lines []Line) error {
	return saveLines(path, title, axis{label: label{text: xlabel}}, axis{label: label{text: ylabel}}, lines)
}

// Convergence draws lines in logarithmic axes: errors against resolution. Lines
// of up to 30 values have a mark at each, but those of two, which serve as
// guides to the eye of a certain slope. Pairs that are not finite and
// positive are left out. The picture replaces path when it is complete.
//
// An error names path and the line whose X and Y differ in length or which has
// nothing positive to show, or the failure to write.
func Convergence(path, title, xlabel, ylabel string, lines []Line) error {
	return saveLines(path, title, axis{log: true, label: label{text: xlabel}}, axis{log: true, label: label{text: ylabel}}, lines)
}

func saveLines(path, title string, x, y axis, lines []Line) error {
	a := &axes{x: x, y: y}
	if err := a.fit(lines); err != nil {
		return fmt.Errorf("plot: %s: %w", path, err)
	}
	return a.drawLines(title, lines).save(path)
}

// drawLines draws lines that the axes fit.
func (a *axes) drawLines(title string, lines []Line) *page {
	log := a.x.log
	head := header{title: title, legend: legendOf(lines, log)}
	p := newPage(linesWidth, linesHeight)
	a.layout(linesWidth, linesHeight, head.height(linesWidth-2*margin))
	head.draw(p, linesWidth/2, linesHeight-margin, linesWidth-2*margin)
	a.grid(p)
	as := looks(lines)
	for i, l := range lines {
		a.line(p, &l, as[i])
		if l.Points || marked(l, log) {
			a.points(p, l.X, l.Y, as[i].index)
		}
	}
	a.draw(p)
	return p
}

// marked tells whether a line shows its values: those of a study, few and far
// apart, not the two of a guide to the eye nor the many of a formula.
func marked(l Line, log bool) bool { return log && !l.Guide && len(l.X) != 2 && len(l.X) <= 30 }

func legendOf(lines []Line, log bool) (legend []entry) {
	as := looks(lines)
	for i, l := range lines {
		if l.Name != "" {
			e := l.entry(as[i])
			e.points = l.Points || marked(l, log)
			legend = append(legend, e)
		}
	}
	return legend
}

// fit makes the axes span the lines.
func (a *axes) fit(lines []Line) error {
	xs, ys := nothing(), nothing()
	for i, l := range lines {
		if len(l.X) != len(l.Y) || l.Low != nil && len(l.X) != len(l.Low) {
			return fmt.Errorf("line %d, %q: %d values of X and %d of Y: pass pairs", i, l.Name, len(l.X), len(l.Y))
		}
		shown := 0
		for j := range l.X {
			if a.x.drawable(l.X[j]) && a.y.drawable(l.Y[j]) {
				xs.add(l.X[j])
				ys.add(l.Y[j])
				if l.Low != nil && a.y.drawable(l.Low[j]) {
					ys.add(l.Low[j])
				}
				shown++
			}
		}
		if a.x.log && shown == 0 {
			return fmt.Errorf("line %d, %q: none of its %d pairs is finite and positive, which logarithmic axes need: leave the line out", i, l.Name, len(l.X))
		}
	}
	a.x.span(xs)
	a.y.span(ys)
	return nil
}

// span sets the range of the axis to some more than the values'.
func (a *axis) span(s span) {
	const share = 0.04
	if !a.log {
		s = s.padded(share, 0)
		a.min, a.max = s.lo, s.hi
		return
	}
	if s.empty() {
		s = span{0.1, 10}
	}
	e := span{math.Log10(s.lo), math.Log10(s.hi)}.padded(share, 0.2)
	a.min, a.max = math.Pow(10, e.lo), math.Pow(10, e.hi)
}

// layout gives the axes the page below a header. The room for numbers on the
// left depends on the marks, and these on the height only.
func (a *axes) layout(width, height, head vg.Length) {
	a.data.Min.Y = snap(margin + a.x.room(false))
	a.data.Max.Y = snap(height - margin - head - capHeight/2*tickStyle.size)
	a.y.mark(a.data.Size().Y, tickSpacing*0.8)
	a.data.Min.X = snap(margin + a.y.room(true))
	a.x.mark(width-a.data.Min.X, tickSpacing*1.2)
	a.data.Max.X = snap(width - margin - a.x.widest()/2)
}
