package joined

import (
	"slices"

	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// What a schedule needs to work on nodes near bodies, which lie in the finest level, aside: lbm.Exchanger and lbm.NodeStepper.

// aside are lists of nodes of the finest level that schedules work on, by the parts that have them.
type aside[T lbm.Float] struct {
	fetched, put portions[T]

	list    int64 // number of the list of a NodeStep,
	only    *part[T]
	nodes   []int32
	runs    []lbm.NodeRun
	stepped lbm.NodeStep[T] // of the only part that has the nodes
	forced  *part[T]        // it, in the step at hand
}

// portions are a list by parts. Lists are mostly the same from step to step.
type portions[T lbm.Float] struct {
	nodes []int32
	of    []portion[T]
}

// portion are the populations of a list that a part has.
type portion[T lbm.Float] struct {
	in    lbm.Keeper[T]
	nodes []int32   // of the part: those of each direction, one after the other
	which [][]int32 // by direction, of the slices that the caller has; nil: all, in their order
	f     [][]T
}

// Workers is the pool that the phases of the parts run on; nil where they have none.
func (f *Fluid[T]) Workers() *parallel.Pool { return poolOf[T](f.finest()[0].fluid) }

// finest are the parts of the finest level.
func (f *Fluid[T]) finest() []*part[T] { return f.levels[len(f.levels)-1] }

// finestWith is which part of the finest level has a place, −1: none.
func (f *Fluid[T]) finestWith(p [3]int) int {
	for k, o := range f.finest() {
		if o.contains(p) {
			return k
		}
	}
	return -1
}

// finestOf is which part of the finest level has a node, and its number there. It panics where none has it: see TakesForces.
func (f *Fluid[T]) finestOf(node int32) (int, int32) {
	p := f.cfg.Position(int(node))
	k := f.finestWith(p)
	if k < 0 {
		panic("joined: a node is asked for that the finest level does not have")
	}
	return k, f.finest()[k].node(p)
}

// Fetch reads populations at nodes of the finest level; see lbm.Exchanger.
func (f *Fluid[T]) Fetch(nodes []int32, to [][]T) {
	l := &f.aside.fetched
	if !slices.Equal(l.nodes, nodes) {
		f.split(l, nodes, false)
	}
	for k := range l.of {
		o := &l.of[k]
		if o.which == nil {
			o.in.FetchEach(o.nodes, to)
			continue
		}
		o.in.FetchEach(o.nodes, o.f)
		for i, which := range o.which {
			for j, at := range which {
				to[i][at] = o.f[i][j]
			}
		}
	}
}

// Put overwrites populations at nodes of the finest level; see lbm.Exchanger.
func (f *Fluid[T]) Put(nodes []int32, from [][]T) {
	l := &f.aside.put
	if !slices.Equal(l.nodes, nodes) {
		f.split(l, nodes, true)
	}
	for k := range l.of {
		o := &l.of[k]
		if o.which == nil {
			o.in.PutEach(o.nodes, from)
			continue
		}
		for i, which := range o.which {
			for j, at := range which {
				o.f[i][j] = from[i][at]
			}
		}
		o.in.PutEach(o.nodes, o.f)
	}
}

// split finds the parts that have the nodes of a list: one for all directions, or as many as there are directions one after the other.
func (f *Fluid[T]) split(l *portions[T], nodes []int32, all bool) {
	q := f.cfg.Lattice.Q
	l.nodes, l.of = append(l.nodes[:0], nodes...), make([]portion[T], len(f.finest()))
	n := len(nodes)
	if !all {
		n /= q
	}
	for k, p := range f.finest() {
		l.of[k] = portion[T]{in: p.fluid.(lbm.Keeper[T]), which: make([][]int32, q), f: make([][]T, q)}
	}
	for i := range q {
		list := nodes
		if !all {
			list = nodes[i*n : (i+1)*n]
		}
		for at, node := range list {
			k, local := f.finestOf(node)
			o := &l.of[k]
			o.nodes, o.which[i] = append(o.nodes, local), append(o.which[i], int32(at))
		}
	}
	l.of = slices.DeleteFunc(l.of, func(o portion[T]) bool { return len(o.nodes) == 0 })
	for k := range l.of {
		o := &l.of[k]
		if len(l.of) == 1 {
			o.which = nil
			continue
		}
		for i := range q {
			o.f[i] = make([]T, len(o.which[i]))
		}
	}
}

// StepNodes makes a step in which forces act on nodes of the finest level; see the function lbm.StepNodes. Where several parts have them, the
// step is corrected.
func (f *Fluid[T]) StepNodes(n *lbm.NodeStep[T]) {
	a := &f.aside
	if list, nodes, at, runs := n.List(); a.list != list {
		a.list = list
		a.only = f.numbered(nodes, runs)
		a.stepped.SetNodes(a.nodes, at)
		if len(a.runs) > 0 {
			a.stepped.SetRuns(a.runs)
		}
	}
	if a.only == nil {
		lbm.StepAndCorrect(lbm.Fluid[T](f), n)
		return
	}
	a.stepped.Force, a.stepped.Rho, a.stepped.U, a.stepped.Relaxation = n.Force, n.Rho, n.U, n.Relaxation
	a.forced = a.only
	f.Step()
	a.forced = nil
}

// numbered numbers nodes and runs as the part does that has them, nil: there are several.
func (f *Fluid[T]) numbered(nodes []int32, runs []lbm.NodeRun) *part[T] {
	a := &f.aside
	a.nodes, a.runs = a.nodes[:0], a.runs[:0]
	only := -1
	for _, node := range nodes {
		k, local := f.finestOf(node)
		if only >= 0 && k != only {
			return nil
		}
		only = k
		a.nodes = append(a.nodes, local)
	}
	if only < 0 {
		return nil
	}
	p := f.finest()[only]
	for _, r := range runs { // which may hold nodes that the list has not
		first, last := f.cfg.Position(int(r.Node)), f.cfg.Position(int(r.Node+r.N-1))
		if !p.contains(first) || !p.contains(last) {
			a.runs = a.runs[:0]
			break
		}
		a.runs = append(a.runs, lbm.NodeRun{Node: p.node(first), At: r.At, N: r.N})
	}
	return p
}
