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

// newReading reads listed nodes to memory, which it returns the rest of.
func newReading[T lbm.Float](from lbm.Exchanger[T], list *listing, memory []T) (r *reading[T], rest []T) {
	r = &reading[T]{from: from}
	r.single, _ = from.(lbm.Keeper[T])
	for i := range list.q() {
		nodes := list.nodes(i)
		r.nodes = append(r.nodes, nodes...)
		r.f = append(r.f, memory[:len(nodes):len(nodes)])
		memory = memory[len(nodes):]
	}
	keep(from, r.nodes)
	return r, memory
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
	sums   []sum[T]
	pool   *parallel.Pool // that shares the sums, nil: they are too few
	shares []int          // sums[shares[k]:shares[k+1]] are those of worker k
	share  func(worker int)
}

// newWriting is that of rules for the populations of listed nodes, which take their values from where source says.
func newWriting[T lbm.Float](to lbm.Exchanger[T], rules []rule, list *listing, source func(t term, step int32, n int) []T) *writing[T] {
	w := &writing[T]{to: to}
	w.single, _ = to.(lbm.Keeper[T])
	for i := range list.q() {
		nodes := list.nodes(i)
		if w.single != nil || i == 0 {
			w.nodes = append(w.nodes, nodes...)
		}
		w.f = append(w.f, make([]T, len(nodes)))
	}
	for k := range rules {
		r := &rules[k]
		at := list.at(r.dir, r.node, r.step)
		s := sum[T]{to: w.f[r.dir][at : at+r.n]}
		for _, t := range r.terms {
			s.from = append(s.from, source(t, r.steps[t.kind], r.n))
			s.weight = append(s.weight, T(t.weight))
		}
		w.sums = append(w.sums, s)
	}
	keep(to, w.nodes)
	w.parallel()
	return w
}

// sharedFrom is the number of terms from which workers share sums: for fewer it takes longer to wake them.
const sharedFrom = 50_000

// parallel has the part's workers share the sums where that is worth it.
func (w *writing[T]) parallel() {
	of, ok := w.to.(interface{ Workers() *parallel.Pool })
	total := 0
	for k := range w.sums {
		total += w.sums[k].cost()
	}
	if !ok || of.Workers() == nil || total < sharedFrom {
		return
	}
	w.pool = of.Workers()
	workers := w.pool.Workers()
	w.shares = []int{0}
	so := 0
	for k := range w.sums {
		if so >= total*len(w.shares)/workers {
			w.shares = append(w.shares, k)
		}
		so += w.sums[k].cost()
	}
	for len(w.shares) <= workers {
		w.shares = append(w.shares, len(w.sums))
	}
	w.share = func(worker int) { w.apply(w.sums[w.shares[worker]:w.shares[worker+1]]) }
}

// write sums and puts.
func (w *writing[T]) write() {
	if len(w.nodes) == 0 {
		return
	}
	if w.pool != nil {
		w.pool.Run(w.share)
	} else {
		w.apply(w.sums)
	}
	if w.single != nil {
		w.single.PutEach(w.nodes, w.f)
		return
	}
	w.to.Put(w.nodes, w.f)
}

func (w *writing[T]) apply(sums []sum[T]) {
	for k := range sums {
		sums[k].apply()
	}
}

// sum is one of pieces of memory times weights.
type sum[T lbm.Float] struct {
	to     []T
	from   [][]T // each as long as to
	weight []T
}

// cost is about how many terms are added up.
func (s *sum[T]) cost() int { return len(s.to) * (1 + len(s.from)) }

// apply adds four terms at a time, so that what is made of them goes to memory once.
func (s *sum[T]) apply() {
	to, from, weight := s.to, s.from, s.weight
	if len(from) == 0 {
		clear(to)
	}
	for first := true; len(from) > 0; first = false {
		n := min(len(from), 4)
		if first {
			setTo(to, from[:n], weight[:n])
		} else {
			addTo(to, from[:n], weight[:n])
		}
		from, weight = from[n:], weight[n:]
	}
}

// setTo makes to the sum of one to four pieces times weights.
func setTo[T lbm.Float](to []T, from [][]T, weight []T) {
	a, wa := from[0][:len(to)], weight[0]
	switch len(from) {
	case 1:
		for k := range to {
			to[k] = wa * a[k]
		}
	case 2:
		b, wb := from[1][:len(to)], weight[1]
		for k := range to {
			to[k] = wa*a[k] + wb*b[k]
		}
	case 3:
		b, c, wb, wc := from[1][:len(to)], from[2][:len(to)], weight[1], weight[2]
		for k := range to {
			to[k] = wa*a[k] + wb*b[k] + wc*c[k]
		}
	default:
		b, c, d, wb, wc, wd := from[1][:len(to)], from[2][:len(to)], from[3][:len(to)], weight[1], weight[2], weight[3]
		for k := range to {
			to[k] = wa*a[k] + wb*b[k] + wc*c[k] + wd*d[k]
		}
	}
}

// addTo adds the sum of one to four pieces times weights.
func addTo[T lbm.Float](to []T, from [][]T, weight []T) {
	a, wa := from[0][:len(to)], weight[0]
	switch len(from) {
	case 1:
		for k := range to {
			to[k] += wa * a[k]
		}
	case 2:
		b, wb := from[1][:len(to)], weight[1]
		for k := range to {
			to[k] += wa*a[k] + wb*b[k]
		}
	case 3:
		b, c, wb, wc := from[1][:len(to)], from[2][:len(to)], weight[1], weight[2]
		for k := range to {
			to[k] += wa*a[k] + wb*b[k] + wc*c[k]
		}
	default:
		b, c, d, wb, wc, wd := from[1][:len(to)], from[2][:len(to)], from[3][:len(to)], weight[1], weight[2], weight[3]
		for k := range to {
			to[k] += wa*a[k] + wb*b[k] + wc*c[k] + wd*d[k]
		}
	}
}
