package hybrid

import (
	"errors"
	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/rigid"
	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
	"math"
	"testing"
)

// A rod that turns about (1,1,0), an axis on which a place of the body may lie, comes to cut
// a ball: that is seen like any other overlap.
func TestOverlapIsSeenWhateverTheAxisOfATurn(t *testing.T) {
	checkingtest.NumbersAlone(t)
	f, pool := tank(t, lbm.D3Q19, [3]int{40, 40, 40}, 0.1)
	shape, err := geometry.NewEllipsoid(geometry.Vec{20, 20, 20}, [3]float64{5, 5, 24})
	if err != nil {
		t.Fatal(err)
	}
	rod, err := rigid.NewBody("rod", shape, 1.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	rod.Motion = &kinematics.Rigid{Center: shape.Center(), Pivot: shape.Center(), Axis: geometry.Vec{1, 1, 0}.Scale(math.Sqrt(0.5)),
		Turn: &kinematics.Integral{Of: func(float64) float64 { return 0.01 }, Step: 1}}
	away := geometry.Vec{1, -1, 0}.Scale(10 * math.Sqrt(0.5)) // where its end is after a quarter of a turn
	ball, err := geometry.NewSphere(shape.Center().Add(away), 5)
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := rigid.NewBody("ball", ball, 1.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := put(t, f, pool, rod, fixed)
	var motion *rigid.MotionError
	for range 160 {
		s.Step()
	}
	if !errors.As(s.Err(), &motion) {
		t.Errorf("a rod has turned through a ball: %v", s.Err())
	}
}
