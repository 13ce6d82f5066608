package plot

import (
	"image"
	imagedraw "image/draw"

	"gonum.org/v1/plot/vg"
)

// colorBar shows the scale at the right of a map, or below a map that is too
// low for that. An end beyond which the field has values is a point.
type colorBar struct {
	scale *scale
	label string
	below bool
	axis  axis
	bar   vg.Rectangle // with its points
}

const (
	barGap       = vg.Length(13)
	barThickness = vg.Length(12)
	barLength    = vg.Length(300) // the most below a map
	pointLength  = vg.Length(9)
)

// mark chooses the marks for a map of the given size.
func (b *colorBar) mark(dataW, dataH vg.Length) {
	length, spacing := dataH, 0.6*tickSpacing
	if b.below {
		length, spacing = b.length(dataW), tickSpacing
	}
	b.axis = axis{min: b.scale.lo, max: b.scale.hi, label: label{text: shorten(labelStyle, b.label, length)}}
	b.axis.ticks = endTicks(b.scale.lo, b.scale.hi, max(2, int(length/spacing)))
}

func (b *colorBar) length(dataW vg.Length) vg.Length {
	return max(min(barLength, dataW), minWidth/2)
}

// room is what the bar takes from the data area (side) or the axis (below) on.
func (b *colorBar) room() vg.Length {
	r := barGap + barThickness + tickLength + tickGap
	if b.below {
		r += capHeight * tickStyle.size
	} else {
		r += b.axis.widest()
	}
	if b.label != "" {
		r += labelGap + (capHeight+descent)*labelStyle.size
	}
	return r
}

// place puts the bar beside the data area or centred below the height top.
func (b *colorBar) place(data vg.Rectangle, top vg.Length) {
	if !b.below {
		x := snap(data.Max.X + barGap)
		b.bar = vg.Rectangle{Min: vg.Point{X: x, Y: data.Min.Y}, Max: vg.Point{X: x + barThickness, Y: data.Max.Y}}
		return
	}
	middle, half := snap((data.Min.X+data.Max.X)/2), snap(b.length(data.Size().X)/2)
	y := snap(top - barGap - barThickness)
	b.bar = vg.Rectangle{Min: vg.Point{X: middle - half, Y: y}, Max: vg.Point{X: middle + half, Y: y + barThickness}}
}

// at is the point of the bar at a fraction of its thickness, from the side of
// the marks, and a length along it.
func (b *colorBar) at(across float64, along vg.Length) vg.Point {
	if b.below {
		return vg.Point{X: b.bar.Min.X + along, Y: b.bar.Min.Y + vg.Length(across)*barThickness}
	}
	return vg.Point{X: b.bar.Max.X - vg.Length(across)*barThickness, Y: b.bar.Min.Y + along}
}

// body is the stretch of the bar between its points.
func (b *colorBar) body() (from, to vg.Length) {
	to = b.bar.Size().Y
	if b.below {
		to = b.bar.Size().X
	}
	if b.scale.below {
		from += pointLength
	}
	if b.scale.above {
		to -= pointLength
	}
	return from, to
}

func (b *colorBar) draw(p *page) {
	from, to := b.body()
	b.colors(p, from, to)
	outline := []vg.Point{b.at(0, from)}
	if b.scale.below {
		outline = append(outline, b.at(0.5, from-pointLength))
		p.FillPolygon(b.scale.colors[0], []vg.Point{b.at(0, from), b.at(0.5, from-pointLength), b.at(1, from)})
	}
	outline = append(outline, b.at(1, from), b.at(1, to))
	if b.scale.above {
		outline = append(outline, b.at(0.5, to+pointLength))
		p.FillPolygon(b.scale.colors[shades-1], []vg.Point{b.at(0, to), b.at(0.5, to+pointLength), b.at(1, to)})
	}
	outline = append(outline, b.at(0, to), outline[0], outline[1])
	p.StrokeLines(markStyle, outline)
	b.marks(p, from, to)
}

// colors fills the bar between two lengths along it.
func (b *colorBar) colors(p *page, from, to vg.Length) {
	a, z := b.at(1, from), b.at(0, to)
	if b.below {
		a, z = b.at(0, from), b.at(1, to)
	}
	area := p.pixels(vg.Rectangle{Min: a, Max: z})
	n := area.Dy()
	if b.below {
		n = area.Dx()
	}
	for i := range n {
		slice := area
		if b.below {
			slice.Min.X += i
			slice.Max.X = slice.Min.X + 1
		} else {
			slice.Max.Y -= i
			slice.Min.Y = slice.Max.Y - 1
		}
		c := image.NewUniform(b.scale.colors[(2*i+1)*shades/(2*n)])
		imagedraw.Draw(p.img, slice, c, image.Point{}, imagedraw.Src)
	}
}

// marks draws ticks, numbers and the label.
func (b *colorBar) marks(p *page, from, to vg.Length) {
	half := capHeight / 2 * tickStyle.size
	for _, t := range b.axis.ticks {
		at := b.at(0, from+b.axis.norm(t.at)*(to-from))
		if b.below {
			p.StrokeLine2(markStyle, at.X, at.Y, at.X, at.Y-tickLength)
			p.text(tickStyle, vg.Point{X: at.X, Y: at.Y - tickLength - tickGap - 2*half}, 0.5, t.label, false)
		} else {
			p.StrokeLine2(markStyle, at.X, at.Y, at.X+tickLength, at.Y)
			p.text(tickStyle, vg.Point{X: at.X + tickLength + tickGap, Y: at.Y - half}, 0, t.label, false)
		}
	}
	middle := b.at(0, (from+to)/2)
	beyond := b.room() - barGap - barThickness - descent*labelStyle.size
	if b.below {
		b.axis.label.draw(p, vg.Point{X: middle.X, Y: middle.Y - beyond}, false)
	} else {
		b.axis.label.draw(p, vg.Point{X: middle.X + beyond, Y: middle.Y}, true)
	}
}
