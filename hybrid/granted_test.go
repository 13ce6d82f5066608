package hybrid

import (
	"math"
	"testing"

	"lbmib/hybrid/patch"
	"lbmib/ib"
	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
)

// The slip that is granted is what a linear profile has over the width by which the delta
// smears the wall, e times the shear rate; without the correction there is none.
func TestTheSlipGrantedIsThatOfTheShearOverTheOffset(t *testing.T) {
	checkingtest.NumbersAlone(t)
	const nx, ny = 4, 14
	c, err := lbm.NewCollision("trt", 0.1, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	e := ib.Offset(ib.Roma3[float64]{}, c.Magic())
	for _, offset := range []float64{e, 0} {
		s := shearAbove(t, "roma3", c, lbm.FreeSlip, [2]int{nx, ny}, 0.1, 5.3, offset)
		for range 8000 { // a hundred times the slowest decay, 9²/(π²ν)
			s.Step()
		}
		load := s.StepMeasured()[0]
		u := patch.Fields[float64](2, nx*ny)
		s.Box([3]int{}, [3]int{nx, ny, 1}, nil, u)
		shear := u[0][nx*(ny-2)] - u[0][nx*(ny-3)]
		if want := offset * shear; math.Abs(load.Granted-want) > 1e-3*e*shear {
			t.Errorf("offset %.3g: the slip granted is %.6g, e times the shear rate %.6g", offset, load.Granted, want)
		}
		if load.Slip > 1e-9 {
			t.Errorf("offset %.3g: slip %g is left beside what is granted", offset, load.Slip)
		}
	}
}
