package hybrid

import (
	"math"
	"slices"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/lbm"
)

// pulled has a capsule pulled apart along x, or at one end alone.
func pulled(c *flexible.Cell, force float64, both bool) {
	c.Loads = nil
	for end, sign := range []float64{1, -1}[:map[bool]int{false: 1, true: 2}[both]] {
		points := c.Outermost(0, end == 0, 0.1)
		c.Loads = append(c.Loads, flexible.Load{Points: points, Each: geometry.Vec{sign * force / float64(len(points))}, Ramp: 20})
	}
}

// TestLoadsGoToTheFluid: at one end they give all fluid their momentum, Σ F(t), with whatever schedule; at both ends none.
func TestLoadsGoToTheFluid(t *testing.T) {
	const force, n = 2e-3, 60
	given := 0.
	for step := 1; step <= n; step++ {
		given += force * math.Min(1, 1-math.Pow(math.Cos(math.Pi*math.Min(float64(step), 20)/40), 2))
	}
	for _, schedule := range []string{"serial", "pipelined"} {
		for both, want := range map[bool]float64{false: given, true: 0} {
			s, err := besideFluid(t, 24, soft, schedule)
			if err != nil {
				t.Fatal(err)
			}
			pulled(s.Cells[0], force, both)
			steps(t, s, n)
			s.Flush()
			_, j := s.fluid.(interface {
				Momentum(lo, hi [3]int) (float64, [3]float64)
			}).Momentum([3]int{}, [3]int{24, 24, 24})
			if d := geometry.Vec(j).Sub(geometry.Vec{want}).Norm(); !(d < 1e-11) {
				t.Errorf("%s, at both ends: %t: momentum %v, want %v along x", schedule, both, j, want)
			}
		}
	}
}

// TestLoadedCellsAreTheSameBits on any number of workers, and when a state within the ramp is continued; schedules agree to rounding.
func TestLoadedCellsAreTheSameBits(t *testing.T) {
	t.Run("f64", loadedBits[float64])
	t.Run("f32", loadedBits[float32])
	var ends [2][]geometry.Vec
	for k, schedule := range []string{"serial", "pipelined"} {
		s, err := besideFluid(t, 24, soft, schedule)
		if err != nil {
			t.Fatal(err)
		}
		pulled(s.Cells[0], 2e-3, true)
		steps(t, s, 100)
		s.Flush()
		ends[k] = slices.Clone(s.Cells[0].Points())
	}
	if d := apart(ends[0], ends[1]); !(d < 1e-12) {
		t.Errorf("serial and pipelined put vertices %g nodes apart", d)
	}
}

func loadedBits[T lbm.Float](t *testing.T) {
	loaded := func() []*flexible.Cell {
		cells := capsules(t, soft, 2)
		for _, c := range cells {
			pulled(c, 2e-3, true)
		}
		return cells
	}
	one, three, resumed := loaded(), loaded(), loaded()
	a, b := cellsIn[T](t, one, 1), cellsIn[T](t, three, 3)
	steps(t, a, 10)
	steps(t, b, 30)
	c := cellsIn[T](t, resumed, 2)
	continueFrom(t, c, a)
	steps(t, a, 20)
	steps(t, c, 20)
	if !slices.Equal(places(one), places(three)) || !slices.Equal(places(one), places(resumed)) {
		t.Error("three workers, or a simulation that goes on from a state, put the vertices elsewhere")
	}
	free := capsules(t, soft, 2)
	steps(t, cellsIn[T](t, free, 1), 30)
	if d := apart(places(one), places(free)); !(d > 1e-3) {
		t.Errorf("loads move vertices by %g nodes", d)
	}
}
