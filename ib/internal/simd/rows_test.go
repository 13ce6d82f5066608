package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// What the loops are tested on: all supports, dimensions and precisions.
func eachShape(t *testing.T, f64 func(t *testing.T, support, dim int), f32 func(t *testing.T, support, dim int)) {
	for _, dim := range []int{2, 3} {
		for _, support := range []int{2, 3, 4, 6} {
			t.Run(fmt.Sprintf("%dD/%d/f64", dim, support), func(t *testing.T) { f64(t, support, dim) })
			t.Run(fmt.Sprintf("%dD/%d/f32", dim, support), func(t *testing.T) { f32(t, support, dim) })
		}
	}
}

// best are the fastest loops here; their weights are not asked for.
func best[T Float](t testing.TB, support, dim int) (fast, plain Kernels[T]) {
	scalar := func(*[MaxSupport]T, float64) int { return 0 }
	fast, err := For("auto", "", scalar, support, dim)
	if err != nil {
		t.Fatal(err)
	}
	return fast, Portable(scalar, support, dim)
}

// The extent of the field of random batches: rows of 11, the tables wrapped after
// 7 rows and 6 planes.
const rowNodes, planeRows, fieldPlanes = 11, 7, 6

// randomBatch has n points with supports anywhere in a field, the first and the
// last node of it among them, and with weights of both signs. The field lies among
// nodes of the value edge.
func randomBatch[T Float](rng *rand.Rand, support, dim, n int, edge T) (b Batch[T], around []T) {
	planes := 1
	if dim == 3 {
		planes = fieldPlanes
	}
	nodes := rowNodes * planeRows * planes
	around = make([]T, nodes+16)
	for i := range around {
		around[i] = edge
	}
	b = Batch[T]{N: n, Field: around[8:][:nodes:nodes], Values: make([]T, n)}
	for i := range b.Field {
		b.Field[i] = T(rng.NormFloat64())
	}
	for j := range planeRows + support {
		b.Row[0] = append(b.Row[0], j%planeRows*rowNodes)
	}
	for l := range fieldPlanes + support {
		b.Row[1] = append(b.Row[1], l%fieldPlanes*rowNodes*planeRows)
	}
	firsts := [3]int{rowNodes - support + 1, planeRows, fieldPlanes}
	for axis := range dim {
		b.First[axis] = make([]int32, n)
		b.Weight[axis] = make([]T, n*Stride(support))
		for k := range n {
			b.First[axis][k] = int32(rng.IntN(firsts[axis]))
			switch k {
			case 0:
				b.First[axis][k] = 0
			case 1:
				b.First[axis][k] = int32([]int{rowNodes, planeRows, fieldPlanes}[axis] - support)
			}
			for i := range support {
				b.Weight[axis][k*Stride(support)+i] = T(rng.NormFloat64())
			}
		}
	}
	for k := range n {
		b.Values[k] = T(rng.NormFloat64())
	}
	return b, around
}

var sizes = []int{0, 1, 3, 64}

func TestInterpolationAgreesWithPlainGo(t *testing.T) {
	eachShape(t, testInterpolate[float64], testInterpolate[float32])
}

func testInterpolate[T Float](t *testing.T, support, dim int) {
	rng := rand.New(rand.NewPCG(3, 4))
	fast, plain := best[T](t, support, dim)
	for _, n := range sizes {
		b, _ := randomBatch(rng, support, dim, n, T(math.NaN()))
		got := make([]T, n+2)
		got[0], got[n+1] = 5, 7
		b.Values = got[1:][:n]
		fast.Interpolate(&b)
		want, magnitude := b, b
		want.Values, magnitude.Values = make([]T, n), make([]T, n)
		plain.Interpolate(&want)
		absolute(&magnitude)
		plain.Interpolate(&magnitude)
		for k := range n {
			// Sums of up to 6 terms in each of three directions, in two orders:
			// some units in the last place of the sum of magnitudes.
			bound := 8 * epsilon[T]() * float64(magnitude.Values[k])
			if !(math.Abs(float64(got[1+k]-want.Values[k])) <= bound) {
				t.Fatalf("n = %d: point %d has %v, want %v ± %.1e", n, k, got[1+k], want.Values[k], bound)
			}
		}
		if got[0] != 5 || got[n+1] != 7 {
			t.Fatalf("n = %d: values beyond the points are written", n)
		}
	}
}

// absolute makes the field and all weights of a batch positive, in copies.
func absolute[T Float](b *Batch[T]) {
	positive := func(s []T) []T {
		p := make([]T, len(s))
		for i, v := range s {
			p[i] = T(math.Abs(float64(v)))
		}
		return p
	}
	b.Field = positive(b.Field)
	for axis := range b.Weight {
		b.Weight[axis] = positive(b.Weight[axis])
	}
}

// epsilon is the distance from 1 to the next number.
func epsilon[T Float]() float64 {
	if unsafe.Sizeof(T(0)) == 8 {
		return 0x1p-52
	}
	return 0x1p-23
}

func TestSpreadingIsThatOfPlainGoBitForBit(t *testing.T) {
	eachShape(t, testSpread[float64], testSpread[float32])
}

func testSpread[T Float](t *testing.T, support, dim int) {
	rng := rand.New(rand.NewPCG(5, 6))
	fast, plain := best[T](t, support, dim)
	for _, n := range sizes {
		const edge = 1.25
		b, around := randomBatch[T](rng, support, dim, n, edge)
		want := b
		want.Field = append([]T(nil), b.Field...)
		plain.Spread(&want)
		fast.Spread(&b)
		for i := range b.Field {
			if b.Field[i] != want.Field[i] {
				t.Fatalf("n = %d: node %d has %v, want %v", n, i, b.Field[i], want.Field[i])
			}
		}
		for i, v := range around {
			if inside := i >= 8 && i < len(around)-8; !inside && v != edge {
				t.Fatalf("n = %d: node %d is written, beyond the field", n, i-8)
			}
		}
	}
}

// The definition itself, on one point: the order of products is that of the
// comment of Kernels.Spread.
func TestSpreadingRoundsProductsBeforeTheyAreAdded(t *testing.T) {
	eachShape(t, testRounding[float64], testRounding[float32])
}

func testRounding[T Float](t *testing.T, support, dim int) {
	rng := rand.New(rand.NewPCG(7, 8))
	fast, plain := best[T](t, support, dim)
	for _, k := range []Kernels[T]{fast, plain} {
		b, _ := randomBatch[T](rng, support, dim, 1, 0)
		before := append([]T(nil), b.Field...)
		k.Spread(&b)
		depth := 1
		if dim == 3 {
			depth = support
		}
		for l := range depth {
			for j := range support {
				for i := range support {
					product := b.Weight[0][i] * b.Values[0]
					if dim == 3 {
						product = b.Weight[2][l] * product
					}
					product = b.Weight[1][j] * product
					node := i + b.Row[0][j] + b.Row[1][l]
					if want := before[node] + T(product); b.Field[node] != want {
						t.Fatalf("%s: node %d has %v, want %v", k.Name, node, b.Field[node], want)
					}
				}
			}
		}
	}
}

func TestPointsThatShareNodesAreSpreadOneAfterTheOther(t *testing.T) {
	eachShape(t, testShared[float64], testShared[float32])
}

func testShared[T Float](t *testing.T, support, dim int) {
	fast, plain := best[T](t, support, dim)
	b, _ := randomBatch[T](rand.New(rand.NewPCG(9, 10)), support, dim, 64, 0)
	for axis := range dim {
		clear(b.First[axis])
		for k := range b.First[axis] {
			b.First[axis][k] = int32(k % 2)
		}
	}
	want := b
	want.Field = append([]T(nil), b.Field...)
	plain.Spread(&want)
	fast.Spread(&b)
	for i := range b.Field {
		if b.Field[i] != want.Field[i] {
			t.Fatalf("node %d has %v, want %v", i, b.Field[i], want.Field[i])
		}
	}
}
