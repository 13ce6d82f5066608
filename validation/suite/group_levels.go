package suite

import (
	"fmt"
	"math"
	"strings"

	"lbmib/io/plot"
	"lbmib/run/setup"
)

// levelGroups are flows on nested grids, beside one grid of the finest nodes and beside what is published.
func levelGroups() []Group {
	g := Group{
		Name: "levels", Title: "Nested grids",
		About: "Cylinders between free-slip walls, on 20 nodes per diameter around them and in their near wakes and 5 elsewhere, beside one grid of 20: an eighth of the updates. DFG benchmarks with at least five times fewer updates than one grid, within the bounds of one grid, and 2D-2 on 80 nodes per diameter. Spheres on 12 nodes per diameter beside one grid, and in 20 D × 16 D × 16 D, as wide as their reference asks for, with at least twenty times fewer updates. Ten Cate's sphere, which falls through a column of finer nodes.",
	}
	g.cylindersOnLevels()
	g.channelsOnLevels()
	g.spheresOnLevels()
	g.settlingOnLevels()
	return []Group{g}
}

// finer is a table of refine: nodes so many times halved around a body, with margins in L in the order of the faces.
func finer(body string, level int, margin ...float64) string {
	return fmt.Sprintf("{ around = %q, margin = %s, level = %d }", body, vector(margin...), level)
}

// refine is the override of refine.
func refine(tables ...string) string { return "refine=[" + strings.Join(tables, ", ") + "]" }

// with are overrides and more of them.
func with(sets []string, more ...string) []string { return append(sets[:len(sets):len(sets)], more...) }

// onLevels is the name of the twin of a run on nested grids.
func onLevels(run string) string { return run + "-levels" }

// addTwins adds a case on one grid and on nested ones.
func (g *Group) addTwins(name, file string, sets []string, refined string) {
	g.Runs = append(g.Runs, Run{name, file, sets}, Run{onLevels(name), file, with(sets, refined)})
}

// addRatio adds what a quantity is on nested grids over what it is on one.
func (g *Group) addRatio(quantity, run string, of func(r *Results, run string) float64) {
	g.Checks = append(g.Checks, Check{quantity, []string{onLevels(run), run}, func(r *Results) float64 { return of(r, onLevels(run)) / of(r, run) }})
}

// ofBody is a number of a body's statistics.
func ofBody(body string, of func(b bodyNumbers) float64) func(r *Results, run string) float64 {
	return func(r *Results, run string) float64 { return of(numbersOf(r, run, body)) }
}

// addGain adds how many times as many updates one grid takes, the least of some runs.
func (g *Group) addGain(quantity string, runs ...string) {
	all := g.Runs
	g.Checks = append(g.Checks, Check{quantity, nil, func(r *Results) float64 {
		least := math.Inf(1)
		for _, run := range all {
			for _, name := range runs {
				if run.Name == name {
					least = math.Min(least, gain(r, run))
				}
			}
		}
		return least
	}})
}

// gain is how many times as many updates a run's case takes on one grid.
func gain(r *Results, plan Run) float64 {
	c, err := load(plan, "") // it has no vessel
	if err != nil {
		r.fail("%w", err)
		return math.NaN()
	}
	p, err := setup.New(c)
	if err != nil {
		r.fail("%w", err)
		return math.NaN()
	}
	return float64(p.Flow.Nodes()) / p.Updates()
}

func (g *Group) cylindersOnLevels() {
	nested := refine(finer("cylinder", 2, 1.5, 8, 2, 2))
	steady := []string{resolution(20), "run.time=40.0"}
	g.addTwins("Re20", "cylinder.toml", with(steady, "reference.reynolds=20.0"), nested)
	g.addTwins("Re40", "cylinder.toml", with(steady, "reference.reynolds=40.0"), nested)
	g.addTwins("Re100", "cylinder.toml", []string{resolution(20), "reference.reynolds=100.0", "reference.velocity=0.06", "run.time=140.0", shedding}, nested)
	for _, c := range []struct {
		quantity, run string
		of            func(b bodyNumbers) float64
	}{
		{"drag on three levels over one grid's, Re = 20", "Re20", drag},
		{"recirculation on three levels over one grid's, Re = 20", "Re20", recirculation},
		{"drag on three levels over one grid's, Re = 40", "Re40", drag},
		{"recirculation on three levels over one grid's, Re = 40", "Re40", recirculation},
		{"mean drag on three levels over one grid's, Re = 100", "Re100", drag},
		{"lift amplitude on three levels over one grid's, Re = 100", "Re100", lift},
		{"Strouhal number on three levels over one grid's, Re = 100", "Re100", frequency},
	} {
		g.addRatio(c.quantity, c.run, ofBody("cylinder", c.of))
	}
	shed := []string{"Re100", onLevels("Re100")}
	g.Figures = append(g.Figures, Figure{Name: "lift", Title: "Cylinder, Re = 100: lift on three levels and on one grid", X: "t U/D", Y: "C_L", From: shed, Lines: func(r *Results) (lines []plot.Line) {
		for _, run := range shed {
			t, cl := r.Forces(run, "cylinder", "cl")
			lines = append(lines, plot.Line{Name: run, X: t, Y: cl})
		}
		return lines
	}})
}

// channelsOnLevels adds the benchmarks of Schäfer & Turek. Boxes of the middle level go from wall to wall.
func (g *Group) channelsOnLevels() {
	const two, three, street, fine, space = "2D1-D20-levels", "2D1-D40-levels", "2D2-D40-levels", "2D2-D80-levels", "3D1Z-D20-levels"
	steady := []string{"reference.velocity=0.0125"}
	shed := []string{"reference.reynolds=100.0", "reference.velocity=0.025", "run.time=90.0"}
	g.Runs = append(g.Runs,
		Run{two, "dfg-2d.toml", with(steady, resolution(20), surfaceProbes(20), refine(finer("cylinder", 1, 0.5, 1.2, 0.5, 0.5)))},
		Run{three, "dfg-2d.toml", with(steady, resolution(40), surfaceProbes(40), refine(finer("cylinder", 2, 0.6, 1.6, 0.6, 0.6), finer("cylinder", 1, 1.25, 8, 2, 2)))},
		Run{street, "dfg-2d.toml", with(shed, resolution(40), surfaceProbes(40), refine(finer("cylinder", 2, 0.6, 2, 0.6, 0.6), finer("cylinder", 1, 1.25, 10, 2, 2)))},
		Run{fine, "dfg-2d.toml", with(shed, resolution(80), surfaceProbes(80), refine(finer("cylinder", 3, 0.4, 0.8, 0.4, 0.4), finer("cylinder", 2, 0.8, 2.5, 0.8, 0.8), finer("cylinder", 1, 1.25, 10, 2, 2)))},
		Run{space, "dfg-3d.toml", []string{refine(finer("cylinder", 1, 1, 2, 1, 1, 0, 0))}})
	meanLift := func(run string) func(r *Results) float64 {
		return func(r *Results) float64 { return float64(r.Body(run, "cylinder").ClMean) }
	}
	g.Checks = append(g.Checks,
		statistic("2D-1 drag, D = 20, two levels", two, drag),
		Check{"2D-1 lift, D = 20, two levels", []string{two}, meanLift(two)},
		Check{"2D-1 pressure drop over ρU², D = 20, two levels", []string{two}, func(r *Results) float64 { _, dp := pressureDrop(r, two); return last(dp) }},
		statistic("2D-1 drag, D = 40, three levels", three, drag),
		Check{"2D-1 lift, D = 40, three levels", []string{three}, meanLift(three)},
		Check{"2D-1 pressure drop over ρU², D = 40, three levels", []string{three}, func(r *Results) float64 { _, dp := pressureDrop(r, three); return last(dp) }},
		statistic("2D-1 recirculation, D = 40, three levels", three, recirculation),
		Check{"2D-2 lift, peak to peak, D = 40, three levels", []string{street}, func(r *Results) float64 {
			return late(r, street, "cl", largest) - late(r, street, "cl", smallest)
		}},
		statistic("2D-2 Strouhal number, D = 40, three levels", street, frequency),
		Check{"2D-2 largest drag, D = 80, four levels", []string{fine}, func(r *Results) float64 { return late(r, fine, "cd", largest) }},
		Check{"2D-2 largest lift, D = 80, four levels", []string{fine}, func(r *Results) float64 { return late(r, fine, "cl", largest) }},
		Check{"2D-2 pressure drop half a period after the largest lift, D = 80, four levels", []string{fine}, func(r *Results) float64 { return dropAfterLift(r, fine) }},
		Check{"3D-1Z drag, D = 20, two levels", []string{space}, func(r *Results) float64 { return dragOfTube(r, space) }})
	g.addGain("DFG: updates of one grid over those of levels, the least", two, three, street, fine, space)
	g.Figures = append(g.Figures, liftHistory("DFG 2D-2, D = 80, four levels", fine, 3.19))
}

// spheresOnLevels adds spheres in a stream.
func (g *Group) spheresOnLevels() {
	nested := refine(finer("sphere", 2, 0.75, 2.5, 0.75, 0.75, 0.75, 0.75), finer("sphere", 1, 1.5, 5, 1.5, 1.5, 1.5, 1.5))
	small := []string{resolution(12), "domain.size=[12.0, 10.0, 10.0]", "body.0.shape.center=[4.0, 5.0, 5.0]"}
	g.addTwins("sphere-D12-Re100", "sphere.toml", small, nested)
	g.addTwins("sphere-D12-Re300", "sphere.toml", with(small, "reference.reynolds=300.0", "fluid.collision=recursive"), nested)
	g.addRatio("sphere: drag on three levels over one grid's, Re = 100, D = 12", "sphere-D12-Re100", ofBody("sphere", drag))
	g.addRatio("sphere: drag on three levels over one grid's, Re = 300, D = 12", "sphere-D12-Re300", ofBody("sphere", drag))
	const re100, re300 = "sphere-D24-Re100-levels", "sphere-D24-Re300-levels"
	// Sides of more than 15 D, as the reference asks for.
	wide := []string{resolution(24), "domain.size=[20.0, 16.0, 16.0]", "body.0.shape.center=[7.0, 8.0, 8.0]"}
	g.Runs = append(g.Runs,
		Run{re100, "sphere.toml", with(wide, refine(
			finer("sphere", 3, 0.75, 2.5, 0.75, 0.75, 0.75, 0.75), finer("sphere", 2, 1.5, 6, 1.5, 1.5, 1.5, 1.5), finer("sphere", 1, 3, 10, 3, 3, 3, 3)))},
		Run{re300, "sphere.toml", with(wide, "reference.reynolds=300.0", "fluid.collision=recursive", "run.time=60.0",
			`domain.initial={ type = "shear", velocity = [1.0, 0.0, 0.0], amplitude = 0.02 }`,
			refine(finer("sphere", 2, 0.75, 3, 0.75, 0.75, 0.75, 0.75), finer("sphere", 1, 1.5, 8, 1.5, 1.5, 1.5, 1.5)))})
	g.Checks = append(g.Checks,
		Check{"sphere: drag, Re = 100, D = 24, four levels", []string{re100}, func(r *Results) float64 { return numbersOf(r, re100, "sphere").cd }},
		Check{"sphere: drag, Re = 300, D = 24, three levels", []string{re300}, func(r *Results) float64 { return numbersOf(r, re300, "sphere").cd }})
	g.addGain("spheres in 20 D × 16 D × 16 D: updates of one grid over those of levels, the least", re100, re300)
}

// settlingOnLevels adds ten Cate's sphere in a column of finer nodes, from the floor to the lid.
func (g *Group) settlingOnLevels() {
	column := refine("{ box = { min = [2.2, 0.0, 2.2], max = [4.4666667, 10.6666667, 4.4666667] }, level = 1 }")
	speed := func(r *Results, run string) float64 {
		_, v := r.Motion(run, "sphere", "vy")
		return -smallest(v)
	}
	const e4 = "E4-levels"
	g.addTwins("E1", "settling.toml", nil, column)
	g.Runs = append(g.Runs, Run{e4, "settling.toml", with(settlingE4, column)})
	g.addRatio("settling: largest speed on two levels over one grid's, E1", "E1", speed)
	g.Checks = append(g.Checks, Check{"settling: largest speed over U, E4, two levels", []string{e4}, func(r *Results) float64 { return speed(r, e4) }})
}
