package sweep

import (
	"math"
	"strings"
	"testing"
)

func TestRichardsonFindsOrderAndLimit(t *testing.T) {
	for _, c := range []struct {
		n     [3]float64
		order float64
	}{{[3]float64{10, 20, 40}, 1}, {[3]float64{8, 12, 20}, 2}, {[3]float64{5, 15, 16}, 1.5}} {
		var q [3]float64
		for i, n := range c.n {
			q[i] = 3 - 2*math.Pow(n, -c.order)
		}
		order, limit, note := richardson(c.n, q)
		if note != "" || math.Abs(order-c.order) > 1e-6 || math.Abs(limit-3) > 1e-6 { // rounding of differences
			t.Errorf("N = %v: order %g towards %g (%s), want %g towards 3", c.n, order, limit, note, c.order)
		}
	}
	n := [3]float64{10, 20, 40}
	for want, q := range map[string][3]float64{
		"not monotone":         {1, 2, 1.5},
		"do not shrink":        {1, 2, 3},
		"the same at all":      {1, 1, 1},
		"two finest":           {1, 2, 2},
		"faster than by order": {0, 1, 1 + 1e-9},
		"less than 0.5":        {1.56, 1.54, 1.5211}, // of order 0.08, towards 1.19
	} {
		if _, _, note := richardson(n, q); !strings.Contains(note, want) {
			t.Errorf("%v: %q, want %q", q, note, want)
		}
	}
}

// A last value of a flow that still moves is no quantity that converges.
func TestLastValuesThatSwingHaveNoOrder(t *testing.T) {
	l := line{x: []float64{10, 20, 40}, y: []float64{2, 1.5, 1.375}, swing: []float64{0, 0, 0.01}, unsafe: make([]bool, 3)}
	if o := l.order(); float64(o.Order) < 1.9 || o.Note != "" {
		t.Errorf("swings of 0.01 beside differences of 0.125: %+v", o)
	}
	l.swing[2] = 0.02
	if o := l.order(); !math.IsNaN(float64(o.Extrapolated)) || !strings.Contains(o.Note, "varies by ±0.02") {
		t.Errorf("swings of 0.02 beside differences of 0.125: %+v", o)
	}
	if s := swing([]float64{9, 1, 9, 2, 3}, []string{"a", "b", "a", "b", "b"}, "b"); s != 0 { // the last row alone
		t.Errorf("the last of three rows swings by %g", s)
	}
}

func TestAnOrderThatIsNotMonotoneOverAllSaysSo(t *testing.T) {
	l := line{x: []float64{5, 10, 20, 40}, y: []float64{0, 2, 1.5, 1.375}, swing: make([]float64, 4), unsafe: make([]bool, 4)}
	if o := l.order(); o.Monotone || math.Abs(float64(o.Order)-2) > 1e-6 || !strings.Contains(o.Note, "three finest") {
		t.Errorf("%+v, want order 2 by the three finest and the warning", o)
	}
}
