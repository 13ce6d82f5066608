package suite

import (
	"math"

	"lbmib/io/plot"
	"lbmib/io/statistics"
)

// treading is a red cell whose membrane turns around what it holds.
func treading() Group {
	const run = "tread"
	column := func(r *Results, name string) []float64 { return r.Column(run, "cells.csv", name, "body", "cell") }
	return Group{
		Name: "tank-treading", Title: "A red cell that tank-treads in a shear",
		About: "A biconcave disc of 642 vertices and 16 nodes across, Skalak's law with C = 100, in the shear of a fluid five times as viscous as that inside, Ca = 2.2 by G_s, Re = 0.25 by the radius: how often the membrane turns, over the last half of the run. Membranes of experiments are viscous, too, which this one is not. Reported only.",
		Runs:  []Run{{run, "tank-treading.toml", nil}},
		Checks: []Check{
			{"turns of the membrane in 1/γ̇", []string{run}, func(r *Results) float64 {
				t, tread := column(r, "t"), column(r, "tread")
				t, tread = t[len(t)/2:], tread[len(tread)/2:]
				return math.Abs(statistics.Slope(t, tread)) / (2 * math.Pi) // a straight line: the angle swings within a turn
			}},
		},
		Figures: []Figure{{Name: "tread", Title: "Red cell in shear", X: "γ̇ t", Y: "angle / turns", From: []string{run}, Lines: func(r *Results) []plot.Line {
			lines := []plot.Line{{Name: "membrane", X: column(r, "t"), Y: column(r, "tread")}, {Name: "longest axis", X: column(r, "t"), Y: column(r, "inclination")}}
			for i := range lines {
				for k := range lines[i].Y {
					lines[i].Y[k] /= 2 * math.Pi
				}
			}
			return lines
		}}},
	}
}
