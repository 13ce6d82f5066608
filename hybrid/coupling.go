package hybrid

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
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
// It works on fields of the nodes that supports need: see plan.
type Coupling[T lbm.Float] struct {
	cfg    CouplingConfig
	dim    int
	flow   *lbm.Config
	pool   *parallel.Pool
	system *rigid.System
	bodies []*rigid.Body // its

	delta    ib.Delta[T]
	plan     *plan
	window   ib.Grid // what the plan is laid out in
	support  ib.Support
	transfer ib.Transfer[T]
	nodes    []int32 // support nodes as the fluid numbers them
	at       []int32 // and as the window does, ascending
	windows  int     // made so far
	supports int     // found so far
	found    []int32 // of all nodes of the support: as the fluid numbers them
	ghosts   ghosts[T]
	phases   phases[T]
	now      float64 // of the step that targets are set for

	moments [][]T // on the window: ρ and û
	fluid   [][]T // on the window: u = û + F/(2ρ)
	force   [][]T // on the window: force density

	points   []geometry.Vec // all markers, and after them places inside damped bodies
	surface  int            // of them: markers
	forced   int            // of them: those that get a force
	inside   []dampedInside // of each body: such places in it
	damped   []*rigid.Body  // those that have some
	placed   []geometry.Vec // the same in the window
	weight   []T            // of each: ε, or its area
	exact    bool           // A ε = 1 was solved
	smear    *smear[T]      // nil: not corrected
	weights  [][]T          // the same, as a field of one component
	first    []T            // of each: what weights of moving bodies start from
	response [][]T          // of each: what it feels of all weights; and the field of it
	unit     [][]T
	velocity [][]T // of each: U_d
	felt     [][]T // of each: the fluid's ρ and Û
	push     [][]T // of each: force, weighted

	inner   innerReader[T]
	within  within
	beside  bool  // some solid node may come to be in a support within a step
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
	c.pool = pool
	for _, b := range bodies {
		c.points = append(c.points, b.Markers.X...)
	}
	c.addDamped()
	c.placed = make([]geometry.Vec, len(c.points))
	c.velocity = fields[T](c.dim, len(c.points))
	c.felt = fields[T](1+c.dim, len(c.points))
	c.push = fields[T](c.dim, len(c.points))
	c.plan = newPlan(cfg, flow, bodies, c.delta)
	c.prepare()
	if err := c.place(); err != nil {
		return nil, err
	}
	if cfg.Offset != 0 {
		c.smear = newSmear[T](bodies, len(c.points), c.dim, cfg.Offset, flow.Collision.Viscosity())
		c.smear.beside(newWallEddies(c.delta, flow.Collision), c.delta, len(c.phases.sums))
	}
	if err := c.weigh(); err != nil {
		return nil, err
	}
	if c.smear != nil {
		c.smear.weigh(c.weight)
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

func fields[T lbm.Float](components, n int) [][]T {
	f := make([][]T, components)
	for i := range f {
		f[i] = make([]T, n)
	}
	return f
}

// Strategy is the transfer's, that which it chose where it is auto.
func (c *Coupling[T]) Strategy() string {
	if t, ok := c.transfer.(interface{ Chosen() string }); ok {
		return t.Chosen()
	}
	return c.cfg.Transfer
}

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

// part is what a correction acts on: a fluid, or what of it is aside (lbm.Local).
type part[T lbm.Float] interface {
	Steps() int64
	Moments(nodes, at []int32, rho []T, u [][]T)
	Correct(nodes, at []int32, force [][]T)
}

// correct is Correct, of a fluid whose momentum inside bodies has been asked for.
func (c *Coupling[T]) correct(fluid part[T]) {
	t := float64(fluid.Steps())
	c.setTargets(t)
	fluid.Moments(c.nodes, c.at, c.moments[0], c.moments[1:]) // ρ, û
	c.reflect(c.moments[0], c.moments[1:])
	c.transfer.Interpolate(c.felt, c.moments) // ρ, Û = Σ û δ(x−X)
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
	c.spreadPush()       // F(x) = Σ F δ(x−X)
	c.forced = c.surface // what is inside is damped once
	for i := 1; i < c.cfg.Iterations && c.cfg.Forcing == "multidirect"; i++ {
		c.meetEddies(false)
		if c.Slip() < c.cfg.Tolerance { // of u = û + F/(2ρ)
			break
		}
		if !c.addForces() {
			c.fail(fluid.Steps())
			return
		}
		c.spreadPush()
	}
	c.storeResiduals()
	fluid.Correct(c.nodes, c.at, c.force)
}

// setTargets sets the velocities U_d of the markers at time t, and tells whether any
// may be others than before.
func (c *Coupling[T]) setTargets(t float64) (changed bool) {
	c.now = t
	c.setFactors(t)
	c.share(len(c.points), c.phases.carry)
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
	c.share(c.forced, c.phases.force)
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

func (c *Coupling[T]) spreadPush() {
	c.share(len(c.at), c.phases.clear)
	c.clearGhosts(c.force)
	c.transfer.Spread(c.force, c.push)
	c.fold(c.force)
}

// Slip is the largest slip over the markers that the last correction left. It
// leaves what the markers feel of the corrected fluid for a next round.
func (c *Coupling[T]) Slip() float64 {
	rho := c.moments[0]
	for a, u := range c.fluid {
		before, f := c.moments[1+a], c.force[a]
		for _, n := range c.at {
			u[n] = before[n] + f[n]/(2*rho[n])
		}
	}
	c.reflect(nil, c.fluid)
	c.transfer.Interpolate(c.felt[1:], c.fluid)
	worst := 0.
	for k := range c.surface {
		worst = math.Max(worst, c.slipOf(k))
	}
	return worst
}

func (c *Coupling[T]) slipOf(k int) float64 {
	s := 0.
	if c.smear != nil {
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

// HalfForce subtracts F/(2ρ) from a velocity field read right after a step on the
// box lo ≤ p < hi: fluids report momentum that includes all of F (lbm.Fluid).
func (c *Coupling[T]) HalfForce(flow *lbm.Config, lo, hi [3]int, u [][]T) {
	halfForce(flow, lbm.Box{Lo: lo, Hi: hi}, u, c.nodes, c.at, c.moments[0], c.force)
}

// halfForce is HalfForce, of density and force density at[i] of nodes[i].
func halfForce[T lbm.Float](flow *lbm.Config, box lbm.Box, u [][]T, nodes, at []int32, rho []T, force [][]T) {
	lo, hi := box.Lo, box.Hi
	nx, ny := hi[0]-lo[0], hi[1]-lo[1]
	for i, n := range nodes {
		p := flow.Position(int(n))
		if p[0] < lo[0] || p[0] >= hi[0] || p[1] < lo[1] || p[1] >= hi[1] || p[2] < lo[2] || p[2] >= hi[2] {
			continue
		}
		k := p[0] - lo[0] + nx*(p[1]-lo[1]+ny*(p[2]-lo[2]))
		for a := range u {
			u[a][k] -= force[a][at[i]] / (2 * rho[at[i]])
		}
	}
}

// Held is what the last correction did to the support nodes, in the order of the
// fluid: density and, per axis, force density. Populations do not tell it, and Box
// needs it.
func (c *Coupling[T]) Held() [][]T {
	held := fields[T](1+c.dim, len(c.at))
	for i, k := range c.heldOrder() {
		n := c.at[k]
		held[0][i] = c.moments[0][n]
		for a, f := range c.force {
			held[1+a][i] = f[n]
		}
	}
	return held
}

// heldOrder is the support nodes by their numbers in the fluid, which do not depend on
// the plan.
func (c *Coupling[T]) heldOrder() []int32 {
	order := make([]int32, len(c.nodes))
	for i := range order {
		order[i] = int32(i)
	}
	if !slices.IsSorted(c.nodes) {
		slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(c.nodes[i], c.nodes[j]) })
	}
	return order
}

// SetHeld restores what Held returned for the same bodies.
func (c *Coupling[T]) SetHeld(held [][]T) error {
	for _, h := range held {
		if len(held) != 1+c.dim || len(h) != len(c.at) {
			return fmt.Errorf("the forces of another run: %d components on %d support nodes, the bodies here have %d on %d: resume with the case that wrote them", len(held), len(h), 1+c.dim, len(c.at))
		}
	}
	for i, k := range c.heldOrder() {
		n := c.at[k]
		c.moments[0][n] = held[0][i]
		for a, f := range c.force {
			f[n] = held[1+a][i]
		}
	}
	return nil
}

// MarkerForces is the force density per area on body b's markers at the last
// step, its traction, one slice per axis.
func (c *Coupling[T]) MarkerForces(b *rigid.Body) [][]T { return traction(b, c.push) }

// traction is MarkerForces, of the forces on all markers.
func traction[T lbm.Float](b *rigid.Body, push [][]T) [][]T {
	out := fields[T](len(push), b.Markers.Len())
	for a := range out {
		for k, area := range b.Markers.Area {
			out[a][k] = -push[a][b.First()+k] / T(area)
		}
	}
	return out
}
