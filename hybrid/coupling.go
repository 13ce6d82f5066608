package hybrid

import (
	"fmt"

	"lbmib/hybrid/flexible"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/ib/ellipsoid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// CouplingConfig says how bodies act on the fluid.
type CouplingConfig struct {
	Delta      string // regularised delta
	Transfer   string // strategy of interpolation and spreading
	Kernel     string // its innermost loops; empty: the fastest that the CPU has
	Forcing    string // direct | multidirect
	Iterations int    // multidirect: at most
	Tolerance  float64
	Contact    rigid.Contact
	Cells      []*flexible.Cell  // bodies that bend; each is in one coupling
	Feed       *Feed             // cells enter and leave; nil: they do not
	Ellipsoids *ellipsoid.System // suspended, without other bodies; nil: none. Delta is theirs
	ranks      *patch.Share      // that share the bodies; nil: one process has them
	Offset     float64           // nodes by which the delta smears a wall where there are no eddies, and membranes: ib.Offset, or 0 to let it
}

// Coupling makes the fluid move with the markers of bodies: see correct for the algorithm and
// directForcing for the forces. It works on fields of the nodes that supports need: see
// patch.Window.
type Coupling[T lbm.Float] struct {
	*points[T]
	system  *rigid.System
	direct  *directForcing[T]
	cells   *cellForces[T] // nil: there are none
	soft    *softContact   // of cells and structures; nil: none
	sharing *sharing[T]    // with other ranks; nil: this process has all
	forces  []forcing[T]   // in the order in which they act

	place func(worker int) // a loop over bodies: markers to where they are

	partial  lbm.Partial // what knows on which nodes forces can act; nil: on all
	supports int         // number of the support that was found to be on these

	within  bodySums // the fluid inside freely moving bodies
	insides lbm.Pending[*lbm.Sums]
	failure error // a force that is not finite, a body where it cannot be
}

// NewCoupling couples bodies with a fluid of the given configuration. Bodies
// whose markers' supports leave the domain or touch solid nodes are refused, and
// so are markers whose weights could let slip grow.
func NewCoupling[T lbm.Float](cfg CouplingConfig, flow *lbm.Config, bodies []*rigid.Body, pool *parallel.Pool) (*Coupling[T], error) {
	c, err := begin[T](cfg, flow, bodies)
	if err != nil {
		return nil, err
	}
	c.loops = parallel.Loops{Pool: pool}
	c.surface = c.system.Markers()
	c.direct = &directForcing[T]{points: c.points}
	c.direct.count = c.surface + c.direct.findDamped()
	n := c.direct.count
	if c.soft, err = newSoftContact(&cfg, flow, c.delta.Support(), bodies, c.loops); err != nil {
		return nil, err
	}
	if len(cfg.Cells) > 0 {
		c.cells = newCellForces(c.points, n)
		c.cells.contact = c.soft
		if c.cells.viscosity, err = newViscosities(c.points); err != nil {
			return nil, err
		}
		c.direct.inViscous = c.cells.viscosity
		c.cells.slip = newMembraneSlip(c.cells)
		if cfg.Feed != nil {
			c.cells.feeder = newFeeder(cfg.Feed, cfg.Cells, c.soft, flow, c.delta.Support())
		}
		c.forces = append(c.forces, c.cells)
		n += c.cells.system.Vertices()
	}
	if len(bodies) > 0 {
		c.forces = append(c.forces, c.direct)
	}
	c.window = c.newWindow(pool, n)
	c.at, c.placed = c.window.Points(), c.window.Placed()
	if c.cells != nil {
		c.cells.implicit = newImplicitForces(c.cells, n)
	}
	c.felt = patch.Fields[T](1+c.dim, n)
	c.push = patch.Fields[T](c.dim, n)
	c.direct.prepare()
	c.place = c.overBodies(func(_ int, b *rigid.Body) {
		if b.Moving() {
			b.Place()
		}
	})
	if err := c.window.Place(c.direct.putInsides); err != nil {
		return nil, err
	}
	if len(bodies) == 0 {
		return c, nil
	}
	return c, c.direct.start()
}

// moves tells whether the place of some point changes.
func (c *Coupling[T]) moves() bool { return c.system.Moves() || len(c.cfg.Cells) > 0 }

// begin puts bodies where they begin, and refuses those that cannot be there together.
func begin[T lbm.Float](cfg CouplingConfig, flow *lbm.Config, bodies []*rigid.Body) (*Coupling[T], error) {
	c := &Coupling[T]{points: &points[T]{cfg: cfg, dim: flow.Lattice.Dim, flow: flow, bodies: bodies}}
	var err error
	if c.delta, err = ib.NewDelta[T](cfg.Delta); err != nil {
		return nil, err
	}
	c.system, err = rigid.NewSystem(bodies, domainOf(flow), cfg.Contact)
	return c, err
}

// newWindow is that of the bodies, and so many points in all.
func (c *Coupling[T]) newWindow(pool *parallel.Pool, points int) *patch.Window[T] {
	clouds := make([]patch.Cloud, len(c.bodies))
	for i, b := range c.bodies {
		clouds[i] = patch.Cloud{Body: b.Name, X: b.Markers.X, First: b.First()}
	}
	for _, cell := range c.cfg.Cells {
		clouds = append(clouds, patch.Cloud{Body: cell.Name, X: cell.Points(), First: cell.First()})
	}
	w := patch.New(patch.Config{Strategy: c.cfg.Transfer, Kernel: c.cfg.Kernel}, c.flow, c.delta, pool, clouds, points, c.moves())
	if c.cfg.ranks != nil {
		w.Share(*c.cfg.ranks)
	}
	return w
}

// domainOf is the domain of a flow, as bodies know it.
func domainOf(flow *lbm.Config) rigid.Domain {
	d := rigid.Domain{Dim: flow.Lattice.Dim, Size: flow.Size, Faces: lbm.FaceNames}
	for a := range d.Periodic {
		d.Periodic[a] = flow.Periodic(a)
	}
	return d
}

// Strategy is the transfer's, that which it chose where it is auto.
func (c *Coupling[T]) Strategy() string { return c.window.Strategy() }

// Markers is the number of markers of all bodies, vertices of cells included.
func (c *Coupling[T]) Markers() int { return c.surface + len(c.at) - c.direct.count }

// Exact tells whether one application of direct forcing takes away all of a uniform
// slip at first: see ib.ForcingWeights.
func (c *Coupling[T]) Exact() bool { return c.direct.exact }

// fail names the first marker whose force is not finite.
func (c *Coupling[T]) fail(step int64) {
	if c.failure != nil {
		return
	}
	if c.direct.failed != nil {
		c.failure = c.direct.failed
		return
	}
	if c.cells.isImplicit() && c.cells.implicit.failed != nil {
		c.failure = c.cells.implicit.failed
		return
	}
	for _, b := range c.bodies {
		for k, x := range b.Markers.X {
			for a, push := range c.push {
				if f := push[b.First()+k]; notFinite(f) {
					c.failure = fmt.Errorf("body %q: the force on marker %d at x = %.6g, y = %.6g, z = %.6g nodes has %s component %v at step %d: it must be finite, the fluid there has density %v and velocity %v",
						b.Name, k, x[0], x[1], x[2], "xyz"[a:a+1], f, step, c.felt[0][b.First()+k], c.felt[1+a][b.First()+k])
					return
				}
			}
		}
	}
	c.failure = fmt.Errorf("the forces on %d markers are finite at step %d, their sum, or that of forces inside bodies, is not: they must stay below the largest number of the precision", c.surface, step)
}

// stop keeps the first failure.
func (c *Coupling[T]) stop(err error) {
	if c.failure == nil {
		c.failure = err
	}
}

// Err is why a correction could not be made, the first one; nil if all were: a
// force that is not finite, or a *MotionError. What Held
// and HalfForce tell is then of the step before.
func (c *Coupling[T]) Err() error { return c.failure }

// MarkerForces is the force density per area on body b's markers at the last
// step, its traction, one slice per axis.
func (c *Coupling[T]) MarkerForces(b *rigid.Body) [][]T { return traction(b, c.push) }

// traction is MarkerForces, of the forces on all markers.
func traction[T lbm.Float](b *rigid.Body, push [][]T) [][]T {
	out := patch.Fields[T](len(push), b.Markers.Len())
	for a := range out {
		for k, area := range b.Markers.Area {
			out[a][k] = -push[a][b.First()+k] / T(area)
		}
	}
	return out
}
