package lbm

// bgkRowD2Q9 pulls and collides a row with one relaxation rate and no force.
func bgkRowD2Q9[T Float, S Stored](dst, src *rows[S], k *rates[T]) {
	const w1, w2 = 1. / 9, 1. / 36
	n := len(dst[0])
	s0, s1, s2 := src[0][:n], src[1][:n], src[2][:n]
	s3, s4, s5 := src[3][:n], src[4][:n], src[5][:n]
	s6, s7, s8 := src[6][:n], src[7][:n], src[8][:n]
	d0, d1, d2 := dst[0][:n], dst[1][:n], dst[2][:n]
	d3, d4, d5 := dst[3][:n], dst[4][:n], dst[5][:n]
	d6, d7, d8 := dst[6][:n], dst[7][:n], dst[8][:n]
	omega := k.even
	for x := range n {
		z := noise[S](k.seed, x)
		g0, g1, g2, g3, g4, g5, g6, g7, g8 := decode[T](s0[x]), decode[T](s1[x]), decode[T](s2[x]), decode[T](s3[x]), decode[T](s4[x]), decode[T](s5[x]), decode[T](s6[x]), decode[T](s7[x]), decode[T](s8[x])

		r := g0 + (g1 + g2) + (g3 + g4) + (g5 + g6) + (g7 + g8) // ρ − 1
		jx := (g1 - g2) + (g5 - g6) + (g7 - g8)
		jy := (g3 - g4) + (g5 - g6) - (g7 - g8)
		rho := 1 + r
		inv := 1 / rho
		ux := jx * inv
		uy := jy * inv
		b := r - rho*1.5*(ux*ux+uy*uy)
		d0[x] = dithered[S](g0-omega*(g0-(4./9)*b), z, 0)
		h := 4.5 * rho
		e, o := w1*(b+h*ux*ux), 3*w1*jx
		d1[x], d2[x] = dithered[S](g1-omega*(g1-e-o), z, 1), dithered[S](g2-omega*(g2-e+o), z, 1)
		e, o = w1*(b+h*uy*uy), 3*w1*jy
		d3[x], d4[x] = dithered[S](g3-omega*(g3-e-o), z, 2), dithered[S](g4-omega*(g4-e+o), z, 2)
		c := ux + uy
		e, o = w2*(b+h*c*c), 3*w2*(jx+jy)
		d5[x], d6[x] = dithered[S](g5-omega*(g5-e-o), z, 3), dithered[S](g6-omega*(g6-e+o), z, 3)
		c = ux - uy
		e, o = w2*(b+h*c*c), 3*w2*(jx-jy)
		d7[x], d8[x] = dithered[S](g7-omega*(g7-e-o), z, 4), dithered[S](g8-omega*(g8-e+o), z, 4)
	}
}

// trtRowD2Q9 pulls and collides a row with a rate for each parity and a uniform
// body force ρ·a by the scheme of Guo, Zheng & Shi, Phys. Rev. E 65 (2002) 046308.
func trtRowD2Q9[T Float, S Stored](dst, src *rows[S], k *rates[T]) {
	const w1, w2 = 1. / 9, 1. / 36
	n := len(dst[0])
	s0, s1, s2 := src[0][:n], src[1][:n], src[2][:n]
	s3, s4, s5 := src[3][:n], src[4][:n], src[5][:n]
	s6, s7, s8 := src[6][:n], src[7][:n], src[8][:n]
	d0, d1, d2 := dst[0][:n], dst[1][:n], dst[2][:n]
	d3, d4, d5 := dst[3][:n], dst[4][:n], dst[5][:n]
	d6, d7, d8 := dst[6][:n], dst[7][:n], dst[8][:n]
	even, odd, se, so := k.even, k.odd, k.sourceEven, k.sourceOdd
	ax, ay := k.accel[0], k.accel[1]
	for x := range n {
		z := noise[S](k.seed, x)
		g0, g1, g2, g3, g4, g5, g6, g7, g8 := decode[T](s0[x]), decode[T](s1[x]), decode[T](s2[x]), decode[T](s3[x]), decode[T](s4[x]), decode[T](s5[x]), decode[T](s6[x]), decode[T](s7[x]), decode[T](s8[x])

		r := g0 + (g1 + g2) + (g3 + g4) + (g5 + g6) + (g7 + g8) // ρ − 1
		jx := (g1 - g2) + (g5 - g6) + (g7 - g8)
		jy := (g3 - g4) + (g5 - g6) - (g7 - g8)
		rho := 1 + r
		inv := 1 / rho
		ux := jx*inv + 0.5*ax
		uy := jy*inv + 0.5*ay
		b := r - rho*1.5*(ux*ux+uy*uy)
		fu := ux*ax + uy*ay // u·a
		d0[x] = dithered[S](g0-even*(g0-(4./9)*b)-se*(3*(4./9))*rho*fu, z, 0)
		c, f := ux, ax
		p, m := 0.5*(g1+g2), 0.5*(g1-g2)
		p = even*(p-w1*(b+4.5*rho*c*c)) - se*w1*rho*(9*c*f-3*fu)
		m = odd*(m-3*w1*rho*c) - so*3*w1*rho*f
		d1[x], d2[x] = dithered[S](g1-p-m, z, 1), dithered[S](g2-p+m, z, 1)
		c, f = uy, ay
		p, m = 0.5*(g3+g4), 0.5*(g3-g4)
		p = even*(p-w1*(b+4.5*rho*c*c)) - se*w1*rho*(9*c*f-3*fu)
		m = odd*(m-3*w1*rho*c) - so*3*w1*rho*f
		d3[x], d4[x] = dithered[S](g3-p-m, z, 2), dithered[S](g4-p+m, z, 2)
		c, f = ux+uy, ax+ay
		p, m = 0.5*(g5+g6), 0.5*(g5-g6)
		p = even*(p-w2*(b+4.5*rho*c*c)) - se*w2*rho*(9*c*f-3*fu)
		m = odd*(m-3*w2*rho*c) - so*3*w2*rho*f
		d5[x], d6[x] = dithered[S](g5-p-m, z, 3), dithered[S](g6-p+m, z, 3)
		c, f = ux-uy, ax-ay
		p, m = 0.5*(g7+g8), 0.5*(g7-g8)
		p = even*(p-w2*(b+4.5*rho*c*c)) - se*w2*rho*(9*c*f-3*fu)
		m = odd*(m-3*w2*rho*c) - so*3*w2*rho*f
		d7[x], d8[x] = dithered[S](g7-p-m, z, 4), dithered[S](g8-p+m, z, 4)
	}
}
