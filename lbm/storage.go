package lbm

import (
	"math"
	"unsafe"
)

// Half is a population stored in 16 bits: 2¹⁵·(f_i − w_i) as an IEEE
// half-precision number. The shift by the weight keeps what the flow lives on;
// the factor maps |f − w| < 2 onto the format's range. What is stored has 11
// significant bits, or an absolute error of 2⁻³⁹ where that is larger; it is rounded
// at random, so that errors do not add up over steps (see dithered). Cf. Lehmann
// et al., Phys. Rev. E 106 (2022) 015308, who round to the nearest.
type Half uint16

// Stored is the form in which populations lie in memory: the precision of
// arithmetic, or Half with arithmetic in float32.
type Stored interface{ float32 | float64 | Half }

const halfScale = 1 << 15

// decode is the population f − w that a stored value stands for.
func decode[T Float, S Stored](v S) T {
	if unsafe.Sizeof(v) == 2 { // known when compiled
		return T(halfValue(uint16(v)))
	}
	return T(v)
}

// encode is the inverse of decode; Half rounds to the nearest, ties to even.
func encode[S Stored, T Float](v T) S {
	var s S
	if unsafe.Sizeof(s) == 2 {
		return S(halfBits(float32(v)))
	}
	return S(v)
}

// halfValue is 2⁻¹⁵ times the value of a half-precision number.
func halfValue(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	bits := uint32(h & 0x7fff)
	switch {
	case bits >= 0x7c00: // infinite or not a number
		return math.Float32frombits(sign | 0x7f800000 | bits<<13)
	case bits < 0x0400: // subnormal: bits·2⁻²⁴
		return math.Float32frombits(sign | math.Float32bits(float32(bits)*(1./(1<<24)/halfScale)))
	}
	return math.Float32frombits(sign | (bits<<13 + (127-15-15)<<23))
}

// halfBits is the half-precision number nearest to 2¹⁵·v.
func halfBits(v float32) uint16 {
	b := math.Float32bits(v * halfScale)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000: // not a number
		return sign | 0x7e00
	case b >= 0x477ff000: // rounds beyond 65504
		return sign | 0x7c00
	case b < 0x38800000: // below 2⁻¹⁴: a multiple of 2⁻²⁴; the sum rounds to even
		return sign | uint16(math.Float32bits(math.Float32frombits(b)+0.5)-math.Float32bits(0.5))
	}
	b += 0xfff + b>>13&1 // round to nearest, ties to even
	return sign | uint16((b-(127-15)<<23)>>13)
}
