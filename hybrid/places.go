package hybrid

import (
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// CheckPlaces refuses what NewCoupling would refuse of where bodies are, at an effort that
// grows with their markers and not with the nodes around them. It leaves bodies where they
// begin. The pool is that of the coupling.
func CheckPlaces[T lbm.Float](cfg CouplingConfig, flow *lbm.Config, bodies []*rigid.Body, pool *parallel.Pool) error {
	c, err := begin[T](cfg, flow, bodies)
	if err != nil {
		return err
	}
	c.planned()
	if err := c.staysInside(); err != nil {
		return err
	}
	g := ib.Grid{Dim: c.dim, Size: c.plan.atlas.size, Periodic: c.plan.periodic}
	if _, err := ib.NewTransfer[T](cfg.Transfer, g, c.delta, pool); err != nil {
		return err
	}
	return c.besideNoSolid()
}

// CheckWeights refuses markers that NewCoupling would find no weights for. The bodies are
// those of CheckPlaces, or some of them.
func CheckWeights[T lbm.Float](cfg CouplingConfig, flow *lbm.Config, bodies []*rigid.Body) error {
	delta, err := ib.NewDelta[T](cfg.Delta)
	if err != nil {
		return err
	}
	c := &Coupling[T]{cfg: cfg, dim: flow.Lattice.Dim, flow: flow, bodies: bodies, delta: delta}
	c.planned()
	for _, b := range bodies {
		c.points = append(c.points, b.Markers.X...)
	}
	_, _, _, err = ib.ForcingWeights[T](c.plan.around(), delta, c.points, mirrors(flow)...)
	return err
}

// planned makes the plan for the bodies where they are.
func (c *Coupling[T]) planned() {
	c.plan = newPlan(c.cfg, c.flow, c.bodies, c.delta)
	for i, b := range c.bodies {
		c.plan.measure(i, b)
	}
	c.plan.make()
}

// besideNoSolid refuses bodies whose markers' supports hold solid nodes.
func (c *Coupling[T]) besideNoSolid() error {
	if c.flow.Solid == nil {
		return nil
	}
	n, count := c.delta.Support(), 1
	for range c.dim {
		count *= n
	}
	for _, b := range c.bodies {
		before := [3]int{-1 << 31}
		for _, x := range b.Markers.X {
			var first [3]int
			for a := range c.dim {
				first[a] = c.delta.First(x[a])
			}
			if first == before { // neighbours on a surface often share a cell
				continue
			}
			before = first
			for k := range count {
				node := [3]int{first[0] + k%n, first[1] + k/n%n, first[2] + k/(n*n)}
				if c.wrap(&node) && c.flow.Solid[c.flow.Node(node)] {
					return c.inSolid(b.Name, node)
				}
			}
		}
	}
	return nil
}
