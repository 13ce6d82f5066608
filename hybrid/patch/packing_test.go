package patch

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/ib"
	"lbmib/internal/checking/checkingtest"
)

// Boxes in a packing do not overlap, are in it, and lie where the order of coupling is kept.
func TestBoxesInAPackingHaveNoNodeInCommon(t *testing.T) {
	checkingtest.NumbersAlone(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 300 {
		dim := 2 + round%2
		places := aligned{period: [3]int{1 + rng.IntN(24), 1 + rng.IntN(4), 1 + rng.IntN(4)}}
		boxes := make([]span, 1+rng.IntN(40))
		for i := range boxes {
			boxes[i].hi[2] = 1
			for a := range dim {
				boxes[i].lo[a] = rng.IntN(400) - 200
				boxes[i].hi[a] = boxes[i].lo[a] + 1 + rng.IntN(30)
			}
		}
		if dim == 2 {
			places.period[2] = 1
		}
		var at packing
		if !at.pack(boxes, places, dim, 4096) {
			t.Fatalf("%d boxes do not fit 4096 nodes an axis", len(boxes))
		}
		owner := make([]int, at.nodes())
		grid := ib.Grid{Dim: dim, Size: at.size}
		for i, s := range boxes {
			b := at.boxes[at.of[i]]
			if b.span != s {
				t.Fatalf("box %d is %+v, should be %+v", i, b.span, s)
			}
			for a := range 3 {
				if (b.at[a]-b.lo[a]+places.origin[a])%places.period[a] != 0 {
					t.Fatalf("box %+v lies at %v, its order has period %v", s, b.at, places.period)
				}
			}
			for n := range s.nodes() {
				x, y, z := n%s.length(0), n/s.length(0)%s.length(1), n/(s.length(0)*s.length(1))
				node := b.at[0] + x + at.size[0]*(b.at[1]+y+at.size[1]*(b.at[2]+z))
				if owner[node] != 0 {
					t.Fatalf("boxes %d and %d overlap", owner[node]-1, i)
				}
				owner[node] = i + 1
			}
		}
		w := walk{of: &at, window: &grid, line: -1}
		for node, i := range owner {
			if i == 0 {
				continue
			}
			b := at.boxes[at.of[i-1]]
			x, y, z := node%at.size[0], node/at.size[0]%at.size[1], node/(at.size[0]*at.size[1])
			want := [3]int{x - b.at[0] + b.lo[0], y - b.at[1] + b.lo[1], z - b.at[2] + b.lo[2]}
			if got := w.to(node); got != want {
				t.Fatalf("node %d stands for %v, should stand for %v", node, got, want)
			}
		}
	}
}

// Clusters are what overlapping pairs make of all boxes, images across faces included.
func TestClustersAreChainsOfOverlappingBoxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	found := 0
	for round := range 2000 {
		c := clusters{dim: 2 + round%2, size: [3]int{60, 50, 40}, periodic: [3]bool{round%3 > 0, round%5 > 1, round%7 > 3}}
		boxes := make([]span, 2+rng.IntN(14))
		for i := range boxes {
			boxes[i].hi[2] = 1
			for a := range c.dim {
				boxes[i].lo[a] = rng.IntN(c.size[a] - 12)
				if c.periodic[a] {
					boxes[i].lo[a] = rng.IntN(5*c.size[a]) - 2*c.size[a]
				}
				boxes[i].hi[a] = boxes[i].lo[a] + 3 + rng.IntN(9)
			}
		}
		if !c.find(boxes) {
			continue
		}
		found++
		for i := range boxes {
			for j := range boxes {
				if overlap(&c, boxes[i], boxes[j]) && c.parent[i] != c.parent[j] {
					t.Fatalf("boxes %+v and %+v overlap and are in different clusters", boxes[i], boxes[j])
				}
				if i == j || c.parent[i] != c.parent[j] || !overlap(&c, boxes[i], boxes[j]) {
					continue
				}
				a, b := moved(&c, boxes[i], c.turns[i]), moved(&c, boxes[j], c.turns[j])
				for x := range c.dim {
					if a.lo[x] >= b.hi[x] || b.lo[x] >= a.hi[x] {
						t.Fatalf("boxes %+v and %+v of a cluster lie apart as %+v and %+v", boxes[i], boxes[j], a, b)
					}
				}
			}
		}
		alone := map[int32]int{}
		for i := range boxes {
			if alone[c.parent[i]]++; c.parent[c.parent[i]] != c.parent[i] || c.parent[i] > int32(i) {
				t.Fatalf("body %d is in the cluster of %d, which is not its least", i, c.parent[i])
			}
		}
		for i := range boxes { // none is in a cluster without a reason
			if alone[c.parent[i]] > 1 && !slices.ContainsFunc(boxes, func(o span) bool { return o != boxes[i] && overlap(&c, boxes[i], o) }) {
				t.Fatalf("box %+v overlaps none and is in a cluster", boxes[i])
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d of 2000 lie once in their domains", found)
	}
}

func moved(c *clusters, s span, turns [3]int) span {
	for a := range c.dim {
		s.lo[a], s.hi[a] = s.lo[a]+turns[a]*c.size[a], s.hi[a]+turns[a]*c.size[a]
	}
	return s
}

// overlap asks every node.
func overlap(c *clusters, b, o span) bool {
	for a := range c.dim {
		common := false
		for x := b.lo[a]; x < b.hi[a]; x++ {
			for y := o.lo[a]; y < o.hi[a]; y++ {
				common = common || x == y || c.periodic[a] && (x-y)%c.size[a] == 0
			}
		}
		if !common {
			return false
		}
	}
	return true
}
