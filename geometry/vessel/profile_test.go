package vessel

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// duct is a section with a rim of its own, in the plane z = 0.
func duct(rim [][2]float64) *Section {
	p := newPlane(geometry.Vec{}, geometry.Vec{0, 0, 1})
	return &Section{plane: p, rim: rim, Area: math.Abs(areaOf(rim))}
}

func ellipse(a, b float64, n int) (rim [][2]float64) {
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		rim = append(rim, [2]float64{a * cos, b * sin})
	}
	return rim
}

// The developed profile of an ellipse is 2 (1 − x²/a² − y²/b²), and so is the parabola along rays.
func TestProfilesOfAnEllipse(t *testing.T) {
	const a, b = 3., 2.
	s := duct(ellipse(a, b, 512))
	for name, of := range map[string]Profile{"poiseuille": s.Poiseuille(), "parabolic": s.Parabolic()} {
		worst := 0.
		for i := range 200 {
			r, angle := math.Sqrt(float64(i)/200), 2.4*float64(i)
			x, y := a*r*math.Cos(angle), b*r*math.Sin(angle)
			want := 2 * (1 - x*x/a/a - y*y/b/b)
			worst = max(worst, math.Abs(of(s.plane.place([2]float64{x, y}))-want))
		}
		t.Logf("%s: %.2g", name, worst)
		if worst > 5e-3 { // second order on 96 points across
			t.Errorf("%s differs by %.3g from the profile of an ellipse", name, worst)
		}
	}
}

// In a square duct the largest velocity is 2.0963 of the mean (Shah & London, Laminar Flow Forced Convection in Ducts, 1978).
func TestDevelopedProfileOfASquare(t *testing.T) {
	s := duct([][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}})
	of := s.Poiseuille()
	near(t, "velocity in the middle over the mean", of(s.plane.place([2]float64{0.5, 0.5})), 2.0963, 2e-3)
}
