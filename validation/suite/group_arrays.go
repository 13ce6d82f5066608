package suite

import (
	"fmt"
	"math"

	"lbmib/io/plot"
	"lbmib/validation/reference"
)

// arrayGroups are periodic arrays in Stokes flow.
func arrayGroups() []Group { return []Group{cylinderArrays(), sphereArrays()} }

// viscosity is the override for ν = 1/2 in lattice units, at which a steady state is
// reached soon; with two relaxation times it does not change the result.
func viscosity(n float64) string { return set("reference.reynolds", decimal(0.02*n)) }

func cylinderArrays() Group {
	g := Group{
		Name: "array-cylinders", Title: "Square array of cylinders",
		About: "One cylinder in a periodic square, driven by a body force: force per length over μU, U the mean velocity over the whole square.",
	}
	var names []string
	var areas []float64
	for _, c := range []struct{ area, n float64 }{{0.05, 64}, {0.1, 64}, {0.2, 64}, {0.4, 64}} {
		run := fmt.Sprintf("c%g", c.area)
		names, areas = append(names, run), append(areas, c.area)
		g.Runs = append(g.Runs, Run{run, "array-cylinders.toml", []string{
			resolution(c.n), viscosity(c.n), set("body.0.shape.diameter", decimal(2*math.Sqrt(c.area/math.Pi)))}})
		g.Checks = append(g.Checks, Check{"drag F/(μU), c = " + decimalText(c.area), []string{run}, func(r *Results) float64 { return resistanceOfSquare(r, run) }})
	}
	g.Figures = []Figure{{Name: "drag", Title: "Square array of cylinders", X: "area fraction", Y: "F / (μ U)", From: names, Lines: func(r *Results) []plot.Line {
		l := plot.Line{Name: "lbmib", X: areas, Points: true}
		for _, n := range names {
			l.Y = append(l.Y, resistanceOfSquare(r, n))
		}
		p := reference.Read("sangani_acrivos.csv")
		x, y := within(p.Float("c"), p.Float("F_over_muU"), 0, 0.41)
		return []plot.Line{{Name: "Sangani & Acrivos 1982", X: x, Y: y}, l}
	}}}
	return g
}

// resistanceOfSquare is force over μU: the force on the square is its area times
// the body force.
func resistanceOfSquare(r *Results, run string) float64 {
	c := r.Case(run)
	_, u := r.Line(run, "across", end, "y", "u")
	return c.Domain.Force[0].Value / (c.Reference.Viscosity * average(u))
}

func sphereArrays() Group {
	g := Group{
		Name: "array-spheres", Title: "Simple cubic array of spheres",
		About: "One sphere in a periodic cube, driven by a body force: F = 6πμaKU, U the mean velocity over the whole cube.",
	}
	var names []string
	var fractions []float64
	for _, c := range []struct {
		fraction float64
		n        int
		time     float64
	}{{0.008, 64, 1.9}, {0.064, 40, 1}, {0.125, 32, 0.6}, {0.45, 64, 0.5}} {
		run := fmt.Sprintf("c%g", c.fraction)
		names, fractions = append(names, run), append(fractions, c.fraction)
		radius := math.Cbrt(3 * c.fraction / (4 * math.Pi))
		g.Runs = append(g.Runs, Run{run, "array-spheres.toml", []string{
			resolution(float64(c.n)), viscosity(float64(c.n)), set("body.0.shape.diameter", decimal(2*radius)), plane(0.5/float64(c.n), c.n, c.time), set("run.time", decimal(c.time))}})
		g.Checks = append(g.Checks, Check{"drag K, c = " + decimalText(c.fraction), []string{run}, func(r *Results) float64 { return resistanceOfCube(r, run, c.n, radius) }})
	}
	g.Figures = []Figure{{Name: "drag", Title: "Simple cubic array of spheres", X: "volume fraction", Y: "K", From: names, Log: true, Lines: func(r *Results) []plot.Line {
		l := plot.Line{Name: "lbmib", X: fractions, Points: true}
		for i, n := range names {
			l.Y = append(l.Y, resistanceOfCube(r, n, r.Case(n).Domain.Nodes[1], math.Cbrt(3*fractions[i]/(4*math.Pi))))
		}
		p := reference.Read("zick_homsy.csv")
		return []plot.Line{{Name: "Zick & Homsy 1982", X: p.Float("c"), Y: p.Float("K_zick_homsy")}, l}
	}}}
	return g
}

func resistanceOfCube(r *Results, run string, n int, radius float64) float64 {
	c := r.Case(run)
	return c.Domain.Force[0].Value / (6 * math.Pi * c.Reference.Viscosity * radius * flux(r, run, n))
}
