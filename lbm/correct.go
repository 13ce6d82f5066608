package lbm

// correctPoint gives the post-collision populations f of one node what they
// would hold if the force density F had acted on it in this step's collision,
// beside the uniform body force that did act:
//
//	f_i += ω [feq_i(ρ,u) − feq_i(ρ,û)] + (1 − ω/2) [S_i(u, F+ρa) − S_i(û, ρa)]
//	u = û + F/(2ρ),  S_i(u,F) = w_i [(c_i − u)/c_s² + (c_i·u) c_i/c_s⁴]·F
//
// Collision conserves mass and momentum up to the body force, so ρ and û are
// read back from f itself. The even and odd parts of each ± pair take their own
// rates, which makes the correction exact for TRT as well.
func correctPoint[T Float](t *tables[T], k *rates[T], f *[MaxQ]T, force *[3]T) {
	r, j := t.moments(f)
	rho := 1 + r
	var before, after, held, total [3]T // û, u; the force that has acted, and with F
	for a := range 3 {
		before[a] = j[a]/rho - 0.5*k.accel[a]
		after[a] = before[a] + 0.5*force[a]/rho
		held[a] = rho * k.accel[a]
		total[a] = held[a] + force[a]
	}
	du2 := 1.5 * rho * (dot3(&after, &after) - dot3(&before, &before))
	dfu := 3 * (dot3(&after, &total) - dot3(&before, &held))
	f[0] -= t.w[0] * (k.even*du2 + k.sourceEven*dfu)
	for i := 1; i < t.q; i += 2 {
		cb, ca := t.dot(i, &before), t.dot(i, &after)
		ch, ct := t.dot(i, &held), t.dot(i, &total)
		even := t.w[i] * (k.even*(4.5*rho*(ca*ca-cb*cb)-du2) + k.sourceEven*(9*(ca*ct-cb*ch)-dfu))
		odd := 3 * t.w[i] * (k.odd*rho*(ca-cb) + k.sourceOdd*(ct-ch))
		f[i] += even + odd
		f[i+1] += even - odd
	}
}
