package suite

import (
	"math"

	"lbmib/io/plot"
)

// pries are the apparent viscosity of blood in a glass tube over that of plasma, and the haematocrit in the tube over that of what flows, by the fits of Pries, Neuhaus &
// Gaehtgens (1992), written down anew: of a diameter in µm, and of the haematocrit of what flows.
func pries(diameter, discharge float64) (viscosity, ratio float64) {
	d := diameter
	at45 := 220*math.Exp(-1.3*d) + 3.2 - 2.44*math.Exp(-0.06*math.Pow(d, 0.645))
	share := 1 / (1 + 1e-11*math.Pow(d, 12))
	c := (0.8+math.Exp(-0.075*d))*(share-1) + share
	viscosity = 1 + (at45-1)*(math.Pow(1-discharge, c)-1)/(math.Pow(0.55, c)-1)
	return viscosity, discharge + (1-discharge)*(1+1.7*math.Exp(-0.35*d)-0.6*math.Exp(-0.01*d))
}

// tube is a suspension in a round tube.
type tube struct {
	run, name string
	diameter  float64  // µm
	from      float64  // L/U: means are over what follows
	sets      []string // of blood-tube.toml
}

var tubes = []tube{
	{"tube20", "20 µm, H_D 0.30", 20, 5, nil},
	{"tube20-dense", "20 µm, H_D 0.45", 20, 3, []string{"suspension.0.hematocrit=0.455",
		"suspension.0.region={ min = [0.0, 0.115, 0.115], max = [1.283334, 0.935, 0.935] }", "run.time=6.0"}},
	{"tube40", "40 µm, H_D 0.30", 40, 2.5, []string{"reference.resolution=80", "reference.reynolds=4.8", "reference.length=40 um", "reference.speed=2 mm/s",
		"domain.size=[0.6375, 1.05, 1.05]", "domain.force=[6.66667, 0.0, 0.0]", "solid.0.shape.center=[0.31875, 0.525, 0.525]",
		"suspension.0.hematocrit=0.283", "suspension.0.region={ min = [0.0, 0.09, 0.09], max = [0.6375, 0.96, 0.96] }", "suspension.0.material.bending=2.25e-5", "run.time=5.0"}},
}

// bloodGroups are suspensions of red cells.
func bloodGroups() []Group {
	g := Group{
		Name: "blood", Title: "Red cells in tubes of 20 and 40 µm",
		About: "Cells of 642 vertices, 19 and 32 in a tube of 20 µm on a grid of 0.33 µm and 88 in one of 40 µm on a grid of 0.5 µm, at a pseudo shear rate of 50/s. They begin away from the wall, so that the layer free of cells need not form, which takes some 25 diameters; means are over the second half of ten, six and five. Measured values are those of the fits of Pries et al. at the discharge haematocrit that a run has.",
	}
	var all []string
	for _, tube := range tubes {
		all = append(all, tube.run)
		g.Runs = append(g.Runs, Run{tube.run, "blood-tube.toml", tube.sets})
		g.Checks = append(g.Checks, tube.checks()...)
	}
	g.Figures = []Figure{{Name: "viscosity", Title: "Apparent viscosity of red cells over that in glass tubes", X: "t U/L", Y: "over the fit of Pries et al. (1992) at the H_D of the run", From: all, Lines: func(r *Results) (lines []plot.Line) {
		for _, tube := range tubes {
			viscosity, _ := tube.measured(r)
			t, v := r.Column(tube.run, "suspension.csv", "t"), r.Column(tube.run, "suspension.csv", "relative_viscosity")
			over := make([]float64, len(v))
			for i := range v {
				over[i] = v[i] / viscosity
			}
			lines = append(lines, plot.Line{Name: tube.name, X: t, Y: over})
		}
		return lines
	}}}
	return []Group{g}
}

// late is the mean of a column over the last part of the run.
func (u *tube) late(r *Results, column string) float64 {
	_, v := within(r.Column(u.run, "suspension.csv", "t"), r.Column(u.run, "suspension.csv", column), u.from, math.Inf(1))
	return average(v)
}

func (u *tube) measured(r *Results) (viscosity, ratio float64) {
	return pries(u.diameter, u.late(r, "discharge_hematocrit"))
}

func (u *tube) checks() []Check {
	only := []string{u.run}
	return []Check{
		{u.name + ": discharge haematocrit", only, func(r *Results) float64 { return u.late(r, "discharge_hematocrit") }},
		{u.name + ": apparent viscosity over that in glass tubes", only, func(r *Results) float64 {
			viscosity, _ := u.measured(r)
			return u.late(r, "relative_viscosity") / viscosity
		}},
		{u.name + ": Fåhræus ratio over that in glass tubes", only, func(r *Results) float64 {
			_, ratio := u.measured(r)
			return u.late(r, "fahraeus_ratio") / ratio
		}},
		{u.name + ": largest change of a cell's volume", only, func(r *Results) float64 { return u.late(r, "volume_drift_max") }},
	}
}
