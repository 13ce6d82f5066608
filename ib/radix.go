package ib

import "math/bits"

const (
	digitBits = 11
	digits    = 1 << digitBits
)

// keyed is a sort key and the index of what it belongs to.
type keyed struct {
	key   uint32
	index int32
}

// radix sorts by key, least digit first: stable, and linear in the number of
// items. It keeps its scratch between sorts.
type radix struct {
	scratch []keyed
	count   [digits]int32
}

// sort orders items by key, equal keys in the order they came; keys are below
// limit.
func (r *radix) sort(items []keyed, limit int) {
	r.scratch = grow(r.scratch, len(items))
	from, to := items, r.scratch
	for shift := 0; shift < bits.Len(uint(limit-1)); shift += digitBits {
		r.pass(to, from, shift)
		from, to = to, from
	}
	if len(items) > 0 && &from[0] != &items[0] {
		copy(items, from)
	}
}

// pass distributes items by one digit.
func (r *radix) pass(to, from []keyed, shift int) {
	r.count = [digits]int32{}
	for _, item := range from {
		r.count[item.key>>shift%digits]++
	}
	var sum int32
	for d, c := range r.count {
		r.count[d] = sum
		sum += c
	}
	for _, item := range from {
		d := item.key >> shift % digits
		to[r.count[d]] = item
		r.count[d]++
	}
}
