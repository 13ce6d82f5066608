// Package chart draws the plots of performance reports: rates as bars or lines,
// each beside its limit, as PNG files.
package chart

import (
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

	dataWidth  = chartWidth - roomLeft - roomRight
	dataHeight = chartHeight - roomAbove - roomBelow
)

// Sizes of text.
const (
	titleSize = vg.Length(13)
	textSize  = vg.Length(10.5)
	smallSize = vg.Length(8.5)
)

// colors are those of Okabe and Ito, which people with colour-blindness tell apart.
var colors = []color.Color{
	color.RGBA{0x00, 0x5a, 0x9c, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff},
	color.RGBA{0x00, 0x9e, 0x73, 0xff}, color.RGBA{0xb0, 0x4a, 0x8a, 0xff},
	color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff},
	color.RGBA{0x40, 0x40, 0x40, 0xff},
}

// Color is that of the i-th line or member of a group.
func Color(i int) color.Color { return colors[i%len(colors)] }

var (
	ink        = color.Gray{Y: 0x20}
	gridStyle  = draw.LineStyle{Color: color.Gray{Y: 0xe0}, Width: 0.6}
	frameStyle = draw.LineStyle{Color: ink, Width: 0.8}
	limitStyle = draw.LineStyle{Color: ink, Width: 1.6}
	fonts      = font.NewCache(liberation.Collection())
)

// canvas is a page with a scale upwards and fractions of the width to the right.
type canvas struct {
	draw.Canvas
	png vgimg.PngCanvas
	y   scale
}

func newCanvas(title, ylabel string, y scale) *canvas {
	page := vgimg.NewWith(vgimg.UseWH(chartWidth, chartHeight), vgimg.UseDPI(chartDPI))
	c := &canvas{Canvas: draw.New(page), png: vgimg.PngCanvas{Canvas: page}, y: y}
	c.text(title, titleSize, vg.Point{X: chartWidth / 2, Y: chartHeight - 18}, 0.5)
	for _, m := range y.marks() {
		p := c.at(0, m.value)
		c.StrokeLine2(gridStyle, roomLeft, p.Y, chartWidth-roomRight, p.Y)
		c.text(m.label, textSize, p.Add(vg.Point{X: -5, Y: -textSize / 3}), 1)
	}
	c.Push()
	c.Rotate(math.Pi / 2)
	c.text(ylabel, textSize, vg.Point{X: (chartHeight - roomAbove + roomBelow) / 2, Y: -16}, 0.5)
	c.Pop()
	return c
}

// at is the point at a fraction of the width and a value.
func (c *canvas) at(x, value float64) vg.Point {
	return vg.Point{X: roomLeft + vg.Length(x)*dataWidth, Y: roomBelow + vg.Length(c.y.fraction(value))*dataHeight}
}

func sans(size vg.Length) *font.Face {
	f := fonts.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
	return &f
}

// text writes one line; align tells where along it the point lies: 0 at its
// start, 1 at its end.
func (c *canvas) text(text string, size vg.Length, at vg.Point, align float64) vg.Length {
	f := sans(size)
	c.SetColor(ink)
	width := f.Width(text)
	c.FillString(*f, vg.Point{X: at.X - vg.Length(align)*width, Y: at.Y}, text)
	return width
}

// below writes under the axis, at a fraction of the width.
func (c *canvas) below(text string, x float64, line int) {
	at := vg.Point{X: roomLeft + vg.Length(x)*dataWidth, Y: roomBelow - 15*vg.Length(line)}
	c.text(text, textSize, at, 0.5)
}

// legendSample draws what an entry of the legend stands for, from a point rightwards.
type legendSample = func(c *canvas, at vg.Point, width vg.Length)

// legend writes the entries in one row under the title.
func (c *canvas) legend(names []string, samples []legendSample) {
	const width, gap, between = vg.Length(16), vg.Length(4), vg.Length(14)
	total := -between
	for _, n := range names {
		total += width + gap + sans(textSize).Width(n) + between
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
	const left, right, bottom, top = roomLeft, roomLeft + dataWidth, roomBelow, roomBelow + dataHeight
	c.StrokeLines(frameStyle, []vg.Point{{X: left, Y: bottom}, {X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}})
	return durable.Write(path, func(w io.Writer) error {
		_, err := c.png.WriteTo(w)
		return err
	})
}
