package joined

import (
	"slices"

	"lbmib/lbm"
)

// A seam takes populations from nodes of some parts and puts others, which are linear in them, into nodes of parts: copies
// between parts of one level, and what explodes into a finer level or coalesces from it between levels.

// reading is what is read of a part: populations of nodes, each direction of its own.
type reading[T lbm.Float] struct {
	from  lbm.Exchanger[T]
	each  []map[int32]int32 // by direction, where in the list a node is; until the list is closed
	nodes []int32           // n of each direction
	f     [][]T
}

func newReading[T lbm.Float](q int) *reading[T] {
	r := &reading[T]{each: make([]map[int32]int32, q)}
	for i := range r.each {
		r.each[i] = map[int32]int32{}
	}
	return r
}

// index says which value of direction i a node's is; the node is added where it is missing.
func (r *reading[T]) index(i int, node int32) int32 {
	k, ok := r.each[i][node]
	if !ok {
		k = int32(len(r.each[i]))
		r.each[i][node] = k
	}
	return k
}

// len is how many values each direction has: as many as that with most.
func (r *reading[T]) len() (n int) {
	for _, m := range r.each {
		n = max(n, len(m))
	}
	return n
}

// close makes the list, with values in memory of Q times its length. Directions with fewer nodes repeat one.
func (r *reading[T]) close(from lbm.Exchanger[T], memory []T) {
	n := r.len()
	r.from = from
	r.nodes = make([]int32, n*len(r.each))
	any := int32(0)
	for _, m := range r.each {
		for node := range m {
			any = max(any, node)
		}
	}
	for i, m := range r.each {
		list := r.nodes[i*n : (i+1)*n]
		for k := range list {
			list[k] = any
		}
		for node, k := range m {
			list[k] = node
		}
		r.f = append(r.f, memory[i*n:(i+1)*n])
	}
	r.each = nil
}

func (r *reading[T]) read() {
	if len(r.nodes) > 0 {
		r.from.Fetch(r.nodes, r.f)
	}
}

// writing is what is put into a part: all populations of nodes, each a sum of values that have been read.
type writing[T lbm.Float] struct {
	to    lbm.Exchanger[T]
	nodes []int32
	f     [][]T
	rules []rule[T] // of each direction
}

// rule makes values: the k-th is the sum of weight·value over the terms [start[k], start[k+1]).
type rule[T lbm.Float] struct {
	start, value []int32
	weight       []T
}

func newWriting[T lbm.Float](to lbm.Exchanger[T], nodes []int32, q int) *writing[T] {
	w := &writing[T]{to: to, nodes: nodes, rules: make([]rule[T], q)}
	for i := range q {
		w.f = append(w.f, make([]T, len(nodes)))
		w.rules[i].start = []int32{0}
	}
	return w
}

// add is the next value of a direction.
func (w *writing[T]) add(i int, terms []term, place func(source) int32) {
	r := &w.rules[i]
	for _, t := range terms {
		r.value = append(r.value, place(t.source))
		r.weight = append(r.weight, T(t.weight))
	}
	r.start = append(r.start, int32(len(r.value)))
}

// write sums and puts.
func (w *writing[T]) write(values []T) {
	if len(w.nodes) == 0 {
		return
	}
	for i := range w.rules {
		w.rules[i].apply(w.f[i], values)
	}
	w.to.Put(w.nodes, w.f)
}

func (r *rule[T]) apply(to, values []T) {
	for k := range to {
		lo, hi := r.start[k], r.start[k+1]
		sum := T(0)
		weight := r.weight[lo:hi]
		for j, at := range r.value[lo:hi] {
			sum += weight[j] * values[at]
		}
		to[k] = sum
	}
}

// kind is where a value comes from.
type kind int

const (
	ofCoarse   kind = iota // the coarse level after its collision at time t
	ofFine                 // the fine level then
	ofFineNext             // and half a coarse step later
	ofFace                 // what drives a face of the domain
	kinds
)

// source is a value: a population of a node of a part, or a face's amplitude.
type source struct {
	kind kind
	node int32
	dir  int
}

// term is one of a sum of values.
type term struct {
	source
	weight float64
}

// plus adds terms times a factor, those of one source together.
func plus(sum, terms []term, factor float64) []term {
	for _, t := range terms {
		k := slices.IndexFunc(sum, func(o term) bool { return o.source == t.source })
		if k < 0 {
			sum = append(sum, term{source: t.source})
			k = len(sum) - 1
		}
		sum[k].weight += factor * t.weight
	}
	return sum
}
