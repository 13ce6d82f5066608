package ib

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// blocksCase is a set-up that blocks and serial both do.
type blocksCase struct {
	name  string
	grids []Grid
	delta string
	x     []geometry.Vec
}

func (s *blocksCase) transfer(t testing.TB, strategy string, pool *parallel.Pool) Transfer[float64] {
	t.Helper()
	d, err := NewDelta[float64](s.delta)
	if err != nil {
		t.Fatal(err)
	}
	transfer, err := NewStaggered(strategy, s.grids, d, pool)
	if err == nil {
		err = transfer.SetPoints(s.x)
	}
	if err != nil {
		t.Fatalf("%s: %s: %v", s.name, strategy, err)
	}
	return transfer
}

// data are reproducible fields and values for some components.
func (s *blocksCase) data(components int) (field, values [][]float64) {
	r := rand.New(rand.NewPCG(7, 8))
	for c := range components {
		field = append(field, make([]float64, s.grids[c%len(s.grids)].Nodes()))
		values = append(values, make([]float64, len(s.x)))
		for _, v := range [][]float64{field[c], values[c]} {
			for i := range v {
				v[i] = 2*r.Float64() - 1
			}
		}
	}
	return field, values
}

// components is the number of components that a case is done with.
func (s *blocksCase) components() int {
	if len(s.grids) > 1 {
		return len(s.grids)
	}
	return 2
}

func clones(v [][]float64) (w [][]float64) {
	for _, v := range v {
		w = append(w, slices.Clone(v))
	}
	return w
}

// blocksCases are grids that are no multiple of a block, on one block and on many, and
// particles that are few, many, crowded, on nodes and outside.
func blocksCases(n int) (cases []blocksCase) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range n {
		dim := 2 + i%2
		g := Grid{Dim: dim, Size: [3]int{1, 1, 1}, Spacing: []float64{0, 0.5, 3}[r.IntN(3)], Offset: [3]float64{-3, 2.5, 0.25}}
		delta := DeltaNames()[r.IntN(len(DeltaNames()))]
		d, _ := NewDelta[float64](delta)
		for a := range dim {
			g.Size[a] = d.Support() + r.IntN([]int{3, 20, 70}[r.IntN(3)])
			g.Periodic[a] = r.IntN(2) == 0
			g.Staggering[a] = float64(r.IntN(2)) * r.Float64()
		}
		s := blocksCase{grids: []Grid{g}, delta: delta}
		if r.IntN(2) == 0 {
			s.grids = MAC(g)
		}
		many := []int{1, 40, 700, 3000}[r.IntN(4)]
		s.x = scatter(r, g, many, r.IntN(4))
		s.name = fmt.Sprintf("%s on %d grids like %+v, %d particles", delta, len(s.grids), g, many)
		cases = append(cases, s)
	}
	return cases
}

// scatter puts particles at random, some outside; in one cell; on nodes and halfway;
// on a line.
func scatter(r *rand.Rand, g Grid, n, how int) (x []geometry.Vec) {
	for range n {
		var p geometry.Vec
		for a := range g.Dim {
			size, at := float64(g.Size[a]), 0.
			switch how {
			case 0:
				at = -8 + (size+16)*r.Float64()
			case 1:
				at = math.Floor(size/2) + r.Float64()
			case 2:
				at = float64(r.IntN(2*g.Size[a]+1)) / 2
			default:
				at = size / 3
				if a == 0 {
					at = size * r.Float64()
				}
			}
			p[a] = g.Offset[a] + g.spacing()*at
		}
		x = append(x, p)
	}
	return x
}

func TestBlocksDoWhatSerialDoes(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	for _, s := range blocksCases(60) {
		serial, blocks := s.transfer(t, "serial", nil), s.transfer(t, "blocks", pool)
		field, values := s.data(s.components())
		want, got := clones(field), clones(field)
		serial.Spread(want, values)
		blocks.Spread(got, values)
		for c := range want {
			for i := range want[c] {
				// Terms of at most one, times h^-d, of all particles at worst, are
				// rounded in another order.
				scale := 1 + float64(len(s.x))*math.Pow(s.grids[0].spacing(), -float64(s.grids[0].Dim))
				if diff := math.Abs(got[c][i] - want[c][i]); !(diff <= 4e-16*scale*8) {
					t.Fatalf("%s: spread component %d, node %d: %v, serial %v", s.name, c, i, got[c][i], want[c][i])
				}
			}
		}
		u, v := clones(values), clones(values)
		serial.Interpolate(u, field)
		blocks.Interpolate(v, field)
		for c := range u {
			for k := range u[c] {
				if diff := math.Abs(v[c][k] - u[c][k]); !(diff <= 1e-14) { // at most 216 terms below one
					t.Fatalf("%s: interpolated component %d at particle %d, %v: %v, serial %v", s.name, c, k, s.x[k], v[c][k], u[c][k])
				}
			}
		}
	}
}

func TestBlocksGiveTheSameBitsForAnyNumberOfWorkers(t *testing.T) {
	var pools []*parallel.Pool
	for _, n := range []int{2, 3, 5} {
		pools = append(pools, parallel.NewPool(n))
		defer pools[len(pools)-1].Close()
	}
	for _, s := range blocksCases(24) {
		var field, values [][]float64
		for i, pool := range append([]*parallel.Pool{nil}, pools...) {
			f, v := s.data(s.components())
			transfer := s.transfer(t, "blocks", pool)
			transfer.Spread(f, v)
			transfer.Interpolate(v, f)
			if i == 0 {
				field, values = f, v
				continue
			}
			for c := range f {
				if !slices.Equal(f[c], field[c]) || !slices.Equal(v[c], values[c]) {
					t.Fatalf("%s: component %d differs between 1 and %d workers", s.name, c, pool.Workers())
				}
			}
		}
	}
}

func TestBlocksOfAColourShareNoNode(t *testing.T) {
	for _, width := range []int{4, 16, 32} {
		for support := 2; support <= MaxSupport; support++ {
			for cells := support; cells < 3*width+9; cells++ {
				for _, periodic := range []bool{false, true} {
					colour, n := blockColours(cells, width, support, periodic)
					owner := map[[2]int]int{} // of a node, by a block of a colour
					for cell := range cells {
						block := cell / width
						if int(colour[block]) >= n {
							t.Fatalf("colour %d of %d", colour[block], n)
						}
						for node := cell; node < cell+support; node++ {
							key := [2]int{int(colour[block]), node}
							if periodic {
								key[1] %= cells
							}
							if other, ok := owner[key]; ok && other != block {
								t.Fatalf("%d cells, periodic %v, blocks of %d, support %d: blocks %d and %d of colour %d share node %d",
									cells, periodic, width, support, other, block, key[0], key[1])
							}
							owner[key] = block
						}
					}
				}
			}
		}
	}
}

func TestNeitherCrowdsNorScatteredPointsTakeMoreMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	g := Grid{Dim: 3, Size: [3]int{40, 9, 11}, Periodic: [3]bool{true, false, true}}
	crowd, scattered := scatter(r, g, 2000, 1), scatter(r, g, 2000, 0)
	for name, x := range map[string][2][]geometry.Vec{"after a crowd": {crowd, scattered}, "after scattered points": {scattered, crowd}} {
		s := blocksCase{name: name, grids: MAC(g), delta: "cosine4", x: x[0]}
		least := math.Inf(1)
		for range 3 { // others may allocate during a call
			transfer := s.transfer(t, "blocks", nil)
			field, values := s.data(3)
			call := 0
			least = min(least, testing.AllocsPerRun(1, func() { // counts in the second of two calls
				if err := transfer.SetPoints(x[call]); err != nil {
					t.Fatal(err)
				}
				transfer.Spread(field, values)
				transfer.Interpolate(values, field)
				call++
			}))
		}
		if least != 0 {
			t.Errorf("%s: %v allocations", name, least)
		}
	}
}

// A dummy has no strength, such as those between the first two particles: what one
// particle spreads stays within its support, whatever it is.
func TestDummiesSpreadNothing(t *testing.T) {
	g := Grid{Dim: 2, Size: [3]int{40, 20, 1}}
	s := blocksCase{grids: []Grid{g}, delta: "roma3", x: []geometry.Vec{{15, 5}, {20, 5}, {30, 5}, {20.25, 5}, {7, 9}}}
	transfer := s.transfer(t, "blocks", nil)
	field, values := [][]float64{make([]float64, g.Nodes())}, [][]float64{{1, math.Inf(1), 1, math.NaN(), 1}}
	transfer.Spread(field, values)
	for i, v := range field[0] {
		x, y := i%40, i/40
		within := x >= 19 && x <= 21 && y >= 4 && y <= 6
		if finite := !math.IsNaN(v) && !math.IsInf(v, 0); finite == within {
			t.Errorf("node %d, %d received %v", x, y, v)
		}
	}
}

func TestAfterAnErrorBlocksHoldNoPoints(t *testing.T) {
	g := Grid{Dim: 3, Size: [3]int{8, 8, 8}}
	s := blocksCase{grids: MAC(g), delta: "hat2", x: scatter(rand.New(rand.NewPCG(1, 2)), g, 600, 0)}
	transfer := s.transfer(t, "blocks", nil)
	if err := transfer.SetPoints([]geometry.Vec{{1, 1, 1}, {1, math.NaN(), 1}}); err == nil {
		t.Fatal("a position that is not a number was accepted")
	}
	field, _ := s.data(3)
	before := clones(field)
	transfer.Spread(field, make([][]float64, 3))
	for c := range field {
		if !slices.Equal(field[c], before[c]) {
			t.Error("points of before the error still spread")
		}
	}
	if err := transfer.SetPoints(s.x); err != nil {
		t.Fatal(err)
	}
	again, fresh := clones(before), clones(before)
	_, values := s.data(3)
	transfer.Spread(again, values)
	s.transfer(t, "blocks", nil).Spread(fresh, values)
	for c := range again {
		if !slices.Equal(again[c], fresh[c]) {
			t.Error("points set after an error spread otherwise than those of a fresh transfer")
		}
	}
}

func TestKeysOfBlocksThatDoNotFitAreRefused(t *testing.T) {
	f := &frame[float64]{dim: 3, support: 4} // construction fails before anything is made for a grid of this size
	s := site{grid: Grid{Dim: 3, Size: [3]int{4, 1 << 29, 1 << 29}, Periodic: [3]bool{true, true, true}}}
	if _, _, err := f.strides(&s); err != nil {
		t.Fatal("the cells alone have no keys:", err)
	}
	if _, err := newTiling(f, &s); err == nil || !strings.Contains(err.Error(), "blocks of 32 × 4 × 4 do not fit 63 bits: choose a smaller resolution") {
		t.Errorf("error %v", err)
	}
}
