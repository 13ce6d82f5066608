package hybrid

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
)

// The force by the fluid outside knows nothing of what is found inside the body. That by
// markers and that by the box differ from it by what the fluid inside does beyond moving
// with the body: little where the body swings slowly, all of its share where the body starts
// at once and the fluid inside comes after it, which the two others cannot tell.
func TestTheFluidOutsideTellsTheForceWithoutTheInside(t *testing.T) {
	checkingtest.NumbersAlone(t)
	gap := func(track kinematics.Track, from, to int) (outer, box float64) {
		f, pool := tank(t, lbm.D2Q9, [3]int{80, 64, 1}, 0.05)
		b := disc(t, 40.2, 32.1, 16)
		b.Motion = &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center(), Axis: geometry.Vec{0, 0, 1}, Shift: [3]kinematics.Track{track}}
		s := put(t, f, pool, b)
		var differs, boxDiffers, force float64
		for step := range to {
			before := b.State().Velocity
			l := s.StepMeasured()[0]
			if s.Err() != nil {
				t.Fatal(s.Err())
			}
			du := b.State().Velocity.Sub(before)
			want := l.Balance[0] - l.Inner[0] + math.Pi*8*8*du[0]
			if math.Abs(l.Outer[0]-want) > 5e-3*math.Pi*8*8*math.Abs(du[0])+1e-11 { // the circle is drawn by squares of a quarter of a node
				t.Fatalf("step %d: the force by the fluid outside is %g, want %g", step, l.Outer[0], want)
			}
			if step >= from {
				differs += (l.Force[0] - l.Outer[0]) * (l.Force[0] - l.Outer[0])
				boxDiffers += (l.Force[0] - l.Balance[0]) * (l.Force[0] - l.Balance[0])
				force += l.Force[0] * l.Force[0]
			}
		}
		return math.Sqrt(differs / force), math.Sqrt(boxDiffers / force)
	}
	slow, box := gap(kinematics.Harmonic{Amplitude: 1, Omega: 0.01}, 600, 1800)
	if slow > 0.15 || slow == 0 || box > 1e-9 {
		t.Errorf("swinging slowly, forces differ by %.3g of themselves, those by box and markers by %.2g", slow, box)
	}
	sudden, box := gap(kinematics.Steady{Rate: 0.02}, 1, 40)
	if sudden < 5*slow || box > 1e-9 {
		t.Errorf("started at once, forces differ by %.3g of themselves, want five times the %.3g of before; those by box and markers by %.2g", sudden, slow, box)
	}
	t.Logf("slow %.3g, sudden %.3g", slow, sudden)
}
