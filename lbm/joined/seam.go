package joined

import (
	"math"
	"slices"

	"lbmib/lbm"
)

// A seam takes populations from nodes of some parts and puts others, which are linear in them, into nodes of parts: copies
// between parts of one level, and what explodes into a finer level or coalesces from it between levels.

// reading is what is read of a part: populations of nodes, each direction of its own.
type reading[T lbm.Float] struct {
	from   lbm.Exchanger[T]
	single lbm.Keeper[T]     // from, if it reads different numbers of nodes for each direction; else as many of each
	each   []map[int32]int32 // by direction, where in the list a node is; until the list is closed
	nodes  []int32           // of each direction, one after the other
	f      [][]T
}

func newReading[T lbm.Float](from lbm.Exchanger[T], q int) *reading[T] {
	r := &reading[T]{from: from, each: make([]map[int32]int32, q)}
	r.single, _ = from.(lbm.Keeper[T])
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

// lengths is how many values each direction has.
func (r *reading[T]) lengths() (n []int) {
	for _, m := range r.each {
		n = append(n, len(m))
	}
	if r.single == nil {
		most := slices.Max(n)
		for i := range n {
			n[i] = most
		}
	}
	return n
}

// keep has a part keep a list, if it can.
func keep[T lbm.Float](in lbm.Exchanger[T], nodes []int32) {
	if k, ok := in.(lbm.Keeper[T]); ok {
		k.Keep(nodes)
	}
}

// close makes the list, with its values in memory. Directions with fewer nodes than they must have repeat one.
func (r *reading[T]) close(memory []T) {
	spare := int32(0)
	for _, m := range r.each {
		for node := range m {
			spare = max(spare, node)
		}
	}
	for i, n := range r.lengths() {
		list := slices.Repeat([]int32{spare}, n)
		for node, k := range r.each[i] {
			list[k] = node
		}
		r.nodes = append(r.nodes, list...)
		r.f = append(r.f, memory[:n:n])
		memory = memory[n:]
	}
	r.each = nil
	keep(r.from, r.nodes)
}

func (r *reading[T]) read() {
	switch {
	case len(r.nodes) == 0:
	case r.single != nil:
		r.single.FetchEach(r.nodes, r.f)
	default:
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

// withoutNothing leaves out terms that have come to nothing.
func withoutNothing(sum []term) []term {
	return slices.DeleteFunc(sum, func(t term) bool { return math.Abs(t.weight) < 1e-14 })
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
