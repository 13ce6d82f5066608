package hybrid

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

func namedDisc(t testing.TB, name string, x, y float64) *rigid.Body {
	t.Helper()
	s, err := geometry.NewCircle(geometry.Vec{x, y}, 10)
	if err != nil {
		t.Fatal(err)
	}
	b, err := rigid.NewBody(name, s, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func inPlane(t testing.TB, size int) *lbm.Config {
	t.Helper()
	c, err := lbm.NewCollision("bgk", 0.05, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	return &lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{size, size, 1}, Collision: c}
}

// Places are refused in the words of the run.
func TestPlacesAreCheckedAsACouplingDoes(t *testing.T) {
	pool := parallel.NewPool(1)
	defer pool.Close()
	good := CouplingConfig{Delta: "roma3", Transfer: "sort-reduce", Forcing: "multidirect"}
	far := namedDisc(t, "far", 20, 20)
	far.Markers.X[3][1] = math.NaN()
	walls := inPlane(t, 60)
	for a := range 4 {
		walls.Faces[a].Kind = lbm.Velocity
	}
	solid := inPlane(t, 60)
	solid.Solid = make([]bool, solid.Nodes())
	solid.Solid[solid.Node([3]int{26, 20, 0})] = true
	for name, c := range map[string]struct {
		cfg    CouplingConfig
		flow   *lbm.Config
		bodies []*rigid.Body
		good   bool
	}{
		"apart":          {good, inPlane(t, 60), []*rigid.Body{namedDisc(t, "a", 20, 20), namedDisc(t, "b", 40, 40)}, true},
		"one":            {good, inPlane(t, 60), []*rigid.Body{namedDisc(t, "a", 20, 20)}, true},
		"across a face":  {good, inPlane(t, 60), []*rigid.Body{namedDisc(t, "a", 1, 20), namedDisc(t, "b", 40, 40)}, true},
		"cut":            {good, inPlane(t, 60), []*rigid.Body{namedDisc(t, "a", 20, 20), namedDisc(t, "b", 26, 20)}, false},
		"leaves":         {good, walls, []*rigid.Body{namedDisc(t, "a", 20, 20), namedDisc(t, "b", 5, 40)}, false},
		"in a solid":     {good, solid, []*rigid.Body{namedDisc(t, "b", 40, 40), namedDisc(t, "a", 20, 20)}, false},
		"not a number":   {good, inPlane(t, 60), []*rigid.Body{far}, false},
		"other delta":    {CouplingConfig{Delta: "none", Transfer: "serial"}, inPlane(t, 60), []*rigid.Body{namedDisc(t, "a", 20, 20)}, false},
		"other transfer": {CouplingConfig{Delta: "roma3", Transfer: "none"}, inPlane(t, 60), []*rigid.Body{namedDisc(t, "a", 20, 20)}, false},
	} {
		_, want := NewCoupling[float64](c.cfg, c.flow, c.bodies, pool)
		got := CheckPlaces[float64](c.cfg, c.flow, c.bodies, pool)
		if fmt.Sprint(got) != fmt.Sprint(want) || (got == nil) != c.good {
			t.Errorf("%s: %v, the coupling says %v", name, got, want)
		}
	}
}

// Weights are refused in the words of the run.
func TestWeightsAreCheckedAsACouplingDoes(t *testing.T) {
	pool := parallel.NewPool(1)
	defer pool.Close()
	for delta, good := range map[string]bool{"roma3": true, "m4prime": true, "none": false} {
		for _, gap := range []float64{0.4, 12} {
			cfg := CouplingConfig{Delta: delta, Transfer: "sort-reduce", Forcing: "direct"}
			bodies, flow := []*rigid.Body{namedDisc(t, "a", 20, 20), namedDisc(t, "b", 30+gap, 20.3)}, inPlane(t, 60)
			_, want := NewCoupling[float64](cfg, flow, bodies, pool)
			if got := CheckWeights[float64](cfg, flow, bodies); fmt.Sprint(got) != fmt.Sprint(want) || (got == nil) != good {
				t.Errorf("%s, gap %g: %v, the coupling says %v", delta, gap, got, want)
			}
		}
	}
}

// What checking places takes does not grow with the nodes between bodies.
func TestCheckingPlacesTakesNoFields(t *testing.T) {
	pool := parallel.NewPool(1)
	defer pool.Close()
	cfg := CouplingConfig{Delta: "roma3", Transfer: "sort-reduce", Forcing: "multidirect"}
	taken := func(n int) uint64 {
		var bodies []*rigid.Body
		for i := range n {
			bodies = append(bodies, namedDisc(t, fmt.Sprint(i), 20+30*float64(i%20), 20+30*float64(i/20)))
		}
		flow := inPlane(t, 640)
		if err := CheckPlaces[float64](cfg, flow, bodies, pool); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := CheckPlaces[float64](cfg, flow, bodies, pool); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	// A disc's own window of 13² nodes and 31 markers would take 20 kB of fields.
	if one, all := taken(1), taken(400); all-one > 400*1500 {
		t.Errorf("a body takes %d bytes, want at most 1500", (all-one)/400)
	}
}
