package suite

import "lbmib/io/plot"

// fineSphere is the sphere at Re = 300.
var fineSphere = []string{resolution(20), "domain.size=[10.0, 9.0, 9.0]", "body.0.shape.center=[3.5, 4.5, 4.5]", "fluid.collision=regularized",
	`domain.boundary.right={ type = "pressure" }`, `domain.initial={ type = "shear", velocity = [1.0, 0.0, 0.0], amplitude = 0.02 }`}

// sphereGroups are spheres in a stream.
func sphereGroups() []Group {
	g := Group{
		Name: "sphere", Title: "Sphere in a stream",
		About: "Drag at Re = 50 and 100 on 16 nodes per diameter in a box 14 D × 12 D × 12 D with free-slip sides, and at Re = 300, where the boundary layer is one node thick on 16, on 20 in a box 10 D × 9 D × 9 D; single precision. At Re = 300 the wake is unsteady, a little shear breaks its symmetry, and pressure is prescribed behind it.",
	}
	published := map[string][2]float64{"50": {1.581, 1.574}, "100": {1.102, 1.087}, "300": {0.656, 0.653}}
	for _, c := range []struct {
		re, time string
		sets     []string
	}{{"50", "20.0", nil}, {"100", "25.0", nil}, {"300", "35.0", fineSphere}} {
		run := "Re" + c.re
		g.Runs = append(g.Runs, Run{run, "sphere.toml", append([]string{"reference.reynolds=" + c.re + ".0", "run.time=" + c.time}, c.sets...)})
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
