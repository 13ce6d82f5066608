package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// MostCurves is how many curves a picture tells apart. More are shown as a Bundle, or
// some of them by Selection.
const MostCurves = 10

// Bundle is what many curves over common x have in common: the area that holds all,
// the area that holds the middle four fifths, and the median. A curve that is
// shorter than x, or not finite somewhere, takes no part there.
func Bundle(what string, x []float64, curves [][]float64) []Line {
	n := len(x)
	rows := [5][]float64{} // least, a tenth, median, nine tenths, most
	for i := range rows {
		rows[i] = make([]float64, n)
	}
	values := make([]float64, 0, len(curves))
	for j := range n {
		values = values[:0]
		for _, y := range curves {
			if j < len(y) && finite(y[j]) {
				values = append(values, y[j])
			}
		}
		slices.Sort(values)
		for i, q := range [...]float64{0, 0.1, 0.5, 0.9, 1} {
			rows[i][j] = math.NaN()
			if len(values) > 0 {
				rows[i][j] = quantile(values, q)
			}
		}
	}
	return []Line{
		{Name: fmt.Sprintf("all %d %s", len(curves), what), X: x, Low: rows[0], Y: rows[4]},
		{Name: "four fifths of them", X: x, Low: rows[1], Y: rows[3]},
		{Name: "median", X: x, Y: rows[2]},
	}
}

// Selection is MostCurves of many lines, evenly spaced in their order, before them
// the others faint; the legend says so. Few lines are left as they are.
func Selection(what string, lines []Line) []Line {
	if len(lines) <= MostCurves {
		return lines
	}
	picked := map[int]bool{}
	for k := range MostCurves {
		picked[k*(len(lines)-1)/(MostCurves-1)] = true
	}
	var faint, shown []Line
	for i, l := range lines {
		if picked[i] {
			shown = append(shown, l)
			continue
		}
		l.Faint, l.Name = true, ""
		if len(faint) == 0 {
			l.Name = fmt.Sprintf("the other %d %s", len(lines)-MostCurves, what)
		}
		faint = append(faint, l)
	}
	return append(faint, shown...)
}

// areaColors are those of areas in the order in which they are drawn.
var areaColors = []color.Color{color.RGBA{0xd5, 0xe0, 0xea, 0xff}, color.RGBA{0xa3, 0xbd, 0xd6, 0xff}}

var faintStyle = draw.LineStyle{Color: color.Gray{Y: 0xc8}, Width: 0.7}

// area fills what lies between two curves over x, with a gap where one is not
// drawable.
func (a *axes) area(p *page, x, low, high []float64, shade int) {
	c := a.clip(p)
	for start := 0; start < len(x); {
		end := start
		for end < len(x) && a.x.drawable(x[end]) && a.y.drawable(low[end]) && a.y.drawable(high[end]) {
			end++
		}
		if end-start > 1 {
			edge := a.envelope(x[start:end], high[start:end])
			back := a.envelope(x[start:end], low[start:end])
			slices.Reverse(back)
			c.FillPolygon(areaColors[shade%len(areaColors)], c.ClipPolygonXY(append(edge, back...)))
		}
		start = max(end, start) + 1
	}
}

// faint draws a curve as one of many.
func (a *axes) faint(p *page, x, y []float64) {
	c := a.clip(p)
	for start := 0; start < len(x); {
		end := start
		for end < len(x) && a.x.drawable(x[end]) && a.y.drawable(y[end]) {
			end++
		}
		if run := a.envelope(x[start:end], y[start:end]); len(run) > 1 {
			c.StrokeLines(faintStyle, c.ClipLinesXY(run)...)
		}
		start = max(end, start) + 1
	}
}

// look is how one of several lines is drawn.
type look struct {
	index int // of a curve or guide
	shade int // of an area
}

// looks number curves, and areas apart from them.
func looks(lines []Line) []look {
	all := make([]look, len(lines))
	curves, areas := 0, 0
	for i, l := range lines {
		switch all[i] = (look{curves, areas}); {
		case l.Low != nil:
			areas++
		case !l.Faint:
			curves++
		}
	}
	return all
}

// line draws a line, an area or a faint line; points are left to others.
func (a *axes) line(p *page, l *Line, as look) {
	switch {
	case l.Low != nil:
		a.area(p, l.X, l.Low, l.Y, as.shade)
	case l.Faint:
		a.faint(p, l.X, l.Y)
	case !l.Points:
		a.curve(p, l.X, l.Y, as.index)
	}
}

// entry is the line's in a legend.
func (l *Line) entry(as look) entry {
	return entry{name: l.Name, line: !l.Points && l.Low == nil, area: l.Low != nil, faint: l.Faint, points: l.Points, look: as}
}

// sample draws what stands for the entry beside its name, from a point on.
func (e *entry) sample(p *page, x, y vg.Length) {
	switch {
	case e.area:
		half := capHeight / 2 * legendStyle.size
		fill := e.fill
		if fill == nil {
			fill = areaColors[e.shade%len(areaColors)]
		}
		corners := []vg.Point{{X: x, Y: y - half}, {X: x + sampleWidth, Y: y - half}, {X: x + sampleWidth, Y: y + half}, {X: x, Y: y + half}}
		p.FillPolygon(fill, corners)
		if e.fill != nil { // which may be nearly white
			p.StrokeLines(meshStyle, append(corners, corners[0], corners[1]))
		}
	case e.faint:
		p.StrokeLine2(faintStyle, x, y, x+sampleWidth, y)
	case e.stroke != nil:
		p.StrokeLine2(*e.stroke, x, y, x+sampleWidth, y)
	case e.line:
		p.StrokeLine2(lineStyle(e.index), x, y, x+sampleWidth, y)
	}
	if e.points {
		p.DrawGlyphNoClip(glyphStyle(e.index), vg.Point{X: x + sampleWidth/2, Y: y})
	}
}
