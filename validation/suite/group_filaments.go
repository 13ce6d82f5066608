package suite

import (
	"math"

	"lbmib/geometry"
	"lbmib/ib/elastic/beam"
	"lbmib/io/plot"
)

// filamentGroups are lines that bend by themselves, and in a flow.
func filamentGroups() []Group {
	return []Group{{
		Name: "filament", Title: "Filaments and beams without a fluid",
		About: "A cantilever of 41 nodes, a hanging filament of 41 that keeps its length, and CSM3 of Turek & Hron: a flag that falls from rest, 36 nodes and steps of a thousandth of its period.",
		Checks: []Check{
			{"cantilever: first frequency over Euler's and Bernoulli's", nil, func(r *Results) float64 { return cantilever(r, 0) }},
			{"cantilever: second frequency over Euler's and Bernoulli's", nil, func(r *Results) float64 { return cantilever(r, 1) }},
			{"hanging filament: first frequency over Bernoulli's", nil, hangingFrequency},
			{"hanging filament: largest relative error of the tension", nil, hangingTension},
			{"CSM3: u_x of the tip, mean, mm", nil, fall(func(f fallen) float64 { return f.x.mean })},
			{"CSM3: u_x of the tip, amplitude, mm", nil, fall(func(f fallen) float64 { return f.x.amplitude })},
			{"CSM3: u_y of the tip, mean, mm", nil, fall(func(f fallen) float64 { return f.y.mean })},
			{"CSM3: u_y of the tip, amplitude, mm", nil, fall(func(f fallen) float64 { return f.y.amplitude })},
			{"CSM3: frequency, Hz", nil, fall(func(f fallen) float64 { return f.y.frequency })},
		},
	}, turekHron(), flags()}
}

// lineOf is a line of n nodes along x, of length 1, from a first end that is held.
func lineOf(r *Results, n int, c beam.Config) *beam.Line {
	c.Dim = 2
	for i := range n {
		c.X = append(c.X, geometry.Vec{float64(i) / float64(n-1)})
	}
	l, err := beam.New(c)
	if err != nil {
		r.fail("%w", err)
		return nil
	}
	return l
}

// swing records places of a line's last node over so many steps without a fluid.
func swing(r *Results, l *beam.Line, steps int) (t []float64, x []geometry.Vec) {
	if l == nil {
		return nil, nil
	}
	still, none := make([]geometry.Vec, l.Len()), make([]float64, l.Len())
	for k := range steps {
		if err := l.Step(beam.Fluid{Velocity: still, Reaction: none}, nil, nil); err != nil {
			r.fail("%w", err)
			return nil, nil
		}
		t, x = append(t, float64(k+1)), append(x, l.Tip())
	}
	return t, x
}

// cantilever is the frequency of a mode of a beam that is clamped at one end over the exact one.
func cantilever(r *Results, mode int) float64 {
	const n, amplitude = 41, 1e-4
	wave := [2]float64{1.8751040687, 4.6940911330}[mode]
	period := 2 * math.Pi / (wave * wave)
	c := beam.Config{Mass: 1, Bending: 1, Inextensible: true, First: beam.End{Kind: beam.Clamped}, Step: period / 1000}
	ratio := (math.Cosh(wave) + math.Cos(wave)) / (math.Sinh(wave) + math.Sin(wave))
	for i := range n { // begins with the velocity of the mode
		s := wave * float64(i) / (n - 1)
		c.U = append(c.U, geometry.Vec{0, amplitude * (math.Cosh(s) - math.Cos(s) - ratio*(math.Sinh(s)-math.Sin(s)))})
	}
	t, x := swing(r, lineOf(r, n, c), 5000)
	y := make([]float64, len(x))
	for k := range x {
		y[k] = x[k][1]
	}
	return 1000 * oscillationOf(t, y).frequency
}

// hanging is a filament that keeps its length and hangs from its first end along x; the tip begins aside by a
// part of its length.
func hanging(r *Results, aside float64) *beam.Line {
	const n = 41
	omega := 2.404825558 / 2 // of Bernoulli's chain, g = L = 1
	c := beam.Config{Mass: 1, Inextensible: true, Gravity: geometry.Vec{1}, First: beam.End{Kind: beam.Hinged}, Step: 2 * math.Pi / omega / 1000}
	for i := range n {
		c.U = append(c.U, geometry.Vec{0, aside * omega * math.J0(2.404825558*math.Sqrt(1-float64(i)/(n-1)))})
	}
	return lineOf(r, n, c)
}

func hangingFrequency(r *Results) float64 {
	t, x := swing(r, hanging(r, 1e-3), 5000)
	y := make([]float64, len(x))
	for k := range x {
		y[k] = x[k][1]
	}
	return 1000 * oscillationOf(t, y).frequency
}

// hangingTension is the largest error of the tension ρ_l g (L − s) in the middle of segments over that at the
// top, once the filament hangs still.
func hangingTension(r *Results) (worst float64) {
	l := hanging(r, 0)
	swing(r, l, 10)
	if l == nil {
		return math.NaN()
	}
	n := len(l.Tension())
	for j, tension := range l.Tension() {
		worst = math.Max(worst, math.Abs(tension-(1-(float64(j)+0.5)/float64(n))))
	}
	return worst
}

// fallen is how the tip of CSM3 moves, in mm and Hz.
type fallen struct{ x, y oscillation }

// fall is a number of CSM3: the flag of Turek & Hron, 0.35 m by 0.02 m, E = 1.4 MPa, Poisson's ratio 0.4 in plane
// strain, ρ = 1000 kg/m³, released from rest in g = 2 m/s² without a fluid. In units of its length, and of √(L/g).
func fall(of func(fallen) float64) func(*Results) float64 {
	return func(r *Results) float64 {
		const length, thickness, young, poisson, density, g = 0.35, 0.02, 1.4e6, 0.4, 1000., 2.
		plane := young / (1 - poisson*poisson)
		weight := density * thickness * g * length // of the flag, per depth
		second := math.Sqrt(length / g)            // a unit of time
		c := beam.Config{
			Mass: 1, Gravity: geometry.Vec{0, -1}, First: beam.End{Kind: beam.Clamped},
			Bending:    plane * thickness * thickness * thickness / 12 / (weight * length * length),
			Stretching: plane * thickness / weight,
			Step:       1 / 1.1 / second / 1000,
		}
		t, tip := swing(r, lineOf(r, 36, c), 5000)
		x, y := make([]float64, len(tip)), make([]float64, len(tip))
		for k := range tip {
			t[k] *= c.Step * second
			x[k], y[k] = 1000*length*(tip[k][0]-1), 1000*length*tip[k][1]
		}
		return of(fallen{oscillationOf(t, x), oscillationOf(t, y)})
	}
}

// turekHron is a flag behind a cylinder in a channel.
func turekHron() Group {
	const steady, rough, flapping = "FSI1-D30", "FSI1-D20", "FSI3-D56"
	g := Group{
		Name: "turek-hron", Title: "Turek & Hron: a flag behind a cylinder",
		About: "FSI1, steady, at 20 and 30 nodes per diameter, and FSI3, flapping, at 56 (its amplitude is 32.40, 32.80 and 33.21 mm at 30, 40 and 56, as an error of first order has it that leads to 34.2): a beam of thickness 0.2 D whose faces the fluid feels. Drag is that of cylinder and flag together, displacements are those of the tip.",
		Runs: []Run{
			{rough, "turek-hron.toml", []string{"reference.resolution=20"}},
			{steady, "turek-hron.toml", nil},
			{flapping, "turek-hron.toml", []string{"reference.resolution=56", "reference.reynolds=200", "reference.velocity=0.045",
				"body.1.motion.bending=1.1111111", "body.1.motion.stretching=333.33333", "run.time=120", "output.forces.every=0.02"}},
		},
	}
	const length, force = 100, 2. // a diameter in mm, ½ρU²D in N/m of FSI1
	for _, run := range []string{rough, steady} {
		nodes := run[len("FSI1-"):]
		g.Checks = append(g.Checks,
			Check{"FSI1 drag, N/m, " + nodes, []string{run}, func(r *Results) float64 {
				return force * (lastForce(r, run, "cylinder", "fx") + lastForce(r, run, "flag", "fx"))
			}},
			Check{"FSI1 lift, N/m, " + nodes, []string{run}, func(r *Results) float64 {
				return force * (lastForce(r, run, "cylinder", "fy") + lastForce(r, run, "flag", "fy"))
			}},
			Check{"FSI1 u_y of the tip, mm, " + nodes, []string{run}, func(r *Results) float64 {
				return length * (last(r.Column(run, "filaments.csv", "tip_y", "body", "flag")) - 2)
			}})
	}
	tip := func(of func(oscillation) float64) func(*Results) float64 {
		return func(r *Results) float64 {
			t, y := r.Column(flapping, "filaments.csv", "t", "body", "flag"), r.Column(flapping, "filaments.csv", "tip_y", "body", "flag")
			t, y = within(t, y, last(t)-25, end)
			return of(oscillationOf(t, y))
		}
	}
	g.Checks = append(g.Checks,
		Check{"FSI3 frequency, Hz, D56", []string{flapping}, tip(func(o oscillation) float64 { return 20 * o.frequency })}, // D/U = 0.05 s
		Check{"FSI3 amplitude of u_y, mm, D56", []string{flapping}, tip(func(o oscillation) float64 { return length * o.amplitude })})
	g.Figures = []Figure{{Name: "FSI3", Title: "FSI3: the flag's tip, D = 56", X: "t U/D", Y: "u_y / D", From: []string{flapping}, Lines: func(r *Results) []plot.Line {
		t, y := r.Column(flapping, "filaments.csv", "t", "body", "flag"), r.Column(flapping, "filaments.csv", "tip_y", "body", "flag")
		for k := range y {
			y[k] -= 2
		}
		return []plot.Line{{Name: "tip", X: t, Y: y}}
	}}}
	return g
}

// lastForce is the last value of a column of the forces on a body.
func lastForce(r *Results, run, body, column string) float64 {
	_, c := r.Forces(run, body, column)
	return last(c)
}

// flags are hinged in a stream, in the plane and in space. Their published numbers are remembered, not read.
func flags() Group {
	const plane, space = "2D", "3D"
	g := Group{
		Name: "flag", Title: "Flags in a stream",
		About: "The filament of Huang, Shin & Sung in the plane on 40 nodes per length, and the square flag of Tian et al. in space on 32. Numbers are those of the tip over the last 10 L/U; published ones are remembered and nothing is held against them.",
		Runs:  []Run{{plane, "flag.toml", nil}, {space, "flag3d.toml", nil}},
	}
	for _, run := range []struct {
		name, file, amplitude string
		times                 float64 // of half of peak to peak
	}{{plane, "filaments.csv", "half of peak to peak", 1}, {space, "sheets.csv", "peak to peak", 2}} {
		tip := func(of func(oscillation) float64) func(*Results) float64 {
			return func(r *Results) float64 {
				t, y := r.Column(run.name, run.file, "t", "body", "flag"), r.Column(run.name, run.file, "tip_y", "body", "flag")
				t, y = within(t, y, last(t)-10, end)
				return of(oscillationOf(t, y))
			}
		}
		g.Checks = append(g.Checks,
			Check{run.name + ": frequency of the tip, U/L", []string{run.name}, tip(func(o oscillation) float64 { return o.frequency })},
			Check{run.name + ": tip, " + run.amplitude + ", L", []string{run.name}, tip(func(o oscillation) float64 { return run.times * o.amplitude })})
		g.Figures = append(g.Figures, Figure{Name: run.name, Title: run.name + ": the flag's tip", X: "t U/L", Y: "y / L", From: []string{run.name}, Lines: func(r *Results) []plot.Line {
			return []plot.Line{{Name: "tip", X: r.Column(run.name, run.file, "t", "body", "flag"), Y: r.Column(run.name, run.file, "tip_y", "body", "flag")}}
		}})
	}
	return g
}
