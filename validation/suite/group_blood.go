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

// bloodGroups are suspensions of red cells.
func bloodGroups() []Group {
	const (
		run      = "tube20"
		diameter = 20. // µm
		from     = 5.  // L/U: half of the run
	)
	late := func(r *Results, column string) float64 {
		_, v := within(r.Column(run, "suspension.csv", "t"), r.Column(run, "suspension.csv", column), from, math.Inf(1))
		return average(v)
	}
	measured := func(r *Results) (viscosity, ratio float64) { return pries(diameter, late(r, "discharge_hematocrit")) }
	only := []string{run}
	return []Group{{
		Name: "blood", Title: "Red cells in a tube of 20 µm",
		About: "Nineteen cells of 642 vertices on a grid of 0.33 µm, at a pseudo shear rate of 50/s and a discharge haematocrit of 0.29. They begin away from the wall, so that the layer free of cells need not form, which takes some 25 diameters; means are over the second half of ten. Measured values are those of the fits of Pries et al. at the discharge haematocrit that the run has.",
		Runs:  []Run{{run, "blood-tube.toml", nil}},
		Checks: []Check{
			{"apparent viscosity over that in glass tubes", only, func(r *Results) float64 {
				viscosity, _ := measured(r)
				return late(r, "relative_viscosity") / viscosity
			}},
			{"Fåhræus ratio over that in glass tubes", only, func(r *Results) float64 {
				_, ratio := measured(r)
				return late(r, "fahraeus_ratio") / ratio
			}},
			{"largest change of a cell's volume", only, func(r *Results) float64 { return late(r, "volume_drift_max") }},
		},
		Figures: []Figure{{Name: "viscosity", Title: "Apparent viscosity of red cells, 20 µm", X: "t U/L", Y: "over that of the fluid alone", From: only, Lines: func(r *Results) []plot.Line {
			viscosity, _ := measured(r)
			t, v := r.Column(run, "suspension.csv", "t"), r.Column(run, "suspension.csv", "relative_viscosity")
			return []plot.Line{{Name: "lbmib", X: t, Y: v}, {Name: "Pries et al. (1992)", X: []float64{0, last(t)}, Y: []float64{viscosity, viscosity}, Guide: true}}
		}}},
	}}
}
