package hybridtest

import (
	"math"
	"testing"

	"lbmib/hybrid"
	"lbmib/lbm"
)

// Follow steps two simulations of a scene side by side, looks at them here and there,
// and compares what it sees; see Same.
func Follow[T lbm.Float](t testing.TB, name string, want, got *hybrid.Simulation[T], steps int, tolerance float64) {
	t.Helper()
	follow(t, name, want, got, steps, tolerance, 0)
}

// follow is Follow, where loads may differ by more.
func follow[T lbm.Float](t testing.TB, name string, want, got *hybrid.Simulation[T], steps int, tolerance, order float64) {
	t.Helper()
	for step := range steps {
		if step%29 == 17 || step == 0 {
			sameLoads(t, name, want.StepMeasured(), got.StepMeasured(), tolerance, order)
		} else {
			want.Step()
			got.Step()
		}
		if want.Err() != nil || got.Err() != nil {
			t.Fatalf("%s: step %d: %v, should be %v", name, step+1, got.Err(), want.Err())
		}
		if step%41 == 23 {
			Same(t, name, want, got, tolerance)
		}
	}
	Same(t, name, want, got, tolerance)
}

// sums is by how much more than populations and velocities their sums may differ:
// forces on bodies, their motions and what is held of them.
const sums = 1e3

// orderOfSums is by how much sums over boxes of nodes may differ, whose order is the
// fluid's own: 10⁴ nodes × 19 populations of up to 0.05, in double precision.
const orderOfSums = 1e-11

// comparison is of two simulations after a step.
type comparison struct {
	t    testing.TB
	name string
	step int64
}

func compare[N lbm.Float](c *comparison, what string, want, got []N, tolerance float64) {
	c.t.Helper()
	if len(want) != len(got) {
		c.t.Fatalf("%s, step %d: %d of %s, should be %d", c.name, c.step, len(got), what, len(want))
	}
	for n, w := range want {
		if g := got[n]; g != w && !(w != w && g != g) && !(math.Abs(float64(g-w)) <= tolerance) {
			c.t.Fatalf("%s, step %d: %s %d is %v, should be %v within %g", c.name, c.step, what, n, g, w, tolerance)
		}
	}
}

// Same compares all that can be seen of two simulations of the same scene.
// Populations and velocities may differ by tolerance, other things by some more; 0
// asks for the same bits.
func Same[T lbm.Float](t testing.TB, name string, want, got *hybrid.Simulation[T], tolerance float64) {
	t.Helper()
	c := &comparison{t, name, want.Fluid.Steps()}
	x, y := lbm.StateOf(want.Fluid), lbm.StateOf(got.Fluid) // first: whoever looks finds nothing outstanding
	if x.Steps != y.Steps {
		t.Fatalf("%s: step %d, should be %d", name, y.Steps, x.Steps)
	}
	compare(c, "value of open faces", x.Open, y.Open, 10*tolerance)
	flow := want.Fluid.Config()
	for i := range x.Populations {
		for n, wall := range flow.Solid {
			if wall { // nobody's
				x.Populations[i][n], y.Populations[i][n] = 0, 0
			}
		}
		compare(c, "population of node", x.Populations[i], y.Populations[i], tolerance)
	}
	for axis, u := range velocities(want) {
		compare(c, "velocity of node", u, velocities(got)[axis], 10*tolerance)
	}
	held := got.Held()
	for i, h := range want.Held() {
		compare(c, "held value of node", h, held[i], sums*tolerance)
	}
	compare(c, "value of the cells", want.Flexible(), got.Flexible(), sums*tolerance)
	compare(c, "value of the motions", want.Rigid(), got.Rigid(), sums*tolerance)
	for i := range want.Bodies {
		p, q := want.Bodies[i].State(), got.Bodies[i].State()
		compare(c, "coordinate of a body", p.Position[:], q.Position[:], sums*tolerance)
		compare(c, "velocity of a body", p.Velocity[:], q.Velocity[:], sums*tolerance)
		for axis, f := range want.Traction(i) {
			compare(c, "traction of marker", f, got.Traction(i)[axis], sums*tolerance)
		}
	}
}

// velocities are those of all nodes that are not walls.
func velocities[T lbm.Float](s *hybrid.Simulation[T]) [][]T {
	flow := s.Fluid.Config()
	u := make([][]T, flow.Lattice.Dim)
	for a := range u {
		u[a] = make([]T, flow.Nodes())
	}
	s.Box([3]int{}, flow.Size, nil, u)
	for n, wall := range flow.Solid {
		for a := range u {
			if wall {
				u[a][n] = 0
			}
		}
	}
	return u
}

func sameLoads(t testing.TB, name string, want, got []hybrid.Load, tolerance, order float64) {
	t.Helper()
	c := &comparison{t: t, name: name + ", measured"}
	for i, w := range want {
		g := got[i]
		compare(c, "force", w.Force[:], g.Force[:], sums*tolerance+order)
		compare(c, "torque", w.Torque[:], g.Torque[:], sums*tolerance+order)
		compare(c, "inner force", w.Inner[:], g.Inner[:], sums*tolerance+order)
		compare(c, "balance", w.Balance[:], g.Balance[:], sums*tolerance+orderOfSums)
		compare(c, "slip", []float64{w.Slip}, []float64{g.Slip}, sums*tolerance)
		compare(c, "granted slip", []float64{w.Granted}, []float64{g.Granted}, sums*tolerance)
	}
}
