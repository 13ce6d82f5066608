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
	behind  []int32 // places of those behind faces
	beside  bool    // some solid node may come to be in a support within a step

	share func(worker int) // made once
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
	if s.share == nil {
		s.share = s.findShare
	}
	s.loops.Run(len(all), s.share)
	s.At, s.Nodes, s.behind = s.At[:0], s.Nodes[:0], s.behind[:0]
	for i, at := range all {
		switch node := s.found[i]; node {
		case notThere:
			s.behind = append(s.behind, at)
		case isSolid:
			nodes := s.nodes
			x := nodes.to(int(at))
			Wrap(s.flow, &x)
			return false, inSolid(owner(s.clouds, s.flow, s.delta, x), x, s.delta)
		default:
			s.At, s.Nodes = append(s.At, at), append(s.Nodes, node)
		}
	}
	s.beside = s.flow.Solid != nil && s.moves && besideSolids(s.flow, s.Nodes)
	return true, nil
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
	nodes := s.nodes
	for i := lo; i < hi; {
		x, most := nodes.run(int(all[i]))
		n := 1
		for n < most && i+n < hi && all[i+n] == all[i]+int32(n) {
			n++
		}
		s.number(x, s.found[i:i+n])
		i += n
	}
}

// number stores the numbers that the fluid gives to nodes from x on along x.
func (s *SupportNodes) number(x [3]int, found []int32) {
	for k := 0; k < len(found); {
		p := [3]int{x[0] + k, x[1], x[2]}
		if !Wrap(s.flow, &p) {
			found[k] = notThere
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
					found[k+i] = isSolid
				}
			}
		}
		k += n
	}
}

// BesideSolids tells whether a solid node may come to be in a support within a step, of
// bodies that move.
func (s *SupportNodes) BesideSolids() bool { return s.beside }

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
