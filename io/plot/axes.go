package plot

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	frameWidth = vg.Length(0.8)
	tickLength = vg.Length(4)
	tickGap    = vg.Length(3)
	labelGap   = vg.Length(7)
)

// axis is one axis: its range, marks and label. A bare axis has marks without
// numbers, as the upper of two panels that share their time.
type axis struct {
	min, max float64
	log      bool
	bare     bool
	numbers  vg.Length // room for the tick numbers if more than they need
	label    label
	ticks    []tick
}

// mark chooses the ticks for an axis of the given length. A short axis gets two
// if it can hold them, since a single number gives no scale.
func (a *axis) mark(length, spacing vg.Length) {
	n := int(length / spacing)
	if n < 2 && length > 2.5*tickStyle.size {
		n = 2
	}
	if a.log {
		a.ticks = logTicks(a.min, a.max, n)
	} else {
		a.ticks = linearTicks(a.min, a.max, n)
	}
}

// drawable tells whether v has a place on the axis.
func (a *axis) drawable(v float64) bool {
	return finite(v) && (!a.log || v > 0)
}

// norm is the place of v along the axis: 0 at min, 1 at max. It is limited,
// since rasterisers lose their footing far outside the page.
func (a *axis) norm(v float64) vg.Length {
	lo, hi := a.min, a.max
	if a.log {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(v)
	}
	return vg.Length(math.Max(-1e4, math.Min(1e4, (v-lo)/(hi-lo))))
}

// widest is the width of the widest tick number, or the room set aside for it.
func (a *axis) widest() vg.Length {
	w := a.numbers
	for _, t := range a.ticks {
		w = max(w, tickStyle.width(t.label))
	}
	return w
}

// room is what an axis needs beside the data: vertical on its left, horizontal
// below.
func (a *axis) room(vertical bool) vg.Length {
	if a.bare {
		return tickLength
	}
	r := tickLength + tickGap + capHeight*tickStyle.size
	if vertical {
		r = tickLength + tickGap + a.widest()
	}
	if a.label.text != "" {
		r += labelGap + (capHeight+descent)*labelStyle.size
	}
	return r
}

// axes is a data area on a page with its two axes.
type axes struct {
	data vg.Rectangle
	x, y axis
}

// at is the point of the page where (x, y) lies.
func (a *axes) at(x, y float64) vg.Point {
	s := a.data.Size()
	return vg.Point{X: a.data.Min.X + a.x.norm(x)*s.X, Y: a.data.Min.Y + a.y.norm(y)*s.Y}
}

// clip is a canvas that cuts what is drawn at the edge of the data area.
func (a *axes) clip(p *page) draw.Canvas {
	return draw.Canvas{Canvas: p.Canvas, Rectangle: a.data}
}

// grid draws faint lines at the numbered marks, before the data.
func (a *axes) grid(p *page) {
	pale := draw.LineStyle{Color: gridColor, Width: 0.6}
	for _, t := range a.x.ticks {
		if t.label != "" {
			x := a.data.Min.X + a.x.norm(t.at)*a.data.Size().X
			p.StrokeLine2(pale, x, a.data.Min.Y, x, a.data.Max.Y)
		}
	}
	for _, t := range a.y.ticks {
		if t.label != "" {
			y := a.data.Min.Y + a.y.norm(t.at)*a.data.Size().Y
			p.StrokeLine2(pale, a.data.Min.X, y, a.data.Max.X, y)
		}
	}
}

// draw draws frame, marks, numbers and labels, after the data.
func (a *axes) draw(p *page) {
	p.frame(a.data)
	a.drawX(p)
	a.drawY(p)
}

func (a *axes) drawX(p *page) {
	bottom := a.data.Min.Y
	numbers := bottom - tickLength - tickGap - capHeight*tickStyle.size
	for _, t := range a.x.ticks {
		x := a.data.Min.X + a.x.norm(t.at)*a.data.Size().X
		p.StrokeLine2(markStyle, x, bottom, x, bottom-t.length())
		if !a.x.bare {
			p.text(tickStyle, vg.Point{X: x, Y: numbers}, 0.5, t.label, false)
		}
	}
	if !a.x.bare {
		middle := (a.data.Min.X + a.data.Max.X) / 2
		a.x.label.draw(p, vg.Point{X: middle, Y: numbers - labelGap - capHeight*labelStyle.size}, false)
	}
}

func (a *axes) drawY(p *page) {
	left := a.data.Min.X
	numbers := left - tickLength - tickGap
	for _, t := range a.y.ticks {
		y := a.data.Min.Y + a.y.norm(t.at)*a.data.Size().Y
		p.StrokeLine2(markStyle, left, y, left-t.length(), y)
		p.text(tickStyle, vg.Point{X: numbers, Y: y - capHeight/2*tickStyle.size}, 1, t.label, false)
	}
	middle := (a.data.Min.Y + a.data.Max.Y) / 2
	base := left - a.y.room(true) + capHeight*labelStyle.size
	a.y.label.draw(p, vg.Point{X: base, Y: middle}, true)
}

// frame draws the four edges of a rectangle.
func (p *page) frame(r vg.Rectangle) {
	p.StrokeLines(markStyle, []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min,
		{X: r.Max.X, Y: r.Min.Y}}) // once more along the first edge, to close the corner
}

// length is that of the mark: minor marks are shorter.
func (t tick) length() vg.Length {
	if t.label == "" {
		return tickLength / 2
	}
	return tickLength
}
