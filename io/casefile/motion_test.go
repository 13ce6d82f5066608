package casefile

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// withBody is the documented case with other lines for its body.
func withBody(lines string) string {
	return edit(cylinder, `shape  = { type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, lines)
}

const circle = "shape = { type = \"circle\", center = [10.0, 7.5], diameter = 1.0 }\n"

func TestPrescribedMotionsAreReadAsWritten(t *testing.T) {
	m := mustParse(t, withBody(circle+`motion = { type = "prescribed", displacement = ["0.01*t", 0.5], swing = 30, frequency = 0.05, swing_phase = 1.5, pivot = [10, 8] }`)).Bodies[0].Motion
	if m.Type != "prescribed" || m.Velocity != nil || m.Angle != nil || m.Spin != nil || m.Swing != 30 || m.Frequency != 0.05 || m.SwingPhase != 1.5 {
		t.Errorf("motion %+v", m)
	}
	if x := m.Displacement; x[0].At(2) != 0.02 || x[1].At(2) != 0.5 || x[0].Constant() || !x[1].Constant() {
		t.Errorf("displacement %v", x)
	}
	if *m.Pivot != [3]float64{10, 8} || m.Axis != [3]float64{0, 0, 1} {
		t.Errorf("pivot %v, axis %v", *m.Pivot, m.Axis)
	}
	m = mustParse(t, withBody(circle+`motion = { type = "prescribed", amplitude = [0, 0.25], frequency = 0.1, phase = 0.5, spin = "0.1*sin(t)" }`)).Bodies[0].Motion
	if m.Amplitude != [3]float64{0, 0.25} || m.Phase != 0.5 || m.Pivot != nil || m.Spin.At(math.Pi/2) != 0.1 {
		t.Errorf("motion %+v", m)
	}
}

func TestFreeMotionsAreReadAsWritten(t *testing.T) {
	m := mustParse(t, withBody(circle+`motion = { type = "free", density = 1.5, velocity = [0.1, 0], spin = -0.5, release = 2, fix = ["x", "rotation"], inertia = 0.3, spring = [1, 2], damper = [3, 0], spring_rotation = 4, damper_rotation = 5 }`),
		"domain.gravity=[0, -1]").Bodies[0].Motion
	want := Motion{
		Type: "free", Density: 1.5, InitialVelocity: [3]float64{0.1}, InitialSpin: [3]float64{0, 0, -0.5}, Release: 2,
		Fix: [6]bool{0: true, 5: true}, Inertia: 0.3, Spring: [3]float64{1, 2}, Damper: [3]float64{3}, SpringRotation: 4, DamperRotation: 5,
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("got  %+v\nwant %+v", m, want)
	}
	text := edit(channel, `motion = { type = "fixed" }`, `motion = { type = "free", density = "1100 kg/m^3", spin = [0, 1, 2], fix = ["z", "rotation"] }`)
	if m := mustParse(t, text).Bodies[0].Motion; m.Fix != [6]bool{2: true, 3: true, 4: true, 5: true} || m.InitialSpin != [3]float64{0, 1, 2} || m.Density != 1.1 {
		t.Errorf("in space: %+v", m)
	}
}

func TestBodiesThatMoveHaveTheirPlacesWritten(t *testing.T) {
	moving := withBody(circle + `motion = { type = "prescribed", spin = 0.1 }`)
	for _, c := range []struct {
		text, set string
		want      float64
	}{{cylinder, "run.seed=0", 0}, {moving, "run.seed=0", 0.05}, {moving, "output.forces.every=0.2", 0.2}, {moving, "output.bodies.every=0", 0}, {cylinder, "output.bodies.every=3", 3}} {
		if got := mustParse(t, c.text, c.set).Output.Every("bodies"); got != c.want {
			t.Errorf("%s: every %v, want %v", c.set, got, c.want)
		}
	}
}

// A body may leave through a periodic face: it comes back on the other side.
func TestPeriodicAxesDoNotBoundMotions(t *testing.T) {
	const motion = `motion = { type = "prescribed", velocity = [0, 0.2] }`
	_, err := Parse("case.toml", []byte(withBody(circle+motion)), nil)
	if err == nil || !strings.Contains(err.Error(), "outside the domain") {
		t.Errorf("a body that leaves through the top gives %v", err)
	}
	mustParse(t, withBody(circle+motion), "domain.boundary.top.type=periodic", "domain.boundary.bottom.type=periodic")
}

// A pole that is finite at every time that is asked for is a slip in the formula:
// its key and time are told, not a lattice a thousand times slower.
func TestPolesAreToldByKeyAndTime(t *testing.T) {
	const pole = "1/(t-70.30001)" // between the samples of a path, 3e4 U at the step nearest to it
	for name, c := range map[string]struct{ motion, key string }{
		"velocity":     {`velocity = [0.01, "0.01*` + pole + `"]`, "body.0.motion.velocity.1: "},
		"spin":         {`spin = "0.1*` + pole + `"`, "body.0.motion.spin: "},
		"displacement": {`displacement = ["0.3*step(t-70.3)", "0.001*t"]`, "body.0.motion.displacement.0: "},
		"angle":        {`angle = "step(t-70.3)"`, "body.0.motion.angle: "},
	} {
		_, err := Parse("case.toml", []byte(withBody(circle+`motion = { type = "prescribed", `+c.motion+` }`)), nil)
		for _, want := range []string{c.key, "at t = 70.", "it is short", "division by nearly 0"} {
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "lower reference.velocity") {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
	_, err := Parse("case.toml", []byte(cylinder), []string{`domain.boundary.left={type="velocity", value=[1.0, 0.0], factor="1+0.01*` + pole + `"}`})
	if err == nil || !strings.Contains(err.Error(), "domain.boundary.left") || !strings.Contains(err.Error(), "at t = 70.3") || !strings.Contains(err.Error(), "it is short") {
		t.Errorf("of a face: %v", err)
	}
	// What is too fast for long is helped by a slower lattice.
	_, err = Parse("case.toml", []byte(withBody(circle+`motion = { type = "prescribed", velocity = ["3*sin(t)", 0.0] }`)), nil)
	if err == nil || !strings.Contains(err.Error(), "lower reference.velocity to 0.057") || !strings.Contains(err.Error(), "motion.velocity.0") {
		t.Errorf("fast for long: %v", err)
	}
}

// Of velocities that are formulas the place takes an integral, which the run knows.
func TestPlacesThatNeedAnIntegralAreLeftToTheRun(t *testing.T) {
	mustParse(t, withBody(circle+`motion = { type = "prescribed", velocity = ["0.5*sin(0.1*t)", 0], spin = "0.1*t/150", pivot = [10, 7] }`))
}

func TestArraysMakeABodyPerCopy(t *testing.T) {
	c := mustParse(t, withBody("array = { count = [3, 2], step = [2.0, 1.5] }\n"+circle+
		`motion = { type = "prescribed", spin = 0.1, pivot = [10, 7] }`), "run.stop_when={cd_interval=0.01, body='cylinder-4'}")
	if len(c.Bodies) != 6 || c.Run.StopBody != "cylinder-4" || c.Run.StopCd != 0.01 {
		t.Fatalf("%d bodies, stop at %v of %q", len(c.Bodies), c.Run.StopCd, c.Run.StopBody)
	}
	b := c.Bodies[4] // x fastest
	if b.Name != "cylinder-4" || b.Shape.Place("center") != [3]float64{12, 9} || *b.Motion.Pivot != [3]float64{12, 8.5} || b.Key != "body.0" {
		t.Errorf("copy 4 is %+v about %v", b, *b.Motion.Pivot)
	}
	if *c.Bodies[0].Motion.Pivot != [3]float64{10, 7} {
		t.Errorf("the first pivot moved to %v", *c.Bodies[0].Motion.Pivot)
	}
	// touching is no overlap, of turned shapes neither
	mustParse(t, withBody("array = { count = [2, 2], step = [-1, 1] }\n"+circle))
	mustParse(t, withBody("array = { count = [2, 1], step = [0.4, 0] }\nshape = { type = \"ellipse\", center = [10, 7], axes = [2, 0.4], angle = 90 }"))
}

func TestTheBodyOfACdIntervalIsTheOnlyOne(t *testing.T) {
	if c := mustParse(t, cylinder, "run.stop_when={cd_interval=0.005}"); c.Run.StopBody != "cylinder" || c.Run.StopSteady != 0 {
		t.Errorf("run %+v", c.Run)
	}
	for set, want := range map[string]string{
		"body.1={shape={type='circle', center=[20,7], diameter=1}}": "say whose Cd it is, as the case has several bodies: cylinder, body1",
		"body=[]": "needs a body, and the case has none",
	} {
		_, err := Parse("case.toml", []byte(cylinder), []string{"run.stop_when={cd_interval=0.005}", set})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}
