package joined

import (
	"fmt"
	"time"

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
}

// values is how many a seam copies.
func (s *copySeam[T]) values() (n int) {
	for _, f := range s.f {
		n += len(f)
	}
	return n
}

// copySeams are the seams between parts of the coarsest level: into each from all others, and itself through periodic faces.
func (f *Fluid[T]) copySeams() {
	each := true
	for _, p := range f.levels[0] {
		if f.own(p) {
			_, keeper := p.fluid.(lbm.Keeper[T])
			each = each && keeper
		}
	}
	each = f.all(each)
	for _, into := range f.levels[0] {
		for _, from := range f.levels[0] {
			if f.own(into) || f.own(from) {
				f.copySeam(from, into, each)
			}
		}
	}
	f.faceSeams()
	if f.shared != nil {
		f.shared.meet()
	}
}

// copySeam makes the seam from one part into another, if anything flies there.
func (f *Fluid[T]) copySeam(from, into *part[T], each bool) {
	s := &copySeam[T]{each: each}
	f.list(s, from, into)
	if len(s.in) == 0 {
		return
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
		f.shared.sends = append(f.shared.sends, s)
	case s.from == nil:
		s.peer = from.rank
		f.shared.receives = append(f.shared.receives, s)
	default:
		into.from = append(into.from, s)
	}
}

// copyAll has the ghosts between parts of the coarsest level be what they are copies of.
func (f *Fluid[T]) copyAll() {
	if f.shared.leads() {
		f.shared.eachWire(func(w *wire) { w.send(orderCopy) })
	}
	f.copyOwn()
}

// copyOwn does so with those of this rank's parts, while others do so with theirs.
func (f *Fluid[T]) copyOwn() {
	f.beginCopies()
	f.endCopies()
}

// beginCopies does what needs no other rank, and lets the rest travel.
func (f *Fluid[T]) beginCopies() {
	if len(f.levels[0]) == 1 {
		return
	}
	begin := time.Now()
	f.exchangeFaces()
	x := f.shared
	if x != nil {
		for _, s := range x.sends {
			s.fetch()
		}
		if x.seams != nil {
			x.seams.Start()
			x.travels = true
		}
	}
	for _, p := range f.levels[0] {
		for _, s := range p.from {
			s.fetch()
			s.put()
		}
	}
	f.seams += time.Since(begin)
}

// endCopies waits for what travels, and puts it.
func (f *Fluid[T]) endCopies() {
	x := f.shared
	if x == nil || !x.travels {
		return
	}
	begin := time.Now()
	x.travels = false
	x.seams.Wait()
	for _, s := range x.receives {
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
	lo, hi := into.lo, into.hi
	for a := range lo {
		lo[a], hi[a] = lo[a]-into.ghosts[2*a], hi[a]+into.ghosts[2*a+1]
	}
	each(lo, hi, func(p [3]int) {
		at := into.wrapped(p)
		if into.isGhost(p) && from.contains(at) && (flow.Solid == nil || !flow.Solid[flow.Node(at)]) {
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
	if s.each {
		s.from.(lbm.Keeper[T]).FetchEach(s.out, s.f)
		return
	}
	s.from.Fetch(s.out, s.f)
}

func (s *copySeam[T]) put() {
	if s.each {
		s.to.(lbm.Keeper[T]).PutEach(s.in, s.f)
		return
	}
	s.to.Put(s.in, s.f)
}

// checkParts refuses parts of level 0 that do not make up the domain.
func checkParts(flow *lbm.Config, parts []*grid) error {
	nodes := 0
	for k, g := range parts {
		n := 1
		for a := range flow.Lattice.Dim {
			if width := g.hi[a] - g.lo[a]; g.lo[a] < 0 || g.hi[a] > g.size[a] || width < min(leastPart, g.size[a]) {
				return fmt.Errorf("joined: part %v … %v has fewer than %d nodes along %c, or leaves the domain: move its ends", g.lo, g.hi, leastPart, "xyz"[a])
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
	if want := flow.Nodes(); nodes != want {
		return fmt.Errorf("joined: the parts of level 0 have %d nodes, the domain has %d: let them make it up", nodes, want)
	}
	return nil
}

// leastPart is how many nodes wide a part is: with one, what flies to and fro between others would have to pass it in a step.
const leastPart = 2
