package geometry

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Also where cubes of the radius would be too many for their keys.
func TestPackedPointsAreFoundOnce(t *testing.T) {
	const radius = 0.37
	for _, far := range []float64{0, radius * (1 << 21), -radius * (1 << 22)} {
		t.Run(fmt.Sprint(far), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			x := make([]Vec, 5000)
			for k := range x {
				x[k] = Vec{far + r.Float64()*6, far + r.Float64()*6, far + r.NormFloat64()*0.3}
			}
			x[0][1] = -far
			p := pack(x, radius)
			for k := 0; k < len(x); k += 25 {
				q := x[k].Add(Vec{r.NormFloat64() * 0.5, 0, 0})
				for _, within := range []float64{radius, 2.5 * radius} {
					found := make(map[int32]int)
					for _, s := range p.near(q, within) {
						for i := s.from; i < s.to; i++ {
							found[p.number[i]]++
						}
					}
					for l := range x {
						if d := x[l].Sub(q).Norm(); found[int32(l)] > 1 || d < within && found[int32(l)] == 0 {
							t.Fatalf("point %d, %g from the place where all within %g are looked for, is found %d times", l, d, within, found[int32(l)])
						}
					}
				}
			}
		})
	}
}
