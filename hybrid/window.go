package hybrid

import (
	"fmt"
	"math"

	"lbmib/ib"
	"lbmib/lbm"
)

// slack is how many nodes wider than needed the window around moving bodies is
// made, so that it need not follow them in every step.
const slack = 8

// box is the smallest box of nodes that holds all supports: along a periodic axis
// that a support crosses the end of it is the whole axis. It is refused where a
// support leaves the domain, but for walls and planes of symmetry, behind which there
// is nothing to push.
func (c *Coupling[T]) box() (lo, hi [3]int, periodic [3]bool, err error) {
	lo, hi = [3]int{math.MaxInt, math.MaxInt, 0}, [3]int{math.MinInt, math.MinInt, 1}
	if c.dim == 3 {
		lo[2], hi[2] = math.MaxInt, math.MinInt
	}
	for _, b := range c.bodies {
		l, h := b.supportBox(c.delta.First, c.delta.Support(), c.dim)
		for a := range c.dim {
			if err := c.leaves(b, a, l[a], h[a]); err != nil {
				return lo, hi, periodic, err
			}
			lo[a], hi[a] = min(lo[a], l[a]), max(hi[a], h[a])
		}
	}
	for a := range c.dim {
		if n := c.flow.Size[a]; (lo[a] < 0 || hi[a] > n) && c.flow.Faces[2*a].Kind == lbm.Periodic {
			lo[a], hi[a], periodic[a] = 0, n, true
		}
	}
	return lo, hi, periodic, nil
}

// leaves refuses a body whose markers' supports are the nodes lo … hi−1 along an
// axis.
func (c *Coupling[T]) leaves(b *Body, a, lo, hi int) error {
	if c.fits(b, a, 0) {
		return nil
	}
	return fmt.Errorf("body %q: its markers need nodes %d..%d along %s with delta %s, the domain has 0..%d: enlarge domain.size, move the body inwards or make the face periodic",
		b.Name, lo, hi-1, "xyz"[a:a+1], c.delta.Name(), c.flow.Size[a]-1)
}

// fits tells whether a body's markers, and some more around them, have their supports
// in the domain along an axis, or, at walls and planes of symmetry, are in it.
func (c *Coupling[T]) fits(b *Body, a int, more float64) bool {
	n, faces := c.flow.Size[a], c.flow.Faces[2*a:2*a+2]
	if faces[0].Kind == lbm.Periodic {
		return true
	}
	solid := func(f lbm.Face) bool {
		return f.Kind == lbm.NoSlip || f.Kind == lbm.MovingWall || f.Kind == lbm.FreeSlip || f.Kind == lbm.Symmetry
	}
	least, most := b.extent(a)
	least, most = least-more, most+more
	below := c.delta.First(least) >= 0 || solid(faces[0]) && least >= -0.5
	above := c.delta.First(most)+c.delta.Support() <= n || solid(faces[1]) && most <= float64(n)-0.5
	return below && above
}

// setWindow makes a window that holds all supports, with fields and a transfer for
// it.
func (c *Coupling[T]) setWindow() error {
	lo, hi, periodic, err := c.box()
	if err != nil {
		return err
	}
	g := ib.Grid{Dim: c.dim, Size: [3]int{1, 1, 1}, Periodic: periodic}
	for a := range c.dim {
		if c.moves && !periodic[a] {
			lo[a], hi[a] = max(lo[a]-slack, min(lo[a], 0)), min(hi[a]+slack, max(hi[a], c.flow.Size[a]))
		}
		g.Size[a], g.Offset[a] = hi[a]-lo[a], float64(lo[a])
	}
	c.window = g
	c.windows++
	if c.transfer, err = ib.NewTransfer[T](c.cfg.Transfer, g, c.delta, c.pool, ib.Kernel(c.cfg.Kernel)); err != nil {
		return err
	}
	n := g.Nodes()
	c.moments = resized(c.moments, 1+c.dim, n)
	for i := range c.moments[0] {
		c.moments[0][i] = 1 // before the first step, and behind walls
	}
	c.fluid, c.force = resized(c.fluid, c.dim, n), resized(c.force, c.dim, n)
	if c.moves {
		c.unit = resized(c.unit, 1, n)
	}
	return c.transfer.SetPoints(c.points)
}

// resized are fields of n zeros, in the same memory where it suffices.
func resized[T lbm.Float](f [][]T, components, n int) [][]T {
	if len(f) != components || cap(f[0]) < n {
		return fields[T](components, n)
	}
	for i := range f {
		f[i] = f[i][:n]
		clear(f[i])
	}
	return f
}

// inWindow tells whether the window holds a box of nodes.
func (c *Coupling[T]) inWindow(lo, hi [3]int, periodic [3]bool) bool {
	for a := range c.dim {
		from := int(c.window.Offset[a])
		if periodic[a] != c.window.Periodic[a] || lo[a] < from || hi[a] > from+c.window.Size[a] {
			return false
		}
	}
	return true
}

// findSupport lists the support nodes in both numberings, if they have changed.
// Those behind walls are left out.
func (c *Coupling[T]) findSupport() error {
	changed, err := c.support.Rebuild(c.window, c.delta, c.points)
	if err != nil || !changed {
		return err
	}
	c.supports++
	c.at, c.nodes = c.at[:0], c.nodes[:0]
	for _, at := range c.support.Nodes() {
		w, p := int(at), [3]int{}
		for a := range p {
			p[a] = w%c.window.Size[a] + int(c.window.Offset[a])
			w /= c.window.Size[a]
		}
		if !c.exists(p) {
			continue
		}
		node := c.flow.Node(p)
		if c.flow.Solid != nil && c.flow.Solid[node] {
			return fmt.Errorf("the support of the markers of body %q holds the solid node %v: keep bodies at least %d nodes away from solids, which do not repel them", c.whose(p), p, c.delta.Support())
		}
		c.at, c.nodes = append(c.at, at), append(c.nodes, int32(node))
	}
	c.beside = c.flow.Solid != nil && c.moves && c.besideSolids()
	return nil
}

func (c *Coupling[T]) exists(p [3]int) bool {
	for a, i := range p {
		if i < 0 || i >= c.flow.Size[a] {
			return false
		}
	}
	return true
}

// whose is the name of the body whose markers' supports hold a node.
func (c *Coupling[T]) whose(p [3]int) string {
	for _, b := range c.bodies {
		for _, x := range b.Markers.X {
			holds := true
			for a := range c.dim {
				first, n := c.delta.First(x[a]), c.flow.Size[a]
				i := p[a] - first
				if c.flow.Faces[2*a].Kind == lbm.Periodic {
					i = (i%n + n) % n
				}
				holds = holds && i >= 0 && i < c.delta.Support()
			}
			if holds {
				return b.Name
			}
		}
	}
	return ""
}
