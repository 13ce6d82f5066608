package suite

import (
	"math"

	"lbmib/io/plot"
)

// vortexGroups are decaying vortices.
func vortexGroups() []Group { return []Group{taylorGreen(), taylorGreenSpace()} }

func taylorGreen() Group {
	const k = 2 * math.Pi
	g := Group{
		Name: "taylor-green", Title: "Taylor–Green vortices",
		About: "Decay rate and order of the error at fixed velocity·resolution, and the rate of vortices that a stream of 0.05 carries along, which lattices may change.",
	}
	sizes := []float64{16, 32, 64}
	row := func(n float64) string { // of nodes below y = 1/4, where u is largest
		h := 0.5 / n
		return lines(line("row", []float64{h, 0.25 - h}, []float64{1 - h, 0.25 - h}, int(n), 0.01))
	}
	var runs []string
	for _, n := range sizes {
		runs = append(runs, named("n", n))
		g.Runs = append(g.Runs, Run{named("n", n), "taylor-green.toml", []string{resolution(n), set("reference.velocity", decimal(0.64/n)), row(n)}})
	}
	g.Runs = append(g.Runs, Run{"advected", "taylor-green.toml", []string{`domain.initial={ type = "taylor-green", amplitude = 1.0, wavenumber = 1, velocity = [2.5, 0.0] }`, row(32)}})
	amplitude := func(r *Results, run string, t float64) float64 {
		x, u := r.Line(run, "row", t, "x", "u")
		a, b, _ := harmonic(x, u, k)
		return math.Hypot(a, b)
	}
	rate := func(r *Results, run string) float64 { // over 2νk²
		return math.Log(amplitude(r, run, 0.02)/amplitude(r, run, 0.1)) / 0.08 / (2 * k * k * r.Case(run).Reference.Viscosity)
	}
	exact := func(n float64) float64 { return math.Cos(k*0.5/n) * math.Exp(-2*k*k*0.1*0.1) }
	errorsOf := func(r *Results) (e []float64) {
		for i, run := range runs {
			e = append(e, math.Abs(amplitude(r, run, 0.1)/exact(sizes[i])-1))
		}
		return e
	}
	g.Checks = []Check{
		{"decay rate over 2νk², 32²", []string{"n32"}, func(r *Results) float64 { return rate(r, "n32") }},
		{"decay rate over 2νk², 32², in a stream", []string{"advected"}, func(r *Results) float64 { return rate(r, "advected") }},
		{"order of the error", runs, func(r *Results) float64 { return order(sizes, errorsOf(r)) }},
	}
	g.Figures = []Figure{{Name: "order", Title: "Taylor–Green vortices: error of the amplitude at t = 0.1", X: "nodes per side", Y: "relative error", From: runs, Log: true, Lines: func(r *Results) []plot.Line {
		e := errorsOf(r)
		return []plot.Line{{Name: "lbmib", X: sizes, Y: e}, {Name: "order 2", X: []float64{16, 64}, Y: []float64{e[2] * 16, e[2]}, Guide: true}}
	}}}
	return g
}
