package joined_test

import (
	"testing"

	"lbmib/lbm"
)

// A body force that rank 0 alone can know acts on all ranks, from the state that is set on.
func TestRanksAreDrivenAlike(t *testing.T) {
	cfg := plane(t)
	held := 1e-5
	here, there := cfg, cfg
	here.Acceleration = func(float64) [3]float64 { return [3]float64{held, held / 2} }
	there.Acceleration = func(float64) [3]float64 { return [3]float64{1e-3} } // what another rank believes
	one := grids[float64](t, here)
	ranks := overRanksWith[float64](t, here, there, divided(&cfg), 3, 1)
	nodes, at := []int32{5, 700, 2000}, []int32{0, 1, 2}
	same := func(when string) {
		t.Helper()
		equalStates(t, one, ranks)
		var v [2][3][]float64
		for k, f := range []lbm.Fluid[float64]{one, ranks} {
			for a := range v[k] {
				v[k][a] = make([]float64, 3)
			}
			f.Moments(nodes, at, v[k][0], v[k][1:])
		}
		for a := range v[0] {
			for k := range v[0][a] {
				if v[0][a][k] != v[1][a][k] {
					t.Fatalf("%s: moments are %v, over ranks %v", when, v[0], v[1])
				}
			}
		}
	}
	one.Initialize(swirl)
	ranks.Initialize(swirl)
	same("at the beginning")
	for range 12 {
		held *= 1.3
		one.Step()
		ranks.Step()
	}
	same("after steps")
	saved := lbm.StateOf[float64](one)
	one.Step()
	ranks.Step()
	held = 3e-5
	if err := one.SetState(saved); err != nil {
		t.Fatal(err)
	}
	if err := ranks.SetState(saved); err != nil {
		t.Fatal(err)
	}
	same("after a state was set")
	one.Step()
	ranks.Step()
	same("after a step from there")
}
