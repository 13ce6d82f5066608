package partition

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/internal/metis"
)

// velocities are those of D2Q9 or D3Q19 but for rest.
func velocities(dim int) (c [][3]int) {
	for z := -1; z <= 1; z++ {
		for y := -1; y <= 1; y++ {
			for x := -1; x <= 1; x++ {
				if n := x*x + y*y + z*z; n > 0 && n < 3 && (dim == 3 || z == 0) {
					c = append(c, [3]int{x, y, z})
				}
			}
		}
	}
	return c
}

// What crosses between ranks is what a count of all populations of all nodes finds.
func TestCrossingIsCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		b := &Blocks{Width: 2 + r.IntN(3)}
		for a := range b.Size {
			b.Size[a] = 1 + r.IntN(10)
			b.Periodic[a] = r.IntN(2) == 0 && b.Size[a] > 1
		}
		if r.IntN(3) == 0 {
			b.Size[2] = 1
		}
		a := &Assignment{Ranks: 1 + r.IntN(4), Rank: make([]int32, b.Count())}
		for i := range a.Rank {
			a.Rank[i] = int32(r.IntN(a.Ranks))
		}
		m := b.Measure(a, nil)
		owner := owners(b, a)
		crossing, pairs, near := make([]float64, a.Ranks), make([]float64, a.Ranks), map[[2]int32]bool{}
		for i, own := range owner {
			p := place(i, b.Size)
			for _, c := range velocities(b.dim()) {
				q, out := p, false
				for k := range q {
					q[k] += c[k]
					if b.Periodic[k] {
						q[k] = (q[k] + b.Size[k]) % b.Size[k]
					}
					out = out || q[k] < 0 || q[k] >= b.Size[k]
				}
				if out || owner[number(q, b.Size)] == own {
					continue
				}
				crossing[own]++
				near[[2]int32{own, owner[number(q, b.Size)]}] = true
				if c[0]*c[0]+c[1]*c[1]+c[2]*c[2] == 1 {
					pairs[own]++
				}
			}
		}
		neighbours := make([]int, a.Ranks)
		for k := range near {
			neighbours[k[0]]++
		}
		for k := range a.Ranks {
			if math.Abs(m.Crossing[k]-crossing[k]) > 1e-9*(1+crossing[k]) || m.Pairs[k] != pairs[k] || m.Neighbours[k] != neighbours[k] {
				t.Fatalf("%+v, ranks %v: rank %d: %g populations, %g pairs, %d neighbours; counted %g, %g, %d", b, a.Rank, k, m.Crossing[k], m.Pairs[k], m.Neighbours[k], crossing[k], pairs[k], neighbours[k])
			}
		}
	}
}

// owners is the rank of each node.
func owners(b *Blocks, a *Assignment) []int32 {
	owner := make([]int32, b.Size[0]*b.Size[1]*b.Size[2])
	for i, r := range a.Rank {
		of := b.Block(i)
		for z := of.Lo[2]; z < of.Hi[2]; z++ {
			for y := of.Lo[1]; y < of.Hi[1]; y++ {
				for x := of.Lo[0]; x < of.Hi[0]; x++ {
					owner[number([3]int{x, y, z}, b.Size)] = r
				}
			}
		}
	}
	return owner
}

// Every block with fluid has a rank, every rank has one, no other has; and none is slower than with boxes.
func TestGraphsAreSharedWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		b := random(r)
		c := newCutter(b, 1, nil)
		ranks := 1 + r.IntN(min(12, c.room(Box{Hi: c.n})))
		var shares []float64
		if r.IntN(3) == 0 {
			for range ranks {
				shares = append(shares, 0.2+r.Float64())
			}
		}
		a, err := b.Graph(ranks, shares)
		if err != nil {
			t.Fatal(err)
		}
		has := make([]bool, ranks)
		weights, _ := b.weights()
		for i, k := range a.Rank {
			if weights[i] > 0 != (k >= 0) {
				t.Fatalf("%+v: block %d with weight %d has rank %d", b, i, weights[i], k)
			}
			if k >= 0 {
				has[k] = true
			}
		}
		if slices.Contains(has, false) {
			t.Fatalf("%+v, %d ranks by %s: %v have blocks", b, ranks, a.How, has)
		}
		boxes, _ := b.Boxes(ranks, shares)
		if is, box := b.Measure(a, shares).Slowest, b.Measure(b.InBoxes(boxes), shares).Slowest; is > box {
			t.Errorf("%+v, %d ranks: %s %g, boxes %g", b, ranks, a.How, is, box)
		}
		again, _ := b.Graph(ranks, shares)
		if !slices.Equal(a.Rank, again.Rank) {
			t.Fatalf("%+v, %d ranks: another answer", b, ranks)
		}
	}
}

// A helix of blocks, which boxes share badly.
func helix() *Blocks {
	b := &Blocks{Size: [3]int{320, 320, 320}, Width: 8}
	b.Weight = make([]float64, b.Count())
	n := b.Grid()
	for k := range 20000 {
		s := float64(k) / 20000
		p := [3]int{int(20 + 15*math.Cos(8*math.Pi*s)), int(20 + 15*math.Sin(8*math.Pi*s)), int(39 * s)}
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				b.Weight[number([3]int{p[0] + dx, p[1] + dy, p[2]}, n)] = 512
			}
		}
	}
	return b
}

// What is kept, and what the others are, of a full box of 20³ blocks and of a helix.
func TestWhatIsKept(t *testing.T) {
	for _, c := range []struct {
		name  string
		b     *Blocks
		bound float64 // of imbalance
	}{{"box", &Blocks{Size: [3]int{160, 160, 160}, Width: 8}, 1.05}, {"helix", helix(), 1.06}} {
		for _, ranks := range []int{2, 8, 16, 32} {
			boxes, err := c.b.Boxes(ranks, nil)
			if err != nil {
				t.Fatal(err)
			}
			a, err := c.b.Graph(ranks, nil)
			if err != nil {
				t.Fatal(err)
			}
			of, kept := c.b.Measure(c.b.InBoxes(boxes), nil), c.b.Measure(a, nil)
			t.Logf("%s, %d ranks: boxes imbalance %.3f cut %.0f; %s %.3f cut %.0f", c.name, ranks, of.Imbalance, of.Cut, a.How, kept.Imbalance, kept.Cut)
			if kept.Imbalance > c.bound {
				t.Errorf("%s, %d ranks: imbalance %.3f", c.name, ranks, kept.Imbalance)
			}
			g := newGraph(c.b)
			all := []*Assignment{g.assign(g.bisect(ranks, nil, g.byCoordinates), ranks, "coordinates"), g.assign(g.bisect(ranks, nil, g.byGrowth), ranks, "graph")}
			if kway, bisected, err := g.metis(ranks, nil); err == nil {
				all = append(all, g.assign(kway, ranks, "metis"), g.assign(bisected, ranks, "metis, bisected"))
			} else if metis.Load() == nil {
				t.Error(err)
			}
			for _, o := range all {
				m := c.b.Measure(o, nil)
				t.Logf("    %-16s imbalance %.3f cut %.0f, slowest %.0f", o.How, m.Imbalance, m.Cut, m.Slowest)
				if m.Slowest < kept.Slowest {
					t.Errorf("%s, %d ranks: %s was kept: %g, %s has %g", c.name, ranks, a.How, kept.Slowest, o.How, m.Slowest)
				}
			}
		}
	}
}
