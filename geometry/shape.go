// Package geometry describes bodies: their surfaces, the markers that sample
// them, and what is inside. It knows no lattice; every length is in the unit
// of the caller (a case is in reference lengths L, a solver in nodes).
package geometry

import (
	"fmt"
	"math"
)

// Region is a part of space, or of the plane z = 0.
type Region interface {
	// Bounds are the corners of the smallest box along the axes around it.
	Bounds() (lo, hi Vec)
	// Contains tells whether p is inside or on the surface, to rounding.
	Contains(p Vec) bool
}

// IsConvex tells whether a region is known to be convex, so that a line is in it along one piece at most.
func IsConvex(r Region) bool {
	switch s := r.(type) {
	case Box, Circle, Sphere:
		return true
	case placed:
		switch s.form.(type) {
		case cylinder, *ellipsoid:
			return true
		}
	}
	return false
}

// Shape is a surface in space (Dim 3) or a curve in the plane z = 0 (Dim 2),
// closed unless Open says otherwise. A Shape is a value and never changes.
type Shape interface {
	Region // that it encloses

	// Dim is 2 for a curve in the plane, 3 for a surface in space.
	Dim() int
	// Center is the centroid of the enclosed region, of an open shape that of
	// its surface.
	Center() Vec
	// Enclosed is the enclosed volume; in 2D the area.
	Enclosed() float64
	// Surface is the area of the surface; in 2D the length of the curve.
	Surface() float64
	// Reach is the radius of a ball around Center that holds the shape: the least
	// but for a union.
	Reach() float64
	// Length is the reference length of Reynolds and Strouhal numbers.
	Length() float64
	// Frontal is the reference area of force coefficients; in 2D a length.
	Frontal() float64
	// Sample covers the surface evenly with markers, as near to spacing apart
	// as a whole number of them allows.
	Sample(spacing float64) (Markers, error)
	// Outline is the section with the x–y plane through the centre as a
	// polyline of about n segments (as many as corners need), the last point
	// equal to the first; of a curve that is open, the curve. A section in
	// several pieces is joined by lines that are passed back and forth.
	Outline(n int) []Vec
	// Scaled is the shape with every coordinate multiplied by factor > 0, as
	// a change of the unit of length does.
	Scaled(factor float64) Shape
	// Translated is the shape moved by d.
	Translated(d Vec) Shape
	// Rotated is the shape turned by the rotation r about its centre; in 2D r
	// turns about z.
	Rotated(r Mat) Shape
	// Open tells that the shape has no inside: a thin plate, an open tube.
	Open() bool
	// Inertia is ∫(r² 1 − r rᵀ) dV over the enclosed region at density one, r
	// from the centre; in 2D all but [2][2] = ∫ r² dA is 0.
	Inertia() Mat
}

// Markers sample a surface: marker k stands for Area[k] of it (an arc length
// in 2D) around X[k], where the unit normal out of the body is Normal[k]. The
// areas sum to the surface. Normal[k] is 0 where marker k stands for both sides
// of a part that is thinner than markers may be near each other.
type Markers struct {
	X      []Vec
	Area   []float64
	Normal []Vec
}

// Len is the number of markers.
func (m Markers) Len() int { return len(m.X) }

// Limits of a sample: fewer markers do not make a closed body, more are a
// mistake in the spacing rather than a wish.
const (
	MinMarkers = 8
	MaxMarkers = 1 << 24
)

// markerCount is the number of markers of the given measure each (an arc
// length or an area) that a surface takes.
func markerCount(shape string, surface, spacing float64, dim int) (int, error) {
	if !(spacing > 0) || math.IsInf(spacing, 0) {
		return 0, fmt.Errorf("geometry: %s: marker spacing is %v, must be positive and finite: a spacing of one node is usual", shape, spacing)
	}
	n := math.Round(surface / math.Pow(spacing, float64(dim-1)))
	power := 1 / float64(dim-1)
	switch {
	case !(n >= MinMarkers):
		return 0, fmt.Errorf("geometry: %s: spacing %.4g puts only %.0f markers on a surface of %.4g, at least %d are needed: use a spacing of at most %.4g or raise the resolution",
			shape, spacing, n, surface, MinMarkers, math.Pow(surface/MinMarkers, power))
	case !(n <= MaxMarkers):
		return 0, fmt.Errorf("geometry: %s: spacing %.4g puts %.3g markers on a surface of %.4g, at most %d are allowed: use a spacing of at least %.4g",
			shape, spacing, n, surface, MaxMarkers, math.Pow(surface/MaxMarkers, power))
	}
	return int(n), nil
}

// mustFactor panics on a change of unit that is none.
func mustFactor(factor float64) {
	if !(factor > 0) || math.IsInf(factor, 0) {
		panic(fmt.Sprintf("geometry: a shape is scaled by %v, must be positive and finite", factor))
	}
}
