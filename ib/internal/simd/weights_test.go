package simd_test

import (
	"fmt"
	"math"
	"testing"

	"lbmib/ib"
	"lbmib/ib/ibtest/conformance"
	"lbmib/ib/internal/simd"
)

// eachDelta runs a test for every delta and precision.
func eachDelta(t *testing.T, f64 func(*testing.T, ib.Delta[float64]), f32 func(*testing.T, ib.Delta[float32])) {
	for _, name := range ib.DeltaNames() {
		t.Run(name+"/f64", func(t *testing.T) { f64(t, delta[float64](t, name)) })
		t.Run(name+"/f32", func(t *testing.T) { f32(t, delta[float32](t, name)) })
	}
}

func delta[T simd.Float](t testing.TB, name string) ib.Delta[T] {
	d, err := ib.NewDelta[T](name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func loops[T simd.Float](t testing.TB, kernel string, d ib.Delta[T]) simd.Kernels[T] {
	k, err := simd.For(kernel, d.Name(), d.Weights, d.Support(), 3)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// positions cover an axis of 16 nodes: densely, exact nodes, halves and both
// neighbours of them, the ends, and where it is bounded beyond them.
func positions(shift float64, periodic bool) (x []float64) {
	const n = 3001
	lo, hi := -8., 24.
	if periodic {
		lo, hi = 0, nodes
	}
	add := func(v float64) {
		if v >= lo && v <= hi {
			x = append(x, v)
		}
	}
	for i := range n {
		add(lo + (hi-lo)*float64(i)/(n-1))
	}
	for c := lo - 1; c <= hi+1; c += 0.5 {
		for _, v := range []float64{c, c + shift} {
			add(v)
			add(math.Nextafter(v, -1e9))
			add(math.Nextafter(v, 1e9))
		}
	}
	return x
}

// nodes of the axis of the tests.
const nodes = 16

// ask makes a question about points x, whose answer goes to memory filled with
// what no answer is. There is nothing behind the points.
func ask[T simd.Float](x []float64, shift float64, periodic bool, support int) *simd.Axis[T] {
	room := simd.Room(len(x))
	a := &simd.Axis[T]{
		N: len(x), X: x[:len(x):len(x)], Shift: shift, Last: nodes - support,
		First: make([]int32, room), Weight: make([]T, room*simd.Stride(support)+1), Outside: 77,
	}
	if periodic {
		a.Period = nodes
	}
	for i := range a.First {
		a.First[i] = math.MinInt32
	}
	for i := range a.Weight {
		a.Weight[i] = T(math.NaN())
	}
	return a
}

// eachAxis calls f with points in batches of awkward and usual sizes.
func eachAxis(f func(x []float64, shift float64, periodic bool)) {
	for _, shift := range []float64{0, 0.5, 0.3, math.Nextafter(1, 0)} {
		for _, periodic := range []bool{false, true} {
			f(nil, shift, periodic)
			x := positions(shift, periodic)
			for i := 0; len(x) > 0; i++ {
				n := min([]int{64, 1, 3, 2, 64, 7, 5, 64}[i%8], len(x))
				f(x[:n], shift, periodic)
				x = x[n:]
			}
		}
	}
}

func TestWeightsAreThoseOfTheDelta(t *testing.T) {
	eachDelta(t, testWeights[float64], testWeights[float32])
}

func testWeights[T simd.Float](t *testing.T, d ib.Delta[T]) {
	fast := loops(t, "auto", d)
	stride := simd.Stride(d.Support())
	tolerance := 0x1p-51 // 2 units in the last place of 1
	if _, single := any(T(0)).(float32); single {
		tolerance = 0x1p-24 // all digits but a rounding the other way: weights are below 1
	}
	eachAxis(func(x []float64, shift float64, periodic bool) {
		a := ask[T](x, shift, periodic, d.Support())
		fast.Weights(a)
		outside := false
		for k, x := range x {
			var want [simd.MaxSupport]T
			first := d.Weights(&want, x-shift)
			if periodic {
				first = (first + nodes) % nodes
			}
			outside = outside || first < 0 || first > a.Last
			if int(a.First[k]) != first {
				t.Fatalf("x = %v − %v: support begins at %d, want %d", x, shift, a.First[k], first)
			}
			for i, got := range a.Weight[k*stride:][:stride] {
				w := T(0)
				if i < len(want) {
					w = want[i]
				}
				if !(math.Abs(float64(got-w)) <= tolerance) || i >= d.Support() && got != 0 {
					t.Fatalf("x = %v − %v: weight %d is %v, want %v", x, shift, i, got, w)
				}
			}
		}
		if a.Outside != 0 != outside {
			t.Fatalf("x = %v … − %v: Outside is %d, want %t", x, shift, a.Outside, outside)
		}
		if w := a.Weight[len(a.Weight)-1]; w == w {
			t.Fatalf("%d points: more than room for them is written", len(x))
		}
	})
}

func TestWeightsKeepTheIdentitiesOfTheDelta(t *testing.T) {
	// A few units in the last place of one, as for the deltas themselves.
	eachDelta(t,
		func(t *testing.T, d ib.Delta[float64]) { testIdentities(t, d, 4*0x1p-52) },
		func(t *testing.T, d ib.Delta[float32]) { testIdentities(t, d, 4*0x1p-23) })
}

func testIdentities[T simd.Float](t *testing.T, d ib.Delta[T], tolerance float64) {
	has := conformance.MomentsOf(delta[float64](t, d.Name()))
	fast := loops(t, "auto", d)
	eachAxis(func(x []float64, shift float64, periodic bool) {
		if periodic {
			return
		}
		a := ask[T](x, shift, false, d.Support())
		fast.Weights(a)
		for k, x := range x {
			var sum, moment, even, squares float64
			for i, w := range a.Weight[k*simd.Stride(d.Support()):][:d.Support()] {
				v, node := float64(w), int(a.First[k])+i
				if v < 0 && has.Least >= 0 {
					t.Fatalf("x = %v − %v: weight %v of node %d is negative", x, shift, v, node)
				}
				sum += v
				moment += (x - shift - float64(node)) * v
				squares += v * v
				if node%2 == 0 {
					even += v
				}
			}
			check := func(what string, got, want float64) {
				if !(math.Abs(got-want) <= tolerance) {
					t.Fatalf("x = %v − %v: %s is %v, off %v by %.1e", x, shift, what, got, want, got-want)
				}
			}
			check("Σφ", sum, 1)
			if has.First == 0 {
				check("Σ(x−j)φ", moment, 0)
			}
			if has.EvenOdd {
				check("Σφ on even nodes", even, 0.5)
			}
			if !math.IsNaN(has.Squares) {
				check("Σφ²", squares, has.Squares)
			}
		}
	})
}

func BenchmarkWeights(b *testing.B) {
	for _, name := range ib.DeltaNames() {
		for _, kernel := range []string{"auto", "go"} {
			b.Run(name+"/f64/"+kernel, func(b *testing.B) { benchmarkWeights(b, loops(b, kernel, delta[float64](b, name)), name) })
			b.Run(name+"/f32/"+kernel, func(b *testing.B) { benchmarkWeights(b, loops(b, kernel, delta[float32](b, name)), name) })
		}
	}
}

func benchmarkWeights[T simd.Float](b *testing.B, k simd.Kernels[T], name string) {
	x := make([]float64, 64)
	for i := range x {
		x[i] = math.Mod(float64(i)*math.Phi, nodes)
	}
	a := ask[T](x, 0.5, true, delta[T](b, name).Support())
	for b.Loop() {
		k.Weights(a)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/point")
}

func ExampleFor() {
	_, err := simd.For("sse", "hat2", ib.Hat2[float64]{}.Weights, 2, 3)
	fmt.Println(err)
	// Output:
	// simd: kernel "sse" is unknown: use one of auto, avx2, avx512, go
}
