package joined

import (
	"cmp"
	"slices"

	"lbmib/internal/mpi"
	"lbmib/lbm"
)

// supply is what a rank needs of one kind of a part: populations of listed nodes. The rank that has the part reads them.
type supply[T lbm.Float] struct {
	kind   kind
	of     *part[T]
	rank   int // that needs them
	list   *listing
	f      [][]T
	at     int     // where they stand in what this rank has in mind, if no other has a part in them,
	first  int     // and where in what the seam has in mind, one after the other,
	places []int32 // or each by itself; nil: one after the other
}

// values is how many there are.
func (s *supply[T]) values() (n int) {
	for _, k := range s.list.length {
		n += k
	}
	return n
}

// place is where the k-th stands in what the seam has in mind.
func (s *supply[T]) place(k int) int {
	if s.places == nil {
		return s.first + k
	}
	return int(s.places[k])
}

// seamPlan is what this rank has to do for the seam of an undivided box: found on each rank from the same rules, so that they agree on
// what they tell each other.
type seamPlan[T lbm.Float] struct {
	*seamCompiler[T]
	fluid     *Fluid[T]
	rules     [phases][]partRule // for parts of this rank
	supplies  []*supply[T]       // that this rank needs, or reads for others
	undivided [ofFace]*listing   // what is read of each kind
	length    int                // of all that, and what drives faces
}

// What a seam does, one after the other.
const (
	exploding = iota
	streaming
	coalescing
	phases
)

// levelSeams makes the seams between the boxes of a level and the level above.
func (f *Fluid[T]) levelSeams(level int, uniform bool) (*levelJoint[T], error) {
	j := &levelJoint[T]{}
	var plans []*seamPlan[T]
	for _, w := range f.whole[level] {
		plans = append(plans, f.planSeam(w, uniform))
	}
	if f.shared != nil {
		for moment, tag := range [moments]int{tagFirst, tagSecond} {
			j.told[moment] = f.shared.supply(plans, moment, tag+level)
		}
	}
	for _, p := range plans {
		s, err := p.seam()
		if err != nil {
			return nil, err
		}
		j.seams = append(j.seams, s)
	}
	return j, nil
}

// planSeam finds what this rank has to do for the seam of a box.
func (f *Fluid[T]) planSeam(w *grid, uniform bool) *seamPlan[T] {
	p := &seamPlan[T]{seamCompiler: f.compilerOf(w, uniform), fluid: f}
	p.fine, p.coarse = f.layout.partsIn(w), f.layout.partsIn(p.above)
	p.single = f.all(keepers(f, slices.Concat(f.partsIn(w), f.partsIn(p.above))))
	rules := p.seamCompiler.rules()
	if !p.single {
		rules = p.wholeNodes(rules)
	}
	for k := range p.undivided {
		p.undivided[k] = newListing(p.cfg.Lattice.Q, !p.single)
	}
	p.share(exploding, ofFine, rules.explode)
	p.share(streaming, ofFine, rules.stream)
	p.share(coalescing, ofCoarse, rules.coalesce)
	for _, s := range p.supplies {
		s.list.close()
	}
	slices.SortFunc(p.supplies, func(a, b *supply[T]) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.of.number, b.of.number), cmp.Compare(a.rank, b.rank))
	})
	for _, l := range p.undivided {
		l.close()
		for _, n := range l.length {
			p.length += n
		}
	}
	p.length += 6 * drivenSteps
	return p
}

// share finds what of rules is this rank's, and who needs what for them.
func (p *seamPlan[T]) share(phase int, into kind, rules []rule) {
	for k := range rules {
		r := &rules[k]
		for _, t := range r.terms {
			if t.kind != ofFace {
				p.undivided[t.kind].add(t.dir, t.node, r.steps[t.kind], r.n)
			}
		}
		p.cut(r, into, func(own partRule) {
			to := p.fluid.partAt(own.into)
			mine := p.fluid.own(to)
			if mine {
				p.rules[phase] = append(p.rules[phase], own)
			}
			for j, t := range own.terms {
				if t.kind == ofFace {
					continue
				}
				if from := p.fluid.partAt(own.from[j]); mine || p.fluid.own(from) {
					p.supply(t.kind, from, to.rank).list.add(t.dir, t.node, own.stepIn(own.from[j], t.kind), own.n)
				}
			}
		})
	}
}

// supply is what a rank needs of a kind of a part.
func (p *seamPlan[T]) supply(k kind, of *part[T], rank int) *supply[T] {
	at := slices.IndexFunc(p.supplies, func(s *supply[T]) bool { return s.kind == k && s.of == of && s.rank == rank })
	if at < 0 {
		at = len(p.supplies)
		p.supplies = append(p.supplies, &supply[T]{kind: k, of: of, rank: rank, list: newListing(p.cfg.Lattice.Q, !p.single)})
	}
	return p.supplies[at]
}

// mine tells whether this rank needs what is supplied.
func (p *seamPlan[T]) mine(s *supply[T]) bool {
	return p.fluid.shared == nil || s.rank == p.fluid.shared.comm.Rank()
}

// supply readies the exchange of what ranks read for each other at a moment: one message from each to each that needs something of it.
func (s *shared[T]) supply(plans []*seamPlan[T], moment, tag int) mpi.Exchange {
	me := s.comm.Rank()
	messages := func(peerOf func(of *supply[T]) int) (all []mpi.Message) {
		for peer := range s.comm.Size() {
			var with []*supply[T]
			values := 0
			for _, p := range plans {
				for _, of := range p.supplies {
					if peer != me && momentOf(of.kind) == moment && peerOf(of) == peer {
						with, values = append(with, of), values+of.values()
					}
				}
			}
			if values == 0 {
				continue
			}
			data := s.comm.Buffer(values * sizeOf[T]())
			all = append(all, mpi.Message{Peer: peer, Tag: tag, Data: data})
			rest := mpi.View[T](data)
			for _, of := range with {
				rest = of.setMemory(rest)
			}
		}
		return all
	}
	nobody := -1
	sends := messages(func(of *supply[T]) int {
		if of.of.rank == me {
			return of.rank
		}
		return nobody
	})
	receives := messages(func(of *supply[T]) int {
		if of.rank == me {
			return of.of.rank
		}
		return nobody
	})
	if len(sends)+len(receives) == 0 {
		return nil
	}
	return s.comm.Exchange(sends, receives)
}

// setMemory says where values come to be, and returns the rest.
func (s *supply[T]) setMemory(memory []T) (rest []T) {
	for _, n := range s.list.length {
		s.f = append(s.f, memory[:n:n])
		memory = memory[n:]
	}
	return memory
}

// seam has this rank's part of the rules carried out by its parts.
func (p *seamPlan[T]) seam() (s *levelSeam[T], err error) {
	s = &levelSeam[T]{length: p.length}
	total, others := 6*drivenSteps, false
	for _, of := range p.supplies {
		if of.f == nil {
			total += of.values()
		}
		others = others || of.of.rank != of.rank
	}
	s.values = make([]T, total)
	rest := s.values
	for _, of := range p.supplies {
		if of.f == nil { // what parts of this rank need of others of it
			of.at = total - len(rest)
			rest = of.setMemory(rest)
		}
		if p.mine(of) {
			s.known = append(s.known, of)
		}
	}
	s.faces = rest
	if s.joint, err = p.joint(total - len(rest)); err != nil {
		return nil, err
	}
	for _, of := range p.supplies {
		if p.fluid.own(of.of) {
			m := momentOf(of.kind)
			r, err := p.reading(s, of)
			if err != nil {
				return nil, err
			}
			s.reads[m] = append(s.reads[m], r)
		}
	}
	p.findPlaces(s.known, others || len(p.fine)+len(p.coarse) > 2)
	for phase, to := range [phases]*[]writer{&s.explode, &s.stream, &s.coalesce} {
		if *to, err = p.writings(phase, s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// findPlaces finds where what is read stands as if the boxes were not divided.
func (p *seamPlan[T]) findPlaces(known []*supply[T], divided bool) {
	at := 0
	var first [ofFace][]int // of each direction
	for k, l := range p.undivided {
		for _, of := range known {
			if of.kind == kind(k) {
				of.first = at
			}
		}
		for _, n := range l.length {
			first[k] = append(first[k], at)
			at += n
		}
	}
	if !divided {
		return
	}
	for _, of := range known {
		of.places = make([]int32, of.values())
	}
	for _, rules := range p.rules {
		for k := range rules {
			r := &rules[k]
			for j, t := range r.terms {
				if t.kind == ofFace {
					continue
				}
				of, dir, own := p.placeOf(r, j)
				own += of.list.before(dir)
				whole := r.of.terms[j]
				step := r.of.steps[t.kind]
				to := first[t.kind][t.dir] + p.undivided[t.kind].at(t.dir, whole.node+int32(r.first)*step, step)
				for n := range r.n {
					of.places[own+n] = int32(to + n)
				}
			}
		}
	}
}

// writings are what a phase puts into the parts of this rank.
func (p *seamPlan[T]) writings(phase int, s *levelSeam[T]) (all []writer, err error) {
	of := map[*grid][]partRule{}
	for _, r := range p.rules[phase] {
		of[r.into] = append(of[r.into], r)
	}
	for _, g := range slices.Concat(p.fine, p.coarse) {
		if rules := of[g]; len(rules) > 0 {
			w, err := p.writing(s, p.fluid.partAt(g), rules)
			if err != nil {
				return nil, err
			}
			all = append(all, w)
		}
	}
	return all, nil
}
