package suite

import "lbmib/io/plot"

// cylinderGroups are fixed cylinders in a stream.
func cylinderGroups() []Group {
	return []Group{cylinderBetweenWalls(), cylinderUnbounded(), impulsive()}
}

// shedding starts the vortices: a little shear breaks the symmetry.
const shedding = `domain.initial={ type = "shear", velocity = [1.0, 0.0], amplitude = 0.02 }`

// statistic is a number of the summary of the body "cylinder".
func statistic(quantity, run string, of func(b bodyNumbers) float64) Check {
	return Check{quantity, []string{run}, func(r *Results) float64 { return of(numbersOf(r, run, "cylinder")) }}
}

// bodyNumbers are a body's statistics.
type bodyNumbers struct{ cd, clAmplitude, strouhal, recirculation, gap float64 }

func numbersOf(r *Results, run, body string) bodyNumbers {
	b := r.Body(run, body)
	return bodyNumbers{float64(b.CdMean), float64(b.ClAmplitude), float64(b.Strouhal), float64(b.RecirculationLength), float64(b.ForceGap)}
}

func drag(b bodyNumbers) float64          { return b.cd }
func lift(b bodyNumbers) float64          { return b.clAmplitude }
func frequency(b bodyNumbers) float64     { return b.strouhal }
func recirculation(b bodyNumbers) float64 { return b.recirculation }

// slow is a resolution at half of the case's velocity, and above 20 nodes in single precision.
func slow(d float64) []string {
	sets := []string{resolution(d), "reference.velocity=0.05"}
	if d > 20 {
		sets = append(sets, "fluid.precision=f32")
	}
	return sets
}

// cylinderRun is the steady cylinder, Re = 20, on 20 nodes with a collision operator.
func cylinderRun(collision string) Run {
	return Run{operatorRun(collision, "bgk", "Re20-D20"), "cylinder.toml", append(slow(20), set("fluid.collision", collision))}
}

func cylinderBetweenWalls() Group {
	g := Group{
		Name: "cylinder", Title: "Cylinder between free-slip walls 15 D apart",
		About: "The domain of Valero-Lara et al. (2015), 40 D × 15 D, held against sharp-boundary runs in the same domain. Steady flows have a lattice velocity of 0.05: 0.1 adds 0.6 % of drag. At Re = 100 the lattice velocity is 0.06: at 0.1 sound between the walls is near the shedding frequency.",
	}
	sizes := []float64{20, 40}
	var re20 []string
	for _, d := range sizes {
		name := named("Re20-D", d)
		re20 = append(re20, name)
		g.Runs = append(g.Runs, Run{name, "cylinder.toml", slow(d)})
		g.Checks = append(g.Checks, statistic("drag, Re = 20, D = "+decimalText(d), name, drag))
	}
	for _, d := range sizes {
		name := named("Re40-D", d)
		g.Runs = append(g.Runs, Run{name, "cylinder.toml", append(slow(d), "reference.reynolds=40.0", "run.time=80.0")})
		g.Checks = append(g.Checks, statistic("drag, Re = 40, D = "+decimalText(d), name, drag))
	}
	g.Runs = append(g.Runs, Run{"Re100-D20", "cylinder.toml", []string{resolution(20), "reference.reynolds=100.0", "reference.velocity=0.06", "run.time=140.0", shedding}})
	recursive := cylinderRun("recursive")
	g.Runs = append(g.Runs, recursive)
	g.Checks = append(g.Checks,
		statistic("recirculation, Re = 20, D = 20", "Re20-D20", recirculation),
		statistic("recirculation, Re = 40, D = 20", "Re40-D20", recirculation),
		statistic("mean drag, Re = 100, D = 20", "Re100-D20", drag),
		statistic("lift amplitude, Re = 100, D = 20", "Re100-D20", lift),
		statistic("Strouhal number, Re = 100, D = 20", "Re100-D20", frequency),
		statistic("drag, Re = 20, D = 20, recursive", recursive.Name, drag),
		statistic("markers against momentum balance, Re = 20, D = 20", "Re20-D20", func(b bodyNumbers) float64 { return b.gap }))
	g.Figures = []Figure{
		dragOverResolution("Cylinder, Re = 20, between walls 15 D apart", re20, sizes, "cylinder", 2.2183),
		liftHistory("Cylinder, Re = 100, between walls 15 D apart", "Re100-D20", 1.4169),
	}
	return g
}

func cylinderUnbounded() Group {
	g := Group{
		Name: "cylinder-unbounded", Title: "Cylinder in an unbounded stream",
		About: "60 D × 40 D (2.5 % blockage), 20 D behind the inlet, D = 20 nodes (28 at Re = 200, for two of them in the boundary layer), single precision: against what the literature agrees on for an unbounded stream.",
	}
	for _, c := range []struct{ re, time string }{{"20", "80.0"}, {"40", "100.0"}, {"100", "150.0"}, {"200", "140.0"}} {
		run := "Re" + c.re
		sets := []string{"reference.reynolds=" + c.re + ".0", "domain.size=[60.0, 40.0]", "body.0.shape.center=[20.0, 20.0]", "fluid.precision=f32", "run.time=" + c.time}
		steady := c.re == "20" || c.re == "40"
		if !steady {
			sets = append(sets, shedding)
		}
		if c.re == "200" {
			sets = append(sets, resolution(28))
		}
		g.Runs = append(g.Runs, Run{run, "cylinder.toml", sets})
		g.Checks = append(g.Checks, statistic("drag, Re = "+c.re, run, drag))
		if steady {
			g.Checks = append(g.Checks, statistic("recirculation, Re = "+c.re, run, recirculation))
			continue
		}
		g.Checks = append(g.Checks, statistic("lift amplitude, Re = "+c.re, run, lift), statistic("Strouhal number, Re = "+c.re, run, frequency))
		g.Figures = append(g.Figures, liftHistory("Unbounded cylinder, Re = "+c.re, run, 1.34))
	}
	return g
}

// dragOverResolution is drag, or another mean, beside a reference.
func dragOverResolution(title string, runs []string, sizes []float64, body string, exact float64) Figure {
	return Figure{Name: "drag", Title: title + ": error of the drag", X: "D, nodes per diameter", Y: "relative error", From: runs, Log: true, Lines: func(r *Results) []plot.Line {
		var cd []float64
		for _, n := range runs {
			cd = append(cd, numbersOf(r, n, body).cd)
		}
		return errorLines("lbmib", sizes, cd, exact, 1)
	}}
}

// liftHistory is drag and lift over time beside the published mean drag.
func liftHistory(title, run string, mean float64) Figure {
	return Figure{Name: run, Title: title, X: "t U / D", Y: "drag and lift coefficient", From: []string{run}, Lines: func(r *Results) []plot.Line {
		t, cd := r.Forces(run, "cylinder", "cd")
		_, cl := r.Forces(run, "cylinder", "cl")
		from := last(t) / 2
		td, cd := within(t, cd, from, end)
		tl, cl := within(t, cl, from, end)
		return []plot.Line{{Name: "drag", X: td, Y: cd}, {Name: "lift", X: tl, Y: cl}, {Name: "published mean drag", X: []float64{from, last(t)}, Y: []float64{mean, mean}, Guide: true}}
	}}
}

// startDelay is when a smooth start over 0.3 D/U counts as an impulsive one, in D/U:
// the stream has gone as far then.
const startDelay = 0.15

func impulsive() Group {
	g := Group{
		Name: "impulsive", Title: "Impulsively started cylinder",
		About: "The stream starts within 0.3 D/U, which counts as an impulsive start half that time later. Drag against a vortex method at Re = 40 and 550, growth of the bubble at Re = 40 against experiment, each by the root mean square of the relative difference until the sound of the start arrives from the neighbours.",
		Runs: []Run{
			{"Re40", "impulsive.toml", []string{"domain.size=[90.0, 90.0]", "body.0.shape.center=[45.0, 45.0]", "run.time=3.8"}},
			{"Re550", "impulsive.toml", []string{"reference.reynolds=550.0", resolution(60), "domain.size=[64.0, 64.0]", "body.0.shape.center=[32.0, 32.0]", "run.time=2.7"}},
		},
		Checks: []Check{
			{"drag from tU/R = 0.5 to 7, Re = 40, rms difference", []string{"Re40"}, func(r *Results) float64 { return dragDifference(r, "40", 0.5, 7) }},
			{"drag from tU/R = 0.5 to 5, Re = 550, rms difference", []string{"Re550"}, func(r *Results) float64 { return dragDifference(r, "550", 0.5, 5) }},
			{"bubble from tU/D = 1 to 3.5, Re = 40, rms difference", []string{"Re40"}, bubbleDifference},
		},
	}
	for _, re := range []string{"40", "550"} {
		run := "Re" + re
		g.Figures = append(g.Figures, Figure{Name: "drag" + re, Title: "Impulsively started cylinder, Re = " + re, X: "t U / R", Y: "drag coefficient", From: []string{run}, Lines: func(r *Results) []plot.Line {
			t, cd := sinceStart(r, run, "cd", 2)
			t, cd = within(t, cd, 0.5, end)
			p := published("impulsive_drag.csv", "Re", re)
			rt, rc := within(p.Float("tU_over_R"), p.Float("CD"), 0.5, last(t))
			return []plot.Line{{Name: "lbmib", X: t, Y: cd}, {Name: "Koumoutsakos & Leonard 1995", X: rt, Y: rc, Points: true}}
		}})
	}
	g.Figures = append(g.Figures, Figure{Name: "bubble", Title: "Impulsively started cylinder, Re = 40: recirculation", X: "t U / D", Y: "length / D", From: []string{"Re40"}, Lines: func(r *Results) []plot.Line {
		t, l := sinceStart(r, "Re40", "recirculation", 1)
		t, l = within(t, l, 0.2, end)
		p := published("impulsive_wake.csv")
		return []plot.Line{{Name: "lbmib", X: t, Y: l}, {Name: "Coutanceau & Bouard 1977", X: p.Float("tU_over_D"), Y: p.Float("Lw_over_D"), Points: true}}
	}})
	return g
}

// sinceStart are times from the start on, in D/U times a factor, and a column.
func sinceStart(r *Results, run, column string, factor float64) (ts, vs []float64) {
	t, v := r.Forces(run, "cylinder", column)
	for _, x := range t {
		ts = append(ts, factor*(x-startDelay))
	}
	return ts, v
}

// relativeRMS is the root mean square of v(x)/reference − 1 over from ≤ x ≤ to.
func relativeRMS(x, v, rx, rv []float64, from, to float64) float64 {
	rx, rv = within(rx, rv, from, to)
	var d []float64
	for i := range rx {
		d = append(d, at(x, v, rx[i])/rv[i]-1)
	}
	return rms(d)
}

func dragDifference(r *Results, re string, from, to float64) float64 {
	t, cd := sinceStart(r, "Re"+re, "cd", 2)
	p := published("impulsive_drag.csv", "Re", re)
	return relativeRMS(t, cd, p.Float("tU_over_R"), p.Float("CD"), from, to)
}

func bubbleDifference(r *Results) float64 {
	t, l := sinceStart(r, "Re40", "recirculation", 1)
	p := published("impulsive_wake.csv")
	return relativeRMS(t, l, p.Float("tU_over_D"), p.Float("Lw_over_D"), 1, 3.5)
}
