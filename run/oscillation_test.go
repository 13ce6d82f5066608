package run

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"lbmib/internal/finite"
	"lbmib/io/statistics"
	"lbmib/io/table"
	"lbmib/run/setup/setuptest"
)

// swingingDisc swings a little in fluid at rest, from rest: β = 20, KC = 0.2.
const swingingDisc = `
[reference]
resolution = 10
velocity   = 0.002
reynolds   = 4
length  = "2 cm"
speed   = "1 cm/s"
density = "1000 kg/m^3"
[domain]
lattice = "D2Q9"
size    = [8.0, 8.0]
[domain.boundary]
left   = { type = "free-slip" }
right  = { type = "free-slip" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
[fluid]
collision = "trt"
[[body]]
name   = "disc"
shape  = { type = "circle", center = [4.0, 4.0], diameter = 1.0 }
motion = { type = "prescribed", displacement = [0.0, "0.2/(2*pi)*sin(10*pi*t)*smooth(t/0.4)"] }
[run]
time = 1.2
soft_start = 0
[output]
forces = { every = 0.005 }
plots = false
`

// Stokes (1851), a cylinder: force −ρπa²(1.5062 dU/dt + 0.5663 ωU) at β = 20, by 1 + 4 K₁(λ)/(λ K₀(λ)), λ² = iωa²/ν. Ten nodes along the diameter, 1.3 in the
// layer, have 2 % more and 4 % less; walls 4 D away 2 % more, sound 1 % more.
func TestADiscThatSwingsHasStokesAddedMassAndDrag(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	dir := t.TempDir()
	s, err := Run(t.Context(), setuptest.Load(t, swingingDisc), Options{Out: dir, Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	o := s.Bodies["disc"].Oscillation
	if o == nil || !o.Converged || o.Periods != 4 || o.Of != "translation" || len(o.Direction) != 2 || o.Direction[0] != 0 || o.Direction[1] != 1 {
		t.Fatalf("%+v", o)
	}
	omega, within := 10*math.Pi, func(what string, got finite.Number, want, part float64) {
		t.Helper()
		if !(math.Abs(float64(got)/want-1) <= part) {
			t.Errorf("%s: %g, want %g within %g of it", what, float64(got), want, part)
		}
	}
	within("added mass", o.Ca, 1.5062, 0.07)
	within("damping", o.Damping, 0.5663*omega*math.Pi/4, 0.05)
	within("frequency", o.Frequency, 5, 1e-6)
	within("amplitude", o.Amplitude, 0.1/math.Pi, 1e-4)
	within("KC", o.KC, 0.2, 1e-4)
	within("β", o.Beta, 20, 1e-6)
	within("Reynolds number", o.Reynolds, 4, 1e-4)
	within("force in phase with the velocity", o.InVelocity, -2*float64(o.Damping), 1e-4) // at a speed of 1
	within("force in phase with the acceleration", o.InAcceleration, -2*omega*float64(o.AddedMass), 1e-3)
	within("drag by work of a linear force", o.CdWork, 3*math.Pi/8*2*float64(o.Damping), 1e-3)
	if !(o.LinearRest < 0.01 && o.MorisonRest > o.LinearRest && float64(o.CaSpread) < 0.02) {
		t.Errorf("the fits leave %g and %g of the force, the mass spreads by %g", o.LinearRest, o.MorisonRest, o.CaSpread)
	}
	within("added mass in SI", s.Bodies["disc"].SI["added_mass_kg_per_m"].(finite.Number), float64(o.AddedMass)*1000*0.02*0.02, 1e-9)
	text := s.String()
	for _, want := range []string{"oscillates along y by ±0.03183 L with 5 U/L = 2.5 Hz: KC 0.2, β 20", "added mass Ca 1.5", "over 4 periods, 0.4–1.2 L/U"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	phased, err := table.Read(dir + "/phase.csv")
	if err != nil || phased.Rows() != phases {
		t.Fatalf("phase.csv has %v rows: %v", phased, err)
	}
	column := func(name string) []float64 {
		v, err := phased.Float(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, of := range []struct {
		of, si string
		factor float64
	}{ // 2 cm, 1 cm/s of water: see the case
		{"velocity", "velocity_m_per_s", 0.01}, {"displacement", "displacement_m", 0.02}, {"fy", "fy_N_per_m", 0.5 * 1000 * 0.01 * 0.01 * 0.02},
		{"force_spread", "force_spread_N_per_m", 0.5 * 1000 * 0.01 * 0.01 * 0.02},
	} {
		a, b := column(of.of), column(of.si)
		for k := range a {
			if math.Abs(b[k]-a[k]*of.factor) > 1e-9*math.Abs(b[k]) {
				t.Fatalf("phase.csv: %s is %v where %s is %v, want a factor of %v", of.si, b[k], of.of, a[k], of.factor)
			}
		}
	}
	fy, force, fit, v := column("fy"), column("force"), column("linear"), column("velocity")
	for k := range fy {
		phase := 2 * math.Pi * float64(k) / phases
		if math.Abs(v[k]-math.Cos(phase)) > 1e-3 || math.Abs(force[k]-fy[k]) > 1e-9*math.Abs(fy[k]) || math.Abs(fit[k]-force[k]) > 0.02*2*omega*float64(o.AddedMass) {
			t.Errorf("phase %g: velocity %g, force %g, fy %g, fit %g", phase, v[k], force[k], fy[k], fit[k])
		}
	}
}

// A cylinder that swings about its axis feels the torque −2πμa²(λ K₀(λ)/K₁(λ) + 2)Ω: at β = 20 a moment of inertia of 0.0491 ρL⁴ and a damping of 2.163 ρUL³
// at a frequency of 5 U/L. Two nodes in the layer make these 12 % less and 4 % more, four 2 % each.
func TestADiscThatTurnsToAndFroHasItsAddedMomentOfInertia(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	s, err := Run(t.Context(), setuptest.Load(t, swingingDisc, "reference.resolution=20", "reference.velocity=0.004", "domain.size=[3,3]", "body.0.shape.center=[1.5,1.5]",
		`body.0.motion={type="prescribed", angle="0.06*sin(10*pi*t)*smooth(t/0.2)"}`, "run.time=0.8"), Options{Out: t.TempDir(), Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	o := s.Bodies["disc"].Oscillation
	if o == nil || o.Of != "rotation" || o.Periods < 3 || finite.Is(float64(o.Ca)) || finite.Is(float64(o.Cd)) || finite.Is(float64(o.KC)) {
		t.Fatalf("%+v", o)
	}
	if i, b := float64(o.AddedMass), float64(o.Damping); math.Abs(i/0.0491-1) > 0.15 || math.Abs(b/2.163-1) > 0.06 || math.Abs(float64(o.Amplitude)-0.06) > 1e-4 {
		t.Errorf("amplitude %g, moment of inertia %g, damping %g; want 0.06, 0.0491 and 2.163", o.Amplitude, i, b)
	}
	const l, u, rho = 0.02, 0.01, 1000. // anchors of the case
	for name, want := range map[string]float64{"added_mass_kg_m2_per_m": float64(o.AddedMass) * rho * l * l * l * l, "damping_N_m_s_per_m": float64(o.Damping) * rho * u * l * l * l} {
		if got, _ := o.SI[name].(finite.Number); math.Abs(float64(got)/want-1) > 1e-12 {
			t.Errorf("%s is %v, want %g", name, o.SI[name], want)
		}
	}
	if text := strings.Join(strings.Fields(s.String()), " "); !strings.Contains(text, "oscillates about z by ±0.06 rad") || !strings.Contains(text, " kg m^2/m, damping ") || !strings.Contains(text, " N m s/m, the fit") {
		t.Errorf("printed:\n%s", text)
	}
}

// Where there are fewer than two periods there are no coefficients (null, not 0) but words on what to do; of what does not swing there is nothing.
func TestFewPeriodsGiveNoCoefficients(t *testing.T) {
	for motion, says := range map[string]string{
		`{type="prescribed", amplitude=[0.03, 0.0], frequency=5}`: "only 1.5 periods from t = 0.005 on: two are needed for added mass and drag, 4 to tell that they agree: run to t = 1",
		`{type="prescribed", velocity=[0.5, 0.0]}`:                "",
		`{type="prescribed", spin=3}`:                             "",
	} {
		dir := t.TempDir()
		s, err := Run(t.Context(), setuptest.Load(t, swingingDisc, "body.0.motion="+motion, "run.time=0.3", "domain.size=[3,3]", "body.0.shape.center=[1.5,1.5]"), Options{Out: dir, Overwrite: true})
		if err != nil {
			t.Fatal(err)
		}
		o := s.Bodies["disc"].Oscillation
		if (o == nil) != (says == "") || o != nil && (!strings.Contains(o.Note, says) || finite.Is(float64(o.Ca)) || finite.Is(float64(o.Cd))) {
			t.Errorf("%s: %+v", motion, o)
		}
		text, err := os.ReadFile(dir + "/summary.json")
		if err != nil || strings.Contains(string(text), `"added_mass_coefficient": null`) != (says != "") {
			t.Errorf("%s: %v in\n%s", motion, err, text)
		}
		if _, err := os.Stat(dir + "/phase.csv"); err == nil {
			t.Errorf("%s: there is a phase.csv", motion)
		}
		if !strings.Contains(string(text), `"strouhal": null`) { // nothing sheds: no number, rather than 0
			t.Errorf("%s: the Strouhal number in\n%s", motion, text)
		}
		if says != "" && !strings.Contains(s.String(), "no added mass and drag") {
			t.Errorf("%s: printed\n%s", motion, s)
		}
	}
}

// The direction of a motion is that in which it varies most, whatever it is about.
func TestTheDirectionOfAnOscillation(t *testing.T) {
	var a, b, c []float64
	for i := range 400 {
		w := math.Cos(0.1 * float64(i))
		a, b, c = append(a, 2+0.6*w), append(b, -0.8*w+0.01*math.Sin(0.2*float64(i))), append(c, 1)
	}
	along := principal([][]float64{a, b, c}, 0)
	if len(along) != 3 || math.Abs(along[0]+0.6) > 1e-3 || math.Abs(along[1]-0.8) > 1e-3 || along[2] != 0 {
		t.Errorf("along %v, want (−0.6, 0.8, 0)", along)
	}
	if along := principal([][]float64{c, c}, 0); along != nil {
		t.Errorf("what does not vary varies along %v", along)
	}
	var x, y []float64 // on a circle, whose half turns do not fill the samples
	for i := range 400 {
		x, y = append(x, math.Cos(0.1*float64(i))), append(y, math.Sin(0.1*float64(i)))
	}
	if along := principal([][]float64{x, y}, 0); along != nil {
		t.Errorf("what goes round varies along %v", along)
	}
	if along := principal([][]float64{a, b}, 1); along != nil {
		t.Errorf("what varies by 0.5 varies along %v", along)
	}
}

// A free body that swings about a place is told of, one that goes somewhere or moves without a period is not.
func TestFreeBodiesThatSwingAboutAPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	swung := func(drift, damping float64) *statistics.Oscillation {
		s := &swinging{}
		for i := range 800 {
			at := 0.05 * float64(i)
			v := drift + math.Exp(-damping*at)*math.Sin(at)
			s.T, s.V = append(s.T, at), append(s.V, v)
			s.FT, s.F = append(s.FT, at), append(s.F, -v)
		}
		return s.oscillate(0, false)
	}
	if o := swung(0.01, 0); o == nil || !o.Converged || math.Abs(o.Linear.Drag-1) > 1e-3 {
		t.Errorf("a body that swings: %+v", o)
	}
	if o := swung(1, 0); o != nil {
		t.Errorf("a body that goes somewhere: %+v", o)
	}
	if o := swung(0, 0.5); o != nil {
		t.Errorf("a body that comes to rest: %+v", o)
	}
	text, err := json.Marshal(BodySummary{})
	if err != nil || strings.Contains(string(text), `"oscillation"`) {
		t.Errorf("%s, %v", text, err)
	}
}

// In a stream there is no drag as V|V|, of what displaces nothing no coefficient of added mass: they are null and not printed.
func TestWhatAnOscillationHasNot(t *testing.T) {
	found := &statistics.Oscillation{From: 1, To: 21, Period: 5, Periods: 4, Velocity: 1, Acceleration: 1.2, Linear: statistics.ForceFit{Drag: -0.5, Mass: 1.5, Rest: 0.1}, Morison: statistics.ForceFit{Drag: -0.6, Mass: 1.5, Rest: 0.2}, Converged: true}
	s := &swinging{of: "translation", along: []float64{0, 1}}
	for k := range 500 {
		at := 0.05 * float64(k)
		s.T, s.V, s.place = append(s.T, at), append(s.V, math.Cos(0.4*math.Pi*at)), append(s.place, math.Sin(0.4*math.Pi*at)/(0.4*math.Pi))
	}
	for _, c := range []struct {
		to        reference
		has, lack []string
	}{
		{reference{1, 1, 0.75, 0.01, false}, []string{"Morison's Cd -0.6", "added mass Ca 1 (inertia CM = 1 + Ca = 2)", "leaves 0.2 of"}, nil},
		{reference{1, 1, 0.75, 0.01, true}, []string{"added mass Ca 1,", "leaves 0.1 of", "in phase with the velocity 0.5, with the acceleration -1.8"}, []string{"Morison", "CM", "NaN"}},
		{reference{1, 1, 0, 0.01, false}, []string{"added mass 0.75 ρL²"}, []string{"Ca", "NaN", "Inf"}},
	} {
		v := s.summary(found, c.to)
		var b strings.Builder
		v.write(&b, setuptest.Load(t, swingingDisc).Units())
		text := strings.Join(strings.Fields(b.String()), " ")
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%+v: %q is not in %q", c.to, want, text)
			}
		}
		for _, no := range c.lack {
			if strings.Contains(text, no) {
				t.Errorf("%+v: %q is in %q", c.to, no, text)
			}
		}
		if finite.Is(float64(v.Cd)) == c.to.stream || finite.Is(float64(v.Ca)) == (c.to.displaced == 0) {
			t.Errorf("%+v: drag %g, added mass %g", c.to, v.Cd, v.Ca)
		}
	}
}
