package joined

import (
	"cmp"
	"slices"
	"testing"

	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// Rules that are found once for many cells are those that are found for each by itself.
func TestRulesOfLinesAreThoseOfCells(t *testing.T) {
	if testing.Short() {
		t.Skip("has no goroutines, which the race detector looks at")
	}
	wall := lbm.Face{Kind: lbm.NoSlip}
	lid := lbm.Face{Kind: lbm.MovingWall, Velocity: func(p [3]float64) [3]float64 { return [3]float64{1e-4 * p[0]} }}
	plane := func(faces ...lbm.Face) lbm.Config {
		c := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{128, 96, 1}}
		copy(c.Faces[:], faces)
		return c
	}
	space := plane(lbm.Face{}, lbm.Face{}, wall, lbm.Face{Kind: lbm.FreeSlip})
	space.Lattice, space.Size = lbm.D3Q19, [3]int{48, 40, 36}
	moving := space
	moving.Faces[3] = lid
	for name, c := range map[string]struct {
		cfg   lbm.Config
		boxes []Box
		least float64 // cells of which several share their rules, of all
	}{
		"one box":                   {plane(), []Box{{Level: 1, Lo: [3]int{20, 20, 0}, Hi: [3]int{80, 76, 1}}}, 0.5},
		"at a wall that moves":      {plane(lbm.Face{}, lbm.Face{}, wall, lid), []Box{{Level: 1, Lo: [3]int{20, 40, 0}, Hi: [3]int{80, 96, 1}}}, 0.3},
		"two boxes, across a face":  {plane(), []Box{{Level: 1, Lo: [3]int{0, 20, 0}, Hi: [3]int{60, 70, 1}}, {Level: 1, Lo: [3]int{72, 34, 0}, Hi: [3]int{116, 90, 1}}}, 0.1},
		"a box in space":            {space, []Box{{Level: 1, Lo: [3]int{8, 8, 8}, Hi: [3]int{40, 32, 28}}}, 0.3},
		"a column in space":         {space, []Box{{Level: 1, Lo: [3]int{8, 0, 8}, Hi: [3]int{40, 40, 28}}}, 0.3},
		"in a corner, a wall moves": {moving, []Box{{Level: 1, Lo: [3]int{8, 16, 8}, Hi: [3]int{40, 40, 28}}}, 0.2},
		"two levels":                {space, []Box{{Level: 1, Lo: [3]int{8, 8, 0}, Hi: [3]int{40, 32, 36}}, {Level: 2, Lo: [3]int{16, 16, 12}, Hi: [3]int{32, 24, 24}}}, 0},
	} {
		pool := parallel.NewPool(1)
		defer pool.Close()
		var err error
		if c.cfg.Collision, err = lbm.NewCollision("trt", 0.05, lbm.MagicPoiseuille); err != nil {
			t.Fatal(err)
		}
		f, err := New(c.cfg, c.boxes, func(cfg lbm.Config) (lbm.Fluid[float64], error) { return lbm.New[float64](cfg, pool) })
		if err != nil {
			t.Fatal(err)
		}
		for l := 1; l < len(f.levels); l++ {
			for _, p := range f.whole[l] {
				s := f.compilerOf(p, false)
				short := s.rules()
				single, lines, cells := &seamRules{}, 0, 0
				p.eachLine(s.others, s.above, func(l line) {
					for k := range l.copies + 1 {
						for _, piece := range l.moved(k).pieces {
							for range piece.n {
								single.add(s.cell(piece.cell, l.axis, 1))
								piece.cell[l.axis]++
								cells++
							}
							if piece.alike {
								lines += piece.n - 1
							}
						}
					}
				})
				if share := float64(lines) / float64(cells); share < c.least {
					t.Errorf("%s: %.2f of all cells are like others, should be %g", name, share, c.least)
				}
				single.each(short, func(all *[]rule, from []rule) { sameRules(t, name, *all, singles(from)) })
			}
		}
	}
}

// sameRules compares rules for single nodes, in any order.
func sameRules(t *testing.T, name string, want, got []rule) {
	t.Helper()
	byNode := func(a, b rule) int { return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.dir, b.dir)) }
	slices.SortFunc(want, byNode)
	slices.SortFunc(got, byNode)
	if len(want) != len(got) {
		t.Fatalf("%s: %d rules, want %d", name, len(got), len(want))
	}
	for k := range want {
		if want[k].node != got[k].node || want[k].dir != got[k].dir || !slices.Equal(want[k].terms, got[k].terms) {
			t.Fatalf("%s: population %d of node %d is %v, want population %d of node %d to be %v", name, got[k].dir, got[k].node, got[k].terms, want[k].dir, want[k].node, want[k].terms)
		}
		if k > 0 && byNode(got[k-1], got[k]) == 0 {
			t.Fatalf("%s: population %d of node %d has two rules", name, got[k].dir, got[k].node)
		}
	}
}
