package hybrid

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/lbm"
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
		flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{8 + r.IntN(90), 8 + r.IntN(90), 1}}
		if r.IntN(2) > 0 {
			flow.Lattice, flow.Size[2] = lbm.D3Q19, 8+r.IntN(40)
		}
		size := [3]float64{float64(flow.Size[0]), float64(flow.Size[1]), float64(flow.Size[2])}
		for a := range flow.Lattice.Dim {
			if r.IntN(2) > 0 {
				flow.Faces[2*a].Kind, flow.Faces[2*a+1].Kind = lbm.NoSlip, lbm.NoSlip
			}
		}
		few := r.IntN(10) // large ones of a hundred
		bodies := manyBodies(r, 1+r.IntN(120), size, func() float64 {
			if r.IntN(100) < few {
				return 20 * r.Float64()
			}
			return 1 + 2*r.Float64()
		})
		c := Coupling[float64]{dim: flow.Lattice.Dim, flow: &flow, neighbours: newNeighbours(&flow)}
		distance := 5 * r.Float64()
		c.neighbours.find(bodies, distance)
		for i, b := range bodies {
			found := slices.Clone(c.neighbours.of(i))
			if !slices.IsSorted(found) || slices.Contains(found, int32(i)) || len(slices.Compact(slices.Clone(found))) != len(found) {
				t.Fatalf("body %d has the neighbours %v", i, found)
			}
			for j, o := range bodies {
				if i != j && c.near(b, o, distance) && !slices.Contains(found, int32(j)) {
					t.Fatalf("%v: bodies %d at %v and %d at %v, of radii %.3g and %.3g, are within %.3g of each other: not found",
						flow.Size, i, b.state.Position, j, o.state.Position, b.radius, o.radius, distance)
				}
			}
		}
	}
}

// Bodies are compared with those around them: how many that is does not depend on how many
// there are in all.
func TestTheCostOfNeighboursPerBodyDoesNotGrow(t *testing.T) {
	compared := func(n int, apart, large float64) float64 { // of radius 4, every 20th so many times as large
		r := rand.New(rand.NewPCG(3, 4))
		side := int(apart * math.Sqrt(float64(n)))
		flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{side, side, 1}}
		bodies := manyBodies(r, n, [3]float64{float64(side), float64(side), 1}, func() float64 {
			if r.IntN(20) == 0 {
				return 4 * large
			}
			return 4
		})
		list, sum := newNeighbours(&flow), 0
		list.find(bodies, 2)
		for i := range bodies {
			sum += len(list.of(i))
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

// A rod that turns about (1,1,0), an axis on which a place of the body may lie, comes to cut
// a ball: that is seen like any other overlap.
func TestOverlapIsSeenWhateverTheAxisOfATurn(t *testing.T) {
	f, pool := tank(t, lbm.D3Q19, [3]int{40, 40, 40}, 0.1)
	shape, err := geometry.NewEllipsoid(geometry.Vec{20, 20, 20}, [3]float64{5, 5, 24})
	if err != nil {
		t.Fatal(err)
	}
	rod, err := NewBody("rod", shape, 1.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	rod.Motion = &kinematics.Rigid{Center: shape.Center(), Pivot: shape.Center(), Axis: geometry.Vec{1, 1, 0}.Scale(math.Sqrt(0.5)),
		Turn: &kinematics.Integral{Of: func(float64) float64 { return 0.01 }, Step: 1}}
	away := geometry.Vec{1, -1, 0}.Scale(10 * math.Sqrt(0.5)) // where its end is after a quarter of a turn
	ball, err := geometry.NewSphere(shape.Center().Add(away), 5)
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := NewBody("ball", ball, 1.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := put(t, f, pool, rod, fixed)
	var motion *MotionError
	for range 160 {
		s.Step()
	}
	if !errors.As(s.Err(), &motion) {
		t.Errorf("a rod has turned through a ball: %v", s.Err())
	}
}
