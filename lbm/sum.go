package lbm

import (
	"math"
	"math/bits"
)

// Sum is a sum whose bits do not depend on the order of its terms, so that those of parts of a domain make that of all of it: a
// 128-bit integer in units of sumUnit, 2⁻⁶⁰. A term is cut to a whole number of units, which is less than the rounding of a sum
// of some tens of terms in double precision.
type Sum struct {
	High int64
	Low  uint64
	Lost int64 // terms that are not finite, or beyond ±8: no population is, in a flow that has not diverged
}

const (
	sumUnits = 1 << 60
	sumUnit  = 1. / sumUnits
	sumMost  = 8
)

// Add adds a term.
func (s *Sum) Add(v float64) {
	if !(math.Abs(v) < sumMost) {
		s.Lost++
		return
	}
	units := int64(v * sumUnits)
	var carry uint64
	s.Low, carry = bits.Add64(s.Low, uint64(units), 0)
	s.High += units>>63 + int64(carry)
}

// Join adds all terms of another sum.
func (s *Sum) Join(o Sum) {
	var carry uint64
	s.Low, carry = bits.Add64(s.Low, o.Low, 0)
	s.High += o.High + int64(carry)
	s.Lost += o.Lost
}

// Value is the sum; NaN where a term was lost.
func (s Sum) Value() float64 {
	if s.Lost > 0 {
		return math.NaN()
	}
	high, low, sign := uint64(s.High), s.Low, 1.
	if s.High < 0 {
		var borrow uint64
		low, borrow = bits.Sub64(0, low, 0)
		high, _ = bits.Sub64(0, high, borrow)
		sign = -1
	}
	return sign * (float64(high)*(1<<32)*(1<<32) + float64(low)) * sumUnit
}

// Sums3 are the sums of a vector.
type Sums3 [3]Sum

// Join adds all terms of others.
func (s *Sums3) Join(o Sums3) {
	for a := range s {
		s[a].Join(o[a])
	}
}

// Value is the vector.
func (s *Sums3) Value() (v [3]float64) {
	for a := range v {
		v[a] = s[a].Value()
	}
	return v
}

// Summing is a fluid whose Momentum and Inflow are sums of that kind: those of boxes that make up a box are its own, bit by bit.
// The mass is that of f − w.
type Summing interface {
	MomentumSums(lo, hi [3]int) (mass Sum, j Sums3)
	InflowSums(lo, hi [3]int) Sums3
}

// Words are the sum as numbers, which Set makes it of.
func (s Sum) Words() [3]int64 { return [3]int64{s.High, int64(s.Low), s.Lost} }

// Set makes the sum that Words tells.
func (s *Sum) Set(words []int64) { s.High, s.Low, s.Lost = words[0], uint64(words[1]), words[2] }
