package suite

import (
	"math"

	"lbmib/io/plot"
	"lbmib/io/statistics"
)

// vortexGroups are decaying vortices.
func vortexGroups() []Group { return []Group{taylorGreen(), taylorGreenSpace()} }

// decayNumber is 2π, the wavenumber of vortices and waves that are one to a side.
const decayNumber = 2 * math.Pi

// vortexRow is the row of nodes below y = 1/4, where u is largest.
func vortexRow(n float64) string {
	h := 0.5 / n
	return lines(line("row", []float64{h, 0.25 - h}, []float64{1 - h, 0.25 - h}, int(n), 0.01))
}

// vortexAmplitude is that of the row at a time.
func vortexAmplitude(r *Results, run string, t float64) float64 {
	x, u := r.Line(run, "row", t, "x", "u")
	a, b, _ := statistics.Harmonic(x, u, decayNumber)
	return math.Hypot(a, b)
}

// vortexRate is the rate of decay over 2νk².
func vortexRate(r *Results, run string) float64 {
	return math.Log(vortexAmplitude(r, run, 0.02)/vortexAmplitude(r, run, 0.1)) / 0.08 / (2 * decayNumber * decayNumber * r.Case(run).Reference.Viscosity)
}

// operatorRun is the name of a run with a collision operator: with the case's own the bare name.
func operatorRun(collision, own, name string) string {
	if collision == own {
		return name
	}
	return collision + "-" + name
}

// vorticesOver are runs of one operator at fixed velocity·resolution, from 32² on: on 16²
// terms of higher order are still a tenth and more of the error.
func vorticesOver(collision string) convergence {
	exact := func(n float64) float64 {
		return math.Cos(decayNumber*0.5/n) * math.Exp(-2*decayNumber*decayNumber*0.1*0.1)
	}
	c := convergence{sizes: []float64{32, 64, 128}, errorOf: func(r *Results, run string, n float64) float64 {
		return math.Abs(vortexAmplitude(r, run, 0.1)/exact(n) - 1)
	}}
	for _, n := range c.sizes {
		c.runs = append(c.runs, Run{operatorRun(collision, "bgk", named("n", n)), "taylor-green.toml", []string{set("fluid.collision", collision), resolution(n), set("reference.velocity", decimal(0.64/n)), vortexRow(n)}})
	}
	return c
}

// vorticesInStream are vortices that a stream of 0.05 carries along.
func vorticesInStream(collision string) Run {
	return Run{operatorRun(collision, "bgk", "advected"), "taylor-green.toml", []string{set("fluid.collision", collision), `domain.initial={ type = "taylor-green", amplitude = 1.0, wavenumber = 1, velocity = [2.5, 0.0] }`, vortexRow(32)}}
}

func taylorGreen() Group {
	g := Group{
		Name: "taylor-green", Title: "Taylor–Green vortices",
		About: "Decay rate and order of the error at fixed velocity·resolution, and the rate of vortices that a stream of 0.05 carries along, which lattices may change; with one relaxation time and with recursive regularization.",
	}
	for _, collision := range []string{"bgk", "recursive"} {
		c, stream, of := vorticesOver(collision), vorticesInStream(collision), ""
		if collision != "bgk" {
			of = ", " + collision
		}
		coarse := c.runs[0].Name
		g.Runs = append(append(g.Runs, c.runs...), stream)
		g.Checks = append(g.Checks,
			Check{"decay rate over 2νk², 32²" + of, []string{coarse}, func(r *Results) float64 { return vortexRate(r, coarse) }},
			Check{"decay rate over 2νk², 32², in a stream" + of, []string{stream.Name}, func(r *Results) float64 { return vortexRate(r, stream.Name) }},
			Check{"order of the error" + of, c.names(), c.order})
	}
	c := vorticesOver("bgk")
	g.Figures = []Figure{{Name: "order", Title: "Taylor–Green vortices: error of the amplitude at t = 0.1", X: "nodes per side", Y: "relative error", From: c.names(), Log: true, Lines: func(r *Results) []plot.Line {
		e := c.errors(r)
		return []plot.Line{{Name: "lbmib", X: c.sizes, Y: e}, {Name: "order 2", X: []float64{32, 128}, Y: []float64{e[2] * 16, e[2]}, Guide: true}}
	}}}
	return g
}
