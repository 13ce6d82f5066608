package suite

import "lbmib/io/plot"

// cavityGroups is the lid-driven cavity.
func cavityGroups() []Group {
	g := Group{
		Name: "cavity", Title: "Lid-driven cavity",
		About: "Extrema of the velocity on the centrelines, by a parabola through the extreme node and its neighbours, on 128² nodes.",
	}
	for _, re := range []string{"100", "400", "1000"} {
		run := "Re" + re
		g.Runs = append(g.Runs, Run{run, "cavity.toml", []string{"reference.reynolds=" + re + ".0"}})
		u := func(r *Results) []float64 { _, u := r.Line(run, "vertical", end, "y", "u"); return u }
		v := func(r *Results) []float64 { _, v := r.Line(run, "horizontal", end, "x", "v"); return v }
		g.Checks = append(g.Checks,
			Check{"least u, Re = " + re, []string{run}, func(r *Results) float64 { return smallest(u(r)) }},
			Check{"largest v, Re = " + re, []string{run}, func(r *Results) float64 { return largest(v(r)) }},
			Check{"least v, Re = " + re, []string{run}, func(r *Results) float64 { return smallest(v(r)) }})
		g.Figures = append(g.Figures, Figure{Name: run, Title: "Lid-driven cavity, Re = " + re, X: "y / L for u, x / L for v", Y: "velocity / U", From: []string{run}, Lines: func(r *Results) []plot.Line {
			y, u := r.Line(run, "vertical", end, "y", "u")
			x, v := r.Line(run, "horizontal", end, "x", "v")
			ru, rv := published("cavity.csv", "Re", re, "profile", "u"), published("cavity.csv", "Re", re, "profile", "v")
			return []plot.Line{{Name: "u, lbmib", X: y, Y: u}, {Name: "v, lbmib", X: x, Y: v},
				{Name: "u, converged reference", X: ru.Float("coord"), Y: ru.Float("converged"), Points: true},
				{Name: "v, converged reference", X: rv.Float("coord"), Y: rv.Float("converged"), Points: true}}
		}})
	}
	return []Group{g}
}
