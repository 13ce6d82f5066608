package casefile

import (
	"math"
	"strconv"
)

// formatNumber writes a coordinate with the digits it has, without those that
// rounding of a sum left.
func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', 12, 64) }

// formatCount writes a count in full while that is readable.
func formatCount(n float64) string {
	if n < 1e15 {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return strconv.FormatFloat(n, 'g', 3, 64)
}

// formatDown writes a positive bound to three digits, rounded down so that the
// number written satisfies it.
func formatDown(x float64) string {
	unit := math.Pow(10, math.Floor(math.Log10(x))-2)
	return strconv.FormatFloat(math.Floor(x/unit)*unit, 'g', 3, 64)
}
