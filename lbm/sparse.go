package lbm

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unsafe"

	"lbmib/internal/xruns"
)

// Of a storage by runs, only fluid nodes lie in memory and those one node around them, as stretches along x, row by row. As the set
// is dilated by a node, all nodes of a run pull a population from one stored stretch: where a neighbour lies is one shift per run and
// direction, and the row kernels serve as they are. A node tells its run, and a run its shifts (semi-direct addressing; cf. the
// adjacency lists of Bernaschi et al., Concurrency Comput. Pract. Exper. 22 (2010) 1, which take a number for each node and direction).

// sparse is where nodes lie of a storage by runs.
type sparse struct {
	set    *xruns.Set // the fluid, in runs as they are swept
	stored *xruns.Set // it and the nodes around it, each one further along every axis, in the order in which they lie from lineLength on
	nodes  int        // that are stored, with slack at both ends
	of     []int32    // the run of each stored node, −1: it is none of the fluid
	shifts [][9]int32 // of each run to the same x in the rows around it, see besideRow
	along  [MaxQ]int  // c_i along x
}

// besideRow numbers the rows dy, dz away.
func besideRow(dy, dz int) uint8 { return uint8(dy + 1 + 3*(dz+1)) }

// newSparse finds the runs of a flow, row by row, and where they lie.
func newSparse(c *Config) (s *sparse, all []run, err error) {
	s, all, err = findRuns(c)
	if err != nil {
		return nil, nil, err
	}
	s.of = make([]int32, s.nodes)
	for n := range s.of {
		s.of[n] = -1
	}
	s.shifts = make([][9]int32, len(all))
	for k := range all {
		s.connect(c, &all[k], int32(k))
	}
	return s, all, nil
}

// sparseBytes is the memory that a storage by runs takes beside populations and links, and the nodes of which it stores populations.
func (c *Config) sparseBytes() (bytes int64, nodes int) {
	s, all, err := findRuns(c)
	if err != nil {
		return math.MaxInt64 / 2, 0
	}
	return int64(s.nodes)*4 + int64(len(all))*int64(unsafe.Sizeof(s.shifts[0])) + s.stored.Bytes() + s.set.Bytes(), s.nodes
}

// findRuns finds the runs of a flow and the stretches that hold them.
func findRuns(c *Config) (s *sparse, all []run, err error) {
	s = &sparse{set: c.fluid()}
	for i, v := range c.Lattice.C {
		s.along[i] = v[0]
	}
	all = make([]run, 0, len(s.set.Runs()))
	s.set.Each(func(k, y, z int, r xruns.Run) {
		first := c.Size[0]*(y+c.Size[1]*z) + int(r.X0)
		if c.Inside != nil {
			first = int(s.set.Before(k))
		}
		all = append(all, run{row: int32(y + c.Size[1]*z), x: r.X0, n: r.X1 - r.X0, first: int32(first)})
	})
	s.stored = around(s.set, c.Lattice.Dim)
	if n := s.stored.Nodes(); n > math.MaxInt32-4*lineLength {
		return nil, nil, fmt.Errorf("lbm: %d nodes of fluid, and around it, are more than the %d that are counted in 32 bits: choose a lower resolution", n, math.MaxInt32)
	}
	s.nodes = int(s.stored.Nodes()) + 3*lineLength // kernels may read a vector beyond any run
	return s, all, nil
}

// fluid are the nodes that are not walls, in runs of longestRun at most.
func (c *Config) fluid() *xruns.Set {
	s := c.Inside
	if s != nil && !slices.ContainsFunc(s.Runs(), func(r xruns.Run) bool { return r.X1-r.X0 > longestRun }) {
		return s
	}
	short := xruns.New(c.Size)
	if s != nil {
		s.Each(func(_, y, z int, r xruns.Run) {
			shortRuns(int(r.X0), int(r.X1-r.X0), c.Origin[0], func(x, n int) { short.Add(y, z, xruns.Run{X0: int32(x), X1: int32(x + n)}) })
		})
	} else {
		for row := range c.rows() {
			fluidRuns(c.rowMask(row), c.Size[0], func(x, n int) {
				shortRuns(x, n, c.Origin[0], func(x, n int) {
					short.Add(row%c.Size[1], row/c.Size[1], xruns.Run{X0: int32(x), X1: int32(x + n)})
				})
			})
		}
	}
	short.Close()
	return short
}

// EachRun calls do for the runs of the fluid, in the order of the box: of n nodes from x on of row y, z.
func (c *Config) EachRun(do func(x, n, y, z int)) {
	c.fluid().Each(func(_, y, z int, r xruns.Run) { do(int(r.X0), int(r.X1-r.X0), y, z) })
}

// around are nodes and those around them, one node further along every axis: stretches that hold what lies in memory.
func around(set *xruns.Set, dim int) *xruns.Set {
	size := set.Size
	out := xruns.New([3]int{size[0] + 2, size[1] + 2, size[2] + 2})
	rows, deep := set.Rows(), dim-2
	var near []xruns.Run
	for z := -deep; z < size[2]+deep; z++ {
		var at, end [3]int // rows of the planes z − 1, z, z + 1, from those on that are near the row at hand
		for k := range at {
			if p := z + k - 1; p >= 0 && p < size[2] && (deep > 0 || k == 1) {
				at[k], end[k] = set.Plane(p)
			}
		}
		for y := -1; y <= size[1]; y++ {
			near = near[:0]
			next := size[1] + 1
			for k := range at {
				for at[k] < end[k] && int(rows[at[k]].Y) < y-1 {
					at[k]++
				}
				if at[k] < end[k] {
					next = min(next, int(rows[at[k]].Y)-1)
				}
				for i := at[k]; i < end[k] && int(rows[i].Y) <= y+1; i++ {
					wide := int32(1)
					if k != 1 && int(rows[i].Y) != y {
						wide = 0 // no velocity along all three axes
					}
					lo, hi := set.RunsOf(i)
					for _, r := range set.Runs()[lo:hi] {
						near = append(near, xruns.Run{X0: r.X0 + 1 - wide, X1: r.X1 + 1 + wide})
					}
				}
			}
			if len(near) == 0 {
				y = max(y, next-1) // on to the next row that has some
				continue
			}
			unite(out, y+1, z+1, near)
		}
	}
	out.Close()
	return out
}

// unite adds the union of stretches of a row.
func unite(to *xruns.Set, y, z int, near []xruns.Run) {
	slices.SortFunc(near, func(a, b xruns.Run) int { return int(a.X0 - b.X0) })
	last := near[0]
	for _, n := range near[1:] {
		if n.X0 <= last.X1 {
			last.X1 = max(last.X1, n.X1)
			continue
		}
		to.Add(y, z, last)
		last = n
	}
	to.Add(y, z, last)
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
	n := s.stored.Number(p[0]+1, p[1]+1, p[2]+1)
	if n < 0 {
		return -1
	}
	return lineLength + int(n)
}

// runAt is the run that has the node of a number in Config.Inside; −1: there is none.
func (s *sparse) runAt(number int) int {
	if number < 0 || int64(number) >= s.set.Nodes() {
		return -1
	}
	return s.set.RunWith(int64(number))
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
	cut := len(c.Cuts) > 0 || c.Inside != nil
	switch c.Storage {
	case "", "auto":
		switch {
		case cut && plain:
			return "runs", nil
		case cut:
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
		if cut {
			return "", fmt.Errorf("lbm: links that a surface cuts go with storage by runs: choose storage auto or runs")
		}
		return "box", nil
	}
	return "", fmt.Errorf("lbm: storage %q is unknown: choose one of %s", c.Storage, strings.Join(StorageNames, ", "))
}

// FluidNodes is how many nodes are not walls.
func (c *Config) FluidNodes() (n int64) {
	switch {
	case c.Inside != nil:
		return c.Inside.Nodes()
	case c.Solid == nil:
		return int64(c.Nodes())
	}
	return int64(len(c.Solid)) - walls(c.Solid)
}
