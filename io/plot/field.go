package plot

import (
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Field is a scalar on a uniform two-dimensional grid, with the bodies in it.
type Field struct {
	Title string // above the picture
	Label string // beside the colour bar

	Nx, Ny  int
	Origin  [2]float64 // of node 0, in L
	Spacing [2]float64 // of the nodes, in L
	Values  []float64  // Nx·Ny, x fastest; NaN and infinities are not drawn

	// Diverging makes the scale symmetric about zero: blue below, red above.
	// Otherwise colours run from dark to bright.
	Diverging bool

	// Limit is the value at the upper end of the scale, and −Limit at the lower
	// end if Diverging. Zero chooses a range that a few extreme nodes, as there
	// are beside a body, do not stretch; the colour bar then ends in a point.
	Limit float64

	// Range are the ends of the scale, lower first, before Limit and without
	// symmetry. Two equal numbers leave the choice to Limit.
	Range [2]float64

	// Outlines are closed polylines in L, filled grey with a dark edge. The last
	// point need not repeat the first.
	Outlines [][][2]float64

	// Bodies tells which nodes are in bodies, Nx·Ny or none: they are grey where their values are not drawn.
	Bodies []bool

	// Lines are closed polylines in L, drawn without filling: walls around the flow.
	Lines [][][2]float64

	// Dots are points in L, drawn dark: markers of surfaces that have no inside.
	Dots [][2]float64
}

// FieldMap draws a field as a map with the aspect ratio of its domain, every
// node in the middle of its cell, axes in L and a colour bar, at most 1600
// pixels wide and high. Domains more slender than some 50:1 are drawn wider than
// they are. Big grids are averaged over the area of a pixel; cells of small ones
// stay sharp. The picture replaces path when it is complete.
//
// An error names path and what is wrong: a grid without nodes, values of
// another number than Nx·Ny, a spacing that is not positive, a range that is
// not finite or in order, a limit that is not finite or negative, a point of an outline that is not finite, or the
// failure to write.
func FieldMap(path string, f *Field) error {
	if err := f.check(); err != nil {
		return fmt.Errorf("plot: %s: %w", path, err)
	}
	return drawMap(f).save(path)
}

func drawMap(f *Field) *page {
	s := newScale(f)
	m := layoutMap(f, &s)
	p := newPage(m.width, m.height)
	m.header.draw(p, m.width/2, m.height-margin, m.width-2*margin)
	area := p.pixels(m.axes.data)
	if f.Bodies != nil {
		imagedraw.Draw(p.img, area, f.bodies(area.Dx(), area.Dy()), image.Point{}, imagedraw.Over)
	}
	heat := resample(f, &s, area.Dx(), area.Dy())
	imagedraw.Draw(p.img, area, heat, image.Point{}, imagedraw.Over)
	m.axes.bodies(p, f.Outlines, true)
	m.axes.bodies(p, f.Lines, false)
	m.axes.dots(p, f.Dots)
	m.axes.draw(p)
	m.bar.draw(p)
	return p
}

func (f *Field) check() error {
	switch {
	case f.Nx < 1 || f.Ny < 1:
		return fmt.Errorf("a field of %d × %d nodes: a map needs at least 1 × 1", f.Nx, f.Ny)
	case len(f.Values) != f.Nx*f.Ny:
		return fmt.Errorf("%d values for %d × %d = %d nodes: pass one value per node, x fastest", len(f.Values), f.Nx, f.Ny, f.Nx*f.Ny)
	case f.Bodies != nil && len(f.Bodies) != f.Nx*f.Ny:
		return fmt.Errorf("bodies are told of %d nodes, the field has %d × %d = %d: tell it of each, or of none", len(f.Bodies), f.Nx, f.Ny, f.Nx*f.Ny)
	case !finite(f.Range[0]) || !finite(f.Range[1]) || f.Range[0] > f.Range[1]:
		return fmt.Errorf("range = %g … %g is not that of a scale: give two finite numbers, the lower one first", f.Range[0], f.Range[1])
	case !(finite(f.Limit) && f.Limit >= 0):
		return fmt.Errorf("limit = %g is not a finite number ≥ 0: use 0 for an automatic limit", f.Limit)
	}
	for i, axis := range [...]string{"x", "y"} {
		if !(finite(f.Spacing[i]) && f.Spacing[i] > 0) {
			return fmt.Errorf("spacing in %s = %g is not a finite number > 0: pass the distance of nodes in L", axis, f.Spacing[i])
		}
		if !finite(f.Origin[i]) {
			return fmt.Errorf("origin in %s = %g is not finite: pass the place of node 0 in L", axis, f.Origin[i])
		}
	}
	for b, outline := range slices.Concat(f.Outlines, f.Lines) {
		for i, pt := range outline {
			if !finite(pt[0]) || !finite(pt[1]) {
				return fmt.Errorf("outline %d, point %d: (%g, %g) is not finite: leave the body out if its place is lost", b, i, pt[0], pt[1])
			}
		}
	}
	return nil
}

// bodies is a grey image of the nodes in bodies.
func (f *Field) bodies(width, height int) *image.RGBA {
	mask := &Field{Nx: f.Nx, Ny: f.Ny, Values: make([]float64, len(f.Bodies))}
	for k, in := range f.Bodies {
		if !in {
			mask.Values[k] = math.NaN()
		}
	}
	var grey [shades]color.RGBA
	for k := range grey {
		grey[k] = color.RGBA{bodyFill.Y, bodyFill.Y, bodyFill.Y, 255}
	}
	return resample(mask, &scale{hi: 1, colors: &grey}, width, height)
}

// bodies fills, if asked to, and edges the outlines.
func (a *axes) bodies(p *page, outlines [][][2]float64, fill bool) {
	c := a.clip(p)
	for _, outline := range outlines {
		if len(outline) == 0 {
			continue
		}
		pts := make([]vg.Point, 0, len(outline)+2)
		for _, pt := range outline {
			pts = append(pts, a.at(pt[0], pt[1]))
		}
		if inside := c.ClipPolygonXY(pts); fill && len(inside) > 2 {
			c.FillPolygon(bodyFill, inside)
		}
		edge := append(pts, pts[0])
		if len(pts) > 2 {
			edge = append(edge, pts[1]) // joins the ends without a notch
		}
		c.StrokeLines(bodyStyle, c.ClipLinesXY(edge)...)
	}
}

// dots draws points that are finite.
func (a *axes) dots(p *page, dots [][2]float64) {
	c := a.clip(p)
	for _, x := range dots {
		if finite(x[0]) && finite(x[1]) {
			c.DrawGlyph(draw.GlyphStyle{Color: bodyEdge, Radius: 1, Shape: draw.CircleGlyph{}}, a.at(x[0], x[1]))
		}
	}
}

// fieldLayout is where everything of a map stands on its page.
type fieldLayout struct {
	width, height vg.Length
	header        header
	axes          axes
	bar           colorBar
}

const (
	mapArea     = 1.0e6 // pixels of data that a map aims at
	tickSpacing = vg.Length(58)
	minWidth    = vg.Length(210) // of a page, for its title
	slimmest    = 24             // pixels
	lowest      = 220            // pixels of height that a colour bar at the side needs
)

// layoutMap finds the size of the data area that leaves room for everything
// else within the greatest picture. Marks depend on the size a little and the
// room on the marks, so the size is found three times.
func layoutMap(f *Field, s *scale) *fieldLayout {
	m := &fieldLayout{width: maxSide * px, header: header{title: f.Title}}
	m.axes.x = axis{min: f.Origin[0] - f.Spacing[0]/2, max: f.Origin[0] + (float64(f.Nx)-0.5)*f.Spacing[0], label: label{text: "x / L"}}
	m.axes.y = axis{min: f.Origin[1] - f.Spacing[1]/2, max: f.Origin[1] + (float64(f.Ny)-0.5)*f.Spacing[1], label: label{text: "y / L"}}
	m.bar = colorBar{scale: s, label: f.Label}

	w, h := mapSize(f, maxSide-300, maxSide-200)
	m.bar.below = h < lowest
	for range 3 {
		dataW, dataH := vg.Length(w)*px, vg.Length(h)*px
		m.axes.x.mark(dataW, tickSpacing)
		m.axes.y.mark(dataH, tickSpacing)
		m.bar.mark(dataW, dataH)
		left, right, below, above := m.rooms(dataH)
		// Two pixels are for rounding the place of the data area up.
		w, h = mapSize(f, maxSide-2-ceilPx(left+right), maxSide-2-ceilPx(below+above))
		m.width = max(left+vg.Length(w)*px+right, minWidth)
	}
	m.place(vg.Length(w)*px, vg.Length(h)*px)
	return m
}

// mapSize is the size of the data area in pixels: the domain's aspect ratio,
// mapArea pixels if they fit, whole pixels per cell if there are several.
func mapSize(f *Field, maxW, maxH int) (w, h int) {
	aspect := float64(f.Nx) * f.Spacing[0] / (float64(f.Ny) * f.Spacing[1])
	wide := math.Min(math.Sqrt(mapArea*aspect), math.Min(float64(maxW), float64(maxH)*aspect))
	if math.Abs(f.Spacing[0]-f.Spacing[1]) < 1e-9*f.Spacing[0] {
		if cell := math.Floor(wide / float64(f.Nx)); cell >= 2 {
			wide = cell * float64(f.Nx)
		}
	}
	w, h = int(wide+0.5), int(wide/aspect+0.5)
	return max(w, slimmest), max(h, slimmest)
}

// rooms is what a data area of the given height needs around it, the margins of
// the page included.
func (m *fieldLayout) rooms(dataH vg.Length) (left, right, below, above vg.Length) {
	overhang := m.axes.x.widest() / 2
	left = margin + max(m.axes.y.room(true), overhang)
	right = margin + overhang
	below = margin + m.axes.x.room(false)
	if m.bar.below {
		below += m.bar.room()
	} else {
		right = margin + max(overhang, m.bar.room())
	}
	sticksOut := (labelStyle.width(m.axes.y.label.text) - dataH) / 2
	above = margin + m.header.height(m.width-2*margin) + max(capHeight/2*tickStyle.size, sticksOut)
	return left, right, below, above
}

// place sets the page and the rectangles on it, the data area on whole pixels.
func (m *fieldLayout) place(dataW, dataH vg.Length) {
	left, right, below, above := m.rooms(dataH)
	m.width = snap(m.width)
	left = snap(left + max(0, m.width-left-dataW-right)/2)
	below = snap(below)
	m.height = snap(below + dataH + above)
	m.axes.data = vg.Rectangle{
		Min: vg.Point{X: left, Y: below},
		Max: vg.Point{X: left + dataW, Y: below + dataH},
	}
	m.bar.place(m.axes.data, below-m.axes.x.room(false))
}
