package hybrid

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// The drag of bodies does not depend on how forces are spread: strategies add the
// same terms in different orders. After a few steps of a flow that amplifies nothing,
// roundings of the force (1e-16 of the populations, some 1e-13 of the force) have
// not grown to 1e-10. There are enough markers for workers to share them, and in 3D
// enough to be sorted by auto.
func TestEveryStrategyGivesTheSameDrag(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, l := range lattices {
		alone, shared := newCrowd(t, l, 1), newCrowd(t, l, 3)
		want := alone.drag(t, "serial")
		if !(want[0] > 1e-3) {
			t.Fatalf("%s: drag %v: there is no flow", l.Name, want[0])
		}
		for _, strategy := range ib.TransferNames() {
			one := alone.drag(t, strategy)
			for a := range want {
				if !(math.Abs(one[a]-want[a]) <= 1e-10*want[0]) {
					t.Errorf("%s, %s: force %d is %v, by serial %v", l.Name, strategy, a, one[a], want[a])
				}
			}
			many := shared.drag(t, strategy)
			for a := range many {
				if strategy != "atomic" && many[a] != one[a] {
					t.Errorf("%s, %s: force %d is %v on 3 workers, %v on one: want the same bits", l.Name, strategy, a, many[a], one[a])
				}
				if !(math.Abs(many[a]-want[a]) <= 1e-10*want[0]) { // atomic adds in the order in which workers come
					t.Errorf("%s, %s: force %d is %v on 3 workers, by serial %v", l.Name, strategy, a, many[a], want[a])
				}
			}
		}
	}
}

// crowd is nine cylinders in three rows, or two spheres, in a stream that has not yet
// felt them.
type crowd struct {
	fluid  lbm.Fluid[float64]
	start  lbm.State[float64]
	pool   *parallel.Pool
	bodies []*rigid.Body
}

func newCrowd(t *testing.T, l *lbm.Lattice, workers int) *crowd {
	t.Helper()
	c, err := lbm.NewCollision("bgk", 0.05, 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := lbm.Config{Lattice: l, Size: [3]int{78, 78, 1}, Collision: c}
	if l.Dim == 3 {
		cfg.Size = [3]int{52, 26, 26}
	}
	pool := parallel.NewPool(workers)
	t.Cleanup(pool.Close)
	f, err := lbm.New[float64](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.05, 0.02, 0} })
	return &crowd{f, lbm.StateOf(f), pool, balls(t, l)}
}

// drag is the forces on the bodies after some steps, one axis after the other, body
// after body.
func (c *crowd) drag(t *testing.T, strategy string) (force []float64) {
	t.Helper()
	if err := c.fluid.SetState(c.start); err != nil {
		t.Fatal(err)
	}
	s, err := NewSimulation(c.fluid, CouplingConfig{Delta: "roma3", Transfer: strategy, Forcing: "direct"}, c.bodies, c.pool)
	if err != nil {
		t.Fatal(err)
	}
	l := c.fluid.Config().Lattice
	markers, want := 512, strategy
	if l.Dim == 3 {
		markers = 2048
	}
	if strategy == "auto" {
		want = map[int]string{2: "serial", 3: "sort-reduce"}[l.Dim]
	}
	if s.Markers() < markers || s.Strategy() != want {
		t.Fatalf("%s, %s: %d markers are coupled by %s, want at least %d by %s", l.Name, strategy, s.Markers(), s.Strategy(), markers, want)
	}
	for range 3 {
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

// balls are the bodies of a crowd, none of them like another with respect to the nodes.
func balls(t *testing.T, l *lbm.Lattice) (bodies []*rigid.Body) {
	t.Helper()
	add := func(s geometry.Shape, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		b, err := rigid.NewBody(fmt.Sprint("ball ", len(bodies)), s, 1.15, 0)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, b)
	}
	if l.Dim == 3 {
		for i := range 2 {
			sphere, err := geometry.NewSphere(geometry.Vec{12.9 + 25.8*float64(i), 12.6, 12.9}, 22)
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
