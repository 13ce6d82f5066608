package observe

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/lbm"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// In solid rotation Q is the square of the rate, in pure strain minus that.
func TestQIsAboveZeroWhereFluidTurns(t *testing.T) {
	c := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{9, 7, 1}}
	for i := range 4 {
		c.Faces[i].Kind = lbm.NoSlip
	}
	e := &Extract[float64]{FieldSeries: setup.FieldSeries{Region: setup.Region{Size: c.Size}, Around: c}}
	e.State.hold(c.Size, 2)
	for _, flow := range []struct{ strain, want float64 }{{-1, 0.01}, {1, -0.01}} {
		for n := range e.State.Rho {
			x := c.Position(n)
			e.State.U[0][n], e.State.U[1][n] = 0.1*float64(x[1]), 0.1*flow.strain*float64(x[0])
		}
		q := make([]float32, c.Nodes())
		e.qCriterion(e.Region, q, 1)
		for n, v := range q {
			if math.Abs(float64(v)-flow.want) > 1e-8 {
				t.Fatalf("Q is %v at node %d, want %v", v, n, flow.want)
			}
		}
	}
}

// The mask has the nodes within a body where it is, across periodic faces, too.
func TestABodyMaskFollowsTheBody(t *testing.T) {
	p := setuptest.Problem(t, setuptest.SwimmingCase)
	b := p.Bodies[0]
	s := kinematics.State{Position: b.Shape.Center(), Rotation: geometry.Identity()}
	s.Position[0] = 0.25 // half of it is at the other end
	mask := make([]float32, p.Flow.Nodes())
	markBodies(p, []kinematics.State{s}, lattice{size: p.Flow.Size, width: 1}, func(int) bool { return true }, mask)
	marked := 0
	for n, v := range mask {
		x := p.Flow.Position(n)
		dx := math.Abs(float64(x[0]) - s.Position[0])
		if p.Flow.Periodic(0) {
			dx = math.Min(dx, float64(p.Flow.Size[0])-dx)
		}
		inside := math.Hypot(dx, float64(x[1])-s.Position[1]) <= b.Shape.Reach()
		if v == 0 {
			marked++
		}
		if v == 0 && !inside {
			t.Fatalf("node %v is marked, which lies outside", x)
		}
	}
	if want := b.Shape.Enclosed(); math.Abs(float64(marked)/want-1) > 0.15 {
		t.Errorf("%d nodes are marked, the body has %.1f", marked, want)
	}
}
