package ib

import (
	"fmt"
	"math"

	"lbmib/ib/internal/simd"
	"lbmib/internal/parallel"
)

// frame is what every strategy stands on: the grids, the delta with its loops, the
// workers.
//
// Points are kept by their coordinates in nodes from the grids' common offset, in
// [0, Size] along periodic axes. Weights are computed anew for every use, a batch of
// points at a time, once per axis and staggering: that costs less than to bring
// stored ones back from memory.
type frame[T Float] struct {
	delta   Delta[T]
	dim     int
	support int
	stride  int // of weights
	grid    Grid
	sites   []site     // the different grids of components
	of      []int      // the site of each component; nil: all are on site 0
	tracks  [3][]track // the different rows of nodes along an axis
	scale   T          // h^-d, of spread values
	axes    [3]axis    // of positions
	loops   simd.Kernels[T]
	pool    *parallel.Pool
	workers []worker[T]
}

// site is the grid of one or more components.
type site struct {
	grid  Grid
	nodes int
	track [3]int
	// row[a][i] is the place in a field of row i along y (a = 0) or z, wrapped: a
	// table as long as a support may reach, in place of a modulo.
	row [2][]int
}

// track is the nodes along an axis of one or more sites.
type track struct {
	shift    float64 // where node 0 lies, 0 ≤ shift < 1
	size     int
	periodic bool
}

// worker is what a worker of the pool has to itself.
type worker[T Float] struct {
	batch[T]
	slab    slab[T]
	local   [3][]float64 // coordinates of some points
	keys    [batchSize]uint64
	invalid int      // first of its points that has no position
	_       [64]byte // keeps neighbours off its cache lines
}

// parallelThreshold is the number of points below which waking the workers
// costs more than they save; the caller then does all shares itself.
const parallelThreshold = 512

func newFrame[T Float](grids []Grid, d Delta[T], pool *parallel.Pool, kernel string) (*frame[T], error) {
	if len(grids) == 0 {
		return nil, fmt.Errorf("ib: no grid: give one for all components or one for each")
	}
	g := grids[0]
	f := &frame[T]{delta: d, dim: g.Dim, support: d.Support(), stride: simd.Stride(d.Support()), grid: g, pool: pool}
	for c, other := range grids {
		if err := f.addGrid(other); err != nil {
			if len(grids) > 1 {
				err = fmt.Errorf("component %d: %w", c, err)
			}
			return nil, err
		}
	}
	if len(grids) == 1 {
		f.of = nil
	}
	for a := range f.axes {
		f.axes[a] = newAxis(&g, a)
	}
	f.scale = T(math.Pow(g.spacing(), -float64(g.Dim)))
	var err error
	if f.loops, err = simd.For(kernel, d.Name(), d.Weights, f.support, f.dim); err != nil {
		return nil, err
	}
	workers := 1
	if pool != nil {
		workers = pool.Workers()
	}
	f.workers = make([]worker[T], workers)
	for w := range f.workers {
		f.workers[w].batch = newBatch(f)
		f.resize(&f.workers[w].local, batchSize)
	}
	return f, nil
}

// addGrid adds the grid of the next component.
func (f *frame[T]) addGrid(g Grid) error {
	if err := g.check(f.delta); err != nil {
		return err
	}
	r := f.grid
	if g.Dim != r.Dim || g.Offset != r.Offset || g.spacing() != r.spacing() || g.Periodic != r.Periodic {
		return fmt.Errorf("ib: the grids of the components of a field differ in dimension, offset, spacing or periodic axes: they may differ in staggering, and in size along bounded axes")
	}
	for i := range f.sites {
		if f.sites[i].grid == g {
			f.of = append(f.of, i)
			return nil
		}
	}
	s := site{grid: g, nodes: g.Nodes()}
	for a := range g.Dim {
		if g.Periodic[a] && g.Size[a] != r.Size[a] {
			return fmt.Errorf("ib: periodic axis %s has %d nodes for one component and %d for another: give all the same", axisName[a], r.Size[a], g.Size[a])
		}
		if d := g.Size[a] - r.Size[a]; d > MaxSupport || -d > MaxSupport {
			return fmt.Errorf("ib: axis %s has %d nodes for one component and %d for another: they may differ by at most %d; components of one field cover the same domain", axisName[a], r.Size[a], g.Size[a], MaxSupport)
		}
		s.track[a] = f.addTrack(a, track{g.Staggering[a], g.Size[a], g.Periodic[a]})
	}
	stride := g.Size[0]
	for a := range s.row {
		s.row[a] = make([]int, g.Size[a+1]+MaxSupport)
		for i := range s.row[a] {
			s.row[a][i] = i % g.Size[a+1] * stride
		}
		stride *= g.Size[a+1]
	}
	f.of = append(f.of, len(f.sites))
	f.sites = append(f.sites, s)
	return nil
}

func (f *frame[T]) addTrack(axis int, t track) int {
	for i, known := range f.tracks[axis] {
		if known == t {
			return i
		}
	}
	f.tracks[axis] = append(f.tracks[axis], t)
	return len(f.tracks[axis]) - 1
}

// site is that of component c.
func (f *frame[T]) site(c int) *site { return &f.sites[f.siteIndex(c)] }

func (f *frame[T]) siteIndex(c int) int {
	if f.of == nil {
		return 0
	}
	return f.of[c]
}

// resize makes room for the coordinates of n points, and for what loops over whole
// vectors read beyond them.
func (f *frame[T]) resize(x *[3][]float64, n int) {
	for a := range f.dim {
		x[a] = grow(x[a], simd.Room(n))
		clear(x[a][n:])
		x[a] = x[a][:n]
	}
}

// alone tells whether the caller does the work on n points of all workers.
func (f *frame[T]) alone(n int) bool { return f.pool == nil || n < parallelThreshold }

// tooMany refuses more points than indices of 32 bits can tell apart.
func tooMany(n int) error {
	if n > math.MaxInt32 {
		return fmt.Errorf("ib: %d points: a transfer takes at most %d: use several", n, math.MaxInt32)
	}
	return nil
}

// run does a phase of work on n points on all workers.
func (f *frame[T]) run(n int, phase func(worker int)) {
	if !f.alone(n) {
		f.pool.Run(phase)
		return
	}
	for w := range f.workers {
		phase(w)
	}
}

// mustMatch panics unless fields and values are those of the grids and points.
func (f *frame[T]) mustMatch(field, values [][]T, points int) {
	if len(field) != len(values) {
		panic(fmt.Sprintf("ib: transfer of %d fields to or from %d lists of values: give the same number of components", len(field), len(values)))
	}
	f.mustFit(field)
	for c := range values {
		if len(values[c]) != points {
			panic(fmt.Sprintf("ib: transfer: component %d has %d values for %d points: call SetPoints first and give one value per point", c, len(values[c]), points))
		}
	}
}

// mustFit panics unless fields are those of the grids.
func (f *frame[T]) mustFit(field [][]T) {
	if f.of != nil && len(field) > len(f.of) {
		panic(fmt.Sprintf("ib: transfer of %d fields on %d grids: a staggered field has one grid for each component", len(field), len(f.of)))
	}
	for c := range field {
		if nodes := f.site(c).nodes; len(field[c]) != nodes {
			panic(fmt.Sprintf("ib: transfer: field %d has %d values, the grid %d nodes: give one value per node", c, len(field[c]), nodes))
		}
	}
}

// grow is s with length n, new only if it does not fit.
func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
