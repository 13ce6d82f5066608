package casefile

import (
	"math"
	"strings"
	"testing"
)

// Expressions know the Reynolds number and the case's constants.
func TestExpressionsHaveConstants(t *testing.T) {
	c := mustParse(t, cylinder, "reference.reynolds=40", `domain.force=["12/Re", "amp*sin(2*pi*f_0*t)"]`, "constants.amp=0.5", `constants.f_0="4/Re"`)
	if f := c.Domain.Force[0]; !f.Constant() || f.Value != 0.3 {
		t.Errorf("12/Re is %+v, want 0.3", f)
	}
	if got, want := c.Domain.Force[1].At(1), 0.5*math.Sin(2*math.Pi*0.1); math.Abs(got-want) > 1e-15 {
		t.Errorf("the force at t = 1 is %v, want %v", got, want)
	}
	if got := c.Resolved()["constants"].(map[string]any)["amp"]; got != 0.5 {
		t.Errorf("the resolved case has amp = %v", got)
	}
	other := mustParse(t, cylinder, "reference.reynolds=40", `domain.force=["12/Re", "amp*sin(2*pi*f_0*t)"]`, "constants.amp=0.6", `constants.f_0="4/Re"`)
	if c.Hash() == other.Hash() {
		t.Error("a case with another constant has the same digest")
	}
	if d := mustParse(t, cylinder, `body.0.shape.diameter="2*amp"`, "constants.amp=0.5", `run.time="15000/Re"`); d.Bodies[0].Shape.Number("diameter") != 1 || d.Run.Time != 15000/d.Reference.Reynolds {
		t.Errorf("a diameter of 2*amp is %v, a time of 15000/Re %v", d.Bodies[0].Shape.Number("diameter"), d.Run.Time)
	}
	for set, want := range map[string]string{
		`run.time="150*t*Re"`:     "is not a unit",
		"constants.Re=3":          "means something else in expressions",
		"constants.sin=3":         "means something else",
		"constants.m=3":           `is a unit, as in "5 m"`,
		`constants.a="t"`:         "varies with t",
		`constants.a="nope"`:      `names "nope", which is unknown: known are t, Re, pi, e`,
		`domain.force=["b*2", 0]`: `names "b", which is unknown: known are t, Re, pi, e`,
	} {
		_, err := Parse("case.toml", []byte(cylinder), []string{set})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}

// A constant that is mistyped would change nothing without a word.
func TestAMistypedConstantIsRefused(t *testing.T) {
	text := cylinder + "\n[constants]\nU_star = 3\namp = 0.5\n"
	for set, want := range map[string]string{
		"constants.Ustar=7": "--set constants.Ustar=7: is no constant of the file, and no expression names it, so that it would change nothing: did you mean constants.U_star?",
		"constants.gap=7":   "known are U_star, amp",
	} {
		if _, err := Parse("case.toml", []byte(text), []string{set}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
	if _, err := Parse("case.toml", []byte(text), []string{"constants.Ustar=7", "constants.Ustar=8"}); err == nil {
		t.Error("given twice it is taken")
	}
	c := mustParse(t, text, "constants.U_star=4", "constants.f=2", `domain.force=["f*t", 0]`)
	if _, err := c.With([]string{"constants.f=3"}, 0); err != nil { // with fewer tables
		t.Error(err)
	}
	if _, err := c.With([]string{"constants.Ustar=4"}, 9); err == nil || !strings.Contains(err.Error(), "did you mean constants.U_star?") {
		t.Errorf("of a sweep: %v", err)
	}
	if _, err := Parse("case.toml", []byte(cylinder), []string{"constants.amp=7"}); err == nil || !strings.Contains(err.Error(), "the file has none") {
		t.Errorf("without [constants]: %v", err)
	}
}

// An inflow is as an expression of the place says, into the domain.
func TestAnInflowMayBeAnExpressionOfThePlace(t *testing.T) {
	face := func(profile string) string {
		return `domain.boundary.left={ type = "velocity", profile = "` + profile + `" }`
	}
	c := mustParse(t, cylinder, face("a*y/15"), "constants.a=1.2")
	f := c.Domain.Boundary[0]
	if f.Shape == nil || f.Profile != "expression" || math.Abs(f.Peak-1.2*(15-0.0125)/15) > 1e-12 {
		t.Errorf("the face is %+v", f)
	}
	if v, err := f.Shape.Eval(0, 5, 0); err != nil || math.Abs(v-0.4) > 1e-15 {
		t.Errorf("at y = 5 it is %v, %v", v, err)
	}
	if c := mustParse(t, cylinder, face("y"), "domain.size=[4, 1]", "body=[]", "output.probes=[]"); c.Domain.Boundary[0].Shape == nil {
		t.Error("a place alone is no profile")
	}
	for set, want := range map[string]string{
		face("parabola"):     `"parabola" is not a velocity profile (did you mean "parabolic"?)`,
		face("q*y"):          `names "q", which is unknown: known are x, y, z, Re, pi, e`,
		face("1/(y-0.0125)"): "must be finite there",
		face("20*y"):         "Mach number",
		`domain.boundary.left={ type = "velocity", profile = "y/15", peak = 1 }`: "has no effect beside an expression for the profile",
	} {
		_, err := Parse("case.toml", []byte(cylinder), []string{set})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}
