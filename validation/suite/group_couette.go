package suite

import (
	"math"

	"lbmib/io/plot"
)

// couetteGroups is the flow between cylinders.
func couetteGroups() []Group {
	g := Group{
		Name: "taylor-couette", Title: "Torque between immersed cylinders",
		About: "The inner cylinder turns in the outer one, both immersed. The torque tells where a diffuse boundary is felt, and how the error falls with the nodes D per inner diameter.",
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
	g.Checks = append(g.Checks, Check{"order of the torque's error, D = 10 to 40", all, func(r *Results) float64 { return order(sizes, torqueErrors(r, all, exact)) }})
	g.Figures = []Figure{
		{Name: "profile", Title: "Taylor–Couette flow: velocity around the axis, D = 20", X: "r / L", Y: "u / U", From: []string{"D20"}, Lines: func(r *Results) []plot.Line {
			x, v := r.Line("D20", "radius", end, "x", "v")
			for i := range x {
				x[i] -= 1.3
			}
			return []plot.Line{curve("exact", 0, 1.25, 250, couetteVelocity), {Name: "lbmib", X: x, Y: v, Points: true}}
		}},
		{Name: "order", Title: "Torque between immersed cylinders", X: "D, nodes per inner diameter", Y: "relative error", From: all, Log: true, Lines: func(r *Results) []plot.Line {
			var torque []float64
			for _, n := range all {
				torque = append(torque, innerTorque(r, n))
			}
			return errorLines("lbmib", sizes, torque, exact, 2)
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

func torqueErrors(r *Results, runs []string, exact float64) (e []float64) {
	for _, n := range runs {
		e = append(e, innerTorque(r, n)/exact-1)
	}
	return e
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
