package patch

import (
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// nodesOf are the support nodes of points that a rank works on: its own, and those that neighbours have.
type nodesOf interface {
	// sortNodes finds whose a worker's share of the support nodes are.
	sortNodes(of *SupportNodes, worker int)
	// listNodes makes the lists of support nodes those of all workers; solid is the place of one that is solid, −1: none is.
	listNodes(of *SupportNodes) (solid int32)
	// tiles tells whether the ranks' boxes have all nodes of the domain.
	tiles() bool
}

func (s *shared[T]) tiles() bool {
	nodes := int64(0)
	for _, b := range s.Boxes {
		nodes += int64(b.Nodes())
	}
	return nodes == s.flow.BoxNodes()
}

// sortNodes finds whose a worker's share of the support nodes are, run by run.
func (s *shared[T]) sortNodes(of *SupportNodes, worker int) {
	f := &s.found[worker]
	f.at, f.nodes, f.behind, f.solid = f.at[:0], f.nodes[:0], f.behind[:0], -1
	for i := range f.sends {
		f.sends[i], f.takes[i] = f.sends[i][:0], f.takes[i][:0]
	}
	all := of.support.Nodes()
	lo, hi := parallel.Share(len(all), worker, len(s.found))
	nodes := of.nodes
	for i := lo; i < hi; {
		x, n := nodes.along(all[i:hi])
		s.sortRun(f, x, all[i:i+n], of.found[i:i+n])
		i += n
	}
}

// sortRun sorts nodes of the window along x, the first of which stands for node x, and which the fluid numbers as found has them.
func (s *shared[T]) sortRun(f *sharedPart, x [3]int, at, found []int32) {
	for k := 0; k < len(at); {
		p := [3]int{x[0] + k, x[1], x[2]}
		if !Wrap(s.flow, &p) {
			f.behind = append(f.behind, at[k])
			k++
			continue
		}
		n := min(len(at)-k, s.flow.Size[0]-p[0])
		s.sortRow(f, p, at[k:k+n], found[k:k+n])
		k += n
	}
}

// sortRow sorts nodes of a row of the domain.
func (s *shared[T]) sortRow(f *sharedPart, p [3]int, at, found []int32) {
	for i := range s.Own {
		b := &s.Own[i]
		if lo, hi := s.cut(b, p, len(at)); lo < hi {
			for k := lo; k < hi; k++ {
				if found[k] == isSolid {
					f.note(at[k])
					continue
				}
				f.at, f.nodes = append(f.at, at[k]), append(f.nodes, found[k])
			}
			for j, peer := range s.peers {
				f.sends[j] = s.appendNear(f.sends[j], f, peer.boxes, p, lo, hi, at, found)
			}
		}
	}
	for j, peer := range s.peers {
		for i := range peer.boxes {
			if lo, hi := s.cut(&peer.boxes[i], p, len(at)); lo < hi {
				f.takes[j] = s.appendNear(f.takes[j], f, s.Own, p, lo, hi, at, found)
			}
		}
	}
}

func (f *sharedPart) note(at int32) {
	if f.solid < 0 {
		f.solid = at
	}
}

// cut is which of n nodes from p on are in a box.
func (s *shared[T]) cut(b *lbm.Box, p [3]int, n int) (lo, hi int) {
	for a := 1; a < s.dim; a++ {
		if p[a] < b.Lo[a] || p[a] >= b.Hi[a] {
			return 0, 0
		}
	}
	return max(0, b.Lo[0]-p[0]), min(n, b.Hi[0]-p[0])
}

// appendNear appends those of nodes lo ≤ k < hi from p on that are in some box or within reach of it.
func (s *shared[T]) appendNear(to []int32, f *sharedPart, boxes []lbm.Box, p [3]int, lo, hi int, at, found []int32) []int32 {
	if len(boxes) == 1 {
		return s.appendBeside(to, f, &boxes[0], p, lo, hi, at, found)
	}
	for k := lo; k < hi; k++ {
		for i := range boxes {
			n := len(to)
			if to = s.appendBeside(to, f, &boxes[i], [3]int{p[0] + k, p[1], p[2]}, 0, 1, at[k:], found[k:]); len(to) > n {
				break
			}
		}
	}
	return to
}

// appendBeside does so of one box.
func (s *shared[T]) appendBeside(to []int32, f *sharedPart, b *lbm.Box, p [3]int, lo, hi int, at, found []int32) []int32 {
	by, size := s.reach(), s.flow.Size[0]
	for a := 1; a < s.dim; a++ {
		if !s.along(a, b.Lo[a]-by, b.Hi[a]+by, p[a], 1) {
			return to
		}
	}
	from, end, turns := b.Lo[0]-by-p[0], b.Hi[0]+by-p[0], 0
	if s.flow.Periodic(0) {
		turns = 1
		if end-from >= size {
			from, end, turns = lo, hi, 0
		}
	}
	for turn := -turns; turn <= turns; turn++ { // images across periodic faces
		for k := max(lo, from+turn*size); k < min(hi, end+turn*size); k++ {
			if found[k] == isSolid {
				f.note(at[k])
			} else {
				to = append(to, at[k])
			}
		}
	}
	return to
}

// listNodes makes the lists of support nodes those of all workers.
func (s *shared[T]) listNodes(of *SupportNodes) (solid int32) {
	of.At, of.Nodes, of.behind = of.At[:0], of.Nodes[:0], of.behind[:0]
	for _, p := range s.peers {
		p.sends, p.takes = p.sends[:0], p.takes[:0]
	}
	solid = -1
	for i := range s.found {
		f := &s.found[i]
		if solid < 0 {
			solid = f.solid
		}
		of.At, of.Nodes, of.behind = append(of.At, f.at...), append(of.Nodes, f.nodes...), append(of.behind, f.behind...)
		for j, p := range s.peers {
			p.sends, p.takes = append(p.sends, f.sends[j]...), append(p.takes, f.takes[j]...)
		}
	}
	return solid
}
