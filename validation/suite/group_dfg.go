package suite

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lbmib/io/plot"
)

// channelCylinderGroups are the benchmarks of Schäfer & Turek.
func channelCylinderGroups() []Group { return []Group{dfgPlane(), dfgSpace()} }

// surfaceProbes are probes 2, 3 and 4 nodes in front of and behind the cylinder,
// from which the pressure on its surface is extrapolated.
func surfaceProbes(d float64) string {
	var all []string
	for i := range 3 {
		off := (2 + float64(i)) / d
		all = append(all, fmt.Sprintf("{ name = \"front%d\", at = %s, every = 0.05 }, { name = \"rear%d\", at = %s, every = 0.05 }",
			i+1, vector(1.5-off, 2), i+1, vector(2.5+off, 2)))
	}
	return "output.probes=[" + strings.Join(all, ", ") + "]"
}

// pressureDrop is p(front) − p(rear) on the surface over ρU², at every time.
func pressureDrop(r *Results, run string) (t, dp []float64) {
	u := r.Case(run).Reference.Velocity
	at := func(side string) (t, p []float64) {
		var rho [3][]float64
		for i := range rho {
			t, rho[i] = r.Probe(run, fmt.Sprintf("%s%d", side, i+1), "rho")
		}
		for i := range t {
			// 2, 3, 4 nodes away, to the surface by a parabola: 6, −8, 3
			p = append(p, (6*rho[0][i]-8*rho[1][i]+3*rho[2][i]-1)/3/(u*u))
		}
		return t, p
	}
	t, front := at("front")
	_, rear := at("rear")
	if len(front) != len(rear) {
		return nil, nil
	}
	for i := range front {
		dp = append(dp, front[i]-rear[i])
	}
	return t, dp
}

func dfgPlane() Group {
	g := Group{
		Name: "dfg", Title: "DFG benchmark of a cylinder in a channel, 2D",
		About: "2D-1 (Re = 20) over the resolution, 2D-2 (Re = 100) at D = 40, and 2D-3 (Re from 0 to 100 and back) at D = 20, at lattice velocities of 0.0125 and 0.025, so that compressibility takes no part of the bounds. Immersed-boundary programs that leave their markers on the surface give 5.83 to 5.86 for the drag of 2D-1, 5 % too much, and hardly converge.",
	}
	sizes := []float64{10, 20, 40}
	var all []string
	for _, d := range sizes {
		name := named("2D1-D", d)
		all = append(all, name)
		g.Runs = append(g.Runs, Run{name, "dfg-2d.toml", []string{resolution(d), "reference.velocity=0.0125", surfaceProbes(d)}})
		if d > 10 {
			g.Checks = append(g.Checks, statistic("2D-1 drag, D = "+decimalText(d), name, drag))
		}
	}
	g.Checks = append(g.Checks, Check{"2D-1 order of the drag's error, D = 10 to 40", all, func(r *Results) float64 {
		var e []float64
		for _, n := range all {
			e = append(e, numbersOf(r, n, "cylinder").cd/5.57953523384-1)
		}
		return order(sizes, e)
	}})
	meanLift := func(run string) func(r *Results) float64 {
		return func(r *Results) float64 { return float64(r.Body(run, "cylinder").ClMean) }
	}
	g.Checks = append(g.Checks,
		Check{"2D-1 lift, D = 20", []string{"2D1-D20"}, meanLift("2D1-D20")},
		Check{"2D-1 lift, D = 40", []string{"2D1-D40"}, meanLift("2D1-D40")},
		Check{"2D-1 pressure drop over ρU², D = 20", []string{"2D1-D20"}, func(r *Results) float64 { _, dp := pressureDrop(r, "2D1-D20"); return last(dp) }},
		Check{"2D-1 pressure drop over ρU², D = 40", []string{"2D1-D40"}, func(r *Results) float64 { _, dp := pressureDrop(r, "2D1-D40"); return last(dp) }},
		statistic("2D-1 recirculation, D = 20", "2D1-D20", recirculation),
		statistic("2D-1 recirculation, D = 40", "2D1-D40", recirculation))
	g.Figures = []Figure{dragOverResolution("DFG 2D-1", all, sizes, "cylinder", 5.57953523384)}
	g.shedding()
	g.surge()
	return g
}

// shedding adds 2D-2.
func (g *Group) shedding() {
	const name, d = "2D2-D40", 40
	g.Runs = append(g.Runs, Run{name, "dfg-2d.toml", []string{resolution(d), surfaceProbes(d), "reference.reynolds=100.0", "reference.velocity=0.025", "run.time=90.0"}})
	extreme := func(column string, of func([]float64) float64) func(*Results) float64 {
		return func(r *Results) float64 { return late(r, name, column, of) }
	}
	g.Checks = append(g.Checks,
		Check{"2D-2 largest drag, D = 40", []string{name}, extreme("cd", largest)},
		Check{"2D-2 largest lift, D = 40", []string{name}, extreme("cl", largest)},
		Check{"2D-2 lift, peak to peak, D = 40", []string{name}, func(r *Results) float64 {
			return extreme("cl", largest)(r) - extreme("cl", smallest)(r)
		}},
		statistic("2D-2 Strouhal number, D = 40", name, frequency),
		Check{"2D-2 pressure drop half a period after the largest lift, D = 40", []string{name}, func(r *Results) float64 { return dropAfterLift(r, name) }})
	g.Figures = append(g.Figures, liftHistory("DFG 2D-2, D = 40", name, 3.19))
}

// late is a number of what a column of a run of 2D-2 has in its last two periods.
func late(r *Results, run, column string, of func([]float64) float64) float64 {
	t, c := r.Forces(run, "cylinder", column)
	_, c = within(t, c, last(t)-7, end)
	return of(c)
}

// surgeRun is 2D-3: the inflow is 1.5 sin(πt/8 s), from rest to rest within 80 D/U. One
// relaxation time, with which it once diverged at the outflow.
func surgeRun(d, velocity float64) Run {
	return Run{named("2D3-D", d), "dfg-2d.toml", []string{resolution(d), surfaceProbes(d), "reference.reynolds=100.0", set("reference.velocity", decimal(velocity)),
		"fluid.collision=bgk", "run.time=80.0", `domain.initial={ type = "rest" }`,
		`domain.boundary.left={ type = "velocity", profile = "parabolic", peak = 1.5, period = 160.0 }`}}
}

// surge adds 2D-3.
func (g *Group) surge() {
	run := surgeRun(20, 0.025)
	name := run.Name
	g.Runs = append(g.Runs, run)
	highest := func(column string) func(*Results) float64 {
		return func(r *Results) float64 {
			t, c := r.Forces(name, "cylinder", column)
			_, c = within(t, c, 5, end) // after the start, which rings
			return largest(c)
		}
	}
	g.Checks = append(g.Checks,
		Check{"2D-3 largest drag, D = 20", []string{name}, highest("cd")},
		Check{"2D-3 largest lift, D = 20", []string{name}, highest("cl")},
		Check{"2D-3 pressure drop at 8 s, D = 20", []string{name}, func(r *Results) float64 { _, dp := pressureDrop(r, name); return last(dp) }})
	g.Figures = append(g.Figures, Figure{Name: name, Title: "DFG 2D-3, D = 20", X: "t U / D", Y: "coefficient", From: []string{name}, Lines: func(r *Results) []plot.Line {
		t, cd := r.Forces(name, "cylinder", "cd")
		_, cl := r.Forces(name, "cylinder", "cl")
		return []plot.Line{{Name: "drag", X: t, Y: cd}, {Name: "lift", X: t, Y: cl},
			{Name: "largest, John 2004", X: []float64{39.3625, 56.93125}, Y: []float64{2.950921575, 0.47795}, Points: true}}
	}})
}

// dropAfterLift is the pressure drop half a period after the last but one peak of
// the lift.
func dropAfterLift(r *Results, run string) float64 {
	t, cl := r.Forces(run, "cylinder", "cl")
	period := 1 / float64(r.Body(run, "cylinder").Strouhal)
	t, cl = within(t, cl, last(t)-2.2*period, last(t)-period)
	if len(cl) == 0 {
		return math.NaN()
	}
	peak := t[slices.Index(cl, slices.Max(cl))]
	td, dp := pressureDrop(r, run)
	return at(td, dp, peak+period/2)
}

func dfgSpace() Group {
	g := Group{
		Name: "dfg3d", Title: "DFG benchmark of a cylinder in a channel, 3D-1Z",
		About: "The cylinder goes from wall to wall, as an open tube; single precision. The coefficient is per D·H, with H the channel's height.",
	}
	const name = "D20"
	g.Runs = []Run{{name, "dfg-3d.toml", nil}}
	g.Checks = []Check{{"3D-1Z drag, D = 20", []string{name}, func(r *Results) float64 { return dragOfTube(r, name) }}}
	g.Figures = []Figure{{Name: "drag", Title: "DFG 3D-1Z: drag over time", X: "t U / D", Y: "drag coefficient", From: []string{name}, Lines: func(r *Results) []plot.Line {
		t, fx := r.Forces(name, "cylinder", "fx")
		l := plot.Line{Name: "lbmib, D = 20"}
		for i := range t {
			if t[i] >= 5 {
				l.X, l.Y = append(l.X, t[i]), append(l.Y, fx[i]/tubeHeight)
			}
		}
		return []plot.Line{l, {Name: "Braack & Richter 2006", X: []float64{5, last(t)}, Y: []float64{6.18533, 6.18533}, Guide: true}}
	}}}
	return g
}

// tubeHeight is that of the channel of 3D-1Z, and as long is its cylinder, in D.
const tubeHeight = 4.1

// dragOfTube is the drag of 3D-1Z, per D·H.
func dragOfTube(r *Results, run string) float64 {
	_, fx := r.Forces(run, "cylinder", "fx")
	return last(fx) / tubeHeight // fx is per L²
}
