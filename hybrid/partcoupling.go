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
		c.nodes = c.nodes[:0]
		for _, n := range p.Nodes {
			own := c.number(n)
			if own < 0 {
				return errors.New("a device makes the corrections in one grid, which a body has left")
			}
			c.nodes = append(c.nodes, own)
		}
	}
	c.place = *p
	c.place.Nodes = c.nodes
	return c.DeviceCoupling.Place(&c.place)
}

// OpenMarkerSums refuses nodes that another part has: the host then reads all.
func (c *partCoupling[T]) OpenMarkerSums(terms MarkerSumsTerms) error {
	c.seen = c.seen[:0]
	for _, n := range terms.Nodes {
		own := c.number(n)
		if own < 0 {
			return errors.New("velocities of several grids are asked for")
		}
		c.seen = append(c.seen, own)
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
