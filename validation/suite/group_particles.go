package suite

import (
	"math"
	"slices"

	"lbmib/io/plot"
)

// particleGroups are bodies that move freely or near walls.
func particleGroups() []Group { return []Group{jeffery(), settling(), brenner()} }

func jeffery() Group {
	g := Group{
		Name: "jeffery", Title: "Jeffery orbits",
		About: "Free ellipses of aspect ratio r in a shear flow, released across it. The period is that of half a turn, doubled, after the shear has spread; the walls are eight long axes apart.",
	}
	for _, c := range []struct {
		ratio string
		sets  []string
	}{
		{"2", nil},
		{"5", []string{resolution(40), "body.0.shape.axes=[1.0, 0.2]", "reference.reynolds=0.1", "reference.velocity=0.005", "domain.size=[6.0, 8.0]", "body.0.shape.center=[3.0, 4.0]", "run.time=38.0"}},
	} {
		run := "r" + c.ratio
		g.Runs = append(g.Runs, Run{run, "jeffery.toml", c.sets})
		g.Checks = append(g.Checks, Check{"period T γ̇, r = " + c.ratio, []string{run}, func(r *Results) float64 {
			t, angle := r.Motion(run, "ellipse", "angle")
			return orbit(t, angle, 8)
		}})
		g.Figures = append(g.Figures, Figure{Name: run, Title: "Jeffery orbit, r = " + c.ratio, X: "t γ̇", Y: "angle from upright / radians", From: []string{run}, Lines: func(r *Results) []plot.Line {
			t, angle := r.Motion(run, "ellipse", "angle")
			return []plot.Line{{Name: "lbmib", X: t, Y: angle}, jefferyCurve(c.ratio, t, angle)}
		}})
	}
	return g
}

// orbit is twice the time of half a turn, the first after t0 that begins and ends
// where the body turns fast: at its upright places, whole half turns from the start.
func orbit(t, angle []float64, t0 float64) float64 {
	if len(angle) == 0 || len(t) != len(angle) {
		return math.NaN()
	}
	now := at(t, angle, t0)
	turns := math.Floor(now / math.Pi) // clockwise: angles fall
	a := crossing(t, angle, turns*math.Pi, t0)
	b := crossing(t, angle, (turns-1)*math.Pi, t0)
	return 2 * (b - a)
}

// jefferyCurve is Jeffery's angle over time, through the upright place that a run
// passes first after t = 8. A body along the stream turns with γ̇/(r² + 1).
func jefferyCurve(ratio string, t, angle []float64) plot.Line {
	r := 2.
	if ratio == "5" {
		r = 5
	}
	l := plot.Line{Name: "Jeffery"}
	turns := math.Floor(at(t, angle, 8) / math.Pi)
	t0 := crossing(t, angle, turns*math.Pi, 8)
	for _, x := range t {
		if x < 8 {
			continue
		}
		phase := (x - t0) * r / (r*r + 1)
		// From the gradient's direction: tan θ = −r tan phase, whole turns added.
		half := math.Round(phase / math.Pi)
		l.X, l.Y = append(l.X, x), append(l.Y, turns*math.Pi-half*math.Pi-math.Atan(r*math.Tan(phase-half*math.Pi)))
	}
	return l
}

// settlingE4 is run E4.
var settlingE4 = []string{"reference.reynolds=31.876", "reference.velocity=0.05", "domain.gravity=[0.0, -8.9268, 0.0]", "body.0.motion.density=1.1666667", "run.time=10.0"}

func settling() Group {
	g := Group{
		Name: "settling", Title: "Sphere settling in a box",
		About: "Ten Cate et al. (2002), runs E1 and E4, 15 nodes per diameter: the largest speed over that in an unbounded fluid, and trajectories down to the floor.",
		Runs: []Run{
			{"E1", "settling.toml", nil},
			{"E4", "settling.toml", settlingE4},
		},
	}
	for _, c := range []struct {
		run, re string
		speed   float64 // m/s in an unbounded fluid, the case's U
	}{{"E1", "1.5", 0.03829}, {"E4", "31.9", 0.12839}} {
		g.Checks = append(g.Checks, Check{"largest speed over U, " + c.run, []string{c.run}, func(r *Results) float64 {
			_, v := r.Motion(c.run, "sphere", "vy")
			return -smallest(v)
		}})
		g.Figures = append(g.Figures, Figure{Name: c.run, Title: "Settling sphere, " + c.run, X: "t / s", Y: "velocity / (m/s)", From: []string{c.run}, Lines: func(r *Results) []plot.Line {
			t, v := r.Motion(c.run, "sphere", "vy")
			l := plot.Line{Name: "lbmib"}
			for i := range v {
				l.X, l.Y = append(l.X, t[i]*0.015/c.speed), append(l.Y, v[i]*c.speed)
			}
			p := published("ten_cate.csv", "Re", c.re, "quantity", "u_m_per_s")
			return []plot.Line{l, {Name: "ten Cate et al. 2002", X: p.Float("t_s"), Y: p.Float("value"), Points: true}}
		}})
	}
	return g
}

func brenner() Group {
	g := Group{
		Name: "brenner", Title: "Sphere moving towards a wall",
		About: "Drag over Stokes' at the end of a slow approach, when gaps are a radius, a half and three tenths of it (8, 4 and 3.6 nodes). The other walls of the box, 8 diameters wide and 6 high, add 0.6 % at the widest gap.",
	}
	gaps := []float64{1, 0.5, 0.3}
	exact := []float64{2.1255, 3.2054, 4.6107}
	var names []string
	for i, gap := range gaps {
		run, d := named("gap", gap), []float64{16, 16, 24}[i]
		names = append(names, run)
		g.Runs = append(g.Runs, Run{run, "brenner.toml", []string{
			resolution(d), set("reference.velocity", decimal(0.08/d)), set("body.0.shape.center", vector(4, 0.5+gap/2+0.275, 4))}})
		g.Checks = append(g.Checks, Check{"drag over Stokes', gap/a = " + decimalText(gap), []string{run}, func(r *Results) float64 { return stokesDrag(r, run) }})
	}
	g.Figures = []Figure{{Name: "factor", Title: "Sphere moving towards a wall", X: "gap / a", Y: "drag / (6πμaU)", From: names, Log: true, Lines: func(r *Results) []plot.Line {
		l := plot.Line{Name: "lbmib", X: gaps, Points: true}
		for _, n := range names {
			l.Y = append(l.Y, stokesDrag(r, n))
		}
		x, y := slices.Clone(gaps), slices.Clone(exact)
		slices.Reverse(x)
		slices.Reverse(y)
		return []plot.Line{{Name: "Brenner 1961", X: x, Y: y}, l}
	}}}
	return g
}

// stokesDrag is the force on the sphere over 6πμaU = 3πμDU: fy is over ρU²L²/2.
func stokesDrag(r *Results, run string) float64 {
	_, fy := r.Forces(run, "sphere", "fy")
	return last(fy) / 2 / (3 * math.Pi * r.Case(run).Reference.Viscosity)
}
