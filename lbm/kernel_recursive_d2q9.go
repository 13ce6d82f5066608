package lbm

// recursiveRowD2Q9 pulls and collides a row by way of its stress, as momentRowD2Q9
// does, and makes the moments beyond it those of a fluid in whose frame they are
// what they would be at rest: with P = ρ u u + Π the stress after collision less
// ρ c_s², about the momentum ρu after the force, and t_abb = Σ c_a c_b² f − ρ u_a c_s²,
//
//	t_xyy = ρ u_x u_y² + 2 u_y Π_xy + u_x Π_yy,   t_xxy alike,
//	Σ c_x² c_y² f = ρ c_s⁴ + c_s² (P_xx + P_yy) + ρ u_x² u_y² + u_x² Π_yy + u_y² Π_xx + 4 u_x u_y Π_xy.
//
// So the populations after collision depend on ρ, ρu and P alone.
func recursiveRowD2Q9[T Float, S Stored](dst, src *rows[S], k *rates[T]) {
	n := len(dst[0])
	s0, s1, s2 := src[0][:n], src[1][:n], src[2][:n]
	s3, s4, s5 := src[3][:n], src[4][:n], src[5][:n]
	s6, s7, s8 := src[6][:n], src[7][:n], src[8][:n]
	d0, d1, d2 := dst[0][:n], dst[1][:n], dst[2][:n]
	d3, d4, d5 := dst[3][:n], dst[4][:n], dst[5][:n]
	d6, d7, d8 := dst[6][:n], dst[7][:n], dst[8][:n]
	ax, ay, eddies := k.accel[0], k.accel[1], k.nodesDiffer()
	axx, ayy, axy := 0.25*k.even*ax*ax, 0.25*k.even*ay*ay, 0.25*k.even*ax*ay
	keep := 1 - k.even
	for x := range n {
		z := noise[S](k.seed, x)
		g0, g1, g2, g3, g4, g5, g6, g7, g8 := decode[T](s0[x]), decode[T](s1[x]), decode[T](s2[x]), decode[T](s3[x]), decode[T](s4[x]), decode[T](s5[x]), decode[T](s6[x]), decode[T](s7[x]), decode[T](s8[x])

		p1, p3, p5, p7 := g1+g2, g3+g4, g5+g6, g7+g8
		m1, m3, m5, m7 := g1-g2, g3-g4, g5-g6, g7-g8
		r := g0 + p1 + p3 + (p5 + p7) // ρ − 1
		jx, jy := m1+m5+m7, m3+m5-m7
		rho := 1 + r
		inv := 1 / rho
		ux, uy := jx*inv, jy*inv
		nxx, nyy, nxy := p1+(p5+p7)-r/3, p3+(p5+p7)-r/3, p5-p7
		pxx, pyy, pxy := nxx-jx*ux, nyy-jy*uy, nxy-jx*uy
		if eddies {
			keep, _ = k.inEddies(pxx*pxx+pyy*pyy+2*pxy*pxy, inv)
		}
		jx, jy = jx+rho*ax, jy+rho*ay
		ux, uy = ux+ax, uy+ay
		pxx = keep*pxx + jx*ux - axx*rho
		pyy = keep*pyy + jy*uy - ayy*rho
		pxy = keep*pxy + jx*uy - axy*rho

		txxy, txyy, four := ofFrame(jx*uy, ux, uy, pxx, pyy, pxy)
		four += r/9 + (pxx+pyy)/3
		r /= 3
		d0[x] = dithered[S](r-(pxx+pyy)+four, z, 0)
		ox, oy := jx/3+txyy, jy/3+txxy
		e, o := 0.5*(r+pxx-four), 0.5*(jx-ox)
		d1[x], d2[x] = dithered[S](e+o, z, 1), dithered[S](e-o, z, 1)
		e, o = 0.5*(r+pyy-four), 0.5*(jy-oy)
		d3[x], d4[x] = dithered[S](e+o, z, 2), dithered[S](e-o, z, 2)
		e, o = 0.25*(four+pxy), 0.25*(ox+oy)
		d5[x], d6[x] = dithered[S](e+o, z, 3), dithered[S](e-o, z, 3)
		e, o = 0.25*(four-pxy), 0.25*(ox-oy)
		d7[x], d8[x] = dithered[S](e+o, z, 4), dithered[S](e-o, z, 4)
	}
}

// ofFrame are the third moments t_aab and t_abb and what the fourth has beyond them, of a
// stress P = q + Π in a fluid that moves with u; q is ρ u_a u_b.
func ofFrame[T Float](q, ua, ub, paa, pbb, pab T) (taab, tabb, four T) {
	cross := 2 * (pab - q)
	taab, tabb = ua*cross+ub*paa, ub*cross+ua*pbb
	return taab, tabb, ub*taab + ua*tabb - q*ua*ub
}
