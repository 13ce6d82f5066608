package setup_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/run/setup/setuptest"
)

// A parabola as an expression is the profile of that name, on both ends of a channel.
func TestAProfileIsAnExpressionOfThePlace(t *testing.T) {
	const channel = `
[reference]
resolution = 16
velocity = 0.05
reynolds = 10
[domain]
lattice = "D2Q9"
size = [2.0, 1.0]
[domain.boundary]
left   = { type = "velocity", profile = "parabolic", peak = 1.5 }
right  = { type = "velocity", profile = "parabolic", peak = -1.5 }
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[run]
time = 1.0
`
	p := setuptest.Problem(t, channel)
	q := setuptest.Problem(t, channel, `domain.boundary.left={ type = "velocity", profile = "6*y*(1-y)" }`, `domain.boundary.right={ type = "velocity", profile = "-6*y*(1-y)" }`)
	for face := range 2 {
		want, got := p.Face(face), q.Face(face)
		for j := range 16 {
			x := [3]float64{float64(face * 31), float64(j), 0}
			a, b := want.Velocity(x), got.Velocity(x)
			for k := range a {
				if math.Abs(a[k]-b[k]) > 1e-15 {
					t.Errorf("face %d at %v: %v, want %v", face, x, b, a)
				}
			}
		}
	}
}

// A channel whose inflow is a table of a parabola stays as it is: the same velocities as those of the profile of that name, at nodes that are rows.
func TestAProfileIsATable(t *testing.T) {
	const channel = `
[reference]
resolution = 16
velocity = 0.05
reynolds = 10
[domain]
lattice = "D2Q9"
size = [2.0, 1.0]
[domain.boundary]
left   = { type = "velocity", profile = "parabolic", peak = 1.5 }
right  = { type = "velocity", profile = "parabolic", peak = -1.5 }
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[run]
time = 1.0
`
	text := "y,u\n0,0\n1,0\n"
	for j := range 16 {
		y := (float64(j) + 0.5) / 16
		text += fmt.Sprintf("%v,%v\n", y, 6*y*(1-y))
	}
	p := setuptest.Problem(t, channel)
	file := filepath.Join(t.TempDir(), "in.csv")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	q := setuptest.Problem(t, channel, `domain.boundary.left={ type = "velocity", profile = { file = "`+file+`" } }`, `domain.boundary.right={ type = "velocity", profile = { file = "`+file+`"  } }`)
	for face := range 2 {
		want, got := p.Face(face), q.Face(face)
		for j := range 16 {
			x := [3]float64{float64(face * 31), float64(j), 0}
			a, b := want.Velocity(x), got.Velocity(x)
			for k := range a {
				if math.Abs(a[k]-b[k]) > 1e-15 {
					t.Errorf("face %d at %v: %v, want %v", face, x, b, a)
				}
			}
		}
	}
}
