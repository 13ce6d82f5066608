package lbm

import (
	"fmt"
	"math"
)

// Initialize sets every node from a smooth state; see Fluid. Populations are
// the equilibrium plus the first-order non-equilibrium part that belongs to the
// velocity gradient (Krüger et al. 2017, eq. 4.35), after collision.
func (f *CPU[T, S]) Initialize(state func(p [3]float64) (rho float64, u [3]float64)) {
	f.complete()
	force := f.cfg.ForceAt(0)
	f.rates.accel = vector[T](force)
	at := f.stored()
	f.eachRun(func(_ []S, _ int, r *run) {
		for x := range int(r.n) {
			p := [3]float64{float64(int(r.x) + x), float64(int(r.row) % f.cfg.Size[1]), float64(int(r.row) / f.cfg.Size[1])}
			g := f.cfg.Initial(p, force, state)
			for i := range f.layout.Q {
				f.now[f.at(&at[i], r.start+x)] = encode[S](T(g[i]))
			}
		}
	})
	f.steps = 0
	f.reset()
}

// Initial is the post-collision f_i − w_i of a state at point p under a body force;
// see Fluid.Initialize.
func (c *Config) Initial(p, force [3]float64, state func(p [3]float64) (float64, [3]float64)) (g [MaxQ]float64) {
	const h = 1. / 16 // for gradients; states vary over many nodes
	l := c.Lattice
	rho, u := state(p)
	var grad [3][3]float64 // ∂_a u_b
	for a := range l.Dim {
		fore, aft := p, p
		fore[a] += h
		aft[a] -= h
		_, uf := state(fore)
		_, ua := state(aft)
		for b := range l.Dim {
			grad[a][b] = (uf[b] - ua[b]) / (2 * h)
		}
	}
	omega := c.Collision.rateIn(strain(&grad))
	tau, keep := 1/omega, 1-omega
	for i := range l.Q {
		cu, ca, stress := 0., 0., 0.
		for a := range l.Dim {
			cu += float64(l.C[i][a]) * u[a]
			ca += float64(l.C[i][a]) * force[a]
			for b := range l.Dim {
				stress += float64(l.C[i][a]*l.C[i][b]) * grad[a][b]
			}
			stress -= grad[a][a] / 3
		}
		g[i] = l.W[i] * (rho - 1 + rho*(3*cu+4.5*cu*cu-1.5*(u[0]*u[0]+u[1]*u[1]+u[2]*u[2])+1.5*ca) - keep*3*tau*rho*stress)
	}
	return g
}

// strain is the rate of strain |S| of a velocity gradient, |S|² = 2 S:S.
func strain(grad *[3][3]float64) float64 {
	sum := 0.
	for a := range grad {
		for b := range grad {
			s := (grad[a][b] + grad[b][a]) / 2
			sum += 2 * s * s
		}
	}
	return math.Sqrt(sum)
}

// Population copies out one direction, 0 where nothing is stored; see Fluid.
func (f *CPU[T, S]) Population(i int, dst []T) {
	f.complete()
	p := f.stored()[i]
	if f.sparse != nil {
		clear(dst)
	}
	f.eachRun(func(buffer []S, node int, r *run) {
		gatherRow(&f.layout, buffer, f.now, p.slot, r.start+f.shift(&p, r.start))
		for x, v := range buffer {
			dst[node+x] = decode[T](v)
		}
	})
}

// CheckState refuses states of another case.
func CheckState[T Float](c *Config, s State[T]) error {
	open := 0
	for side := range 2 * c.Lattice.Dim {
		if c.Faces[side].Kind == Outflow {
			open += int(4 * c.BoxNodes() / int64(c.Size[side/2]))
		}
	}
	open += c.portMemory()
	if len(s.Populations) != c.Lattice.Q || len(s.Open) != open {
		return fmt.Errorf("lbm: the state has %d populations and %d values of open faces, this flow has %d and %d: it belongs to another case",
			len(s.Populations), len(s.Open), c.Lattice.Q, open)
	}
	for i, p := range s.Populations {
		if len(p) != c.Nodes() {
			return fmt.Errorf("lbm: population %d of the state has %d nodes, this flow has %d: it belongs to another case", i, len(p), c.Nodes())
		}
	}
	return nil
}

// SetState restores a state; see Fluid.
func (f *CPU[T, S]) SetState(s State[T]) error {
	if err := CheckState(&f.cfg, s); err != nil {
		return err
	}
	f.complete()
	for i, from := range s.Populations {
		p := f.stored()[i]
		f.eachRun(func(buffer []S, node int, r *run) {
			for x := range buffer {
				buffer[x] = encode[S](from[node+x])
			}
			scatterRow(&f.layout, f.now, buffer, p.slot, r.start+f.shift(&p, r.start))
		})
	}
	f.steps = s.Steps
	f.rates.accel = vector[T](f.cfg.ForceAt(float64(s.Steps)))
	f.open.setMemory(s.Open, s.Steps)
	f.open.captureAll(&f.rates, s.Steps)
	if f.cuts != nil {
		f.cuts.setMemory(s.Open[len(s.Open)-f.cfg.portMemory():])
		f.cuts.keepAll(&f.rates)
	}
	return nil
}
