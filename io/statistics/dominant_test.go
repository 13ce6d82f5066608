package statistics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A frequency is found where a record has one, and told to be none where it has not.
func TestTheFrequencyOfARecordIsFoundWhereItIsClear(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name      string
		y         func(x float64) float64 // x from 0 to 1
		frequency float64                 // times in the record; 0: none
		amplitude float64
	}{
		{"a sine", func(x float64) float64 { return math.Sin(2 * math.Pi * 7.3 * x) }, 7.3, 1},
		{"two periods and a half", func(x float64) float64 { return 3 + math.Sin(2*math.Pi*2.5*x+1) }, 2.5, 1},
		{"many periods", func(x float64) float64 { return math.Cos(2 * math.Pi * 123.4 * x) }, 123.4, 1},
		{"on a trend", func(x float64) float64 { return 20*x + math.Sin(2*math.Pi*10*x) }, 10, 1},
		{"the square of a sine", func(x float64) float64 { return math.Pow(math.Sin(2*math.Pi*6*x), 2) }, 12, 0.5},
		{"a square wave", func(x float64) float64 { return math.Copysign(1, math.Sin(2*math.Pi*6*x)) }, 6, 1},
		{"begun smoothly", func(x float64) float64 { return math.Min(1, 4*x) * math.Sin(2*math.Pi*9*x) }, 9, 1},
		{"one and a half", func(x float64) float64 { return math.Sin(2 * math.Pi * 1.5 * x) }, 0, 0},
		{"constant", func(float64) float64 { return 0.3 }, 0, 0},
		{"a straight line", func(x float64) float64 { return 0.1 + 0.3*x }, 0, 0},
		{"a start", func(x float64) float64 { return 1 - math.Exp(-8*x) }, 0, 0},
		{"two tones", func(x float64) float64 { return math.Sin(2*math.Pi*7*x) + math.Sin(2*math.Pi*31*x) }, 0, 0},
		{"noise", func(float64) float64 { return random.NormFloat64() }, 0, 0},
		{"not finite", func(float64) float64 { return math.NaN() }, 0, 0},
	} {
		const n = 1000
		y := make([]float64, n)
		for i := range y {
			y[i] = c.y(float64(i) / n)
		}
		f, a := Dominant(y)
		if math.Abs(f*n-c.frequency) > 0.03*c.frequency || math.Abs(a-c.amplitude) > 0.25*c.amplitude { // a line is 1/4 of a period in the record; a trend takes some of the amplitude
			t.Errorf("%s: %.4g times with the amplitude %.3g, want %g and %g", c.name, f*n, a, c.frequency, c.amplitude)
		}
	}
}
