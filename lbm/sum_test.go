package lbm

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"lbmib/internal/parallel"
)

// A sum is the exact one of its terms cut to units, whatever their order.
func TestASumHasTheSameBitsInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		terms := make([]float64, 1+rng.IntN(400))
		exact := new(big.Float).SetPrec(400)
		for k := range terms {
			terms[k] = (rng.Float64() - 0.5) * math.Pow(10, float64(rng.IntN(18)-17))
			exact.Add(exact, new(big.Float).SetFloat64(math.Trunc(terms[k]*sumUnits)*sumUnit))
		}
		var whole Sum
		for _, v := range terms {
			whole.Add(v)
		}
		rng.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		var parts [3]Sum
		for _, v := range terms {
			parts[rng.IntN(3)].Add(v)
		}
		parts[2].Join(parts[0])
		parts[2].Join(parts[1])
		if parts[2] != whole {
			t.Fatalf("%v in one order, %v in another", whole, parts[2])
		}
		want, _ := exact.Float64()
		if got := whole.Value(); math.Abs(got-want) > 4e-16*math.Abs(want) {
			t.Fatalf("the sum is %v, exactly %v", got, want)
		}
	}
}

func TestASumTellsThatATermIsLost(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), -sumMost, 1e300} {
		var s Sum
		s.Add(1)
		s.Add(v)
		if !math.IsNaN(s.Value()) {
			t.Errorf("with %v the sum is %v", v, s.Value())
		}
	}
}

func BenchmarkMomentum(b *testing.B) {
	pool := parallel.NewPool(1)
	defer pool.Close()
	collision, err := NewCollision("bgk", 0.05, 0)
	if err != nil {
		b.Fatal(err)
	}
	f, err := NewCPU[float64, float64](Config{Lattice: D3Q19, Size: [3]int{64, 64, 64}, Collision: collision}, pool)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f.Momentum([3]int{8, 8, 8}, [3]int{56, 56, 56})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(48*48*48), "ns/node")
}
