package simd

import (
	"fmt"
	"testing"
)

// Operators that stay in the first cache, in the second, and that come from memory, as for
// one cell alone.
func BenchmarkMultiply(b *testing.B) {
	for _, loops := range All() {
		for _, panels := range []int{1, 8, 1000} {
			for _, functions := range []int{3, 4} {
				b.Run(fmt.Sprintf("%s/%d/%d", loops.Name, panels, functions), func(b *testing.B) {
					const n = 40
					panel, x := make([]float64, panels*n*Operators*Rows), make([]float64, n*Functions)
					for i := range panel {
						panel[i] = 1
					}
					var out Block
					for k := 0; b.Loop(); k = (k + 1) % panels {
						loops.Multiply(&out, panel[k*n*Operators*Rows:(k+1)*n*Operators*Rows], x, functions)
					}
					b.ReportMetric(float64(2*n*Operators*Rows*functions*b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
				})
			}
		}
	}
}
