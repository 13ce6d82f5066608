package joined

import (
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// A seam takes populations from nodes of some parts and puts others, which are linear in them, into nodes of parts: copies
// between parts of one level, and what explodes into a finer level or coalesces from it between levels. Along the edges and faces of a box
// all nodes are treated alike, so that sums are those of whole pieces of memory: rules.

// reading is what is read of a part: populations of nodes, each direction of its own.
type reading[T lbm.Float] struct {
	from   lbm.Exchanger[T]
	single lbm.Keeper[T] // from, if it reads different numbers of nodes for each direction; else as many of each
	nodes  []int32       // of each direction, one after the other
	f      [][]T
}

// newReading reads listed nodes to memory.
func newReading[T lbm.Float](from lbm.Exchanger[T], list *listing, f [][]T) *reading[T] {
	r := &reading[T]{from: from, f: f}
	r.single, _ = from.(lbm.Keeper[T])
	for i := range list.q() {
		r.nodes = append(r.nodes, list.nodes(i)...)
	}
	keep(from, r.nodes)
	return r
}

// keep has a part keep a list, if it can.
func keep[T lbm.Float](in lbm.Exchanger[T], nodes []int32) {
	if k, ok := in.(lbm.Keeper[T]); ok {
		k.Keep(nodes)
	}
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
	nodes  []int32       // single: of each direction, one after the other; else those of any
	f      [][]T
	sums   *lbm.Combinations[T]
}

// newWriting is that of rules for populations of q directions of a part, single ones or all of nodes, which take their values from where source says.
func newWriting[T lbm.Float](to lbm.Exchanger[T], kernel string, q int, single bool, rules []partRule, source func(r *partRule, term int) []T) *writing[T] {
	list := newListing(q, !single)
	for k := range rules {
		list.add(rules[k].dir, rules[k].node, rules[k].step, rules[k].n)
	}
	list.close()
	w := &writing[T]{to: to}
	w.single, _ = to.(lbm.Keeper[T])
	for i := range list.q() {
		nodes := list.nodes(i)
		if w.single != nil || i == 0 {
			w.nodes = append(w.nodes, nodes...)
		}
		w.f = append(w.f, make([]T, len(nodes)))
	}
	w.sums = lbm.NewCombinations[T](kernel, poolOf[T](to))
	for k := range rules {
		r := &rules[k]
		at := list.at(r.dir, r.node, r.step)
		var from [][]T
		var weight []T
		for j, t := range r.terms {
			from, weight = append(from, source(r, j)), append(weight, T(t.weight))
		}
		w.sums.Add(w.f[r.dir][at:at+r.n], from, weight)
	}
	keep(to, w.nodes)
	return w
}

// poolOf is what the phases of a part run on; nil where it has none.
func poolOf[T lbm.Float](in any) *parallel.Pool {
	if of, ok := in.(interface{ Workers() *parallel.Pool }); ok {
		return of.Workers()
	}
	return nil
}

// write sums and puts.
func (w *writing[T]) write() {
	if len(w.nodes) == 0 {
		return
	}
	w.sums.Run()
	if w.single != nil {
		w.single.PutEach(w.nodes, w.f)
		return
	}
	w.to.Put(w.nodes, w.f)
}
