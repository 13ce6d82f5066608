package geometry

import "fmt"

// Box is a block along the axes, made by NewBox. It carries no markers: it
// tells which nodes are solid.
type Box struct {
	lo, hi Vec
}

// NewBox is the box between two corners, lo below hi in x and y; in 2D both z
// are 0. Corners that are not finite or in the wrong order are refused.
func NewBox(lo, hi Vec) (Box, error) {
	for k, corner := range [2]Vec{lo, hi} {
		if err := checkPoint("box", [2]string{"lower corner", "upper corner"}[k], corner); err != nil {
			return Box{}, err
		}
	}
	for d, axis := range [3]string{"x", "y", "z"} {
		if flat := d == 2 && lo[d] == hi[d]; lo[d] >= hi[d] && !flat {
			return Box{}, fmt.Errorf("geometry: box: %s runs from %v to %v, the first corner must be below the second: exchange them", axis, lo[d], hi[d])
		}
	}
	return Box{lo, hi}, nil
}

// Contains tells whether p is inside the box or on its surface.
func (b Box) Contains(p Vec) bool {
	for d := range p {
		if p[d] < b.lo[d] || p[d] > b.hi[d] {
			return false
		}
	}
	return true
}

// Bounds are the two corners.
func (b Box) Bounds() (lo, hi Vec) { return b.lo, b.hi }

// Scaled is the box in a unit of length that is factor times smaller.
func (b Box) Scaled(factor float64) Box {
	mustFactor(factor)
	return Box{b.lo.Scale(factor), b.hi.Scale(factor)}
}

// Translated is the box moved by d.
func (b Box) Translated(d Vec) Box { return Box{b.lo.Add(d), b.hi.Add(d)} }
