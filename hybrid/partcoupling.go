package hybrid

import (
	"errors"

	"lbmib/lbm"
)

// partCoupling is a coupling of the part of a fluid that all bodies are in, the finest of nested grids: the part numbers nodes in another way.
// All else is told in nodes of a window around the bodies, or as places in the domain.
type partCoupling[T lbm.Float] struct {
	DeviceCoupling[T] // of the part
	number            func(node int32) int32

	place       Placement[T]
	request     MarkerSumsRequest
	nodes, seen []int32 // of the support, and those watched
}

// NewPartCoupling is the coupling of a fluid whose bodies lie in one part of it, of what that part's device does. number is the part's number of a
// node of the fluid, −1 of one that it does not have.
func NewPartCoupling[T lbm.Float](of DeviceCoupling[T], number func(node int32) int32) DeviceCoupling[T] {
	return &partCoupling[T]{DeviceCoupling: of, number: number}
}

// Place tells the part where the markers are.
func (c *partCoupling[T]) Place(p *Placement[T]) error {
	if p.NewSupport || len(c.nodes) != len(p.Nodes) {
		var all bool
		if c.nodes, all = c.appendOwn(c.nodes[:0], p.Nodes); !all {
			return errors.New("a device makes the corrections in one grid, which a body has left")
		}
	}
	c.place = *p
	c.place.Nodes = c.nodes
	return c.DeviceCoupling.Place(&c.place)
}

// appendOwn appends the part's numbers of nodes, up to one that it does not have: then not all are there.
func (c *partCoupling[T]) appendOwn(to, nodes []int32) (own []int32, all bool) {
	for _, n := range nodes {
		k := c.number(n)
		if k < 0 {
			return to, false
		}
		to = append(to, k)
	}
	return to, true
}

// OpenMarkerSums refuses nodes that another part has: the host then reads all.
func (c *partCoupling[T]) OpenMarkerSums(terms MarkerSumsTerms) error {
	var all bool
	if c.seen, all = c.appendOwn(c.seen[:0], terms.Nodes); !all {
		return errors.New("velocities of several grids are asked for")
	}
	terms.Nodes = c.seen
	return c.DeviceCoupling.OpenMarkerSums(terms)
}

// MarkerSums requests sums, and velocities of the nodes that have been told to be watched.
func (c *partCoupling[T]) MarkerSums(r *MarkerSumsRequest) lbm.Pending[*MarkerSums] {
	c.request = *r
	c.request.Nodes = c.seen
	return c.DeviceCoupling.MarkerSums(&c.request)
}
