package suite

import (
	"math"
	"strconv"

	"lbmib/io/plot"
	"lbmib/io/statistics"
)

// movingGroups are bodies whose motion is prescribed.
func movingGroups() []Group { return []Group{movingFrame(), dutsch()} }

func movingFrame() Group {
	both := []string{"dragged", "stream"}
	const from, to = 14, 20
	mean := func(r *Results, run string) float64 {
		t, fx := r.Forces(run, "cylinder", "cd")
		_, fx = within(t, fx, from, to)
		return math.Abs(average(fx))
	}
	return Group{
		Name: "moving-frame", Title: "A dragged cylinder and one in a stream",
		About: "The same flow in two frames, Re = 40, D = 20: the same drag, history included, whatever the body's place between the nodes. The noise is what is left of the drag when a straight line is taken off.",
		Runs:  []Run{{"dragged", "dragged.toml", nil}, {"stream", "stream.toml", nil}},
		Checks: []Check{
			{"drag when dragged over drag in a stream", both, func(r *Results) float64 { return mean(r, "dragged") / mean(r, "stream") }},
			{"noise of the force over the drag", []string{"dragged"}, func(r *Results) float64 {
				t, fx := r.Forces("dragged", "cylinder", "cd")
				t, fx = within(t, fx, from, to)
				return rms(detrended(t, fx)) / math.Abs(average(fx))
			}},
		},
		Figures: []Figure{{Name: "drag", Title: "Re = 40: dragged through fluid at rest, and in a stream", X: "t U / D", Y: "drag coefficient", From: both, Lines: func(r *Results) []plot.Line {
			td, fd := r.Forces("dragged", "cylinder", "cd")
			ts, fs := r.Forces("stream", "cylinder", "cd")
			td, fd = within(td, fd, 3, to)
			ts, fs = within(ts, fs, 3, to)
			return []plot.Line{{Name: "dragged", X: td, Y: fd}, {Name: "in a stream", X: ts, Y: fs}}
		}}},
	}
}

// detrended is v less its straight line of least squares.
func detrended(t, v []float64) (d []float64) {
	if len(t) != len(v) {
		return nil
	}
	mt, mv := average(t), average(v)
	var tt, tv float64
	for i := range t {
		tt += (t[i] - mt) * (t[i] - mt)
		tv += (t[i] - mt) * (v[i] - mv)
	}
	for i := range t {
		d = append(d, v[i]-mv-tv/tt*(t[i]-mt))
	}
	return d
}

// dutschLines are the lines of dutsch.toml by the place in the published tables.
var dutschLines = map[string]string{"-0.6": "x-06", "0.0": "x+00", "0.6": "x+06", "1.2": "x+12"}

// kc is the Keulegan–Carpenter number and the period in D/U.
const kc = 5.

func dutsch() Group {
	g := Group{
		Name: "dutsch", Title: "Oscillating cylinder, Re = 100, KC = 5",
		About: "Dütsch et al. (1998): coefficients of drag and added mass of the in-line force by least squares over the last three periods, as those published (the force that they drew has 2.114 and 1.452 by least squares, 2.18 and 1.452 by first harmonics), and velocities on four lines at three phases against the measured ones.",
	}
	coefficients := func(r *Results, run string) (cd, ci float64) {
		s := statistics.Swinging{Forced: true}
		s.T, s.V = r.Motion(run, "cylinder", "vx")
		s.FT, s.F = r.Forces(run, "cylinder", "cd")
		o := statistics.Oscillate(s, last(s.FT)-3*kc, true)
		if o == nil {
			return math.NaN(), math.NaN()
		}
		return o.Morison.Drag, 2 / math.Pi * o.Morison.Mass // C = −c_d V|V| − 2 (π/4) c_i dV/dt
	}
	for _, d := range []float64{20, 40} {
		run := named("D", d)
		sets := []string{resolution(d)}
		if d > 20 {
			sets = append(sets, "fluid.precision=f32")
		}
		g.Runs = append(g.Runs, Run{run, "dutsch.toml", sets})
		g.Checks = append(g.Checks,
			Check{"drag coefficient c_d, D = " + decimalText(d), []string{run}, func(r *Results) float64 { cd, _ := coefficients(r, run); return cd }},
			Check{"added mass c_i, D = " + decimalText(d), []string{run}, func(r *Results) float64 { _, ci := coefficients(r, run); return ci }})
	}
	g.Checks = append(g.Checks,
		Check{"velocity profiles, rms difference over Um, D = 20", []string{"D20"}, func(r *Results) float64 { return profileDifference(r, "D20") }},
		Check{"velocity profiles, rms difference over Um, D = 40", []string{"D40"}, func(r *Results) float64 { return profileDifference(r, "D40") }})
	g.Figures = []Figure{
		{Name: "force", Title: "Oscillating cylinder: in-line force over a period", X: "t / T", Y: "force coefficient", From: []string{"D20"}, Lines: func(r *Results) []plot.Line {
			t, c := r.Forces("D20", "cylinder", "cd")
			t, c = within(t, c, last(t)-kc, end)
			var phase []float64
			for _, x := range t {
				phase = append(phase, (x-t[0])/kc)
			}
			p := published("dutsch_force.csv")
			return []plot.Line{{Name: "lbmib, D = 20", X: phase, Y: c}, {Name: "Dütsch et al. 1998", X: p.Float("t_over_T"), Y: p.Float("CD"), Points: true}}
		}},
	}
	for _, phase := range []string{"180", "210", "330"} {
		g.Figures = append(g.Figures, Figure{Name: "u" + phase, Title: "Oscillating cylinder: u at phase " + phase + "°", X: "y / D", Y: "u / Um", From: []string{"D40"}, Lines: func(r *Results) (all []plot.Line) {
			for _, x := range []string{"-0.6", "0.0", "0.6", "1.2"} {
				y, u := r.Line("D40", dutschLines[x], phaseTime(r, "D40", phase), "y", "u")
				p := published("dutsch_profiles.csv", "phase_deg", phase, "component", "u", "x_over_D", x)
				all = append(all, plot.Line{Name: "x = " + x + " D", X: y, Y: u}, plot.Line{X: p.Float("y_over_D"), Y: p.Float("vel_over_Um"), Points: true})
			}
			return all
		}})
	}
	return g
}

// phaseTime is the last time at which the motion has a phase in degrees.
func phaseTime(r *Results, run, phase string) float64 {
	degrees, err := strconv.ParseFloat(phase, 64)
	if err != nil {
		return math.NaN()
	}
	t := r.Summary(run).Time
	return (math.Floor(t/kc-degrees/360+1e-9) + degrees/360) * kc
}

// profileDifference is the root mean square difference of all velocities from the
// measured ones. The flow is symmetric; what is measured is so but for 0.045 (rms),
// most of it beside the body at 180°, so its symmetric part is compared.
func profileDifference(r *Results, run string) float64 {
	var d []float64
	for _, phase := range []string{"180", "210", "330"} {
		for x, line := range dutschLines {
			for component, sign := range map[string]float64{"u": 1, "v": -1} {
				p := published("dutsch_profiles.csv", "phase_deg", phase, "component", component, "x_over_D", x)
				y, v := symmetric(p.Float("y_over_D"), p.Float("vel_over_Um"), sign)
				ys, vs := r.Line(run, line, phaseTime(r, run, phase), "y", component)
				for i := range y {
					d = append(d, at(ys, vs, y[i])-v[i])
				}
			}
		}
	}
	return rms(d)
}

// symmetric is (v(y) + sign·v(−y))/2 where both are known.
func symmetric(y, v []float64, sign float64) (ys, vs []float64) {
	for i := range y {
		if other := at(y, v, -y[i]); !math.IsNaN(other) {
			ys, vs = append(ys, y[i]), append(vs, (v[i]+sign*other)/2)
		}
	}
	return ys, vs
}
