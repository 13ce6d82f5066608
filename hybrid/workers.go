package hybrid

import (
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// phases are the loops over bodies, markers and support nodes that workers share. Results
// do not depend on their number: everything has one of them that writes it.
type phases[T lbm.Float] struct {
	place   func(worker int) // markers to where bodies are
	measure func(worker int) // the boxes of their supports
	put     func(worker int) // markers into the window
	carry   func(worker int) // the velocities of bodies to their markers
	find    func(worker int) // support nodes as the fluid numbers them
	slip    func(worker int) // what walls leave of it beside an eddy viscosity, before a force
	stress  func(worker int) // the same, by the force
	force   func(worker int) // on markers
	clear   func(worker int) // the force density

	sums []T // of every worker's forces: not finite where one is not
}

// sharedFrom is the number of markers or nodes from which the workers share a loop.
const sharedFrom = 4096

// prepare makes the closures of phases, once.
func (c *Coupling[T]) prepare() {
	n := 1
	if c.pool != nil {
		n = c.pool.Workers()
	}
	shared := func(phase func(worker, workers int)) func(int) { return func(w int) { phase(w, n) } }
	bodies := func(do func(i int, b *rigid.Body)) func(int) {
		return func(w int) {
			for i := w; i < len(c.bodies); i += n {
				do(i, c.bodies[i])
			}
		}
	}
	c.phases = phases[T]{
		place: bodies(func(_ int, b *rigid.Body) {
			if b.Moving() {
				b.Place()
			}
		}),
		measure: bodies(func(i int, b *rigid.Body) { c.plan.measure(i, b) }),
		put: bodies(func(i int, b *rigid.Body) {
			copy(c.points[b.First():], b.Markers.X)
			c.plan.put(c.placed[b.First():], b.Markers.X, i)
			c.putDamped(i, b)
		}),
		carry: bodies(func(_ int, b *rigid.Body) {
			if b.Carries(c.now) {
				c.setVelocity(b)
			}
		}),
		find: shared(c.findShare),
		slip: shared(func(w, n int) {
			lo, hi := parallel.Share(len(c.points), w, n)
			c.eddiesBySlip(w, lo, hi)
		}),
		stress: shared(func(w, n int) { c.eddiesByForce(parallel.Share(len(c.points), w, n)) }),
		force:  shared(c.forceShare),
		clear:  shared(c.clearShare),
		sums:   make([]T, n),
	}
}

// share runs a phase over so many markers or nodes.
func (c *Coupling[T]) share(items int, phase func(worker int)) {
	if items >= sharedFrom && c.pool != nil {
		c.pool.Run(phase)
		return
	}
	for w := range c.phases.sums {
		phase(w)
	}
}

// forceShare adds to a worker's share of the markers the forces that take away the slip
// that they feel.
func (c *Coupling[T]) forceShare(worker, workers int) {
	lo, hi := parallel.Share(c.forced, worker, workers)
	if c.smear != nil {
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

// clearShare makes the force density zero on a worker's share of the support nodes.
func (c *Coupling[T]) clearShare(worker, workers int) {
	lo, hi := parallel.Share(len(c.at), worker, workers)
	for _, f := range c.force {
		for _, n := range c.at[lo:hi] {
			f[n] = 0
		}
	}
}
