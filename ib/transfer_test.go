package ib_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/ib/ibtest"
	"lbmib/internal/parallel"
)

// maker makes transfers of a strategy for the conformance suite.
func maker[T ib.Float](strategy string) ibtest.Maker[T] {
	return func(g ib.Grid, d ib.Delta[T], pool *parallel.Pool) (ib.Transfer[T], error) {
		return ib.NewTransfer(strategy, g, d, pool)
	}
}

func TestEveryStrategyConforms(t *testing.T) {
	for _, strategy := range ib.TransferNames() {
		t.Run(strategy+", f64", func(t *testing.T) { ibtest.Transfer(t, maker[float64](strategy)) })
		t.Run(strategy+", f32", func(t *testing.T) { ibtest.Transfer(t, maker[float32](strategy)) })
	}
}

func TestStrategiesAndGridsThatCannotWorkAreRefused(t *testing.T) {
	plane := ib.Grid{Dim: 2, Size: [3]int{8, 8, 1}}
	change := func(f func(*ib.Grid)) ib.Grid { g := plane; f(&g); return g }
	for _, test := range []struct {
		strategy string
		grid     ib.Grid
		say      string
	}{
		{"fast", plane, "serial, sort-reduce"},
		{"serial", change(func(g *ib.Grid) { g.Dim = 4 }), "4 dimensions"},
		{"serial", change(func(g *ib.Grid) { g.Size[1] = 0 }), "at least 1 node"},
		{"serial", change(func(g *ib.Grid) { g.Size = [3]int{1 << 20, 1 << 20, 1} }), "at most 2147483647"},
		{"serial", change(func(g *ib.Grid) { g.Size[2] = 2 }), "set Size[2] = 1"},
		{"serial", change(func(g *ib.Grid) { g.Size[0] = 3; g.Periodic[0] = true }), "at least 4 nodes"},
		{"serial", change(func(g *ib.Grid) { g.Offset[0] = 1e300 }), "offset along x"},
	} {
		_, err := ib.NewTransfer[float64](test.strategy, test.grid, ib.Peskin4[float64]{}, nil)
		if err == nil || !strings.Contains(err.Error(), test.say) {
			t.Errorf("strategy %q on %+v: error %v, want one that says %q", test.strategy, test.grid, err, test.say)
		}
	}
}

func TestPointErrorSaysWhereWhatBoundAndRemedy(t *testing.T) {
	g := ib.Grid{Dim: 2, Size: [3]int{128, 64, 1}}
	for _, strategy := range ib.TransferNames() {
		transfer, err := ib.NewTransfer[float64](strategy, g, ib.Roma3[float64]{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = transfer.SetPoints([]geometry.Vec{{5, 5}, {5, 5}, {127.2, 10}, {5, 80}})
		want := "ib: marker 2: x = 127.2 needs nodes 126..128 for delta roma3, the grid has 0..127: move the body inwards, enlarge the domain or make the x axis periodic"
		if err == nil || err.Error() != want {
			t.Errorf("%s: error %v\nwant %s", strategy, err, want)
		}
	}
}

// BenchmarkTransfer moves three components between 65536 random points and a
// periodic grid of 128³ nodes; SetPoints moves every point to another cell.
func BenchmarkTransfer(b *testing.B) {
	b.Run("f64", benchmarkTransfer[float64])
	b.Run("f32", benchmarkTransfer[float32])
}

func benchmarkTransfer[T ib.Float](b *testing.B) {
	const side, n, components = 128, 65536, 3
	g := ib.Grid{Dim: 3, Size: [3]int{side, side, side}, Periodic: [3]bool{true, true, true}}
	r := rand.New(rand.NewPCG(3, 4))
	var x [2][]geometry.Vec
	for range n {
		for i := range x {
			x[i] = append(x[i], geometry.Vec{side * r.Float64(), side * r.Float64(), side * r.Float64()})
		}
	}
	field, values := make([][]T, components), make([][]T, components)
	for c := range field {
		field[c], values[c] = make([]T, g.Nodes()), make([]T, n)
		for i := range field[c] {
			field[c][i] = T(i % 7)
		}
	}
	pool := parallel.NewPool(0)
	defer pool.Close()
	for _, delta := range []string{"roma3", "cosine4"} {
		d, err := ib.NewDelta[T](delta)
		if err != nil {
			b.Fatal(err)
		}
		for _, strategy := range []string{"serial", "sort-reduce"} {
			t, err := ib.NewTransfer(strategy, g, d, pool)
			if err == nil {
				err = t.SetPoints(x[0])
			}
			if err != nil {
				b.Fatal(err)
			}
			name := delta + "/" + strategy + "/"
			b.Run(name+"interpolate", func(b *testing.B) {
				for range b.N {
					t.Interpolate(values, field)
				}
			})
			b.Run(name+"spread", func(b *testing.B) {
				for range b.N {
					t.Spread(field, values)
				}
			})
			b.Run(name+"set-points", func(b *testing.B) {
				for i := range b.N {
					if err := t.SetPoints(x[(i+1)%2]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
