package check

import (
	"fmt"
	"strings"
	"testing"

	"lbmib/io/casefile"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// nestedWake is a cylinder's wake on three levels, which ends in an outflow.
const nestedWake = `
[reference]
resolution = 24
velocity   = 0.05
reynolds   = %v
[domain]
lattice = "D2Q9"
size    = [14, 12]
initial = { type = "uniform", velocity = [1.0, 0.0] }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
[fluid]
collision = "recursive"
[[body]]
name  = "part"
shape = { type = "circle", center = [4.0, 6.0], diameter = 1.0 }
[run]
time = 60
`

// TestFinerNodesKeepAwayFromOutflows: what was seen to diverge is unsafe, what ran is not, and nothing that is proposed is even a caution.
func TestFinerNodesKeepAwayFromOutflows(t *testing.T) {
	for _, c := range []struct {
		reynolds, behind float64
		more             string
		diverged         bool
	}{
		{232, 8, "", true}, {464, 8, "", true}, {464, 7.5, "", true}, {464, 7, "", true},
		{116, 8, "", false}, {232, 7.5, "", false}, {232, 7, "", false}, {464, 6, "", false}, {464, 4, "", false},
		{464, 8, `fluid.les={type="smagorinsky", constant=0.1}`, false},
	} {
		text := fmt.Sprintf(nestedWake, c.reynolds) + fmt.Sprintf("[[refine]]\naround = \"part\"\nmargin = [1.5, %v, 2, 2]\nlevel = 2\n", c.behind)
		var sets []string
		if c.more != "" {
			sets = []string{c.more}
		}
		r := look(setuptest.InEmptyDirectory(t, text), sets)
		if r.Grids == nil {
			t.Fatal(r.Errors)
		}
		j := r.Grids.Levels[0].GridReynolds
		if c.diverged != (j.Verdict == Unsafe) || c.diverged && !strings.Contains(j.Reason, "before a face where fluid leaves") {
			t.Errorf("Re = %v, a box that ends %v L behind, %s: %+v", c.reynolds, c.behind, c.more, j)
		}
	}
	for _, reynolds := range []float64{60, 232, 400} {
		c, err := casefile.Parse("wake.toml", fmt.Appendf(nil, nestedWake, reynolds), nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := setup.New(c)
		if err != nil {
			t.Fatal(err)
		}
		found, why := proposeGrids(p, roomOf(p))
		if found == nil {
			t.Fatalf("Re = %v: no grids are proposed: %s", reynolds, why)
		}
		for _, l := range found.Levels {
			if l.GridReynolds.Verdict == Caution || l.GridReynolds.Verdict == Unsafe {
				t.Errorf("Re = %v, proposed: %+v", reynolds, l)
			}
		}
	}
}
