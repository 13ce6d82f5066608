package hybrid

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// The drag of bodies does not depend on how forces are spread: strategies add the
// same terms in different orders. After some steps of a flow that amplifies nothing,
// roundings of the force (1e-16 of the populations, some 1e-13 of the force) have
// not grown to 1e-10. There are enough markers for workers to share them, and in 3D
// enough to be sorted by auto.
func TestEveryStrategyGivesTheSameDrag(t *testing.T) {
	for _, l := range lattices {
		want := dragBy(t, l, "serial", 1)
		if !(want[0] > 1e-3) {
			t.Fatalf("%s: drag %v: there is no flow", l.Name, want[0])
		}
		for _, strategy := range ib.TransferNames() {
			one := dragBy(t, l, strategy, 1)
			for a := range want {
				if math.Abs(one[a]-want[a]) > 1e-10*want[0] {
					t.Errorf("%s, %s: force %d is %v, by serial %v", l.Name, strategy, a, one[a], want[a])
				}
			}
			if strategy == "atomic" { // in the order in which workers come
				continue
			}
			if many := dragBy(t, l, strategy, 3); !slices.Equal(many, one) {
				t.Errorf("%s, %s: forces %v on 3 workers, %v on one: want the same bits", l.Name, strategy, many, one)
			}
		}
	}
}

// dragBy is the forces on balls in a stream after some steps, one axis after the
// other, ball after ball.
func dragBy(t *testing.T, l *lbm.Lattice, strategy string, workers int) (force []float64) {
	t.Helper()
	s := crowd(t, l, strategy, workers)
	for range 9 {
		s.Step()
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	for _, load := range s.StepMeasured() {
		force = append(force, load.Force[:l.Dim]...)
	}
	return force
}

// crowd is a stream past nine cylinders in three rows, or two spheres.
func crowd(t *testing.T, l *lbm.Lattice, strategy string, workers int) *Simulation[float64] {
	t.Helper()
	c, err := lbm.NewCollision("bgk", 0.05, 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := lbm.Config{Lattice: l, Size: [3]int{78, 78, 1}, Collision: c}
	markers, auto := 512, "serial" // at least
	if l.Dim == 3 {
		cfg.Size = [3]int{54, 28, 28}
		markers, auto = 2048, "sort-reduce"
	}
	pool := parallel.NewPool(workers)
	t.Cleanup(pool.Close)
	f, err := lbm.New[float64](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.05, 0.02, 0} })
	s, err := NewSimulation[float64](f, CouplingConfig{Delta: "roma3", Transfer: strategy, Forcing: "direct"}, balls(t, l), pool)
	if err != nil {
		t.Fatal(err)
	}
	if s.Markers() < markers {
		t.Fatalf("%s: %d markers, want at least %d for workers to share them", l.Name, s.Markers(), markers)
	}
	want := strategy
	if strategy == "auto" {
		want = auto
	}
	if by := s.Strategy(); by != want {
		t.Errorf("%s, %s: %d markers are coupled by %s, want %s", l.Name, strategy, s.Markers(), by, want)
	}
	return s
}

// balls are the bodies of a crowd, none of them like another with respect to the nodes.
func balls(t *testing.T, l *lbm.Lattice) (bodies []*Body) {
	t.Helper()
	add := func(s geometry.Shape, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewBody(fmt.Sprint("ball ", len(bodies)), s, 1.15, 0)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, b)
	}
	if l.Dim == 3 {
		for i := range 2 {
			sphere, err := geometry.NewSphere(geometry.Vec{13.3 + 26.4*float64(i), 13.6, 13.9}, 22)
			add(sphere, err)
		}
		return bodies
	}
	for i := range 9 {
		circle, err := geometry.NewCircle(geometry.Vec{13.3 + 25.3*float64(i%3), 13.6 + 25.4*float64(i/3)}, 22)
		add(circle, err)
	}
	return bodies
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
