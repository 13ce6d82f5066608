package lbm

import (
	"math/bits"
	"slices"
	"unsafe"

	"lbmib/internal/parallel"
	"lbmib/lbm/internal/simd"
)

// A link joins a fluid node to where the population that it pulls comes from.
// Before a node is swept the boundary writes, for every link that leaves the
// fluid, the population that the kernel will read. Links are compiled once:
// periodic wrapping and mirror planes are folded away, so that what remains is a
// copy, a reflection off a wall, or an open face, in that order of likelihood.
//
// Copies and walls are written row by row, right before the row is swept, while
// its ends are about to be in the cache. What they write is read by that row
// alone, and what they read is written by no sweep of this step: in place, a
// population that left the fluid lies where only a ghost would write. Solid nodes
// are ghosts that are swept, so there links to them are written before the step.

// copyLinks are populations that are moved: f[to] = f[from]. Periodic, mirrored
// and resting-wall links are all of this kind. Those of a row count from the row's
// base, its first node's first population, and rows with the same links share
// them: a list as long as the boundary would itself have to be read from memory.
// Of a storage by runs they are those of a run.
type copyLinks struct {
	to, from []int
	rows     []span // of each row of the domain, or run
}

// span are the links [lo, hi).
type span struct{ lo, hi int32 }

// wallLinks are reflected by a face that adds something, as a moving surface does:
// f[to] = f[from] + amplitude(t)·gain. Like copyLinks they count from their row's base.
type wallLinks[T Float] struct {
	copyLinks
	gain   []T
	face   []uint8
	before []int32 // links of the same row before each run; nil: runs are rows
}

// links are all the links of one phase of a scheme.
type links[T Float] struct {
	copies copyLinks
	walls  wallLinks[T]
	open   openLinks[T]
	early  copyLinks // to be written before any row is swept; not by rows, nor from a base

	earlyRows []bool // the rows that have a part in these

	rebounds *rebounds // of a storage by runs, of all phases alike
}

// addresses say where populations lie between two steps: post that of direction
// i of node p after collision, pull that which will arrive at p along i.
type addresses struct {
	post, pull func(i int, p [3]int) int
	base       func(run int) int // of a run, in both
}

// compiler builds the links of a configuration for one phase.
type compiler[T Float] struct {
	cfg      *Config
	at       addresses
	inPlace  bool
	moves    bool // links move populations: one from a place to itself is none
	open     []*OpenFace
	opening  [6]int    // the open face on each side, or −1
	enters   [][]int   // the velocities through each open face
	run      *run      // that is being compiled
	rebounds *rebounds // where links at walls at rest go; nil: they are copies
	number   int32     // of links of walls in the row before the run
	cuts     []Cut     // those that are not yet compiled: they are no links here
	near     [9][2]int // of a storage by runs: the runs of the row and of those around it, see besideRow
	out      links[T]
}

// setOpen says which faces are open.
func (c *compiler[T]) setOpen(faces []*OpenFace) {
	c.open = faces
	for _, o := range faces {
		c.enters = append(c.enters, entering(c.cfg.Lattice, o))
	}
	for side := range c.opening {
		c.opening[side] = slices.IndexFunc(faces, func(o *OpenFace) bool { return o.Side == side })
	}
}

// compileLinks compiles those of runs; rebounds is nil where these are rows.
func compileLinks[T Float](cfg *Config, runs []run, at addresses, inPlace bool, open []*OpenFace, b *rebounds) links[T] {
	c := &compiler[T]{cfg: cfg, at: at, inPlace: inPlace, moves: true, rebounds: b, cuts: cfg.Cuts}
	c.setOpen(open)
	c.out.rebounds = b
	if b == nil {
		c.out.earlyRows = make([]bool, cfg.rows())
	}
	for k := range runs {
		c.beginRun(&runs[k])
		r, y, z := c.run, int(c.run.row)%cfg.Size[1], int(c.run.row)/cfg.Size[1]
		if b != nil {
			c.sparseRun(y, z)
			c.endRun(k)
			continue
		}
		step := 1
		if cfg.Solid == nil && inside(y, cfg.Size[1]) && (cfg.Lattice.Dim == 2 || inside(z, cfg.Size[2])) {
			step = max(1, cfg.Size[0]-1) // only the ends of the row touch a face
		}
		for x := int(r.x); x < int(r.x+r.n); x += step {
			c.node([3]int{x, y, z})
		}
		c.endRun(k)
	}
	if b != nil {
		b.end()
	}
	return c.out
}

func inside(x, n int) bool { return x > 0 && x < n-1 }

// sparseRun compiles the links of a run of a storage by runs: of nodes that have a wall or a face beside them.
func (c *compiler[T]) sparseRun(y, z int) {
	r, set := c.run, c.rebounds.set
	for _, v := range c.cfg.Lattice.C {
		c.near[besideRow(v[1], v[2])][0], c.near[besideRow(v[1], v[2])][1] = set.Row(y+v[1], z+v[2])
	}
	for x := int(r.x); x < int(r.x+r.n); x++ {
		upTo := int(r.x + r.n)
		for _, v := range c.cfg.Lattice.C {
			row := c.near[besideRow(v[1], v[2])]
			k := set.RunIn(row[0], row[1], x)
			if k < 0 || int(set.Runs()[k].X0) >= x {
				upTo = x
				break
			}
			upTo = min(upTo, max(int(set.Runs()[k].X1)-1, x))
		}
		if x = upTo; x < int(r.x+r.n) {
			c.node([3]int{x, y, z})
		}
	}
}

// isWall tells whether the node that population i comes from to node p, within the domain, is a wall.
func (c *compiler[T]) isWall(p [3]int, i int, from [3]int) bool {
	if c.rebounds == nil {
		return c.cfg.solid(from)
	}
	v := c.cfg.Lattice.C[i]
	row := c.near[besideRow(-v[1], -v[2])]
	return c.rebounds.set.RunIn(row[0], row[1], p[0]-v[0]) < 0
}

// beginRun starts a run; endRun ends it, and drops its links where those of a row before
// are the same.
func (c *compiler[T]) beginRun(r *run) {
	o := &c.out
	o.copies.rows = append(o.copies.rows, span{lo: int32(len(o.copies.to))})
	o.walls.rows = append(o.walls.rows, span{lo: int32(len(o.walls.to))})
	if last := c.run; last == nil || last.row != r.row {
		c.number, o.open.number = 0, 0
	}
	if c.run = r; c.rebounds != nil {
		o.walls.before = append(o.walls.before, c.number)
	}
}

func (c *compiler[T]) endRun(k int) {
	base, w, row, plane := c.at.base(k), &c.out.walls, int(c.run.row), c.cfg.Size[1]
	back := plane
	if c.rebounds != nil {
		back = k + 1 // runs of other planes are others
		c.rebounds.endRun()
	}
	c.number += int32(len(w.to)) - w.rows[k].lo
	c.out.copies.endRow(k, base, back, func(_, _ int32) bool { return true })
	w.endRow(k, base, back, func(k, l int32) bool { return w.gain[k] == w.gain[l] && w.face[k] == w.face[l] })
	w.gain, w.face = w.gain[:len(w.to)], w.face[:len(w.to)]
	c.out.open.endRow(k, base, back, func(face uint8) int { return c.open[face].first(row, plane) })
}

// endRow makes the links of a row count from its base. They are dropped where those of the
// row before, or of the row of the plane before, so many rows back, are the same; same says
// so of what belongs to them.
func (l *copyLinks) endRow(row, base, plane int, same func(k, l int32) bool) {
	r := &l.rows[row]
	r.hi = int32(len(l.to))
	for k := r.lo; k < r.hi; k++ {
		l.to[k] -= base
		l.from[k] -= base
	}
	for _, other := range [2]int{row - 1, row - plane} {
		if other >= 0 && l.alike(*r, l.rows[other], same) {
			l.to, l.from = l.to[:r.lo], l.from[:r.lo]
			*r = l.rows[other]
			return
		}
	}
}

// alike tells whether the links of two rows are the same.
func (l *copyLinks) alike(a, b span, same func(k, l int32) bool) bool {
	if a.hi-a.lo != b.hi-b.lo {
		return false
	}
	for k := a.lo; k < a.hi; k++ {
		if m := b.lo + k - a.lo; l.to[k] != l.to[m] || l.from[k] != l.from[m] || !same(k, m) {
			return false
		}
	}
	return true
}

func (c *compiler[T]) node(p [3]int) {
	if c.rebounds == nil && c.cfg.solid(p) {
		return
	}
	for i := 1; i < c.cfg.Lattice.Q; i++ {
		c.link(p, i)
	}
}

// link compiles the link of direction i into fluid node p.
func (c *compiler[T]) link(p [3]int, i int) {
	l := c.cfg.Lattice
	from, dir := p, l.C[i]
	for a := range from {
		from[a] -= dir[a]
	}
	crossed, face, pushing := false, -1, -1 // pushing: a mirror that adds something
	for a := range l.Dim {
		n := c.cfg.Size[a]
		if from[a] >= 0 && from[a] < n {
			continue
		}
		crossed = true
		side := 2 * a
		if from[a] >= n {
			side++
		}
		switch kind := c.cfg.Faces[side].Kind; {
		case kind == Periodic:
			from[a] = (from[a] + n) % n
		case kind.IsMirror():
			from[a] = min(max(from[a], 0), n-1)
			dir[a] = -dir[a]
			if kind.HasVelocity() {
				pushing = side
			}
		case face < 0 || kind < c.cfg.Faces[face].Kind:
			face = side
		}
	}
	if !crossed && !c.isWall(p, i, from) {
		return // an ordinary neighbour
	}
	if c.rebounds != nil && face < 0 && (!crossed || c.cfg.solid(from)) { // bounces off a wall: where it lies the run says
		if !c.isCut(p, i) {
			c.rest(0, 0, p, i)
		}
		return
	}
	to := c.at.pull(i, p)
	back := c.at.post(Opposite(i), p)
	switch {
	case face < 0 && c.isCut(p, i):
	case !crossed && c.rebounds == nil:
		c.solid(to, back, p, from)
	case face < 0 && c.cfg.solid(from):
		c.rest(to, back, p, i)
	case face < 0 && pushing >= 0:
		c.push(pushing, to, c.at.post(l.direction(dir), from), p, i)
	case face < 0:
		if from := c.at.post(l.direction(dir), from); from != to || !c.moves {
			c.out.copies.add(to, from)
		}
	case c.opening[face] >= 0:
		c.enter(face, to, back, from, l.direction(dir), p, i)
	case c.cfg.Faces[face].Kind.HasVelocity():
		c.push(face, to, back, p, i)
	default:
		c.rest(to, back, p, i)
	}
}

// isCut tells whether a surface cuts the link of direction i into node p, which come in ascending order.
func (c *compiler[T]) isCut(p [3]int, i int) bool {
	if len(c.cuts) == 0 || c.cuts[0].Node != c.run.first+int32(p[0])-c.run.x || int(c.cuts[0].I) != i {
		return false
	}
	c.cuts = c.cuts[1:]
	return true
}

// rest has a wall at rest send population i back to node p.
func (c *compiler[T]) rest(to, back int, p [3]int, i int) {
	if c.rebounds != nil {
		c.rebounds.add(i, int32(p[0])-c.run.x)
		return
	}
	c.out.copies.add(to, back)
}

func (l *copyLinks) add(to, from int) {
	l.to = append(l.to, to)
	l.from = append(l.from, from)
}

// solid bounces population to, from solid node, off that node into p. In place,
// both rows have a part in it: the one reads what has been written to the other.
func (c *compiler[T]) solid(to, back int, p, node [3]int) {
	if !c.inPlace {
		c.out.copies.add(to, back)
		return
	}
	c.out.early.add(to, back)
	for _, q := range [2][3]int{p, node} {
		c.out.earlyRows[q[1]+c.cfg.Size[1]*q[2]] = true
	}
}

// enter takes population i of node p, after wrapping and mirroring dir, from the ghost at
// from behind an open face. Where its node takes no part that is a wall which stands in the
// opening, or a velocity face through which nothing leaves.
func (c *compiler[T]) enter(face, to, back int, from [3]int, dir int, p [3]int, i int) {
	k := c.opening[face]
	o := c.open[k]
	n := o.node(from)
	switch {
	case o.Absent[n] && o.Bounces && !c.cfg.solid(o.Position(n)):
		c.push(face, to, back, p, i)
		return
	case o.Absent[n]:
		c.rest(to, back, p, i)
		return
	}
	link := openLink{openRun: openRun{to: to, back: back, node: int32(n), count: 1, face: uint8(k), which: uint8(slices.Index(c.enters[k], dir))}, pulled: uint8(i)}
	if link.moving = o.Bounces; link.moving {
		link.gain = c.gain(face, p, i)
	}
	c.out.open.row = append(c.out.open.row, link)
}

// gain is what a face adds to population i that it sends to node p.
func (c *compiler[T]) gain(face int, p [3]int, i int) float64 {
	return faceKinds[c.cfg.Faces[face].Kind].gain(c.cfg, face, p, i)
}

// push sends what a face reflects, with its gain, to node p along i.
func (c *compiler[T]) push(face, to, from int, p [3]int, i int) {
	w := &c.out.walls
	w.add(to, from)
	w.gain = append(w.gain, T(c.gain(face, p, i)))
	w.face = append(w.face, uint8(face))
}

// fillRow writes the copies and walls of one row or run, f beginning at its base.
func fillRow[T Float, S Stored](l *links[T], f *S, amplitude *[6]T, row int, seed uint32) {
	r := l.copies.rows[row]
	copyAll(f, l.copies.to[r.lo:r.hi], l.copies.from[r.lo:r.hi])
	r = l.walls.rows[row]
	to, from, gain, face := l.walls.to[r.lo:r.hi], l.walls.from[r.lo:r.hi], l.walls.gain[r.lo:r.hi], l.walls.face[r.lo:r.hi]
	before := 0
	if l.walls.before != nil {
		before = int(l.walls.before[row])
	}
	for k, o := range to {
		v := decode[T](*element(f, from[k])) + amplitude[face[k]]*gain[k]
		*element(f, o) = dithered[S](v, noise[S](seed, before+k), 0)
	}
}

// element is the one n places from f; links lie on both sides of their base.
func element[S Stored](f *S, n int) *S {
	return (*S)(unsafe.Add(unsafe.Pointer(f), n*int(unsafe.Sizeof(*f))))
}

// prefetchLinks is how many links of a row are worth fetching ahead: those of its
// ends, each on a line of its own. In rows along a wall the next is the neighbour.
const prefetchLinks = 32

// fetchesFrom is the size of a lattice in bytes from which its links are fetched ahead; fixed, as a large cache
// is mostly shared with others. In the third-level cache they are near enough, and asking for those of short rows took a sixth of a step: without, 32³ makes 110 to 131
// MFLUPS (5 MB) where it made 71 to 95, and 128³ (320 MB in f64) 77 to 100 where it makes 102 to 105.
const fetchesFrom = 32 << 20

// prefetchRow asks for what fillRow of a row will read and write, so that it is
// there when the row before has been swept.
func prefetchRow[T Float, S Stored](l *links[T], f *S, row int) {
	log := uint(bits.TrailingZeros(uint(unsafe.Sizeof(*f))))
	for _, c := range [...]*copyLinks{&l.copies, &l.walls.copyLinks} {
		r := c.rows[row]
		hi := min(r.hi, r.lo+prefetchLinks)
		simd.Prefetch(unsafe.Pointer(f), c.to[r.lo:hi], log)
		simd.Prefetch(unsafe.Pointer(f), c.from[r.lo:hi], log)
	}
}

// fillEarly writes worker's share of what must be there before any row is swept.
func fillEarly[S Stored](l *copyLinks, f []S, worker, workers int) {
	lo, hi := parallel.Share(len(l.to), worker, workers)
	copyAll(&f[0], l.to[lo:hi], l.from[lo:hi])
}

func copyAll[S Stored](f *S, to, from []int) {
	from = from[:len(to)]
	for k, o := range to {
		*element(f, o) = *element(f, from[k])
	}
}
