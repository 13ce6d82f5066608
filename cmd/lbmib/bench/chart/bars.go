package chart

import (
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars are values in groups; all members of a group stand side by side.
type Bars struct {
	Title, YLabel string
	Groups        []string // from the left
	Members       []string
	Bars          []Bar
	Limit         string // name of the limits in the legend; "" where there are none
}

// Bar is one value, with its limit across it and a text above.
type Bar struct {
	Group, Member int // indices
	Value, Limit  float64
	Above         string
}

// Save writes the chart as a PNG.
func (b *Bars) Save(path string) error {
	var values []float64
	for _, v := range b.Bars {
		values = append(values, v.Value, v.Limit)
	}
	c := newCanvas(b.Title, b.YLabel, upwards(values, 1.1, false))
	const filled = 0.84 // of the room of a group
	room := 1 / float64(len(b.Groups))
	width := filled * room / float64(len(b.Members))
	for _, v := range b.Bars {
		left := (float64(v.Group)+(1-filled)/2)*room + float64(v.Member)*width
		p, q := c.at(left+0.04*width, 0), c.at(left+0.96*width, v.Value)
		fillBox(c, p, q, v.Member)
		if b.Limit != "" {
			limit := c.at(0, v.Limit).Y
			c.StrokeLine2(limitStyle, p.X, limit, q.X, limit)
		}
		above := c.at(left+width/2, math.Max(v.Value, v.Limit)).Add(vg.Point{Y: 4})
		c.text(v.Above, smallSize, above, 0.5)
	}
	for g, name := range b.Groups {
		for i, line := range fold(name, vg.Length(room)*dataWidth) {
			c.below(line, (float64(g)+0.5)*room, 1+i)
		}
	}
	var names []string
	var samples []legendSample
	if len(b.Members) > 1 || b.Limit != "" {
		for m, name := range b.Members {
			names = append(names, name)
			samples = append(samples, func(c *canvas, at vg.Point, w vg.Length) {
				fillBox(c, at.Add(vg.Point{X: 4}), at.Add(vg.Point{X: w, Y: 8}), m)
			})
		}
	}
	if b.Limit != "" {
		names = append(names, b.Limit)
		samples = append(samples, func(c *canvas, at vg.Point, w vg.Length) {
			c.StrokeLine2(limitStyle, at.X+2, at.Y+4, at.X+w, at.Y+4)
		})
	}
	c.legend(names, samples)
	return c.save(path)
}

// fold breaks a name that is wider than its room in two, behind its first hyphen
// or space.
func fold(name string, room vg.Length) []string {
	i := strings.IndexAny(name, "- ")
	if i < 0 || sans(textSize).Width(name) <= 0.95*room {
		return []string{name}
	}
	return []string{name[:i+1], name[i+1:]}
}

func fillBox(c *canvas, a, b vg.Point, i int) {
	c.FillPolygon(Color(i), []vg.Point{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}})
}

// dashed is the style of a limit beside lines.
func dashed(i int) draw.LineStyle {
	return draw.LineStyle{Color: Color(i), Width: 1.1, Dashes: []vg.Length{4, 2.5}}
}
