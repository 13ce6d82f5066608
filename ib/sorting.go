package ib

import (
	"math/bits"
	"slices"
	"sort"

	"lbmib/internal/parallel"
)

// sorter sorts points by keys.
type sorter interface {
	// resize makes room for n points, and tells whether so many are sorted.
	resize(n int) (sorted bool)
	// put sets the keys of the points from k on, for a worker, whose calls are in
	// ascending order of points.
	put(worker, k int, keys []uint64)
	// follow sets the keys of the points at places from i on of the sorted order,
	// instead of put.
	follow(worker, i int, keys []uint64)
	// sort orders the points by key, equal keys in the order of the points. If few
	// keys have changed only their points are sorted anew. It tells whether the order
	// may have changed.
	sort() (changed bool)
	// index is the points in sorted order.
	index() []int32
	// find is the first place in sorted order with a key of at least that.
	find(key uint64) int
	// groups are the places where new keys begin, and the number of points.
	groups() []int32
}

// newSorter is a sorter for keys below limit: 32 bits wide where they suffice.
func newSorter(limit uint64, workers int, run func(phase func(worker int))) sorter {
	if limit <= 1<<32 {
		return newSorting[uint32](limit, workers, run)
	}
	return newSorting[uint64](limit, workers, run)
}

const (
	maxDigit = 11
	// resortShare is the share of points above which sorting all anew is faster
	// than merging those with new keys into the others: 1/resortShare of them.
	resortShare = 8
)

// sorting sorts least digit first, with as many digits as the keys have bits for:
// stable, and linear in the number of points.
type sorting[K uint32 | uint64] struct {
	key     []K // of each point
	n       int // points that are sorted
	items   []item[K]
	scratch []item[K]
	order   []int32
	starts  []int32
	stale   bool // starts are those of an earlier order

	run    func(phase func(worker int))
	count  [][1 << maxDigit]int32 // per worker
	moved  [][]int32              // per worker: points with new keys
	bits   int                    // of a key
	digit  int                    // bits of a digit
	shift  int                    // of the digit at hand
	from   []item[K]
	to     []item[K]
	phases struct{ fill, count, scatter, list func(worker int) }
}

// item is a key and the point that it belongs to.
type item[K uint32 | uint64] struct {
	key   K
	index int32
}

func newSorting[K uint32 | uint64](limit uint64, workers int, run func(func(worker int))) *sorting[K] {
	s := &sorting[K]{n: -1, run: run, count: make([][1 << maxDigit]int32, workers), moved: make([][]int32, workers)}
	s.bits = max(1, bits.Len64(limit-1))
	passes := (s.bits + maxDigit - 1) / maxDigit
	s.digit = (s.bits + passes - 1) / passes
	s.phases.fill, s.phases.count, s.phases.scatter, s.phases.list = s.fill, s.countShare, s.scatterShare, s.list
	return s
}

func (s *sorting[K]) resize(n int) (sorted bool) {
	if n != len(s.key) {
		s.key, s.n = grow(s.key, n), -1 // nothing is sorted
	}
	for w := range s.moved {
		s.moved[w] = grow(s.moved[w], n)[:0]
	}
	return s.n == n
}

func (s *sorting[K]) put(worker, k int, keys []uint64) {
	to := s.key[k:][:len(keys)]
	for i, key := range keys {
		if K(key) != to[i] {
			to[i] = K(key)
			s.moved[worker] = append(s.moved[worker], int32(k+i))
		}
	}
}

func (s *sorting[K]) follow(worker, i int, keys []uint64) {
	for j, it := range s.items[i:][:len(keys)] {
		if key := K(keys[j]); key != it.key {
			s.key[it.index] = key
			s.moved[worker] = append(s.moved[worker], it.index)
		}
	}
}

func (s *sorting[K]) index() []int32 { return s.order }

func (s *sorting[K]) find(key uint64) int {
	return sort.Search(s.n, func(i int) bool { return uint64(s.items[i].key) >= key })
}

func (s *sorting[K]) sort() (changed bool) {
	n, moved := len(s.key), 0
	for _, m := range s.moved {
		moved += len(m)
	}
	switch {
	case s.n == n && moved == 0:
		return false
	case s.n == n && moved <= n/resortShare:
		s.merge(moved)
	default:
		s.items, s.scratch, s.order = grow(s.items, n), grow(s.scratch, n), grow(s.order, n)
		s.n = n
		s.radix()
	}
	s.stale = true
	s.run(s.phases.list)
	return true
}

func (s *sorting[K]) share(w int) (lo, hi int) { return parallel.Share(s.n, w, len(s.count)) }

func (s *sorting[K]) fill(w int) {
	lo, hi := s.share(w)
	for k := lo; k < hi; k++ {
		s.items[k] = item[K]{s.key[k], int32(k)}
	}
}

func (s *sorting[K]) list(w int) {
	lo, hi := s.share(w)
	for i := lo; i < hi; i++ {
		s.order[i] = s.items[i].index
	}
}

func (s *sorting[K]) radix() {
	s.run(s.phases.fill)
	s.from, s.to = s.items, s.scratch
	for s.shift = 0; s.shift < s.bits; s.shift += s.digit {
		s.run(s.phases.count)
		var sum int32
		for d := range 1 << s.digit { // a worker's items of a digit follow those of the workers before
			for w := range s.count {
				c := s.count[w][d]
				s.count[w][d] = sum
				sum += c
			}
		}
		s.run(s.phases.scatter)
		s.from, s.to = s.to, s.from
	}
	s.items, s.scratch = s.from, s.to
}

func (s *sorting[K]) countShare(w int) {
	lo, hi := s.share(w)
	count := &s.count[w]
	clear(count[:1<<s.digit])
	mask := K(1)<<s.digit - 1
	for i := range s.from[lo:hi] {
		count[s.from[lo+i].key>>s.shift&mask]++
	}
}

func (s *sorting[K]) scatterShare(w int) {
	lo, hi := s.share(w)
	count := &s.count[w]
	mask := K(1)<<s.digit - 1
	for _, it := range s.from[lo:hi] {
		d := it.key >> s.shift & mask
		s.to[count[d]] = it
		count[d]++
	}
}

// merge takes the points with new keys out of the order, sorts them, and puts them
// back in.
func (s *sorting[K]) merge(moved int) {
	stay := s.items[:0]
	for _, it := range s.items {
		if it.key == s.key[it.index] {
			stay = append(stay, it)
		}
	}
	move := s.scratch[:0]
	for _, m := range s.moved {
		for _, k := range m {
			move = append(move, item[K]{s.key[k], k})
		}
	}
	slices.SortFunc(move, func(a, b item[K]) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	i, j := len(stay)-1, moved-1
	for at := s.n - 1; j >= 0; at-- {
		if i < 0 || stay[i].before(move[j]) {
			s.items[at] = move[j]
			j--
		} else {
			s.items[at] = stay[i]
			i--
		}
	}
}

func (a item[K]) before(b item[K]) bool {
	return a.key < b.key || a.key == b.key && a.index < b.index
}

func (s *sorting[K]) groups() []int32 {
	if !s.stale && len(s.starts) > 0 {
		return s.starts
	}
	s.stale = false
	s.starts = grow(s.starts, s.n+1)[:0]
	for i := range s.n {
		if i == 0 || s.items[i].key != s.items[i-1].key {
			s.starts = append(s.starts, int32(i))
		}
	}
	s.starts = append(s.starts, int32(s.n))
	return s.starts
}
