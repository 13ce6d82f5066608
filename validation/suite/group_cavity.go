package suite

import "lbmib/io/plot"

// cavityGroups is the lid-driven cavity.
func cavityGroups() []Group {
	g := Group{
		Name: "cavity", Title: "Lid-driven cavity",
		About: "Extrema of the velocity on the centrelines, by a parabola through the extreme node and its neighbours, on 128² nodes; at Re = 100 with recursive regularization, too.",
	}
	for _, re := range []string{"100", "400", "1000"} {
		run := "Re" + re
		g.Runs = append(g.Runs, cavityRun("trt", re))
		g.Checks = append(g.Checks, cavityExtrema(run, ", Re = "+re)...)
		g.Figures = append(g.Figures, Figure{Name: run, Title: "Lid-driven cavity, Re = " + re, X: "y / L for u, x / L for v", Y: "velocity / U", From: []string{run}, Lines: func(r *Results) []plot.Line {
			y, u := r.Line(run, "vertical", end, "y", "u")
			x, v := r.Line(run, "horizontal", end, "x", "v")
			ru, rv := published("cavity.csv", "Re", re, "profile", "u"), published("cavity.csv", "Re", re, "profile", "v")
			return []plot.Line{{Name: "u, lbmib", X: y, Y: u}, {Name: "v, lbmib", X: x, Y: v},
				{Name: "u, converged reference", X: ru.Float("coord"), Y: ru.Float("converged"), Points: true},
				{Name: "v, converged reference", X: rv.Float("coord"), Y: rv.Float("converged"), Points: true}}
		}})
	}
	recursive := cavityRun("recursive", "100")
	g.Runs = append(g.Runs, recursive)
	g.Checks = append(g.Checks, cavityExtrema(recursive.Name, ", Re = 100, recursive")...)
	return []Group{g}
}

// cavityRun is a cavity with a collision operator.
func cavityRun(collision, re string) Run {
	return Run{operatorRun(collision, "trt", "Re"+re), "cavity.toml", []string{set("fluid.collision", collision), "reference.reynolds=" + re + ".0"}}
}

// cavityExtrema are the extrema on the centrelines.
func cavityExtrema(run, of string) []Check {
	u := func(r *Results) []float64 { _, u := r.Line(run, "vertical", end, "y", "u"); return u }
	v := func(r *Results) []float64 { _, v := r.Line(run, "horizontal", end, "x", "v"); return v }
	return []Check{
		{"least u" + of, []string{run}, func(r *Results) float64 { return smallest(u(r)) }},
		{"largest v" + of, []string{run}, func(r *Results) float64 { return largest(v(r)) }},
		{"least v" + of, []string{run}, func(r *Results) float64 { return smallest(v(r)) }},
	}
}
