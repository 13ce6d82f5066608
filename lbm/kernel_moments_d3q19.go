package lbm

// momentRowD3Q19 is momentRowD2Q9 in space.
func momentRowD3Q19[T Float, S Stored](dst, src *rows[S], k *rates[T]) {
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
	ax, ay, az, ghosts, eddies := k.accel[0], k.accel[1], k.accel[2], k.ghosts, k.nodesDiffer()
	axx, ayy, azz := 0.25*k.even*ax*ax, 0.25*k.even*ay*ay, 0.25*k.even*az*az
	axy, axz, ayz := 0.25*k.even*ax*ay, 0.25*k.even*ax*az, 0.25*k.even*ay*az
	keep, odd := 1-k.even, 1-k.odd
	for x := range n {
		z := noise[S](k.seed, x)
		g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17, g18 := decode[T](s0[x]), decode[T](s1[x]), decode[T](s2[x]), decode[T](s3[x]), decode[T](s4[x]), decode[T](s5[x]), decode[T](s6[x]), decode[T](s7[x]), decode[T](s8[x]), decode[T](s9[x]), decode[T](s10[x]), decode[T](s11[x]), decode[T](s12[x]), decode[T](s13[x]), decode[T](s14[x]), decode[T](s15[x]), decode[T](s16[x]), decode[T](s17[x]), decode[T](s18[x])

		p1, p3, p5 := g1+g2, g3+g4, g5+g6
		p7, p9, p11, p13, p15, p17 := g7+g8, g9+g10, g11+g12, g13+g14, g15+g16, g17+g18
		m1, m3, m5 := g1-g2, g3-g4, g5-g6
		m7, m9, m11, m13, m15, m17 := g7-g8, g9-g10, g11-g12, g13-g14, g15-g16, g17-g18
		r := g0 + p1 + p3 + p5 + ((p7 + p9) + (p11 + p13) + (p15 + p17)) // ρ − 1
		jx, jy, jz := m1+(m7+m9)+(m11+m13), m3+(m7-m9)+(m15+m17), m5+(m11-m13)+(m15-m17)
		rho := 1 + r
		inv := 1 / rho
		ux, uy, uz := jx*inv, jy*inv, jz*inv
		nxx, nyy, nzz := p1+(p7+p9)+(p11+p13)-r/3, p3+(p7+p9)+(p15+p17)-r/3, p5+(p11+p13)+(p15+p17)-r/3 // about rest
		nxy, nxz, nyz := p7-p9, p11-p13, p15-p17
		pxx, pyy, pzz := nxx-jx*ux, nyy-jy*uy, nzz-jz*uz
		pxy, pxz, pyz := nxy-jx*uy, nxz-jx*uz, nyz-jy*uz
		if eddies {
			keep, odd = k.inEddies(pxx*pxx+pyy*pyy+pzz*pzz+2*(pxy*pxy+pxz*pxz+pyz*pyz), inv)
		}
		ghost := ghosts * keep
		fx, fy, fz := jx+rho*ax, jy+rho*ay, jz+rho*az
		ux, uy, uz = ux+ax, uy+ay, uz+az
		pxx = keep*pxx + fx*ux - axx*rho - ghost*nxx
		pyy = keep*pyy + fy*uy - ayy*rho - ghost*nyy
		pzz = keep*pzz + fz*uz - azz*rho - ghost*nzz
		pxy = keep*pxy + fx*uy - axy*rho - ghost*nxy
		pxz = keep*pxz + fx*uz - axz*rho - ghost*nxz
		pyz = keep*pyz + fy*uz - ayz*rho - ghost*nyz
		fx, fy, fz = 3*(fx-odd*jx), 3*(fy-odd*jy), 3*(fz-odd*jz)
		ghost, o := 0.5*ghost, 0.5*odd

		b := r*(1-2*ghost) - 1.5*(pxx+pyy+pzz)
		d0[x] = dithered[S]((1./3)*b+2*ghost*g0, z, 0)
		e, f := w1*(b+4.5*pxx)+ghost*p1, w1*fx+o*m1
		d1[x], d2[x] = dithered[S](e+f, z, 1), dithered[S](e-f, z, 1)
		e, f = w1*(b+4.5*pyy)+ghost*p3, w1*fy+o*m3
		d3[x], d4[x] = dithered[S](e+f, z, 2), dithered[S](e-f, z, 2)
		e, f = w1*(b+4.5*pzz)+ghost*p5, w1*fz+o*m5
		d5[x], d6[x] = dithered[S](e+f, z, 3), dithered[S](e-f, z, 3)
		q := b + 4.5*(pxx+pyy)
		e, f = w2*(q+9*pxy)+ghost*p7, w2*(fx+fy)+o*m7
		d7[x], d8[x] = dithered[S](e+f, z, 4), dithered[S](e-f, z, 4)
		e, f = w2*(q-9*pxy)+ghost*p9, w2*(fx-fy)+o*m9
		d9[x], d10[x] = dithered[S](e+f, z, 5), dithered[S](e-f, z, 5)
		q = b + 4.5*(pxx+pzz)
		e, f = w2*(q+9*pxz)+ghost*p11, w2*(fx+fz)+o*m11
		d11[x], d12[x] = dithered[S](e+f, z, 6), dithered[S](e-f, z, 6)
		e, f = w2*(q-9*pxz)+ghost*p13, w2*(fx-fz)+o*m13
		d13[x], d14[x] = dithered[S](e+f, z, 7), dithered[S](e-f, z, 7)
		q = b + 4.5*(pyy+pzz)
		e, f = w2*(q+9*pyz)+ghost*p15, w2*(fy+fz)+o*m15
		d15[x], d16[x] = dithered[S](e+f, z, 8), dithered[S](e-f, z, 8)
		e, f = w2*(q-9*pyz)+ghost*p17, w2*(fy-fz)+o*m17
		d17[x], d18[x] = dithered[S](e+f, z, 9), dithered[S](e-f, z, 9)
	}
}
