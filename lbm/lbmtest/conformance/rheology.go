package conformance

import (
	"math"

	"lbmib/internal/checking"
	"lbmib/lbm"
)

// thinning is a law of viscosity that a shear of 0.004 is in the middle of, for a viscosity nu at the end.
func thinning(nu float64) lbm.Rheology {
	return lbm.Rheology{Zero: 10 * nu, Time: 500, Exponent: 0.3, Transition: 1.5}
}

// The flux of momentum between two rows of a steady uniform shear is that of the viscosity which the law has there.
func (s flows[T]) lawOfViscosity(t checking.T) {
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		for _, op := range lbm.CollisionNames {
			const n, nu, shear = 7, 0.01, 0.004
			cfg := lbm.Config{Lattice: l, Size: [3]int{4, n, 1}, Collision: collision(t, op, nu)}
			cfg.Collision.Rheology = thinning(nu)
			if flux, want := s.fluxOf(t, cfg, shear), cfg.Collision.Rheology.Viscosity(nu, shear); math.Abs(flux/want-1) > 2e-3+20*s.dither() {
				// the lattice adds stresses of order |S|²; dither leaves a percent in the mean of so few nodes
				t.Errorf("%s %s: viscosity is %.6f, the law has %.6f", l.Name, op, flux, want)
			}
		}
	}
}

// fluxOf is the viscosity that the flux of momentum in a uniform shear between moving walls tells.
func (s flows[T]) fluxOf(t checking.T, cfg lbm.Config, shear float64) float64 {
	middle := float64(cfg.Size[1]-1) / 2
	profile := func(p [3]float64) [3]float64 { return [3]float64{shear * (p[1] - middle)} }
	cfg.Faces[2] = lbm.Face{Kind: lbm.MovingWall, Velocity: profile}
	cfg.Faces[3] = cfg.Faces[2]
	f := s.make(t, cfg)
	f.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, profile(p) })
	advance(f, 300)
	flux, times := 0., 20
	for range times {
		f.Step()
		flux += momentumUp(f) / float64(times*cfg.Size[0]*(cfg.Size[1]-1))
	}
	return -flux / shear
}

// In a channel ν(u') u' = −g y about its middle: u by Simpson's rule over what solves that.
func (s flows[T]) lawInAChannel(t checking.T) {
	const n, nu, g = 24, 0.01, 2e-5
	for _, op := range lbm.CollisionNames {
		cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{1, n, 1}, Collision: collision(t, op, nu), Force: [3]float64{g}}
		law := thinning(nu)
		cfg.Collision.Rheology = law
		walls(&cfg, 1)
		profile := func(y float64) float64 {
			y = math.Abs(y - (n-1)/2.)
			const parts = 64
			h, sum := (n/2.-y)/parts, 0.
			for k := range parts + 1 {
				weight := 2. + 2*float64(k%2)
				if k == 0 || k == parts {
					weight = 1
				}
				sum += weight * lawShear(law, nu, g*(y+float64(k)*h))
			}
			return sum * h / 3
		}
		f := s.make(t, cfg)
		f.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, [3]float64{profile(p[1])} })
		advance(f, 1500) // what rests of what the state was off decays at νπ²/n² = 5e-4 a step, and faster in the middle
		_, u := fields(f)
		for y, v := range u[0] {
			// second order in 24 nodes of a viscosity that varies by a factor of 3
			if want := profile(float64(y)); math.Abs(float64(v)-want) > 0.005*profile((n-1)/2.)+20*s.dither()*want {
				t.Errorf("%s: u is %.6f at row %d, the law gives %.6f", op, v, y, want)
			}
		}
	}
}

// lawShear is the rate of strain whose stress, per density, is given: by chords between two rates that hold it, of which the end that stays counts half.
func lawShear(law lbm.Rheology, nu, stress float64) float64 {
	excess := func(rate float64) float64 { return law.Viscosity(nu, rate)*rate - stress }
	lo, hi := 0., stress/nu
	below, above := -stress, excess(hi)
	for side := 0; hi-lo > 1e-15*hi && above > below; {
		rate := hi - above*(hi-lo)/(above-below)
		if !(rate > lo && rate < hi) {
			break
		}
		if e := excess(rate); e > 0 {
			if hi, above = rate, e; side > 0 {
				below /= 2
			}
			side = 1
		} else {
			if lo, below = rate, e; side < 0 {
				above /= 2
			}
			side = -1
		}
	}
	if above < -below {
		return hi
	}
	return lo
}
