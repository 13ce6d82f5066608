package patch

import (
	"cmp"
	"fmt"
	"slices"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// SupportNodes are the nodes of a window that points reach, but those behind faces of the
// domain, which are GhostNodes.
type SupportNodes struct {
	Nodes, At []int32 // as the fluid numbers them, and as the grid does, ascending
	Supports  int     // found so far

	flow    *lbm.Config
	delta   ib.Stencil
	clouds  []Cloud
	moves   bool // some body does
	loops   parallel.Loops
	nodes   walk // through nodes of the window, before it has begun
	support ib.Support
	found   []int32 // of all nodes of the support: as the fluid numbers them
	others  []bool  // of each worker: its share has some that are no nodes of the fluid
	behind  []int32 // places of those behind faces
	beside  bool    // some solid node may come to be in a support within a step, of the nodes found
	looked  int     // number of the support that beside is of
	share   nodesOf // of a rank; nil: this process has all nodes

	number, sort func(worker int) // made once
}

// find lists the nodes in both numberings, if those that points at these places reach are
// others or the layout has changed, and tells whether it has.
func (s *SupportNodes) find(placed []geometry.Vec, changed bool) (bool, error) {
	other, err := s.support.Rebuild(*s.nodes.window, s.delta, placed)
	if err != nil || !other && !changed {
		return false, err
	}
	s.Supports++
	all := s.support.Nodes()
	s.found = grownTo(s.found, len(all))
	if s.number == nil {
		s.number, s.others = s.findShare, make([]bool, s.loops.Workers())
		s.sort = func(worker int) { s.share.sortNodes(s, worker) }
	}
	s.loops.Run(len(all), s.number)
	if s.share != nil {
		s.loops.Run(len(all), s.sort)
		if at := s.share.listNodes(s); at >= 0 {
			return false, s.inSolid(at)
		}
	} else if err := s.list(all); err != nil {
		return false, err
	}
	return true, nil
}

// list makes the lists those of the nodes found.
func (s *SupportNodes) list(all []int32) error {
	s.At, s.Nodes, s.behind = grownTo(s.At, len(all)), grownTo(s.Nodes, len(all)), s.behind[:0]
	if !slices.Contains(s.others, true) {
		copy(s.At, all)
		s.Nodes, s.found = s.found, s.Nodes
		return nil
	}
	s.At, s.Nodes = s.At[:0], s.Nodes[:0]
	for i, at := range all {
		switch node := s.found[i]; node {
		case notThere:
			s.behind = append(s.behind, at)
		case isSolid:
			return s.inSolid(at)
		default:
			s.At, s.Nodes = append(s.At, at), append(s.Nodes, node)
		}
	}
	return nil
}

// inSolid refuses the body of whose markers' supports the node at a place of the window is solid.
func (s *SupportNodes) inSolid(at int32) error {
	nodes := s.nodes
	x := nodes.to(int(at))
	Wrap(s.flow, &x)
	return inSolid(owner(s.clouds, s.flow, s.delta, x), x, s.delta)
}

// hold tells whether a node that stands at a place of the window is read or written by this process.
func (s *SupportNodes) hold(at int32) bool {
	all := s.At
	if s.share != nil { // neighbours have some
		all = s.support.Nodes()
	}
	_, found := slices.BinarySearch(all, at)
	return found
}

// inSolid refuses a body of whose markers' supports a node is solid.
func inSolid(body string, node [3]int, delta ib.Stencil) error {
	return fmt.Errorf("the support of the markers of body %q holds the solid node %v: keep bodies at least %d nodes away from solids, which repel elastic ones alone, by ib.contact", body, node, delta.Support())
}

// What a support node is where it is no node of the fluid.
const notThere, isSolid = -1, -2

// findShare finds the numbers that the fluid gives to a worker's share of the support nodes.
func (s *SupportNodes) findShare(worker int) {
	all := s.support.Nodes()
	lo, hi := parallel.Share(len(all), worker, s.loops.Workers())
	nodes, others := s.nodes, false
	for i := lo; i < hi; {
		x, n := nodes.along(all[i:hi])
		others = s.numbers(x, s.found[i:i+n]) || others
		i += n
	}
	s.others[worker] = others
}

// numbers stores the numbers that the fluid gives to nodes from x on along x, and tells whether it gives none to some.
func (s *SupportNodes) numbers(x [3]int, found []int32) (others bool) {
	for k := 0; k < len(found); {
		p := [3]int{x[0] + k, x[1], x[2]}
		if !Wrap(s.flow, &p) {
			found[k], others = notThere, true
			k++
			continue
		}
		node := s.flow.Node(p)
		n := min(len(found)-k, s.flow.Size[0]-p[0])
		for i := range n {
			found[k+i] = int32(node + i)
		}
		if s.flow.Solid != nil {
			for i := range n {
				if s.flow.Solid[node+i] {
					found[k+i], others = isSolid, true
				}
			}
		}
		k += n
	}
	return others
}

// Reached are the nodes of the fluid that points reach which this process works on, as far as somebody has to look whether forces can act there.
func (s *SupportNodes) Reached() []int32 {
	if s.share == nil || s.share.tiles() {
		return s.Nodes
	}
	var all []int32
	for _, node := range s.found {
		if node >= 0 {
			all = append(all, node)
		}
	}
	return all
}

// BesideSolids tells whether a solid node may come to be in a support within a step, of
// bodies that move.
func (s *SupportNodes) BesideSolids() bool {
	if s.looked != s.Supports {
		s.beside, s.looked = s.flow.Solid != nil && s.moves && besideSolids(s.flow, s.Nodes), s.Supports
	}
	return s.beside
}

// Order is the nodes by their numbers in the fluid, which do not depend on the layout:
// places in Nodes.
func (s *SupportNodes) Order() []int32 {
	order := make([]int32, len(s.Nodes))
	for i := range order {
		order[i] = int32(i)
	}
	if !slices.IsSorted(s.Nodes) {
		slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(s.Nodes[i], s.Nodes[j]) })
	}
	return order
}
