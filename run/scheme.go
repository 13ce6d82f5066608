package run

import (
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// bulk is a case's fluid without its faces and solids, in lattice units.
func bulk(c *casefile.Case) (lbm.Config, error) {
	u := c.Units()
	collision, err := lbm.NewCollision(c.Fluid.Collision, u.Nu, c.Fluid.Magic)
	if err != nil {
		return lbm.Config{}, c.Errorf("fluid.collision", "%v", err)
	}
	flow := lbm.Config{
		Lattice:       lbm.Lattices[c.Domain.Lattice],
		Size:          c.Domain.Nodes,
		Collision:     collision,
		Store:         precisions[c.Fluid.Precision].store,
		Layout:        c.Fluid.Layout,
		Block:         c.Fluid.Block,
		Streaming:     c.Fluid.Streaming,
		StepsPerSweep: c.Fluid.Steps,
	}
	flow.Collision.Smagorinsky = c.Fluid.LES
	constant := true
	for a, f := range c.Domain.Force {
		constant = constant && f.Constant()
		flow.Force[a] = u.ToLatticeAcceleration(f.At(0))
	}
	if !constant {
		flow.Acceleration = func(step float64) (force [3]float64) {
			for a, f := range c.Domain.Force {
				force[a] = u.ToLatticeAcceleration(f.At(step * u.Dt))
			}
			return force
		}
	}
	return flow, nil
}

// scheme is how the fluid is computed, nothing left open.
type scheme struct {
	kernel, streaming, layout string
	block                     int // nodes per block of soaos; 0 in other layouts
}

// schemeOf is the scheme of a fluid that was made.
func schemeOf(made *lbm.Config) scheme {
	s := scheme{kernel: made.Kernel, streaming: made.Streaming, layout: made.Layout}
	if s.layout == "soaos" {
		if s.block = made.Block; s.block == 0 {
			s.block = lbm.SoAoSBlock
		}
	}
	return s
}

// resolve finds what a flow leaves open by making a lattice of a few nodes.
func resolve[T lbm.Float](flow lbm.Config) (scheme, error) {
	for a := range flow.Lattice.Dim {
		flow.Size[a] = min(flow.Size[a], 4)
	}
	flow.Faces, flow.Solid = [6]lbm.Face{}, nil
	pool := parallel.NewPool(1)
	defer pool.Close()
	fluid, err := lbm.New[T](flow, pool)
	if err != nil {
		return scheme{}, err
	}
	return schemeOf(fluid.Config()), nil
}

// resolve is the scheme that a run of the problem takes.
func (p *problem) resolve() (scheme, error) {
	if p.precision().single {
		return resolve[float32](p.flow)
	}
	return resolve[float64](p.flow)
}

// bytesPerNode is what a step reads and writes for a node of the bulk.
func (p *problem) bytesPerNode() int { return 2 * p.flow.Lattice.Q * p.precision().stored }
