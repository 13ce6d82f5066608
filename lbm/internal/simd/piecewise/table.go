// Package piecewise has functions of a positive number as tables that vectors of numbers can be looked up in.
package piecewise

import (
	"math"
	"unsafe"
)

// Table is a function that is straight between places which lie evenly in each octave, At + Slope·z. Below the lowest place it is what it is
// there, and likewise above the highest.
type Table[T float32 | float64] struct {
	At, Slope [Pieces]T
}

// A table goes from 2^−64 to 1 in 32 pieces an octave, within which a power of z, z^p, is straight but for p(1 − p)/8192 of it.
const (
	Octaves       = 64
	PerOctaveBits = 5 // binary logarithm of the pieces of an octave
	Pieces        = Octaves << PerOctaveBits
	Low           = 1. / (1 << Octaves)
	High64        = 1 - 1./(1<<53) // of float64
	High32        = 1 - 1./(1<<24) // of float32
)

// Lowest is what the bits of 2^−64 are down to PerOctaveBits of their fraction: of a number with so biased an exponent.
func Lowest(bias int) int { return (bias - Octaves) << PerOctaveBits }

// Of is the table of a function.
func Of[T float32 | float64](f func(z float64) float64) *Table[T] {
	t := &Table[T]{}
	place := func(k int) float64 {
		return math.Ldexp(1+float64(k&(1<<PerOctaveBits-1))/(1<<PerOctaveBits), k>>PerOctaveBits-Octaves)
	}
	z := place(0)
	value := f(z)
	for k := range Pieces {
		next := place(k + 1)
		end := f(next)
		slope := (end - value) / (next - z)
		t.At[k], t.Slope[k] = T(value-slope*z), T(slope)
		z, value = next, end
	}
	return t
}

// Find is what the table has for z. It has something for what is not a number, too.
func (t *Table[T]) Find(z T) T {
	if !(z > Low) {
		z = Low
	}
	var k int
	if unsafe.Sizeof(z) == 8 {
		z = min(z, T(High64))
		k = int(math.Float64bits(float64(z))>>(52-PerOctaveBits)) - Lowest(1023)
	} else {
		high := float32(High32)
		z = min(z, T(high))
		k = int(math.Float32bits(float32(z))>>(23-PerOctaveBits)) - Lowest(127)
	}
	return t.At[k] + t.Slope[k]*z
}
