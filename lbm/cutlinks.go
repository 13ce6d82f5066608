package lbm

import (
	"math"
	"unsafe"

	"lbmib/internal/parallel"
)

// Links that a surface cuts (Cut) take, at the wall, the linear interpolation of Bouzidi, Firdaouss & Lallemand, Phys. Fluids 13 (2001)
// 3452, eq. 5, which lets a wall at rest be where it is, to second order. With j leading from the wall to node p, i against it, and
// populations after collision:
//
//	q < ½:  f_j(p) ← 2q f_i(p) + (1 − 2q) f_i(p + c_j)
//	q ≥ ½:  f_j(p) ← f_i(p)/2q + (1 − 1/2q) f_j(p)
//
// In place, f_j(p) is no more where it was when another row has been swept before this one, so it is kept when p has been swept and is
// in the cache; the others are where only the sweep of p would read them. Where p + c_j is a wall, too, as in a gap one node wide, there
// is nothing to interpolate with: q is ½ there.
//
// A velocity port bounces populations back with the gain of a moving wall halfway, whose sum over its links is what enters, to
// rounding. A pressure port has its density ρ_b halfway. With the even parts of equilibrium w_j ρ E and of what is beside it, n⁺,
//
//	f_j(p) ← f_j(p) + 2 w_j E (ρ_b − ρ) − 2α n⁺,  E = 1 + 4.5 (c_j·u)² − 1.5 u²,  n⁺ = ½ (f_j + f_i)(p) − w_j ρ E
//
// α = 1 bounces back with the opposite sign, f_j(p) ← 2 w_j ρ_b E − f_i(p) (Ginzburg, Verhaeghe & d'Humières, Commun. Comput. Phys. 3
// (2008) 427), and α = 0 takes the node's own f_j, moved to the density of a ghost that has the port's halfway (Guo, Zheng & Shi, Phys. Fluids 14
// (2002) 2007, of zeroth order in the velocity). The former is unstable where thin shears leave, the latter where fluid enters with whatever
// velocity it has inside; so α is 1 there, and 1/(1 + (c_i·u/ν)²) where it leaves along the link. Where it enters at a grid Reynolds number e = c_j·u/ν of
// several, both are: it comes from rest there, and ρ_b is less by 3u²/2 (Bernoulli) times e²/(e₀² + e²).

// cutRule is how a cut link is written.
type cutRule uint8

const (
	cutNear     cutRule = iota // q < ½
	cutFar                     // q ≥ ½: takes a kept value
	cutVelocity                // of a port
	cutPressure                // of a port: takes two kept values
)

// cutLink is population i of a node of a run. Its number is q, or which of the links of ports it is.
type cutLink struct {
	x    uint16
	i    uint8
	rule cutRule
	of   uint32 // the bits of q, or the link's place in portLinks
}

// portLink belongs to a link of a port.
type portLink[T Float] struct {
	port int32
	run  int32
	x    uint16
	i    uint8
	kept int32 // where what a pressure takes is kept
	gain T     // of a velocity, at an amplitude of 1
}

// cutLinks are those of a fluid.
type cutLinks[T Float, S Stored] struct {
	in     *storage[T, S]
	tables *tables[T]
	turns  [][MaxQ]turn // of each phase

	all       []cutLink // by run
	first     []int32   // of each run, and the end
	kept      []T       // what links take of their nodes after the last sweep: one value, of pressure ports two
	keptFirst []int32   // of each run
	ports     []portLink[T]
	patches   patches[T]
	amplitude []T       // of each port in the step at hand: on a velocity; of a pressure ρ − 1
	pressure  []float64 // of windkessel ports
	thinness  T         // 1/ν, with which ports tell thin shears
	moved     []bool    // runs whose populations somebody changed after they were kept
	any       bool      // there are such
	flows     []float64 // what enters through each port in the step to be made, of all parts; nil: there is one
	on        []uint64  // a bit per node of the domain: something of it is kept
}

// compileCuts makes the links of a storage by runs; a node's links at walls that are no cuts stay those of the compiler.
func compileCuts[T Float, S Stored](s *storage[T, S], tables *tables[T], turns [][MaxQ]turn) *cutLinks[T, S] {
	c := &cutLinks[T, S]{in: s, tables: tables, turns: turns, moved: make([]bool, len(s.runs)), on: make([]uint64, (s.cfg.Nodes()+63)/64)}
	c.thinness = T(1 / s.cfg.Collision.TypicalViscosity())
	cuts := s.cfg.Cuts
	c.all = make([]cutLink, 0, len(cuts))
	for k := range s.runs {
		r := &s.runs[k]
		c.patches.first = append(c.patches.first, int32(len(c.patches.of)))
		c.first, c.keptFirst = append(c.first, int32(len(c.all))), append(c.keptFirst, int32(len(c.kept)))
		p := [3]int{0, int(r.row) % s.cfg.Size[1], int(r.row) / s.cfg.Size[1]}
		for ; len(cuts) > 0 && cuts[0].Node < r.first+r.n; cuts = cuts[1:] {
			x := cuts[0].Node - r.first
			p[0] = int(r.x + x)
			c.add(&s.cfg, &cuts[0], p, k, uint16(x))
		}
	}
	c.first = append(c.first, int32(len(c.all)))
	scalePorts(&s.cfg, c.ports)
	c.patches.allocate()
	c.amplitude, c.pressure = make([]T, len(s.cfg.Ports)), make([]float64, len(s.cfg.Ports))
	return c
}

// add compiles a cut at node p of a run.
func (c *cutLinks[T, S]) add(cfg *Config, cut *Cut, p [3]int, run int, x uint16) {
	rule, q := cfg.ruleOf(cut, p)
	l := cutLink{x: x, i: cut.I, rule: rule, of: math.Float32bits(q)}
	if cut.Port >= 0 {
		l.of = uint32(len(c.ports))
		c.ports = append(c.ports, portLink[T]{port: int32(cut.Port), run: int32(run), x: x, i: cut.I, kept: int32(len(c.kept)), gain: gainOf[T](cfg, cut, cfg.inWhole(p))})
	}
	switch l.rule {
	case cutPressure:
		c.kept = append(c.kept, 0, 0)
	case cutFar:
		c.kept = append(c.kept, 0)
	}
	if l.rule == cutPressure || l.rule == cutFar {
		c.on[cut.Node/64] |= 1 << (cut.Node % 64)
	}
	if l.rule <= cutFar {
		c.patches.add(cfg.inWhole(p), run, x)
	}
	c.all = append(c.all, l)
}

// ruleOf is how a cut link of node p is written, and where the surface counts as being on it.
func (c *Config) ruleOf(cut *Cut, p [3]int) (rule cutRule, q float32) {
	switch {
	case cut.Port >= 0 && c.Ports[cut.Port].Kind == PortVelocity:
		return cutVelocity, cut.Q
	case cut.Port >= 0:
		return cutPressure, cut.Q
	case cut.Q >= 0.5:
		return cutFar, cut.Q
	}
	if !c.step(&p, c.Lattice.C[cut.I], 1) || c.solid(p) {
		return cutFar, 0.5
	}
	return cutNear, cut.Q
}

// gainOf is what a velocity port adds to a link at an amplitude of 1, before it is scaled to a flow rate; 0 of others. The place is that in the whole flow.
func gainOf[T Float](c *Config, cut *Cut, p [3]int) (gain T) {
	port, v := &c.Ports[cut.Port], c.Lattice.C[cut.I]
	if port.Kind != PortVelocity {
		return 0
	}
	var at [3]float64
	for a := range at {
		at[a] = float64(p[a]) - float64(cut.Q)*float64(v[a])
	}
	u := port.Velocity(at)
	for a := range c.Lattice.Dim {
		gain += T(6 * c.Lattice.W[cut.I] * float64(v[a]) * u[a])
	}
	return gain
}

// scalePorts lets velocity ports have their flow rates, whatever their links: all of the whole flow, in their order.
func scalePorts[T Float](cfg *Config, ports []portLink[T]) {
	enters := make([]float64, len(cfg.Ports))
	if w := cfg.Whole; w != nil {
		at := w.cursor()
		for k := range w.Cuts {
			if cut := &w.Cuts[k]; cut.Port >= 0 {
				enters[cut.Port] += float64(gainOf[T](w, cut, at.position(cut.Node)))
			}
		}
	} else {
		for k := range ports {
			enters[ports[k].port] += float64(ports[k].gain)
		}
	}
	for k := range ports {
		l := &ports[k]
		if p := &cfg.Ports[l.port]; p.Kind == PortVelocity && p.FlowRate != 0 && enters[l.port] != 0 {
			l.gain *= T(p.FlowRate / enters[l.port])
		}
	}
}

// fill writes the cut links of a run, right before it is swept.
func (c *cutLinks[T, S]) fill(phase, run int, seed uint32) {
	r := &c.in.runs[run]
	first, by, turns := &c.in.now[r.start], &c.in.sparse.shifts[run], &c.turns[phase]
	kept := c.kept[c.keptFirst[run]:]
	w := wallNode[T, S]{of: &c.patches, first: first, rest: turns[0].to, start: int(r.x) + c.in.cfg.Origin[0], x: -1, at: int(c.patches.first[run]) - 1, patch: -1, seed: seed}
	for k, l := range c.all[c.first[run]:c.first[run+1]] {
		x, t := int(l.x), &turns[l.i]
		to := element(first, x+t.to+int(by[t.toRow]))
		back := decode[T](*element(first, x+t.from+int(by[t.byRow])))
		var v T
		switch l.rule {
		case cutNear:
			q := T(math.Float32frombits(l.of))
			o := &turns[Opposite(int(l.i))]
			v = 2*q*back + (1-2*q)*decode[T](*element(first, x+o.to+int(by[o.toRow])))
		case cutFar:
			q := T(math.Float32frombits(l.of))
			share := 1 / (2 * q)
			v = share*back + (1-share)*kept[0]
			kept = kept[1:]
		case cutVelocity:
			link := &c.ports[l.of]
			v = back + c.amplitude[link.port]*link.gain
		case cutPressure:
			v = kept[0] + kept[1]*c.amplitude[c.ports[l.of].port]
			kept = kept[2:]
		}
		if l.rule <= cutFar {
			w.gains(x, v-back)
		}
		*to = dithered[S](v, noise[S](seed, noiseOfCuts+int(r.x)*MaxQ+k), 0)
	}
}

// noiseOfCuts is where the noise of cut links begins among that of a row's walls.
const noiseOfCuts = 1 << 20

// keep keeps what the cut links of a run take of its nodes, whose populations lie where a phase begins with them.
func (c *cutLinks[T, S]) keep(k *rates[T], populations []S, phase, run int) {
	first, by, turns := &populations[c.in.runs[run].start], &c.in.sparse.shifts[run], &c.turns[phase]
	kept := c.kept[c.keptFirst[run]:]
	last, rho, u := -1, T(0), [3]T{}
	for _, l := range c.all[c.first[run]:c.first[run+1]] {
		if l.rule != cutFar && l.rule != cutPressure {
			continue
		}
		x, t, o := int(l.x), &turns[Opposite(int(l.i))], &turns[l.i]
		g := decode[T](*element(first, x+t.from+int(by[t.byRow])))
		if l.rule == cutFar {
			kept[0], kept = g, kept[1:]
			continue
		}
		if x != last {
			rho, u = c.stateAt(first, by, turns, k, x)
			last = x
		}
		back := decode[T](*element(first, x+o.from+int(by[o.byRow])))
		kept[0], kept[1] = c.fromPort(int(l.i), g, back, rho, &u)
		kept = kept[2:]
	}
}

// fromRest is e₀, the grid Reynolds number at which half of the pressure of what enters through a pressure port becomes speed: a tube of radius 5 diverges from 3 on without.
const fromRest = 4

// fromPort is what comes through a link of a pressure port at a density of 1, and by how much more per density: g is population i of the node, and
// back the opposite one.
func (c *cutLinks[T, S]) fromPort(i int, g, back, rho T, u *[3]T) (at, per T) {
	cu, uu := T(0), T(0)
	for a := range u {
		cu += c.tables.c[i][a] * u[a]
		uu += u[a] * u[a]
	}
	w, square := c.tables.w[i], 4.5*cu*cu-1.5*uu
	leaves, enters := max(0, -cu)*c.thinness, max(0, cu)*c.thinness
	beside := g + back - 2*w*(rho+(1+rho)*square)
	per = 2 * w * (1 + square)
	rest := 1.5 * uu * enters * enters / (fromRest*fromRest + enters*enters)
	return g - per*(rho+rest) - beside/(1+leaves*leaves), per
}

// stateAt is ρ − 1 and the velocity of the x-th node of a run.
func (c *cutLinks[T, S]) stateAt(first *S, by *[9]int32, turns *[MaxQ]turn, k *rates[T], x int) (r T, u [3]T) {
	var g [MaxQ]T
	for i := range c.in.layout.Q {
		t := &turns[Opposite(i)]
		g[i] = decode[T](*element(first, x+t.from+int(by[t.byRow])))
	}
	r, u[0], u[1], u[2] = c.tables.moments(&g)
	for a := range u {
		u[a] = u[a]/(1+r) - k.accel[a]/2
	}
	return r, u
}

// keepAll keeps what all runs have, as they are now.
func (c *cutLinks[T, S]) keepAll(k *rates[T]) {
	c.in.pool.Run(func(worker int) {
		lo, hi := parallel.Share(len(c.in.runs), worker, c.in.pool.Workers())
		for run := lo; run < hi; run++ {
			c.keep(k, c.in.now, c.in.phase, run)
			c.moved[run] = false
		}
	})
	c.any = false
}

// keepMoved keeps it of runs that have been changed since they were swept.
func (c *cutLinks[T, S]) keepMoved(k *rates[T]) {
	if !c.any {
		return
	}
	for run, moved := range c.moved {
		if moved {
			c.keep(k, c.in.now, c.in.phase, run)
			c.moved[run] = false
		}
	}
	c.any = false
}

// touch takes note of nodes whose populations somebody changes between steps.
func (c *cutLinks[T, S]) touch(nodes []int32) {
	for _, n := range nodes {
		if n >= 0 && c.on[n/64]>>(n%64)&1 == 1 {
			run, _ := c.in.runAt(c.in.cfg.Position(int(n)))
			c.moved[run], c.any = true, true
		}
	}
}

// cutBytes is the memory of so many cuts.
func (c *Config) cutBytes(arithmetic int64) int64 {
	if len(c.Cuts) == 0 {
		return 0
	}
	return int64(len(c.Cuts))*(int64(unsafe.Sizeof(cutLink{}))+int64(unsafe.Sizeof(Cut{}))+arithmetic) + int64(c.Nodes())/8
}
