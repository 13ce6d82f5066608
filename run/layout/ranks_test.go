package layout

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/internal/partition"
	"lbmib/run/setup/setuptest"
)

// Each section shows who has what of it: of the domain all, of finer nodes what the box of them has.
func TestSectionsShowWhoHasWhat(t *testing.T) {
	p := setuptest.Problem(t, bodyInSpace)
	var ranks [][]partition.Box
	for l, g := range p.Grids.Levels {
		half := g.Flow.Size[1] / 2
		low, high := partition.Box{Hi: g.Flow.Size}, partition.Box{Hi: g.Flow.Size}
		low.Hi[1], high.Lo[1] = half, half
		if ranks = append(ranks, []partition.Box{low, high}); l > 1 {
			t.Fatal("two levels are meant")
		}
	}
	cut := middle(p)
	for _, axes := range viewsOf(p) {
		v := view(p, axes, cut, 2)
		addRanks(&v, p, ranks, axes, cut)
		var area [2]float64
		for _, b := range v.Ranks {
			area[b.Level] += (b.High[0] - b.Low[0]) * (b.High[1] - b.Low[1])
		}
		want := [2]float64{(v.High[0] - v.Low[0]) * (v.High[1] - v.Low[1]), (v.Boxes[0].High[0] - v.Boxes[0].Low[0]) * (v.Boxes[0].High[1] - v.Boxes[0].Low[1])}
		for l := range area {
			if math.Abs(area[l]-want[l]) > 1e-9*want[l] {
				t.Errorf("view %v, level %d: %g L² are someone's, of %g", axes, l, area[l], want[l])
			}
		}
	}
	path := filepath.Join(t.TempDir(), "ranks.png")
	if err := DrawRanks(path, p, ranks, "two ranks"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("the picture: %v", err)
	}
}
