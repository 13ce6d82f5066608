package hybrid

import (
	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// points are the points at which bodies and fluid act on each other, and what both do there:
// all markers, body by body, and after them places inside bodies.
type points[T lbm.Float] struct {
	cfg    CouplingConfig
	dim    int
	flow   *lbm.Config
	loops  parallel.Loops
	bodies []*rigid.Body
	delta  ib.Delta[T]
	window *patch.Window[T]

	at      []geometry.Vec // where they are
	placed  []geometry.Vec // the same in the window
	surface int            // of them: markers
	felt    [][]T          // of each: the fluid's ρ and Û
	push    [][]T          // of each: force on the fluid, weighted
}

// overBodies is a loop over the bodies that workers share.
func (c *points[T]) overBodies(do func(i int, b *rigid.Body)) func(worker int) {
	n := c.loops.Workers()
	return func(w int) {
		for i := w; i < len(c.bodies); i += n {
			do(i, c.bodies[i])
		}
	}
}

// overPoints is a loop over the points that workers share: of the points lo ≤ k < hi each.
func (c *points[T]) overPoints(do func(worker, lo, hi int)) func(worker int) {
	n := c.loops.Workers()
	return func(w int) {
		lo, hi := parallel.Share(len(c.at), w, n)
		do(w, lo, hi)
	}
}
