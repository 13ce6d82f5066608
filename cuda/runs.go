package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"sync"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// Of a fluid that is stored by runs only its own nodes lie in memory, one after the other as the domain numbers
// them: kernels/runs_lattice.h. What would come from a wall at rest is a node's own population that left towards
// it, so there are no links.

// nodeGroup is how many nodes have the number of a piece and of a node with cut links that they count from.
const nodeGroup, nodeGroupLog = 64, 6

// Where a node's word has what: kernels/runs_lattice.h.
const (
	wordPiece = 18
	wordCut   = 24
	wordIsCut = 1 << 30
)

// maxRunNodes is the most nodes of a storage by runs: a thread adds the length of a slot to a node's number, in 32 bits.
const maxRunNodes = 1 << 30

// runs is which nodes there are.
type runs struct {
	count  int      // nodes of the fluid
	stride int      // numbers of a piece
	words  []uint32 // of each node
	groups []int32  // of each group of nodes: the piece of its first node, and the first node with cut links from there on
	pieces []int32  // see runs_lattice.h
	starts []int32  // the first node of each piece, and the end
	rows   []int32  // the first piece of each row, and the end

	cutGroups int32 // groups that know their first node with cut links
}

// runTables are the same on the device.
type runTables struct{ words, groups, pieces, starts, rows *driver.Memory }

// pieceStride is how many numbers of a piece there are, in whole packs of four.
func pieceStride(l *lbm.Lattice) int { return (l.Q + 4) / 4 * 4 }

// CheckRuns refuses flows that a device does not store by runs.
func CheckRuns(c *lbm.Config) error {
	for side := range 2 * c.Lattice.Dim {
		if kind := c.Faces[side].Kind; kind != lbm.Periodic && kind != lbm.NoSlip {
			return fmt.Errorf("cuda: face %s is %s: a fluid that a device stores by runs has walls at rest and periodic faces: choose another type, storage box, or backend cpu", lbm.FaceNames[side], kind)
		}
	}
	if len(c.Cuts) > 0 && c.Lattice.Dim == 2 {
		return errors.New("cuda: a device has surfaces that cut links in space alone, on D3Q19: choose backend cpu")
	}
	return nil
}

// takesBodies refuses a fluid that bodies on the device cannot be put into: their kernels know boxes alone.
func (f *core[T]) takesBodies() error {
	if f.runs != nil {
		return errors.New("cuda: a fluid with bodies on the device is stored as a box: choose storage box, or let the CPU couple (schedule serial or pipelined)")
	}
	return nil
}

// rowStretch are nodes of the fluid that follow each other in a row; the first has a number.
type rowStretch struct{ x, n, start int32 }

// runRows finds the stretches of all rows: those of row r are all[first[r]:first[r+1]].
func runRows(c *lbm.Config) (all []rowStretch, first []int32, count int) {
	nx := c.Size[0]
	rows := c.Size[1] * c.Size[2]
	first = make([]int32, 1, rows+1)
	for row := range rows {
		for x := 0; x < nx; {
			n := nx - x
			if c.Solid != nil {
				mask := c.Solid[row*nx : (row+1)*nx]
				skip := slices.Index(mask[x:], false)
				if skip < 0 {
					break
				}
				x += skip
				if n = slices.Index(mask[x:], true); n < 0 {
					n = nx - x
				}
			}
			all = append(all, rowStretch{int32(x), int32(n), int32(count)})
			count += n
			x += n
		}
		first = append(first, int32(len(all)))
	}
	return all, first, count
}

// compileRuns finds the pieces of a flow.
func compileRuns(c *lbm.Config) (*runs, error) {
	all, first, count := runRows(c)
	if count > maxRunNodes {
		return nil, fmt.Errorf("cuda: the flow has %d nodes of fluid, a device stores at most %d by runs: choose a lower resolution, or storage box", count, maxRunNodes)
	}
	r := &runs{count: count, stride: pieceStride(c.Lattice), words: make([]uint32, count), rows: make([]int32, len(first))}
	rows := len(first) - 1
	shares := make([]pieceMaker, max(1, min(runtime.GOMAXPROCS(0), rows/64)))
	var wait sync.WaitGroup
	for k := range shares {
		m := &shares[k]
		*m = newPieceMaker(c, r, all, first)
		m.lo, m.hi = rows*k/len(shares), rows*(k+1)/len(shares)
		wait.Go(m.make)
	}
	wait.Wait()
	for k := range shares {
		m := &shares[k]
		before := int32(len(r.starts))
		for row := m.lo; row < m.hi; row++ {
			r.rows[row] = m.first[row-m.lo] + before
		}
		r.pieces, r.starts = append(r.pieces, m.pieces...), append(r.starts, m.starts...)
	}
	r.rows[rows] = int32(len(r.starts))
	r.starts = append(r.starts, int32(count))
	r.number()
	return r, nil
}

// number tells nodes and groups their pieces.
func (r *runs) number() {
	r.groups = make([]int32, 2*((r.count+nodeGroup-1)/nodeGroup))
	shared(len(r.groups)/2, func(lo, hi int) {
		if lo == hi {
			return
		}
		p := sort.Search(len(r.starts), func(k int) bool { return int(r.starts[k]) > lo*nodeGroup }) - 1
		for g := lo; g < hi; g++ {
			for n := g * nodeGroup; n < min((g+1)*nodeGroup, r.count); n++ {
				for int(r.starts[p+1]) <= n {
					p++
				}
				if n == g*nodeGroup {
					r.groups[2*g] = int32(p)
				}
				r.words[n] |= uint32(int32(p)-r.groups[2*g]) << wordPiece
			}
		}
	})
}

// bytes is the device memory that they take.
func (r *runs) bytes() int64 {
	return 4 * int64(len(r.words)+len(r.groups)+len(r.pieces)+len(r.starts)+len(r.rows))
}

// pieceMaker finds the pieces of the rows lo ≤ row < hi.
type pieceMaker struct {
	c      *lbm.Config
	to     *runs
	all    []rowStretch
	of     []int32 // the first stretch of each row
	lo, hi int

	around [9]rowNumbers // rows beside the one at hand, by (y mod 3, z mod 3)
	from   []arrival     // of each velocity but rest

	first          []int32 // the first piece of each row
	pieces, starts []int32
	known          uint32 // velocities whose shift the last piece has
}

// arrival is where a velocity comes from: the row beside, and how far along x.
type arrival struct{ x, y, z int }

// rowNumbers are the numbers of a row's nodes from x = −1 to nx, −1 for walls.
type rowNumbers struct {
	row int // −1: none yet
	at  []int32
}

func newPieceMaker(c *lbm.Config, to *runs, all []rowStretch, first []int32) pieceMaker {
	m := pieceMaker{c: c, to: to, all: all, of: first}
	for k := range m.around {
		m.around[k] = rowNumbers{-1, make([]int32, c.Size[0]+2)}
	}
	for _, v := range c.Lattice.C[1:] {
		m.from = append(m.from, arrival{-v[0], -v[1], -v[2]})
	}
	return m
}

// numbers are those of the row at y, z, beyond faces, too. Beyond a wall there are none.
func (m *pieceMaker) numbers(y, z int) []int32 {
	k := &m.around[(y+3)%3+3*((z+3)%3)]
	p := [3]int{0, y, z}
	there := true
	for a := 1; a < 3; a++ {
		if n := m.c.Size[a]; p[a] < 0 || p[a] >= n {
			there = there && a < m.c.Lattice.Dim && m.c.Periodic(a)
			p[a] = (p[a] + n) % n
		}
	}
	row := p[1] + m.c.Size[1]*p[2]
	if !there {
		row = -2
	}
	if k.row == row {
		return k.at
	}
	k.row = row
	for x := range k.at {
		k.at[x] = -1
	}
	if !there {
		return k.at
	}
	nx := m.c.Size[0]
	for _, s := range m.all[m.of[row]:m.of[row+1]] {
		for x := range s.n {
			k.at[1+s.x+x] = s.start + x
		}
	}
	if m.c.Periodic(0) {
		k.at[0], k.at[nx+1] = k.at[nx], k.at[1]
	}
	return k.at
}

// make finds the pieces row by row.
func (m *pieceMaker) make() {
	for row := m.lo; row < m.hi; row++ {
		m.first = append(m.first, int32(len(m.starts)))
		if m.of[row] == m.of[row+1] {
			continue
		}
		y, z := row%m.c.Size[1], row/m.c.Size[1]
		var beside [9][]int32
		for _, f := range m.from {
			if k := f.y + 1 + 3*(f.z+1); beside[k] == nil {
				beside[k] = m.numbers(y+f.y, z+f.z)
			}
		}
		for _, s := range m.all[m.of[row]:m.of[row+1]] {
			m.known = ^uint32(0) // no piece yet
			for x := s.x; x < s.x+s.n; x++ {
				m.node(&beside, int32(row), x, s.start+x-s.x, x == s.x)
			}
		}
	}
}

// node gives a node to the last piece, if that has its shifts, or to a new one.
func (m *pieceMaker) node(beside *[9][]int32, row, x, n int32, begins bool) {
	word, known := uint32(0), m.known
	var shifts [lbm.MaxQ]int32
	fits := !begins
	last := len(m.pieces) - m.to.stride
	for i, f := range m.from {
		from := beside[f.y+1+3*(f.z+1)][int(x)+1+f.x]
		if from < 0 {
			word |= 1 << i
			continue
		}
		shifts[i] = from - n
		switch {
		case !fits:
		case known>>i&1 == 0:
			known |= 1 << i
		case m.pieces[last+1+i] != shifts[i]:
			fits = false
		}
	}
	m.to.words[n] = word
	there := ^word & (1<<len(m.from) - 1)
	if !fits {
		last = len(m.pieces)
		m.starts = append(m.starts, n)
		m.pieces = append(m.pieces, make([]int32, m.to.stride)...)
		m.pieces[last], m.pieces[last+1+len(m.from)] = row, x-n
		m.known = 0
	}
	for i := range m.from {
		if fresh := there &^ m.known; fresh>>i&1 == 1 {
			m.pieces[last+1+i] = shifts[i]
		}
	}
	m.known |= there
}

// upload brings the tables to the device.
func (f *core[T]) uploadRuns() (err error) {
	r, t := f.runs, &f.tables
	if r == nil {
		return nil
	}
	if t.words, err = upload(f, r.words); err != nil {
		return err
	}
	for _, e := range []struct {
		to   **driver.Memory
		from []int32
	}{{&t.groups, r.groups}, {&t.pieces, r.pieces}, {&t.starts, r.starts}, {&t.rows, r.rows}} {
		if *e.to, err = upload(f, e.from); err != nil {
			return err
		}
	}
	*r = runs{count: r.count} // that is all that is asked for from now on
	return nil
}

// The ways in which a sweep leaves populations: RunsHow of kernels/runs_lattice.h.
const (
	runsAtNodes = iota
	runsTurned
	runsPushedOn
)

// howOf is a view's.
func howOf(v view) int {
	switch {
	case v.flip:
		return runsTurned
	case v.shift > 0:
		return runsPushedOn
	}
	return runsAtNodes
}

// setRuns sets LATTICE_PARAMETERS of runs.
func (f *core[T]) setRuns(s *device.Setter, lattice *driver.Memory, v view) *device.Setter {
	t := &f.tables
	s.Pointer(lattice, 0).Int64(f.grid.slot * f.grid.element).Int32(howOf(v))
	s.Pointer(t.words, 0).Pointer(t.groups, 0).Pointer(t.pieces, 0).Pointer(t.starts, 0).Pointer(t.rows, 0)
	return s.Int32(f.cfg.Size[0]).Int32(f.cfg.Size[1]).Int32(f.cfg.Size[2])
}

// runGrid is where the nodes of a storage by runs lie.
func runGrid(c *lbm.Config, r *runs, element int) fluidGrid {
	return fluidGrid{element: element, q: c.Lattice.Q, slot: device.RoundUp(max(r.count, 1), 128/element)}
}

// runThreads are those of a block of a sweep.
const runThreads = 128

// prepareRunSweep sets the arguments of the sweep of all nodes.
func (f *sweeper[T]) prepareRunSweep() {
	if f.runs.count == 0 {
		return
	}
	l := sweepLaunch{grid: [3]int{(f.runs.count + runThreads - 1) / runThreads, 1, 1}, block: [3]int{runThreads, 1, 1}}
	for k := range l.args {
		l.args[k] = f.runArgs(k)
	}
	f.sweeps = append(f.sweeps, l)
}

// runArgs is sweepArgs of a storage by runs: RUNS_PARAMETERS of kernels/runs_sweep.h.
func (f *sweeper[T]) runArgs(k int) *driver.Args {
	s := &device.Setter{Args: driver.NewArgs(sweepArgs)}
	if f.vessel.vesselTables != nil {
		s.Args = driver.NewArgs(vesselArgs)
		f.setCuts(&device.Setter{Args: s.Args, Next: sweepArgs})
	}
	from, to, phase := f.lattice[0], f.lattice[0], k
	if f.scheme.lattices == 2 {
		from, to, phase = f.lattice[k], f.lattice[k^1], 0
	}
	way := f.scheme.cycle[phase]
	for _, e := range []struct {
		lattice *driver.Memory
		flip    bool
	}{{from, way.read.flip}, {to, way.write.flip}} {
		for i := range sweepPlaces {
			if i >= f.grid.q {
				s.Pointer(nil, 0)
				continue
			}
			slot := i
			if e.flip {
				slot = lbm.Opposite(i)
			}
			s.Pointer(e.lattice, slot*f.grid.slot*f.grid.element)
		}
	}
	back := f.grid.slot
	if way.read.flip {
		back = -back
	}
	t := &f.tables
	s.Pointer(t.words, 0).Pointer(t.groups, 0).Pointer(t.pieces, 0).Int32(f.runs.count).Int32(back).Flag(way.read.shift != 0).Int32(0).Int32(0).Int32(0)
	f.setRates(s)
	f.setNoise(s, lbm.ForCollision, 0)
	return s.Args
}
