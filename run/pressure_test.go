package run

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/geometry/kinematics"
	"lbmib/internal/finite"
	"lbmib/run/observe"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// The pressure of Taylor and Green's vortices is p = −¼ρ(cos 2kx + cos 2ky)e^(−4νk²t) with k = 2π: least in the middle of the vortices, largest
// between them, ±½ρU² at the start.
func TestASummaryTellsWhereThePressureIsLeastAndLargest(t *testing.T) {
	dir := t.TempDir()
	more := []string{"reference.length=2 cm", "reference.speed=0.5 m/s", "reference.density=900 kg/m^3", "run.time=0.02", "domain.size=[1.0,1.0]"}
	s, err := Run(t.Context(), setuptest.Load(t, vortexCase, more...), Options{Out: dir, Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	p := s.Pressure
	if p == nil {
		t.Fatal("none is told")
	}
	const scale, dx = 900 * 0.25, 1. / 32
	decay := math.Exp(-4 * 0.1 * 4 * math.Pi * math.Pi * s.Time)
	for _, of := range []struct {
		what      string
		got, want float64
	}{
		{"least of the run", float64(p.Min), -0.5}, {"largest of the run", float64(p.Max), 0.5},
		{"least at the end", float64(p.EndMin), -0.5 * decay}, {"largest at the end", float64(p.EndMax), 0.5 * decay},
		{"in Pa", float64(p.SI["max_Pa"].(finite.Number)), float64(p.Max) * scale},
	} {
		if math.Abs(of.got/of.want-1) > 0.08 { // nodes lie half a node beside the extremes, and the pressure rings by 6 % after the start
			t.Errorf("%s %g, want %g", of.what, of.got, of.want)
		}
	}
	if p.MinTime != 0 || p.MaxTime != 0 {
		t.Errorf("vortices that decay have their extremes at t = %g and %g", p.MinTime, p.MaxTime)
	}
	for _, of := range []struct {
		place []finite.Number
		phase float64 // of cos 2kx + cos 2ky there, over 2
	}{{p.MinPlace, 1}, {p.MaxPlace, -1}, {p.EndMinPlace, 1}, {p.EndMaxPlace, -1}} {
		x, y := float64(of.place[0]), float64(of.place[1])
		if got := (math.Cos(4*math.Pi*x) + math.Cos(4*math.Pi*y)) / 2; math.Abs(got-of.phase) > 1-math.Cos(4*math.Pi*dx) {
			t.Errorf("at %v, where the phase is %g, want %g", of.place, got, of.phase)
		}
	}
	text := strings.Join(strings.Fields(s.String()), " ")
	if !strings.Contains(text, "pressure at the end −0.") || !strings.Contains(text, "; over the run −0.") || !strings.Contains(text, " Pa at (") {
		t.Errorf("printed:\n%s", s)
	}
	written, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	var of struct{ Pressure map[string]any }
	if err != nil || json.Unmarshal(written, &of) != nil || len(of.Pressure["min_place"].([]any)) != 2 {
		t.Errorf("%v, %+v", err, of)
	}
}

// Since output.statistics.from, where it is given, and the same after a run was interrupted and resumed.
func TestPressureExtremesOfAWindowAndOfAResumedRun(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	from := []string{"output.statistics.from=0.2", "output.checkpoint.every=0.4", "run.time=0.9"}
	whole, err := Run(t.Context(), setuptest.Load(t, vortexCase, from...), Options{Out: t.TempDir(), Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	if p := whole.Pressure; !(p.MaxTime >= 0.2) || !(p.MaxTime < 0.4) {
		t.Errorf("the largest pressure since t = 0.2 was at t = %g", p.MaxTime)
	}
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, vortexCase, append(from[:2:2], "run.time=0.5")...), Options{Out: dir, Overwrite: true}); err != nil {
		t.Fatal(err)
	}
	resumed, err := Run(t.Context(), setuptest.Load(t, vortexCase, from...), Options{Out: dir, Resume: true})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(whole.Pressure)
	b, _ := json.Marshal(resumed.Pressure)
	if string(a) != string(b) {
		t.Errorf("resumed: %s\nin one: %s", b, a)
	}
}

// A place inside a body that the flow goes around is told as such, and one beside it, or across a periodic face from it, is not.
func TestPressureExtremesInsideBodiesAreTold(t *testing.T) {
	p, err := setup.New(setuptest.Load(t, streamCase))
	if err != nil {
		t.Fatal(err)
	}
	b := p.Bodies[0].Shape
	middle, diameter := p.Place(b.Center()), b.Length()*p.Units.Dx
	stands := func(int) (kinematics.State, bool) { return p.Bodies[0].State(), true }
	for away, want := range map[float64]string{0: p.Bodies[0].Name, 0.49: p.Bodies[0].Name, 0.51: "", 2: ""} {
		if got := observe.InBody(p, [3]float64{middle[0] + away*diameter, middle[1]}, stands); got != want {
			t.Errorf("%g diameters from the middle: inside %q, want %q", away, got, want)
		}
	}
	if got := observe.InBody(p, middle, func(int) (kinematics.State, bool) { return kinematics.State{}, false }); got != "" {
		t.Errorf("where the body is not known: %q", got)
	}
	v := &PressureSummary{EndMin: -1, EndMinPlace: numbers(middle[:2]), EndMinInside: "rod", EndMax: 1, EndMaxPlace: numbers(middle[:2])}
	var said strings.Builder
	v.write(&said, p.Units)
	if text := strings.Join(strings.Fields(said.String()), " "); strings.Count(text, ", inside rod") != 1 {
		t.Errorf("printed: %s", text)
	}
}
