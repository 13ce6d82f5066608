package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// Line is a curve or, with Points, a set of points without a line, as reference
// data are shown. X and Y have the same length; pairs with a value that is not
// finite leave a gap.
type Line struct {
	Name   string // in the legend; a line without a name is not listed
	X, Y   []float64
	Low    []float64 // with it the line is the area between Low and Y
	Points bool
	Guide  bool // for the eye, as a slope: never marked
	Faint  bool // one of many: thin and grey
}

// span is a range of values that grows.
type span struct{ lo, hi float64 }

// nothing is the span of no values.
func nothing() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(v float64) { s.lo, s.hi = math.Min(s.lo, v), math.Max(s.hi, v) }

func (s span) empty() bool { return s.lo > s.hi }

// padded is the span with a share of its width added at both ends, and at least
// least wide. Values that differ by rounding only stand in the middle of a span
// that fits their size; without any it is 0 … 1.
func (s span) padded(share, least float64) span {
	if s.empty() {
		return span{0, 1}
	}
	width := s.hi - s.lo
	if least == 0 && width <= 1e-6*s.size() {
		least = 0.1 * s.size()
	}
	if least == 0 && width == 0 { // all are zero
		least = 1
	}
	pad := math.Max(share*width, (least-width)/2)
	return span{s.lo - pad, s.hi + pad}
}

// size is the greatest magnitude in the span.
func (s span) size() float64 {
	if s.empty() {
		return 0
	}
	return math.Max(math.Abs(s.lo), math.Abs(s.hi))
}

// curve draws a line through the drawable points, with a gap at every other;
// a place without a line to another is a dot.
func (a *axes) curve(p *page, x, y []float64, index int) {
	c, sty := a.clip(p), lineStyle(index)
	for start := 0; start < len(x); {
		end := start
		for end < len(x) && a.x.drawable(x[end]) && a.y.drawable(y[end]) {
			end++
		}
		run := a.envelope(x[start:end], y[start:end])
		if i := slices.IndexFunc(run, func(pt vg.Point) bool { return pt != run[0] }); i > 0 {
			c.StrokeLines(sty, c.ClipLinesXY(run)...)
		} else if len(run) > 0 {
			c.DrawGlyph(dotStyle(index), run[0])
		}
		start = max(end, start) + 1
	}
}

// envelope places a run of points on the page. A run of many more points than
// the page has columns is reduced, piece by piece, to the first, lowest,
// highest and last, which draws the same picture.
func (a *axes) envelope(x, y []float64) []vg.Point {
	pieces := 2 * ceilPx(a.data.Size().X)
	size := len(x)/pieces + 1
	if size <= 4 {
		pts := make([]vg.Point, len(x))
		for i := range x {
			pts[i] = a.at(x[i], y[i])
		}
		return pts
	}
	pts := make([]vg.Point, 0, 4*pieces+4)
	for from := 0; from < len(x); from += size {
		to := min(from+size, len(x))
		low, high := from, from
		for i := from; i < to; i++ {
			if y[i] < y[low] {
				low = i
			}
			if y[i] > y[high] {
				high = i
			}
		}
		for _, i := range [...]int{from, min(low, high), max(low, high), to - 1} {
			pts = append(pts, a.at(x[i], y[i]))
		}
	}
	return pts
}

// points draws a glyph at every drawable point.
func (a *axes) points(p *page, x, y []float64, index int) {
	c, sty := a.clip(p), glyphStyle(index)
	for i := range x {
		if a.x.drawable(x[i]) && a.y.drawable(y[i]) {
			c.DrawGlyph(sty, a.at(x[i], y[i]))
		}
	}
}
