package geometry

import (
	"math"
	"math/big"
)

// Orient is twice the area of the triangle a, b, p in the plane, and on which side of the way from a to b p lies: 1 left of it, −1 right, 0 on it. The side is exact, so that
// the triangles around a point agree however near to it p is: rounding alone would have p in two of them, or in none. The area is rounded.
// Where that is too near to 0 to tell (the bound is that of Shewchuk, Discrete Comput. Geom. 18 (1997) 305), the side is found without rounding.
func Orient(a, b, p [2]float64) (area float64, side int) {
	const bound = 3.3306690738754716e-16 // (3 + 16ε)ε, ε = 2⁻⁵³
	left, right := float64((b[0]-a[0])*(p[1]-a[1])), float64((b[1]-a[1])*(p[0]-a[0]))
	area = left - right
	switch error := bound * (math.Abs(left) + math.Abs(right)); {
	case area > error:
		return area, 1
	case area < -error:
		return area, -1
	}
	return area, exactSide(a, b, p)
}

// exactSide is the side that Orient tells, by fractions. Coordinates must be finite.
func exactSide(a, b, p [2]float64) int {
	difference := func(x, y float64) *big.Rat {
		return new(big.Rat).Sub(new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y))
	}
	left := new(big.Rat).Mul(difference(b[0], a[0]), difference(p[1], a[1]))
	right := new(big.Rat).Mul(difference(b[1], a[1]), difference(p[0], a[0]))
	return left.Cmp(right)
}
