package joined

import (
	"cmp"
	"fmt"
	"time"

	"lbmib/internal/mpi"
	"lbmib/lbm"
)

// copySeam joins two parts of one level: what flies from one into the other is in that one's ghosts before each step. Where another rank
// has one of them, this is the half that this rank has.
type copySeam[T lbm.Float] struct {
	from, to lbm.Exchanger[T] // nil: another rank's,
	peer     int              // this one
	each     bool             // both take single populations: of each direction, one after the other; else all of nodes
	out, in  []int32          // nodes of from, and the ghosts that they are in to
	f        [][]T

	joint       lbm.Joint[T] // where both are of one device; nil: the host copies
	read, write func()       // likewise
}

// values is how many a seam copies.
func (s *copySeam[T]) values() (n int) {
	for _, f := range s.f {
		n += len(f)
	}
	return n
}

// copies are what flies between parts of a level.
type copies[T lbm.Float] struct {
	sends, receives []*copySeam[T] // that join parts of this rank with those of others
	seams           mpi.Exchange   // of their values; nil: there are none
	travels         bool           // what flies between ranks
	arrived         func()         // waits for it and puts it: made once
}

// copySeams are the seams between parts of a level: into each from all others of its box, and itself through periodic faces.
func (f *Fluid[T]) copySeams(level int) (c *copies[T], err error) {
	parts := f.levels[level]
	c = &copies[T]{}
	c.arrived = func() { f.endCopies(level) }
	each := f.all(keepers(f, parts))
	for _, into := range parts {
		into.from = nil
		for _, from := range parts {
			if into.whole == from.whole && (f.own(into) || f.own(from)) {
				err = cmp.Or(err, f.copySeam(c, from, into, each))
			}
		}
	}
	if level == 0 {
		f.faceSeams()
	}
	if f.shared != nil {
		f.shared.meet(c, tagSeams+level)
	}
	return c, err
}

// keepers tells whether those of some parts that this rank has are all lbm.Keeper.
func keepers[T lbm.Float](f *Fluid[T], parts []*part[T]) bool {
	for _, p := range parts {
		if _, keeper := p.fluid.(lbm.Keeper[T]); f.own(p) && !keeper {
			return false
		}
	}
	return true
}

// divided tells whether a box of a level has several parts.
func (lay *layout) divided(level int) bool { return len(lay.boxes[level]) > len(lay.whole[level]) }

// copySeam makes the seam from one part into another, if anything flies there.
func (f *Fluid[T]) copySeam(c *copies[T], from, into *part[T], each bool) error {
	s := &copySeam[T]{each: each}
	f.list(s, from, into)
	if len(s.in) == 0 {
		return nil
	}
	if f.own(from) {
		s.from = from.fluid.(lbm.Exchanger[T])
		keep(s.from, s.out)
	}
	if f.own(into) {
		s.to = into.fluid.(lbm.Exchanger[T])
		keep(s.to, s.in)
	}
	switch {
	case s.to == nil:
		s.peer = into.rank
		c.sends = append(c.sends, s)
	case s.from == nil:
		s.peer = from.rank
		c.receives = append(c.receives, s)
	default:
		into.from = append(into.from, s)
		if each {
			return s.joinOnDevice(from.fluid, into.fluid)
		}
	}
	return nil
}

// copyAll has the ghosts between parts of the finest level be what they are copies of.
func (f *Fluid[T]) copyAll() {
	if f.shared.leads() {
		f.shared.eachWire(func(w *wire) { w.send(orderCopy) })
	}
	f.copyOwn()
}

// copyOwn does so with those of this rank's parts, while others do so with theirs.
func (f *Fluid[T]) copyOwn() {
	finest := len(f.levels) - 1
	f.beginCopies(finest)
	f.endCopies(finest)
}

// beginCopies does what needs no other rank, and lets the rest travel.
func (f *Fluid[T]) beginCopies(level int) {
	c := f.copies[level]
	if c == nil {
		return
	}
	begin := time.Now()
	if level == 0 {
		f.exchangeFaces()
	}
	for _, s := range c.sends {
		s.fetch()
	}
	if c.seams != nil {
		c.seams.Start()
		c.travels = true
	}
	for _, p := range f.levels[level] {
		for _, s := range p.from {
			s.fetch()
			s.put()
		}
	}
	f.seams += time.Since(begin)
}

// endCopies waits for what travels, and puts it.
func (f *Fluid[T]) endCopies(level int) {
	c := f.copies[level]
	if c == nil || !c.travels {
		return
	}
	begin := time.Now()
	c.travels = false
	c.seams.Wait()
	for _, s := range c.receives {
		s.put()
	}
	f.seams += time.Since(begin)
}

// list finds what is copied from a part to the ghosts of another: what flies from there into its box, off mirrors, too.
func (f *Fluid[T]) list(s *copySeam[T], from, into *part[T]) {
	flow := &f.flows[into.level]
	c := &seamCompiler[T]{cfg: flow, box: into.grid}
	q := flow.Lattice.Q
	var ghosts [][3]int
	covered := f.coveredBy(into.level)
	into.eachGhost(flow, func(p [3]int) {
		if at := into.wrapped(p); from.contains(at) && !sleeps(flow, into.grid, at, covered) {
			ghosts = append(ghosts, p)
		}
	})
	for i := range q {
		n := 0
		for _, p := range ghosts {
			if s.each && !c.entersBox(p, i) {
				continue
			}
			n++
			s.out = append(s.out, from.node(into.wrapped(p)))
			if s.each || i == 0 {
				s.in = append(s.in, into.nodeAt(p))
			}
		}
		s.f = append(s.f, make([]T, n))
	}
}

// fetch reads what is copied, and put puts it.
func (s *copySeam[T]) fetch() {
	if s.read != nil {
		s.read()
		return
	}
	if s.each {
		s.from.(lbm.Keeper[T]).FetchEach(s.out, s.f)
		return
	}
	s.from.Fetch(s.out, s.f)
}

func (s *copySeam[T]) put() {
	if s.write != nil {
		s.write()
		return
	}
	if s.each {
		s.to.(lbm.Keeper[T]).PutEach(s.in, s.f)
		return
	}
	s.to.Put(s.in, s.f)
}

// checkParts refuses parts that do not make up a box, which that of level 0 is the domain, of a flow with links that a surface cuts.
func checkParts(whole *grid, parts []*grid, dim int, cuts []lbm.Cut) error {
	nodes, of := 0, "the domain"
	if whole.level > 0 {
		of = fmt.Sprintf("box %v … %v", whole.lo, whole.hi)
	}
	for k, g := range parts {
		n := 1
		for a := range dim {
			if width := g.hi[a] - g.lo[a]; g.lo[a] < whole.lo[a] || g.hi[a] > whole.hi[a] || width < min(leastPart, whole.hi[a]-whole.lo[a]) {
				return fmt.Errorf("joined: part %v … %v has fewer than %d nodes along %c, or leaves %s: move its ends", g.lo, g.hi, leastPart, "xyz"[a], of)
			}
			if off := func(at int) bool { return at%lbm.PatchWidth != 0 && at != whole.hi[a] }; len(cuts) > 0 && (off(g.lo[a]) || off(g.hi[a])) {
				return fmt.Errorf("joined: part %v … %v does not end at multiples of %d along %c, where patches of the wall of a vessel do: move its ends", g.lo, g.hi, lbm.PatchWidth, "xyz"[a])
			}
			if whole.level > 0 && (g.lo[a]%2 != 0 || g.hi[a]%2 != 0) {
				return fmt.Errorf("joined: part %v … %v of level %d does not end between cells of the level above along %c: use even numbers", g.lo, g.hi, whole.level, "xyz"[a])
			}
			n *= g.hi[a] - g.lo[a]
		}
		nodes += n
		for _, o := range parts[:k] {
			if meet(lbm.Box{Lo: g.lo, Hi: g.hi}, lbm.Box{Lo: o.lo, Hi: o.hi}).Nodes() > 0 {
				return fmt.Errorf("joined: parts %v … %v and %v … %v overlap: move their ends", g.lo, g.hi, o.lo, o.hi)
			}
		}
	}
	if want := (lbm.Box{Lo: whole.lo, Hi: whole.hi}).Nodes(); nodes != want {
		return fmt.Errorf("joined: the parts of level %d have %d nodes, %s has %d: let them make it up", whole.level, nodes, of, want)
	}
	return nil
}

// leastPart is how many nodes wide a part is: with one, what flies to and fro between others would have to pass it in a step.
const leastPart = 2
