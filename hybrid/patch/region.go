package patch

import (
	"cmp"
	"slices"

	"lbmib/geometry"
	"lbmib/internal/mpi"
	"lbmib/lbm"
)

// Share says which nodes of a fluid several ranks have, that couple points with it together. All know all points, and so have the same windows: of the
// fields in them a rank uses what is around its own nodes. It spreads from the points that reach these, in the order that all points have, so that its nodes
// receive the same bits as on one rank; and interpolates to the points that are nearest to them, having got what its neighbours have of the supports.
type Share struct {
	Comm  mpi.Comm
	Tag   int       // of messages
	Boxes []lbm.Box // of nodes, without gaps wherever points reach
	Of    []int     // the rank that has each
}

// Region is what of a domain a rank has.
type Region struct {
	Share
	Own    []lbm.Box // by where they begin along x, so that nodes of a row follow each other
	Others []Other   // ranks with nodes within reach, ascending

	flow   *lbm.Config
	dim    int
	latest int // box that had a place
}

// Other is a rank with nodes within reach of own ones.
type Other struct {
	Rank  int
	Boxes []lbm.Box
}

// NewRegion is what this rank has of a flow's domain, and who has nodes within so many of it.
func NewRegion(of Share, flow *lbm.Config, reach int) Region {
	r := Region{Share: of, flow: flow, dim: flow.Lattice.Dim}
	boxes := make([][]lbm.Box, of.Comm.Size())
	for k, b := range of.Boxes {
		boxes[of.Of[k]] = append(boxes[of.Of[k]], b)
	}
	for _, b := range boxes {
		slices.SortFunc(b, func(b, o lbm.Box) int { return cmp.Compare(b.Lo[0], o.Lo[0]) })
	}
	me := of.Comm.Rank()
	r.Own = boxes[me]
	for rank, theirs := range boxes {
		near := false
		for _, b := range theirs {
			for _, o := range r.Own {
				near = near || r.meet(b, reach, o)
			}
		}
		if near && rank != me {
			r.Others = append(r.Others, Other{rank, theirs})
		}
	}
	return r
}

// meet tells whether boxes meet, one of them grown by so many nodes, across periodic faces, too.
func (s *Region) meet(b lbm.Box, by int, o lbm.Box) bool {
	for a := range s.dim {
		if !s.along(a, b.Lo[a]-by, b.Hi[a]+by, o.Lo[a], o.Hi[a]-o.Lo[a]) {
			return false
		}
	}
	return true
}

// along tells whether nodes lo ≤ i < hi of an axis, or images of theirs, are among n from a first on.
func (s *Region) along(a, lo, hi, first, n int) bool {
	if !s.flow.Periodic(a) {
		return first < hi && first+n > lo
	}
	size := s.flow.Size[a]
	if hi-lo >= size {
		return true
	}
	d := first - lo
	if d < 0 || d >= size {
		d -= floorDiv(d, size) * size
	}
	return d < hi-lo || d+n > size
}

// Node is the node nearest to a point.
func (s *Region) Node(x *geometry.Vec) (node [3]int) {
	for a := range s.dim {
		i, n := nearest(x[a]), s.flow.Size[a]
		switch {
		case i >= 0 && i < n:
		case s.flow.Periodic(a):
			i -= floorDiv(i, n) * n
		default:
			i = min(max(i, 0), n-1)
		}
		node[a] = i
	}
	return node
}

// boxAt is the box that has a node, looked for from one on.
func (s *Region) boxAt(node [3]int, from int) int {
	for k := from; ; {
		if contains(&s.Boxes[k], node, s.dim) {
			return k
		}
		if k = (k + 1) % len(s.Boxes); k == from { // a support that no box has is refused
			return k
		}
	}
}

func contains(b *lbm.Box, node [3]int, dim int) bool {
	for a := range dim {
		if node[a] < b.Lo[a] || node[a] >= b.Hi[a] {
			return false
		}
	}
	return true
}

func nearest(x float64) int {
	i := int(x + 0.5)
	if float64(i) > x+0.5 {
		i--
	}
	return i
}

// IsWithin tells whether a node is this rank's, or as near to these as told.
func (s *Region) IsWithin(node [3]int, by int) bool { return s.within(s.Own, node, by) }

// within tells whether a node is in some box, or as near as told.
func (s *Region) within(boxes []lbm.Box, node [3]int, by int) bool {
	for i := range boxes {
		b, near := &boxes[i], true
		for a := 0; a < s.dim && near; a++ {
			near = s.along(a, b.Lo[a]-by, b.Hi[a]+by, node[a], 1)
		}
		if near {
			return true
		}
	}
	return false
}

// RankAt is the rank that has the node nearest to a place. One goroutine at a time calls it.
func (s *Region) RankAt(x *geometry.Vec) int {
	s.latest = s.boxAt(s.Node(x), s.latest)
	return s.Of[s.latest]
}
