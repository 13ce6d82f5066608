package patch

import (
	"lbmib/ib"
	"lbmib/lbm"
)

// walk goes through nodes of a window in ascending order.
type walk struct {
	of     *packing
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
		row := &w.of.rows[w.of.rowOf(w.y, w.z)]
		w.box, w.last = row.first, row.last-1
	}
	for w.box < w.last && x >= w.of.boxes[w.box+1].at[0] {
		w.box++
	}
	b := &w.of.boxes[w.box]
	return [3]int{x - b.at[0] + b.lo[0], w.y - b.at[1] + b.lo[1], w.z - b.at[2] + b.lo[2]}
}

// Wrap moves a node into the domain along periodic axes, and tells whether it exists.
func Wrap(flow *lbm.Config, p *[3]int) bool {
	for a, i := range p {
		n := flow.Size[a]
		if i >= 0 && i < n {
			continue
		}
		if !flow.Periodic(a) {
			return false
		}
		p[a] = i - floorDiv(i, n)*n
	}
	return true
}

// whose is the name of the body whose markers' supports hold a node.
func (w *Window[T]) whose(p [3]int) string {
	for _, c := range w.clouds {
		for _, x := range c.X {
			holds := true
			for a := range w.dim {
				first, n := w.delta.First(x[a]), w.flow.Size[a]
				i := p[a] - first
				if w.flow.Periodic(a) {
					i = (i%n + n) % n
				}
				holds = holds && i >= 0 && i < w.delta.Support()
			}
			if holds {
				return c.Body
			}
		}
	}
	return ""
}

// BesideSolids tells whether a solid node may come to be in a support within a step, of
// bodies that move.
func (w *Window[T]) BesideSolids() bool { return w.beside }

// besideSolids tells whether a solid node is next to the support.
func (w *Window[T]) besideSolids() bool {
	for _, n := range w.Nodes {
		p := w.flow.Position(int(n))
		for i := range 27 {
			q := p
			for a, d := range [3]int{i%3 - 1, i/3%3 - 1, i/9 - 1} {
				if q[a] += d; w.flow.Periodic(a) {
					q[a] = (q[a] + w.flow.Size[a]) % w.flow.Size[a]
				}
			}
			if exists(w.flow, q) && w.flow.Solid[w.flow.Node(q)] {
				return true
			}
		}
	}
	return false
}

func exists(flow *lbm.Config, p [3]int) bool {
	for a, i := range p {
		if i < 0 || i >= flow.Size[a] {
			return false
		}
	}
	return true
}

// besideNoSolid refuses bodies whose markers' supports hold solid nodes.
func (w *Window[T]) besideNoSolid() error {
	if w.flow.Solid == nil {
		return nil
	}
	n, count := w.delta.Support(), 1
	for range w.dim {
		count *= n
	}
	for _, c := range w.clouds {
		before := [3]int{-1 << 31}
		for _, x := range c.X {
			var first [3]int
			for a := range w.dim {
				first[a] = w.delta.First(x[a])
			}
			if first == before { // neighbours on a surface often share a cell
				continue
			}
			before = first
			for k := range count {
				node := [3]int{first[0] + k%n, first[1] + k/n%n, first[2] + k/(n*n)}
				if Wrap(w.flow, &node) && w.flow.Solid[w.flow.Node(node)] {
					return w.inSolid(c.Body, node)
				}
			}
		}
	}
	return nil
}
