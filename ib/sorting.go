package ib

import (
	"math/bits"
	"slices"
	"sort"

	"lbmib/internal/parallel"
)

// sorter sorts points by keys.
type sorter interface {
	// resize makes room for n points, and tells whether so many are sorted and few of
	// them had moved the last time.
	resize(n int) (calm bool)
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
		return newSorting[uint32](workers, run)
	}
	return newSorting[uint64](workers, run)
}

const (
	// maxDigit bounds the bits of a digit: its counters stay in the first cache.
	maxDigit = 11
	// bucketSize is about the number of points in a bucket, which stay there, too.
	bucketSize = 1 << 10
	// fewest is the number of points up to which they are sorted by insertion.
	fewest = 24
	// resortShare is the share of points above which sorting all anew is faster
	// than merging those with new keys into the others: 1/resortShare of them.
	resortShare = 8
)

// sorting is a radix sort: all workers put the points
// into buckets by the first bits of their keys, then each sorts its own buckets by the
// others, least digit first, in its cache. Digits are of what keys exceed the least by:
// points in a part of the grid have few. It is stable, and linear in the number of
// points.
type sorting[K uint32 | uint64] struct {
	key     []K // of each point
	n       int // points that are sorted; −1: not known
	items   []item[K]
	scratch []item[K]
	order   []int32
	starts  []int32
	stale   bool // starts are those of an earlier order
	calm    bool // few points had moved the last time

	run    func(phase func(worker int))
	count  [][1 << maxDigit]int32 // per worker
	moved  [][]int32              // per worker: points with new keys
	places [][]int32              // likewise, where they followed: their places in the order
	least  K                      // key of the points at hand: digits are those of what keys exceed it by
	bits   int                    // of these
	low    int                    // of these, but for those of the bucket
	span   [][2]K                 // per worker: least and greatest key
	bucket []int32                // where each begins, and the end
	phases struct{ span, count, scatter, buckets, list func(worker int) }
}

// item is a key and the point that it belongs to.
type item[K uint32 | uint64] struct {
	key   K
	index int32
}

func newSorting[K uint32 | uint64](workers int, run func(func(worker int))) *sorting[K] {
	s := &sorting[K]{n: -1, run: run, count: make([][1 << maxDigit]int32, workers), moved: make([][]int32, workers), places: make([][]int32, workers)}
	s.span, s.bucket = make([][2]K, workers), make([]int32, 1<<maxDigit+1)
	s.phases.span = s.spanShare
	s.phases.count, s.phases.scatter, s.phases.buckets, s.phases.list = s.countShare, s.scatterShare, s.sortShare, s.list
	return s
}

func (s *sorting[K]) resize(n int) (calm bool) {
	if n != len(s.key) {
		s.key, s.n = grow(s.key, n), -1 // nothing is sorted
	}
	for w := range s.moved {
		s.moved[w], s.places[w] = grow(s.moved[w], n)[:0], grow(s.places[w], n)[:0]
	}
	return s.n == n && s.calm
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
			s.moved[worker], s.places[worker] = append(s.moved[worker], it.index), append(s.places[worker], int32(i+j))
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
	s.calm = s.n == n && moved <= n/resortShare
	switch {
	case s.calm && moved == 0:
		return false
	case s.calm:
		s.merge(moved)
		s.run(s.phases.list)
	default:
		s.items, s.scratch, s.order = grow(s.items, n), grow(s.scratch, n), grow(s.order, n)
		s.n = n
		s.radix()
	}
	s.stale = true
	return true
}

func (s *sorting[K]) share(w int) (lo, hi int) { return parallel.Share(s.n, w, len(s.count)) }

// list lists a share of the items.
func (s *sorting[K]) list(w int) {
	lo, hi := s.share(w)
	for i := lo; i < hi; i++ {
		s.order[i] = s.items[i].index
	}
}

func (s *sorting[K]) radix() {
	if s.n == 0 {
		return
	}
	s.run(s.phases.span)
	least, most := s.span[0][0], s.span[0][1]
	for _, r := range s.span[1:] {
		least, most = min(least, r[0]), max(most, r[1])
	}
	s.least, s.bits = least, bits.Len64(uint64(most-least))
	first := min(s.bits, bits.Len(uint(s.n/bucketSize)), maxDigit) // bits of a bucket
	s.low = s.bits - first
	s.run(s.phases.count)
	var sum int32
	for d := range 1 << first { // a worker's items of a bucket follow those of the workers before
		s.bucket[d] = sum
		for w := range s.count {
			c := s.count[w][d]
			s.count[w][d] = sum
			sum += c
		}
	}
	s.bucket[1<<first] = sum
	s.run(s.phases.scatter)
	s.run(s.phases.buckets)
}

// spanShare finds the least and the greatest key of a share.
func (s *sorting[K]) spanShare(w int) {
	lo, hi := s.share(w)
	least, most := ^K(0), K(0)
	for _, key := range s.key[lo:hi] {
		least, most = min(least, key), max(most, key)
	}
	s.span[w] = [2]K{least, most}
}

func (s *sorting[K]) countShare(w int) {
	lo, hi := s.share(w)
	count := &s.count[w]
	clear(count[:1<<(s.bits-s.low)])
	for _, key := range s.key[lo:hi] {
		count[(key-s.least)>>s.low&(1<<maxDigit-1)]++
	}
}

func (s *sorting[K]) scatterShare(w int) {
	lo, hi := s.share(w)
	count, to := &s.count[w], s.scratch
	for i, key := range s.key[lo:hi] {
		d := (key - s.least) >> s.low & (1<<maxDigit - 1)
		to[count[d]] = item[K]{key, int32(lo + i)}
		count[d]++
	}
}

// sortShare sorts the buckets that begin in a worker's share of the points.
func (s *sorting[K]) sortShare(w int) {
	lo, hi := s.share(w)
	for d := range 1 << (s.bits - s.low) {
		begin, end := int(s.bucket[d]), int(s.bucket[d+1])
		if begin < lo || begin >= hi || begin == end {
			continue
		}
		items := s.items[begin:end]
		sortBucket(items, s.scratch[begin:end], s.least, s.low, &s.count[w])
		order := s.order[begin:end]
		for i := range items {
			order[i] = items[i].index
		}
	}
}

// sortBucket brings the items of from into to, by the low bits of their keys.
func sortBucket[K uint32 | uint64](to, from []item[K], least K, low int, count *[1 << maxDigit]int32) {
	if len(from) <= fewest {
		insert(to, from)
		return
	}
	most := min(maxDigit, max(4, bits.Len(uint(len(from)))-1)) // more counters than items do not pay
	passes := (low + most - 1) / most
	if passes == 0 {
		copy(to, from)
		return
	}
	digit := (low + passes - 1) / passes
	for shift := 0; shift < low; shift += digit {
		distribute(to, from, least, shift, digit, count)
		to, from = from, to
	}
	if passes%2 == 0 { // the last pass went to what was from at first
		copy(to, from)
	}
}

// distribute brings items into the order of one digit of their keys.
func distribute[K uint32 | uint64](to, from []item[K], least K, shift, digit int, count *[1 << maxDigit]int32) {
	mask := K(1)<<digit - 1
	clear(count[:1<<digit])
	for i := range from {
		count[(from[i].key-least)>>shift&mask&(1<<maxDigit-1)]++
	}
	var sum int32
	for d := range count[:1<<digit] {
		c := count[d]
		count[d] = sum
		sum += c
	}
	for _, it := range from {
		d := (it.key - least) >> shift & mask & (1<<maxDigit - 1)
		to[count[d]] = it
		count[d]++
	}
}

// insert brings a few items into order, one after the other.
func insert[K uint32 | uint64](to, from []item[K]) {
	for i, it := range from {
		for ; i > 0 && to[i-1].key > it.key; i-- {
			to[i] = to[i-1]
		}
		to[i] = it
	}
}

// merge takes the points with new keys out of the order, sorts them, and puts them
// back in.
func (s *sorting[K]) merge(moved int) {
	left := s.takeOut(moved)
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
	for j := moved - 1; j >= 0; j-- { // from the end on: what stays behind it moves up by j+1
		to := lastBefore(s.items[:left], &move[j])
		copy(s.items[to+j+1:], s.items[to:left])
		s.items[to+j] = move[j]
		left = to
	}
}

// takeOut brings the items that stay together at the beginning, and returns their number.
func (s *sorting[K]) takeOut(moved int) (left int) {
	known := 0
	for _, places := range s.places {
		known += len(places)
	}
	if known < moved {
		for _, it := range s.items {
			if it.key == s.key[it.index] {
				s.items[left] = it
				left++
			}
		}
		return left
	}
	from := 0
	for _, places := range s.places {
		for _, p := range places {
			left += copy(s.items[left:], s.items[from:p])
			from = int(p) + 1
		}
	}
	return left + copy(s.items[left:], s.items[from:])
}

// lastBefore is the number of items before one in their order: it is most often near their end.
func lastBefore[K uint32 | uint64](items []item[K], it *item[K]) int {
	lo, hi, step := 0, len(items), 8
	for lo < hi { // ever larger steps back
		at := max(hi-step, 0)
		if items[at].before(*it) {
			lo = at + 1
			break
		}
		hi, step = at, 2*step
	}
	for lo < hi {
		if at := (lo + hi) / 2; items[at].before(*it) {
			lo = at + 1
		} else {
			hi = at
		}
	}
	return hi
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
