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

// run is the node of the domain that a node of the window stands for, and how many nodes from it on lie in the same
// row of the same box.
func (w *walk) run(at int) (node [3]int, n int) {
	node = w.to(at)
	x, end := at-w.line*w.window.Size[0], w.window.Size[0]
	if w.box < w.last {
		end = w.of.boxes[w.box+1].at[0]
	}
	return node, end - x
}

// along is the node of the domain that the first of some nodes of the window, ascending, stands for, and how many from it on follow each other in the same row
// of the same box.
func (w *walk) along(all []int32) (node [3]int, n int) {
	node, most := w.run(int(all[0]))
	for n = 1; n < min(most, len(all)) && all[n] == all[0]+int32(n); n++ {
	}
	return node, n
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

// owner is the name of the body whose markers' supports hold a node.
func owner(clouds []Cloud, flow *lbm.Config, delta ib.Stencil, p [3]int) string {
	for _, c := range clouds {
		for _, x := range c.X {
			holds := true
			for a := range flow.Lattice.Dim {
				first, n := delta.First(x[a]), flow.Size[a]
				i := p[a] - first
				if flow.Periodic(a) {
					i = (i%n + n) % n
				}
				holds = holds && i >= 0 && i < delta.Support()
			}
			if holds {
				return c.Body
			}
		}
	}
	return ""
}

// besideSolids tells whether a solid node is next to the support.
func besideSolids(flow *lbm.Config, nodes []int32) bool {
	nx, plane, solid := flow.Size[0], flow.Size[0]*flow.Size[1], flow.Solid
	for _, n := range nodes {
		p := flow.Position(int(n))
		if !within(flow, p) {
			if besideSolidsAtEnd(flow, p) {
				return true
			}
			continue
		}
		for k := -1; k <= 1; k++ {
			for j := -1; j <= 1; j++ {
				at := int(n) + j*nx + k*plane
				if flow.Lattice.Dim == 2 {
					at = int(n) + j*nx
				}
				if solid[at-1] || solid[at] || solid[at+1] {
					return true
				}
			}
		}
	}
	return false
}

// within tells whether a node has neighbours all around.
func within(flow *lbm.Config, p [3]int) bool {
	for a := range flow.Lattice.Dim {
		if p[a] < 1 || p[a] > flow.Size[a]-2 {
			return false
		}
	}
	return true
}

// besideSolidsAtEnd tells so of a node at an end of the domain.
func besideSolidsAtEnd(flow *lbm.Config, p [3]int) bool {
	for i := range 27 {
		q := p
		for a, d := range [3]int{i%3 - 1, i/3%3 - 1, i/9 - 1} {
			if q[a] += d; flow.Periodic(a) {
				q[a] = (q[a] + flow.Size[a]) % flow.Size[a]
			}
		}
		if exists(flow, q) && flow.Solid[flow.Node(q)] {
			return true
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
func besideNoSolid(clouds []Cloud, flow *lbm.Config, delta ib.Stencil) error {
	if flow.Solid == nil {
		return nil
	}
	n, count := delta.Support(), 1
	for range flow.Lattice.Dim {
		count *= n
	}
	for _, c := range clouds {
		before := [3]int{-1 << 31}
		for _, x := range c.X {
			var first [3]int
			for a := range flow.Lattice.Dim {
				first[a] = delta.First(x[a])
			}
			if first == before { // neighbours on a surface often share a cell
				continue
			}
			before = first
			for k := range count {
				node := [3]int{first[0] + k%n, first[1] + k/n%n, first[2] + k/(n*n)}
				if Wrap(flow, &node) && flow.Solid[flow.Node(node)] {
					return inSolid(c.Body, node, delta)
				}
			}
		}
	}
	return nil
}
