// Package dither makes the noise by which populations are rounded to half
// precision without bias: to one of the two halves around a value, with the
// probability that makes their mean the value. Rounding to the nearest would let
// a steady flow stall where a step's changes are below half a unit, as if its
// viscosity were another.
//
// The noise is a function of step, row and node alone, so that results do not
// depend on where populations lie, on who computes them, or on how a row is cut
// into vectors; and a flow that is resumed goes on as it would have.
//
//	y   = seed + x·Stride mod 2³²         the seed being that of step and row
//	z   = (y xor y/2^Fold)·Mix mod 2³²
//	d_k = (z/2^a xor z/2^b) mod 2¹³       a, b = Shifts[k]
//
// d_0 is for the rest population, d_k for the k-th ± pair. It is added to the
// bits of a number in single precision, to its magnitude, of which truncation to
// half precision drops the last 13.
//
// So little mixing is enough: seeds are well mixed, and along a row the fold,
// which is not linear, decorrelates neighbours as far as tests can tell. (With a
// fold by 16 and other multipliers they are correlated by up to 3 %; a second fold
// brings nothing.) Mix is the second multiplier of MurmurHash3's finalizer.
package dither

// The constants of the noise.
const (
	Stride = 0x9e3779b9 // 2³²/golden ratio: of neighbouring nodes
	Fold   = 15
	Mix    = 0xc2b2ae35
	Mask   = 1<<13 - 1 // of what a half lacks of a single's fraction
)

// None is a shift that leaves nothing.
const None = 32

// Shifts are a and b of each d_k. Any two of them share at most 7 bits, which are
// high in one and low in the other.
var Shifts = [10][2]uint8{
	{19, None}, {0, None}, {6, None}, {13, None},
	{0, 6}, {13, 19}, {0, 13}, {6, 19}, {6, 13}, {0, 19},
}

// Seed is that of the nodes of a row in a step.
func Seed(step int64, row int) uint32 {
	z := uint64(step)*0x9e3779b97f4a7c15 + uint64(row)*0xd1342543de82ef95
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9 // splitmix64: Steele, Lea & Flood, OOPSLA 2014
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return uint32(z >> 32)
}

// Noise is z of node x of a row.
func Noise(seed uint32, x int) uint32 {
	z := seed + uint32(x)*Stride
	return (z ^ z>>Fold) * Mix
}

// Of is d_k of a node's noise.
func Of(noise uint32, k int) uint32 {
	s := &Shifts[k]
	return (noise>>s[0] ^ noise>>s[1]) & Mask
}
