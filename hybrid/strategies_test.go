package hybrid

import (
	"math"
	"strings"
	"testing"

	"lbmib/ib"
	"lbmib/lbm"
)

// The drag of a body does not depend on how forces are spread: strategies add the
// same terms in different orders. After 100 steps of a flow that amplifies nothing,
// roundings of the force (1e-16 of the populations, some 1e-13 of the force) have
// not grown to 1e-10.
func TestEveryStrategyGivesTheSameDrag(t *testing.T) {
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		want := dragBy(t, l, "serial", 1)
		if !(want[0] > 1e-3) {
			t.Fatalf("%s: drag %v: there is no flow", l.Name, want)
		}
		for _, strategy := range ib.TransferNames() {
			one := dragBy(t, l, strategy, 1)
			for a := range want {
				if math.Abs(one[a]-want[a]) > 1e-10*want[0] {
					t.Errorf("%s, %s: force %v, by serial %v", l.Name, strategy, one, want)
				}
			}
			if strategy == "atomic" { // in the order in which workers come
				continue
			}
			for _, workers := range []int{2, 3} {
				if many := dragBy(t, l, strategy, workers); many != one {
					t.Errorf("%s, %s: force %v on %d workers, %v on one: want the same bits", l.Name, strategy, many, workers, one)
				}
			}
		}
	}
}

// dragBy is the force on a ball in a stream after 100 steps.
func dragBy(t *testing.T, l *lbm.Lattice, strategy string, workers int) [3]float64 {
	t.Helper()
	s := simulate[float64](t, l, "bgk", strategy, "direct", workers)
	for range 99 {
		s.Step()
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return s.StepMeasured()[0].Force
}

// A fluid that is no longer finite where a marker is leaves no force to apply: the
// step names marker and step.
func TestForcesThatAreNotFiniteNameMarkerAndStep(t *testing.T) {
	s := simulate[float64](t, lbm.D2Q9, "bgk", "auto", "direct", 1)
	for range 3 {
		s.Step()
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	x := s.Bodies[0].Markers.X[7]
	state := lbm.StateOf(s.Fluid)
	node := s.Fluid.Config().Node([3]int{int(x[0]), int(x[1]), 0})
	state.Populations[0][node] = math.NaN()
	if err := s.Fluid.SetState(state); err != nil {
		t.Fatal(err)
	}
	s.Step()
	err := s.Err()
	if err == nil {
		t.Fatal("a force that is not finite is applied")
	}
	for _, say := range []string{`body "ball"`, "marker ", "at step 4", "NaN"} {
		if !strings.Contains(err.Error(), say) {
			t.Errorf("error %q does not say %q", err, say)
		}
	}
}
