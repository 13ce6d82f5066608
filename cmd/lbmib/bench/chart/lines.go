package chart

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Lines are values over a number.
type Lines struct {
	Title, XLabel, YLabel string
	LogX, LogY            bool
	Series                []Series
	Limit                 string // name of the dashed limits in the legend; "" where there are none
}

// Series is one line, with its limit dashed in the same colour.
type Series struct {
	Name  string
	X, Y  []float64
	Limit []float64 // at each X; nil where there is none
}

// Save writes the chart as a PNG.
func (l *Lines) Save(path string) error {
	var xs, ys []float64
	for _, s := range l.Series {
		xs, ys = append(xs, s.X...), append(append(ys, s.Y...), s.Limit...)
	}
	c := newCanvas(l.Title, l.YLabel, upwards(ys, 1.08, l.LogY))
	x := rightwards(xs, l.LogX)
	l.markX(c, x, xs)
	var names []string
	var samples []legendSample
	for i, s := range l.Series {
		measured := draw.LineStyle{Color: Color(i), Width: 1.4}
		glyph := draw.GlyphStyle{Color: Color(i), Radius: 2.8, Shape: draw.CircleGlyph{}}
		points := func(values []float64) (all []vg.Point) {
			for j, v := range values {
				all = append(all, c.at(x.fraction(s.X[j]), v))
			}
			return all
		}
		if len(s.Limit) > 0 {
			c.StrokeLines(dashed(i), points(s.Limit))
		}
		c.StrokeLines(measured, points(s.Y))
		for _, p := range points(s.Y) {
			c.DrawGlyphNoClip(glyph, p)
		}
		names = append(names, s.Name)
		samples = append(samples, func(c *canvas, at vg.Point, w vg.Length) {
			c.StrokeLine2(measured, at.X, at.Y+4, at.X+w, at.Y+4)
			c.DrawGlyphNoClip(glyph, at.Add(vg.Point{X: w / 2, Y: 4}))
		})
	}
	if l.Limit != "" {
		names = append(names, l.Limit)
		samples = append(samples, func(c *canvas, at vg.Point, w vg.Length) {
			style := dashed(0)
			style.Color = ink
			c.StrokeLine2(style, at.X, at.Y+4, at.X+w, at.Y+4)
		})
	}
	c.legend(names, samples)
	return c.save(path)
}

// markX marks the numbers themselves, or decades where a logarithmic scale has
// several.
func (l *Lines) markX(c *canvas, x scale, values []float64) {
	var marks []mark
	if l.LogX && math.Log10(x.hi/x.lo) > 1.5 {
		marks = x.marks()
	} else {
		for _, v := range slices.Compact(slices.Sorted(slices.Values(values))) {
			marks = append(marks, mark{v, fmt.Sprint(v)})
		}
	}
	for _, m := range marks {
		at := x.fraction(m.value)
		p := vg.Length(at)*dataWidth + roomLeft
		c.StrokeLine2(gridStyle, p, roomBelow, p, roomBelow+dataHeight)
		c.below(m.label, at, 1)
	}
	c.below(l.XLabel, 0.5, 2)
}
