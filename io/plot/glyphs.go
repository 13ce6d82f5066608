package plot

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// glyphWidth is that of the outline of a glyph.
const glyphWidth = vg.Length(1)

// shape is a closed outline about the origin in radii of its glyph.
type shape []vg.Point

// polygon is regular, its first corner at an angle.
func polygon(corners int, first, radius float64) shape {
	s := make(shape, corners)
	for i := range s {
		sin, cos := math.Sincos(first + 2*math.Pi*float64(i)/float64(corners))
		s[i] = vg.Point{X: vg.Length(radius * cos), Y: vg.Length(radius * sin)}
	}
	return s
}

// glyphs are the shapes of points, one after the other, of much the same area.
var glyphs = []shape{
	polygon(40, 0, 1), polygon(4, math.Pi/4, 1.25), polygon(3, math.Pi/2, 1.4), polygon(4, 0, 1.3), polygon(3, -math.Pi/2, 1.4),
}

// DrawGlyph strokes the outline, so that a line behind it stays visible.
func (s shape) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	pts := make([]vg.Point, 0, len(s)+2)
	for _, p := range s {
		pts = append(pts, vg.Point{X: at.X + p.X*sty.Radius, Y: at.Y + p.Y*sty.Radius})
	}
	pts = append(pts, pts[0], pts[1]) // joins the ends without a notch
	c.StrokeLines(draw.LineStyle{Color: sty.Color, Width: glyphWidth}, pts)
}

// glyphStyle is the style of the i-th set of points.
func glyphStyle(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: lineColors[i%len(lineColors)], Radius: 3, Shape: glyphs[i%len(glyphs)]}
}

// dotStyle is that of a sample of the i-th line that has no neighbours.
func dotStyle(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: lineColors[i%len(lineColors)], Radius: 2.2, Shape: draw.CircleGlyph{}}
}
