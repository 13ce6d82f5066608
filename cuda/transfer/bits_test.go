package transfer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/cuda/driver"
	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/ib/ibtest"
)

// inside are n random points whose supports of up to 6 nodes are whole and do not wrap.
func inside(r *rand.Rand, g ib.Grid, n int) []geometry.Vec {
	x := make([]geometry.Vec, n)
	for k := range x {
		for a := range g.Dim {
			x[k][a] = 3 + r.Float64()*float64(g.Size[a]-7)
		}
	}
	return x
}

func randomFields[T ib.Float](r *rand.Rand, components, n int) [][]T {
	f := make([][]T, components)
	for c := range f {
		f[c] = make([]T, n)
		for i := range f[c] {
			f[c][i] = T(2*r.Float64() - 1)
		}
	}
	return f
}

func identicalValues[T ib.Float](t *testing.T, what string, got, want [][]T) {
	t.Helper()
	for c := range want {
		for i := range want[c] {
			if got[c][i] != want[c][i] {
				t.Fatalf("%s: component %d, element %d is %v, should be %v", what, c, i, got[c][i], want[c][i])
			}
		}
	}
}

func clones[T any](list [][]T) (c [][]T) {
	for _, l := range list {
		c = append(c, slices.Clone(l))
	}
	return c
}

func mustHost[T ib.Float](t *testing.T, l *device.Library, s *driver.Stream, strategy string, grids []ib.Grid, d ib.Delta[T]) *Host[T] {
	t.Helper()
	h, err := NewHost(l, s, strategy, grids, d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// mustSucceed fails the test if a transfer's device has.
func mustSucceed[T ib.Float](t *testing.T, transfers ...*Host[T]) {
	t.Helper()
	for _, h := range transfers {
		if h.Err() != nil {
			t.Fatal(h.Err())
		}
	}
}

// The kernels have the formulas and the order of sums of the CPU's plain loops: where no
// support is cut or wraps, interpolation is the same bits, and so are atomic additions
// that one thread makes in the order of points. cosine4 has a cosine of its own, good to
// 2e-16; a sum has terms of up to one.
func TestTransfersHaveTheBitsOfTheCPU(t *testing.T) {
	l, s := bench(t)
	for _, name := range Deltas {
		compareBits[float64](t, l, s, name, 1e-15)
		compareBits[float32](t, l, s, name, 2e-7)
	}
}

func compareBits[T ib.Float](t *testing.T, l *device.Library, s *driver.Stream, name string, cosine float64) {
	d, err := ib.NewDelta[T](name)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []ib.Grid{{Dim: 2, Size: [3]int{30, 20, 1}}, {Dim: 3, Size: [3]int{13, 11, 12}, Periodic: [3]bool{true, true, true}}} {
		r := rand.New(rand.NewPCG(3, 4))
		x := inside(r, g, 150)
		cpu, err := ib.NewTransfer("serial", g, d, nil, ib.Kernel("go"))
		if err != nil {
			t.Fatal(err)
		}
		sorted, atomic := mustHost(t, l, s, "sort-reduce", []ib.Grid{g}, d), mustHost(t, l, s, "atomic", []ib.Grid{g}, d)
		atomic.Shape = device.Shape{Threads: 1, Blocks: 1}
		for _, transfer := range []ib.Transfer[T]{cpu, sorted, atomic} {
			if err := transfer.SetPoints(x); err != nil {
				t.Fatal(err)
			}
		}
		u, force := randomFields[T](r, 2, g.Nodes()), randomFields[T](r, 2, len(x))
		want, got, f, fd := clones(force), clones(force), clones(u), clones(u)
		cpu.Interpolate(want, u)
		sorted.Interpolate(got, u)
		cpu.Spread(f, force)
		atomic.Spread(fd, force)
		mustSucceed(t, sorted, atomic)
		what := fmt.Sprintf("%s in %dD, %d bytes", name, g.Dim, device.SizeOf[T]())
		if name == "cosine4" {
			nearly(t, what+": interpolation", got, want, cosine)
			nearly(t, what+": spreading", fd, f, 10*cosine) // some points have the node in common
			continue
		}
		identicalValues(t, what+": interpolation", got, want)
		identicalValues(t, what+": spreading", fd, f)
	}
}

func nearly[T ib.Float](t *testing.T, what string, got, want [][]T, tolerance float64) {
	t.Helper()
	for c := range want {
		for i := range want[c] {
			if off := math.Abs(float64(got[c][i] - want[c][i])); !(off <= tolerance) {
				t.Fatalf("%s: component %d, element %d is off by %.2e, at most %.1e is allowed", what, c, i, off, tolerance)
			}
		}
	}
}

// More points than a block sorts, so that the sort has several tiles: results are those of the
// definition, the same bits from call to call and for any launch.
func TestManyPointsSpreadTheSameBitsByAnyLaunch(t *testing.T) {
	devicetest.NumbersAlone(t)
	l, s := bench(t)
	d := ib.Cosine4[float64]{}
	grids := ib.MAC(ib.Grid{Dim: 3, Size: [3]int{24, 17, 20}, Periodic: [3]bool{true, true, true}})
	r := rand.New(rand.NewPCG(5, 6))
	x := make([]geometry.Vec, blockKeys+sortTile)
	for k := range x {
		for a := range x[k] {
			x[k][a] = 40*r.Float64() - 10
		}
		if k%3 == 0 { // and some hundreds in a few cells
			x[k] = geometry.Vec{5, 6, 7}.Add(x[k].Scale(0.05))
		}
	}
	u, force := randomFields[float64](r, 3, grids[0].Nodes()), randomFields[float64](r, 3, len(x))
	wantField, size := ibtest.Spread[float64](grids, d, x, u, force)
	for _, strategy := range slices.DeleteFunc(Names()[1:], func(name string) bool { return name == "atomic" }) {
		var first [][]float64
		for i, how := range []device.Shape{{Threads: 128, Blocks: 1000}, {Threads: 32, Blocks: 3}} {
			if strategy == "blocks" && i > 1 { // whose threads are as many as they are
				break
			}
			h := mustHost(t, l, s, strategy, grids, d)
			h.Shape = how
			if err := h.SetPoints(x); err != nil {
				t.Fatal(err)
			}
			f := clones(u)
			h.Spread(f, force)
			mustSucceed(t, h)
			if first == nil {
				first = f
				for c := range f {
					for i, v := range f[c] {
						if off := math.Abs(v - wantField[c][i]); !(off <= 1e-14*(1+size[c][i])) { // hundreds of roundings, which mostly cancel
							t.Fatalf("%s: component %d of node %d is off by %.1e", strategy, c, i, off)
						}
					}
				}
			}
			identicalValues(t, fmt.Sprintf("%s, launched as %v", strategy, how), f, first)
		}
	}
}

// Few points in a large grid are gathered over a list of nodes, which must not be felt:
// the bits are those of going over all nodes, wherever the points have been before.
func TestAListOfNodesIsNotFelt(t *testing.T) {
	l, s := bench(t)
	d := ib.Peskin4[float64]{}
	g := ib.Grid{Dim: 3, Size: [3]int{40, 30, 25}, Periodic: [3]bool{true, false, true}}
	few, all := mustHost(t, l, s, "sort-reduce", []ib.Grid{g}, d), mustHost(t, l, s, "sort-reduce", []ib.Grid{g}, d)
	all.Sites[0].list.never = true
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{20, 20, 3, 300, 100, 1} {
		x := make([]geometry.Vec, n)
		for k := range x {
			for a := range x[k] {
				x[k][a] = -5 + 40*r.Float64()
			}
		}
		f, force := randomFields[float64](r, 1, g.Nodes()), randomFields[float64](r, 1, n)
		want := clones(f)
		for _, h := range []*Host[float64]{few, all} {
			if err := h.SetPoints(x); err != nil {
				t.Fatal(err)
			}
		}
		if listed := few.Sites[0].list.used; listed != (n < 300) {
			t.Errorf("%d points on %d nodes: list %v", n, g.Nodes(), listed)
		}
		few.Spread(f, force)
		all.Spread(want, force)
		mustSucceed(t, few, all)
		identicalValues(t, fmt.Sprintf("%d points", n), f, want)
	}
}

// Everything can be captured into a graph, and what the graph does follows the points.
func TestTransfersAreCapturedIntoAGraph(t *testing.T) {
	l, s := bench(t)
	d := ib.Roma3[float64]{}
	g := ib.Grid{Dim: 2, Size: [3]int{40, 30, 1}}
	const n = 70
	for _, strategy := range Names()[1:] {
		h := mustHost(t, l, s, strategy, []ib.Grid{g}, d)
		h.Shape = device.Shape{Threads: 32, Blocks: 1} // one order of additions for atomics, too
		r := rand.New(rand.NewPCG(9, 10))
		x, y := inside(r, g, n), inside(r, g, n)
		force, u := randomFields[float64](r, 1, n), randomFields[float64](r, 1, g.Nodes())
		want := clones(u)
		if err := h.SetPoints(y); err != nil {
			t.Fatal(err)
		}
		h.Spread(want, force) // of y, and all memory is there
		if err := h.SetPoints(x); err != nil {
			t.Fatal(err)
		}
		h.Spread(clones(u), force)
		mustSucceed(t, h)
		positions := device.At(h.positions.Memory, 0)
		check := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: %v", strategy, err)
			}
		}
		check(s.Begin())
		check(h.Transfer.SetPoints(positions, n))
		check(h.Transfer.Spread(h.at[0], h.at[1]))
		graph, err := s.End()
		check(err)
		got := clones(u)
		check(device.CopyIn(s, positions, y))
		check(device.CopyIn(s, h.at[0][0], u[0]))
		check(graph.Launch(s))
		check(device.CopyOut(s, got[0], h.at[0][0]))
		check(s.Synchronize())
		check(graph.Close())
		identicalValues(t, strategy, got, want)
	}
}

// What a device cannot do is refused when the transfer is made.
func TestImpossibleTransfersAreRefused(t *testing.T) {
	l, s := bench(t)
	d := ib.Hat2[float32]{}
	for _, c := range []struct {
		strategy string
		grid     ib.Grid
		want     string
	}{
		{"shift-reduce", ib.Grid{Dim: 2, Size: [3]int{9, 9, 1}}, `strategy "shift-reduce" is not one of the device's`},
		{"auto", ib.Grid{Dim: 3, Size: [3]int{1500, 1500, 1500}}, "at most 2147483647 nodes"},
		{"auto", ib.Grid{Dim: 2, Size: [3]int{1, 9, 1}}, "use at least 2 nodes"},
		{"atomic", ib.Grid{Dim: 4, Size: [3]int{9, 9, 1}}, "4 dimensions"},
	} {
		h, err := NewHost(l, s, c.strategy, []ib.Grid{c.grid}, ib.Delta[float32](d))
		if err == nil {
			h.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s on %v: error %v does not say %q", c.strategy, c.grid.Size, err, c.want)
		}
	}
}
