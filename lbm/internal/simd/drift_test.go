//go:build amd64

package simd

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"
)

// A sheared, sounding flow in a periodic row (uniform across it) keeps its mass
// and momentum in single precision: coefficients conserve exactly, so what is
// left is the roundings of results, whose signs vary (below 1e-9 a step here).
// Kernels that go by the stress forget what populations were, so that in the uniform
// stream that is left all nodes round alike (3e-9 a step; 8e-9 for "recursive", where six
// populations carry y momentum and each may be off by 2e-10 of 0.05). Coefficients rounded one
// by one change both by 1.4e-8 in every step.
func TestSinglePrecisionDoesNotDrift(t *testing.T) {
	const nodes, n = 64, 10000
	s := storages[1]
	forEach(t, func(t *testing.T, v variant, k Kernel, _ storage, rng *rand.Rand) {
		if v.store != s.name || v.stream {
			return
		}
		bound := 2e-9 * n
		if v.op != "bgk" && v.op != "trt" {
			bound = 5e-9 * n
		}
		if strings.HasPrefix(v.op, "recursive") {
			bound = 1e-8 * n
		}
		rates := randomRates(rng, v.q, v.op)
		rates.Accel = [3]float64{}
		packed := s.rates(rates)
		var rows [2][19][]float32 // a ghost at either end
		for i := range v.q {
			rows[0][i], rows[1][i] = make([]float32, nodes+2), make([]float32, nodes+2)
		}
		uniform := [3]float64{0.03, 0.05, 0.02}
		for x := range nodes {
			phase := 2 * math.Pi * float64(x) / nodes
			for i, c := range velocities[v.q] {
				u := [3]float64{uniform[0], uniform[1] + 0.05*math.Sin(phase), uniform[2]}
				rows[0][i][x+1] = float32(weight(v.q, i) * (0.02*(1+math.Cos(phase)) + 3*dot(c, u)))
			}
		}
		before := totals(&rows[0], v.q)
		var src, dst [19]unsafe.Pointer
		for step := range n {
			from, to := &rows[step%2], &rows[1-step%2]
			for i := range v.q {
				from[i][0], from[i][nodes+1] = from[i][nodes], from[i][1]
				src[i] = unsafe.Pointer(&from[i][1-int(velocities[v.q][i][0])])
				dst[i] = unsafe.Pointer(&to[i][1])
			}
			k.Run(&dst, &src, nodes/k.Lanes, packed, 0)
		}
		after := totals(&rows[n%2], v.q)
		for a, name := range []string{"mass", "x momentum", "y momentum", "z momentum"}[:1+map[int]int{9: 2, 19: 3}[v.q]] {
			change := after[a]/before[a] - 1
			t.Logf("%s changes by %.2g in %d steps", name, change, n)
			if !(math.Abs(change) <= bound) {
				t.Errorf("%s changes by %.2g in %d steps, bound %g (rates %.3f, %.3f)", name, change, n, bound, rates.Even, rates.Odd)
			}
		}
	})
}

// totals are Σ r and Σ j.
func totals(rows *[19][]float32, q int) (sum [4]float64) {
	for i, c := range velocities[q] {
		for _, g := range rows[i][1 : len(rows[i])-1] {
			sum[0] += float64(g)
			for a := range c {
				sum[a+1] += c[a] * float64(g)
			}
		}
	}
	return sum
}
