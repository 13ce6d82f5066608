package plot

import (
	"image/color"
	"math"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

// style is how a piece of text looks.
type style struct {
	size  vg.Length
	bold  bool
	color color.Color
}

var (
	ink   = color.Gray{Y: 0x20}
	faint = color.Gray{Y: 0x66}

	titleStyle  = style{size: 15, bold: true, color: ink}
	labelStyle  = style{size: 13.5, color: ink}
	tickStyle   = style{size: 12, color: ink}
	legendStyle = style{size: 12.5, color: ink}
	noteStyle   = style{size: 11, color: faint}
)

// capHeight is the height of capitals and digits in Liberation Sans, descent
// the depth of its letters below the baseline, both in font sizes.
const (
	capHeight = 0.72
	descent   = 0.22
)

var fonts = font.NewCache(liberation.Collection())

func (s style) face() font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if s.bold {
		f.Weight = xfont.WeightBold
	}
	return fonts.Lookup(f, s.size)
}

func (s style) width(text string) vg.Length {
	f := s.face()
	return f.Width(text)
}

// line is the distance between baselines.
func (s style) line() vg.Length { return 1.25 * s.size }

// text draws one line; at is on its baseline, and align tells where along the
// text: 0 at its start, ½ in the middle, 1 at its end. up turns it to read
// upwards.
func (p *page) text(s style, at vg.Point, align float64, text string, up bool) {
	if text == "" {
		return
	}
	f := s.face()
	shift := -vg.Length(align) * f.Width(text)
	p.SetColor(s.color)
	p.Push()
	defer p.Pop()
	if up {
		p.Rotate(math.Pi / 2)
		at.X, at.Y = at.Y, -at.X
	}
	p.FillString(f, vg.Point{X: at.X + shift, Y: at.Y}, text)
}

// label is the text of an axis, which may end in a subscript: C and d for C_d.
type label struct{ text, sub string }

// draw writes the label centred at a point of its baseline.
func (l label) draw(p *page, at vg.Point, up bool) {
	low := labelStyle
	low.size *= 0.72
	main, sub := labelStyle.width(l.text), low.width(l.sub)
	start := vg.Point{X: at.X - (main+sub)/2, Y: at.Y}
	next := vg.Point{X: start.X + main, Y: at.Y - 0.2*labelStyle.size}
	if up {
		start = vg.Point{X: at.X, Y: at.Y - (main+sub)/2}
		next = vg.Point{X: at.X + 0.2*labelStyle.size, Y: start.Y + main}
	}
	p.text(labelStyle, start, 0, l.text, up)
	p.text(low, next, 0, l.sub, up)
}

// shorten cuts text to a width and marks the cut with an ellipsis.
func shorten(s style, text string, width vg.Length) string {
	if s.width(text) <= width {
		return text
	}
	r := []rune(text)
	for len(r) > 0 && s.width(string(r)+"…") > width {
		r = r[:len(r)-1]
	}
	return strings.TrimRight(string(r), " ") + "…"
}

// wrap breaks text at spaces into at most three lines of the given width.
func wrap(s style, text string, width vg.Length) []string {
	const most = 3
	var lines []string
	words := strings.Fields(text)
	for len(words) > 0 {
		n := 1
		for n < len(words) && s.width(strings.Join(words[:n+1], " ")) <= width {
			n++
		}
		if len(lines) == most-1 {
			n = len(words)
		}
		lines = append(lines, shorten(s, strings.Join(words[:n], " "), width))
		words = words[n:]
	}
	return lines
}
