package lbm

// nodeByNode is forcedRow without assembly: nodes on which forces act, or that have other relaxation times than the collision's, each by the
// plain kernel of a row of one node; others as rows are. It is what the assembly is compared with.
func (s *sweeper[T, S]) nodeByNode(f *CPU[T, S], p *pattern, run int, seed uint32, runs []nodeRun) {
	done, n, nx := 0, f.runs[run].start, int(f.runs[run].n)
	first, end := f.forced.relaxing(run)
	for x := 0; x < nx; x++ {
		for len(runs) > 0 && x >= int(runs[0].x+runs[0].n) {
			runs = runs[1:]
		}
		at := -1 // of the force
		if len(runs) > 0 && x >= int(runs[0].x) {
			at = int(runs[0].at) + x - int(runs[0].x)
		}
		number := int(f.runs[run].first) + x
		other := x >= first && x < end && f.forced.step.Relaxation.Tau[number] != f.rates.tau
		if at < 0 && !other {
			continue
		}
		s.row(f, p, n+done, x-done, seed+uint32(done))
		s.rates.seed = seed + uint32(x)
		s.node(f, p, n+x, at, number, other)
		done = x + 1
	}
	s.row(f, p, n+done, nx-done, seed+uint32(done))
}

// node pulls and collides padded node n, whose force stands at at, −1: none, and whose relaxation time is another than the collision's or not.
func (s *sweeper[T, S]) node(f *CPU[T, S], p *pattern, n, at, number int, other bool) {
	l, step := &f.layout, f.forced.step
	var g [MaxQ]T
	for i := range l.Q {
		s.src[i], s.dst[i] = s.in[i][:1], s.out[i][:1]
		gatherRow(l, s.src[i], f.now, p.read[i].slot, n+f.shift(&p.read[i], n))
		g[i] = decode[T](s.src[i][0])
	}
	as := s.rates
	if other {
		s.rates.at(step.Relaxation.Tau[number])
	}
	if at >= 0 {
		r, x, y, z := f.tables.moments(&g)
		j := [3]T{x, y, z}
		step.Rho[at] = 1 + r
		for a, force := range step.Force {
			s.rates.accel[a] += force[at] / (1 + r)
			step.U[a][at] = j[a]/(1+r) + s.rates.accel[a]/2
		}
	}
	f.forced.plain(&s.dst, &s.src, &s.rates)
	s.rates = as
	for i := range l.Q {
		scatterRow(l, f.next, s.dst[i], p.write[i].slot, n+f.shift(&p.write[i], n))
	}
}
