package lbm

import (
	"bytes"
	"unsafe"
)

// run is nodes of a row of the domain that follow each other along x and are swept in one go: all of a row of a box, or of a storage
// by runs the fluid from one wall to the next.
type run struct {
	start int   // padded index of the first
	row   int32 // rows are numbered y first
	x, n  int32 // of the first in the row, and how many
	first int32 // the first one's number
	faced bool  // faces of the domain send it something that walls at rest do not
}

// longestRun keeps the places of links in 16 bits.
const longestRun = 1 << 15

// shortRuns calls do for runs of longestRun at most that make up one. They end where places of the whole flow are multiples of that, so that patches of
// walls are whole.
func shortRuns(x, n, origin int, do func(x, n int)) {
	for n > longestRun {
		some := longestRun - (x+origin)&(longestRun-1)
		do(x, some)
		x, n = x+some, n-some
	}
	do(x, n)
}

// fluidRuns calls do for the runs of nodes between walls of a row, of which mask tells the walls; nil: there are none.
func fluidRuns(mask []bool, nx int, do func(x, n int)) {
	if mask == nil {
		mask = make([]bool, nx)
	}
	at := asBytes(mask)
	for x := 0; x < nx; {
		k := bytes.IndexByte(at[x:], 0)
		if k < 0 {
			return
		}
		x += k
		n := bytes.IndexByte(at[x:], 1)
		if n < 0 {
			n = nx - x
		}
		do(x, n)
		x += n
	}
}

// asBytes are the same values, 0 or 1.
func asBytes(mask []bool) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(mask))), len(mask))
}

// walls is how many nodes of a mask are walls.
func walls(mask []bool) int64 { return int64(bytes.Count(asBytes(mask), []byte{1})) }

// rowMask is the part of the mask of walls that belongs to a row.
func (c *Config) rowMask(row int) []bool {
	if c.Solid == nil {
		return nil
	}
	return c.Solid[row*c.Size[0]:][:c.Size[0]]
}

// wholeRows are the rows of a box as runs, which start where index says.
func (c *Config) wholeRows(index func(p [3]int) int) (all []run) {
	for row := range c.rows() {
		all = append(all, run{start: index([3]int{0, row % c.Size[1], row / c.Size[1]}), row: int32(row), n: int32(c.Size[0]), first: int32(row * c.Size[0])})
	}
	return all
}
