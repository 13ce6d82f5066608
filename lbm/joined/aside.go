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

	list   int64            // number of the list of a NodeStep,
	split  []*forcedPart[T] // of every part of the finest level
	forced []*forcedPart[T] // those that have its nodes
}

// portions are a list by parts. Lists are mostly the same from step to step.
type portions[T lbm.Float] struct {
	nodes []int32
	of    []portion[T] // of every part of the finest level
}

// portion are the nodes of a list that a part has.
type portion[T lbm.Float] struct {
	in    lbm.Exchanger[T]
	nodes []int32   // of the part: for a Fetch those of each direction, one after the other, as many of each
	which [][]int32 // by direction, of the slices that the caller has; a Put has one list for all
	f     [][]T
	whole bool // the part has all nodes of the list
}

// Workers is the pool that the phases of this rank's parts run on; nil where they have none.
func (f *Fluid[T]) Workers() (pool *parallel.Pool) {
	f.eachPart(func(_ int, p *part[T]) {
		if pool == nil && f.own(p) {
			pool = poolOf[T](p.fluid)
		}
	})
	return pool
}

// finest are the parts of the finest level.
func (f *Fluid[T]) finest() []*part[T] { return f.levels[len(f.levels)-1] }

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
		f.split(l, nodes, f.cfg.Lattice.Q)
	}
	for k := range l.of {
		switch o := &l.of[k]; {
		case len(o.nodes) == 0:
		case o.whole:
			o.in.Fetch(o.nodes, to)
		default:
			o.in.Fetch(o.nodes, o.f)
			for i, which := range o.which {
				for j, at := range which {
					to[i][at] = o.f[i][j]
				}
			}
		}
	}
}

// Put overwrites populations at nodes of the finest level; see lbm.Exchanger.
func (f *Fluid[T]) Put(nodes []int32, from [][]T) {
	l := &f.aside.put
	if !slices.Equal(l.nodes, nodes) {
		f.split(l, nodes, 1)
	}
	for k := range l.of {
		switch o := &l.of[k]; {
		case len(o.nodes) == 0:
		case o.whole:
			o.in.Put(o.nodes, from)
		default:
			for i := range o.f {
				for j, at := range o.which[0] {
					o.f[i][j] = from[i][at]
				}
			}
			o.in.Put(o.nodes, o.f)
		}
	}
}

// split finds the parts that have the nodes of a list, which is one for each of so many directions, in the memory of the list before.
func (f *Fluid[T]) split(l *portions[T], nodes []int32, lists int) {
	l.nodes = append(l.nodes[:0], nodes...)
	if l.of == nil {
		for _, p := range f.finest() {
			l.of = append(l.of, portion[T]{in: p.fluid.(lbm.Exchanger[T]), which: make([][]int32, lists), f: make([][]T, f.cfg.Lattice.Q)})
		}
	}
	n := len(nodes) / lists
	for i := range lists {
		for k := range l.of {
			l.of[k].which[i] = l.of[k].which[i][:0]
		}
		for at, node := range nodes[i*n : (i+1)*n] {
			k, _ := f.finestOf(node)
			l.of[k].which[i] = append(l.of[k].which[i], int32(at))
		}
	}
	for k := range l.of {
		l.of[k].number(f, nodes, n)
	}
}

// number lists a portion's nodes as its part numbers them: as many of each direction, the last again where there are fewer.
func (o *portion[T]) number(f *Fluid[T], nodes []int32, n int) {
	most, least := 0, n
	for _, which := range o.which {
		most, least = max(most, len(which)), min(least, len(which))
	}
	o.nodes, o.whole = o.nodes[:0], least == n
	spare := int32(0)
	for i, which := range o.which {
		for _, at := range which {
			_, spare = f.finestOf(nodes[i*n+int(at)])
			o.nodes = append(o.nodes, spare)
		}
		for range most - len(which) {
			o.nodes = append(o.nodes, spare)
		}
	}
	for i := range o.f {
		o.f[i] = slices.Grow(o.f[i][:0], most)[:most]
	}
}
