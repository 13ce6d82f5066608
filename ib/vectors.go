package ib

import (
	"fmt"
	"math"
	"unsafe"

	"lbmib/internal/machine"
)

// maxVectors bounds s_z, the shifts of a sweep and output vectors of a buffer.
// Kassen, Shankar & Fogelson take about ten.
const maxVectors = 10

// vectors are the output vectors ℓ_1 … ℓ_sz of a site. The shifts of a sweep are whole
// rows along x: as many as make at most ten, so that s_z is 8 for a support of 2 or 4
// nodes (4 for 2 in 2D), 9 for 3, 6 for 6. What a row of shifts brings goes to one
// vector together, of the s vectors that the row has to that of cells whose numbers
// along x are the same modulo s: their rows do not overlap.
//
// The buffer has the vectors' rows of nodes along x beside each other, row by row.
// They are longer than the grid's, so that every cell has all of its row: beyond the
// ends of a periodic axis lie nodes of the other end, which are added to it in the
// end, beyond those of a bounded one nodes that do not exist.
type vectors struct {
	shifts int // rows of a support
	rows   int // of a sweep
	count  int // s_z
	pitch  int // of a row of a vector
	line   int // of a row of all vectors
	wraps  int // nodes beyond the end that stand for those at the beginning
	low    [3]int
	// place is the grid indexing function # as a sum: of what the cell along x gives,
	// and what a row along y and z, which is negative where there is no such row. The
	// tables begin with number −low.
	place [3][]int
}

const nowhere = math.MinInt / 4 // also with what other axes give

// newVectors are those of a site. A buffer that the machine has no memory for is
// refused.
func newVectors[T Float](f *frame[T], s *site) (v vectors, err error) {
	v = vectors{shifts: f.support}
	if f.dim == 3 {
		v.shifts *= f.support
	}
	v.rows = min(maxVectors/f.support, v.shifts)
	v.count = v.rows * f.support
	cells, low := f.cells(s, 0)
	v.pitch = cells + f.support - 1
	v.line = v.count * v.pitch
	if s.grid.Periodic[0] {
		v.wraps = f.support - 1
	}
	if err := v.fit(s, int(unsafe.Sizeof(T(0)))); err != nil {
		return v, err
	}
	v.low[0] = low
	for cell := range cells {
		v.place[0] = append(v.place[0], cell%f.support*v.pitch+cell)
	}
	stride := v.line
	for a := 1; a < f.dim; a++ {
		cells, v.low[a] = f.cells(s, a)
		for i := range cells + f.support - 1 {
			v.place[a] = append(v.place[a], v.row(s, a, i-v.low[a], stride))
		}
		stride *= s.grid.Size[a]
	}
	return v, nil
}

// row is what row i along an axis gives.
func (v *vectors) row(s *site, axis, i, stride int) int {
	size := s.grid.Size[axis]
	switch {
	case s.grid.Periodic[axis]:
		return i % size * stride
	case i < 0 || i >= size:
		return nowhere
	}
	return i * stride
}

// fit refuses vectors that need more memory than there is.
func (v *vectors) fit(s *site, bytes int) error {
	need := float64(s.rows()) * float64(v.line) * float64(bytes)
	limit := float64(1 << 46) // no machine has more
	if memory, err := machine.Memory(); err == nil {
		limit = float64(memory)
	}
	if need > limit {
		return fmt.Errorf("ib: strategies buffered and buffered-otf need %d output vectors of %d × %d × %d nodes, %.4g GiB of memory, and this process may use %.4g: use sort-reduce, which needs none, or a smaller resolution",
			v.count, s.grid.Size[0], s.grid.Size[1], s.grid.Size[2], need/(1<<30), limit/(1<<30))
	}
	return nil
}

// sumVectors adds the vectors of a row of nodes, which lie in line, to the row.
func sumVectors[T Float](v *vectors, row, line []T) {
	n, k := len(row), 0
	at := func(k int) []T { return line[k*v.pitch+v.low[0]:][:n] }
	for ; k+4 <= v.count; k += 4 {
		a, b, c, d := at(k), at(k+1), at(k+2), at(k+3)
		for i, u := range row {
			row[i] = u + ((a[i] + b[i]) + (c[i] + d[i]))
		}
	}
	for ; k < v.count; k++ {
		for i, u := range at(k) {
			row[i] += u
		}
	}
	for k := range v.count {
		for i, u := range line[k*v.pitch+n:][:v.wraps] {
			row[i] += u
		}
	}
}

// addRows adds value[k] times the weights along x of point k, of which there are s, to
// what begins at target[k], for all points that have a target.
func addRows[T Float](to []T, target []int, weight, value []T, s, stride int) {
	switch s { // the usual ones are written out: loops cost twice as much
	case 2:
		for k, m := range target {
			if m >= 0 { // line 32: m ≠ ∅
				a, w, v := (*[2]T)(to[m:]), (*[2]T)(weight[k*stride:]), value[k]
				a[0] += T(v * w[0])
				a[1] += T(v * w[1])
			}
		}
	case 3:
		for k, m := range target {
			if m >= 0 {
				a, w, v := (*[3]T)(to[m:]), (*[3]T)(weight[k*stride:]), value[k]
				a[0] += T(v * w[0])
				a[1] += T(v * w[1])
				a[2] += T(v * w[2])
			}
		}
	case 4:
		for k, m := range target {
			if m >= 0 {
				a, w, v := (*[4]T)(to[m:]), (*[4]T)(weight[k*stride:]), value[k]
				a[0] += T(v * w[0])
				a[1] += T(v * w[1])
				a[2] += T(v * w[2])
				a[3] += T(v * w[3])
			}
		}
	default:
		for k, m := range target {
			if m >= 0 {
				a, w, v := to[m:][:s], weight[k*stride:][:s], value[k]
				for i := range a {
					a[i] += T(v * w[i])
				}
			}
		}
	}
}

// addTo adds row to what begins at to.
func addTo[T Float](to, row []T) {
	for i, v := range row {
		to[i] += v
	}
}

// fetch reads the ends of rows of s values, so that all are on their way from memory at
// once when they are added to one by one.
func fetch[T Float](from []T, target []int, s int) (sum T) {
	for _, m := range target {
		if m >= 0 {
			sum += from[m] + from[m+s-1]
		}
	}
	return sum
}
