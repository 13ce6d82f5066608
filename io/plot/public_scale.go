package plot

import (
	"image/color"
	"math"
)

// SymmetricLimit is the limit that a diverging map of a field chooses for
// itself (Field.Limit = 0): a round number that most of the values with
// something to see stay below. values are those of a grid with rows of nx;
// what is not finite does not count.
func SymmetricLimit(values []float64, nx int) float64 {
	sample, _, _ := sorted(values, nx)
	return symmetricLimit(sample)
}

// DivergingColor is the colour of v in a diverging map from −limit, blue, to
// limit > 0, red. Values beyond have the colour of the end; NaN that of zero.
func DivergingColor(v, limit float64) color.RGBA {
	if math.IsNaN(v) {
		v = 0
	}
	s := scale{lo: -limit, hi: limit, colors: diverging()}
	return s.color(v)
}
