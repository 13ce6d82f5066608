package relaxation

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/parallel"
)

// run makes the test with few data sites and steps four times as long.
func run(t *testing.T, nodes, data, workers int) *State {
	t.Helper()
	pool := parallel.NewPool(workers)
	defer pool.Close()
	s, err := Run(context.Background(), Grid{Nodes: nodes, Data: data, Area: Area, Delta: Delta, Substeps: 128 / nodes, End: End}, pool, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSitesConverge: from the three coarsest grids, the difference of positions falls with an order of 0.5 to 1.6. First order is
// what a delta along a surface has; it comes from below, as kernels of 4 nodes are half of the radius on the coarsest
// grid: 0.7 and then 0.9 in the whole test. An error that does not go with h has the order 0. Velocities differ by less and less, too.
func TestSitesConverge(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	var states []*State
	for _, n := range []int{16, 32, 64} {
		s := run(t, n, 225, 2)
		if math.Abs(s.Volume-1) > 1e-3 {
			t.Errorf("%d³: the volume is %g of what it was", n, s.Volume)
		}
		states = append(states, s)
	}
	var d [2]Difference
	for i := range d {
		var err error
		if d[i], err = Compare(states[i], states[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	for name, order := range map[string]float64{"L2": math.Log2(d[0].Sites.L2 / d[1].Sites.L2), "the largest": math.Log2(d[0].Sites.Max / d[1].Sites.Max)} {
		t.Logf("sites, %s: order %.3f", name, order)
		if !(order > 0.5 && order < 1.6) {
			t.Errorf("sites, %s: order %g", name, order)
		}
	}
	if !(d[1].Velocity.L2 < d[0].Velocity.L2 && d[0].Velocity.L2 > 0) {
		t.Errorf("velocities differ by %g and then by %g", d[0].Velocity.L2, d[1].Velocity.L2)
	}
}

// TestTheSameBits for any number of workers.
func TestTheSameBits(t *testing.T) {
	one, three := run(t, 16, 225, 1), run(t, 16, 225, 3)
	if !slices.Equal(one.Sites, three.Sites) || !slices.Equal(one.Velocity[1], three.Velocity[1]) {
		t.Error("one worker and three differ")
	}
	if one.Sites[7] == one.Began[7] {
		t.Error("nothing has moved")
	}
}

// TestOtherSitesAreNotCompared: an even number of data sites has other places where sample sites have other mirrors.
func TestOtherSitesAreNotCompared(t *testing.T) {
	if _, err := Compare(run(t, 16, 220, 2), run(t, 32, 220, 2)); err == nil || !strings.Contains(err.Error(), "an odd number") {
		t.Errorf("err = %v", err)
	}
	if _, err := Compare(run(t, 16, 225, 2), run(t, 16, 65, 2)); err == nil {
		t.Error("sites of other numbers are compared")
	}
}

// TestGridsAreThePapers: its spacings, sample sites, and steps that divide its own.
func TestGridsAreThePapers(t *testing.T) {
	for i, g := range Grids(Delta) {
		if h := math.Pow(0.5, float64(i)); g.Spacing() != h || math.Abs(g.PaperStep()/(1.6*h*h)-1) > 1e-15 || g.Samples() != 220<<(2*i) {
			t.Errorf("%+v: h = %g, k = %g, n_s = %d", g, g.Spacing(), g.PaperStep(), g.Samples())
		}
		if sound := g.Spacing() / g.Step() / math.Sqrt(3); math.Abs(sound-11.547) > 1e-3 {
			t.Errorf("%+v: sound has %g m/s", g, sound)
		}
	}
}
