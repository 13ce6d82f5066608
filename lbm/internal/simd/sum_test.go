package simd

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// checkSums compares sums of all lengths and numbers of terms with those of math.FMA, and what is beside them with what was there.
func checkSums[T float32 | float64](t *testing.T, isa, float string) {
	run, ok := FindSums(isa, float)
	if !ok {
		t.Skipf("no kernels of sums for %s on this architecture", isa)
	}
	rng := rand.New(rand.NewPCG(3, 1))
	values := make([]T, 4000)
	for k := range values {
		values[k] = T(rng.NormFloat64())
	}
	var sums []Sum
	var to, want [][]T
	for n := range 70 {
		for terms := range 6 {
			all, sum := make([]T, n+2), make([]T, n+2)
			for k := range all {
				all[k], sum[k] = -7, -7
			}
			var from []unsafe.Pointer
			var weight []T
			clear(sum[1 : n+1])
			for range terms {
				at, w := rng.IntN(len(values)-n-1), T(rng.NormFloat64())
				from, weight = append(from, unsafe.Pointer(&values[at])), append(weight, w)
				for k := range n {
					sum[1+k] = T(fused(w, values[at+k], sum[1+k]))
				}
			}
			s := Sum{To: unsafe.Pointer(&all[1]), N: n}
			SetTerms(&s, from, weight)
			sums, to, want = append(sums, s), append(to, all), append(want, sum)
		}
	}
	run(sums)
	for k := range to {
		for i, v := range to[k] {
			if v != want[k][i] {
				t.Fatalf("%s %s: value %d of %d of a sum of %d terms is %v, want %v", isa, float, i-1, sums[k].N, sums[k].Terms(), v, want[k][i])
			}
		}
	}
	run(nil)
}

// fused is w·v + sum, rounded once.
func fused[T float32 | float64](w, v, sum T) float64 {
	if unsafe.Sizeof(w) == 8 {
		return math.FMA(float64(w), float64(v), float64(sum))
	}
	// A product of single precision is exact in double; the sum is rounded to odd there, so that it is rounded once in all.
	p, s := float64(w)*float64(v), float64(sum)
	r := p + s
	z := r - p
	if err := (p - (r - z)) + (s - z); err != 0 && math.Float64bits(r)&1 == 0 {
		r = math.Nextafter(r, math.Inf(int(math.Copysign(1, err))))
	}
	return r
}

func TestSums(t *testing.T) {
	for _, isa := range []string{"avx512", "avx2"} {
		if missing := Missing(isa); len(missing) > 0 {
			t.Logf("%s is not run: this processor lacks %v", isa, missing)
			continue
		}
		checkSums[float64](t, isa, "f64")
		checkSums[float32](t, isa, "f32")
	}
}
