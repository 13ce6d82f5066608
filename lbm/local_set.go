package lbm

import "math/bits"

// nodeSet is a set of nodes of a domain: a bit for each node, and for each word of
// bits how many nodes come before it, once they are listed. That is an eighth and a
// sixteenth of a byte per node of the domain, and a look-up touches little else than
// its neighbours do.
type nodeSet struct {
	bits   []uint64
	before []int32
	lo, hi int // words that are not zero: lo ≤ word < hi
}

func newNodeSet(nodes int) nodeSet {
	words := (nodes + 63) / 64
	return nodeSet{bits: make([]uint64, words), before: make([]int32, words), lo: words}
}

func (s *nodeSet) add(node int32) {
	w := int(node >> 6)
	s.bits[w] |= 1 << (node & 63)
	s.lo, s.hi = min(s.lo, w), max(s.hi, w+1)
}

// addRun adds n nodes that follow each other.
func (s *nodeSet) addRun(node int32, n int) {
	first, last := int(node), int(node)+n-1
	for w := first >> 6; w <= last>>6; w++ {
		bits := ^uint64(0)
		if w == first>>6 {
			bits <<= first & 63
		}
		if w == last>>6 {
			bits &= ^uint64(0) >> (63 - last&63)
		}
		s.bits[w] |= bits
	}
	s.lo, s.hi = min(s.lo, first>>6), max(s.hi, last>>6+1)
}

func (s *nodeSet) has(node int32) bool { return s.bits[node>>6]>>(node&63)&1 == 1 }

// list appends the nodes to a list, ascending, and makes place tell where in it.
func (s *nodeSet) list(to []int32) []int32 {
	first := len(to)
	for w := s.lo; w < s.hi; w++ {
		s.before[w] = int32(len(to) - first)
		for b := s.bits[w]; b != 0; b &= b - 1 {
			to = append(to, int32(w<<6+bits.TrailingZeros64(b)))
		}
	}
	return to
}

// place is where a node of the set stands in its list.
func (s *nodeSet) place(node int32) int32 {
	w := node >> 6
	return s.before[w] + int32(bits.OnesCount64(s.bits[w]&(1<<(node&63)-1)))
}

func (s *nodeSet) clear() {
	if s.lo < s.hi {
		clear(s.bits[s.lo:s.hi])
	}
	s.lo, s.hi = len(s.bits), 0
}
