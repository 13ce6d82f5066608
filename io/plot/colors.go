package plot

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	gridColor   = color.Gray{Y: 0xe4}
	guideColor  = color.Gray{Y: 0x88}
	windowColor = color.RGBA{0xec, 0xf1, 0xf7, 0xff}
	bodyFill    = color.Gray{Y: 0xc4}
	bodyEdge    = color.Gray{Y: 0x28}

	markStyle = draw.LineStyle{Color: ink, Width: frameWidth}
	bodyStyle = draw.LineStyle{Color: bodyEdge, Width: 1}
)

// lineColors are those of Okabe and Ito, which people with colour-blindness
// tell apart, in an order of falling contrast with white.
var lineColors = []color.Color{
	color.RGBA{0x00, 0x5a, 0x9c, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff},
	color.RGBA{0x00, 0x9e, 0x73, 0xff}, color.RGBA{0xb0, 0x4a, 0x8a, 0xff},
	color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff},
	color.RGBA{0x40, 0x40, 0x40, 0xff},
}

// dashes tell lines of the same colour apart.
var dashes = [][]vg.Length{nil, {6, 3}, {1.5, 2.5}, {8, 3, 1.5, 3}}

// lineStyle is the style of the i-th of several lines; negative ones are guides
// for the eye.
func lineStyle(i int) draw.LineStyle {
	if i < 0 {
		return draw.LineStyle{Color: guideColor, Dashes: dashes[-i%len(dashes)], Width: 1.1}
	}
	return draw.LineStyle{
		Color:  lineColors[i%len(lineColors)],
		Dashes: dashes[i/len(lineColors)%len(dashes)],
		Width:  1.3,
	}
}
