package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// What the loops are tested on: all supports, dimensions and precisions.
func eachShape(t *testing.T, f64 func(t *testing.T, support, dim int), f32 func(t *testing.T, support, dim int)) {
	for _, dim := range []int{2, 3} {
		for _, support := range []int{2, 3, 4, 5, 6} { // 5: plain Go always
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
	b = Batch[T]{N: n, Field: around[8:][:nodes:nodes], Values: make([]T, n), From: eachPlane(n, 0), To: eachPlane(n, support)}
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

// eachPlane is l for n points.
func eachPlane(n, l int) []int32 { return slices.Repeat([]int32{int32(l)}, n) }

var sizes = []int{0, 1, 3, 64}

func TestInterpolationIsTheWeightedSumOverTheSupport(t *testing.T) {
	eachShape(t, testInterpolate[float64], testInterpolate[float32])
}

func testInterpolate[T Float](t *testing.T, support, dim int) {
	rng := rand.New(rand.NewPCG(3, 4))
	fast, plain := best[T](t, support, dim)
	for _, n := range sizes {
		b, _ := randomBatch(rng, support, dim, n, T(math.NaN()))
		got := make([]T, n+2)
		b.Values = got[1:][:n]
		for _, loops := range []Kernels[T]{fast, plain} {
			for i := range got {
				got[i] = T(math.Inf(1))
			}
			loops.Interpolate(&b)
			for k := range n {
				want, magnitude := weightedSum(&b, support, dim, k)
				// Sums of up to 6 products in each of three directions: some
				// units in the last place of the sum of magnitudes.
				bound := 12 * epsilon[T]() * magnitude
				if !(math.Abs(float64(b.Values[k])-want) <= bound) {
					t.Fatalf("%s, n = %d: point %d has %v, want %v ± %.1e", loops.Name, n, k, b.Values[k], want, bound)
				}
			}
			if !math.IsInf(float64(got[0]), 1) || !math.IsInf(float64(got[n+1]), 1) {
				t.Fatalf("%s, n = %d: values beyond the points are written", loops.Name, n)
			}
		}
	}
}

// weightedSum is weight · Field over the support of point k, in float64, and the
// sum of the terms' magnitudes.
func weightedSum[T Float](b *Batch[T], support, dim, k int) (sum, magnitude float64) {
	eachNode(b, support, dim, k, func(node int, w [3]T) {
		term := float64(w[0]) * float64(w[1]) * float64(w[2]) * float64(b.Field[node])
		sum += term
		magnitude += math.Abs(term)
	})
	return sum, magnitude
}

// eachNode calls f with every node of the support of point k and its weights along
// the axes; that along the third is 1 in 2D.
func eachNode[T Float](b *Batch[T], support, dim, k int, f func(node int, w [3]T)) {
	depth, plane, w := 1, 0, [3]T{1, 1, 1}
	if dim == 3 {
		depth = support
	}
	at := k * Stride(support)
	for l := range depth {
		if dim == 3 {
			plane, w[2] = b.Row[1][int(b.First[2][k])+l], b.Weight[2][at+l]
		}
		for j := range support {
			row := b.Row[0][int(b.First[1][k])+j]
			w[1] = b.Weight[1][at+j]
			for i := range support {
				w[0] = b.Weight[0][at+i]
				f(int(b.First[0][k])+i+row+plane, w)
			}
		}
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

// The order of the products is that of the comment of Kernels.Spread.
func TestSpreadingRoundsProductsBeforeTheyAreAdded(t *testing.T) {
	eachShape(t, testRounding[float64], testRounding[float32])
}

func testRounding[T Float](t *testing.T, support, dim int) {
	rng := rand.New(rand.NewPCG(7, 8))
	fast, plain := best[T](t, support, dim)
	for _, loops := range []Kernels[T]{fast, plain} {
		b, _ := randomBatch[T](rng, support, dim, 1, 0)
		before := append([]T(nil), b.Field...)
		loops.Spread(&b)
		eachNode(&b, support, dim, 0, func(node int, w [3]T) {
			product := T(w[0] * b.Values[0])
			product = T(w[2] * product)
			product = T(w[1] * product)
			if want := before[node] + product; b.Field[node] != want {
				t.Fatalf("%s: node %d has %v, want %v", loops.Name, node, b.Field[node], want)
			}
		})
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

// Some planes of the supports and then the others: what plain Go does bit for bit,
// and what all planes at once come to.
func TestSpreadingByPlanesIsSpreading(t *testing.T) {
	eachShape(t, testPlanes[float64], testPlanes[float32])
}

func testPlanes[T Float](t *testing.T, support, dim int) {
	if dim == 2 {
		return // has one plane
	}
	rng := rand.New(rand.NewPCG(5, 6))
	fast, plain := best[T](t, support, dim)
	b, _ := randomBatch(rng, support, dim, 40, T(math.NaN()))
	start := slices.Clone(b.Field)
	spread := func(loops Kernels[T], from, to int) []T {
		b.From, b.To = eachPlane(b.N, from), eachPlane(b.N, to)
		loops.Spread(&b)
		return slices.Clone(b.Field)
	}
	all := spread(plain, 0, support)
	for at := range support + 1 {
		copy(b.Field, start)
		first := spread(plain, 0, at)
		both := spread(plain, at, support)
		copy(b.Field, start)
		if !slices.Equal(spread(fast, 0, at), first) || !slices.Equal(spread(fast, at, support), both) {
			t.Fatalf("planes to %d, then the others: %s and %s differ", at, fast.Name, plain.Name)
		}
		if at == 0 && !slices.Equal(first, start) {
			t.Fatal("no planes change the field")
		}
		for i := range all {
			// A node takes up to 40 terms of about 1, in another order.
			if math.Abs(float64(both[i]-all[i])) > 400*epsilon[T]() {
				t.Fatalf("planes to %d, then the others: node %d has %v, all at once %v", at, i, both[i], all[i])
			}
		}
	}
}
