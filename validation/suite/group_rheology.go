package suite

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/io/plot"
)

// viscosityLaw is ν∞ + (ν₀ − ν∞)[1 + (λ|S|)^a]^((n − 1)/a) in reference units, written down anew.
type viscosityLaw struct{ infinite, zero, time, exponent, transition float64 }

func (l viscosityLaw) at(rate float64) float64 {
	return l.infinite + (l.zero-l.infinite)*math.Pow(1+math.Pow(l.time*rate, l.transition), (l.exponent-1)/l.transition)
}

// rate is that of strain at which the stress, per density, is given.
func (l viscosityLaw) rate(stress float64) float64 {
	lo, hi := 0., stress/l.infinite
	for range 100 {
		middle := (lo + hi) / 2
		if l.at(middle)*middle > stress {
			hi = middle
		} else {
			lo = middle
		}
	}
	return lo
}

// set is the law as a case has it.
func (l viscosityLaw) set() string {
	return fmt.Sprintf(`fluid.rheology={ type = "carreau-yasuda", zero_viscosity = %s, time = %s, exponent = %s, transition = %s }`,
		decimal(l.zero), decimal(l.time), decimal(l.exponent), decimal(l.transition))
}

// simpson integrates f from lo to hi.
func simpson(lo, hi float64, f func(x float64) float64) (sum float64) {
	const parts = 400
	h := (hi - lo) / parts
	for k := range parts + 1 {
		weight := 2 + 2*float64(k%2)
		if k == 0 || k == parts {
			weight = 1
		}
		sum += weight * f(lo+float64(k)*h)
	}
	return sum * h / 3
}

// between is the velocity in a channel of height 1 at y that a force per mass drives: the stress is force·|y − ½|.
func (l viscosityLaw) between(force, y float64) float64 {
	return simpson(math.Abs(y-0.5), 0.5, func(r float64) float64 { return l.rate(force * r) })
}

// through is the velocity in a pipe of diameter 1 at a distance from its axis, driven by a gradient of the pressure over density: the stress is
// gradient·r/2.
func (l viscosityLaw) through(gradient, at float64) float64 {
	return simpson(at, 0.5, func(r float64) float64 { return l.rate(gradient * r / 2) })
}

// gradient is that of the pressure over density in a pipe of diameter 1 with a flow rate, which is π ∫ r² rate dr.
func (l viscosityLaw) gradient(flow float64) float64 {
	lo, hi := 0., 128/math.Pi*l.zero*flow
	for range 60 {
		middle := (lo + hi) / 2
		if math.Pi*simpson(0, 0.5, func(r float64) float64 { return r * r * l.rate(middle*r/2) }) > flow {
			hi = middle
		} else {
			lo = middle
		}
	}
	return lo
}

// rheologyGroups are flows of fluids that thin.
func rheologyGroups() []Group {
	channel := viscosityLaw{infinite: 0.1, zero: 1, time: 2, exponent: 0.3, transition: 1.5}
	const force = 3.
	c := convergence{sizes: []float64{8, 16, 32}, errorOf: func(r *Results, run string, _ float64) float64 {
		y, u := r.Line(run, "profile", end, "y", "u")
		return deviation(y, u, func(y float64) float64 { return channel.between(force, y) }) / channel.between(force, 0.5)
	}}
	for _, n := range c.sizes {
		c.runs = append(c.runs, Run{named("trt", n), "poiseuille.toml", []string{channel.set(), resolution(n), set("reference.velocity", decimal(0.2/n)),
			"domain.force=[" + decimal(force) + ", 0.0]", acrossNodes(0.01, 1, int(n), 12), "run.time=12.0"}})
	}
	finest := c.runs[len(c.runs)-1].Name
	g := Group{
		Name: "rheology", Title: "Fluids that thin as they are sheared",
		About: "The viscosity follows the law of Carreau and Yasuda, ten times as large at rest as at large rates of strain. A force drives it between plates; a pump drives it through a pipe whose wall lies between nodes.",
		Runs:  c.runs,
		Checks: []Check{
			{"plates: largest error over the peak, 32 nodes across", []string{finest}, func(r *Results) float64 { return c.errorOf(r, finest, 0) }},
			{"plates: order of the error", c.names(), c.order},
		},
		Figures: []Figure{{Name: "plates", Title: "Between plates", X: "y / H", Y: "u / U", From: []string{finest}, Lines: func(r *Results) []plot.Line {
			y, u := r.Line(finest, "profile", end, "y", "u")
			peak := channel.between(force, 0.5)
			return []plot.Line{curve("the law's", 0, 1, 100, func(y float64) float64 { return channel.between(force, y) }),
				{Name: "trt, 32 nodes", X: y, Y: u, Points: true}, curve("of one viscosity, the same peak", 0, 1, 100, func(y float64) float64 { return peak * parabola(y) })}
		}}},
	}
	g.pipe()
	return []Group{g}
}

// pipe is a tube of 20 nodes that lies along none of the lattice's directions.
func (g *Group) pipe() {
	law := viscosityLaw{infinite: 0.05, zero: 0.5, time: 0.5, exponent: 0.3, transition: 1.5}
	const run = "tube"
	along := unit([3]int{3, 2, 1})
	g.Runs = append(g.Runs, Run{run, "vessel-tube.toml", []string{law.set(), "reference.reynolds=20.0", "reference.velocity=0.01", "run.time=4.0", "output.wall={ every = 4.0 }"}})
	g.Checks = append(g.Checks,
		Check{"pipe: velocity on the axis over the law's", []string{run}, func(r *Results) float64 {
			sum := 0.
			for _, component := range []string{"u", "v", "w"} {
				_, v := r.Probe(run, "second", component)
				sum += last(v) * last(v)
			}
			return math.Sqrt(sum) / law.through(law.gradient(portFlow(r, run, "in")), 0)
		}},
		Check{"pipe: fall of the pressure over the law's", []string{run}, func(r *Results) float64 {
			_, p := r.Probe(run, "first", "p")
			_, q := r.Probe(run, "second", "p")
			return (last(p) - last(q)) / (tubeLength / 2) / law.gradient(portFlow(r, run, "in"))
		}},
		Check{"pipe: wall shear stress over the law's, mean", []string{run}, func(r *Results) float64 {
			sum, n := 0., 0.
			wallStress(r, run, func(at, stress geometry.Vec) {
				if s := at.Dot(along); s > tubeLength/4. && s < tubeLength*3/4. {
					sum, n = sum+stress.Norm(), n+1
				}
			})
			return sum / n / (law.gradient(portFlow(r, run, "in")) / 4)
		}})
}
