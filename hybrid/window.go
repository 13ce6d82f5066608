package hybrid

import (
	"fmt"

	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// place makes the plan, window and markers those of the bodies' places, and lists the
// support nodes. A support that leaves the domain is refused, but for walls and planes of
// symmetry: see ghosts.
func (c *Coupling[T]) place() error {
	c.share(len(c.points), c.phases.measure)
	changed := c.plan.make()
	if changed && c.plan.isExact() {
		c.share(len(c.points), c.phases.measure)
		c.plan.make()
	}
	if err := c.staysInside(); err != nil {
		return err
	}
	if changed {
		if err := c.setWindow(); err != nil {
			return err
		}
	}
	c.share(len(c.points), c.phases.put)
	if err := c.transfer.SetPoints(c.placed); err != nil {
		return err
	}
	return c.findSupport(changed)
}

// staysInside refuses bodies whose supports, as the plan has measured them, leave the domain.
func (c *Coupling[T]) staysInside() error {
	for i, b := range c.bodies {
		for a := range c.dim {
			if err := c.leaves(b, a, c.plan.need[i].lo[a], c.plan.need[i].hi[a]); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaves refuses a body whose markers' supports are the nodes lo … hi−1 along an
// axis.
func (c *Coupling[T]) leaves(b *rigid.Body, a, lo, hi int) error {
	if c.fits(b, a, 0) {
		return nil
	}
	return fmt.Errorf("body %q: its markers need nodes %d..%d along %s with delta %s, the domain has 0..%d: enlarge domain.size, move the body inwards or make the face periodic",
		b.Name, lo, hi-1, "xyz"[a:a+1], c.delta.Name(), c.flow.Size[a]-1)
}

// fits tells whether a body's markers, and some more around them, have their supports
// in the domain along an axis, or, at walls and planes of symmetry, are in it.
func (c *Coupling[T]) fits(b *rigid.Body, a int, more float64) bool {
	if c.flow.Periodic(a) {
		return true
	}
	n, low, high := c.flow.Size[a], c.flow.Faces[2*a].Kind, c.flow.Faces[2*a+1].Kind
	least, most := b.Extent(a)
	least, most = least-more, most+more
	below := c.delta.First(least) >= 0 || low.IsWall() && least >= -0.5
	above := c.delta.First(most)+c.delta.Support() <= n || high.IsWall() && most <= float64(n)-0.5
	return below && above
}

// setWindow makes a window that the plan fits, with fields and a transfer for it, if the
// one at hand does not. Its axes stay as long as they have been needed before, unless that
// becomes too much: bodies that move would have it made again and again.
func (c *Coupling[T]) setWindow() (err error) {
	p := &c.plan.atlas
	g := ib.Grid{Dim: c.dim, Size: p.size, Periodic: c.plan.periodic}
	fits := c.transfer != nil && c.window.Periodic == g.Periodic
	for a := range c.dim {
		if !g.Periodic[a] && c.transfer != nil && !c.window.Periodic[a] {
			g.Size[a] = max(g.Size[a], c.window.Size[a])
		}
	}
	if g.Nodes() > max(leastRoom, mostRoom*p.nodes()) {
		g.Size = p.size
	}
	if fits && g.Size == c.window.Size {
		return nil
	}
	if c.transfer, err = ib.NewTransfer[T](c.cfg.Transfer, g, c.delta, c.pool, ib.Kernel(c.cfg.Kernel)); err != nil {
		return err
	}
	c.window = g
	c.windows++
	n := g.Nodes()
	c.moments = resized(c.moments, 1+c.dim, n)
	for i := range c.moments[0] {
		c.moments[0][i] = 1 // before the first step
	}
	c.fluid, c.force = resized(c.fluid, c.dim, n), resized(c.force, c.dim, n)
	if c.system.Moves() {
		c.unit = resized(c.unit, 1, n)
	}
	return nil
}

// A window may be mostRoom times as large as the plan needs, or have leastRoom nodes.
const mostRoom, leastRoom = 4, 1 << 16

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

// findSupport lists the support nodes in both numberings, if they or the plan have
// changed. Those behind faces are ghosts.
func (c *Coupling[T]) findSupport(changed bool) error {
	other, err := c.support.Rebuild(c.window, c.delta, c.placed)
	if err != nil || !other && !changed {
		return err
	}
	c.supports++
	all := c.support.Nodes()
	c.found = grownTo(c.found, len(all))
	c.share(len(all), c.phases.find)
	c.at, c.nodes = c.at[:0], c.nodes[:0]
	c.ghosts.clear()
	w := walk{of: &c.plan.atlas, window: &c.window, line: -1}
	for i, at := range all {
		switch node := c.found[i]; node {
		case notThere:
			c.addGhost(at, w.to(int(at)))
		case isSolid:
			x := w.to(int(at))
			c.wrap(&x)
			return c.inSolid(c.whose(x), x)
		default:
			c.at, c.nodes = append(c.at, at), append(c.nodes, node)
		}
	}
	c.dropStrays()
	c.beside = c.flow.Solid != nil && c.system.Moves() && c.besideSolids()
	return nil
}

// inSolid refuses a body of whose markers' supports a node is solid.
func (c *Coupling[T]) inSolid(body string, node [3]int) error {
	return fmt.Errorf("the support of the markers of body %q holds the solid node %v: keep bodies at least %d nodes away from solids, which do not repel them", body, node, c.delta.Support())
}

// What a support node is where it is no node of the fluid.
const notThere, isSolid = -1, -2

// findShare finds the numbers that the fluid gives to a worker's share of the support nodes.
func (c *Coupling[T]) findShare(worker, workers int) {
	all := c.support.Nodes()
	lo, hi := parallel.Share(len(all), worker, workers)
	w := walk{of: &c.plan.atlas, window: &c.window, line: -1}
	for i := lo; i < hi; i++ {
		x := w.to(int(all[i]))
		if !c.wrap(&x) {
			c.found[i] = notThere
			continue
		}
		node := c.flow.Node(x)
		c.found[i] = int32(node)
		if c.flow.Solid != nil && c.flow.Solid[node] {
			c.found[i] = isSolid
		}
	}
}

// walk goes through nodes of a window in ascending order.
type walk struct {
	of     *atlas
	window *ib.Grid
	line   int // the row of nodes along x at hand
	y, z   int
	box    int // that holds the node, or begins before it
	last   int // of the row of boxes
}

// to is the node of the domain that a node in some box stands for.
func (w *walk) to(at int) [3]int {
	n := &w.window.Size
	line := at / n[0]
	x := at - line*n[0]
	if line != w.line {
		w.line, w.y, w.z = line, line%n[1], line/n[1]
		row := &w.of.rows[w.of.row(w.y, w.z)]
		w.box, w.last = row.first, row.last-1
	}
	for w.box < w.last && x >= w.of.boxes[w.box+1].at[0] {
		w.box++
	}
	b := &w.of.boxes[w.box]
	return [3]int{x - b.at[0] + b.lo[0], w.y - b.at[1] + b.lo[1], w.z - b.at[2] + b.lo[2]}
}

// wrap moves a node into the domain along periodic axes, and tells whether it exists.
func (c *Coupling[T]) wrap(p *[3]int) bool {
	for a, i := range p {
		n := c.flow.Size[a]
		if i >= 0 && i < n {
			continue
		}
		if !c.flow.Periodic(a) {
			return false
		}
		p[a] = i - floorDiv(i, n)*n
	}
	return true
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
				if c.flow.Periodic(a) {
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

// besideSolids tells whether a solid node is next to the support.
func (c *Coupling[T]) besideSolids() bool {
	for _, n := range c.nodes {
		p := c.flow.Position(int(n))
		for i := range 27 {
			q := p
			for a, d := range [3]int{i%3 - 1, i/3%3 - 1, i/9 - 1} {
				if q[a] += d; c.flow.Periodic(a) {
					q[a] = (q[a] + c.flow.Size[a]) % c.flow.Size[a]
				}
			}
			if c.exists(q) && c.flow.Solid[c.flow.Node(q)] {
				return true
			}
		}
	}
	return false
}
