package geometry

import (
	"fmt"
	"math"
)

// Bounds on every length and coordinate of a shape, in the unit of the caller
// (nodes, in a solver): within them squares, areas and moments of inertia neither
// overflow nor vanish, so that what is computed of a shape is finite.
const (
	MinSize       = 1e-6
	MaxCoordinate = 1 << 31 // no lattice has more nodes along an axis
)

// The same of the triangles of a mesh, which are in the unit of its file until
// they are scaled.
const (
	minMeshSize       = 1e-12
	maxMeshCoordinate = 1e15
)

// within tells whether |x| ≤ most; of NaN it is false.
func within(x, most float64) bool { return math.Abs(x) <= most }

// within tells whether no coordinate is beyond ±most, or NaN.
func (a Vec) within(most float64) bool {
	return within(a[0], most) && within(a[1], most) && within(a[2], most)
}

// checkSize refuses lengths that no shape can have.
func checkSize(kind, what string, size float64) error {
	if !(size >= MinSize && size <= MaxCoordinate) {
		return fmt.Errorf("geometry: %s: %s is %.4g, must be positive and finite, from %g to %.4g (nodes, in a run): give a length in these bounds", kind, what, size, MinSize, float64(MaxCoordinate))
	}
	return nil
}

// checkPoint refuses places that are not finite or too far away to be of use.
func checkPoint(kind, what string, p Vec) error {
	if !p.within(MaxCoordinate) {
		return fmt.Errorf("geometry: %s: %s is at %.6g, every coordinate must be finite and within ±%.4g (nodes, in a run): move it", kind, what, p, float64(MaxCoordinate))
	}
	return nil
}

// checkRound refuses centres and diameters that make no circle or sphere.
func checkRound(kind string, center Vec, diameter float64) error {
	if err := checkPoint(kind, "center", center); err != nil {
		return err
	}
	return checkSize(kind, "diameter", diameter)
}

// checkPlane refuses points off the plane z = 0.
func checkPlane(kind, what string, p Vec) error {
	if err := checkPoint(kind, what, p); err != nil {
		return err
	}
	if p[2] != 0 {
		return fmt.Errorf("geometry: %s: %s has z = %v, must lie in the plane z = 0: leave z out or use a shape in space", kind, what, p[2])
	}
	return nil
}

// Check refuses a shape, at the size at which it is used, that no constructor would
// have made: one that lies or reaches too far away, is smaller than MinSize, or has
// an inside without a volume. Constructors check what they are given; shapes that were
// scaled, and those made of others, are checked by this.
func Check(s Shape) error {
	kind := "shape"
	if p, ok := s.(interface{ kind() string }); ok {
		kind = p.kind()
	}
	lo, hi := s.Bounds()
	if err := checkPoint(kind, "lower corner of its box", lo); err != nil {
		return err
	}
	if err := checkPoint(kind, "upper corner of its box", hi); err != nil {
		return err
	}
	extent := 0.
	for a := range s.Dim() {
		extent = max(extent, hi[a]-lo[a])
	}
	if err := checkSize(kind, "largest extent", extent); err != nil {
		return err
	}
	if err := checkPoint(kind, "center", s.Center()); err != nil {
		return err
	}
	if v := s.Enclosed(); !s.Open() && !(v > 0 && within(v, math.MaxFloat64)) {
		return fmt.Errorf("geometry: %s: it encloses %.4g, must be greater than 0 and finite: make it larger or thicker", kind, v)
	}
	return nil
}
