package setup

import (
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// Bulk is a case's fluid without its faces and solids, in lattice units.
func Bulk(c *casefile.Case) (lbm.Config, error) {
	u := c.Units()
	collision, err := lbm.NewCollision(c.Fluid.Collision, u.Nu, c.Fluid.Magic)
	if err != nil {
		return lbm.Config{}, c.Errorf("fluid.collision", "%v", err)
	}
	flow := lbm.Config{
		Lattice:       lbm.Lattices[c.Domain.Lattice],
		Size:          c.Domain.Nodes,
		Collision:     collision,
		Store:         Precisions[c.Fluid.Precision].Store,
		Layout:        c.Fluid.Layout,
		Block:         c.Fluid.Block,
		Storage:       c.Fluid.Storage,
		Streaming:     c.Fluid.Streaming,
		StepsPerSweep: c.Fluid.Steps,
	}
	if len(c.Refine) > 0 {
		flow.Storage = "box" // of every part
	}
	flow.Collision.Smagorinsky = c.Fluid.LES
	if law := c.Fluid.Rheology; law.Type != "" {
		flow.Collision.Rheology = lbm.Rheology{
			Zero: max(u.Nu*law.Zero/c.Reference.Viscosity, flow.Collision.Viscosity()), // equal ones may differ by rounding
			Time: law.Time / u.Dt, Exponent: law.Exponent, Transition: law.Transition, Typical: casefile.WallRate * u.Dt,
		}
	}
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

// Scheme is how the fluid is computed, nothing left open.
type Scheme struct {
	Kernel, Streaming, Storage, Layout string
	Block                              int // nodes per block of soaos; 0 in other layouts
	Steps                              int // that share a sweep over memory
}

// SchemeOf is the scheme of a fluid that was made.
func SchemeOf(made *lbm.Config) Scheme {
	s := Scheme{Kernel: made.Kernel, Streaming: made.Streaming, Storage: made.Storage, Layout: made.Layout, Steps: max(1, made.StepsPerSweep)}
	if s.Layout == "soaos" {
		if s.Block = made.Block; s.Block == 0 {
			s.Block = lbm.SoAoSBlock
		}
	}
	return s
}

// resolve finds what a flow leaves open by making a lattice of a few nodes.
func resolve[T lbm.Float](flow lbm.Config, bytes int) (Scheme, error) {
	whole := flow
	for a := range flow.Lattice.Dim {
		flow.Size[a] = min(flow.Size[a], 4)
	}
	storage, err := whole.StorageOf()
	if err != nil {
		return Scheme{}, err
	}
	flow.Faces, flow.Solid, flow.Inside, flow.Cuts, flow.Ports, flow.Storage = [6]lbm.Face{}, nil, nil, nil, nil, storage
	pool := parallel.NewPool(1)
	defer pool.Close()
	fluid, err := lbm.New[T](flow, pool)
	if err != nil {
		return Scheme{}, err
	}
	s := SchemeOf(fluid.Config())
	whole.Kernel, whole.Layout = s.Kernel, s.Layout
	s.Steps = whole.Steps(s.Streaming, bytes)
	return s, nil
}

// Resolve is the scheme that a run of the problem takes.
func (d *Domain) Resolve() (Scheme, error) {
	if d.Precision().Single {
		return resolve[float32](d.Flow, d.Precision().Stored)
	}
	return resolve[float64](d.Flow, d.Precision().Stored)
}

// BytesPerNode is what a sweep over memory, of one step or two, reads and writes for a node of the bulk.
func (d *Domain) BytesPerNode() int { return 2 * d.Flow.Lattice.Q * d.Precision().Stored }
