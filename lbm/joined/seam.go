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

// keep has a part keep a list, if it can.
func keep[T lbm.Float](in lbm.Exchanger[T], nodes []int32) {
	if k, ok := in.(lbm.Keeper[T]); ok {
		k.Keep(nodes)
	}
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
	keep(from, r.nodes)
}

func (r *reading[T]) read() {
	if len(r.nodes) > 0 {
		r.from.Fetch(r.nodes, r.f)
	}
}

// writing is what is put into a part: populations of nodes, each a sum of values that have been read.
type writing[T lbm.Float] struct {
	to     lbm.Exchanger[T]
	single lbm.Keeper[T] // to, if it takes single populations; else all of a node are put
	nodes  []int32       // single: of each direction, one after the other
	f      [][]T
	rules  []rule[T] // of each direction
}

// rule makes values: the k-th is the sum of weight·value over the terms [start[k], start[k+1]).
type rule[T lbm.Float] struct {
	start, value []int32
	weight       []T
}

// sums are what becomes of the populations of nodes, by direction: those without terms stay as they are.
type sums struct {
	nodes []int32
	terms [][][]term
}

// add adds a node.
func (s *sums) add(node int32, terms [][]term) {
	s.nodes, s.terms = append(s.nodes, node), append(s.terms, terms)
}

// writingOf makes the writing of sums. place says where in the values that have been read a source is.
func writingOf[T lbm.Float](to lbm.Exchanger[T], s *sums, q int, place func(source) int32) *writing[T] {
	w := &writing[T]{to: to, rules: make([]rule[T], q), f: make([][]T, q)}
	w.single, _ = to.(lbm.Keeper[T])
	if w.single == nil {
		w.nodes = s.nodes
	}
	for i := range q {
		r := &w.rules[i]
		r.start = []int32{0}
		for k, node := range s.nodes {
			if len(s.terms[k][i]) == 0 && w.single != nil {
				continue
			}
			if w.single != nil {
				w.nodes = append(w.nodes, node)
			}
			for _, t := range s.terms[k][i] {
				r.value = append(r.value, place(t.source))
				r.weight = append(r.weight, T(t.weight))
			}
			r.start = append(r.start, int32(len(r.value)))
		}
		w.f[i] = make([]T, len(r.start)-1)
	}
	keep(to, w.nodes)
	return w
}

// write sums and puts.
func (w *writing[T]) write(values []T) {
	if len(w.nodes) == 0 {
		return
	}
	for i := range w.rules {
		w.rules[i].apply(w.f[i], values)
	}
	if w.single != nil {
		w.single.PutEach(w.nodes, w.f)
		return
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
