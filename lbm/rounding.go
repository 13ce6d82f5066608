package lbm

import (
	"math"
	"unsafe"

	"lbmib/lbm/internal/simd/dither"
)

// What computes populations rounds them to Half with dither, see there: the mean
// of many roundings is the value, so that changes far below a unit add up over
// steps. What stores populations as they are given (initial states, states that
// are restored) rounds to the nearest, so that a stored value comes back.

// purpose is what a row's noise is for: each has its own, in every step.
type purpose int64

const (
	forCollision purpose = iota
	forWalls
	forOpenFaces
	forCorrection
	purposes
)

// seed is that of a row's noise in a step; of Half alone.
func seedOf[S Stored](p purpose, step int64, row int) uint32 {
	var s S
	if unsafe.Sizeof(s) != 2 { // known when compiled
		return 0
	}
	return dither.Seed(step*int64(purposes)+int64(p), row)
}

// noise is the place of node x of a row in the table of noise; of Half alone.
func noise[S Stored](seed uint32, x int) uint32 {
	var s S
	if unsafe.Sizeof(s) != 2 { // known when compiled
		return 0
	}
	return dither.Place(seed, x)
}

// dithered is encode, rounding to Half with the k-th noise of a place: k = 0 for
// the rest population, k for the k-th ± pair.
func dithered[S Stored, T Float](v T, place uint32, k int) S {
	var s S
	if unsafe.Sizeof(s) == 2 { // known when compiled
		return S(ditheredBits(float32(v), place, k))
	}
	return S(v)
}

// ditheredBits is called, so that dithered, which is compiled to nothing in other
// precisions, is small enough to be inlined.
//
//go:noinline
func ditheredBits(v float32, place uint32, k int) uint16 {
	return truncatedBits(v, dither.Of(place, k))
}

// truncatedBits is one of the two half-precision numbers around 2¹⁵·v: the one
// farther from zero for a part of all noises 0 ≤ d < 2¹³ that is (|2¹⁵·v| − the
// nearer's)/(their distance). Below 2⁻¹⁴, where halves are subnormal and lack more
// bits than the noise has, it is mostly the nearer to zero: an error of less than
// 2⁻³⁹ in v. Beyond the largest half, 65504, it is that.
func truncatedBits(v float32, d uint32) uint16 {
	b := math.Float32bits(v*halfScale) + d
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000: // not a number, or infinite before the noise was added
		return sign | 0x7e00
	case b == 0x7f800000:
		return sign | 0x7c00
	case b >= 0x47800000: // from 65536
		return sign | 0x7bff
	case b < 0x33800000: // below 2⁻²⁴
		return sign
	case b < 0x38800000: // below 2⁻¹⁴: a multiple of 2⁻²⁴
		return sign | uint16((b&0x7fffff|0x800000)>>(126-b>>23))
	}
	return sign | uint16((b-(127-15)<<23)>>13)
}
