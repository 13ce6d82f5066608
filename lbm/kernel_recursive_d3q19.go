package lbm

// recursiveRowD3Q19 is recursiveRowD2Q9 in space, plane by plane: D3Q19 has third moments
// t_abb and fourth moments of two axes alone. Of the momentum along an axis two planes
// carry a third each, and the velocities along the axis the rest. Beside c_s² (P_xx + P_yy)
// the fourth moment of a plane has −c_s² P_zz/2, as in equilibrium of second order: what of
// it is orthogonal to the stress under the weights is 0 at rest. Without, streams are unstable
// from a grid Reynolds number of 16 on; with it they are stable to 10⁴.
func recursiveRowD3Q19[T Float, S Stored](dst, src *rows[S], k *rates[T]) {
	n := len(dst[0])
	s0, s1, s2, s3, s4 := src[0][:n], src[1][:n], src[2][:n], src[3][:n], src[4][:n]
	s5, s6, s7, s8, s9 := src[5][:n], src[6][:n], src[7][:n], src[8][:n], src[9][:n]
	s10, s11, s12, s13, s14 := src[10][:n], src[11][:n], src[12][:n], src[13][:n], src[14][:n]
	s15, s16, s17, s18 := src[15][:n], src[16][:n], src[17][:n], src[18][:n]
	d0, d1, d2, d3, d4 := dst[0][:n], dst[1][:n], dst[2][:n], dst[3][:n], dst[4][:n]
	d5, d6, d7, d8, d9 := dst[5][:n], dst[6][:n], dst[7][:n], dst[8][:n], dst[9][:n]
	d10, d11, d12, d13, d14 := dst[10][:n], dst[11][:n], dst[12][:n], dst[13][:n], dst[14][:n]
	d15, d16, d17, d18 := dst[15][:n], dst[16][:n], dst[17][:n], dst[18][:n]
	ax, ay, az, eddies := k.accel[0], k.accel[1], k.accel[2], k.nodesDiffer()
	axx, ayy, azz := 0.25*k.even*ax*ax, 0.25*k.even*ay*ay, 0.25*k.even*az*az
	axy, axz, ayz := 0.25*k.even*ax*ay, 0.25*k.even*ax*az, 0.25*k.even*ay*az
	keep := 1 - k.even
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
		nxx, nyy, nzz := p1+(p7+p9)+(p11+p13)-r/3, p3+(p7+p9)+(p15+p17)-r/3, p5+(p11+p13)+(p15+p17)-r/3
		nxy, nxz, nyz := p7-p9, p11-p13, p15-p17
		pxx, pyy, pzz := nxx-jx*ux, nyy-jy*uy, nzz-jz*uz
		pxy, pxz, pyz := nxy-jx*uy, nxz-jx*uz, nyz-jy*uz
		if eddies {
			keep, _ = k.inEddies(pxx*pxx+pyy*pyy+pzz*pzz+2*(pxy*pxy+pxz*pxz+pyz*pyz), inv)
		}
		jx, jy, jz = jx+rho*ax, jy+rho*ay, jz+rho*az
		ux, uy, uz = ux+ax, uy+ay, uz+az
		pxx = keep*pxx + jx*ux - axx*rho
		pyy = keep*pyy + jy*uy - ayy*rho
		pzz = keep*pzz + jz*uz - azz*rho
		pxy = keep*pxy + jx*uy - axy*rho
		pxz = keep*pxz + jx*uz - axz*rho
		pyz = keep*pyz + jy*uz - ayz*rho

		txxy, txyy, fxy := ofFrame(jx*uy, ux, uy, pxx, pyy, pxy)
		txxz, txzz, fxz := ofFrame(jx*uz, ux, uz, pxx, pzz, pxz)
		tyyz, tyzz, fyz := ofFrame(jy*uz, uy, uz, pyy, pzz, pyz)
		trace := r/9 - (pxx+pyy+pzz)/6
		fxy += trace + 0.5*(pxx+pyy)
		fxz += trace + 0.5*(pxx+pzz)
		fyz += trace + 0.5*(pyy+pzz)

		r /= 3
		d0[x] = dithered[S](fxy+fxz+fyz-(pxx+pyy+pzz), z, 0)
		ox, oy, oz := jx/3, jy/3, jz/3
		e, o := 0.5*(r+pxx-fxy-fxz), 0.5*(ox-txyy-txzz)
		d1[x], d2[x] = dithered[S](e+o, z, 1), dithered[S](e-o, z, 1)
		e, o = 0.5*(r+pyy-fxy-fyz), 0.5*(oy-txxy-tyzz)
		d3[x], d4[x] = dithered[S](e+o, z, 2), dithered[S](e-o, z, 2)
		e, o = 0.5*(r+pzz-fxz-fyz), 0.5*(oz-txxz-tyyz)
		d5[x], d6[x] = dithered[S](e+o, z, 3), dithered[S](e-o, z, 3)
		oa, ob := ox+txyy, oy+txxy
		e, o = 0.25*(fxy+pxy), 0.25*(oa+ob)
		d7[x], d8[x] = dithered[S](e+o, z, 4), dithered[S](e-o, z, 4)
		e, o = 0.25*(fxy-pxy), 0.25*(oa-ob)
		d9[x], d10[x] = dithered[S](e+o, z, 5), dithered[S](e-o, z, 5)
		oa, ob = ox+txzz, oz+txxz
		e, o = 0.25*(fxz+pxz), 0.25*(oa+ob)
		d11[x], d12[x] = dithered[S](e+o, z, 6), dithered[S](e-o, z, 6)
		e, o = 0.25*(fxz-pxz), 0.25*(oa-ob)
		d13[x], d14[x] = dithered[S](e+o, z, 7), dithered[S](e-o, z, 7)
		oa, ob = oy+tyzz, oz+tyyz
		e, o = 0.25*(fyz+pyz), 0.25*(oa+ob)
		d15[x], d16[x] = dithered[S](e+o, z, 8), dithered[S](e-o, z, 8)
		e, o = 0.25*(fyz-pyz), 0.25*(oa-ob)
		d17[x], d18[x] = dithered[S](e+o, z, 9), dithered[S](e-o, z, 9)
	}
}
