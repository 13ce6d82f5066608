package lbm

import (
	"testing"

	"lbmib/internal/parallel"
)

// Links of open faces are a matter of a few runs, whatever the size of the faces: rows that
// only end at faces share theirs, and rows along a face have one for each velocity and
// corner.
func TestLinksOfOpenFacesAreRuns(t *testing.T) {
	for _, c := range []struct {
		lattice *Lattice
		size    [3]int
		most    int // corners, edges and sides differ
	}{{D2Q9, [3]int{300, 200, 1}, 40}, {D3Q19, [3]int{60, 50, 40}, 400}} {
		for _, streaming := range StreamingNames {
			collision, err := NewCollision("bgk", 0.1, 0)
			if err != nil {
				t.Fatal(err)
			}
			cfg := Config{Lattice: c.lattice, Size: c.size, Collision: collision, Streaming: streaming}
			for side := range 2 * c.lattice.Dim {
				cfg.Faces[side] = Face{Kind: Outflow}
			}
			pool := parallel.NewPool(1)
			f, err := NewCPU[float64, float64](cfg, pool)
			if err != nil {
				t.Fatal(err)
			}
			for phase := range f.links {
				if n := len(f.links[phase].open.runs); n > c.most {
					t.Errorf("%s %s: the links of open faces are %d runs, bound %d", c.lattice.Name, streaming, n, c.most)
				}
			}
			pool.Close()
		}
	}
}
