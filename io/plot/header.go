package plot

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// header is what stands above the data: a title, a note in small print and the
// legend in rows, where it cannot cover a curve.
type header struct {
	title  string
	note   string
	legend []entry
}

// entry is a sample of a line, an area or of points and its name.
type entry struct {
	name       string
	line, area bool
	faint      bool // the line
	points     bool
	fill       color.Color     // of an area, in place of its look's
	stroke     *draw.LineStyle // likewise of a line
	look
}

const (
	maxEntries  = 14
	sampleWidth = vg.Length(22)
	sampleGap   = vg.Length(5)
	entryGap    = vg.Length(18)
	legendGap   = vg.Length(3)
	headerGap   = vg.Length(4)
)

// rows breaks the legend into rows of the given width.
func (h *header) rows(width vg.Length) (rows [][]entry) {
	var used vg.Length
	for i, e := range h.legend {
		if i == maxEntries-1 && len(h.legend) > maxEntries {
			e = entry{name: fmt.Sprintf("… and %d more", len(h.legend)-i)}
		}
		e.name = shorten(legendStyle, e.name, width-sampleWidth-sampleGap)
		w := e.width() + entryGap
		if len(rows) == 0 || used+w > width+entryGap {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		used += w
		if i == maxEntries-1 {
			break
		}
	}
	return rows
}

func (e entry) width() vg.Length {
	w := legendStyle.width(e.name)
	if e.line || e.area || e.points {
		w += sampleWidth + sampleGap
	}
	return w
}

// height is the room that the header takes in a page of the given width, with
// the gap to the data but without the margin of the page.
func (h *header) height(width vg.Length) vg.Length {
	n := vg.Length(len(wrap(titleStyle, h.title, width)))*titleStyle.line() +
		vg.Length(len(wrap(noteStyle, h.note, width)))*noteStyle.line() +
		vg.Length(len(h.rows(width)))*legendStyle.line()
	if n > 0 {
		n += headerGap
	}
	if len(h.legend) > 0 {
		n += legendGap
	}
	return n
}

// draw writes the header, centred, below the point (middle, top).
func (h *header) draw(p *page, middle, top, width vg.Length) {
	y := top
	for _, line := range wrap(titleStyle, h.title, width) {
		p.text(titleStyle, vg.Point{X: middle, Y: y - capHeight*titleStyle.size}, 0.5, line, false)
		y -= titleStyle.line()
	}
	for _, line := range wrap(noteStyle, h.note, width) {
		p.text(noteStyle, vg.Point{X: middle, Y: y - capHeight*noteStyle.size}, 0.5, line, false)
		y -= noteStyle.line()
	}
	y -= legendGap
	for _, row := range h.rows(width) {
		total := -entryGap
		for _, e := range row {
			total += e.width() + entryGap
		}
		x := middle - total/2
		for _, e := range row {
			e.draw(p, vg.Point{X: x, Y: y - capHeight*legendStyle.size})
			x += e.width() + entryGap
		}
		y -= legendStyle.line()
	}
}

// draw writes the entry with its baseline starting at a point.
func (e entry) draw(p *page, at vg.Point) {
	y := at.Y + capHeight/2*legendStyle.size
	e.sample(p, at.X, y)
	if e.line || e.area || e.points {
		at.X += sampleWidth + sampleGap
	}
	p.text(legendStyle, at, 0, e.name, false)
}
