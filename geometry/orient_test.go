package geometry

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAFanHoldsAPointOnce: of the triangles around a middle just one holds a point, seen with the same tie-breaking as crossings are, however near to the middle it is.
func TestAFanHoldsAPointOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 3 + r.IntN(300)
		middle := [2]float64{r.NormFloat64() * 1e-17, r.NormFloat64() * 1e-17}
		shift := math.Floor(100 * r.Float64()) // where coordinates are not small
		place := func(x [2]float64) [2]float64 { return [2]float64{x[0] + shift, x[1] + shift} }
		rim := make([][2]float64, n)
		for i := range rim {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			rim[i] = place([2]float64{8 * c, 8 * s})
		}
		p := place([2]float64{r.NormFloat64() * 1e-17, r.NormFloat64() * 1e-17})
		side := func(a, b [2]float64) int {
			_, side := Orient(a, b, p)
			if side == 0 { // as if p were moved along the first axis, and by less along the second
				if d := b[1] - a[1]; d != 0 {
					return int(math.Copysign(1, -d))
				}
				return int(math.Copysign(1, b[0]-a[0]))
			}
			return side
		}
		holds := 0
		m := place(middle)
		for i := range rim {
			a, b := rim[i], rim[(i+1)%n]
			if s := side(m, a); s == side(a, b) && s == side(b, m) {
				holds += s
			}
		}
		if holds != 1 {
			t.Fatalf("%d triangles around %v hold %v, %d of them counted by their sense", n, m, p, holds)
		}
	}
}

// TestOrientIsExact on points that lie on a line to the last bit, and next to it.
func TestOrientIsExact(t *testing.T) {
	a, b := [2]float64{0.5, 0.5}, [2]float64{12, 12}
	for k := range 256 {
		x := 0.5 + float64(k)*0x1p-52
		for l := range 256 {
			y := 0.5 + float64(l)*0x1p-52
			want := 0
			if y > x {
				want = 1
			} else if y < x {
				want = -1
			}
			if _, side := Orient(a, b, [2]float64{x, y}); side != want {
				t.Fatalf("(%v, %v) is on side %d of the diagonal, want %d", x, y, side, want)
			}
		}
	}
}
