package hybrid

import (
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

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
	cfg    CouplingConfig
	dim    int
	flow   *lbm.Config
	loops  parallel.Loops
	bodies []*rigid.Body
	delta  ib.Delta[T]
	window *patch.Window[T]
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

	// Loops over points that workers share, made once. Results do not depend on their
	// number: everything has one of them that writes it.
	putInsides func(worker int) // places inside bodies to where these are
	bySlip     func(worker int) // what walls leave of it beside an eddy viscosity, before a force
	byForce    func(worker int) // the same, by the force
	force      func(worker int) // on markers
	sums       []T              // of every worker's forces: not finite where one is not
}

// prepare makes the loops.
func (c *directForcing[T]) prepare() {
	n := c.loops.Workers()
	overPoints := func(do func(worker, lo, hi int)) func(int) {
		return func(w int) {
			lo, hi := parallel.Share(len(c.points), w, n)
			do(w, lo, hi)
		}
	}
	c.putInsides = c.overBodies(c.putDamped)
	c.bySlip = overPoints(c.eddiesBySlip)
	c.byForce = overPoints(func(_, lo, hi int) { c.eddiesByForce(lo, hi) })
	c.force = func(w int) { c.forceShare(w, n) }
	c.sums = make([]T, n)
}

// overBodies is a loop over the bodies that workers share.
func (c *directForcing[T]) overBodies(do func(i int, b *rigid.Body)) func(worker int) {
	n := c.loops.Workers()
	return func(w int) {
		for i := w; i < len(c.bodies); i += n {
			do(i, c.bodies[i])
		}
	}
}

// Exact tells whether one application of direct forcing takes away all of a uniform
// slip at first: see ib.ForcingWeights.
func (c *directForcing[T]) Exact() bool { return c.exact }

// setVelocity gives a body's markers, and the places inside, their velocity now.
func (c *directForcing[T]) setVelocity(b *rigid.Body) {
	c.aim(b, b.First(), b.Markers.X)
	c.aim(b, c.inside[b.Index()].first, c.placesInside(b))
}

// aim gives places on a body, or inside, the velocity there.
func (c *directForcing[T]) aim(b *rigid.Body, first int, places []geometry.Vec) {
	for k, x := range places {
		u := b.VelocityAt(x, c.now)
		for a := range c.velocity {
			c.velocity[a][first+k] = T(u[a])
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
		c.sums[worker] = c.addForcesAlong(lo, hi)
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

// Slip is the largest slip over the markers that the last correction left. It
// leaves what the markers feel of the corrected fluid for a next round.
func (c *directForcing[T]) Slip() float64 {
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

// sum is the force of a body's markers, and of the places inside it, on the fluid and its
// moment about the body's centre.
func (c *directForcing[T]) sum(b *rigid.Body) (force, moment geometry.Vec) {
	center := b.Here().Position
	force, moment = sumPoints(b.Markers.X, b.First(), c.push, center)
	f, m := sumPoints(c.placesInside(b), c.inside[b.Index()].first, c.push, center)
	return force.Add(f), moment.Add(m)
}

func notFinite[T lbm.Float](v T) bool { return v-v != 0 }
