package ib

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// bufferedGrids are odd, as short as any support, collocated and staggered, with
// every mix of walls and periodic faces.
func bufferedGrids() (list [][]Grid) {
	for i, size := range [][3]int{{6, 7, 1}, {9, 6, 1}, {6, 8, 7}, {11, 6, 9}} {
		for wraps := range 8 {
			g := Grid{Dim: 2 + i/2, Size: size, Offset: [3]float64{0.3, -1, 2}, Spacing: 0.5}
			g.Periodic = [3]bool{wraps&1 != 0, wraps&2 != 0, wraps&4 != 0}
			list = append(list, []Grid{g}, MAC(g))
		}
	}
	return list
}

// aroundGrid is n points in and around a grid: on nodes, just below the middle between
// two, many in one cell, and anywhere.
func aroundGrid(r *rand.Rand, g Grid, n int) []geometry.Vec {
	x := make([]geometry.Vec, n)
	for k := range x {
		for a := range g.Dim {
			i := -8 + (float64(g.Size[a])+16)*r.Float64()
			switch k % 4 {
			case 0:
				i = math.Floor(i)
			case 1:
				i = math.Nextafter(math.Floor(i)+0.5, -9)
			case 2:
				i = 3 + r.Float64()
			}
			x[k][a] = g.Offset[a] + g.spacing()*i
		}
	}
	return x
}

// spreadTwice is what a strategy spreads of the values at x, two times over: the
// second finds what the first has left.
func spreadTwice[T Float](t *testing.T, strategy string, grids []Grid, d Delta[T], pool *parallel.Pool, x []geometry.Vec, values [][]T) [][]T {
	t.Helper()
	transfer, err := NewStaggered(strategy, grids, d, pool)
	if err == nil {
		err = transfer.SetPoints(x)
	}
	if err != nil {
		t.Fatalf("%s: %v", strategy, err)
	}
	var field [][]T
	for c := range values {
		field = append(field, make([]T, grids[min(c, len(grids)-1)].Nodes()))
	}
	transfer.Spread(field, values)
	transfer.Spread(field, values)
	return field
}

func TestBuffersGiveWhatSerialSpreadsAndTheSameBitsForAnyWorkers(t *testing.T) {
	t.Run("f64", func(t *testing.T) { testBuffers[float64](t, 1e-14) })
	t.Run("f32", func(t *testing.T) { testBuffers[float32](t, 1e-5) })
}

// A node's sum has a few hundred terms of at most tolerance/20 of error each, and
// they are as large as the largest sum.
func testBuffers[T Float](t *testing.T, tolerance float64) {
	r := rand.New(rand.NewPCG(1, 2))
	pool := parallel.NewPool(3)
	defer pool.Close()
	deltas := DeltaNames()
	for i, grids := range bufferedGrids() {
		d, err := NewDelta[T](deltas[i%len(deltas)])
		if err != nil {
			t.Fatal(err)
		}
		n := []int{0, 1, 63, 64, 65, 600, 1100}[i%7] // one cell goes over many batches
		x, values := aroundGrid(r, grids[0], n), make([][]T, grids[0].Dim)
		for c := range values {
			for range n {
				values[c] = append(values[c], T(2*r.Float64()-1))
			}
		}
		want := spreadTwice(t, "serial", grids, d, nil, x, values)
		scale := 1.
		for c := range want {
			for _, v := range want[c] {
				scale = max(scale, math.Abs(float64(v)))
			}
		}
		kept := spreadTwice(t, "buffered", grids, d, nil, x, values)
		for c := range want {
			for node, v := range kept[c] {
				if !(math.Abs(float64(v-want[c][node])) <= tolerance*scale) {
					t.Fatalf("%s, %d points, %+v: component %d, node %d is %v, serial gives %v", d.Name(), n, grids[0], c, node, v, want[c][node])
				}
			}
		}
		for _, strategy := range []string{"buffered", "buffered-otf"} {
			for c, got := range spreadTwice(t, strategy, grids, d, pool, x, values) {
				if !slices.Equal(got, kept[c]) {
					t.Fatalf("%s, %s, %d points, %+v: component %d of three workers has other bits than that of one with kept buffers", strategy, d.Name(), n, grids[0], c)
				}
			}
		}
	}
}

// What is not finite must not be left in a buffer.
func TestBuffersForgetValuesThatAreNotFinite(t *testing.T) {
	g := Grid{Dim: 2, Size: [3]int{8, 8, 1}, Periodic: [3]bool{false, true}}
	transfer, err := NewTransfer[float64]("buffered", g, Peskin4[float64]{}, nil)
	if err == nil {
		err = transfer.SetPoints([]geometry.Vec{{-1.5, 7.5}, {7.9, 3}})
	}
	if err != nil {
		t.Fatal(err)
	}
	field := [][]float64{make([]float64, 64)}
	transfer.Spread(field, [][]float64{{math.NaN(), math.Inf(1)}})
	clear(field[0])
	transfer.Spread(field, [][]float64{{1, 1}})
	if slices.ContainsFunc(field[0], func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		t.Errorf("finite values give %v after others that were not", field[0])
	}
}

func TestBuffersAllocateNothingAfterTheFirstCall(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	g := Grid{Dim: 3, Size: [3]int{32, 33, 34}, Periodic: [3]bool{true, true, true}}
	x := [2][]geometry.Vec{aroundGrid(rand.New(rand.NewPCG(1, 2)), g, 1000), aroundGrid(rand.New(rand.NewPCG(3, 4)), g, 1000)}
	field, values := make([][]float64, 3), make([][]float64, 3)
	for c := range field {
		field[c], values[c] = make([]float64, g.Nodes()), make([]float64, 1000)
	}
	for _, strategy := range []string{"buffered", "buffered-otf"} {
		transfer, err := NewStaggered[float64](strategy, MAC(g), Cosine4[float64]{}, pool)
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		if n := testing.AllocsPerRun(6, func() {
			if err := transfer.SetPoints(x[i%2]); err != nil {
				t.Fatal(err)
			}
			transfer.Spread(field, values)
			i++
		}); n != 0 {
			t.Errorf("%s: %v allocations per call, want none", strategy, n)
		}
	}
}

// Cells of a site have their own keys; the values of a sweep are whole rows of
// shifts, at most ten, and have a vector each.
func TestEveryShiftOfASweepHasAVector(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		for _, want := range []struct {
			d     Delta[float64]
			count [2]int // in 2D, 3D
		}{{Hat2[float64]{}, [2]int{4, 8}}, {Roma3[float64]{}, [2]int{9, 9}}, {Peskin4[float64]{}, [2]int{8, 8}}, {IB6[float64]{}, [2]int{6, 6}}} {
			g := Grid{Dim: dim, Size: [3]int{9, 9, 9}}
			if dim == 2 {
				g.Size[2] = 1
			}
			f, err := newFrame([]Grid{g}, want.d, nil, "")
			if err != nil {
				t.Fatal(err)
			}
			v, err := newVectors(f, &f.sites[0])
			if err != nil {
				t.Fatal(err)
			}
			if v.count != want.count[dim-2] || v.shifts%v.rows != 0 {
				t.Errorf("%s in %dD: sweeps of %d of %d rows of shifts, %d vectors, want %d vectors and no part of a sweep left over",
					want.d.Name(), dim, v.rows, v.shifts, v.count, want.count[dim-2])
			}
		}
	}
}

func TestBuffersThatTheMachineHasNoMemoryForAreRefused(t *testing.T) {
	g := Grid{Dim: 3, Size: [3]int{1 << 15, 1 << 15, 1 << 12}, Periodic: [3]bool{true, true, true}} // 256 TiB of vectors
	for _, strategy := range []string{"buffered", "buffered-otf"} {
		_, err := NewTransfer[float64](strategy, g, Peskin4[float64]{}, nil)
		if err == nil || !strings.Contains(err.Error(), "8 output vectors of 32768 × 32768 × 4096 nodes") || !strings.Contains(err.Error(), "use sort-reduce") {
			t.Errorf("%s: error %v, want one that says what is too large and what to do", strategy, err)
		}
	}
}
