package simd

import "unsafe"

// Sum makes N values from To on the sums of values that follow each other from the Froms of terms on, times their weights, terms in their
// order, each fused with the sum before.
type Sum struct {
	To    unsafe.Pointer
	N     int
	terms *Term
	count int
}

// Term is one of a sum.
type Term struct {
	From   unsafe.Pointer
	weight [8]byte
}

// SetTerms sets the terms of a sum of float64 or float32.
func SetTerms[T float32 | float64](s *Sum, from []unsafe.Pointer, weight []T) {
	terms := make([]Term, len(from))
	for k := range terms {
		terms[k].From = from[k]
		*(*T)(unsafe.Pointer(&terms[k].weight)) = weight[k]
	}
	s.terms, s.count = unsafe.SliceData(terms), len(terms)
}

// Terms is how many terms a sum has.
func (s *Sum) Terms() int { return s.count }
