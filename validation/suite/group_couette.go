package suite

import (
	"math"

	"lbmib/io/plot"
)

// couetteGroups is the flow between cylinders.
func couetteGroups() []Group {
	g := Group{
		Name: "taylor-couette", Title: "Torque between immersed cylinders",
		About: "The inner cylinder turns in the outer one, both immersed. The torque tells where a diffuse boundary is felt, and the velocity how the error falls with the nodes D per inner diameter.",
	}
	sizes := []float64{10, 20, 40}
	const exact = 16 * math.Pi / 3 / 10 // over ρU²L²/2 at Re = 10
	var all []string
	for _, d := range sizes {
		name := named("D", d)
		all = append(all, name)
		g.Runs = append(g.Runs, Run{name, "taylor-couette.toml", []string{resolution(d)}})
		if d > 10 {
			g.Checks = append(g.Checks, Check{"torque on the inner cylinder, D = " + decimalText(d), []string{name}, func(r *Results) float64 { return innerTorque(r, name) }})
		}
	}
	g.Checks = append(g.Checks, Check{"order of the velocity's rms error in the gap, D = 10 to 40", all, func(r *Results) float64 { return order(sizes, gapErrors(r, all)) }})
	g.Checks = append(g.Checks, Check{"torque on both over that on one, D = 40", []string{"D40"}, func(r *Results) float64 {
		t, outer := r.Forces("D40", "outer", "tz")
		_, outer = within(t, outer, 5, end)
		inner := innerTorque(r, "D40")
		return (average(outer) - inner) / inner
	}})
	g.Figures = []Figure{
		{Name: "profile", Title: "Taylor–Couette flow: velocity around the axis, D = 20", X: "r / L", Y: "u / U", From: []string{"D20"}, Lines: func(r *Results) []plot.Line {
			x, v := r.Line("D20", "radius", end, "x", "v")
			for i := range x {
				x[i] -= 1.3
			}
			return []plot.Line{curve("exact", 0, 1.25, 250, couetteVelocity), {Name: "lbmib", X: x, Y: v, Points: true}}
		}},
		{Name: "order", Title: "Between immersed cylinders: errors over the resolution", X: "D, nodes per inner diameter", Y: "relative error", From: all, Log: true, Lines: func(r *Results) []plot.Line {
			torque := plot.Line{Name: "torque", X: sizes}
			for _, n := range all {
				torque.Y = append(torque.Y, math.Abs(innerTorque(r, n)/exact-1))
			}
			e := gapErrors(r, all)
			guide := plot.Line{Name: "order 3/2", X: []float64{10, 40}, Y: []float64{8 * e[2], e[2]}, Guide: true}
			return []plot.Line{torque, {Name: "velocity, rms in the gap", X: sizes, Y: e}, guide}
		}},
	}
	return []Group{g}
}

// innerTorque is what the fluid brakes the inner cylinder with, the mean over all
// steps from t = 5 on: what the fluid inside the cylinder gains and loses from step
// to step cancels.
func innerTorque(r *Results, run string) float64 {
	t, torque := r.Forces(run, "inner", "tz")
	_, torque = within(t, torque, 5, end)
	return -average(torque)
}

// gapErrors are the root mean squares of the velocity's errors between the
// cylinders. They are of first order where walls are smeared, over a width of a few
// nodes, and so of order 3/2. The torque is no measure: its error vanishes.
func gapErrors(r *Results, runs []string) (all []float64) {
	for _, run := range runs {
		x, v := r.Line(run, "radius", end, "x", "v")
		var e []float64
		for i := range x {
			if radius := x[i] - 1.3; radius >= 0.5 && radius <= 1 {
				e = append(e, v[i]-couetteVelocity(radius))
			}
		}
		all = append(all, rms(e))
	}
	return all
}

// couetteVelocity is u/U around the axis: rigid in the inner cylinder, A r + B/r
// between the two, at rest beyond.
func couetteVelocity(r float64) float64 {
	const r1, r2, omega = 0.5, 1., 2.
	switch {
	case r <= r1:
		return omega * r
	case r >= r2:
		return 0
	}
	return omega * r1 * r1 / (r2*r2 - r1*r1) * (r2*r2/r - r)
}
