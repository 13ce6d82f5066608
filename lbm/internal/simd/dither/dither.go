// Package dither makes the noise by which populations are rounded to half
// precision without bias: to one of the two halves around a value, with the
// probability that makes their mean the value. Rounding to the nearest would let
// a steady flow stall where a step's changes are below half a unit, as if its
// viscosity were another.
//
// The noise is a function of step, row, node and direction alone, so that results
// do not depend on where populations lie, on who computes them, or on how a row is
// cut; and a flow that is resumed goes on as it would have. Node x reads
//
//	d_k = Table[(seed + x) mod Period + k·Spacing]
//
// for the rest population (k = 0) and the k-th ± pair, the seed being a hash of
// step and row. It is added to the bits of a number in single precision, to its
// magnitude, of which truncation to half precision drops the last 13.
//
// A table costs no more than a load: arithmetic that makes noise would compete
// with the collision's. In one period every 2048th of a unit occurs once, so over
// many seeds the mean of a rounded value is off by less than that. Nodes of other
// rows meet the same numbers, but others of them in every step.
package dither

// Sizes of the table.
const (
	Period  = 1 << 11
	Spacing = 67
	Values  = 1 << 13 // of what a half lacks of a single's fraction

	directions = 10 // of D3Q19: rest and nine pairs
	widest     = 16 // nodes of a vector that begins within a period
)

// Table has the noise, from 0 to Values − 1.
var Table = table()

// table shuffles a period and repeats its beginning.
func table() (t [Period + (directions-1)*Spacing + widest]uint32) {
	state := uint64(shuffle)
	random := func() uint64 { // splitmix64: Steele, Lea & Flood, OOPSLA 2014
		state += 0x9e3779b97f4a7c15
		return mixed(state)
	}
	for i := range Period {
		const stratum = Values / Period
		j := int(random() % uint64(i+1))
		t[i] = t[j]
		t[j] = uint32(stratum*i) + uint32(random()%stratum)
	}
	copy(t[Period:], t[:])
	return t
}

// shuffle is the state, of some thousands, with which entries that are up to 40
// apart, or as far as a node's directions, are correlated least (see the tests).
const shuffle = 2623

// Seed is that of the nodes of a row in a step.
func Seed(step int64, row int) uint32 {
	return uint32(mixed(Step(step)+uint64(row)*0xd1342543de82ef95) >> 32)
}

// Step is a step's part in the seeds of its rows.
func Step(step int64) uint64 { return uint64(step) * 0x9e3779b97f4a7c15 }

func mixed(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Place is that of node x in the table.
func Place(seed uint32, x int) uint32 { return (seed + uint32(x)) % Period }

// Of is d_k of the node at a place.
func Of(place uint32, k int) uint32 { return Table[int(place)+k*Spacing] }
