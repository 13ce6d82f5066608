package lbm

// momentRowD2Q9 pulls and collides a row by way of its stress: with or without
// an eddy viscosity, with or without other even moments (rates.ghosts), and with a
// uniform body force ρ·a. About the momentum after the force, j' = j + ρa, the
// stress is after collision
//
//	j' j'/ρ + (1 − ω) Π − ω₀/4 ρ a a,   Π = Σ c c f − ρ c_s² − j j/ρ,
//
// which is what Guo's scheme gives, ω₀ being the rate without an eddy viscosity.
func momentRowD2Q9[T Float, S Stored](dst, src *rows[S], k *rates[T]) {
	const w1, w2 = 1. / 9, 1. / 36
	n := len(dst[0])
	s0, s1, s2 := src[0][:n], src[1][:n], src[2][:n]
	s3, s4, s5 := src[3][:n], src[4][:n], src[5][:n]
	s6, s7, s8 := src[6][:n], src[7][:n], src[8][:n]
	d0, d1, d2 := dst[0][:n], dst[1][:n], dst[2][:n]
	d3, d4, d5 := dst[3][:n], dst[4][:n], dst[5][:n]
	d6, d7, d8 := dst[6][:n], dst[7][:n], dst[8][:n]
	ax, ay, ghosts, eddies := k.accel[0], k.accel[1], k.ghosts, k.nodesDiffer()
	axx, ayy, axy := 0.25*k.even*ax*ax, 0.25*k.even*ay*ay, 0.25*k.even*ax*ay
	keep, odd := 1-k.even, 1-k.odd
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
		nxx, nyy, nxy := p1+(p5+p7)-r/3, p3+(p5+p7)-r/3, p5-p7 // about rest
		pxx, pyy, pxy := nxx-jx*ux, nyy-jy*uy, nxy-jx*uy
		if eddies {
			keep, odd = k.inEddies(pxx*pxx+pyy*pyy+2*pxy*pxy, inv)
		}
		ghost := ghosts * keep
		fx, fy := jx+rho*ax, jy+rho*ay
		ux, uy = ux+ax, uy+ay
		pxx = keep*pxx + fx*ux - axx*rho - ghost*nxx
		pyy = keep*pyy + fy*uy - ayy*rho - ghost*nyy
		pxy = keep*pxy + fx*uy - axy*rho - ghost*nxy
		fx, fy = 3*(fx-odd*jx), 3*(fy-odd*jy)
		ghost, o := 0.5*ghost, 0.5*odd

		b := r*(1-2*ghost) - 1.5*(pxx+pyy)
		d0[x] = dithered[S]((4./9)*b+2*ghost*g0, z, 0)
		e, f := w1*(b+4.5*pxx)+ghost*p1, w1*fx+o*m1
		d1[x], d2[x] = dithered[S](e+f, z, 1), dithered[S](e-f, z, 1)
		e, f = w1*(b+4.5*pyy)+ghost*p3, w1*fy+o*m3
		d3[x], d4[x] = dithered[S](e+f, z, 2), dithered[S](e-f, z, 2)
		b += 4.5 * (pxx + pyy)
		e, f = w2*(b+9*pxy)+ghost*p5, w2*(fx+fy)+o*m5
		d5[x], d6[x] = dithered[S](e+f, z, 3), dithered[S](e-f, z, 3)
		e, f = w2*(b-9*pxy)+ghost*p7, w2*(fx-fy)+o*m7
		d7[x], d8[x] = dithered[S](e+f, z, 4), dithered[S](e-f, z, 4)
	}
}
