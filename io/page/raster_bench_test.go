package page

import (
	"math"
	"testing"
)

// What a reader costs beside the run: a picture of 500 × 240 points as bytes.
func BenchmarkRaster(b *testing.B) {
	v := make([]float32, 500*240)
	for i := range v {
		v[i] = float32(math.Sin(float64(i)))
	}
	for b.Loop() {
		quantised(v, math.NaN(), math.NaN(), true)
	}
}
