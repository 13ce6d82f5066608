package hybrid

import (
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// phases are the loops over bodies and markers that workers share. Results do not depend on
// their number: everything has one of them that writes it.
type phases[T lbm.Float] struct {
	place  func(worker int) // markers to where bodies are
	inside func(worker int) // and places inside them
	carry  func(worker int) // the velocities of bodies to their markers
	slip   func(worker int) // what walls leave of it beside an eddy viscosity, before a force
	stress func(worker int) // the same, by the force
	force  func(worker int) // on markers

	sums []T // of every worker's forces: not finite where one is not
}

// prepare makes the closures of phases, once.
func (c *Coupling[T]) prepare() {
	n := c.loops.Workers()
	bodies := func(do func(i int, b *rigid.Body)) func(int) {
		return func(w int) {
			for i := w; i < len(c.bodies); i += n {
				do(i, c.bodies[i])
			}
		}
	}
	points := func(do func(worker, lo, hi int)) func(int) {
		return func(w int) {
			lo, hi := parallel.Share(len(c.points), w, n)
			do(w, lo, hi)
		}
	}
	c.phases = phases[T]{
		place: bodies(func(_ int, b *rigid.Body) {
			if b.Moving() {
				b.Place()
			}
		}),
		inside: bodies(c.putDamped),
		carry: bodies(func(_ int, b *rigid.Body) {
			if b.Carries(c.now) {
				c.setVelocity(b)
			}
		}),
		slip:   points(c.eddiesBySlip),
		stress: points(func(_, lo, hi int) { c.eddiesByForce(lo, hi) }),
		force:  func(w int) { c.forceShare(w, n) },
		sums:   make([]T, n),
	}
}

// forceShare adds to a worker's share of the markers the forces that take away the slip
// that they feel.
func (c *Coupling[T]) forceShare(worker, workers int) {
	lo, hi := parallel.Share(c.forced, worker, workers)
	if c.wall != nil {
		c.phases.sums[worker] = c.addForcesAlong(lo, hi)
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
	c.phases.sums[worker] = sum
}
