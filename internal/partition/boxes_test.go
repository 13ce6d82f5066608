package partition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// random is a small domain, in the plane or in space, of any kind: sparse ones too.
func random(r *rand.Rand) *Blocks {
	b := &Blocks{Width: 1 + r.IntN(5)}
	for a := range b.Size {
		b.Size[a] = 1 + r.IntN(20)
		b.Periodic[a] = r.IntN(2) == 0
	}
	if r.IntN(3) == 0 {
		b.Size[2] = 1
	}
	if r.IntN(2) == 0 {
		b.Seam, b.Row = 3*r.Float64(), 3*r.Float64()
	}
	if r.IntN(4) == 0 {
		return b
	}
	b.Weight = make([]float64, b.Count())
	empty := r.Float64()
	for i := range b.Weight {
		if r.Float64() >= empty {
			b.Weight[i] = math.Exp(4*r.Float64()) * float64(b.Block(i).Nodes())
		}
	}
	b.Weight[r.IntN(len(b.Weight))] = 1
	for a := range b.Faces {
		if r.IntN(2) == 0 {
			b.Faces[a] = make([]float64, b.Count())
			for i := range b.Faces[a] {
				b.Faces[a][i] = float64(r.IntN(20))
			}
		}
	}
	return b
}

// Every node is in one box, boxes end between blocks, and every rank has work.
func TestBoxesMakeUpTheDomain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		b := random(r)
		c := newCutter(b, 1, nil)
		ranks := 1 + r.IntN(min(24, c.room(Box{Hi: c.n})))
		var shares []float64
		if r.IntN(3) == 0 {
			for range ranks {
				shares = append(shares, 0.2+r.Float64())
			}
		}
		boxes, err := b.Boxes(ranks, shares)
		if err != nil {
			t.Fatalf("%+v, %d ranks: %v", b, ranks, err)
		}
		checkCover(t, b, boxes, ranks)
	}
}

func checkCover(t *testing.T, b *Blocks, boxes []Box, ranks int) {
	t.Helper()
	if len(boxes) != ranks {
		t.Fatalf("%+v: %d boxes of %d ranks", b, len(boxes), ranks)
	}
	owner := make([]int, b.Size[0]*b.Size[1]*b.Size[2])
	work := make([]float64, ranks)
	ends := func(a, p int) bool {
		return p == 0 || p == b.Size[a] || p%b.Width == 0 && (b.Width == 1 || b.Size[a]-p >= narrowest)
	}
	for k, box := range boxes {
		for a := range 3 {
			if !ends(a, box.Lo[a]) || !ends(a, box.Hi[a]) || box.Lo[a] >= box.Hi[a] {
				t.Fatalf("%+v: box %v along %c", b, box, "xyz"[a])
			}
		}
		for z := box.Lo[2]; z < box.Hi[2]; z++ {
			for y := box.Lo[1]; y < box.Hi[1]; y++ {
				for x := box.Lo[0]; x < box.Hi[0]; x++ {
					owner[number([3]int{x, y, z}, b.Size)] += k + 1
				}
			}
		}
	}
	for i := range b.Count() {
		of := b.Block(i)
		k := owner[number(of.Lo, b.Size)]
		if k < 1 || k > ranks {
			t.Fatalf("%+v: block %v is in %d", b, of, k)
		}
		for z := of.Lo[2]; z < of.Hi[2]; z++ {
			for y := of.Lo[1]; y < of.Hi[1]; y++ {
				for x := of.Lo[0]; x < of.Hi[0]; x++ {
					if owner[number([3]int{x, y, z}, b.Size)] != k || !within(boxes[k-1], [3]int{x, y, z}) {
						t.Fatalf("%+v: node %d %d %d: boxes overlap, or leave it out", b, x, y, z)
					}
				}
			}
		}
		if b.Weight == nil {
			work[k-1]++
		} else {
			work[k-1] += b.Weight[i]
		}
	}
	if i := slices.IndexFunc(work, func(w float64) bool { return w == 0 }); i >= 0 {
		t.Fatalf("%+v, %d ranks: rank %d has no work", b, ranks, i)
	}
}

func within(b Box, p [3]int) bool {
	for a := range p {
		if p[a] < b.Lo[a] || p[a] >= b.Hi[a] {
			return false
		}
	}
	return true
}

// Of n equal blocks in a row no rank of r has more than the least that is possible, ⌈n/r⌉: a cut between the two sides' ⌈n/r⌉ a rank exists,
// and the one that is taken is no worse.
func TestRowsOfBlocksAreSharedAsWellAsCanBe(t *testing.T) {
	for n := 1; n <= 60; n++ {
		for ranks := 1; ranks <= n; ranks++ {
			for a := range 3 {
				b := &Blocks{Size: [3]int{4, 4, 4}, Width: 4, Seam: 1e-9, Row: 1e-9}
				b.Size[a] *= n
				boxes, err := b.Boxes(ranks, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, box := range boxes {
					if have, least := box.Nodes()/64, (n+ranks-1)/ranks; have > least {
						t.Errorf("%d blocks along %c, %d ranks: %d blocks of one, %d suffice", n, "xyz"[a], ranks, have, least)
					}
				}
			}
		}
	}
}

// A cut of equal blocks is at most half a layer of the longest axis from where the sides' shares are: that is n/(2 m l) of the mean, with m ranks
// of n on the smaller side and l layers.
func TestCutsOfEqualBlocksAreWithinHalfALayer(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		b := &Blocks{Size: [3]int{2 * (1 + r.IntN(12)), 2 * (1 + r.IntN(12)), 2 * (1 + r.IntN(12))}, Width: 2, Seam: 1e-9, Row: 1e-9}
		c := newCutter(b, 1+r.IntN(b.Count()), nil)
		n := len(c.before) - 1
		layers := slices.Max(c.n[:])
		if n < 2 || n > b.Count()/layers {
			continue // a layer's end might leave too few blocks to a side
		}
		axis, at, middle := c.cut(Box{Hi: c.n}, 0, n, n/2, n-n/2, anyAxis)
		low, high := Box{Hi: c.n}, Box{Hi: c.n}
		low.Hi[axis], high.Lo[axis] = at, at
		mean := c.work(Box{Hi: c.n}) / float64(n)
		worst := max(c.work(low)/float64(middle), c.work(high)/float64(n-middle))
		if bound := mean * (1 + float64(n)/float64(2*min(middle, n-middle)*layers)) * (1 + 1e-6); worst > bound {
			t.Errorf("%v among %d: cut %c %d, %d: %.4f of the mean, bound %.4f", b.Size, n, "xyz"[axis], at, middle, worst/mean, bound/mean)
		}
	}
}

// Of cuts that share as well, the one across the slowest axis is taken.
func TestRowsStayLong(t *testing.T) {
	for _, c := range []struct {
		size  [3]int
		ranks int
		want  string
	}{
		{[3]int{64, 64, 64}, 2, "64×64×32"},
		{[3]int{64, 64, 64}, 4, "64×64×16"},
		{[3]int{64, 64, 64}, 8, "64×32×16"},
		{[3]int{64, 64, 1}, 2, "64×32×1"},
		{[3]int{256, 64, 1}, 4, "64×64×1"},
		{[3]int{96, 96, 96}, 9, "96×32×32"},
		{[3]int{96, 96, 96}, 27, "32×32×32"},
	} {
		b := &Blocks{Size: c.size, Width: 8, Periodic: [3]bool{true, true, true}, Seam: 1e-3, Row: 1e-3}
		boxes, err := b.Boxes(c.ranks, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, box := range boxes {
			if is := fmt.Sprintf("%d×%d×%d", box.Hi[0]-box.Lo[0], box.Hi[1]-box.Lo[1], box.Hi[2]-box.Lo[2]); is != c.want {
				t.Errorf("%v among %d: %s, want %s", c.size, c.ranks, is, c.want)
			}
		}
	}
}

// A rank that is twice as fast has twice the work.
func TestFasterRanksHaveMore(t *testing.T) {
	b := &Blocks{Size: [3]int{64, 64, 120}, Width: 2, Seam: 1e-3, Row: 1e-3}
	boxes, err := b.Boxes(4, []float64{1, 2, 2, 1})
	if err != nil {
		t.Fatal(err)
	}
	for r, want := range []float64{1, 2, 2, 1} {
		if is := 6 * float64(boxes[r].Nodes()) / (64 * 64 * 120); math.Abs(is-want) > 0.1 {
			t.Errorf("rank %d has %.2f, want %g", r, is, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	b := Blocks{Size: [3]int{16, 16, 1}, Width: 8}
	sparse, bad, many := b, b, b
	sparse.Weight = []float64{0, 2, 0, 1}
	bad.Weight = []float64{1, math.NaN(), 1, 1}
	many.Weight = []float64{1}
	for _, c := range []struct {
		b      *Blocks
		ranks  int
		shares []float64
		want   string
	}{
		{&b, 5, nil, "5 ranks: the domain has 4 blocks, 8 nodes a side, with fluid, and each rank must have one: take at most 4 ranks, narrower blocks or more nodes"},
		{&sparse, 3, nil, "at most 2 ranks"},
		{&bad, 2, nil, "block 1 has weight NaN"},
		{&many, 2, nil, "1 weights of 4 blocks"},
		{&b, 2, []float64{1}, "1 speeds of 2 ranks"},
		{&b, 2, []float64{1, 0}, "rank 1 has speed 0"},
		{&b, 0, nil, "0 ranks"},
		{&Blocks{Size: [3]int{4, 4, 1}}, 1, nil, "blocks of 0 nodes"},
	} {
		if _, err := c.b.Boxes(c.ranks, c.shares); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
