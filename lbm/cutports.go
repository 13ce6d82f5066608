package lbm

import "math"

// drive sets what drives ports in the step after so many, when populations meet walls.
func (c *cutLinks[T, S]) drive(steps int64) {
	for k := range c.in.cfg.Ports {
		p, a := &c.in.cfg.Ports[k], 1.
		if p.Amplitude != nil {
			a = p.Amplitude(float64(steps) + 0.5)
		}
		switch p.Kind {
		case PortVelocity:
			c.amplitude[k] = T(a)
		case PortPressure:
			c.amplitude[k] = T((p.Density - 1) * a)
		case PortWindkessel:
			c.amplitude[k] = T(3 * c.pressure[k])
		}
	}
}

// advance readies what changes once a step: what patches of the wall give back, and the pressures of windkessel ports, implicitly, by
// what would leave at the last.
func (c *cutLinks[T, S]) advance(steps int64) {
	c.patches.share()
	for k := range c.in.cfg.Ports {
		p, behind := &c.in.cfg.Ports[k], 1.
		if p.Kind != PortWindkessel {
			continue
		}
		if p.Amplitude != nil {
			behind = p.Amplitude(float64(steps) + 0.5)
		}
		behind *= (p.Density - 1) / 3
		rate := 1 / (p.Resistance * p.Capacitance)
		enters := 0.
		if c.flows != nil {
			enters = c.flows[k]
		} else {
			sum := c.flow(k)
			enters = sum.Value()
		}
		c.pressure[k] = (c.pressure[k] - enters/p.Capacitance + behind*rate) / (1 + rate)
	}
}

// memory is the pressures of windkessel ports, and what patches have gained.
func (c *cutLinks[T, S]) memory() (all []float64) {
	if c == nil {
		return nil
	}
	for k := range c.in.cfg.Ports {
		if c.in.cfg.Ports[k].Kind == PortWindkessel {
			all = append(all, c.pressure[k])
		}
	}
	return append(all, c.patches.gains()...)
}

// setMemory restores them.
func (c *cutLinks[T, S]) setMemory(values []float64) {
	for k := range c.in.cfg.Ports {
		if c.in.cfg.Ports[k].Kind == PortWindkessel {
			c.pressure[k], values = values[0], values[1:]
			c.amplitude[k] = T(3 * c.pressure[k])
		}
	}
	c.patches.setGains(values)
}

// reset forgets what patches have gained, and lets windkessel ports begin with the pressure that is beyond their resistance.
func (c *cutLinks[T, S]) reset() {
	c.patches.reset()
	for k := range c.in.cfg.Ports {
		if p := &c.in.cfg.Ports[k]; p.Kind == PortWindkessel {
			c.pressure[k] = (p.Density - 1) / 3
			c.amplitude[k] = T(3 * c.pressure[k])
		}
	}
}

// portMemory is how many values they are.
func (c *Config) portMemory() (n int) {
	n = len(c.WallPieces())
	for k := range c.Ports {
		if len(c.Cuts) > 0 && c.Ports[k].Kind == PortWindkessel {
			n++
		}
	}
	return n
}

// flow is the mass that enters through a port in the step to be made, as it is driven at present.
func (c *cutLinks[T, S]) flow(port int) (mass Sum) {
	turns := &c.turns[c.in.phase]
	for k := range c.ports {
		l := &c.ports[k]
		if int(l.port) != port {
			continue
		}
		if c.in.cfg.Ports[port].Kind == PortVelocity {
			mass.Add(float64(c.amplitude[port] * l.gain))
			continue
		}
		t, by := &turns[l.i], &c.in.sparse.shifts[l.run]
		back := decode[T](*element(&c.in.now[c.in.runs[l.run].start], int(l.x)+t.from+int(by[t.byRow])))
		kept := c.kept[l.kept:]
		mass.Add(float64(kept[0]+kept[1]*c.amplitude[port]) - float64(back))
	}
	return mass
}

// wallFlow is the mass that the interpolation at walls adds in the step that comes next, as it does not conserve mass, and patches of
// the wall take back in the one after: it tells how well walls are resolved.
func (c *cutLinks[T, S]) wallFlow() (mass Sum) {
	turns := &c.turns[c.in.phase]
	for run := range c.in.runs {
		first, by, kept := &c.in.now[c.in.runs[run].start], &c.in.sparse.shifts[run], c.kept[c.keptFirst[run]:]
		for _, l := range c.all[c.first[run]:c.first[run+1]] {
			x, t, o := int(l.x), &turns[l.i], &turns[Opposite(int(l.i))]
			back := float64(decode[T](*element(first, x+t.from+int(by[t.byRow]))))
			q := float64(math.Float32frombits(l.of))
			switch l.rule {
			case cutNear:
				mass.Add((1 - 2*q) * (float64(decode[T](*element(first, x+o.to+int(by[o.toRow])))) - back))
			case cutFar:
				mass.Add((1 - 1/(2*q)) * (float64(kept[0]) - back))
				kept = kept[1:]
			case cutPressure:
				kept = kept[2:]
			}
		}
	}
	return mass
}

// density is the sum of the densities less one of the nodes next to a port, and how many these are.
func (c *cutLinks[T, S]) density(k *rates[T], port int) (sum Sum, n int64) {
	last := [2]int{-1, -1}
	for i := range c.ports {
		l := &c.ports[i]
		if at := [2]int{int(l.run), int(l.x)}; int(l.port) == port && at != last {
			r, _ := c.stateAt(&c.in.now[c.in.runs[l.run].start], &c.in.sparse.shifts[l.run], &c.turns[c.in.phase], k, int(l.x))
			sum.Add(float64(r))
			n, last = n+1, at
		}
	}
	return sum, n
}
