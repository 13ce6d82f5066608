package patch

import (
	"fmt"

	"lbmib/ib"
	"lbmib/internal/parallel"
)

// findSupport lists the support nodes in both numberings, if they or the layout have
// changed. Those behind faces are ghosts.
func (w *Window[T]) findSupport(changed bool) error {
	other, err := w.support.Rebuild(w.Grid, w.delta, w.placed)
	if err != nil || !other && !changed {
		return err
	}
	w.Supports++
	all := w.support.Nodes()
	w.found = grownTo(w.found, len(all))
	w.loops.Run(len(all), w.find)
	w.At, w.Nodes = w.At[:0], w.Nodes[:0]
	w.ghosts.forget()
	nodes := walk{of: &w.layout.packing, window: &w.Grid, line: -1}
	for i, at := range all {
		switch node := w.found[i]; node {
		case notThere:
			w.ghosts.add(at, nodes.to(int(at)), &w.Grid)
		case isSolid:
			x := nodes.to(int(at))
			Wrap(w.flow, &x)
			return inSolid(owner(w.clouds, w.flow, w.delta, x), x, w.delta)
		default:
			w.At, w.Nodes = append(w.At, at), append(w.Nodes, node)
		}
	}
	w.dropStrays()
	w.beside = w.flow.Solid != nil && w.moves && besideSolids(w.flow, w.Nodes)
	return nil
}

// inSolid refuses a body of whose markers' supports a node is solid.
func inSolid(body string, node [3]int, delta ib.Stencil) error {
	return fmt.Errorf("the support of the markers of body %q holds the solid node %v: keep bodies at least %d nodes away from solids, which do not repel them", body, node, delta.Support())
}

// What a support node is where it is no node of the fluid.
const notThere, isSolid = -1, -2

// findShare finds the numbers that the fluid gives to a worker's share of the support nodes.
func (w *Window[T]) findShare(worker, workers int) {
	all := w.support.Nodes()
	lo, hi := parallel.Share(len(all), worker, workers)
	nodes := walk{of: &w.layout.packing, window: &w.Grid, line: -1}
	for i := lo; i < hi; i++ {
		x := nodes.to(int(all[i]))
		if !Wrap(w.flow, &x) {
			w.found[i] = notThere
			continue
		}
		node := w.flow.Node(x)
		w.found[i] = int32(node)
		if w.flow.Solid != nil && w.flow.Solid[node] {
			w.found[i] = isSolid
		}
	}
}
