package bench

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"lbmib/internal/durable"
)

// Size and resolution of a chart, and the room around its data.
const (
	chartWidth  = vg.Length(560)
	chartHeight = vg.Length(330)
	chartDPI    = 144
	roomLeft    = vg.Length(56)
	roomRight   = vg.Length(12)
	roomBelow   = vg.Length(42)
	roomAbove   = vg.Length(48) // title and legend
)

// Sizes of text.
const (
	titleSize = vg.Length(13)
	textSize  = vg.Length(10.5)
	smallSize = vg.Length(8.5)
)

// chartColors are those of Okabe and Ito, which people with colour-blindness
// tell apart.
var chartColors = []color.Color{
	color.RGBA{0x00, 0x5a, 0x9c, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff},
	color.RGBA{0x00, 0x9e, 0x73, 0xff}, color.RGBA{0xb0, 0x4a, 0x8a, 0xff},
	color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff},
	color.RGBA{0x40, 0x40, 0x40, 0xff},
}

func chartColor(i int) color.Color { return chartColors[i%len(chartColors)] }

var (
	ink        = color.Gray{Y: 0x20}
	gridStyle  = draw.LineStyle{Color: color.Gray{Y: 0xe0}, Width: 0.6}
	frameStyle = draw.LineStyle{Color: ink, Width: 0.8}
	fonts      = font.NewCache(liberation.Collection())
)

// canvas is a page with MFLUPS upwards from zero and something to the right, in
// fractions of the width.
type canvas struct {
	draw.Canvas
	png vgimg.PngCanvas
	top float64 // MFLUPS at the upper edge
}

func newCanvas(title, ylabel string, top float64) *canvas {
	page := vgimg.NewWith(vgimg.UseWH(chartWidth, chartHeight), vgimg.UseDPI(chartDPI))
	c := &canvas{Canvas: draw.New(page), png: vgimg.PngCanvas{Canvas: page}, top: math.Max(top, 1)}
	c.text(title, titleSize, vg.Point{X: chartWidth / 2, Y: chartHeight - 18}, 0.5)
	step := tickStep(c.top)
	for v := 0.; v <= c.top; v += step {
		c.StrokeLine2(gridStyle, roomLeft, c.at(0, v).Y, chartWidth-roomRight, c.at(0, v).Y)
		c.text(fmt.Sprint(v), textSize, c.at(0, v).Add(vg.Point{X: -5, Y: -textSize / 3}), 1)
	}
	c.Push()
	c.Rotate(math.Pi / 2)
	c.text(ylabel, textSize, vg.Point{X: (chartHeight - roomAbove + roomBelow) / 2, Y: -16}, 0.5)
	c.Pop()
	return c
}

// tickStep is 1, 2 or 5 times a power of ten, four to nine of which reach top.
func tickStep(top float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(top/4)))
	for _, m := range []float64{5, 2} {
		if top >= 4*m*unit {
			return m * unit
		}
	}
	return unit
}

// at is the point at a fraction of the width and a number of MFLUPS.
func (c *canvas) at(x, mflups float64) vg.Point {
	w, h := chartWidth-roomLeft-roomRight, chartHeight-roomAbove-roomBelow
	return vg.Point{X: roomLeft + vg.Length(x)*w, Y: roomBelow + vg.Length(mflups/c.top)*h}
}

// text writes one line; align tells where along it the point lies: 0 at its
// start, 1 at its end.
func (c *canvas) text(text string, size vg.Length, at vg.Point, align float64) vg.Length {
	f := fonts.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
	c.SetColor(ink)
	width := f.Width(text)
	c.FillString(f, vg.Point{X: at.X - vg.Length(align)*width, Y: at.Y}, text)
	return width
}

// below writes under the axis.
func (c *canvas) below(text string, x float64, line int) {
	c.text(text, textSize, c.at(x, 0).Add(vg.Point{Y: -15 * vg.Length(line)}), 0.5)
}

// legendSample draws what an entry of the legend stands for, from a point rightwards.
type legendSample = func(c *canvas, at vg.Point, width vg.Length)

// legend writes the entries in one row under the title.
func (c *canvas) legend(names []string, samples []legendSample) {
	const width, gap, between = vg.Length(16), vg.Length(4), vg.Length(14)
	f := fonts.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, textSize)
	total := -between
	for _, n := range names {
		total += width + gap + f.Width(n) + between
	}
	at := vg.Point{X: (chartWidth - total) / 2, Y: chartHeight - 38}
	for i, n := range names {
		samples[i](c, at, width)
		at.X += width + gap
		at.X += c.text(n, textSize, at, 0) + between
	}
}

// save frames the data and writes the chart as a PNG.
func (c *canvas) save(path string) error {
	a, b := c.at(0, 0), c.at(1, c.top)
	c.StrokeLines(frameStyle, []vg.Point{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}, a})
	return durable.Write(path, func(w io.Writer) error {
		_, err := c.png.WriteTo(w)
		return err
	})
}
