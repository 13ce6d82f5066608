package conformance

import (
	"math/rand/v2"

	"lbmib/ib"
	"lbmib/internal/checking"
)

// setting is a delta with the grids of the components; one grid is that of all.
type setting[T ib.Float] struct {
	name string
	domain
	delta ib.Delta[T]
}

// domain is the grids, and how many nodes along each axis a support has.
type domain struct {
	grids   []ib.Grid
	support int
}

// box is a grid before it is staggered.
type box struct {
	name string
	grid ib.Grid
}

// boxes are awkward grids for a delta over n nodes: odd sizes, axes as short as it
// allows and longer than any vector or block, walls and periodic faces, spacings and
// offsets. First those in 2D.
func boxes(n int) []box {
	all := [3]bool{true, true, true}
	return []box{
		{"2D walls", ib.Grid{Dim: 2, Size: [3]int{17, 12, 1}}},
		{"2D channel, short", ib.Grid{Dim: 2, Size: [3]int{n, 13, 1}, Periodic: [3]bool{true, false}, Offset: [3]float64{0.5, -2}, Spacing: 0.5}},
		{"2D periodic, short", ib.Grid{Dim: 2, Size: [3]int{n + 1, n, 1}, Periodic: all, Offset: [3]float64{-7, 0.25}, Spacing: 2}},
		{"2D pipe, short", ib.Grid{Dim: 2, Size: [3]int{n, n + 1, 1}, Periodic: [3]bool{false, true}, Offset: [3]float64{0.3, 100.1}, Spacing: 0.1}},
		{"2D periodic, long", ib.Grid{Dim: 2, Size: [3]int{70, 19, 1}, Periodic: all}},

		{"3D walls", ib.Grid{Dim: 3, Size: [3]int{11, 7, 9}}},
		{"3D periodic", ib.Grid{Dim: 3, Size: [3]int{n, 8, n + 1}, Periodic: all, Offset: [3]float64{1, -0.5, 3}, Spacing: 0.25}},
		{"3D walls, short", ib.Grid{Dim: 3, Size: [3]int{n, n, n}, Offset: [3]float64{0, 0, 3.25}}},
		{"3D periodic in y", ib.Grid{Dim: 3, Size: [3]int{8, n, 7}, Periodic: [3]bool{false, true}, Offset: [3]float64{0, 0, 3.25}, Spacing: 2}},
		{"3D walls across y", ib.Grid{Dim: 3, Size: [3]int{n + 1, 9, n}, Periodic: [3]bool{true, false, true}, Offset: [3]float64{-0.3, 0.7, 12}, Spacing: 0.1}},
		{"3D periodic, long", ib.Grid{Dim: 3, Size: [3]int{37, 7, 9}, Periodic: all}},
	}
}

// layouts are where the components lie in a box.
var layouts = []struct {
	name  string
	grids func(ib.Grid) []ib.Grid
}{
	{"collocated", func(g ib.Grid) []ib.Grid { return []ib.Grid{g} }},
	{"MAC", ib.MAC},
	{"collocated off the offset", func(g ib.Grid) []ib.Grid { return []ib.Grid{staggered(g, 0.25, 0.5, 0.9)} }},
	// Components 0 and 2 share a grid; that of the other is longer between walls, and
	// supports on it begin later along x and earlier along the other axes.
	{"staggered otherwise", func(g ib.Grid) []ib.Grid {
		longer := g
		for a := range g.Dim {
			if !g.Periodic[a] {
				longer.Size[a] += 2
			}
		}
		return []ib.Grid{staggered(g, 0.25, 0, 0.3), staggered(longer, 0, 0.75, 0.9), staggered(g, 0.25, 0, 0.3)}
	}},
}

func staggered(g ib.Grid, by ...float64) ib.Grid {
	copy(g.Staggering[:g.Dim], by)
	return g
}

// settings are all deltas in all boxes, each with one of the layouts: every delta
// has every layout in 2D and in 3D.
func settings[T ib.Float](t checking.T) (list []setting[T]) {
	t.Helper()
	for i, d := range deltas[T](t) {
		for j, b := range boxes(d.Support()) {
			list = append(list, newSetting(d, b, i/2+j))
		}
	}
	return list
}

// diagonal are settings for tests that need many points: a few that have every delta,
// every layout in 2D and in 3D, and with those of the other precision every delta in
// both and every box. What such tests are after does not depend on the precision.
func diagonal[T ib.Float](t checking.T) (list []setting[T]) {
	t.Helper()
	in2D, in3D := []int{3, 1, 0, 4, 1, 2, 4, 0}, []int{9, 6, 5, 10, 7, 9, 8, 5}
	for i, d := range deltas[T](t) {
		box := in3D
		if single[T]() == (i%2 == 0) {
			box = in2D
		}
		list = append(list, newSetting(d, boxes(d.Support())[box[i%len(box)]], i/2))
	}
	return list
}

// collocated are settings on one grid, in 2D between walls and in 3D in a channel, that
// are long enough for each of several workers to have rows of its own.
func collocated[T ib.Float](t checking.T) []setting[T] {
	t.Helper()
	d, err := ib.NewDelta[T]("cosine4")
	if err != nil {
		t.Fatal(err)
	}
	return []setting[T]{
		newSetting(d, box{"2D walls, long", ib.Grid{Dim: 2, Size: [3]int{24, 32, 1}}}, 0),
		newSetting(d, box{"3D channel, long", ib.Grid{Dim: 3, Size: [3]int{9, 8, 15}, Periodic: [3]bool{true, true, false}}}, 0),
	}
}

func newSetting[T ib.Float](d ib.Delta[T], b box, layout int) setting[T] {
	l := layouts[layout%len(layouts)]
	return setting[T]{b.name + ", " + l.name + ", " + d.Name(), domain{l.grids(b.grid), d.Support()}, d}
}

// deltas are all that there are.
func deltas[T ib.Float](t checking.T) (list []ib.Delta[T]) {
	t.Helper()
	for _, name := range ib.DeltaNames() {
		d, err := ib.NewDelta[T](name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

// single tells whether T is single precision.
func single[T ib.Float]() bool {
	one := T(1)
	return one+T(1e-10) == one
}

// grid is that of component c.
func (s domain) grid(c int) ib.Grid {
	if len(s.grids) == 1 {
		return s.grids[0]
	}
	return s.grids[c]
}

func (s domain) dim() int { return s.grids[0].Dim }

// components is a number of them that the setting can have.
func (s domain) components() int {
	if len(s.grids) == 1 {
		return s.dim()
	}
	return len(s.grids)
}

// spacing is h.
func spacing(g ib.Grid) float64 {
	if g.Spacing == 0 {
		return 1
	}
	return g.Spacing
}

// volume is h^d.
func (s domain) volume() float64 {
	v := 1.
	for range s.dim() {
		v *= spacing(s.grids[0])
	}
	return v
}

// fields are random, between −1 and 1; values are so for n points.
func (s setting[T]) fields(r *rand.Rand) [][]T        { return fill(r, s.zeros()) }
func (s setting[T]) values(r *rand.Rand, n int) [][]T { return fill(r, s.none(n)) }

func fill[T ib.Float](r *rand.Rand, f [][]T) [][]T {
	for _, c := range f {
		for i := range c {
			c[i] = T(2*r.Float64() - 1)
		}
	}
	return f
}

// zeros are fields of nothing; none are values of nothing for n points.
func (s setting[T]) zeros() [][]T {
	f := make([][]T, s.components())
	for c := range f {
		f[c] = make([]T, s.grid(c).Nodes())
	}
	return f
}

func (s setting[T]) none(n int) [][]T {
	v := make([][]T, s.components())
	for c := range v {
		v[c] = make([]T, n)
	}
	return v
}
