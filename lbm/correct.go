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
// is the stress alone that equilibrium and force have a part in, and what recursive
// collision makes of it in the frame of the fluid, see correctFrame. With an eddy
// viscosity ω is the rate without it, in collision too: there the force acts on
// what is left of the stress that arrived, whose τ does not depend on the force.
func (b *someNodes[T]) correct(t *tables[T], k *rates[T], m int) {
	b.moments(t, k, m)
	if k.recursive {
		b.correctFrame(t, k, m)
	}
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

// correctFrame corrects what recursive collision has beyond the stress, before force has
// changed the populations: third and fourth moments are those of the fluid that moves with
// v = j/ρ before and w = v + F/ρ after, and the stress gains
//
//	ΔP = ρ (w w − v v) − ω/4 ρ (a' a' − a a),  a' = a + F/ρ.
func (b *someNodes[T]) correctFrame(t *tables[T], k *rates[T], m int) {
	for n := range m {
		inv := 1 / b.rho[n]
		var v, w, more [3]T
		for a := range t.dim {
			v[a], more[a] = b.u[a][n]+k.accel[a]/2, k.accel[a]+b.force[a][n]*inv
			w[a] = v[a] + b.force[a][n]*inv
		}
		p := b.stress(t, n)
		var after [3][3]T
		for a := range t.dim {
			for c := a; c < t.dim; c++ {
				after[a][c] = p[a][c] + b.rho[n]*(w[a]*w[c]-v[a]*v[c]-0.25*k.even*(more[a]*more[c]-k.accel[a]*k.accel[c]))
			}
		}
		for pair := 2*t.dim + 1; pair < t.q; pair += 4 { // the two of a plane
			x, y := axesOf(&t.c[pair])
			x0, y0, four0 := ofFrame(b.rho[n]*v[x]*v[y], v[x], v[y], p[x][x], p[y][y], p[x][y])
			x1, y1, four1 := ofFrame(b.rho[n]*w[x]*w[y], w[x], w[y], after[x][x], after[y][y], after[x][y])
			b.addFrame(n, pair, 1+2*x, 1+2*y, y1-y0, x1-x0, four1-four0)
		}
	}
}

// stress is Σ c c f − ρ c_s² of node n, upper half.
func (b *someNodes[T]) stress(t *tables[T], n int) (p [3][3]T) {
	for i := 1; i < t.q; i += 2 {
		s, c := b.g[i][n]+b.g[i+1][n], &t.c[i]
		for a := range t.dim {
			for d := a; d < t.dim; d++ {
				p[a][d] += c[a] * c[d] * s
			}
		}
	}
	for a := range t.dim {
		p[a][a] -= (b.rho[n] - 1) / 3
	}
	return p
}

// addFrame adds to the moments of a plane alone: to Σ c_a c_b² f, Σ c_b c_a² f and
// Σ c_a² c_b² f. pair is the first of its velocities, onA and onB those along its axes.
func (b *someNodes[T]) addFrame(n, pair, onA, onB int, abb, aab, four T) {
	b.g[0][n] += four
	b.g[onA][n] -= 0.5 * (four + abb)
	b.g[onA+1][n] -= 0.5 * (four - abb)
	b.g[onB][n] -= 0.5 * (four + aab)
	b.g[onB+1][n] -= 0.5 * (four - aab)
	b.g[pair][n] += 0.25 * (four + abb + aab)
	b.g[pair+1][n] += 0.25 * (four - abb - aab)
	b.g[pair+2][n] += 0.25 * (four + abb - aab)
	b.g[pair+3][n] += 0.25 * (four - abb + aab)
}

// axesOf are the two axes of a velocity to the neighbour across an edge.
func axesOf[T Float](c *[3]T) (a, b int) {
	a, b = 0, 2
	if c[0] == 0 {
		a = 1
	}
	if c[2] == 0 {
		b = 1
	}
	return a, b
}
