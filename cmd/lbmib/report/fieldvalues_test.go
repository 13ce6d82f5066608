package report

import (
	"math"
	"testing"

	"lbmib/io/casefile"
)

// Where a fluid turns as a whole, Q is the square of its rate of turning; in pure strain it is minus that of the strain; the pressure of a
// density is c_s²(ρ − 1) over U².
func TestFieldsAreWhatTheyAreCalled(t *testing.T) {
	const n, dx, rate = 5, 0.1, 3.
	p := &plane{fieldFile: &fieldFile{size: [3]int{n, n, 1}}, dx: dx, units: casefile.Units{Dim: 2, Velocity: 0.1}}
	turning, strained := make([]float32, 3*n*n), make([]float32, 3*n*n)
	density := make([]float32, n*n)
	for k := range density {
		x, y := float64(k%n)*dx, float64(k/n)*dx
		turning[3*k], turning[3*k+1] = float32(-rate*y), float32(rate*x)
		strained[3*k], strained[3*k+1] = float32(rate*x), float32(-rate*y)
		density[k] = 1.003
	}
	for _, of := range []struct {
		name      string
		got, want float64
	}{
		{"Q of a turn", p.q(turning, 2, 2), rate * rate}, {"at an edge", p.q(turning, 0, 4), rate * rate}, {"Q of a strain", p.q(strained, 2, 2), -rate * rate},
		{"vorticity", p.curl(turning, 2, 2), 2 * rate}, {"speed", p.length(turning, 2, 0), rate * 2 * dx}, {"pressure", p.pressure(density, 1, 1), 0.001 / 0.01},
	} {
		if math.Abs(of.got-of.want) > 1e-4*math.Abs(of.want) { // of single precision
			t.Errorf("%s is %v, want %v", of.name, of.got, of.want)
		}
	}
}
