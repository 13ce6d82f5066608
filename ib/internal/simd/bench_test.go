package simd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// problem is random points coupled with a periodic grid, in batches as package
// ib makes them: in the order of their nodes.
type problem[T Float] struct {
	fields  [][]T
	axes    [3]Axis[T]
	batches []Batch[T]
	points  int
}

const batchSize = 64

// newProblem couples n points with a cube of nodes nodes an axis, where no
// support wraps along x.
func newProblem[T Float](k Kernels[T], support, nodes, n, fields int) *problem[T] {
	rng := rand.New(rand.NewPCG(1, 2))
	p := &problem[T]{points: n}
	var row [2][]int
	for j := range nodes + support {
		row[0] = append(row[0], j%nodes*nodes)
		row[1] = append(row[1], j%nodes*nodes*nodes)
	}
	for range fields {
		f := make([]T, nodes*nodes*nodes)
		for i := range f {
			f[i] = T(rng.Float64())
		}
		p.fields = append(p.fields, f)
	}
	x := make([][3]float64, n)
	for i := range x {
		for d := range x[i] {
			x[i][d] = rng.Float64() * float64(nodes)
		}
		x[i][0] = min(max(x[i][0], MaxSupport/2), float64(nodes-MaxSupport/2-1))
	}
	slices.SortFunc(x, func(a, b [3]float64) int {
		for d := 2; d >= 0; d-- {
			if i, j := int(a[d]), int(b[d]); i != j {
				return i - j
			}
		}
		return 0
	})
	for len(x) > 0 {
		m := min(len(x), batchSize)
		b := Batch[T]{N: m, Values: make([]T, m), Row: row, From: eachPlane(m, 0), To: eachPlane(m, support)}
		for d := range 3 {
			a := Axis[T]{N: m, Period: nodes, Last: nodes, X: make([]float64, Room(m)), First: make([]int32, Room(m)), Weight: make([]T, Room(m)*Stride(support))}
			for i := range m {
				a.X[i] = x[i][d]
			}
			k.Weights(&a)
			b.First[d], b.Weight[d] = a.First, a.Weight
			p.axes[d] = a
		}
		p.batches = append(p.batches, b)
		x = x[m:]
	}
	return p
}

func benchmarkRows[T Float](b *testing.B, op func(Kernels[T]) func(*Batch[T])) {
	var zero T
	for _, size := range []struct {
		name             string
		nodes, n, fields int
	}{{"L1", 8, 64, 1}, {"128", 128, 1 << 16, 3}} {
		for _, support := range []int{2, 3, 4, 6} {
			for _, kernel := range []string{"auto", "go"} {
				b.Run(fmt.Sprintf("%T/%s/%d/%s", zero, size.name, support, kernel), func(b *testing.B) {
					k, err := For(kernel, "hat2", uniform[T](support), support, 3)
					if err != nil {
						b.Fatal(err)
					}
					p := newProblem(k, support, size.nodes, size.n, size.fields)
					loop := op(k)
					for b.Loop() {
						for i := range p.batches {
							for _, f := range p.fields {
								p.batches[i].Field = f
								loop(&p.batches[i])
							}
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size.n*size.fields), "ns/point")
				})
			}
		}
	}
}

// uniform weighs all nodes of a support alike.
func uniform[T Float](support int) func(w *[MaxSupport]T, x float64) int {
	return func(w *[MaxSupport]T, x float64) int {
		for i := range support {
			w[i] = 1 / T(support)
		}
		return int(x) - support/2 + 1
	}
}

func BenchmarkInterpolate(b *testing.B) {
	benchmarkRows(b, func(k Kernels[float64]) func(*Batch[float64]) { return k.Interpolate })
	benchmarkRows(b, func(k Kernels[float32]) func(*Batch[float32]) { return k.Interpolate })
}

func BenchmarkSpread(b *testing.B) {
	benchmarkRows(b, func(k Kernels[float64]) func(*Batch[float64]) { return k.Spread })
	benchmarkRows(b, func(k Kernels[float32]) func(*Batch[float32]) { return k.Spread })
}
