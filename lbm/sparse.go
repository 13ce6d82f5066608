package lbm

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"unsafe"
)

// Of a storage by runs, only fluid nodes lie in memory and those one node around them, as stretches along x, row by row. As the set
// is dilated by a node, all nodes of a run pull a population from one stored stretch: where a neighbour lies is one shift per run and
// direction, and the row kernels serve as they are. A node tells its run, and a run its shifts (semi-direct addressing; cf. the
// adjacency lists of Bernaschi et al., Concurrency Comput. Pract. Exper. 22 (2010) 1, which take a number for each node and direction).

// sparse is where nodes lie of a storage by runs.
type sparse struct {
	dim    int
	size   [3]int
	rows   []int32    // the first stretch of each padded row, and the end; see row
	stored []stretchX // by row, ascending
	nodes  int        // that are stored, with slack at both ends
	of     []int32    // the run of each stored node, −1: it is none of the fluid
	shifts [][9]int32 // of each run to the same x in the rows around it, see besideRow
	along  [MaxQ]int  // c_i along x
	fluid  int64      // nodes of the fluid
}

// stretchX are stored nodes from x on up to that of end; the first lies at start.
type stretchX struct{ x, end, start int32 }

// besideRow numbers the rows dy, dz away.
func besideRow(dy, dz int) uint8 { return uint8(dy + 1 + 3*(dz+1)) }

// newSparse finds the runs of a flow, row by row, and where they lie.
func newSparse(c *Config) (s *sparse, all []run, first []int32, err error) {
	s, all, first, err = findRuns(c)
	if err != nil {
		return nil, nil, nil, err
	}
	s.of = make([]int32, s.nodes)
	for n := range s.of {
		s.of[n] = -1
	}
	s.shifts = make([][9]int32, len(all))
	for k := range all {
		s.connect(c, &all[k], int32(k))
	}
	return s, all, first, nil
}

// sparseBytes is the memory that a storage by runs takes beside populations and links, and the nodes of which it stores populations.
func (c *Config) sparseBytes() (bytes int64, nodes int) {
	s, all, first, err := findRuns(c)
	if err != nil {
		return math.MaxInt64 / 2, 0
	}
	return int64(s.nodes)*4 + int64(len(all))*int64(unsafe.Sizeof(s.shifts[0])) + int64(len(s.stored))*int64(unsafe.Sizeof(s.stored[0])) + 4*int64(len(s.rows)+len(first)), s.nodes
}

// findRuns finds the runs of a flow and the stretches that hold them.
func findRuns(c *Config) (s *sparse, all []run, first []int32, err error) {
	s = &sparse{dim: c.Lattice.Dim, size: c.Size}
	for i, v := range c.Lattice.C {
		s.along[i] = v[0]
	}
	for row := range c.rows() {
		first = append(first, int32(len(all)))
		fluidRuns(c.rowMask(row), c.Size[0], func(x, n int) {
			all = append(all, run{row: int32(row), x: int32(x), n: int32(n)})
			s.fluid += int64(n)
		})
	}
	first = append(first, int32(len(all)))
	if err := s.place(all, first); err != nil {
		return nil, nil, nil, err
	}
	return s, all, first, nil
}

// place finds the stretches that hold runs and the nodes around them.
func (s *sparse) place(all []run, first []int32) error {
	deep := s.dim - 2
	at := lineLength
	var near []stretchX
	for z := -deep; z < s.size[2]+deep; z++ {
		for y := -1; y <= s.size[1]; y++ {
			s.rows = append(s.rows, int32(len(s.stored)))
			near = near[:0]
			for dz := -deep; dz <= deep; dz++ {
				for dy := -1; dy <= 1; dy++ {
					if y+dy < 0 || y+dy >= s.size[1] || z+dz < 0 || z+dz >= s.size[2] {
						continue
					}
					wide := int32(1)
					if dy != 0 && dz != 0 {
						wide = 0 // no velocity along all three axes
					}
					row := y + dy + s.size[1]*(z+dz)
					for _, r := range all[first[row]:first[row+1]] {
						near = append(near, stretchX{x: r.x - wide, end: r.x + r.n + wide})
					}
				}
			}
			at = s.merge(near, at)
			if at > math.MaxInt32-2*lineLength {
				return fmt.Errorf("lbm: more than %d nodes of fluid, and around it: they are counted in 32 bits; choose a lower resolution", math.MaxInt32)
			}
		}
	}
	s.rows = append(s.rows, int32(len(s.stored)))
	s.nodes = at + 2*lineLength // kernels may read a vector beyond any run
	return nil
}

// merge stores the union of stretches of a row from a place on, and returns the next place.
func (s *sparse) merge(near []stretchX, at int) int {
	slices.SortFunc(near, func(a, b stretchX) int { return int(a.x - b.x) })
	from := len(s.stored)
	for _, n := range near {
		if last := len(s.stored) - 1; last >= from && n.x <= s.stored[last].end {
			s.stored[last].end = max(s.stored[last].end, n.end)
			continue
		}
		s.stored = append(s.stored, n)
	}
	for k := from; k < len(s.stored); k++ {
		t := &s.stored[k]
		t.start = int32(at)
		at += int(t.end - t.x)
	}
	return at
}

// connect finds where a run starts and its shifts.
func (s *sparse) connect(c *Config, r *run, number int32) {
	y, z := int(r.row)%c.Size[1], int(r.row)/c.Size[1]
	r.start = s.index([3]int{int(r.x), y, z})
	for n := r.start; n < r.start+int(r.n); n++ {
		s.of[n] = number
	}
	for _, v := range c.Lattice.C {
		s.shifts[number][besideRow(v[1], v[2])] = int32(s.index([3]int{int(r.x), y + v[1], z + v[2]}) - r.start)
	}
}

// index is where node p lies, which may be a ghost; −1: nowhere.
func (s *sparse) index(p [3]int) int {
	row := p[1] + 1
	if s.dim == 3 {
		row += (s.size[1] + 2) * (p[2] + 1)
	}
	t := s.stored[s.rows[row]:s.rows[row+1]]
	x := int32(p[0])
	k := sort.Search(len(t), func(k int) bool { return t[k].end > x })
	if k == len(t) || x < t[k].x {
		return -1
	}
	return int(t[k].start + x - t[k].x)
}

// within is where node n lies if it is one of the fluid, and how many of its run follow, it included; −1 and 1 otherwise.
func (s *sparse) within(n int, runs []run) (at, left int) {
	if n < 0 || s.of[n] < 0 {
		return -1, 1
	}
	r := &runs[s.of[n]]
	return n, r.start + int(r.n) - n
}

// StorageNames lists the storages by name: of every node of the box, or of the fluid and what is around it.
var StorageNames = []string{"box", "runs"}

// runsBelow is the share of nodes of the fluid below which a storage by runs is chosen by itself.
const runsBelow = 0.85

// StorageOf is Storage, or where that is open the one that is chosen.
func (c *Config) StorageOf() (string, error) {
	plain := c.Layout == "" || c.Layout == "auto" || c.Layout == "soa"
	switch c.Storage {
	case "", "auto":
		switch {
		case len(c.Cuts) > 0 && plain:
			return "runs", nil
		case len(c.Cuts) > 0:
			return "", fmt.Errorf("lbm: links that a surface cuts go with storage by runs, which has the layout soa, not %s: leave the layout to auto", c.Layout)
		}
		if plain && c.Whole == nil && c.Solid != nil && float64(c.FluidNodes()) < runsBelow*float64(c.Nodes()) {
			return "runs", nil
		}
		return "box", nil
	case "runs":
		if !plain {
			return "", fmt.Errorf("lbm: storage by runs has the layout soa, not %s: leave the layout to auto, or choose the storage box", c.Layout)
		}
		return "runs", nil
	case "box":
		if len(c.Cuts) > 0 {
			return "", fmt.Errorf("lbm: links that a surface cuts go with storage by runs: choose storage auto or runs")
		}
		return "box", nil
	}
	return "", fmt.Errorf("lbm: storage %q is unknown: choose one of %s", c.Storage, strings.Join(StorageNames, ", "))
}

// FluidNodes is how many nodes are not walls.
func (c *Config) FluidNodes() (n int64) {
	if c.Solid == nil {
		return int64(c.Nodes())
	}
	return int64(len(c.Solid)) - walls(c.Solid)
}
