package run

import (
	"bytes"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/io/casefile"
	"lbmib/run/check"
	"lbmib/run/observe"
	"lbmib/run/setup/setuptest"
)

// A field is noise if it varies from node to node; waves that are resolved, and noise too weak to
// matter, are none.
func TestNoiseOfTheScaleOfTheGridIsTold(t *testing.T) {
	n := [2]int{96, 64}
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name      string
		of        func(x, y int) float64
		low, high float64
	}{
		{"white noise", func(int, int) float64 { return 0.01 * random.NormFloat64() }, 0.3, 0.4},
		{"waves of two nodes", func(x, y int) float64 { return 0.01 * float64(1-2*((x+y)%2)) }, 0.98, 1},
		{"waves of twelve nodes", func(x, y int) float64 { return 0.1 * math.Sin(2*math.Pi*float64(x+y)/12) }, 0, 1e-3},
		{"rounding", func(int, int) float64 { return 0.1 + 1e-6*random.NormFloat64() }, 0, 1e-3},
		{"a street with noise in a twentieth of it", func(x, _ int) float64 {
			v := 0.1 * math.Sin(2*math.Pi*float64(x)/48)
			if x < 5 {
				v += 0.1 * random.NormFloat64()
			}
			return v
		}, check.NoiseMost, 1},
	} {
		u := make([]float64, n[0]*n[1])
		for k := range u {
			u[k] = c.of(k%n[0], k/n[0])
		}
		var v observe.Variation
		observe.AddVariation(&v, n, u, nil)
		if s := v.Share(0.1); !(s >= c.low && s <= c.high) {
			t.Errorf("%s: %.3g of the variation is of the scale of the grid, want %g to %g", c.name, s, c.low, c.high)
		}
	}
}

// What lessens the worth of the numbers is told before the first step, and is in the summary with
// what the flow did; the same if the run was interrupted.
func TestARunTellsWhatItsNumbersAreWorth(t *testing.T) {
	s, said := runThin(t, filepath.Join(t.TempDir(), "run"), nil, Options{})
	all := strings.Join(s.Cautions, "\n")
	for _, want := range []string{"caution: Mach number 0.173, of U, is above 0.1", "unsafe: boundary layer", "caution: the Mach number reached"} {
		if !strings.Contains(all, want) {
			t.Errorf("the summary's cautions lack %q:\n%s", want, all)
		}
	}
	if want := `caution: blockage of body "cylinder", 16.7 % of the domain's width, is above 0.1`; !strings.Contains(all, want) || !strings.Contains(said, want) {
		t.Errorf("%q is missing in what it says,\n%s\nor in the cautions\n%s", want, said, all)
	}
	if !strings.Contains(said, "caution: Mach number 0.173, of U, is above 0.1: errors grow as Ma², by themselves about 1 % of drag") {
		t.Errorf("before the run it says %q", said)
	}
	b := s.Bodies["cylinder"]
	if !(b.DragError > 0.2 && b.DragError < 0.8) || !(s.MachMax > 0.2 && s.MachMax < 0.5) || !(s.DensityDeviation > 1e-3 && s.DensityDeviation < 0.2) || !(s.GridNoise < check.NoiseMost) {
		t.Errorf("error of drag %v, Mach number %v, density %v, noise %v", b.DragError, s.MachMax, s.DensityDeviation, s.GridNoise)
	}
	if text := s.String(); !strings.Contains(text, "Mach number up to") || !strings.Contains(text, "drag is off by about") {
		t.Errorf("the summary prints\n%s", text)
	}

	parts := filepath.Join(t.TempDir(), "parts")
	runThin(t, parts, []string{"run.time=2.2"}, Options{})
	again, _ := runThin(t, parts, nil, Options{Resume: true})
	if again.MachMax != s.MachMax || again.DensityDeviation != s.DensityDeviation || again.GridNoise != s.GridNoise {
		t.Errorf("resumed: Mach number %v, density %v, noise %v; want %v, %v, %v", again.MachMax, again.DensityDeviation, again.GridNoise, s.MachMax, s.DensityDeviation, s.GridNoise)
	}
}

// A creeping flow that has stopped changing is steady, though sound still runs through it; and at
// the same step if the run was interrupted between two tests.
func TestACreepingFlowBecomesSteady(t *testing.T) {
	checkingtest.NumbersAlone(t)
	run := func(dir string, o Options, sets ...string) *Summary {
		c, err := casefile.Parse("creep.toml", []byte(setuptest.CreepingCase), sets)
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		o.Out, o.Threads, o.Progress = dir, 1, &said
		s, err := Run(t.Context(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(said.String(), "100 %") && !strings.Contains(said.String(), "  |∂u/∂t| ") {
			t.Errorf("the progress does not tell |∂u/∂t|:\n%s", said.String())
		}
		return s
	}
	s := run(filepath.Join(t.TempDir(), "run"), Options{})
	if s.Status != "steady" || s.Steadiness == nil || !(*s.Steadiness > 0 && *s.Steadiness < 2e-5) {
		t.Fatalf("status %s, |∂u/∂t| %v", s.Status, s.Steadiness)
	}
	parts := filepath.Join(t.TempDir(), "parts")
	first := run(parts, Options{}, "run.time=2.5")
	if first.Status == "steady" || first.Steadiness == nil || !(*first.Steadiness > 2e-5) {
		t.Errorf("at t = 2.5: status %s, |∂u/∂t| %v", first.Status, first.Steadiness)
	}
	if again := run(parts, Options{Resume: true}); again.Steps != s.Steps || *again.Steadiness != *s.Steadiness {
		t.Errorf("resumed, it is steady after %d steps with %v, else after %d with %v", again.Steps, *again.Steadiness, s.Steps, *s.Steadiness)
	}
	if b := s.Bodies["rod"]; !b.Converged {
		t.Errorf("its statistics are not: %s", b.Note)
	}
}
