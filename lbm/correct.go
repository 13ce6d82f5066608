package lbm

// some is how many nodes are worked on together: their populations are on their way
// from memory all at once, and constants of a pair of directions are loaded once.
const some = 16

// someNodes are the populations of some nodes, and what comes of them.
type someNodes[T Float] struct {
	g     [MaxQ][some]T
	rho   [some]T
	u     [3][some]T // û
	force [3][some]T
}

// moments computes density and velocity of the first m nodes, with half of the
// uniform body force.
func (b *someNodes[T]) moments(t *tables[T], k *rates[T], m int) {
	rho, x, y, z := b.rho[:m], b.u[0][:m], b.u[1][:m], b.u[2][:m]
	copy(rho, b.g[0][:])
	clear(x)
	clear(y)
	clear(z)
	for i := 1; i < t.q; i += 2 {
		up, down, c := b.g[i][:m], b.g[i+1][:m], t.c[i]
		for n := range rho {
			d := up[n] - down[n]
			rho[n] += up[n] + down[n]
			x[n] += c[0] * d
			y[n] += c[1] * d
		}
		if c[2] != 0 {
			for n := range rho {
				z[n] += c[2] * (up[n] - down[n])
			}
		}
	}
	for n := range rho {
		rho[n]++
	}
	for a := range t.dim {
		u := b.u[a][:m]
		for n := range u {
			u[n] = u[n]/rho[n] - k.accel[a]/2
		}
	}
}

// correct gives the post-collision populations f of the first m nodes what they would
// hold if the force density F had acted on them in this step's collision, beside the
// uniform body force that did act:
//
//	f_i += ω [feq_i(ρ,u) − feq_i(ρ,û)] + (1 − ω/2) [S_i(u, F+ρa) − S_i(û, ρa)]
//	u = û + F/(2ρ),  S_i(u,F) = w_i [(c_i − u)/c_s² + (c_i·u) c_i/c_s⁴]·F
//
// Collision conserves mass and momentum up to the body force, so ρ and û are
// read back from f itself. The even and odd parts of each ± pair take their own
// rates, which makes the correction exact for every operator: of even moments it
// is the stress alone that equilibrium and force have a part in. With an eddy
// viscosity ω is the rate without it, in collision too: there the force acts on
// what is left of the stress that arrived, whose τ does not depend on the force.
func (b *someNodes[T]) correct(t *tables[T], k *rates[T], m int) {
	b.moments(t, k, m)
	// With d = u − û = F/(2ρ): 3/2 ρ (u² − û²) and 3 (u·(F + ρa) − û·ρa).
	var du2, dfu, half [some]T
	rho := b.rho[:m]
	for n, r := range rho {
		half[n] = 0.5 / r
	}
	for a := range t.dim {
		force, u, accel := b.force[a][:m], b.u[a][:m], k.accel[a]
		for n, f := range force {
			d := f * half[n]
			du2[n] += 1.5 * rho[n] * d * (u[n] + u[n] + d)
			dfu[n] += 3 * (d*rho[n]*accel + (u[n]+d)*f)
		}
	}
	rest, w := b.g[0][:m], t.w[0]
	for n := range rest {
		rest[n] -= w * (k.even*du2[n] + k.sourceEven*dfu[n])
	}
	both := 3 * (0.5*k.odd + k.sourceOdd) // ρ c·d is c·F/2
	for i := 1; i < t.q; i += 2 {
		b.correctPair(t, k, i, m, both, &half, &du2, &dfu)
	}
}

// correctPair corrects the populations of a ± pair of directions.
func (b *someNodes[T]) correctPair(t *tables[T], k *rates[T], i, m int, both T, half, du2, dfu *[some]T) {
	c, w := t.c[i], t.w[i]
	ca := c[0]*k.accel[0] + c[1]*k.accel[1] + c[2]*k.accel[2] // c·a
	rho, up, down := b.rho[:m], b.g[i][:m], b.g[i+1][:m]
	fx, fy, fz, ux, uy, uz := b.force[0][:m], b.force[1][:m], b.force[2][:m], b.u[0][:m], b.u[1][:m], b.u[2][:m]
	for n, r := range rho {
		cf, before := c[0]*fx[n]+c[1]*fy[n], c[0]*ux[n]+c[1]*uy[n]
		if c[2] != 0 {
			cf, before = cf+c[2]*fz[n], before+c[2]*uz[n]
		}
		d := cf * half[n]
		after := before + d
		even := w * (k.even*(4.5*r*d*(after+before)-du2[n]) + k.sourceEven*(9*(d*r*ca+after*cf)-dfu[n]))
		odd := w * both * cf
		up[n] += even + odd
		down[n] += even - odd
	}
}
