package view

import (
	"image/color"
	"math"
)

// pixels is a field brought to the size of a picture, rows as in the field.
type pixels struct {
	width, height int
	value         []float64 // mean over the fluid in the pixel's area
	body          []float64 // share of the area that is not fluid
}

// span is the cells that lie under a pixel along one axis: first … last, of the
// first and the last the given share only.
type span struct {
	first, last int
	head, tail  float64
}

// weight is the share of cell j that lies under the pixel.
func (s span) weight(j int) float64 {
	switch j {
	case s.first:
		return s.head
	case s.last:
		return s.tail
	}
	return 1
}

// spans lists the cells of n under each of m pixels.
func spans(n, m int) []span {
	const sliver = 1e-9 // of a cell: a rounding error
	all := make([]span, m)
	for i := range all {
		a, b := float64(i)*float64(n)/float64(m), float64(i+1)*float64(n)/float64(m)
		s := span{first: min(n-1, int(a+sliver)), last: min(n-1, int(math.Ceil(b-sliver))-1)}
		s.head, s.tail = math.Min(b, float64(s.first+1))-a, b-float64(s.last)
		all[i] = s
	}
	return all
}

// average averages a picture's field over the area of each pixel.
func average(p *Picture, width, height int) *pixels {
	out := &pixels{width, height, make([]float64, width*height), make([]float64, width*height)}
	columns, held := spans(p.Nx, width), -1
	row, sum, cells := make([]float64, p.Nx), make([]float64, width), make([]float64, width)
	for r, s := range spans(p.Ny, height) {
		value, fluid := out.value[r*width:(r+1)*width], out.body[r*width:(r+1)*width]
		area := 0.
		for j := s.first; j <= s.last; j++ {
			if j != held { // neighbours share a row
				p.Row(j, row)
				sumColumns(columns, row, sum, cells)
				held = j
			}
			w := s.weight(j)
			area += w
			for i := range value {
				value[i] += w * sum[i]
				fluid[i] += w * cells[i]
			}
		}
		area *= float64(p.Nx) / float64(width)
		for i := range value {
			value[i] /= fluid[i] // NaN without fluid
			fluid[i] = math.Max(0, 1-fluid[i]/area)
		}
	}
	return out
}

// sumColumns sums a row's values and its cells of fluid under each pixel.
func sumColumns(columns []span, row, sum, cells []float64) {
	for i, s := range columns {
		a, n := 0., 0.
		for j := s.first; j <= s.last; j++ {
			if v := row[j]; v == v {
				w := s.weight(j)
				a += w * v
				n += w
			}
		}
		sum[i], cells[i] = a, n
	}
}

// fluid is the value of every pixel that shows more fluid than body; NaN for
// the others.
func (p *pixels) fluid() []float64 {
	out := make([]float64, len(p.value))
	for k, v := range p.value {
		if p.body[k] > 0.5 {
			v = math.NaN()
		}
		out[k] = v
	}
	return out
}

// color is the colour of pixel k.
func (p *pixels) color(s Scale, k int) color.RGBA {
	const whole = 1 - 1e-6
	switch v := p.value[k]; {
	case p.body[k] > whole:
		return bodyColor
	case v-v != 0:
		return burstColor
	default:
		return mix(s.Color(v), bodyColor, p.body[k])
	}
}
