package suite

import (
	"fmt"
	"math"
	"math/cmplx"
	"path/filepath"

	"lbmib/geometry"
	"lbmib/geometry/vessel/models"
	"lbmib/io/plot"
	"lbmib/io/statistics"
	"lbmib/io/vtkhdf"
)

// vesselGroups are flows through tubes between ports, whose walls are interpolated.
func vesselGroups() []Group {
	g := Group{
		Name: "vessels", Title: "Flow through vessels",
		About: "Surfaces of triangles, cut by ports, 20 nodes in the diameter: Poiseuille flow through tubes at several inclinations, flow that a pressure drives to and fro, bends of radius 3 D that are entered with a parabola, and a trunk that divides. Friction is the fall of the pressure between two places in the middle of the tube, over that of Poiseuille's law for the flow rate at the inlet. The walls' interpolation is what it would add to the flow, were it not given back.",
	}
	g.tubes()
	g.womersleyTubes()
	g.bends()
	g.forks()
	return []Group{g}
}

// tubes is Poiseuille flow through tubes.
func (g *Group) tubes() {
	for _, d := range directions {
		run := fmt.Sprintf("tube%d%d%d", d[0], d[1], d[2])
		of := fmt.Sprintf(", tube along (%d, %d, %d)", d[0], d[1], d[2])
		g.Runs = append(g.Runs, Run{run, "vessel-tube.toml", inclination(d)})
		g.Checks = append(g.Checks,
			Check{"friction over Poiseuille's" + of, []string{run}, func(r *Results) float64 { return friction(r, run, "in", tubeLength/2) }},
			Check{"wall shear stress over Poiseuille's, mean" + of, []string{run}, func(r *Results) float64 { mean, _ := tubeStress(r, run, d); return mean }},
			Check{"wall shear stress over Poiseuille's, worst error at a vertex" + of, []string{run}, func(r *Results) float64 { _, worst := tubeStress(r, run, d); return worst }},
			Check{"what leaves less what enters, relative" + of, []string{run}, func(r *Results) float64 { return imbalance(r, run, "in", "out") }},
			Check{"walls' interpolation over the flow" + of, []string{run}, func(r *Results) float64 { return wallShare(r, run, "in") }})
	}
}

// portFlow is the flow rate into the vessel at the end of a run.
func portFlow(r *Results, run, port string) float64 {
	return last(r.Column(run, "ports.csv", "flow_rate", "port", port))
}

// imbalance is what leaves through ports less what enters through one, over that, at the end of a run.
func imbalance(r *Results, run, in string, out ...string) float64 {
	sum := 0.
	for _, port := range out {
		sum += portFlow(r, run, port)
	}
	return math.Abs(sum/portFlow(r, run, in) + 1)
}

// wallShare is what the interpolation at walls would add to the flow through a port.
func wallShare(r *Results, run, port string) float64 {
	return math.Abs(last(r.Column(run, "ports.csv", "wall_flow_rate", "port", port)) / portFlow(r, run, port))
}

// friction is the fall of the pressure from probe first to probe second, a length apart along a tube of diameter 1, over that of Poiseuille's law
// for the flow through a port.
func friction(r *Results, run, port string, length float64) float64 {
	_, p := r.Probe(run, "first", "p")
	_, q := r.Probe(run, "second", "p")
	return (last(p) - last(q)) / (128 / math.Pi * r.Case(run).Reference.Viscosity * portFlow(r, run, port) * length)
}

// wallStress calls do with the vertices of the wall at the end of a run and the stress there.
func wallStress(r *Results, run string, do func(at, stress geometry.Vec)) {
	f := r.run(run)
	if f == nil {
		return
	}
	files, err := filepath.Glob(filepath.Join(f.dir, "wall", "*.vtkhdf"))
	if err != nil || len(files) == 0 {
		r.fail("run %s has no file of its wall: %v", run, err)
		return
	}
	p, err := vtkhdf.ReadPoly(files[len(files)-1], "wall_shear_stress")
	if err != nil {
		r.fail("%w", err)
		return
	}
	t, ok := p.Arrays[0].Data.([]float32)
	if !ok || len(t) != 3*len(p.Points) {
		r.fail("%s holds no vector at each of its %d points", files[len(files)-1], len(p.Points))
		return
	}
	for k, x := range p.Points {
		do(x, geometry.Vec{float64(t[3*k]), float64(t[3*k+1]), float64(t[3*k+2])})
	}
}

// tubeStress is the stress on the wall of the middle half of a tube over 8μU/D: its mean, and by what the worst vertex is off.
func tubeStress(r *Results, run string, d [3]int) (mean, worst float64) {
	along, n := unit(d), 0.
	want := 8 * r.Case(run).Reference.Viscosity
	wallStress(r, run, func(at, stress geometry.Vec) {
		if s := at.Dot(along); s < tubeLength/4. || s > tubeLength*3/4. {
			return
		}
		v := stress.Norm() / want
		mean, n, worst = mean+v, n+1, math.Max(worst, math.Abs(v-1))
	})
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	return mean / n, worst
}

// womersleyTubes is flow that a pressure drives to and fro.
func (g *Group) womersleyTubes() {
	const omega = 1.6
	runs := []Run{
		{"alpha4", "vessel-womersley.toml", nil},
		{"alpha4-D10", "vessel-womersley.toml", []string{resolution(10), "reference.velocity=0.04"}},
		{"alpha4-D30", "vessel-womersley.toml", []string{resolution(30), "reference.velocity=0.0133333333"}},
		{"alpha8", "vessel-womersley.toml", []string{resolution(32), "reference.velocity=0.0125", "reference.reynolds=160.0", `port.0.factor="sin(1.6*t + 1.4)"`, "run.time=35.4"}},
	}
	g.Runs = append(g.Runs, runs...)
	for _, x := range []struct{ run, of string }{{"alpha4", ", α = 4"}, {"alpha8", ", α = 8"}} {
		g.Checks = append(g.Checks,
			Check{"amplitude of the flow, over the pressure's by Poiseuille's law" + x.of, []string{x.run}, func(r *Results) float64 { return cmplx.Abs(admittance(r, x.run, omega)) }},
			Check{"phase of the flow behind the pressure" + x.of + ", degrees", []string{x.run}, func(r *Results) float64 { return -cmplx.Phase(admittance(r, x.run, omega)) * 180 / math.Pi }})
	}
	order := convergence{sizes: []float64{10, 20, 30}, runs: []Run{runs[1], runs[0], runs[2]}, errorOf: func(r *Results, run string, _ float64) float64 {
		exact := womersleyFlow(4)
		return cmplx.Abs(admittance(r, run, omega)-exact) / cmplx.Abs(exact)
	}}
	g.Checks = append(g.Checks, Check{"order of the error of the flow, α = 4, 10 to 30 nodes", order.names(), order.order})
	g.Figures = append(g.Figures, Figure{Name: "womersley", Title: "Womersley flow through an inclined tube, α = 4", X: "t U / D", Y: "Q / (U D²)", From: []string{"alpha4"}, Lines: func(r *Results) []plot.Line {
		t, in := r.Column("alpha4", "ports.csv", "t", "port", "in"), r.Column("alpha4", "ports.csv", "flow_rate", "port", "in")
		scale := math.Pi / 128 * 3.2 / shortLength / r.Case("alpha4").Reference.Viscosity
		y := womersleyFlow(4)
		exact := curve("exact, periodic", 0, last(t), 400, func(t float64) float64 {
			return scale * cmplx.Abs(y) * math.Sin(omega*t+1.2+cmplx.Phase(y))
		})
		return []plot.Line{exact, {Name: "lbmib, what enters, from rest", X: t, Y: in}}
	}})
}

// womersleyFlow is the flow rate through a tube over πR⁴G/(8μ), as a complex amplitude, where the gradient G of the pressure goes as e^(iωt): Womersley, J. Physiol. 127
// (1955) 553, with Bessel functions by their series.
func womersleyFlow(alpha float64) complex128 {
	// J₀(Λ) and 2 J₁(Λ)/Λ of Λ = i^(3/2) α, −Λ²/4 = iα²/4.
	z, term := complex(0, alpha*alpha/4), complex(1, 0)
	j0, j1 := term, term
	for k := 1; k < 200; k++ {
		term *= z / complex(float64(k*k), 0)
		j0 += term
		j1 += term / complex(float64(k+1), 0)
	}
	return 8 / complex(0, alpha*alpha) * (1 - j1/j0)
}

// admittance is the flow rate, the mean of both ends, over that of Poiseuille's law for the gradient between the probes: complex amplitudes over the last
// period.
func admittance(r *Results, run string, omega float64) complex128 {
	amplitude := func(t, v []float64) complex128 {
		n := last(t)
		t, v = within(t, v, n-2*math.Pi/omega, n)
		a, b, _ := statistics.Harmonic(t, v, omega)
		return complex(a, -b)
	}
	column := func(port string) complex128 {
		return amplitude(r.Column(run, "ports.csv", "t", "port", port), r.Column(run, "ports.csv", "flow_rate", "port", port))
	}
	probe := func(name string) complex128 { return amplitude(r.Probe(run, name, "p")) }
	gradient := (probe("first") - probe("second")) / (shortLength / 2)
	flow := (column("in") - column("out")) / 2
	return flow / gradient * complex(128/math.Pi*r.Case(run).Reference.Viscosity, 0)
}

// bends are two: at a Dean number where the flow across is Dean's, and one where friction is a third more.
func (g *Group) bends() {
	const turn = "turn"
	arc := func(degrees float64) geometry.Vec {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return geometry.Vec{bendRadius * sin, bendRadius * (1 - cos), 0}
	}
	g.Runs = append(g.Runs,
		Run{"bend", "vessel-bend.toml", nil},
		Run{turn, "vessel-bend.toml", []string{vesselFile + `"turn.stl"`, "reference.reynolds=147.0", "reference.velocity=0.05", "port.0.ramp=5.0", "run.time=40.0",
			"port.1.plane={ point = [-2.0, 6.0, 0.0], normal = [1.0, 0.0, 0.0] }",
			fmt.Sprintf("output.probes=[%s, %s, %s]", probe("first", arc(105), 0.5), probe("between", arc(127.5), 0.5), probe("second", arc(150), 0.5)),
			lines(line("across", []float64{(bendRadius - 0.5) * math.Sin(140*math.Pi/180), bendRadius - (bendRadius-0.5)*math.Cos(140*math.Pi/180), 0},
				[]float64{(bendRadius + 0.5) * math.Sin(140*math.Pi/180), bendRadius - (bendRadius+0.5)*math.Cos(140*math.Pi/180), 0}, 81, 40))}})
	length := func(degrees float64) float64 { return bendRadius * degrees * math.Pi / 180 }
	g.Checks = append(g.Checks,
		Check{"velocity across the bend in the middle of the tube over U, De = 4.08", []string{"bend"}, func(r *Results) float64 {
			return (outwards(r, "bend", "first", 30) + outwards(r, "bend", "second", 60)) / 2
		}},
		Check{"friction over a straight tube's, De = 4.08", []string{"bend"}, func(r *Results) float64 { return friction(r, "bend", "in", length(30)) }},
		Check{"velocity across the bend in the middle of the tube over U, De = 60", []string{turn}, func(r *Results) float64 { return outwards(r, turn, "second", 150) }},
		Check{"friction over a straight tube's, De = 60", []string{turn}, func(r *Results) float64 { return friction(r, turn, "in", length(45)) }},
		Check{"largest velocity along the bend over U, De = 60", []string{turn}, func(r *Results) float64 { _, v := alongBend(r, turn, 140); return largest(v) }},
		Check{"place of the largest velocity over R, De = 60", []string{turn}, func(r *Results) float64 { return fastestPlace(r, turn, 140) }},
		Check{"what leaves less what enters, relative, bend", []string{"bend"}, func(r *Results) float64 { return imbalance(r, "bend", "in", "out") }},
		Check{"walls' interpolation over the flow, bend", []string{"bend"}, func(r *Results) float64 { return wallShare(r, "bend", "in") }})
}

// outwards is the velocity at a probe away from the centre of the bend, so many degrees behind its begin.
func outwards(r *Results, run, name string, degrees float64) float64 {
	_, u := r.Probe(run, name, "u")
	_, v := r.Probe(run, name, "v")
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return last(u)*sin - last(v)*cos
}

// alongBend is the velocity along the bend over the distance from the middle of the tube, outwards, in radii.
func alongBend(r *Results, run string, degrees float64) (x, along []float64) {
	s, u := r.Line(run, "across", end, "s", "u")
	_, v := r.Line(run, "across", end, "s", "v")
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for k := range min(len(u), len(v)) {
		x, along = append(x, 2*s[k]-1), append(along, u[k]*cos+v[k]*sin)
	}
	return x, along
}

// fastestPlace is where the velocity along the bend is largest: the vertex of the parabola nearest to what has at least 0.97 of that.
func fastestPlace(r *Results, run string, degrees float64) float64 {
	x, v := alongBend(r, run, degrees)
	most := math.Inf(-1)
	for _, u := range v {
		most = math.Max(most, u)
	}
	var xs, vs []float64
	for k, u := range v {
		if u >= 0.97*most {
			xs, vs = append(xs, x[k]), append(vs, u)
		}
	}
	return vertexOf(xs, vs)
}

// vertexOf is where the parabola that is nearest to points has its extremum; NaN for fewer than three.
func vertexOf(x, y []float64) float64 {
	if len(x) < 3 {
		return math.NaN()
	}
	x0 := average(x)
	var s [5]float64
	var t [3]float64
	for k := range x {
		d, p := x[k]-x0, 1.
		for m := range s {
			s[m] += p
			if m < 3 {
				t[m] += p * y[k]
			}
			p *= d
		}
	}
	// The normal equations of a + b d + c d², by Cramer's rule.
	det := func(a, b, c, d, e, f, g, h, i float64) float64 { return a*(e*i-f*h) - b*(d*i-f*g) + c*(d*h-e*g) }
	b := det(s[0], t[0], s[2], s[1], t[1], s[3], s[2], t[2], s[4])
	c := det(s[0], s[1], t[0], s[1], s[2], t[1], s[2], s[3], t[2])
	return x0 - b/(2*c)
}

// forks are flows that divide: between equal pressures, and before resistances.
func (g *Group) forks() {
	const equal, resisted = "fork", "fork-resistances"
	g.Runs = append(g.Runs, Run{equal, "vessel-fork.toml", nil},
		Run{resisted, "vessel-fork.toml", []string{
			`port.1.type="windkessel"`, "port.1.resistance=150.0", "port.1.capacitance=0.0005", // a twentieth of the time of the start, with the resistance
			`port.2.type="windkessel"`, "port.2.resistance=50.0", "port.2.capacitance=0.0015"}})
	g.Checks = append(g.Checks,
		Check{"flow of the larger branch over the smaller's, equal pressures", []string{equal}, func(r *Results) float64 { return portFlow(r, equal, "out1") / portFlow(r, equal, "out2") }},
		Check{"flow of the larger branch over the smaller's, behind resistances", []string{resisted}, func(r *Results) float64 {
			return portFlow(r, resisted, "out1") / portFlow(r, resisted, "out2")
		}},
		Check{"wall shear stress of the larger branch over the trunk's", []string{equal}, func(r *Results) float64 { s := forkStress(r, equal); return s[1] / s[0] }},
		Check{"wall shear stress of the smaller branch over the trunk's", []string{equal}, func(r *Results) float64 { s := forkStress(r, equal); return s[2] / s[0] }},
		Check{"what leaves less what enters, relative, fork", []string{equal}, func(r *Results) float64 { return imbalance(r, equal, "in", "out1", "out2") }},
		Check{"walls' interpolation over the flow, fork", []string{equal}, func(r *Results) float64 { return wallShare(r, equal, "in") }})
}

// forkStress are the means of the stress on the trunk, in the middle of its length, and on the branches, from a third of theirs to three quarters.
func forkStress(r *Results, run string) (mean [3]float64) {
	branches := forkBranches()
	var n [3]float64
	wallStress(r, run, func(at, stress geometry.Vec) {
		add := func(k int) { mean[k], n[k] = mean[k]+stress.Norm(), n[k]+1 }
		if at[0] > -0.75*forkTrunk && at[0] < -0.5*forkTrunk {
			add(0)
		}
		for k, b := range branches {
			s := at.Dot(b.along)
			if away := at.Sub(b.along.Scale(s)).Norm(); s > b.length/3 && s < 0.75*b.length && away < 1.1*b.radius {
				add(1 + k)
			}
		}
	})
	for k := range mean {
		mean[k] /= n[k]
	}
	return mean
}

// forkBranch is a branch of the fork, from the origin.
type forkBranch struct {
	along          geometry.Vec
	length, radius float64
}

// forkBranches are those of the surface of the fork.
func forkBranches() (all [2]forkBranch) {
	for k, b := range models.Murray(0.5, forkRatio) {
		all[k] = forkBranch{geometry.Vec{b.Cos, b.Sin, 0}, forkLong * b.R, b.R}
	}
	return all
}
