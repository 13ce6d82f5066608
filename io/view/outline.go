package view

import (
	"math"
	"slices"
)

// scanlines is the number of lines per pixel along which the inside of an
// outline is measured.
const scanlines = 4

// cover adds the bodies' share of every pixel, by the even–odd rule.
func (p *pixels) cover(pic *Picture) {
	sx, sy := float64(p.width)/float64(pic.Nx), float64(p.height)/float64(pic.Ny)
	for _, outline := range pic.Outlines {
		points := make([][2]float64, len(outline))
		lo, hi := math.Inf(1), math.Inf(-1)
		for i, pt := range outline { // a node is in the middle of its cell
			points[i] = [2]float64{(pt[0] + 0.5) * sx, (pt[1] + 0.5) * sy}
			lo, hi = math.Min(lo, points[i][1]), math.Max(hi, points[i][1])
		}
		first, last := within(math.Floor(lo), p.height), within(math.Ceil(hi), p.height)
		for line := int(first) * scanlines; line < int(last)*scanlines; line++ {
			at := crossings(points, (float64(line)+0.5)/scanlines)
			row := p.body[line/scanlines*p.width:][:p.width]
			for k := 1; k < len(at); k += 2 {
				fill(row, at[k-1], at[k])
			}
		}
	}
}

// crossings are the places where a closed polyline crosses a height, ascending.
func crossings(points [][2]float64, y float64) (at []float64) {
	before := points[len(points)-1]
	for _, pt := range points {
		if (before[1] <= y) != (pt[1] <= y) {
			at = append(at, before[0]+(pt[0]-before[0])*(y-before[1])/(pt[1]-before[1]))
		}
		before = pt
	}
	slices.Sort(at)
	return at
}

// fill adds one scanline from a to b to a row of pixels.
func fill(row []float64, a, b float64) {
	a, b = within(a, len(row)), within(b, len(row))
	for i := int(a); float64(i) < b; i++ {
		share := math.Min(b, float64(i+1)) - math.Max(a, float64(i))
		row[i] = math.Min(1, row[i]+share/scanlines)
	}
}

// within moves a place into 0 … n.
func within(v float64, n int) float64 { return math.Max(0, math.Min(v, float64(n))) }
