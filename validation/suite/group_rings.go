package suite

import (
	"math"

	"lbmib/io/plot"
)

// ringGroups are closed elastic lines in the plane.
func ringGroups() []Group {
	const soft, softer, stiff, stiffer, round = "T8", "T16", "B6", "B12", "relaxing"
	bends := []string{"reference.reynolds=0.1", "run.time=2.0", "body.0.motion.capillary=0.05", "body.0.motion.bending=66.6666667", `body.0.motion.rest="drawn"`} // 3κ/a² = T
	return []Group{{
		Name: "ring", Title: "Rings in the plane",
		About: "A circle of radius a, stretched by the tension T, in shear between walls 16 a apart, Re = 0.02 at μγ̇a/T = 0.02; and one that resists to bending, too, 3κ/a² = T, Re = 0.1 at μγ̇a/T = 0.05: D over the last quarter, at two radii, extrapolated to h = 0 as an error of first order. An ellipse in a fluid at rest, 32 a wide, that becomes a circle: walls twice as near make it 3 % slower.",
		Runs: []Run{
			{soft, "ring.toml", []string{resolution(8), "reference.velocity=0.001", "run.time=0.8"}},
			{softer, "ring.toml", []string{resolution(16), "reference.velocity=0.0005", "run.time=0.8"}},
			{stiff, "ring.toml", append([]string{resolution(6), "reference.velocity=0.0005"}, bends...)},
			{stiffer, "ring.toml", append([]string{resolution(12), "reference.velocity=0.00024"}, bends...)},
			{round, "ring.toml", []string{resolution(10), "reference.velocity=0.00004", "reference.reynolds=0.001", "domain.size=[32.0, 32.0]", `domain.initial={ type = "rest" }`,
				`domain.boundary.bottom={ type = "no-slip" }`, `domain.boundary.top={ type = "no-slip" }`,
				`body.0.shape={ type = "ellipse", center = [16.0, 16.0], axes = [2.05, 1.95122] }`, "run.time=0.04", "output.cells.every=0.001"}},
		},
		Checks: []Check{
			{"D T/(μγ̇a) of a stretched circle, radii of 8 and 16 nodes extrapolated", []string{soft, softer}, func(r *Results) float64 {
				return (2*lateDeformation(r, softer) - lateDeformation(r, soft)) / 0.02
			}},
			{"D (T + 3κ/a²)/(μγ̇a) of one that bends, radii of 6 and 12 nodes extrapolated", []string{stiff, stiffer}, func(r *Results) float64 {
				return (2*lateDeformation(r, stiffer) - lateDeformation(r, stiff)) * 2 / 0.05
			}},
			{"an ellipse becomes a circle: rate over T/(2μa), radius of 10 nodes", []string{round}, func(r *Results) float64 {
				return relaxation(r.Column(round, "cells.csv", "t", "body", "ring"), r.Column(round, "cells.csv", "deformation", "body", "ring")) / 25 // T/μa is 1/0.02
			}},
			{"an ellipse becomes a circle: drift of the enclosed area", []string{round}, func(r *Results) float64 {
				return math.Abs(last(r.Column(round, "cells.csv", "volume_drift", "body", "ring")))
			}},
		},
		Figures: []Figure{{Name: "shear", Title: "Stretched rings in shear", X: "γ̇ t", Y: "D T/(μγ̇a)", From: []string{soft, softer}, Lines: func(r *Results) (lines []plot.Line) {
			for _, run := range []string{soft, softer} {
				t, d := r.Column(run, "cells.csv", "t", "body", "ring"), r.Column(run, "cells.csv", "deformation", "body", "ring")
				for k := range d {
					d[k] /= 0.02
				}
				lines = append(lines, plot.Line{Name: run, X: t, Y: d})
			}
			return lines
		}}},
	}}
}

// lateDeformation is the mean of D over the last quarter of a run.
func lateDeformation(r *Results, run string) (mean float64) {
	d := r.Column(run, "cells.csv", "deformation", "body", "ring")
	d = d[len(d)-len(d)/4:]
	for _, v := range d {
		mean += v / float64(len(d))
	}
	return mean
}

// relaxation is the rate at which D falls, from the fifth part of the run on: the slope of its logarithm.
func relaxation(t, d []float64) float64 {
	t, d = t[len(t)/5:], d[len(d)/5:]
	n := float64(len(t))
	var st, sl, stt, stl float64
	for k := range t {
		l := math.Log(d[k])
		st, sl, stt, stl = st+t[k], sl+l, stt+t[k]*t[k], stl+t[k]*l
	}
	return -(n*stl - st*sl) / (n*stt - st*st)
}
