package lbm

// bgkRowD3Q19 pulls and collides a row with one relaxation rate and no force.
func bgkRowD3Q19[T Float, S Stored](dst, src *rows[S], k *rates[T]) {
	const w1, w2 = 1. / 18, 1. / 36
	n := len(dst[0])
	s0, s1, s2, s3, s4 := src[0][:n], src[1][:n], src[2][:n], src[3][:n], src[4][:n]
	s5, s6, s7, s8, s9 := src[5][:n], src[6][:n], src[7][:n], src[8][:n], src[9][:n]
	s10, s11, s12, s13, s14 := src[10][:n], src[11][:n], src[12][:n], src[13][:n], src[14][:n]
	s15, s16, s17, s18 := src[15][:n], src[16][:n], src[17][:n], src[18][:n]
	d0, d1, d2, d3, d4 := dst[0][:n], dst[1][:n], dst[2][:n], dst[3][:n], dst[4][:n]
	d5, d6, d7, d8, d9 := dst[5][:n], dst[6][:n], dst[7][:n], dst[8][:n], dst[9][:n]
	d10, d11, d12, d13, d14 := dst[10][:n], dst[11][:n], dst[12][:n], dst[13][:n], dst[14][:n]
	d15, d16, d17, d18 := dst[15][:n], dst[16][:n], dst[17][:n], dst[18][:n]
	omega := k.even
	for x := range n {
		z := noise[S](k.seed, x)
		g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17, g18 := decode[T](s0[x]), decode[T](s1[x]), decode[T](s2[x]), decode[T](s3[x]), decode[T](s4[x]), decode[T](s5[x]), decode[T](s6[x]), decode[T](s7[x]), decode[T](s8[x]), decode[T](s9[x]), decode[T](s10[x]), decode[T](s11[x]), decode[T](s12[x]), decode[T](s13[x]), decode[T](s14[x]), decode[T](s15[x]), decode[T](s16[x]), decode[T](s17[x]), decode[T](s18[x])

		r := g0 + (g1 + g2) + (g3 + g4) + (g5 + g6) + (g7 + g8) + (g9 + g10) + (g11 + g12) + (g13 + g14) + (g15 + g16) + (g17 + g18) // ρ − 1
		jx := (g1 - g2) + (g7 - g8) + (g9 - g10) + (g11 - g12) + (g13 - g14)
		jy := (g3 - g4) + (g7 - g8) - (g9 - g10) + (g15 - g16) + (g17 - g18)
		jz := (g5 - g6) + (g11 - g12) - (g13 - g14) + (g15 - g16) - (g17 - g18)
		rho := 1 + r
		inv := 1 / rho
		ux := jx * inv
		uy := jy * inv
		uz := jz * inv
		b := r - rho*1.5*(ux*ux+uy*uy+uz*uz)
		d0[x] = dithered[S](g0-omega*(g0-(1./3)*b), z, 0)
		h := 4.5 * rho
		e, o := w1*(b+h*ux*ux), 3*w1*jx
		d1[x], d2[x] = dithered[S](g1-omega*(g1-e-o), z, 1), dithered[S](g2-omega*(g2-e+o), z, 1)
		e, o = w1*(b+h*uy*uy), 3*w1*jy
		d3[x], d4[x] = dithered[S](g3-omega*(g3-e-o), z, 2), dithered[S](g4-omega*(g4-e+o), z, 2)
		e, o = w1*(b+h*uz*uz), 3*w1*jz
		d5[x], d6[x] = dithered[S](g5-omega*(g5-e-o), z, 3), dithered[S](g6-omega*(g6-e+o), z, 3)
		c := ux + uy
		e, o = w2*(b+h*c*c), 3*w2*(jx+jy)
		d7[x], d8[x] = dithered[S](g7-omega*(g7-e-o), z, 4), dithered[S](g8-omega*(g8-e+o), z, 4)
		c = ux - uy
		e, o = w2*(b+h*c*c), 3*w2*(jx-jy)
		d9[x], d10[x] = dithered[S](g9-omega*(g9-e-o), z, 5), dithered[S](g10-omega*(g10-e+o), z, 5)
		c = ux + uz
		e, o = w2*(b+h*c*c), 3*w2*(jx+jz)
		d11[x], d12[x] = dithered[S](g11-omega*(g11-e-o), z, 6), dithered[S](g12-omega*(g12-e+o), z, 6)
		c = ux - uz
		e, o = w2*(b+h*c*c), 3*w2*(jx-jz)
		d13[x], d14[x] = dithered[S](g13-omega*(g13-e-o), z, 7), dithered[S](g14-omega*(g14-e+o), z, 7)
		c = uy + uz
		e, o = w2*(b+h*c*c), 3*w2*(jy+jz)
		d15[x], d16[x] = dithered[S](g15-omega*(g15-e-o), z, 8), dithered[S](g16-omega*(g16-e+o), z, 8)
		c = uy - uz
		e, o = w2*(b+h*c*c), 3*w2*(jy-jz)
		d17[x], d18[x] = dithered[S](g17-omega*(g17-e-o), z, 9), dithered[S](g18-omega*(g18-e+o), z, 9)
	}
}

// trtRowD3Q19 pulls and collides a row with a rate for each parity and a uniform
// body force ρ·a by the scheme of Guo, Zheng & Shi, Phys. Rev. E 65 (2002) 046308.
func trtRowD3Q19[T Float, S Stored](dst, src *rows[S], k *rates[T]) {
	const w1, w2 = 1. / 18, 1. / 36
	n := len(dst[0])
	s0, s1, s2, s3, s4 := src[0][:n], src[1][:n], src[2][:n], src[3][:n], src[4][:n]
	s5, s6, s7, s8, s9 := src[5][:n], src[6][:n], src[7][:n], src[8][:n], src[9][:n]
	s10, s11, s12, s13, s14 := src[10][:n], src[11][:n], src[12][:n], src[13][:n], src[14][:n]
	s15, s16, s17, s18 := src[15][:n], src[16][:n], src[17][:n], src[18][:n]
	d0, d1, d2, d3, d4 := dst[0][:n], dst[1][:n], dst[2][:n], dst[3][:n], dst[4][:n]
	d5, d6, d7, d8, d9 := dst[5][:n], dst[6][:n], dst[7][:n], dst[8][:n], dst[9][:n]
	d10, d11, d12, d13, d14 := dst[10][:n], dst[11][:n], dst[12][:n], dst[13][:n], dst[14][:n]
	d15, d16, d17, d18 := dst[15][:n], dst[16][:n], dst[17][:n], dst[18][:n]
	even, odd, se, so := k.even, k.odd, k.sourceEven, k.sourceOdd
	ax, ay, az := k.accel[0], k.accel[1], k.accel[2]
	for x := range n {
		z := noise[S](k.seed, x)
		g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17, g18 := decode[T](s0[x]), decode[T](s1[x]), decode[T](s2[x]), decode[T](s3[x]), decode[T](s4[x]), decode[T](s5[x]), decode[T](s6[x]), decode[T](s7[x]), decode[T](s8[x]), decode[T](s9[x]), decode[T](s10[x]), decode[T](s11[x]), decode[T](s12[x]), decode[T](s13[x]), decode[T](s14[x]), decode[T](s15[x]), decode[T](s16[x]), decode[T](s17[x]), decode[T](s18[x])

		r := g0 + (g1 + g2) + (g3 + g4) + (g5 + g6) + (g7 + g8) + (g9 + g10) + (g11 + g12) + (g13 + g14) + (g15 + g16) + (g17 + g18) // ρ − 1
		jx := (g1 - g2) + (g7 - g8) + (g9 - g10) + (g11 - g12) + (g13 - g14)
		jy := (g3 - g4) + (g7 - g8) - (g9 - g10) + (g15 - g16) + (g17 - g18)
		jz := (g5 - g6) + (g11 - g12) - (g13 - g14) + (g15 - g16) - (g17 - g18)
		rho := 1 + r
		inv := 1 / rho
		ux := jx*inv + 0.5*ax
		uy := jy*inv + 0.5*ay
		uz := jz*inv + 0.5*az
		b := r - rho*1.5*(ux*ux+uy*uy+uz*uz)
		fu := ux*ax + uy*ay + uz*az // u·a
		d0[x] = dithered[S](g0-even*(g0-(1./3)*b)-se*(3*(1./3))*rho*fu, z, 0)
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
		c, f = uz, az
		p, m = 0.5*(g5+g6), 0.5*(g5-g6)
		p = even*(p-w1*(b+4.5*rho*c*c)) - se*w1*rho*(9*c*f-3*fu)
		m = odd*(m-3*w1*rho*c) - so*3*w1*rho*f
		d5[x], d6[x] = dithered[S](g5-p-m, z, 3), dithered[S](g6-p+m, z, 3)
		c, f = ux+uy, ax+ay
		p, m = 0.5*(g7+g8), 0.5*(g7-g8)
		p = even*(p-w2*(b+4.5*rho*c*c)) - se*w2*rho*(9*c*f-3*fu)
		m = odd*(m-3*w2*rho*c) - so*3*w2*rho*f
		d7[x], d8[x] = dithered[S](g7-p-m, z, 4), dithered[S](g8-p+m, z, 4)
		c, f = ux-uy, ax-ay
		p, m = 0.5*(g9+g10), 0.5*(g9-g10)
		p = even*(p-w2*(b+4.5*rho*c*c)) - se*w2*rho*(9*c*f-3*fu)
		m = odd*(m-3*w2*rho*c) - so*3*w2*rho*f
		d9[x], d10[x] = dithered[S](g9-p-m, z, 5), dithered[S](g10-p+m, z, 5)
		c, f = ux+uz, ax+az
		p, m = 0.5*(g11+g12), 0.5*(g11-g12)
		p = even*(p-w2*(b+4.5*rho*c*c)) - se*w2*rho*(9*c*f-3*fu)
		m = odd*(m-3*w2*rho*c) - so*3*w2*rho*f
		d11[x], d12[x] = dithered[S](g11-p-m, z, 6), dithered[S](g12-p+m, z, 6)
		c, f = ux-uz, ax-az
		p, m = 0.5*(g13+g14), 0.5*(g13-g14)
		p = even*(p-w2*(b+4.5*rho*c*c)) - se*w2*rho*(9*c*f-3*fu)
		m = odd*(m-3*w2*rho*c) - so*3*w2*rho*f
		d13[x], d14[x] = dithered[S](g13-p-m, z, 7), dithered[S](g14-p+m, z, 7)
		c, f = uy+uz, ay+az
		p, m = 0.5*(g15+g16), 0.5*(g15-g16)
		p = even*(p-w2*(b+4.5*rho*c*c)) - se*w2*rho*(9*c*f-3*fu)
		m = odd*(m-3*w2*rho*c) - so*3*w2*rho*f
		d15[x], d16[x] = dithered[S](g15-p-m, z, 8), dithered[S](g16-p+m, z, 8)
		c, f = uy-uz, ay-az
		p, m = 0.5*(g17+g18), 0.5*(g17-g18)
		p = even*(p-w2*(b+4.5*rho*c*c)) - se*w2*rho*(9*c*f-3*fu)
		m = odd*(m-3*w2*rho*c) - so*3*w2*rho*f
		d17[x], d18[x] = dithered[S](g17-p-m, z, 9), dithered[S](g18-p+m, z, 9)
	}
}
