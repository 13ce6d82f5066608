package lbm

import (
	"fmt"
	"time"

	"lbmib/internal/machine"
)

// Two steps in one sweep over memory. In place, a local sweep needs nothing but
// the node itself, so it can be put off until the rows around a node are about to
// be pulled from: the pull follows the local sweep at a distance of a row or two,
// while these rows are still in the cache, and both steps read and write memory
// once. (Wavefront blocking, Wellein et al., COMPSAC 2009, made easy by AA.)
//
// What may not wait is swept in the step that it belongs to: rows next to those
// of another worker or at an edge of the domain, and rows that somebody looks at
// between the two steps or on which forces act in the first (hot rows: where bodies are).
type fusion struct {
	early   []bool    // rows that may not wait, always
	hot     []bool    // rows that have been looked at
	done    []bool    // rows whose local sweep is not outstanding
	pending bool      // some local sweeps are outstanding
	orders  [][]order // of each worker
}

// order is what to do with a row: its local sweep, if outstanding, or its pull.
type order struct {
	row  int32
	pull bool
}

// coolAfter is the number of pairs of steps after which rows that nobody looks at
// any more may wait again.
const coolAfter = 512

// newFusion is nil where every step has a sweep of its own. Slabs are the first rows of workers, and the end, rowBytes what a row takes of memory.
func newFusion(cfg *Config, slabs []int, rowBytes int, s *scheme, elementSize int, earlyRows []bool) (*fusion, error) {
	cfg.StepsPerSweep = cfg.Steps(s.name, elementSize)
	switch {
	case cfg.StepsPerSweep == 1:
		return nil, nil
	case len(cfg.Cuts) > 0 || cfg.Inside != nil:
		return nil, fmt.Errorf("lbm: two steps per sweep do not go with the fluid of a vessel, given by runs or with links that a surface cuts: choose 1")
	case cfg.StepsPerSweep != 2:
		return nil, fmt.Errorf("lbm: %d steps per sweep are asked for: choose 1 or 2", cfg.StepsPerSweep)
	case s.lattices != 1:
		return nil, fmt.Errorf("lbm: two steps per sweep go with streaming inplace, not with %s", s.name)
	}
	rows := cfg.rows()
	f := &fusion{early: make([]bool, rows), hot: make([]bool, rows), done: make([]bool, rows)}
	for w := range slabs[1:] {
		lo, hi := slabs[w], slabs[w+1]
		for row := lo; row < hi; row++ {
			f.early[row] = besideOthers(cfg, row, lo, hi)
		}
		width := tileWidth(cfg, rowBytes)
		f.orders = append(f.orders, wavefront(cfg.Size[1], lo, hi, width))
	}
	for row, early := range earlyRows {
		f.early[row] = f.early[row] || early
	}
	return f, nil
}

// besideOthers reports whether a row in [lo, hi) has a neighbour outside: of
// another worker, or beyond the domain.
func besideOthers(cfg *Config, row, lo, hi int) bool {
	y, z := row%cfg.Size[1], row/cfg.Size[1]
	for dz := -1; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			if cfg.Lattice.Dim == 2 && dz != 0 {
				continue
			}
			ny, nz := y+dy, z+dz
			if ny < 0 || ny >= cfg.Size[1] || nz < 0 || nz >= cfg.Size[2] {
				return true
			}
			if n := ny + cfg.Size[1]*nz; n < lo || n >= hi {
				return true
			}
		}
	}
	return false
}

// tileWidth is the number of rows along y of which three layers stay in the
// second cache.
func tileWidth(cfg *Config, rowBytes int) int {
	return min(max(int(machine.CacheSize(2))/2/(3*rowBytes), 4), cfg.Size[1]+cfg.Size[2])
}

// wavefront orders the local sweeps and pulls of the rows [lo, hi), numbered y
// first, so that a pull comes after the local sweeps of all rows around it. Space
// is cut into tiles of some width along y that lean back by one row per layer, as
// far as the pull reaches.
func wavefront(ny, lo, hi, width int) (o []order) {
	first, last := lo/ny, (hi-1)/ny // layers
	add := func(from, to, z int, pull bool) {
		for y := max(from, 0); y < min(to, ny); y++ {
			if row := y + ny*z; row >= lo && row < hi {
				o = append(o, order{int32(row), pull})
			}
		}
	}
	if hi <= lo {
		return nil
	}
	if first == last { // a single layer: the pull follows two rows behind
		for y := range ny + 1 {
			add(y, y+1, first, false)
			add(y-1, y, first, true)
		}
		return o
	}
	lean := last - first + 1
	for start := 0; start < ny+lean+2; start += width {
		for z := first; z <= last+1; z++ {
			if z <= last {
				back := z - first
				add(start-back, start+width-back, z, false)
			}
			if z > first {
				back := z - 1 - first + 2
				add(start-back, start+width-back, z-1, true)
			}
		}
	}
	return o
}

// begin starts a pair of steps at a step's number, in the first of which some rows have more to do than sweep.
func (f *fusion) begin(step int64, acts func(row int) bool) {
	if step%(2*coolAfter) < 2 {
		clear(f.hot)
	}
	for row := range f.done {
		if acts(row) {
			f.hot[row] = true
		}
		f.done[row] = f.early[row] || f.hot[row]
	}
	f.pending = true
}

// sweepBoth completes the outstanding local sweeps and does the pull.
func (f *CPU[T, S]) sweepBoth(worker int) {
	s, clock := &f.sweeper[worker], f.times.of(worker, f.steps)
	s.begin()
	for _, o := range f.fusion.orders[worker] {
		if o.pull {
			f.sweepRow(s, 0, int(o.row), clock)
		} else if !f.fusion.done[o.row] {
			f.sweepRow(s, 1, int(o.row), clock)
		}
	}
	s.end()
}

// complete does all outstanding local sweeps, for somebody who looks.
func (f *CPU[T, S]) complete() {
	if f.fusion == nil || !f.fusion.pending {
		return
	}
	begin := time.Now()
	f.pool.Run(func(worker int) {
		f.sweepRows(worker, 1, func(row int) bool { return !f.fusion.done[row] })
	})
	f.fusion.pending = false
	f.times.add(0, time.Since(begin)) // it is a part of the step, whoever waits for it
}

// lookAt makes sure that the rows of nodes are complete, and that from now on
// they are after every step.
func (f *CPU[T, S]) lookAt(nodes []int32) {
	u, nx := f.fusion, int32(f.cfg.Size[0])
	if u == nil {
		return
	}
	complete := true
	for _, n := range nodes {
		row := n / nx
		u.hot[row] = true
		complete = complete && u.done[row]
	}
	if !complete {
		f.complete()
	}
}
