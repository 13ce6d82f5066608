package ib

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// sweepStrategies are those that do one set of columns or cells after the other.
var sweepStrategies = []string{"columns", "columns-pruned", "cells"}

// nodesTouched are the nodes along an axis that loops touch for a point at x, also those
// that get nothing, and the cell of the point.
func nodesTouched(t *testing.T, f *frame[float64], axis int, x float64) (nodes map[int]bool, cell int) {
	t.Helper()
	b := &f.workers[0].batch
	p := geometry.Vec{5, 5, 5}
	p[axis] = x
	var at [3][]float64
	f.resize(&at, 1)
	if f.local(&at, 0, []geometry.Vec{p}, nil) >= 0 {
		t.Fatalf("%v has no place", p)
	}
	b.place(&at, 0, 1)
	nodes = map[int]bool{}
	size := f.sites[0].grid.Size[axis]
	for i := range f.support {
		nodes[(int(b.axis[axis][0].first[0])+i)%size] = true
		if axis == 0 && b.rest[0].n > 0 {
			nodes[i] = true
		}
	}
	o := newOrder(f, &f.sites[0], 1, func(int, int) uint64 { return 0 })
	return nodes, o.cell(axis, at[axis][0])
}

// Adding nothing to a node is writing to it: also nodes that are touched with
// weights of zero, near walls and at the ends of periodic rows, must be different.
func TestCellsOfAColourTouchDifferentNodes(t *testing.T) {
	for _, delta := range []string{"hat2", "roma3", "cosine4", "ib6"} {
		d, err := NewDelta[float64](delta)
		if err != nil {
			t.Fatal(err)
		}
		s := d.Support()
		for size := s; size <= 5*s+2; size++ {
			for axis := range 3 {
				for _, periodic := range []bool{true, false} {
					g := Grid{Dim: 3, Size: [3]int{12, 12, 12}, Staggering: [3]float64{0.25, 0.25, 0.25}}
					g.Size[axis], g.Periodic[axis] = size, periodic
					f, err := newFrame([]Grid{g}, d, nil, "go")
					if err != nil {
						t.Fatal(err)
					}
					name := fmt.Sprintf("%s, %d nodes along %s, periodic %v", delta, size, axisName[axis], periodic)
					differentNodes(t, f, axis, name)
				}
			}
		}
	}
}

func differentNodes(t *testing.T, f *frame[float64], axis int, name string) {
	c := f.colour(&f.sites[0], axis)
	nodes := make([]map[int]bool, len(c.cell))
	for x := -float64(2 * f.support); x < float64(f.sites[0].grid.Size[axis]+2*f.support); x += 0.5 {
		at, cell := nodesTouched(t, f, axis, x)
		nodes[cell] = at
	}
	for i, p := range c.cell {
		if nodes[i] == nil {
			t.Fatalf("%s: no point is in cell %d of %d", name, i, len(c.cell))
		}
		if p.colour < 0 || p.colour >= c.colours || p.place < 0 || p.place >= c.places {
			t.Fatalf("%s: cell %d has colour %d of %d and place %d of %d", name, i, p.colour, c.colours, p.place, c.places)
		}
		for j, q := range c.cell[:i] {
			if p.colour != q.colour || p.place == q.place {
				continue
			}
			for n := range nodes[i] {
				if nodes[j][n] {
					t.Errorf("%s: cells %d and %d are of colour %d and touch node %d", name, j, i, p.colour, n)
				}
			}
		}
	}
}

func TestThereAreAsManySweepsAsTheSupportHasColumnsOrCells(t *testing.T) {
	d := Cosine4[float64]{}
	for _, test := range []struct {
		size           [3]int
		periodic       bool
		columns, cells int
	}{
		{[3]int{128, 128, 128}, true, 16, 80}, // rows that wrap take a fifth colour along x
		{[3]int{128, 128, 128}, false, 16, 64},
		{[3]int{17, 19, 21}, false, 16, 64},
		{[3]int{16, 17, 18}, true, 25, 125}, // 17 = 4+4+4+5, 18 = 4+4+5+5
		{[3]int{4, 4, 4}, true, 16, 16},     // along x there is one place for loops to begin
		{[3]int{16, 7, 4}, true, 28, 140},   // 7 cannot be divided
	} {
		g := Grid{Dim: 3, Size: test.size, Periodic: [3]bool{test.periodic, test.periodic, test.periodic}}
		f, err := newFrame([]Grid{g}, d, nil, "go")
		if err != nil {
			t.Fatal(err)
		}
		if n := newSweeps(f, 0, 1).count; n != test.columns {
			t.Errorf("%v, periodic %v: %d sets of columns, want %d", test.size, test.periodic, n, test.columns)
		}
		if n := newSweeps(f, 0, 0).count; n != test.cells {
			t.Errorf("%v, periodic %v: %d sets of cells, want %d", test.size, test.periodic, n, test.cells)
		}
	}
}

func TestMoreColumnsThanListsCanHaveAreRefused(t *testing.T) {
	g := Grid{Dim: 3, Size: [3]int{4, 1 << 16, 1 << 16}}
	_, err := NewTransfer("columns", g, Cosine4[float64]{}, nil)
	if err == nil || !strings.Contains(err.Error(), "at most 2147483647: use columns-pruned") {
		t.Errorf("error %v, want one that says how many lists there can be, and what to use", err)
	}
	if _, err := NewTransfer("columns-pruned", g, Cosine4[float64]{}, nil); err != nil {
		t.Errorf("columns-pruned: %v", err)
	}
}

// Sweeps are free of conflicts only if points are spread where their cells say.
func TestCellsBeginWhereWeightsDo(t *testing.T) {
	for _, name := range DeltaNames() {
		d, err := NewDelta[float32](name)
		if err != nil {
			t.Fatal(err)
		}
		for _, kernel := range []string{"auto", "go"} {
			g := Grid{Dim: 2, Size: [3]int{9, 9, 1}, Periodic: [3]bool{true, false}, Staggering: [3]float64{0.1, 0.1}}
			f, err := newFrame([]Grid{g}, d, nil, kernel)
			if err != nil {
				t.Fatal(err)
			}
			o := newOrder(f, &f.sites[0], 1, func(int, int) uint64 { return 0 })
			var x [3][]float64
			f.resize(&x, batchSize)
			b := &f.workers[0].batch
			for i := range batchSize / 4 { // nodes, the middles between them, and what is next to these
				at := 0.1 + float64(i)/2
				for j, v := range []float64{at, math.Nextafter(at, 0), math.Nextafter(at, 10), float64(i) / 2} {
					if f.local(&x, 4*i+j, []geometry.Vec{{v, v}}, nil) >= 0 {
						t.Fatalf("%v has no place", v)
					}
				}
			}
			b.place(&x, 0, batchSize)
			last := int32(g.Size[0] - d.Support())
			for k := range batchSize {
				cx, cy := int32(o.cell(0, x[0][k])), int32(o.cell(1, x[1][k])-o.low[1])
				if fx, fy := b.axis[0][0].first[k], b.axis[1][0].first[k]; fx != min(cx, last) || fy != min(max(cy, 0), last) {
					t.Errorf("%s, %s: a point at %v has its support at %d, %d and its cell at %d, %d", name, kernel, x[0][k], fx, fy, cx, cy)
				}
			}
		}
	}
}

// moves brings n points into a shape, and a few of them on.
type moves struct {
	name string
	next func(r *rand.Rand, x []geometry.Vec, size [3]int)
}

var someMoves = []moves{
	{"anywhere", func(r *rand.Rand, x []geometry.Vec, size [3]int) {
		for k := range x {
			for a := range 3 {
				x[k][a] = (1.4*r.Float64() - 0.2) * float64(size[a])
			}
		}
	}},
	{"none moves", func(*rand.Rand, []geometry.Vec, [3]int) {}},
	{"one moves", func(_ *rand.Rand, x []geometry.Vec, _ [3]int) { x[len(x)/2][1] += 3 }},
	{"some move", func(r *rand.Rand, x []geometry.Vec, _ [3]int) {
		for k := range x {
			x[k][1+k%2] += 0.1 * r.Float64()
		}
	}},
	{"all in one column", func(r *rand.Rand, x []geometry.Vec, size [3]int) {
		for k := range x {
			x[k] = geometry.Vec{r.Float64() * float64(size[0]), 2.1 + 0.3*r.Float64(), 3.6}
		}
	}},
	{"one leaves the others", func(_ *rand.Rand, x []geometry.Vec, _ [3]int) { x[len(x)-1][1] += 2 }},
	{"in a plane", func(r *rand.Rand, x []geometry.Vec, size [3]int) {
		for k := range x {
			x[k] = geometry.Vec{r.Float64() * float64(size[0]), r.Float64() * float64(size[1]), 3.6}
		}
	}},
}

type sweepGrid struct {
	name   string
	delta  string
	kernel string // go: the race detector sees what it writes
	grids  []Grid
}

// sweepGrids are as short as can be, of awkward lengths, staggered and not.
func sweepGrids() []sweepGrid {
	all := [3]bool{true, true, true}
	return []sweepGrid{
		{"periodic", "cosine4", "auto", MAC(Grid{Dim: 3, Size: [3]int{13, 10, 11}, Periodic: all, Spacing: 0.5})},
		{"bounded", "roma3", "go", MAC(Grid{Dim: 3, Size: [3]int{9, 14, 6}})},
		{"bounded, as long as the support", "ib6", "auto", []Grid{{Dim: 2, Size: [3]int{6, 6, 1}}}},
		{"channel", "hat2", "go", MAC(Grid{Dim: 3, Size: [3]int{12, 7, 8}, Periodic: [3]bool{true, false, true}, Offset: [3]float64{1, -2, 0.3}})},
		{"2D, periodic", "roma3", "go", MAC(Grid{Dim: 2, Size: [3]int{17, 19, 1}, Periodic: all})},
		{"periodic and short", "ib6", "auto", []Grid{{Dim: 3, Size: [3]int{7, 6, 9}, Periodic: all}}},
	}
}

// transferOn is a transfer on a grid of the list.
func transferOn[T Float](t *testing.T, strategy string, s *sweepGrid, pool *parallel.Pool) Transfer[T] {
	t.Helper()
	d, err := NewDelta[T](s.delta)
	if err != nil {
		t.Fatal(err)
	}
	transfer, err := NewStaggered(strategy, s.grids, d, pool, Kernel(s.kernel))
	if err != nil {
		t.Fatal(err)
	}
	return transfer
}

func TestSweepsAgreeWithSerialWhateverTheWorkersAndTheWayThere(t *testing.T) {
	pools := []*parallel.Pool{nil}
	for _, n := range []int{2, 5} {
		p := parallel.NewPool(n)
		defer p.Close()
		pools = append(pools, p)
	}
	for _, s := range sweepGrids() {
		t.Run(s.name+", f64", func(t *testing.T) { sweepsAgree[float64](t, &s, pools, 1e-13) })
	}
	s := sweepGrids()[0]
	t.Run(s.name+", f32", func(t *testing.T) { sweepsAgree[float32](t, &s, pools, 5e-6) })
}

// sweepsAgree moves points and compares with serial, within a tolerance of some
// roundings, and with a fresh transfer and those of the pools to the bit.
func sweepsAgree[T Float](t *testing.T, s *sweepGrid, pools []*parallel.Pool, tolerance float64) {
	for _, strategy := range sweepStrategies {
		r := rand.New(rand.NewPCG(5, 6))
		x := make([]geometry.Vec, 1000) // enough to wake the workers where they are in a plane or a column
		var kept []Transfer[T]
		for _, pool := range pools {
			kept = append(kept, transferOn[T](t, strategy, s, pool))
		}
		for _, m := range someMoves {
			m.next(r, x, s.grids[0].Size)
			what := strategy + ", " + m.name
			want := used(t, transferOn[T](t, "serial", s, nil), s.grids, x)
			fresh := used(t, transferOn[T](t, strategy, s, nil), s.grids, x)
			nearlyEqual(t, what, fresh, want, tolerance)
			for i, transfer := range kept {
				equal(t, fmt.Sprintf("%s, pool %d", what, i), used(t, transfer, s.grids, x), fresh)
			}
		}
	}
}

func rowsOf[E any](rows, n int) [][]E {
	s := make([][]E, rows)
	for i := range s {
		s[i] = make([]E, n)
	}
	return s
}

// used is what a transfer spreads to fields and interpolates from them.
func used[T Float](t *testing.T, transfer Transfer[T], grids []Grid, x []geometry.Vec) [][]T {
	t.Helper()
	if err := transfer.SetPoints(x); err != nil {
		t.Fatal(err)
	}
	components := max(2, len(grids)) // two on the same grid, or one on each
	values, results := rowsOf[T](components, len(x)), rowsOf[T](components, len(x))
	var fields [][]T
	for c := range components {
		fields = append(fields, make([]T, grids[c%len(grids)].Nodes()))
		for k := range values[c] {
			values[c][k] = T(math.Sin(float64(7*k + c)))
		}
	}
	transfer.Spread(fields, values)
	transfer.Interpolate(results, fields)
	return append(fields, results...)
}

func equal[T Float](t *testing.T, what string, got, want [][]T) {
	t.Helper()
	for c := range want {
		for i := range want[c] {
			if got[c][i] != want[c][i] {
				t.Fatalf("%s: list %d, element %d is %v, want %v to the bit", what, c, i, got[c][i], want[c][i])
			}
		}
	}
}

func nearlyEqual[T Float](t *testing.T, what string, got, want [][]T, tolerance float64) {
	t.Helper()
	for c := range want {
		scale := 0.0
		for _, v := range want[c] {
			scale = max(scale, math.Abs(float64(v)))
		}
		for i := range want[c] {
			if !(math.Abs(float64(got[c][i]-want[c][i])) <= tolerance*(1+scale)) {
				t.Fatalf("%s: list %d, element %d is %v, want %v", what, c, i, got[c][i], want[c][i])
			}
		}
	}
}
