package hybrid

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// Body is an immersed body: a shape covered with markers, in node coordinates.
type Body struct {
	Name    string
	Shape   geometry.Shape
	Markers geometry.Markers

	// Velocity is the velocity of marker k at time t in steps, as long as
	// t < Moves; from then on, and where it is nil, the body is at rest.
	Velocity func(k int, t float64) [3]float64
	Moves    float64

	first int // of its markers among those of all bodies
}

// NewBody samples a shape with markers about spacing nodes apart and sets them
// back from the surface by retraction nodes along its normal: a diffuse boundary
// is felt some tenths of a node outside its markers (Breugem, J. Comput. Phys.
// 231 (2012) 4469).
func NewBody(name string, shape geometry.Shape, spacing, retraction float64) (*Body, error) {
	m, err := shape.Sample(spacing)
	if err != nil {
		return nil, fmt.Errorf("body %q: %w", name, err)
	}
	lo, hi := shape.Bounds()
	for a := range shape.Dim() {
		if half := (hi[a] - lo[a]) / 2; retraction >= half {
			return nil, fmt.Errorf("body %q: markers set back by %g nodes from its surface would meet, it is only %.3g nodes from the middle: raise the resolution or set ib.retraction = 0", name, retraction, half)
		}
	}
	for k := range m.X {
		m.X[k] = m.X[k].Sub(m.Normal[k].Scale(retraction))
	}
	return &Body{Name: name, Shape: shape, Markers: m}, nil
}

// Load is what the fluid does to a body in one step.
type Load struct {
	Force   [3]float64
	Torque  [3]float64 // about the shape's centre
	Slip    float64    // largest |U_d − u| over the markers after the correction
	Balance [3]float64 // the force again, from the momentum balance of the fluid around it; NaN where it has no box of its own
}

// supportBox is the box of nodes lo ≤ p < hi that the markers' supports span.
func (b *Body) supportBox(firstOf func(x float64) int, support, dim int) (lo, hi [3]int) {
	for a := range 3 {
		lo[a], hi[a] = math.MaxInt, math.MinInt
		if a >= dim {
			lo[a], hi[a] = 0, 1
		}
	}
	for _, x := range b.Markers.X {
		for a := range dim {
			n := firstOf(x[a])
			lo[a], hi[a] = min(lo[a], n), max(hi[a], n+support)
		}
	}
	return lo, hi
}
