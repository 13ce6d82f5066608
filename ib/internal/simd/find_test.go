package simd

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestLoopsAreThoseAskedForOrAnErrorSaysWhatIsMissing(t *testing.T) {
	scalar := uniform[float64]
	for _, c := range []struct {
		kernel  string
		support int
		name    string
		remedy  string // of the error
	}{
		{"go", 4, "go", ""},
		{"auto", 5, "go", ""},
		{"avx2", 5, "", "use auto or go"},
		{"avx512", 5, "", "use auto or go"},
		{"sse", 4, "", "use one of auto, avx2, avx512, go"},
	} {
		k, err := For(c.kernel, "hat2", scalar(c.support), c.support, 3)
		switch {
		case c.remedy == "" && (err != nil || k.Name != c.name):
			t.Errorf("kernel %q for %d nodes: %q, %v, want %q", c.kernel, c.support, k.Name, err, c.name)
		case c.remedy != "" && (err == nil || !strings.Contains(err.Error(), c.remedy)):
			t.Errorf("kernel %q for %d nodes: error %v, want one that tells a remedy", c.kernel, c.support, err)
		}
	}
	// What auto finds is there by its name.
	auto, err := For("", "hat2", scalar(4), 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	if named, err := For(auto.Name, "hat2", scalar(4), 4, 3); err != nil || named.Name != auto.Name {
		t.Errorf("kernel %q: %q, %v", auto.Name, named.Name, err)
	}
}

func TestUnknownDeltasHaveTheirOwnWeights(t *testing.T) {
	k, err := For("auto", "box4", uniform[float32](4), 4, 2)
	if err != nil {
		t.Fatal(err)
	}
	a := Axis[float32]{N: 1, X: []float64{5.5}, Last: 6, First: make([]int32, Room(1)), Weight: make([]float32, Room(1)*4)}
	k.Weights(&a)
	if a.First[0] != 4 || [4]float32(a.Weight) != [4]float32{0.25, 0.25, 0.25, 0.25} || a.Outside != 0 {
		t.Errorf("weights %v from node %d, outside %d: want 1/4 from 4", a.Weight[:4], a.First[0], a.Outside)
	}
}

func TestBatchesThatAreTooShortPanic(t *testing.T) {
	fast, _ := best[float64](t, 4, 2)
	b, _ := randomBatch[float64](rand.New(rand.NewPCG(1, 2)), 4, 2, 3, 0)
	b.Weight[1] = b.Weight[1][:11:11]
	for what, f := range map[string]func(*Batch[float64]){"interpolate": fast.Interpolate, "spread": fast.Spread} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: 11 weights of 3 points are accepted", what)
				}
			}()
			f(&b)
		}()
	}
}
