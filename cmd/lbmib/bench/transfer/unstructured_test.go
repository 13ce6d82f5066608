package transfer

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/validation/ib/published"
)

func TestTheBuiltInCaseIsThePapersTest(t *testing.T) {
	u := BuiltIn()
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got/want-1) > 1e-14 {
			t.Errorf("%s is %g, want %g", what, got, want)
		}
	}
	near("edge", u.Size, 16e-6)
	near("shear rate", u.Rate, 1000)
	near("height", u.Height, 8e-6)
	near("stiffness", u.Stiffness, 1e-5)
	near("step", u.Step, 1e-7)
	if u.Points != published.KassenPoints || u.Steps != published.KassenSteps || u.Delta != "cosine4" || len(u.Refinements) != 4 || u.Refinements[2] != published.KassenRefinement {
		t.Errorf("%+v", u)
	}
}

func TestCasesAreReadStrictly(t *testing.T) {
	good, err := os.ReadFile("../../../../cases/unstructured.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, says string }{
		{`delta = "cosine4"`, `dleta = "cosine4"`, "unknown key"},
		{`delta = "cosine4"`, `dleta = "cosine4"`, "ib.delta: is missing"},
		{`delta = "cosine4"`, `delta = "cosine5"`, `"cosine5" is unknown`},
		{`"16 um"`, `"16 furlong"`, `"furlong" is no unit of a length`},
		{`"16 um"`, `"16"`, "has no unit"},
		{`"16 um"`, `"um 16"`, "not a number with a unit"},
		{`"16 um"`, `"-16 um"`, "must be positive"},
		{`"16 um"`, `16`, "string"},
		{`[16, 32, 64, 128]`, `[]`, "domain.refinement: is missing or empty"},
		{`[16, 32, 64, 128]`, `[8]`, "8 must be between 10"},
		{`"1000 /s"`, `"1000 s"`, "no unit of a rate"},
		{`"1000 /s"`, `"0 /s"`, "must not be 0"},
		{`"8 um"`, `"18 um"`, "outside the box"},
		{`"0.01 dyn/cm"`, `"0.01 dyn"`, "no unit of a stiffness"},
		{`number = 65536`, `number = 0`, "points.number: 0 must be between"},
		{`"0.1 us"`, `"1 s"`, "shorter step"},
		{`steps = 1000`, `steps = 0`, "run.steps: 0 must be at least 1"},
		{`[run]`, `[run`, "TOML"},
	} {
		text := strings.Replace(string(good), c.from, c.to, 1)
		if text == string(good) {
			t.Fatalf("%s is not in the case", c.from)
		}
		_, err := ParseUnstructured("my.toml", text)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "my.toml:") {
			t.Errorf("%s: the error is %v, want it to say %q", c.to, err, c.says)
		}
	}
	_, err = ParseUnstructured("my.toml", "title = \"x\"\n[domain]\nsize = \"1 m\"\nrefinement = [16]\n\n[points]\nnumber = 1\nseed = 1\nnumbr = 2\n")
	for _, says := range []string{"my.toml:9: points.numbr: unknown key", "my.toml: run.step: is missing", "my.toml: shear.rate: is missing"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("the error is %v, want it to say %q", err, says)
		}
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none.toml"), t.TempDir()} {
		if _, err := LoadUnstructured(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "unstructured.toml") {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestUnitsAreSI(t *testing.T) {
	for _, c := range []struct {
		q    quantity
		text string
		want float64
	}{{lengths, "16 um", 16e-6}, {lengths, "2.5e-1µm", 0.25e-6}, {rates, "1e3 1/s", 1e3}, {times, " 3 ns ", 3e-9}, {stiffnesses, "2.5e-3 dyn/cm", 2.5e-6}} {
		if got, err := c.q.parse(c.text); err != nil || math.Abs(got/c.want-1) > 1e-14 {
			t.Errorf("%q is %g, %v, want %g", c.text, got, err, c.want)
		}
	}
}

// small is the built-in case on one coarse grid.
func small(delta string) *Unstructured {
	u := BuiltIn()
	u.Refinements, u.Delta = []int{16}, delta
	return u
}

func TestTetheredPointsFollowTheShear(t *testing.T) {
	const n, steps = 400, 6
	for _, delta := range []string{"cosine4", "roma3"} {
		s, err := newShear(small(delta), 16)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.tether("serial", n, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range steps {
			if err := p.step(); err != nil {
				t.Fatal(err)
			}
			p.weigh()
		}
		checks := p.checks()
		if what := harness.Failed(checks); what != "" {
			t.Errorf("%s: %s", delta, what)
		}
		// The error of cosine4 is what its first moment says, not less.
		if found := checks[0].Value; delta == "cosine4" && found < 0.9*firstMoment[delta] {
			t.Errorf("%s: the error of the displacement is %g, want about %g", delta, found, firstMoment[delta])
		}
		// Points far from where the fluid rests have moved, by 6 steps of 0.1 µs at some mm/s.
		far := 0.
		for k := range p.x {
			far = max(far, math.Abs(p.x[k][2]-p.first[k][2]))
		}
		if want := 1000 * 8e-6 * steps * 1e-7; far < 0.8*want || far > 1.01*want {
			t.Errorf("%s: points move by up to %g m, want about %g", delta, far, want)
		}
	}
}

func TestAWrongTransferFailsTheTest(t *testing.T) {
	for name, c := range map[string]struct {
		defect spoiled
		says   string
	}{
		"points lie off": {spoiled{points: func(x []geometry.Vec) []geometry.Vec {
			for k := range x {
				x[k][1] += 1e-9
			}
			return x
		}}, "along the flow"},
		"components are mixed":   {spoiled{afterInterpol: func(out [][]float64) { copy(out[0], out[2]) }}, "across the flow"},
		"force is lost":          {spoiled{afterSpread: func(out [][]float64) { clear(out[2][:100]) }}, "total force"},
		"a velocity is no value": {spoiled{afterInterpol: func(out [][]float64) { out[0][3] = math.NaN() }}, "NaN"},
	} {
		s, err := newShear(small("roma3"), 16)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.tether("serial", 300, nil)
		if err != nil {
			t.Fatal(err)
		}
		c.defect.Transfer = p.transfer
		p.transfer = &c.defect
		r := &run{Timing: &Timing{Outcome: harness.Outcome{Status: harness.OK}}, points: p}
		if err := r.work(context.Background(), 3); err != nil {
			t.Fatal(err)
		}
		r.finish(&run{Timing: &Timing{Outcome: harness.Outcome{Status: harness.OK}}, interpolate: []float64{1}, spread: []float64{1}})
		// A position that is no number may also be refused by the transfer.
		if (r.Status != harness.Wrong || !strings.Contains(r.Reason, c.says)) && !(c.says == "NaN" && r.Status == harness.Refused) {
			t.Errorf("%s: %s, %q, want something on %q", name, r.Status, r.Reason, c.says)
		}
		if r.Timing.Interpolate != 0 || r.Timing.Spread != 0 {
			t.Errorf("%s: a time is told", name)
		}
	}
}

func TestDriversTakeTurnsBesideSerial(t *testing.T) {
	timings, err := drive(context.Background(), small("cosine4"), []Driver{{"sort-reduce", 2, 16, 300, 7}, {"serial", 1, 16, 300, 7}, {"sort-reduce", 1, 24, 100, 3}, {"none", 1, 24, 100, 3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range timings[:3] {
		if r.Status != harness.OK || !(r.Interpolate > 0 && r.Spread > 0 && r.InterpolateSpeedup > 0 && r.SpreadSpeedup > 0) || len(r.Checks) != 3 {
			t.Errorf("%+v", r)
		}
	}
	if s := timings[1]; s.InterpolateSpeedup != 1 || s.SpreadSpeedup != 1 {
		t.Errorf("serial over itself is %g, %g", s.InterpolateSpeedup, s.SpreadSpeedup)
	}
	if r := timings[3]; r.Status != harness.Refused || !strings.Contains(r.Reason, `"none"`) {
		t.Errorf("%+v", r)
	}
}
