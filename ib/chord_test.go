package ib

import (
	"math"
	"testing"

	"lbmib/geometry"
)

// The rate of strain of a linear flow is exact at any place, and that of a flow that turns is 0.
func TestShearOfLinearFlowsIsExact(t *testing.T) {
	g := Grid{Dim: 3, Size: [3]int{9, 10, 11}}
	flow := [3][3]float64{{0.3, -1, 0.5}, {0.2, 0.1, 0.7}, {-0.4, 0.6, -0.4}} // ∂_b u_a
	for _, turning := range []bool{false, true} {
		if turning {
			flow = [3][3]float64{{0, -1, 0.5}, {1, 0, 0.7}, {-0.5, -0.7, 0}}
		}
		u := [][]float64{make([]float64, g.Nodes()), make([]float64, g.Nodes()), make([]float64, g.Nodes())}
		for i := range g.Nodes() {
			x := [3]float64{float64(i % 9), float64(i / 9 % 10), float64(i / 90)}
			for a := range u {
				u[a][i] = 0.1 + flow[a][0]*x[0] + flow[a][1]*x[1] + flow[a][2]*x[2]
			}
		}
		for _, name := range DeltaNames() {
			d, err := NewDelta[float64](name)
			if err != nil {
				t.Fatal(err)
			}
			s, n := NewShear(d, 0.0625), [3]float64{0.36, 0.48, 0.8}
			for k := range 20 {
				at := float64(k) / 20
				q := s.At(&g, u, geometry.Vec{4 + at, 4.3 + at/2, 5.7 - at}, &n)
				for a := range 3 {
					want := 0.
					for b := range 3 {
						want += (flow[a][b] + flow[b][a]) * n[b]
					}
					if math.Abs(q[a]-want) > 1e-12 {
						t.Errorf("%s: component %d at place %g is %g, want %g", name, a, at, q[a], want)
					}
				}
			}
		}
	}
}

// Where the support moves on to the next node the slope does not jump.
func TestChordsAreContinuous(t *testing.T) {
	for _, name := range DeltaNames() {
		d, err := NewDelta[float64](name)
		if err != nil {
			t.Fatal(err)
		}
		if d.Support() == 2 {
			continue // its derivative jumps, too
		}
		slope := func(x float64) (sum float64) {
			var w, c [MaxSupport]float64
			first := d.Weights(&w, x)
			Chord(&c, &w, d.Support(), 0.0625)
			for i, v := range c[:d.Support()] {
				y := float64(first + i)
				sum += v * y * y * y
			}
			return sum
		}
		for x := 10.; x < 12; x += 0.001 {
			if jump := math.Abs(slope(x+0.001) - slope(x)); jump > 0.3 {
				t.Errorf("%s: the slope jumps by %g at %g", name, jump, x)
			}
		}
	}
}

func BenchmarkShear(b *testing.B) {
	g := Grid{Dim: 3, Size: [3]int{32, 32, 32}}
	u := [][]float64{make([]float64, g.Nodes()), make([]float64, g.Nodes()), make([]float64, g.Nodes())}
	s, n := NewShear[float64](Roma3[float64]{}, 0), [3]float64{0.36, 0.48, 0.8}
	b.ReportAllocs()
	for k := range b.N {
		s.At(&g, u, geometry.Vec{4.2 + float64(k%20), 9.3, 12.7}, &n)
	}
}
