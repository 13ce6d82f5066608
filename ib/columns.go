package ib

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// columns is the method of D. M. McQueen & C. S. Peskin, "Shared-memory parallel
// vector implementation of the immersed boundary method …", J. Supercomput. 11
// (1997) 213, as Kassen's note describes it under "Domain decomposition methods":
// cells are divided into columns, points are in linked lists according to which column
// they are in, and columns a support apart have no node in common. There are
// about s^(d−1) sets of such columns, one sweep after the other; in a sweep each
// work-item is assigned its columns of the set, empty ones too.
//
// Columns run along x, where nodes follow each other in memory. The sites of a
// staggered field have their own lists. A sweep does that of all of them at once:
// their fields have no node in common.
//
// Lists are in the order of the points, whatever the way there. A node receives the
// terms of a sweep from one of them, so that results are the same bits for any
// number of workers.
type columns[T Float] struct {
	*located[T]
	parts    []columnsPart[T]
	rows     []int32    // the columns of the first part as they are in memory
	gathered []gathered // of every worker
	sweeps   int        // the most of a part
	sweep    int        // at hand
	in, out  [][]T      // while there is work; the closures are made once
	phase    struct{ find, link, read, spread func(worker int) }
}

// columnsPart is the components on one site.
type columnsPart[T Float] struct {
	*sweeps[T]
	lists
}

// gathered are points of some columns of a worker that are coupled together, no more
// than a batch. Columns are cut only where they are longer, so that where they are does
// not depend on the worker.
type gathered struct {
	n     int
	index [batchSize]int32
	at    int32    // the next point of the column at hand
	left  int32    // its points that are still to come
	_     [64]byte // keeps neighbours off its cache lines
}

func newColumns[T Float](f *frame[T]) (*columns[T], error) {
	t := &columns[T]{located: newLocated(f), gathered: make([]gathered, len(f.workers))}
	for i := range f.sites {
		s := newSweeps(f, i, 1)
		all := s.limit()
		if all > math.MaxInt32 {
			size := &f.sites[i].grid.Size
			return nil, fmt.Errorf("ib: grid of %d × %d × %d nodes: its columns along x need %d lists, and there are at most %d: use columns-pruned, which has none for empty columns",
				size[0], size[1], size[2], all, math.MaxInt32)
		}
		t.parts = append(t.parts, columnsPart[T]{s, newLists(int(all), s.count, len(f.workers))})
		t.sweeps = max(t.sweeps, s.count)
	}
	t.rows = t.parts[0].inMemory()
	t.phase.find, t.phase.link, t.phase.read, t.phase.spread = t.findShare, t.linkShare, t.readShare, t.spreadShare
	return t, nil
}

// SetPoints keeps the lists: only points that have left their columns change lists.
func (t *columns[T]) SetPoints(x []geometry.Vec) error {
	if err := t.located.SetPoints(x); err != nil {
		return err
	}
	for i := range t.parts {
		t.parts[i].resize(t.n)
	}
	t.run(t.n, t.phase.find)
	t.run(t.n, t.phase.link)
	return nil
}

// findShare finds the columns of a share of the points.
func (t *columns[T]) findShare(w int) {
	for i := range t.parts {
		t.find(w, t.parts[i].keys, t.parts[i].from, &t.parts[i].lists)
	}
}

// linkShare links the lists of a share of the sites.
func (t *columns[T]) linkShare(w int) {
	for i := w; i < len(t.parts); i += len(t.workers) {
		t.parts[i].link()
	}
}

// Interpolate is the note's Algorithm 1, column after column as they are in memory.
func (t *columns[T]) Interpolate(values, field [][]T) {
	t.mustMatch(field, values, t.n)
	t.out, t.in = values, field
	t.run(t.n, t.phase.read)
	t.out, t.in = nil, nil
}

func (t *columns[T]) readShare(w int) {
	if t.n == 0 {
		return
	}
	g := &t.gathered[w]
	next, end := parallel.Share(len(t.rows), w, len(t.workers))
	for {
		next = g.fill(&t.parts[0].lists, t.rows, next, end)
		if g.n == 0 {
			return
		}
		t.interpolateTo(w, g.index[:g.n], t.out, t.in)
	}
}

func (t *columns[T]) Spread(field, values [][]T) {
	t.mustMatch(field, values, t.n)
	if t.n == 0 {
		return
	}
	t.out, t.in = field, values
	for t.sweep = range t.sweeps { // s = 1, …, s^(d−1)
		points := 0
		for i := range t.parts {
			if p := &t.parts[i]; t.sweep < p.count {
				points += p.points[t.sweep]
			}
		}
		t.run(points, t.phase.spread)
	}
	t.out, t.in = nil, nil
}

// spreadShare spreads from a worker's columns of the sweep.
func (t *columns[T]) spreadShare(w int) {
	g := &t.gathered[w]
	for i := range t.parts {
		p := &t.parts[i]
		if t.sweep >= p.count {
			continue
		}
		lo, hi := parallel.Share(p.size, w, len(t.workers))
		next, end := t.sweep*p.size+lo, t.sweep*p.size+hi
		for {
			next = g.fill(&p.lists, nil, next, end)
			if g.n == 0 {
				break
			}
			p.spread(w, t.located, g.index[:g.n], t.out, t.in)
		}
	}
}

// fill gathers the next points of the lists next ≤ i < end, or of those that numbers
// has there, and returns the next one that it has not looked at. It gathers no points
// when there are no more.
func (g *gathered) fill(l *lists, numbers []int32, next, end int) int {
	g.n = 0
	for {
		for ; g.left > 0; g.left-- {
			if g.n == batchSize {
				return next
			}
			g.index[g.n] = g.at
			g.at = l.next[g.at]
			g.n++
		}
		if next == end {
			return next
		}
		i := next
		if numbers != nil {
			i = int(numbers[next])
		}
		g.at, g.left = l.head[i].first, l.head[i].count
		next++
		if g.n > 0 && g.n+int(g.left) > batchSize {
			return next
		}
	}
}
