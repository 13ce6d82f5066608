package suite

import (
	"fmt"
	"math"

	"lbmib/io/plot"
	"lbmib/validation/reference"
)

// pulls are forces on a red cell in pN, and what a run needs to come to rest with each: the more it is stretched the stiffer the membrane is,
// and the sooner it is at rest.
var pulls = []struct{ force, velocity, time float64 }{
	{15.96, 0.004, 8}, {19.51, 0.004, 7.5}, {30.61, 0.004, 6.5}, {37.98, 0.004, 6}, {46.61, 0.0035, 5.5}, {67.62, 0.003, 5},
	{87.6, 0.0025, 5}, {108.8, 0.002, 5}, {130, 0.0017, 5}, {151, 0.0015, 4.5}, {172.8, 0.0013, 4.25}, {193, 0.0012, 4},
}

// stretching is a red cell that optical tweezers pull apart.
func stretching() Group {
	const diameter = 7.82 // µm
	g := Group{
		Name: "stretching", Title: "A red cell stretched by optical tweezers",
		About: "A biconcave disc of 7.82 µm and 642 vertices, on a grid of 0.49 µm, free of strain as drawn: Skalak's law with G_s = 2.7 µN/m and C = 100, κ = 2·10⁻¹⁹ J. Forces on 5 % of the vertices at either end come within 2 ms or so and stay; diameters are those along the pull and across it in the plane of the disc, at the end of a run. Widths at 16, 38 and 68 pN are too large for any modulus with which lengths hold; at 173 pN the measured width lies above those at the forces beside it (validation/README.md, What fails).",
	}
	var names []string
	for _, p := range pulls {
		name := fmt.Sprintf("F%g", math.Round(p.force))
		names = append(names, name)
		pull := func(end int, force float64) string {
			return fmt.Sprintf(`body.0.motion.loads.%d.force=["%g pN", 0, 0]`, end, force)
		}
		g.Runs = append(g.Runs, Run{name, "stretched-cell.toml", []string{pull(0, p.force), pull(1, -p.force), set("reference.velocity", decimal(p.velocity)), set("run.time", decimal(p.time))}})
	}
	ways := [2]struct{ direction, column string }{{"axial", "extent_x"}, {"transverse", "extent_y"}}
	for _, way := range ways {
		for i, p := range pulls {
			g.Checks = append(g.Checks, Check{fmt.Sprintf("%s diameter at %g pN, µm", way.direction, p.force), []string{names[i]}, func(r *Results) float64 {
				return diameter * last(r.Column(names[i], "cells.csv", way.column, "body", "cell"))
			}})
		}
	}
	g.Checks = append(g.Checks, Check{"largest change of a diameter over the last quarter of a run, relative", names, func(r *Results) (most float64) {
		for _, name := range names {
			for _, way := range ways {
				most = math.Max(most, lateChange(r.Column(name, "cells.csv", way.column, "body", "cell")))
			}
		}
		return most
	}})
	g.Figures = []Figure{{Name: "diameters", Title: "Red cell stretched by optical tweezers", X: "force / pN", Y: "diameter / µm", From: names, Lines: func(r *Results) (lines []plot.Line) {
		for _, way := range ways {
			own := plot.Line{Name: "lbmib, " + way.direction}
			for i, p := range pulls {
				own.X = append(own.X, p.force)
				own.Y = append(own.Y, diameter*last(r.Column(names[i], "cells.csv", way.column, "body", "cell")))
			}
			of := reference.Read("stretching.csv").Where("direction", way.direction)
			measured, model := of.Where("kind", "experiment"), of.Where("kind", "model")
			force := measured.Float("force_pN")
			lines = append(lines, own, plot.Line{Name: "experiment, " + way.direction, X: force, Y: measured.Float("diameter_um")},
				plot.Line{Name: "its error bars", X: force, Y: measured.Float("lo"), Guide: true}, plot.Line{Name: "its error bars", X: force, Y: measured.Float("hi"), Guide: true},
				plot.Line{Name: "model of Zavodszky et al.", X: model.Float("force_pN"), Y: model.Float("diameter_um"), Guide: true})
		}
		return lines
	}}}
	return g
}

// lateChange is the range of values over the last quarter of a run, over their last.
func lateChange(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	late := v[len(v)-1-len(v)/4:]
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range late {
		lo, hi = math.Min(lo, x), math.Max(hi, x)
	}
	return (hi - lo) / v[len(v)-1]
}
