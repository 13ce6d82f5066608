package bench

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// draw draws the rows that have a rate; without any, nothing is drawn.
func (s *set) draw(path string, rows []Row) (drawn bool, err error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Status != ok })
	if len(rows) == 0 {
		return false, nil
	}
	top := 0.
	for i := range rows {
		top = math.Max(top, math.Max(rows[i].MFLUPS, rows[i].limitMFLUPS()))
	}
	if s.x != nil {
		return true, s.lines(rows, top).save(path)
	}
	return true, s.bars(rows, top).save(path)
}

// names are the values of a property, in the order in which they come.
func names(rows []Row, of func(*Row) string) (all []string) {
	for i := range rows {
		all = append(all, of(&rows[i]))
	}
	return unique(all)
}

var limitStyle = draw.LineStyle{Color: ink, Width: 1.6}

// bars draws rates in groups, each with its limit across it and its share above.
func (s *set) bars(rows []Row, top float64) *canvas {
	groups, members := names(rows, s.group), names(rows, s.member)
	c := newCanvas(s.title, "MFLUPS   (above: share of the limit)", 1.1*top)
	const filled = 0.84 // of the room of a group
	room := 1 / float64(len(groups))
	width := filled * room / float64(len(members))
	for i := range rows {
		r := &rows[i]
		g, m := slices.Index(groups, s.group(r)), slices.Index(members, s.member(r))
		left := (float64(g)+(1-filled)/2)*room + float64(m)*width
		a, b := c.at(left+0.04*width, 0), c.at(left+0.96*width, r.MFLUPS)
		fillBox(c, a, b, m)
		limit := c.at(0, r.limitMFLUPS()).Y
		c.StrokeLine2(limitStyle, a.X, limit, b.X, limit)
		above := c.at(left+width/2, math.Max(r.MFLUPS, r.limitMFLUPS())).Add(vg.Point{Y: 4})
		c.text(fmt.Sprintf("%.2f", r.Roofline), smallSize, above, 0.5)
	}
	for g, name := range groups {
		c.below(name, (float64(g)+0.5)*room, 1)
	}
	samples := make([]legendSample, 0, len(members)+1)
	for m := range members {
		samples = append(samples, func(c *canvas, at vg.Point, w vg.Length) {
			fillBox(c, at.Add(vg.Point{X: 4}), at.Add(vg.Point{X: w, Y: 8}), m)
		})
	}
	samples = append(samples, func(c *canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(limitStyle, at.X+2, at.Y+4, at.X+w, at.Y+4)
	})
	c.legend(append(members, "limit"), samples)
	return c
}

func fillBox(c *canvas, a, b vg.Point, i int) {
	c.FillPolygon(chartColor(i), []vg.Point{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}})
}

// lines draws rates over a number, and the limits dashed.
func (s *set) lines(rows []Row, top float64) *canvas {
	c := newCanvas(s.title, "MFLUPS", 1.08*top)
	place := s.xAxis(c, rows)
	var all []string
	var samples []legendSample
	for i, name := range names(rows, s.group) {
		measured := draw.LineStyle{Color: chartColor(i), Width: 1.4}
		glyph := draw.GlyphStyle{Color: chartColor(i), Radius: 2.8, Shape: draw.CircleGlyph{}}
		var rates, limits []vg.Point
		for j := range rows {
			if r := &rows[j]; s.group(r) == name {
				rates = append(rates, c.at(place(s.x(r)), r.MFLUPS))
				limits = append(limits, c.at(place(s.x(r)), r.limitMFLUPS()))
			}
		}
		c.StrokeLines(dashed(chartColor(i)), limits)
		c.StrokeLines(measured, rates)
		for _, p := range rates {
			c.DrawGlyphNoClip(glyph, p)
		}
		all = append(all, name)
		samples = append(samples, func(c *canvas, at vg.Point, w vg.Length) {
			c.StrokeLine2(measured, at.X, at.Y+4, at.X+w, at.Y+4)
			c.DrawGlyphNoClip(glyph, at.Add(vg.Point{X: w / 2, Y: 4}))
		})
	}
	all = append(all, "limit of the same colour")
	samples = append(samples, func(c *canvas, at vg.Point, w vg.Length) {
		c.StrokeLine2(dashed(ink), at.X, at.Y+4, at.X+w, at.Y+4)
	})
	c.legend(all, samples)
	return c
}

// dashed is the style of a limit beside lines.
func dashed(c color.Color) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: 1.1, Dashes: []vg.Length{4, 2.5}}
}

// xAxis draws the numbers and gives the place of a number, as a fraction of the width.
func (s *set) xAxis(c *canvas, rows []Row) (place func(float64) float64) {
	scale := func(v float64) float64 { return v }
	if s.log {
		scale = math.Log10
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range rows {
		lo, hi = math.Min(lo, scale(s.x(&rows[i]))), math.Max(hi, scale(s.x(&rows[i])))
	}
	pad := math.Max(0.05*(hi-lo), 0.05)
	place = func(v float64) float64 { return (scale(v) - lo + pad) / (hi - lo + 2*pad) }
	marked := map[float64]string{}
	if s.log {
		for e := math.Ceil(lo - pad); e <= hi+pad; e++ {
			marked[math.Pow(10, e)] = "10" + superscript(int(e))
		}
	} else {
		for i := range rows {
			marked[s.x(&rows[i])] = fmt.Sprint(s.x(&rows[i]))
		}
	}
	for v, label := range marked {
		x := c.at(place(v), 0)
		c.StrokeLine2(gridStyle, x.X, x.Y, x.X, c.at(0, c.top).Y)
		c.below(label, place(v), 1)
	}
	c.below(s.xlabel, 0.5, 2)
	return place
}

// superscript writes a number that is not negative.
func superscript(n int) (text string) {
	for _, d := range fmt.Sprint(n) {
		text += string([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[d-'0'])
	}
	return text
}
