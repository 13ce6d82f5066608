package suite

import "lbmib/io/plot"

// levelGroups are bodies on nested grids, beside one grid of the finest nodes.
func levelGroups() []Group {
	const refine = `refine=[{ around = "cylinder", margin = [1.5, 8.0, 2.0, 2.0], level = 2 }]`
	const steady, steadyLevels, shed, shedLevels = "Re40", "Re40-levels", "Re100", "Re100-levels"
	g := Group{
		Name: "levels", Title: "Cylinder on nested grids",
		About: "The domain of the group cylinder, 20 nodes per diameter around the cylinder and in its near wake and 5 elsewhere, beside one grid of 20: a thirteenth of the updates.",
	}
	for _, r := range []struct {
		one, levels string
		sets        []string
	}{
		{steady, steadyLevels, []string{resolution(20), "reference.reynolds=40.0", "run.time=40.0"}},
		{shed, shedLevels, []string{resolution(20), "reference.reynolds=100.0", "reference.velocity=0.06", "run.time=140.0", shedding}},
	} {
		g.Runs = append(g.Runs, Run{r.one, "cylinder.toml", r.sets}, Run{r.levels, "cylinder.toml", append(r.sets[:len(r.sets):len(r.sets)], refine)})
	}
	ratio := func(quantity, levels, one string, of func(b bodyNumbers) float64) Check {
		return Check{quantity, []string{levels, one}, func(r *Results) float64 {
			return of(numbersOf(r, levels, "cylinder")) / of(numbersOf(r, one, "cylinder"))
		}}
	}
	g.Checks = []Check{
		ratio("drag on three levels over one grid's, Re = 40", steadyLevels, steady, drag),
		ratio("recirculation on three levels over one grid's, Re = 40", steadyLevels, steady, wake),
		ratio("mean drag on three levels over one grid's, Re = 100", shedLevels, shed, drag),
		ratio("lift amplitude on three levels over one grid's, Re = 100", shedLevels, shed, lift),
		ratio("Strouhal number on three levels over one grid's, Re = 100", shedLevels, shed, frequency),
	}
	g.Figures = []Figure{{Name: "lift", Title: "Cylinder, Re = 100: lift on three levels and on one grid", X: "t U/D", Y: "C_L", From: []string{shed, shedLevels}, Lines: func(r *Results) (lines []plot.Line) {
		for _, run := range []string{shed, shedLevels} {
			t, cl := r.Forces(run, "cylinder", "cl")
			lines = append(lines, plot.Line{Name: run, X: t, Y: cl})
		}
		return lines
	}}}
	return []Group{g}
}
