package patch

import (
	"cmp"
	"slices"

	"lbmib/geometry"
	"lbmib/internal/mpi"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// CanShare tells whether a strategy of interpolation and spreading has nodes receive some of the points as it has them receive all.
func CanShare(strategy string) bool {
	return strategy == "auto" || strategy == "serial" || strategy == "sort-reduce"
}

// shared is a rank's share of a window.
type shared[T lbm.Float] struct {
	Region
	Halo[T]
	nodes int // of a support along an axis
	loops parallel.Loops

	pieces  []sharedPiece // of all points, in their order
	pieceOf []int         // of each cloud
	rank    []int32       // of each point: that of its nearest node
	local   []int32       // the points that reach nodes around own ones, ascending
	mine    []int32       // of these: those that are nearest to own nodes
	placed  []geometry.Vec
	felt    [][]T // of the local ones
	push    [][]T
	counts  []int // of each rank: its points; and bytes of what it tells of them
	bytes   []int
	sent    []T // what this rank tells of its points,
	all     []T // and what all do
	found   []sharedPart
	sort    func(worker int) // made once
	take    func(worker int)

	x  []geometry.Vec // of a call
	to [][]T
}

// sharedPiece is the points of a cloud, or others, and what is known of them as a whole.
type sharedPiece struct {
	first, n int
	cloud    int   // −1: of none
	rank     int32 // that is all nearest nodes'; −1: they are of several, or it is not known
	near     bool  // some may reach nodes of this rank, or what it has to know around these
}

// sharedPart is what a worker finds.
type sharedPart struct {
	local, mine []int32
	counts      []int // of each rank: its points
	starts      []int // and where they begin among all that it tells of

	// of support nodes:
	at, nodes    []int32   // this rank's
	behind       []int32   // places behind faces
	sends, takes [][]int32 // places of each peer
	solid        int32     // place of the first solid one; −1: none
}

// newShared is a rank's share of a window for points of a delta, which reach so far from their nearest nodes.
func newShared[T lbm.Float](of Share, w *Window[T]) *shared[T] {
	s := &shared[T]{nodes: w.delta.Support(), loops: w.loops}
	s.Region = NewRegion(of, w.flow, s.reach())
	s.Halo = newHalo[T](&s.Region)
	size := of.Comm.Size()
	n, workers := len(w.points), s.loops.Workers()
	s.rank, s.counts, s.bytes = make([]int32, n), make([]int, size), make([]int, size)
	s.found = make([]sharedPart, workers)
	for i := range s.found {
		f := &s.found[i]
		f.counts, f.starts = make([]int, size), make([]int, size)
		f.sends, f.takes = make([][]int32, len(s.peers)), make([][]int32, len(s.peers))
	}
	s.cutPieces(w.clouds)
	s.sort = func(worker int) {
		lo, hi := parallel.Share(len(s.x), worker, workers)
		s.sortPoints(&s.found[worker], lo, hi)
	}
	s.take = func(worker int) {
		lo, hi := parallel.Share(len(s.rank), worker, workers)
		s.takePoints(&s.found[worker], lo, hi)
	}
	s.felt, s.push = make([][]T, 1+s.dim), make([][]T, s.dim)
	return s
}

// reach is how many nodes a support reaches from the node nearest to its point, at most.
func (s *shared[T]) reach() int { return s.nodes / 2 }

// cutPieces makes pieces of all points: clouds, and what is between them.
func (s *shared[T]) cutPieces(clouds []Cloud) {
	order := make([]int, len(clouds))
	s.pieceOf = make([]int, len(clouds))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(clouds[i].First, clouds[j].First) })
	done := 0
	others := func(to int) {
		if done < to {
			s.pieces = append(s.pieces, sharedPiece{first: done, n: to - done, cloud: -1, rank: -1, near: true})
		}
	}
	for _, i := range order {
		c := &clouds[i]
		others(c.First)
		s.pieceOf[i] = len(s.pieces)
		s.pieces = append(s.pieces, sharedPiece{first: c.First, n: len(c.X), cloud: i})
		done = c.First + len(c.X)
	}
	others(len(s.rank))
}

// look finds what is known of clouds as a whole, by the nodes that their supports span.
func (s *shared[T]) look(need []span) {
	by := s.reach()
	last := 0
	for i := range s.pieces {
		p := &s.pieces[i]
		if p.cloud < 0 {
			continue
		}
		n := &need[p.cloud]
		p.near = false
		for k := range s.Own {
			b, near := &s.Own[k], true
			for a := 0; a < s.dim && near; a++ {
				near = s.along(a, b.Lo[a]-by, b.Hi[a]+by, n.lo[a], n.hi[a]-n.lo[a])
			}
			p.near = p.near || near
		}
		p.rank = -1
		at := n.lo
		Wrap(s.flow, &at)
		for k := range s.Boxes {
			b := &s.Boxes[(last+k)%len(s.Boxes)]
			if !contains(b, at, s.dim) {
				continue
			}
			last = (last + k) % len(s.Boxes)
			inside := true
			for a := range s.dim {
				inside = inside && at[a]+n.hi[a]-n.lo[a] <= b.Hi[a]
			}
			if inside {
				p.rank = int32(s.Of[last])
			}
			break
		}
	}
}

// passes tells whether this rank needs no place in the window of a cloud's points.
func (s *shared[T]) passes(cloud int) bool {
	p := &s.pieces[s.pieceOf[cloud]]
	return !p.near && p.rank >= 0
}

// sortPoints finds whose points lo ≤ k < hi are, and which of them this rank works on.
func (s *shared[T]) sortPoints(f *sharedPart, lo, hi int) {
	f.local, f.mine = f.local[:0], f.mine[:0]
	clear(f.counts)
	me, last := int32(s.Comm.Rank()), 0
	at, _ := slices.BinarySearchFunc(s.pieces, lo, func(p sharedPiece, k int) int { return cmp.Compare(p.first+p.n-1, k) })
	for k := lo; k < hi; at++ {
		p := &s.pieces[at]
		end := min(hi, p.first+p.n)
		if p.rank >= 0 && (p.rank == me || !p.near) {
			f.takeAll(s.rank, k, end, p.rank, p.rank == me)
			k = end
			continue
		}
		for ; k < end; k++ {
			node := s.Node(&s.x[k])
			last = s.boxAt(node, last)
			r := int32(s.Of[last])
			s.rank[k] = r
			f.counts[r]++
			if r == me {
				f.mine = append(f.mine, int32(len(f.local)))
				f.local = append(f.local, int32(k))
			} else if p.near && s.isNear(node) {
				f.local = append(f.local, int32(k))
			}
		}
	}
}

// takeAll says that points from ≤ k < to are a rank's, which is this one or has nothing to do with it.
func (f *sharedPart) takeAll(rank []int32, from, to int, of int32, mine bool) {
	f.counts[of] += to - from
	for k := from; k < to; k++ {
		rank[k] = of
	}
	if !mine {
		return
	}
	for k := from; k < to; k++ {
		f.mine = append(f.mine, int32(len(f.local)))
		f.local = append(f.local, int32(k))
	}
}

// isNear tells whether the support of a point nearest to a node may have nodes of this rank, or within reach of them.
func (s *shared[T]) isNear(node [3]int) bool { return s.IsWithin(node, 2*s.reach()) }

// isNearBox tells whether points in a box may be near.
func (s *shared[T]) isNearBox(lo, hi geometry.Vec) bool {
	by := 2 * s.reach()
	for i := range s.Own {
		b, near := &s.Own[i], true
		for a := 0; a < s.dim && near; a++ {
			first := nearest(lo[a])
			near = s.along(a, b.Lo[a]-by, b.Hi[a]+by, first, nearest(hi[a])+1-first)
		}
		if near {
			return true
		}
	}
	return false
}

// place sorts the points at x, which stand at placed in the window, and returns the places of those that this rank works on.
func (s *shared[T]) place(x, placed []geometry.Vec) []geometry.Vec {
	s.x = x
	s.loops.Run(len(x), s.sort)
	s.x = nil
	s.local, s.mine = s.local[:0], s.mine[:0]
	clear(s.counts)
	for i := range s.found {
		f := &s.found[i]
		for _, k := range f.mine {
			s.mine = append(s.mine, k+int32(len(s.local)))
		}
		s.local = append(s.local, f.local...)
		for r, n := range f.counts {
			f.starts[r] = s.counts[r]
			s.counts[r] += n
		}
	}
	n := len(s.local)
	s.placed = grownTo(s.placed, n)
	for i, k := range s.local {
		s.placed[i] = placed[k]
	}
	for c := range s.felt {
		s.felt[c] = grownTo(s.felt[c], n)
	}
	for c := range s.push {
		s.push[c] = grownTo(s.push[c], n)
	}
	return s.placed
}

// spread are the values of points that this rank spreads, of those of all.
func (s *shared[T]) spread(values [][]T) [][]T {
	for c, v := range values {
		to := s.push[c]
		for i, k := range s.local {
			to[i] = v[k]
		}
	}
	return s.push[:len(values)]
}

// interpolated is room for what is interpolated to the points that this rank works on.
func (s *shared[T]) interpolated(components int) [][]T { return s.felt[:components] }

// tell has all ranks know what each has interpolated to the points nearest to its nodes.
func (s *shared[T]) tell(values [][]T) {
	each := len(values)
	s.sent = grownTo(s.sent, each*len(s.mine))
	for c, v := range s.felt[:each] {
		for i, k := range s.mine {
			s.sent[i*each+c] = v[k]
		}
	}
	s.all = grownTo(s.all, each*len(s.rank))
	size := each * sizeOf[T]()
	for r, n := range s.counts {
		s.bytes[r] = size * n
	}
	s.Comm.AllGather(mpi.Bytes(s.sent), s.bytes, mpi.Bytes(s.all))
	s.to = values
	s.loops.Run(len(s.rank), s.take)
	s.to = nil
}

// takePoints gets what has been told of points lo ≤ k < hi.
func (s *shared[T]) takePoints(f *sharedPart, lo, hi int) {
	each := len(s.to)
	at := f.counts // where a rank's next point is among all
	begin := 0
	for r, n := range s.counts {
		at[r] = begin + f.starts[r]
		begin += n
	}
	for k := lo; k < hi; k++ {
		r := s.rank[k]
		from := s.all[at[r]*each:][:each]
		at[r]++
		for c, v := range from {
			s.to[c][k] = v
		}
	}
}
