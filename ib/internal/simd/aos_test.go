package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// interleaved is a batch whose field and values have more components beside b's: first those of b, then those that are given.
func interleaved[T Float](k Kernels[T], b *Batch[T], fields, values [Components][]T) Batch[T] {
	to := *b
	n := len(b.Field)
	rows := Rows[T]{N: (n + 3) &^ 3, Nodes: make([]T, Components*((n+3)&^3))}
	to.Values = make([]T, Components*b.N)
	for c := range Components {
		rows.Row[c] = append(append([]T(nil), fields[c]...), make([]T, 3)...)
		for i, v := range values[c] {
			to.Values[Components*i+c] = v
		}
	}
	k.Interleave(&rows)
	to.Field = rows.Nodes
	for a := range to.Row {
		to.Row[a] = nil
		for _, at := range b.Row[a] {
			to.Row[a] = append(to.Row[a], Components*at)
		}
	}
	return to
}

// Components beside each other come to the bits that each has in a field of its own.
func TestComponentsBesideEachOtherHaveTheSameBits(t *testing.T) {
	eachShape(t, testBeside[float64], testBeside[float32])
}

func testBeside[T Float](t *testing.T, support, dim int) {
	fast, _ := best[T](t, support, dim)
	if fast.SpreadAoS == nil {
		if dim == 3 && support != 5 && fast.Name != "go" {
			t.Error("there are no loops for components beside each other")
		}
		return
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range sizes {
		b, _ := randomBatch[T](rng, support, dim, n, 0)
		for k := range n { // some planes of each support
			b.From[k] = int32(rng.IntN(support))
			b.To[k] = b.From[k] + int32(rng.IntN(support-int(b.From[k])+1))
		}
		var fields, values [Components][]T
		for c := range Components {
			fields[c], values[c] = make([]T, len(b.Field)), make([]T, n)
			for i := range fields[c] {
				fields[c][i] = T(rng.NormFloat64())
			}
			for k := range n {
				values[c][k] = T(rng.NormFloat64())
			}
		}
		beside := interleaved(fast, &b, fields, values)
		fast.SpreadAoS(&beside)
		for c := range Components {
			b.Field, b.Values = fields[c], values[c]
			fast.Spread(&b)
			for i, v := range b.Field {
				if got := beside.Field[Components*i+c]; got != v {
					t.Fatalf("n = %d: component %d of node %d is %v, spread alone %v", n, c, i, got, v)
				}
			}
		}
		fast.InterpolateAoS(&beside)
		for c := range Components {
			b.Field, b.Values = fields[c], values[c]
			fast.Interpolate(&b)
			for k, v := range b.Values {
				if got := beside.Values[Components*k+c]; got != v {
					t.Fatalf("n = %d: component %d of point %d is %v, interpolated alone %v", n, c, k, got, v)
				}
			}
		}
		rows := Rows[T]{N: len(b.Field) &^ 3, Nodes: beside.Field}
		for c := range rows.Row {
			rows.Row[c] = make([]T, rows.N)
		}
		fast.Separate(&rows)
		for c := range Components {
			for i, v := range rows.Row[c] {
				if v != fields[c][i] {
					t.Fatalf("component %d of node %d came apart as %v, was %v", c, i, v, fields[c][i])
				}
			}
		}
	}
}

// BenchmarkBeside is the loops for components beside each other, for a point, and those that bring them there, for a node: compare BenchmarkInterpolate and
// BenchmarkSpread, of one component.
func BenchmarkBeside(b *testing.B) {
	benchmarkBeside[float64](b)
	benchmarkBeside[float32](b)
}

func benchmarkBeside[T Float](b *testing.B) {
	var zero T
	for _, size := range []struct {
		name     string
		nodes, n int
	}{{"L1", 8, 64}, {"128", 128, 1 << 16}} {
		for _, support := range []int{2, 3, 4, 6} {
			k, err := For("auto", "hat2", uniform[T](support), support, 3)
			if err != nil || k.SpreadAoS == nil {
				b.Skip("no such loops here", err)
			}
			p := newProblem(k, support, size.nodes, size.n, Components)
			values := [Components][]T{}
			for i := range p.batches {
				at := &p.batches[i]
				for c := range values {
					values[c] = make([]T, at.N)
				}
				if i == 0 {
					at.Field = p.fields[0]
					*at = interleaved(k, at, [Components][]T(p.fields), values)
					continue
				}
				at.Field, at.Row, at.Values = p.batches[0].Field, p.batches[0].Row, make([]T, Components*at.N)
			}
			for name, loop := range map[string]func(*Batch[T]){"interpolate": k.InterpolateAoS, "spread": k.SpreadAoS} {
				b.Run(fmt.Sprintf("%T/%s/%d/%s", zero, size.name, support, name), func(b *testing.B) {
					for b.Loop() {
						for i := range p.batches {
							loop(&p.batches[i])
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size.n), "ns/point")
				})
			}
		}
		k, _ := For("auto", "hat2", uniform[T](3), 3, 3)
		rows := Rows[T]{N: size.nodes * size.nodes, Nodes: make([]T, Components*size.nodes*size.nodes)}
		for c := range rows.Row {
			rows.Row[c] = make([]T, rows.N)
		}
		for name, loop := range map[string]func(*Rows[T]){"interleave": k.Interleave, "separate": k.Separate} {
			b.Run(fmt.Sprintf("%T/%s/%s", zero, size.name, name), func(b *testing.B) {
				for b.Loop() {
					loop(&rows)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows.N), "ns/node")
			})
		}
	}
}
