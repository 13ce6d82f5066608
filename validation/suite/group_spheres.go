package suite

import "lbmib/io/plot"

// sphereGroups are spheres in a stream.
func sphereGroups() []Group {
	g := Group{
		Name: "sphere", Title: "Sphere in a stream",
		About: "Drag at Re = 50, 100 and 300 on 16 nodes per diameter, single precision, in a box 14 D × 12 D × 12 D with free-slip sides. At Re = 300 the grid Reynolds number is 19, where the wake of a BGK run diverged at t = 10.6: that one is regularized.",
	}
	published := map[string][2]float64{"50": {1.581, 1.574}, "100": {1.102, 1.087}, "300": {0.656, 0.653}}
	for _, c := range []struct{ re, time, collision string }{{"50", "20.0", "bgk"}, {"100", "25.0", "bgk"}, {"300", "50.0", "regularized"}} {
		run := "Re" + c.re
		g.Runs = append(g.Runs, Run{run, "sphere.toml", []string{"reference.reynolds=" + c.re + ".0", "run.time=" + c.time, "fluid.collision=" + c.collision}})
		g.Checks = append(g.Checks, Check{"drag, Re = " + c.re, []string{run}, func(r *Results) float64 { return numbersOf(r, run, "sphere").cd }})
		g.Figures = append(g.Figures, Figure{Name: run, Title: "Sphere, Re = " + c.re, X: "t U / D", Y: "drag coefficient", From: []string{run}, Lines: func(r *Results) []plot.Line {
			t, cd := r.Forces(run, "sphere", "cd")
			t, cd = within(t, cd, 3, end)
			p := published[c.re]
			ends := []float64{3, last(t)}
			return []plot.Line{{Name: "lbmib", X: t, Y: cd}, {Name: "Johnson & Patel 1999", X: ends, Y: []float64{p[0], p[0]}, Guide: true}, {Name: "Clift, Grace & Weber 1978", X: ends, Y: []float64{p[1], p[1]}, Guide: true}}
		}})
	}
	return []Group{g}
}
