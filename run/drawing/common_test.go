package drawing

import (
	"math"
	"testing"
)

// A cell that enters later is drawn when it was there.
func TestCurvesOfCellsThatEnterLaterAreWhereTheyWere(t *testing.T) {
	common, on := onCommonTimes([][]float64{{0, 1, 2}, {2, 3}}, [][]float64{{5, 6, 7}, {8, 9}})
	nan := math.NaN()
	want := [][]float64{{0, 1, 2, 3}, {5, 6, 7, nan}, {nan, nan, 8, 9}}
	for i, got := range [][]float64{common, on[0], on[1]} {
		for k := range want[i] {
			if got[k] != want[i][k] && !(math.IsNaN(got[k]) && math.IsNaN(want[i][k])) {
				t.Errorf("curve %d: %v, want %v", i, got, want[i])
			}
		}
	}
}
