package plot

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rankColors are of ranks, in turn: neighbours in a row of eight differ. They lie over grids and let their lines through.
var rankColors = []color.Color{
	veil(0x1f, 0x77, 0xb4), veil(0xff, 0x9f, 0x1c), veil(0x2c, 0xa0, 0x2c), veil(0xd6, 0x27, 0x28),
	veil(0x94, 0x67, 0xbd), veil(0xe3, 0xc8, 0x00), veil(0x17, 0xbe, 0xcf), veil(0xe3, 0x77, 0xc2),
}

var rankStyle = draw.LineStyle{Color: color.RGBA{0x22, 0x22, 0x22, 0xff}, Width: 1.4}

// veil is a colour that lets half of what is below through.
func veil(r, g, b uint8) color.Color { return color.NRGBA{R: r, G: g, B: b, A: 0x80} }

// finest is the finest level that a view has.
func (v *GridView) finest() (level int) {
	for _, b := range v.Boxes {
		level = max(level, b.Level)
	}
	return level
}

// ranks draws who has what of a level in a view.
func (a *axes) ranks(p *page, all []RankBox, level int) {
	c := a.clip(p)
	for _, b := range all {
		if b.Level != level {
			continue
		}
		corners := rectangle(vg.Rectangle{Min: a.at(b.Low[0], b.Low[1]), Max: a.at(b.High[0], b.High[1])})
		c.FillPolygon(rankColors[b.Rank%len(rankColors)], corners)
		p.StrokeLines(rankStyle, append(corners, corners[0], corners[1]))
	}
}

// rankNumbers writes the ranks' numbers where there is room.
func (a *axes) rankNumbers(p *page, all []RankBox) {
	for _, b := range all {
		low, high := a.at(b.Low[0], b.Low[1]), a.at(b.High[0], b.High[1])
		at := vg.Point{X: (low.X + high.X) / 2, Y: (low.Y + high.Y) / 2}
		name := fmt.Sprint(b.Rank)
		if high.X-low.X < 1.5*tickStyle.width(name) || high.Y-low.Y < 1.5*tickStyle.size || hidden(all, b) {
			continue
		}
		p.text(tickStyle, at, 0.5, name, false)
	}
}

// shadows draws fluid in the colours of whose it is.
func (a *axes) shadows(p *page, all []RankBox) {
	c := a.clip(p)
	for _, b := range all {
		r, g, bl, _ := rankColors[b.Rank%len(rankColors)].(color.NRGBA).RGBA() // with the veil's strength in them
		dark := color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8), 0xff}
		c.FillPolygon(dark, rectangle(vg.Rectangle{Min: a.at(b.Low[0], b.Low[1]), Max: a.at(b.High[0], b.High[1])}))
	}
}

// hidden tells whether the middle of a box lies below finer ones.
func hidden(all []RankBox, b RankBox) bool {
	for _, o := range all {
		inside := o.Level > b.Level
		for a := range b.Low {
			at := (b.Low[a] + b.High[a]) / 2
			inside = inside && at > o.Low[a] && at < o.High[a]
		}
		if inside {
			return true
		}
	}
	return false
}
