package suite

import (
	"math"

	"lbmib/io/plot"
	"lbmib/io/statistics"
	"lbmib/validation/reference"
)

var end = math.Inf(1) // the last instant

// channelGroups are flows between walls with exact solutions.
func channelGroups() []Group {
	return []Group{poiseuille(), couette(), womersley(), duct(), stokes2()}
}

// acrossNodes is a line on the n nodes across a channel of the given height.
func acrossNodes(x, height float64, n int, every float64) string {
	h := height / float64(n) / 2
	return lines(line("profile", []float64{x, h}, []float64{x, height - h}, n, every))
}

// parabola is plane Poiseuille flow, over its height and peak.
func parabola(y float64) float64 { return 4 * y * (1 - y) }

// poiseuilleError is the largest error of a profile over the peak.
func poiseuilleError(r *Results, run string) float64 {
	y, u := r.Line(run, "profile", end, "y", "u")
	return deviation(y, u, parabola)
}

// poiseuilleOver are runs of one operator at fixed viscosity over the resolution.
func poiseuilleOver(collision string) convergence {
	c := convergence{sizes: []float64{8, 16, 32}, errorOf: func(r *Results, run string, _ float64) float64 { return poiseuilleError(r, run) }}
	for _, n := range c.sizes {
		c.runs = append(c.runs, Run{named(collision, n), "poiseuille.toml", []string{set("fluid.collision", collision), resolution(n), set("reference.velocity", decimal(0.8/n)), acrossNodes(0.01, 1, int(n), 20), "run.time=20.0"}})
	}
	return c
}

func poiseuille() Group {
	g := Group{
		Name: "poiseuille", Title: "Plane Poiseuille flow",
		About: "A body force drives the fluid between plates. Two relaxation times with Λ = 3/16 put walls exactly midway between nodes; one time, and recursive regularization, are of second order at fixed viscosity.",
	}
	for _, n := range []float64{4, 16} {
		name := named("trt", n)
		g.Runs = append(g.Runs, Run{name, "poiseuille.toml", []string{resolution(n), acrossNodes(0.01, 1, int(n), 40)}})
		g.Checks = append(g.Checks, Check{"largest error, trt, " + decimalText(n) + " nodes across", []string{name}, func(r *Results) float64 { return poiseuilleError(r, name) }})
	}
	g.Runs = append(g.Runs, Run{"held", "poiseuille.toml", []string{"domain.force=[0.0, 0.0]", "domain.flow={ speed = 1.0 }", "output.lines=[]"}})
	g.Checks = append(g.Checks, Check{"force that holds a mean speed of U: relative error", []string{"held"}, func(r *Results) float64 {
		f, c := r.Column("held", "flow.csv", "body_force"), r.Case("held")
		n := c.Reference.Resolution // nodes across, whose sum has 1 + 1/(2n²) of the parabola's mean
		return math.Abs(f[len(f)-1]*(1+1/(2*n*n))/(12*c.Reference.Viscosity) - 1)
	}})
	for _, collision := range []string{"bgk", "recursive"} {
		c := poiseuilleOver(collision)
		g.Runs = append(g.Runs, c.runs...)
		g.Checks = append(g.Checks, Check{"order of the error, " + collision, c.names(), c.order})
	}
	g.Figures = []Figure{{Name: "profile", Title: "Plane Poiseuille flow", X: "y / H", Y: "u / U", From: []string{"bgk8", "trt4"}, Lines: func(r *Results) []plot.Line {
		y4, u4 := r.Line("trt4", "profile", end, "y", "u")
		y8, u8 := r.Line("bgk8", "profile", end, "y", "u")
		return []plot.Line{curve("exact", 0, 1, 100, parabola), {Name: "trt, 4 nodes", X: y4, Y: u4, Points: true}, {Name: "bgk, 8 nodes", X: y8, Y: u8, Points: true}}
	}}}
	return g
}

// startUp is the flow between a wall at rest and one that moves from t = 0 on; the
// argument is νt/H².
func startUp(y, t float64) float64 {
	u := y
	for n := 1; n <= 60; n++ {
		k := float64(n) * math.Pi
		u += 2 / k * math.Cos(k) * math.Exp(-k*k*t) * math.Sin(k*y)
	}
	return u
}

func couette() Group {
	exact := func(t float64) func(float64) float64 { return func(y float64) float64 { return startUp(y, t/10) } }
	return Group{
		Name: "couette", Title: "Plane Couette flow, started at t = 0",
		About: "The upper wall starts to move; the flow diffuses into the gap until it is linear, which the lattice represents exactly.",
		Runs:  []Run{{"n32", "couette.toml", nil}},
		Checks: []Check{
			{"largest error at νt/H² = 0.1", []string{"n32"}, func(r *Results) float64 {
				y, u := r.Line("n32", "profile", 1, "y", "u")
				return deviation(y, u, exact(1))
			}},
			{"largest error of the steady flow", []string{"n32"}, func(r *Results) float64 {
				y, u := r.Line("n32", "profile", end, "y", "u")
				return deviation(y, u, func(y float64) float64 { return y })
			}},
		},
		Figures: []Figure{{Name: "profiles", Title: "Couette flow, started at t = 0", X: "y / H", Y: "u / U", From: []string{"n32"}, Lines: func(r *Results) (all []plot.Line) {
			for _, t := range []float64{1, 2, 5} {
				y, u := r.Line("n32", "profile", t, "y", "u")
				all = append(all, curve("exact, tU/H = "+decimalText(t), 0, 1, 100, exact(t)), plot.Line{X: y, Y: u, Points: true})
			}
			return all
		}}},
	}
}

func womersley() Group {
	const omega = 1.6
	g := Group{
		Name: "womersley", Title: "Womersley flow between plates",
		About: "A body force that oscillates as cos ωt, written as an expression in the case file. Amplitude and phase in the middle come from a fit over the last periods.",
		Runs: []Run{
			{"alpha4", "womersley.toml", nil},
			{"alpha10", "womersley.toml", []string{"reference.reynolds=62.5", resolution(40.5), "run.time=160.0"}},
		},
	}
	// In the middle, amplitude over P h²/μ and phase in degrees.
	fit := func(r *Results, run string) (amplitude, phase float64) {
		t, u := r.Probe(run, "middle", "u")
		period := 2 * math.Pi / omega
		n := last(t)
		t, u = within(t, u, n-2*period, n)
		a, b, _ := statistics.Harmonic(t, u, omega)
		return math.Hypot(a, b) * r.Case(run).Reference.Viscosity, -math.Atan2(b, a) * 180 / math.Pi
	}
	for _, alpha := range []string{"4", "10"} {
		run := "alpha" + alpha
		g.Checks = append(g.Checks,
			Check{"amplitude in the middle, α = " + alpha, []string{run}, func(r *Results) float64 { a, _ := fit(r, run); return a }},
			Check{"phase in the middle, α = " + alpha + ", degrees", []string{run}, func(r *Results) float64 { _, p := fit(r, run); return p }})
	}
	g.Figures = []Figure{{Name: "middle", Title: "Womersley flow, α = 4: velocity in the middle", X: "t U / L", Y: "u / U", From: []string{"alpha4"}, Lines: func(r *Results) []plot.Line {
		t, u := r.Probe("alpha4", "middle", "u")
		exact := curve("exact, periodic", 0, last(t), 800, func(t float64) float64 { return 0.06955 * 10 * math.Cos(omega*t-88.142*math.Pi/180) })
		return []plot.Line{exact, {Name: "lbmib, from rest", X: t, Y: u}}
	}}}
	return g
}

func duct() Group {
	const n = 32
	drive := func(r *Results) float64 { c := r.Case("n32"); return c.Domain.Force[0].Value / c.Reference.Viscosity }
	return Group{
		Name: "duct", Title: "Square duct",
		About: "Three dimensions between four walls, driven by a body force G: largest and mean velocity over G a²/ν.",
		Runs:  []Run{{"n32", "duct.toml", []string{plane(0.046875, n, 10)}}},
		Checks: []Check{
			{"largest velocity", []string{"n32"}, func(r *Results) float64 {
				var middle []float64
				for _, k := range []int{n/2 - 2, n/2 - 1, n / 2, n/2 + 1} {
					_, u := r.Line("n32", rowName(k), end, "y", "u")
					if len(u) == n {
						middle = append(middle, u[n/2-2], u[n/2-1])
					}
				}
				if len(middle) != 8 {
					return math.NaN()
				}
				// To the axis, half a node from the innermost: (9·inner − 1·outer)/8 along y, then along z.
				axis := func(k int) float64 { return (9*middle[2*k+1] - middle[2*k]) / 8 }
				return (9*axis(1) - axis(0)) / 8 / drive(r)
			}},
			{"mean velocity", []string{"n32"}, func(r *Results) float64 { return flux(r, "n32", n) / drive(r) }},
		},
		Figures: []Figure{{Name: "profile", Title: "Square duct: velocity beside the middle plane", X: "y / a", Y: "u / U", From: []string{"n32"}, Lines: func(r *Results) []plot.Line {
			y, u := r.Line("n32", rowName(n/2), end, "y", "u")
			exact := curve("exact", 0, 1, 100, func(y float64) float64 { return ductVelocity(y, (n/2+0.5)/n) * drive(r) })
			return []plot.Line{exact, {Name: "lbmib", X: y, Y: u, Points: true}}
		}}},
	}
}

// ductVelocity is u over G a²/μ in the unit square, by the series over odd modes.
func ductVelocity(y, z float64) float64 {
	u := 0.
	for n := 1; n < 80; n += 2 {
		k := float64(n) * math.Pi
		u += 4 / (k * k * k) * (1 - math.Cosh(k*(z-0.5))/math.Cosh(k/2)) * math.Sin(k*y)
	}
	return u
}

func stokes2() Group {
	const omega = 0.2
	exact := func(t float64) func(float64) float64 {
		return func(y float64) float64 { return math.Exp(-y) * math.Cos(omega*t-y) }
	}
	return Group{
		Name: "stokes2", Title: "Stokes' second problem",
		About: "A wall oscillates under a fluid at rest; the largest error over the height and over the twelfths of the last period.",
		Runs:  []Run{{"n16", "stokes2.toml", nil}},
		Checks: []Check{{"largest error over U", []string{"n16"}, func(r *Results) float64 {
			worst := 0.
			instants := r.Instants("n16", "profile")
			for _, t := range instants {
				if t < last(instants)-2*math.Pi/omega {
					continue
				}
				y, u := r.Line("n16", "profile", t, "y", "u")
				worst = math.Max(worst, deviation(y, u, exact(t)))
			}
			if len(instants) == 0 {
				return math.NaN()
			}
			return worst
		}}},
		Figures: []Figure{{Name: "profiles", Title: "Stokes' second problem", X: "y / δ", Y: "u / U", From: []string{"n16"}, Lines: func(r *Results) (all []plot.Line) {
			for _, t := range []float64{165, 173, 181} {
				y, u := r.Line("n16", "profile", t, "y", "u")
				y, u = within(y, u, 0, 6)
				all = append(all, curve("exact, tU/δ = "+decimalText(t), 0, 6, 120, exact(t)), plot.Line{X: y, Y: u, Points: true})
			}
			return all
		}}},
	}
}

// table of a reference file, for short.
func published(file string, where ...string) *reference.Table {
	return reference.Read(file).Where(where...)
}
