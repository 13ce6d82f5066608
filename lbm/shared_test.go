package lbm_test

import (
	"math/rand/v2"
	"testing"

	"lbmib/lbm"
)

// A device writes all links at once, in any order: none may read or write what another
// writes, wherever a scheme lets populations lie, and each population that is pulled
// from beyond a face or out of a wall must be written.
func TestLinksCanBeWrittenInAnyOrder(t *testing.T) {
	for seed := range uint64(200) {
		cfg := drawFlow(rand.New(rand.NewPCG(seed, 5)))
		l, size := cfg.Lattice, cfg.Size
		index := func(slot int, p [3]int, c [3]int, shift int) int { // ghosts around the domain
			n := slot
			for a := range 3 {
				n = n*(size[a]+4) + p[a] + shift*c[a] + 2
			}
			return n
		}
		type places = func(i int, p [3]int) int
		at := func(opposite bool, shift int) places {
			return func(i int, p [3]int) int {
				slot := i
				if opposite {
					slot = lbm.Opposite(i)
				}
				return index(slot, p, l.C[i], shift)
			}
		}
		for name, s := range map[string]struct{ post, pull places }{
			"ab": {at(false, 0), at(false, -1)}, "in place, pull": {at(true, 0), at(true, -1)}, "in place, local": {at(false, 1), at(false, 0)},
		} {
			base := func(row int) int { return index(0, [3]int{0, row % size[1], row / size[1]}, [3]int{}, 0) }
			links := lbm.CompileLinks[float64](&cfg, lbm.Addresses{Post: s.post, Pull: s.pull, Base: base})
			written, read := map[int]bool{}, map[int]bool{}
			write := func(to int) {
				if written[to] {
					t.Fatalf("seed %d, %s: population %d is written twice", seed, name, to)
				}
				written[to] = true
			}
			for row := range links.Copies {
				for _, span := range []lbm.Span{links.Walls[row], links.Copies[row]} {
					for k := span.Lo; k < span.Hi; k++ {
						write(base(row) + links.To[k])
						read[base(row)+links.From[k]] = true
					}
				}
			}
			for _, o := range links.Open {
				write(o.To)
			}
			for place := range read {
				if written[place] {
					t.Fatalf("seed %d, %s: population %d is read by one link and written by another", seed, name, place)
				}
			}
			wanted := 0
			for n := range cfg.Nodes() {
				p := cfg.Position(n)
				for i := 1; i < l.Q && (cfg.Solid == nil || !cfg.Solid[n]); i++ {
					from, outside := p, false
					for a := range from {
						from[a] -= l.C[i][a]
						outside = outside || from[a] < 0 || from[a] >= size[a]
					}
					if outside || cfg.Solid != nil && cfg.Solid[cfg.Node(from)] {
						wanted++
						if !written[s.pull(i, p)] {
							t.Fatalf("seed %d, %s: population %d that arrives at %v is not written", seed, name, i, p)
						}
					}
				}
			}
			if len(written) != wanted {
				t.Fatalf("seed %d, %s: %d populations are written, %d are to be", seed, name, len(written), wanted)
			}
		}
	}
}
