package hybrid

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
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
	Offset     float64 // nodes by which the delta smears a wall where there are no eddies: ib.Offset, or 0 to let it
}

// Coupling makes the fluid move with the markers. Direct forcing: the force
// density 2ρ(U_d − Û)/Δt at a marker, spread with weight ε, is what brings the
// fluid there to the marker's velocity U_d (Pinelli et al., J. Comput. Phys. 229
// (2010) 9073; A ε = 1 makes one application remove uniform slip). Multi-direct
// forcing weighs with the marker's area and repeats on the corrected velocity
// until the slip is below a bound (Luo et al., Phys. Rev. E 76 (2007) 066709).
//
// It works on fields of the nodes that supports need: see patch.Window.
type Coupling[T lbm.Float] struct {
	cfg    CouplingConfig
	dim    int
	flow   *lbm.Config
	loops  parallel.Loops
	system *rigid.System
	bodies []*rigid.Body // its
	delta  ib.Delta[T]
	window *patch.Window[T]
	phases phases[T]
	now    float64 // of the step that targets are set for

	points   []geometry.Vec // all markers, and after them places inside damped bodies
	placed   []geometry.Vec // the same in the window
	surface  int            // of them: markers
	forced   int            // of them: those that get a force
	inside   []dampedInside // of each body: such places in it
	damped   []*rigid.Body  // those that have some
	weight   []T            // of each: ε, or its area
	exact    bool           // A ε = 1 was solved
	wall     *wall[T]       // nil: smeared walls are not corrected
	weights  [][]T          // the same as weight, as a field of one component
	first    []T            // of each: what weights of moving bodies start from
	response [][]T          // of each: what it feels of all weights
	velocity [][]T          // of each: U_d
	felt     [][]T          // of each: the fluid's ρ and Û
	push     [][]T          // of each: force, weighted

	inner   innerReader[T]
	within  within
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
	inside := c.findDamped()
	n := c.surface + inside
	c.window = c.newWindow(pool, n)
	c.points, c.placed = c.window.Points(), c.window.Placed()
	c.velocity = patch.Fields[T](c.dim, n)
	c.felt = patch.Fields[T](1+c.dim, n)
	c.push = patch.Fields[T](c.dim, n)
	c.prepare()
	if err := c.window.Place(c.phases.inside); err != nil {
		return nil, err
	}
	if cfg.Offset != 0 {
		c.wall = newWall[T](bodies, len(c.points), c.dim, cfg.Offset, flow.Collision.Viscosity())
		c.wall.beside(newWallEddies(c.delta, flow.Collision), c.delta, len(c.phases.sums))
	}
	if err := c.weigh(); err != nil {
		return nil, err
	}
	if c.wall != nil {
		c.wall.weigh(c.weight)
	}
	return c, nil
}

// begin puts bodies where they begin, and refuses those that cannot be there together.
func begin[T lbm.Float](cfg CouplingConfig, flow *lbm.Config, bodies []*rigid.Body) (*Coupling[T], error) {
	c := &Coupling[T]{cfg: cfg, dim: flow.Lattice.Dim, flow: flow, bodies: bodies}
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
		clouds[i] = patch.Cloud{Body: b.Name, X: b.Markers.X}
	}
	return patch.New(patch.Config{Strategy: c.cfg.Transfer, Kernel: c.cfg.Kernel}, c.flow, c.delta, pool, clouds, points, c.system.Moves())
}

// Strategy is the transfer's, that which it chose where it is auto.
func (c *Coupling[T]) Strategy() string { return c.window.Strategy() }

// Exact tells whether one application of direct forcing takes away all of a uniform
// slip at first: see ib.ForcingWeights.
func (c *Coupling[T]) Exact() bool { return c.exact }

// Markers is the number of markers of all bodies.
func (c *Coupling[T]) Markers() int { return c.surface }

// Correct makes the fluid, which has just made its step, move with the markers. A
// force that is not finite is not applied: see Err.
func (c *Coupling[T]) Correct(fluid lbm.Fluid[T]) {
	c.askInside(fluid)
	c.correct(fluid)
}

// correct is Correct, of a fluid whose momentum inside bodies has been asked for.
func (c *Coupling[T]) correct(fluid patch.Part[T]) {
	t := float64(fluid.Steps())
	c.setTargets(t)
	c.window.Read(fluid)         // ρ, û
	c.window.Interpolate(c.felt) // ρ, Û = Σ û δ(x−X)
	c.takeInside()
	c.meetEddies(true)
	c.forced = len(c.points)
	c.free(t) // velocities of bodies that the fluid moves
	for _, p := range c.push {
		clear(p)
	}
	if !c.addForces() { // F = 2ρ(U_d − Û)ε
		c.fail(fluid.Steps())
		return
	}
	c.window.Spread(c.push) // F(x) = Σ F δ(x−X)
	c.forced = c.surface    // what is inside is damped once
	for i := 1; i < c.cfg.Iterations && c.cfg.Forcing == "multidirect"; i++ {
		c.meetEddies(false)
		if c.Slip() < c.cfg.Tolerance { // of u = û + F/(2ρ)
			break
		}
		if !c.addForces() {
			c.fail(fluid.Steps())
			return
		}
		c.window.Spread(c.push)
	}
	c.storeResiduals()
	c.window.Correct(fluid)
}

// setTargets sets the velocities U_d of the markers at time t, and tells whether any
// may be others than before.
func (c *Coupling[T]) setTargets(t float64) (changed bool) {
	c.now = t
	c.window.SetTime(t)
	c.loops.Run(len(c.points), c.phases.carry)
	for _, b := range c.bodies {
		if b.Carries(t) { // its markers along
			changed = true
			continue
		}
		if b.Velocity == nil || t-1 >= b.Moves { // rest was set in the step before
			continue
		}
		changed = true
		c.setVelocity(b)
	}
	return changed
}

// setVelocity gives a body's markers, and the places inside, their velocity now.
func (c *Coupling[T]) setVelocity(b *rigid.Body) {
	c.aim(b, b.First(), b.Markers.X)
	c.aim(b, c.inside[b.Index()].first, c.placesInside(b))
}

// aim gives places on a body, or inside, the velocity there.
func (c *Coupling[T]) aim(b *rigid.Body, first int, places []geometry.Vec) {
	for k, x := range places {
		u := b.VelocityAt(x, c.now)
		for a := range c.velocity {
			c.velocity[a][first+k] = T(u[a])
		}
	}
}

// addForces adds to every marker the force that takes away the slip it feels. It
// tells whether all forces are finite.
func (c *Coupling[T]) addForces() bool {
	c.loops.Run(c.forced, c.phases.force)
	var sum T // of one that is not finite is not either
	for _, s := range c.phases.sums {
		sum += s
	}
	return !notFinite(sum)
}

func notFinite[T lbm.Float](v T) bool { return v-v != 0 }

// fail names the first marker whose force is not finite.
func (c *Coupling[T]) fail(step int64) {
	if c.failure != nil {
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

// Slip is the largest slip over the markers that the last correction left. It
// leaves what the markers feel of the corrected fluid for a next round.
func (c *Coupling[T]) Slip() float64 {
	c.window.InterpolateForced(c.felt[1:])
	worst := 0.
	for k := range c.surface {
		worst = math.Max(worst, c.slipOf(k))
	}
	return worst
}

func (c *Coupling[T]) slipOf(k int) float64 {
	s := 0.
	if c.wall != nil {
		for _, d := range c.slipTo(k) {
			s += float64(d * d)
		}
		return math.Sqrt(s)
	}
	for a := range c.push {
		d := float64(c.velocity[a][k] - c.felt[1+a][k])
		s += d * d
	}
	return math.Sqrt(s)
}

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
