package hybrid

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
)

// The force on a body that is dragged carries little of the nodes that it passes: the
// momentum of the fluid inside changes smoothly, though the flow has shear at the surface. It is 0.005
// of the disc's force and 0.004 of the ball's, most of it from spreading; where shares were
// linear between fine points it was 0.013 and 0.028.
func TestTheForceOnADraggedBodyIsSmooth(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, test := range []struct {
		lattice       *lbm.Lattice
		size          [3]int
		diameter      float64
		start, period int // steps
		nodes         int // that it passes
		speed, most   float64
	}{
		{lbm.D2Q9, [3]int{120, 60, 1}, 20, 600, 10, 30, 0.1, 0.008},
		{lbm.D3Q19, [3]int{40, 24, 24}, 10, 300, 16, 8, 0.0625, 0.008},
	} {
		f, pool := tank(t, test.lattice, test.size, test.speed/5)
		delta, err := ib.NewDelta[float64](direct.Delta)
		if err != nil {
			t.Fatal(err)
		}
		b, err := rigid.NewBody("ball", round(t, test.lattice).Shape.Scaled(test.diameter/10), ib.SafeSpacing(delta, test.lattice.Dim), 0)
		if err != nil {
			t.Fatal(err)
		}
		b.Motion = &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center(), Axis: geometry.Vec{0, 0, 1},
			Shift: [3]kinematics.Track{kinematics.Steady{Rate: test.speed}}}
		b.Moves = float64(test.start) / 2
		b.Velocity = func(_ geometry.Vec, t float64) [3]float64 {
			return [3]float64{test.speed * (1 - math.Cos(math.Pi*t/b.Moves)) / 2}
		}
		s := put(t, f, pool, b)
		steps(t, s, test.start)
		if got := passing(s, test.period, test.nodes); !(got < test.most) {
			t.Errorf("%s: the force varies by %.4f of its mean with the place between two nodes, should by less than %g", test.lattice.Name, got, test.most)
		}
	}
}

// passing is the root mean square, over the mean, of what the force along x depends on the place between
// two nodes of a body that needs period steps from one to the next: means over so many nodes,
// less the way from node to node that they share.
func passing(s *Simulation[float64], period, nodes int) float64 {
	at := make([]float64, period)
	var first, last float64
	for n := range nodes {
		for k := range at {
			f := s.StepMeasured()[0].Force[0]
			at[k] += f / float64(nodes)
			if n == 0 {
				first += f / float64(period)
			} else if n == nodes-1 {
				last += f / float64(period)
			}
		}
	}
	rise := (last - first) / float64(period*(nodes-1))
	var mean, square float64
	for k := range at {
		at[k] -= rise * (float64(k) - float64(period-1)/2)
		mean += at[k] / float64(period)
	}
	for _, f := range at {
		square += (f - mean) * (f - mean) / float64(period)
	}
	return math.Sqrt(square) / math.Abs(mean)
}
