// Package xruns holds sets of nodes of a box as runs along x, row by row. Rows without nodes take no memory, so that a set takes what its
// nodes do, whatever the box around them: 16 bytes a run, and 12 a row that has some.
package xruns

import (
	"fmt"
	"math"
)

// Run are the nodes X0 ≤ x < X1 of a row along x.
type Run struct{ X0, X1 int32 }

// Row is a row along x with some nodes: those of its runs.
type Row struct {
	Y, Z int32
	At   int32 // the number of its first run
}

// Set are nodes of a box. They are numbered in the order of their runs, which ascend: by z, then y, then x.
type Set struct {
	Size   [3]int
	runs   []Run
	before []int64 // nodes before each run, and the end
	rows   []Row   // those that have nodes, and an end
	planes []int32 // the first row of each z, and the end
}

// New is a set without nodes in a box, to be filled by Add and closed by Close.
func New(size [3]int) *Set {
	return &Set{Size: size, before: []int64{0}, planes: make([]int32, 1, size[2]+1)}
}

// Add appends a run of row y, z. Runs come in ascending order, and do not meet.
func (s *Set) Add(y, z int, r Run) {
	for len(s.planes) <= z {
		s.planes = append(s.planes, int32(len(s.rows)))
	}
	if last := len(s.rows) - 1; last < 0 || int(s.rows[last].Y) != y || int(s.rows[last].Z) != z {
		s.rows = append(s.rows, Row{int32(y), int32(z), int32(len(s.runs))})
	}
	s.runs = append(s.runs, r)
	s.before = append(s.before, s.before[len(s.before)-1]+int64(r.X1-r.X0))
}

// Close ends the set, which has fewer than 2^31 runs.
func (s *Set) Close() {
	if len(s.runs) > math.MaxInt32 {
		panic(fmt.Sprintf("xruns: %d runs are not counted in 32 bits", len(s.runs)))
	}
	for len(s.planes) <= s.Size[2] {
		s.planes = append(s.planes, int32(len(s.rows)))
	}
	s.rows = append(s.rows, Row{-1, -1, int32(len(s.runs))})
}

// Nodes is how many nodes there are.
func (s *Set) Nodes() int64 { return s.before[len(s.before)-1] }

// Runs are all runs.
func (s *Set) Runs() []Run { return s.runs }

// Before is how many nodes come before run k: the number of its first.
func (s *Set) Before(k int) int64 { return s.before[k] }

// Rows are the rows that have nodes, in their order.
func (s *Set) Rows() []Row { return s.rows[:len(s.rows)-1] }

// RunsOf are the numbers lo ≤ k < hi of the runs of the i-th of Rows.
func (s *Set) RunsOf(i int) (lo, hi int) { return int(s.rows[i].At), int(s.rows[i+1].At) }

// Find is the number among Rows of row y, z, or of the first after it in its plane; ok is false where it has no nodes. The row must be in the box.
func (s *Set) Find(y, z int) (row int, ok bool) {
	lo, hi := int(s.planes[z]), int(s.planes[z+1])
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); int(s.rows[mid].Y) < y {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < int(s.planes[z+1]) && int(s.rows[lo].Y) == y
}

// Row are the numbers lo ≤ k < hi of the runs of row y, z: none where it has no nodes, or is beyond the box.
func (s *Set) Row(y, z int) (lo, hi int) {
	if y < 0 || y >= s.Size[1] || z < 0 || z >= s.Size[2] {
		return 0, 0
	}
	if row, ok := s.Find(y, z); ok {
		return s.RunsOf(row)
	}
	return 0, 0
}

// Run is the number of the run that a node is in, −1: it is not in the set.
func (s *Set) Run(x, y, z int) int {
	lo, hi := s.Row(y, z)
	return s.RunIn(lo, hi, x)
}

// RunIn is the number of the run among lo ≤ k < hi, of a row, that has x, or −1.
func (s *Set) RunIn(lo, hi, x int) int {
	if k := s.RunFrom(lo, hi, x); k < hi && int(s.runs[k].X0) <= x {
		return k
	}
	return -1
}

// RunFrom is the number of the first run among lo ≤ k < hi, of a row, that has x or nodes behind it, or hi.
func (s *Set) RunFrom(lo, hi, x int) int {
	end := hi
	for lo+1 < hi {
		if mid := int(uint(lo+hi) >> 1); int(s.runs[mid].X1) <= x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < end && int(s.runs[lo].X1) <= x {
		lo++
	}
	return lo
}

// Has tells whether a node is in the set; none is beyond the box.
func (s *Set) Has(x, y, z int) bool { return s.Run(x, y, z) >= 0 }

// Number is the number of a node, −1: it is not in the set.
func (s *Set) Number(x, y, z int) int64 {
	k := s.Run(x, y, z)
	if k < 0 {
		return -1
	}
	return s.before[k] + int64(x) - int64(s.runs[k].X0)
}

// Plane are the numbers lo ≤ i < hi among Rows of those of plane z of the box.
func (s *Set) Plane(z int) (lo, hi int) { return int(s.planes[z]), int(s.planes[z+1]) }

// RunWith is the run that has the node of a number.
func (s *Set) RunWith(n int64) int {
	lo, hi := 0, len(s.runs)
	for lo < hi { // the first run that ends behind it
		if mid := int(uint(lo+hi) >> 1); s.before[mid+1] <= n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Position is where the node of a number is.
func (s *Set) Position(n int64) [3]int {
	k := s.RunWith(n)
	lo, hi := 0, len(s.rows)-1
	for lo < hi { // the first row that ends behind that
		if mid := int(uint(lo+hi) >> 1); int(s.rows[mid+1].At) <= k {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return [3]int{int(int64(s.runs[k].X0) + n - s.before[k]), int(s.rows[lo].Y), int(s.rows[lo].Z)}
}

// Cursor finds nodes whose numbers ascend, faster than Position.
type Cursor struct {
	in       *Set
	run, row int
}

// Cursor is one before the first node.
func (s *Set) Cursor() Cursor { return Cursor{in: s} }

// Position is where the node of a number is, which is not below that of the call before.
func (c *Cursor) Position(n int64) [3]int {
	s := c.in
	for s.before[c.run+1] <= n {
		c.run++
	}
	for int(s.rows[c.row+1].At) <= c.run {
		c.row++
	}
	return [3]int{int(int64(s.runs[c.run].X0) + n - s.before[c.run]), int(s.rows[c.row].Y), int(s.rows[c.row].Z)}
}

// Each calls do for every run, in their order.
func (s *Set) Each(do func(k, y, z int, r Run)) {
	for i, row := range s.Rows() {
		lo, hi := s.RunsOf(i)
		for k := lo; k < hi; k++ {
			do(k, int(row.Y), int(row.Z), s.runs[k])
		}
	}
}

// Part is the set of the nodes lo ≤ p < hi in a box of their own, where lo has the place 0. Beyond the box along an axis that wraps are the nodes
// of its other end; beyond another there are none.
func (s *Set) Part(lo, hi [3]int, wraps [3]bool) *Set {
	to := New([3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]})
	inBox := func(axis, at int) (int, bool) {
		if wraps[axis] {
			at = (at%s.Size[axis] + s.Size[axis]) % s.Size[axis]
		}
		return at, at >= 0 && at < s.Size[axis]
	}
	for z := lo[2]; z < hi[2]; z++ {
		fromZ, ok := inBox(2, z)
		if !ok {
			continue
		}
		if first, end := s.Plane(fromZ); first == end {
			continue
		}
		for y := lo[1]; y < hi[1]; y++ {
			if fromY, ok := inBox(1, y); ok {
				first, end := s.Row(fromY, fromZ)
				to.addPart(y-lo[1], z-lo[2], s.runs[first:end], lo[0], hi[0], s.Size[0], wraps[0])
			}
		}
	}
	to.Close()
	return to
}

// addPart adds what runs of a row of n nodes have in lo ≤ x < hi.
func (s *Set) addPart(y, z int, runs []Run, lo, hi, n int, wraps bool) {
	var last Run // not yet added, as it may go on; empty: none
	add := func(by int) {
		for _, r := range runs {
			from, to := max(int(r.X0)+by, lo)-lo, min(int(r.X1)+by, hi)-lo
			switch {
			case from >= to:
			case last.X1 > last.X0 && int(last.X1) == from && (from+lo)%n == 0:
				last.X1 = int32(to)
			default:
				if last.X1 > last.X0 {
					s.Add(y, z, last)
				}
				last = Run{int32(from), int32(to)}
			}
		}
	}
	if wraps && lo < 0 {
		add(-n)
	}
	add(0)
	if wraps && hi > n {
		add(n)
	}
	if last.X1 > last.X0 {
		s.Add(y, z, last)
	}
}

// Clear sets those of the places lo ≤ p < hi, x fastest, to false that are nodes of the set; others stay.
func (s *Set) Clear(lo, hi [3]int, walls []bool) {
	nx, ny := hi[0]-lo[0], hi[1]-lo[1]
	for z := max(lo[2], 0); z < min(hi[2], s.Size[2]); z++ {
		for row, _ := s.Find(max(lo[1], 0), z); row < int(s.planes[z+1]) && int(s.rows[row].Y) < hi[1]; row++ {
			first, last := s.RunsOf(row)
			at := nx * (int(s.rows[row].Y) - lo[1] + ny*(z-lo[2]))
			for _, r := range s.runs[first:last] {
				for x := max(int(r.X0), lo[0]); x < min(int(r.X1), hi[0]); x++ {
					walls[at+x-lo[0]] = false
				}
			}
		}
	}
}

// Walls sets those nodes of the box, x fastest, that are not in the set.
func (s *Set) Walls() []bool {
	walls := make([]bool, s.Size[0]*s.Size[1]*s.Size[2])
	for k := range walls {
		walls[k] = true
	}
	s.Clear([3]int{}, s.Size, walls)
	return walls
}

// Bytes is the memory that the set takes.
func (s *Set) Bytes() int64 {
	return 8*int64(cap(s.runs)) + 8*int64(cap(s.before)) + 12*int64(cap(s.rows)) + 4*int64(cap(s.planes))
}
