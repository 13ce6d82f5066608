package ib_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/ib/ibtest"
	"lbmib/internal/parallel"
)

// toRounding are the strategies that leave the order of sums to chance.
var toRounding = []string{"atomic"}

func TestEveryStrategyConforms(t *testing.T) {
	for _, strategy := range ib.TransferNames() {
		t.Run(strategy+", f64", func(t *testing.T) { conform[float64](t, strategy) })
		if !testing.Short() { // the goroutines are the same
			t.Run(strategy+", f32", func(t *testing.T) { conform[float32](t, strategy) })
		}
	}
}

func conform[T ib.Float](t *testing.T, strategy string) {
	var options []ibtest.Option
	if slices.Contains(toRounding, strategy) {
		options = append(options, ibtest.ToRounding())
	}
	ibtest.Transfer(t, func(grids []ib.Grid, d ib.Delta[T], pool *parallel.Pool) (ib.Transfer[T], error) {
		return ib.NewStaggered(strategy, grids, d, pool)
	}, options...)
}

// Whatever a user may come up with: any strategy and loops, delta, box, staggering,
// number of components, points and workers, in either precision.
func TestRandomTransfersAgreeWithTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 300 {
		// The weights of a term are rounded three times each, and so are sums.
		if i%2 == 0 {
			tryRandom[float64](t, r, 1e-13)
		} else {
			tryRandom[float32](t, r, 2e-6)
		}
	}
}

func tryRandom[T ib.Float](t *testing.T, r *rand.Rand, tolerance float64) {
	t.Helper()
	names := [2][]string{ib.DeltaNames(), ib.TransferNames()}
	delta, strategy := names[0][r.IntN(len(names[0]))], names[1][r.IntN(len(names[1]))]
	kernel := []string{"auto", "go"}[r.IntN(2)]
	workers := 1 + r.IntN(5)
	d, err := ib.NewDelta[T](delta)
	if err != nil {
		t.Fatal(err)
	}
	grids, components := randomGrids(r, d.Support())
	x := randomPoints(r, grids, d.Support())
	var zero T
	what := fmt.Sprintf("%s, %s, %s loops, %T, %d workers, %d components, %d points, grids %+v", strategy, delta, kernel, zero, workers, components, len(x), grids)

	pool := parallel.NewPool(workers)
	defer pool.Close()
	transfer, err := ib.NewStaggered(strategy, grids, d, pool, ib.Kernel(kernel))
	if err == nil {
		err = transfer.SetPoints(x)
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	field, force, values := make([][]T, components), make([][]T, components), make([][]T, components)
	for c := range field {
		field[c] = random[T](r, grids[c%len(grids)].Nodes())
		force[c], values[c] = random[T](r, len(x)), make([]T, len(x))
	}
	want, size := ibtest.Interpolate(grids, d, x, field)
	transfer.Interpolate(values, field)
	compare(t, what+": interpolation", values, want, size, tolerance)
	density := math.Pow(grids[0].Spacing, -float64(grids[0].Dim))
	want, size = ibtest.Spread(grids, d, x, field, force)
	transfer.Spread(field, force)
	compare(t, what+": spreading", field, want, size, tolerance*max(1, density))
}

// compare fails the test unless a is the same as want to rounding relative to the
// terms' size, or to that of a weight of one.
func compare[T ib.Float](t *testing.T, what string, a [][]T, want, size [][]float64, tolerance float64) {
	t.Helper()
	for c := range a {
		for i, v := range a[c] {
			if off := math.Abs(float64(v) - want[c][i]); !(off <= tolerance*max(size[c][i], 1)) {
				t.Fatalf("%s: component %d, element %d is %v, off %v by %.1e", what, c, i, v, want[c][i], off)
			}
		}
	}
}

// randomGrids are grids of up to 20 nodes an axis for a delta over n of them.
func randomGrids(r *rand.Rand, n int) (grids []ib.Grid, components int) {
	g := ib.Grid{Dim: 2 + r.IntN(2), Size: [3]int{1, 1, 1}, Spacing: 0.5 + r.Float64()}
	for a := range g.Dim {
		g.Size[a] = n
		if r.IntN(3) > 0 {
			g.Size[a] += r.IntN(21 - n)
		}
		g.Periodic[a] = r.IntN(2) == 0
		g.Offset[a] = 10 * (r.Float64() - 0.5)
	}
	stagger := func(g *ib.Grid) {
		for a := range g.Dim {
			g.Staggering[a] = []float64{0, 0.25, 0.5, r.Float64()}[r.IntN(4)]
		}
	}
	switch components = 1 + r.IntN(4); r.IntN(3) {
	case 0:
		stagger(&g)
		return []ib.Grid{g}, components
	case 1:
		return ib.MAC(g), g.Dim
	}
	for range components {
		grids = append(grids, g)
		own := &grids[len(grids)-1]
		stagger(own)
		for a := range g.Dim {
			if !g.Periodic[a] {
				own.Size[a] += r.IntN(3)
			}
		}
	}
	return grids, components
}

// randomPoints are up to 700, all over the place or in a heap.
func randomPoints(r *rand.Rand, grids []ib.Grid, support int) []geometry.Vec {
	g := grids[0]
	for _, other := range grids {
		for a := range g.Dim {
			g.Size[a] = max(g.Size[a], other.Size[a])
		}
	}
	x := make([]geometry.Vec, []int{r.IntN(5), r.IntN(70), r.IntN(200), 500 + r.IntN(200), 500 + r.IntN(200)}[r.IntN(5)])
	var at, width [3]float64
	for a := range g.Dim {
		size, over := float64(g.Size[a]), float64(support)
		at[a], width[a] = (size+over)*r.Float64()-over, 3*r.Float64() // a heap
		if r.IntN(2) == 0 {
			at[a], width[a] = -over, size+2*over // all over the axis
		}
	}
	for k := range x {
		for a := range g.Dim {
			x[k][a] = g.Offset[a] + g.Spacing*(at[a]+width[a]*r.Float64())
		}
	}
	return x
}

func random[T ib.Float](r *rand.Rand, n int) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = T(2*r.Float64() - 1)
	}
	return v
}

func TestStrategiesAndGridsThatCannotWorkAreRefused(t *testing.T) {
	change := func(f func(*ib.Grid)) []ib.Grid {
		g := ib.Grid{Dim: 2, Size: [3]int{8, 8, 1}}
		f(&g)
		return []ib.Grid{g}
	}
	plane := change(func(*ib.Grid) {})
	second := func(f func(*ib.Grid)) []ib.Grid { return append(slices.Clone(plane), change(f)...) }
	for _, test := range []struct {
		grids []ib.Grid
		say   []string
	}{
		{nil, []string{"no grid", "one for all components"}},
		{change(func(g *ib.Grid) { g.Dim = 4 }), []string{"4 dimensions", "use 2 or 3"}},
		{change(func(g *ib.Grid) { g.Size[1] = 0 }), []string{"8 × 0 × 1", "needs 1 to"}},
		{change(func(g *ib.Grid) { g.Size[0] = math.MaxInt32 }), []string{"needs 1 to 2147483635", "smaller resolution"}},
		{change(func(g *ib.Grid) { g.Size[2] = 2 }), []string{"set Size[2] = 1"}},
		{change(func(g *ib.Grid) { g.Size[0] = 3; g.Periodic[0] = true }), []string{"axis x has 3 nodes", "reaches over 4", "at least 4 nodes"}},
		{change(func(g *ib.Grid) { g.Size[1] = 3 }), []string{"axis y has 3 nodes", "reaches over 4", "narrower delta"}},
		{change(func(g *ib.Grid) { g.Dim, g.Size[2] = 3, 2 }), []string{"axis z has 2 nodes"}},
		{change(func(g *ib.Grid) { g.Offset[0] = 1e300 }), []string{"offset along x", "2147483648"}},
		{change(func(g *ib.Grid) { g.Offset[1] = math.NaN() }), []string{"offset along y"}},
		{change(func(g *ib.Grid) { g.Spacing = -1 }), []string{"spacing is -1", "positive"}},
		{change(func(g *ib.Grid) { g.Spacing = math.NaN() }), []string{"NaN"}},
		{change(func(g *ib.Grid) { g.Spacing = math.Inf(1) }), []string{"spacing is +Inf"}},
		{change(func(g *ib.Grid) { g.Staggering[1] = 1 }), []string{"staggering along y is 1", "less than 1"}},
		{change(func(g *ib.Grid) { g.Staggering[0] = -0.5 }), []string{"staggering along x is -0.5", "at least 0"}},
		{second(func(g *ib.Grid) { g.Spacing = 2 }), []string{"component 1", "spacing", "differ"}},
		{second(func(g *ib.Grid) { g.Offset[0] = 1 }), []string{"component 1", "offset"}},
		{second(func(g *ib.Grid) { g.Periodic[1] = true }), []string{"component 1", "periodic"}},
		{second(func(g *ib.Grid) { g.Dim, g.Size[2] = 3, 8 }), []string{"component 1", "dimension"}},
		{second(func(g *ib.Grid) { g.Size[1] = 2 }), []string{"component 1", "axis y has 2 nodes"}},
		{second(func(g *ib.Grid) { g.Size[1] = 15 }), []string{"component 1", "axis y has 8 nodes", "15", "at most 6"}},
		{ // different lengths of a period
			[]ib.Grid{{Dim: 2, Size: [3]int{8, 8, 1}, Periodic: [3]bool{true}}, {Dim: 2, Size: [3]int{9, 8, 1}, Periodic: [3]bool{true}}},
			[]string{"component 1", "periodic axis x has 8 nodes", "9"},
		},
		// Cells whose numbers would need more than 63 bits.
		{[]ib.Grid{{Dim: 3, Size: [3]int{1 << 21, 1 << 21, 1 << 21}, Periodic: [3]bool{true, true, true}}}, []string{"2097152 × 2097152 × 2097152", "60 bits", "smaller resolution or domain"}},
		{[]ib.Grid{{Dim: 3, Size: [3]int{1 << 30, 1 << 30, 8}}}, []string{"60 bits", "smaller resolution or domain"}},
	} {
		for _, strategy := range ib.TransferNames() {
			_, err := ib.NewStaggered(strategy, test.grids, ib.Peskin4[float64]{}, nil)
			for _, say := range test.say {
				if err == nil || !strings.Contains(err.Error(), say) {
					t.Errorf("strategy %s on %+v: error %v, want one that says %q", strategy, test.grids, err, say)
				}
			}
		}
	}
	_, err := ib.NewTransfer("fast", plane[0], ib.Delta[float64](ib.Peskin4[float64]{}), nil)
	for _, say := range append(ib.TransferNames(), `"fast" is unknown`) {
		if err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("strategy fast: error %v does not say %q", err, say)
		}
	}
	_, err = ib.NewTransfer("serial", plane[0], ib.Delta[float64](ib.Peskin4[float64]{}), nil, ib.Kernel("sse"))
	if err == nil || !strings.Contains(err.Error(), `"sse" is unknown`) {
		t.Errorf("loops sse: error %v does not say that there are none", err)
	}
}

// A grid too large for a field to be had: strategies that need memory of its size say
// so when they are made, the others sort points by keys of more than 32 bits.
func TestGridsWithoutAFieldCanBeSortedOn(t *testing.T) {
	g := ib.Grid{Dim: 3, Size: [3]int{1 << 20, 1 << 9, 1 << 9}, Periodic: [3]bool{true, true, true}}
	r := rand.New(rand.NewPCG(13, 14))
	x := make([]geometry.Vec, 3000)
	for k := range x {
		for a := range x[k] {
			x[k][a] = float64(g.Size[a]) * r.Float64()
		}
	}
	for _, strategy := range ib.TransferNames() {
		transfer, err := ib.NewTransfer[float64](strategy, g, ib.Hat2[float64]{}, nil)
		if err != nil {
			if !strings.Contains(err.Error(), "memory") || !strings.HasPrefix(strategy, "buffered") {
				t.Errorf("%s: %v", strategy, err)
			}
			continue
		}
		if err := transfer.SetPoints(x); err != nil {
			t.Errorf("%s: %v", strategy, err)
		}
	}
}

func TestPointErrorSaysWhereWhatBoundAndRemedy(t *testing.T) {
	g := ib.Grid{Dim: 2, Size: [3]int{128, 64, 1}, Spacing: 0.5}
	for _, periodic := range []bool{false, true} {
		g.Periodic = [3]bool{periodic, periodic}
		for _, strategy := range ib.TransferNames() {
			transfer, err := ib.NewTransfer[float64](strategy, g, ib.Roma3[float64]{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			// That marker 1 is beyond the walls along x is nothing to complain of.
			err = transfer.SetPoints([]geometry.Vec{{5, 5}, {-5, math.NaN()}, {math.Inf(1), 10}, {5, 80}})
			want := "ib: marker 1: y = NaN is no position, it must be finite and within 2147483648 nodes of the grid: the motion of this body has diverged or its shape is wrong"
			if err == nil || err.Error() != want {
				t.Errorf("%s: error %v\nwant %s", strategy, err, want)
			}
		}
	}
}

// The bound on positions is one bound: between it and the staggering beyond it a
// position is refused by all or by none, and never without a word.
func TestPositionsAtTheBoundAreTakenOrRefused(t *testing.T) {
	for _, periodic := range []bool{false, true} {
		g := ib.Grid{Dim: 2, Size: [3]int{16, 16, 1}, Periodic: [3]bool{periodic, periodic}, Staggering: [3]float64{0.5, 0.5}}
		for _, strategy := range ib.TransferNames() {
			transfer, err := ib.NewTransfer[float64](strategy, g, ib.Hat2[float64]{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			const bound = 1 << 31
			for _, x := range []float64{bound - 0.25, -bound + 0.25, bound + 0.25, -bound - 0.25} {
				u, values := [][]float64{random[float64](rand.New(rand.NewPCG(1, 1)), g.Nodes())}, [][]float64{{7}}
				err := transfer.SetPoints([]geometry.Vec{{x, 3}})
				if math.Abs(x) > bound {
					if err == nil || !strings.Contains(err.Error(), "2147483648 nodes") {
						t.Errorf("%s: x = %.2f: error %v does not tell the bound", strategy, x, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: x = %.2f: %v", strategy, x, err)
					continue
				}
				transfer.Interpolate(values, u)
				if beyond := !periodic; beyond && values[0][0] != 0 {
					t.Errorf("%s: x = %.2f beyond the wall interpolates to %v", strategy, x, values[0][0])
				}
			}
		}
	}
}

// BenchmarkTransfer moves three staggered components between 65536 random points and
// a periodic grid of 128³ cells; set-points moves every point to another cell.
func BenchmarkTransfer(b *testing.B) {
	b.Run("f64", benchmarkTransfer[float64])
	b.Run("f32", benchmarkTransfer[float32])
}

func benchmarkTransfer[T ib.Float](b *testing.B) {
	const side, n = 128, 1 << 16
	grids := ib.MAC(ib.Grid{Dim: 3, Size: [3]int{side, side, side}, Periodic: [3]bool{true, true, true}})
	r := rand.New(rand.NewPCG(3, 4))
	var x [2][]geometry.Vec
	for range n {
		for i := range x {
			x[i] = append(x[i], geometry.Vec{side * r.Float64(), side * r.Float64(), side * r.Float64()})
		}
	}
	field, values := make([][]T, len(grids)), make([][]T, len(grids))
	for c := range field {
		field[c], values[c] = random[T](r, grids[c].Nodes()), make([]T, n)
	}
	d, err := ib.NewDelta[T]("cosine4")
	if err != nil {
		b.Fatal(err)
	}
	pool := parallel.NewPool(0)
	defer pool.Close()
	for _, strategy := range ib.TransferNames() {
		b.Run(strategy, func(b *testing.B) {
			t, err := ib.NewStaggered(strategy, grids, d, pool)
			if err == nil {
				err = t.SetPoints(x[0])
			}
			if err != nil {
				b.Fatal(err)
			}
			// Values that are spread stay small: they are interpolated from a random field.
			b.Run("interpolate", func(b *testing.B) {
				for b.Loop() {
					t.Interpolate(values, field)
				}
			})
			b.Run("spread", func(b *testing.B) {
				for b.Loop() {
					t.Spread(field, values)
				}
			})
			b.Run("set-points", func(b *testing.B) {
				for i := 1; b.Loop(); i++ {
					if err := t.SetPoints(x[i%2]); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
