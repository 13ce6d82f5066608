package rigid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/internal/checking/checkingtest"
)

// manyBodies are so many bodies with a centre and a radius, at random in a domain.
func manyBodies(r *rand.Rand, n int, size [3]float64, radius func() float64) []*Body {
	bodies := make([]*Body, n)
	for i := range bodies {
		b := &Body{Free: &Free{}, radius: radius()}
		for a := range size {
			b.state.Position[a] = size[a] * (1.2*r.Float64() - 0.1) // some beyond the faces
		}
		bodies[i] = b
	}
	return bodies
}

// The cell list finds every pair that comparing all with all finds.
func TestNeighboursAreAllFound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		domain := Domain{Dim: 2, Size: [3]int{8 + r.IntN(90), 8 + r.IntN(90), 1}}
		if r.IntN(2) > 0 {
			domain.Dim, domain.Size[2] = 3, 8+r.IntN(40)
		}
		size := [3]float64{float64(domain.Size[0]), float64(domain.Size[1]), float64(domain.Size[2])}
		for a := range domain.Dim {
			domain.Periodic[a] = r.IntN(2) == 0
		}
		few := r.IntN(10) // large ones of a hundred
		bodies := manyBodies(r, 1+r.IntN(120), size, func() float64 {
			if r.IntN(100) < few {
				return 20 * r.Float64()
			}
			return 1 + 2*r.Float64()
		})
		c := System{domain: domain, neighbours: NewNeighbours(domain)}
		distance := 5 * r.Float64()
		c.neighbours.Find(bodies, distance)
		for i, b := range bodies {
			found := slices.Clone(c.neighbours.Of(i))
			if !slices.IsSorted(found) || slices.Contains(found, int32(i)) || len(slices.Compact(slices.Clone(found))) != len(found) {
				t.Fatalf("body %d has the neighbours %v", i, found)
			}
			for j, o := range bodies {
				if i != j && c.near(b, o, distance) && !slices.Contains(found, int32(j)) {
					t.Fatalf("%v: bodies %d at %v and %d at %v, of radii %.3g and %.3g, are within %.3g of each other: not found",
						domain.Size, i, b.state.Position, j, o.state.Position, b.radius, o.radius, distance)
				}
			}
		}
	}
}

// Bodies are compared with those around them: how many that is does not depend on how many
// there are in all.
func TestTheCostOfNeighboursPerBodyDoesNotGrow(t *testing.T) {
	checkingtest.NumbersAlone(t)
	compared := func(n int, apart, large float64) float64 { // of radius 4, every 20th so many times as large
		r := rand.New(rand.NewPCG(3, 4))
		side := int(apart * math.Sqrt(float64(n)))
		domain := Domain{Dim: 2, Size: [3]int{side, side, 1}, Periodic: [3]bool{true, true}}
		bodies := manyBodies(r, n, [3]float64{float64(side), float64(side), 1}, func() float64 {
			if r.IntN(20) == 0 {
				return 4 * large
			}
			return 4
		})
		list, sum := NewNeighbours(domain), 0
		list.Find(bodies, 2)
		for i := range bodies {
			sum += len(list.Of(i))
		}
		return float64(sum) / float64(n)
	}
	for _, c := range []struct{ apart, large, most float64 }{{10, 1, 12}, {40, 20, 12}} {
		few, many := compared(2000, c.apart, c.large), compared(100_000, c.apart, c.large)
		if !(many < 1.1*few && many < c.most) {
			t.Errorf("every 20th %g times as large: a body is compared with %.1f others where there are 2,000, with %.1f among 100,000", c.large, few, many)
		}
	}
}
