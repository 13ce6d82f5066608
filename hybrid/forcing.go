package hybrid

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// forcing makes forces on points of a coupling: rigid bodies' is directForcing. A coupling asks
// its forcings one after the other, those first that know their forces without the fluid.
type forcing[T lbm.Float] interface {
	// follow has weights, and whatever depends on where the points are, be those of their places now.
	follow()

	// setTargets sets what the points are to reach at time t, and tells whether that may be
	// other than before.
	setTargets(t float64) (changed bool)

	// act adds the forces of the step to time t to push, in rounds if it takes several, and
	// spreads push after each. Before it felt has ρ and Û at the points, of the fluid on which
	// the forcings before it have acted. It tells whether its forces are finite; if they are
	// not, nothing else acts.
	act(t float64) (finite bool)
}

// directForcing is the forces of markers that have a velocity to bring the fluid to. The force
// density 2ρ(U_d − Û)/Δt at a marker, spread with weight ε, is what brings the
// fluid there to the marker's velocity U_d (Pinelli et al., J. Comput. Phys. 229
// (2010) 9073; A ε = 1 makes one application remove uniform slip). Multi-direct
// forcing weighs with the marker's area and repeats on the corrected velocity
// until the slip is below a bound (Luo et al., Phys. Rev. E 76 (2007) 066709).
//
// A fluid inside a body that is damped is brought to the body's velocity alike, by less
// (dampedInside), and what a diffuse wall does to the velocity felt is accounted for (wall).
type directForcing[T lbm.Float] struct {
	*points[T]
	now float64 // of the step that targets are set for

	count    int            // of the points: markers and places inside bodies
	forced   int            // of these: those that get a force
	inside   []dampedInside // of each body: such places in it
	damped   []*rigid.Body  // those that have some
	weight   []T            // of each: ε, or its area
	exact    bool           // A ε = 1 was solved
	wall     *wall[T]       // nil: smeared walls are not corrected
	weights  [][]T          // the same as weight, as a field of one component
	first    []T            // of each: what weights of moving bodies start from
	response [][]T          // of each: what it feels of all weights
	velocity [][]T          // of each: U_d

	// Loops over points that workers share, made once. Results do not depend on their
	// number: everything has one of them that writes it.
	carry          func(worker int) // velocities of bodies that Carries tells of
	putInsides     func(worker int) // places inside bodies to where these are
	force          func(worker int) // on markers
	free           func(worker int) // velocities of bodies that the fluid moves
	storeResiduals func(worker int) // theirs
	moves, frees   bool             // some body does; freely
	bend           []*structure     // of bodies that bend
	solve          func(worker int) // their motion
	joined         []*rigid.Joined  // of those that hold such and move freely
	joinedWith     []*rigid.Joined  // of each body, whether it holds or bends; nil: with none
	join           func(worker int) // their motion, and that of what they hold
	failures       []error          // of each of joined
	inViscous      *viscosities[T]  // of cells with another fluid inside; nil: there are none
	failed         error            // why a structure could not be moved
	sums           []T              // of every worker's forces: not finite where one is not
}

// start finds the weights of markers where they begin.
func (c *directForcing[T]) start() error {
	if err := c.weigh(); err != nil {
		return err
	}
	if c.cfg.Offset != 0 {
		c.wall = newWall(c)
		c.wall.inside = c.inViscous
		c.wall.weigh()
	}
	return nil
}

// prepare makes the loops, and the velocities that they set.
func (c *directForcing[T]) prepare() {
	c.velocity = patch.Fields[T](c.dim, len(c.at))
	c.carry = c.overBodies(func(_ int, b *rigid.Body) {
		if b.Carries(c.now) {
			c.setVelocity(b)
		}
	})
	c.putInsides = c.overBodies(c.putDamped)
	c.free, c.storeResiduals = c.overBodies(c.freeBody), c.overBodies(c.storeResidual)
	c.moves = moving(c.bodies)
	c.frees = slices.ContainsFunc(c.bodies, func(b *rigid.Body) bool { return b.Free != nil })
	c.findStructures()
	n := c.loops.Workers()
	c.force = func(w int) { c.forceShare(w, n) }
	c.sums = make([]T, n)
}

// follow makes weights, and what walls do, those of where the markers are.
func (c *directForcing[T]) follow() {
	switch {
	case c.moves:
		c.reweigh()
	case c.wall == nil || c.wall.inside == nil: // other things move
		return
	}
	if c.wall != nil {
		c.wall.follow()
	}
}

// setTargets sets the velocities U_d of the markers at time t.
func (c *directForcing[T]) setTargets(t float64) (changed bool) {
	c.now = t
	c.loops.Run(len(c.at), c.carry)
	for _, b := range c.bodies {
		if b.Carries(t) { // its markers along
			changed = true
			continue
		}
		if b.Velocity == nil || t-1 >= b.Moves || b.Structure != nil { // rest was set in the step before; what bends finds its own
			continue
		}
		changed = true
		c.setVelocity(b)
	}
	return changed
}

// act is forcing.
func (c *directForcing[T]) act(t float64) (finite bool) {
	c.now = t
	if c.wall != nil {
		c.wall.meetEddies(true) // what it leaves of slip
	}
	if !c.moveStructures() { // velocities of bodies that bend, as far as nothing that they pull holds them
		return false
	}
	if c.frees {
		c.loops.Run(c.surface, c.free) // of bodies that the fluid moves
	}
	if !c.moveJoined() { // of those that hold what bends, and of that
		return false
	}
	c.forced = c.count
	if !c.addForces() { // F = 2ρ(U_d − Û)ε
		return false
	}
	c.window.Spread(c.push) // F(x) = Σ F δ(x−X)
	c.forced = c.surface    // what is inside is damped once
	for i := 1; i < c.cfg.Iterations && c.cfg.Forcing == "multidirect"; i++ {
		if c.wall != nil {
			c.wall.meetEddies(false)
		}
		if c.slip() < c.cfg.Tolerance { // of u = û + F/(2ρ)
			break
		}
		if !c.addForces() {
			return false
		}
		c.window.Spread(c.push)
	}
	if c.frees {
		c.loops.Run(c.surface, c.storeResiduals)
	}
	return true
}

// setVelocity gives a body's markers, and the places inside, their velocity now.
func (c *directForcing[T]) setVelocity(b *rigid.Body) {
	c.aim(b, b.First(), b.Markers.X)
	c.aim(b, c.inside[b.Index()].first, c.placesInside(b))
}

// aim gives places on a body, or inside, the velocity there.
func (c *directForcing[T]) aim(b *rigid.Body, first int, places []geometry.Vec) {
	if !b.Carries(c.now) {
		for k, x := range places {
			u := b.VelocityAt(x, c.now)
			for a := range c.velocity {
				c.velocity[a][first+k] = T(u[a])
			}
		}
		return
	}
	at := b.Here()
	x, u, spin := at.Position, at.Velocity, at.Spin
	for a := range c.velocity { // U + Ω×r
		e, f := (a+1)%3, (a+2)%3
		to := c.velocity[a][first:][:len(places)]
		for k := range places {
			to[k] = T(u[a] + (spin[e]*(places[k][f]-x[f]) - spin[f]*(places[k][e]-x[e])))
		}
	}
}

// addForces adds to every marker the force that takes away the slip it feels. It
// tells whether all forces are finite.
func (c *directForcing[T]) addForces() bool {
	c.loops.Run(c.forced, c.force)
	var sum T // of one that is not finite is not either
	for _, s := range c.sums {
		sum += s
	}
	return !notFinite(sum)
}

// forceShare adds to a worker's share of the markers the forces that take away the slip
// that they feel.
func (c *directForcing[T]) forceShare(worker, workers int) {
	lo, hi := parallel.Share(c.forced, worker, workers)
	if c.wall != nil {
		c.sums[worker] = c.wall.addForces(lo, hi)
		return
	}
	rho, weight := c.felt[0][lo:hi], c.weight[lo:hi]
	var sum T
	for a, push := range c.push {
		push, felt, target := push[lo:hi], c.felt[1+a][lo:hi], c.velocity[a][lo:hi]
		for k := range push {
			push[k] += 2 * rho[k] * (target[k] - felt[k]) * weight[k]
			sum += push[k]
		}
	}
	c.sums[worker] = sum
}

// slip is the largest slip over the markers that the last correction left. It
// leaves what the markers feel of the corrected fluid for a next round.
func (c *directForcing[T]) slip() float64 {
	c.window.InterpolateForced(c.felt[1:])
	worst := 0.
	for k := range c.surface {
		worst = math.Max(worst, c.slipOf(k))
	}
	return worst
}

func (c *directForcing[T]) slipOf(k int) float64 {
	s := 0.
	if c.wall != nil {
		for _, d := range c.wall.slipTo(k) {
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

// sum is the force of a body's markers, and of the places inside it, on the fluid and its
// moment about the body's centre.
func (c *directForcing[T]) sum(b *rigid.Body) (force, moment geometry.Vec) {
	center := b.Here().Position
	force, moment = sumPoints(b.Markers.X, b.First(), c.push, center)
	f, m := sumPoints(c.placesInside(b), c.inside[b.Index()].first, c.push, center)
	return force.Add(f), moment.Add(m)
}

func notFinite[T lbm.Float](v T) bool { return v-v != 0 }
