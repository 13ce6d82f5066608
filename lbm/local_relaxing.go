package lbm

import (
	"unsafe"
)

// localRelaxing has targets of a Local relax by times of their own.
type localRelaxing[T Float] struct {
	kernel  fieldAssembly // nil: node by node
	plain   func(dst, src *rows[T], k *rates[T])
	times   *Relaxation[T] // of the step at hand; nil: all have the collision's
	own     T              // that
	targets []placeInLine  // of Cover's targets; empty: not found yet
	asked   []placeInLine  // of the nodes that Correct was given last, ascending
}

// relaxingScratch is what a worker needs for it: nodes of a batch that have other times, one after the other.
type relaxingScratch[T Float] struct {
	nodes    []int32 // of the batch
	in, out  rows[T]
	tau      []T
	fields   []T // where moments go, and the force, 0
	pointers [8]unsafe.Pointer
}

func newLocalRelaxing[T Float](l *Local[T]) (r localRelaxing[T]) {
	op := l.rates.operator(l.cfg.Acceleration != nil || l.rates.accel != [3]T{})
	if op == "bgk" {
		op = "trt" // its rates are equal
	}
	r.own, r.plain = l.rates.tau, plainRow[T, T](l.cfg.Lattice, op)
	if l.cfg.Layout != "soaos" && l.cfg.Layout != "aos" { // sweeps of these go node by node, too
		r.kernel = localAssembly[T](l.kernel.name, l.cfg.Lattice.Q, l.kernel.lanes, op)
	}
	return r
}

// StepRelaxing is Step where nodes relax by times of their own, as the fluid's StepNodes does.
func (l *Local[T]) StepRelaxing(times *Relaxation[T]) {
	r := &l.relaxing
	if r.times = times; len(r.targets) != len(l.arrivals.targets) {
		r.targets = l.cfg.inLines(r.targets, l.arrivals.targets)
	}
	l.Step()
	r.times = nil
}

// CorrectRelaxing is Correct after a step in which nodes have relaxed by times of their own.
func (l *Local[T]) CorrectRelaxing(nodes, at []int32, force [][]T, times *Relaxation[T]) {
	r := &l.relaxing
	l.find(nodes)
	if len(r.asked) != len(nodes) {
		r.asked = l.cfg.inLines(r.asked, l.ascending)
	}
	l.access.run(l.access.correct, nodeList[T]{at: at[:len(nodes)], u: force, order: l.order, times: times, lines: r.asked, own: r.own})
}

// collideOthers makes what has arrived at those of m targets from first on that have other times than the collision's be what these make of it.
func (l *Local[T]) collideOthers(s *localScratch[T], first, m int) {
	r, b := &l.relaxing, &s.relaxing
	b.begin(l.cfg.Lattice.Q)
	for k, p := range r.targets[first : first+m] {
		if tau := r.times.Of(int(p.line), int(p.at), int(p.node), r.own); tau != r.own {
			b.tau[len(b.nodes)] = tau
			b.nodes = append(b.nodes, int32(k))
		}
	}
	if len(b.nodes) == 0 {
		return
	}
	q := l.cfg.Lattice.Q
	for i := range q {
		from, to := l.f[i][first:], b.in[i]
		for k, n := range b.nodes {
			to[k] = from[n]
		}
	}
	if r.kernel == nil {
		l.collideOneByOne(s)
	} else {
		for i := range q {
			s.from[i], s.to[i] = unsafe.Pointer(&b.in[i][0]), unsafe.Pointer(&b.out[i][0])
		}
		r.kernel(&s.to, &s.from, (len(b.nodes)+l.kernel.lanes-1)/l.kernel.lanes, unsafe.Pointer(&s.rates), &b.pointers)
	}
	for i := range q {
		from, to := b.out[i], l.g[i][first:]
		for k, n := range b.nodes {
			to[n] = from[k]
		}
	}
}

// collideOneByOne collides them without assembly.
func (l *Local[T]) collideOneByOne(s *localScratch[T]) {
	b, as := &s.relaxing, s.rates
	for k := range b.nodes {
		s.rates.at(b.tau[k])
		for i := range l.cfg.Lattice.Q {
			s.src[i], s.dst[i] = b.in[i][k:k+1], b.out[i][k:k+1]
		}
		l.relaxing.plain(&s.dst, &s.src, &s.rates)
		s.rates = as
	}
}

// begin makes room for a batch, none of whose nodes is listed yet.
func (b *relaxingScratch[T]) begin(q int) {
	if b.nodes = b.nodes[:0]; b.tau != nil {
		return
	}
	b.nodes, b.tau, b.fields = make([]int32, 0, localBatch), make([]T, localBatch), make([]T, 7*localBatch)
	for i := range q {
		b.in[i], b.out[i] = make([]T, localBatch), make([]T, localBatch)
	}
	for k := range 7 {
		b.pointers[k] = unsafe.Pointer(&b.fields[k*localBatch])
	}
	b.pointers[7] = unsafe.Pointer(&b.tau[0])
}
