package view

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
)

// Picture is a scalar on a uniform two-dimensional grid, with the bodies in it,
// and the room to draw it in.
type Picture struct {
	Nx, Ny int // nodes

	// Row stores row j's Nx values, x ascending. Rows are asked for once each,
	// from 0, the lowest of the picture, to Ny−1. NaN is where there is no
	// fluid and is drawn like a body; an infinite value, as where a flow has
	// burst, makes all of its pixel magenta.
	Row func(j int, values []float64)

	// Outlines are closed polylines, filled grey. Node (i, j) is at (i, j). The
	// last point need not repeat the first.
	Outlines [][][2]float64

	Scale Scale
	Label string // of the scale, drawn below the picture; empty: no scale there

	Columns, Rows int // the room in characters, the scale's line included
	Depth         Depth
}

// Scale gives values their colours.
type Scale interface {
	// Fit is called once for every picture, before the others, with the value of
	// each of its pixels; NaN where there is no fluid.
	Fit(pixels []float64)
	// Range is from what to what the colours run.
	Range() (lo, hi float64)
	// Color is the colour of a finite value, also beyond the range.
	Color(v float64) color.RGBA
}

// Render writes a picture as lines of half-block characters, the aspect ratio of
// the grid kept, as large as the room allows: big grids are averaged over the
// area of a pixel, cells of small ones repeat. It fills Columns or Rows, and
// ends in the terminal's own colours at the begin of the line below.
//
// The error is that of w, or says what is wrong with the picture: no nodes, no
// room, nothing to take values or colours from, an outline that is nowhere near.
func Render(w io.Writer, p Picture) error {
	var buf bytes.Buffer
	if _, err := p.draw(&buf, "\n"); err != nil {
		return err
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// farthest is how far an outline may reach, in nodes; what is beyond is lost.
const farthest = 1e9

func (p *Picture) check() error {
	switch {
	case p.Nx < 1 || p.Ny < 1:
		return fmt.Errorf("view: a field of %d × %d nodes: a picture needs at least 1 × 1", p.Nx, p.Ny)
	case p.Columns < 1 || p.Rows < 1+p.legendRows():
		return fmt.Errorf("view: room for %d × %d characters: a picture needs at least 1 × %d", p.Columns, p.Rows, 1+p.legendRows())
	case p.Row == nil || p.Scale == nil:
		return errors.New("view: a picture without rows or without a scale: set Row and Scale")
	}
	for b, outline := range p.Outlines {
		for i, pt := range outline {
			if !(math.Abs(pt[0]) <= farthest && math.Abs(pt[1]) <= farthest) {
				return fmt.Errorf("view: outline %d, point %d: (%g, %g) is not a place within ±%g nodes: leave the body out if its place is lost", b, i, pt[0], pt[1], farthest)
			}
		}
	}
	return nil
}

func (p *Picture) legendRows() int {
	if p.Label == "" {
		return 0
	}
	return 1
}

// size is the number of pixels.
func (p *Picture) size() (width, height int) {
	w, h := float64(p.Columns), float64(2*(p.Rows-p.legendRows()))
	scale := math.Min(w/float64(p.Nx), h/float64(p.Ny)) // pixels per node
	whole := func(n int, most float64) int {
		return int(math.Max(1, math.Min(most, math.Round(scale*float64(n)))))
	}
	return whole(p.Nx, w), whole(p.Ny, h)
}

// draw appends the picture to a buffer, with end after every line, and returns
// the number of lines.
func (p *Picture) draw(buf *bytes.Buffer, end string) (lines int, err error) {
	if err := p.check(); err != nil {
		return 0, err
	}
	width, height := p.size()
	pixels := average(p, width, height)
	pixels.cover(p)
	p.Scale.Fit(pixels.fluid())
	pen := pen{buf: buf, depth: p.Depth, fore: plain, back: plain}
	for top := height - 1; top >= 0; top -= 2 { // the grid's last row comes first
		for i := range width {
			back := int32(plain) // an odd number of rows ends in half a line
			if top > 0 {
				back = pen.code(pixels.color(p.Scale, (top-1)*width+i))
			}
			pen.put('▀', pen.code(pixels.color(p.Scale, top*width+i)), back)
		}
		pen.reset()
		buf.WriteString(end)
		lines++
	}
	if p.Label != "" {
		p.legend(&pen)
		buf.WriteString(end)
		lines++
	}
	return lines, nil
}

// barCells is the length of the scale in characters, where there is room.
const barCells = 24

// legend writes the scale with its ends, as much of it as there is room for.
func (p *Picture) legend(pen *pen) {
	lo, hi := p.Scale.Range()
	number := func(v float64) string {
		if v < 0 {
			return "−" + strconv.FormatFloat(-v, 'g', 3, 64)
		}
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	before, after := []rune(p.Label+"  "+number(lo)+" "), []rune(" "+number(hi))
	n := min(barCells, p.Columns-len(before)-len(after))
	if n < 2 {
		pen.buf.WriteString(string(before[:min(len(before), p.Columns)]))
		return
	}
	pen.buf.WriteString(string(before))
	for i := range n {
		pen.put(' ', plain, pen.code(p.Scale.Color(lo+(hi-lo)*float64(i)/float64(n-1))))
	}
	pen.reset()
	pen.buf.WriteString(string(after))
}
