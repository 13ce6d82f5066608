package casefile

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestLatticeScalesFollowFromResolutionVelocityAndReynolds(t *testing.T) {
	u := mustParse(t, cylinder).Units()
	for _, s := range []struct {
		what      string
		got, want float64
	}{
		{"Δx = 1/resolution", u.Dx, 1. / 40},
		{"Δt = velocity/resolution", u.Dt, 0.1 / 40},
		{"ν = velocity·resolution/Re", u.Nu, 0.04},
		{"τ = 3ν + 1/2", u.Tau, 0.62},
		{"Ma = velocity·√3", u.Mach, 0.1 * math.Sqrt(3)},
		{"grid Reynolds number = velocity/ν", u.GridReynolds, 2.5},
		{"U is the lattice velocity", u.ToLatticeVelocity(1), 0.1},
		{"L is the resolution", u.ToLatticeLength(1), 40},
		{"L/U in steps", u.ToLatticeTime(1), 400},
		{"U²/L", u.ToLatticeAcceleration(1), 0.01 / 40},
		{"drag of ρU²L/2 has coefficient 1", u.ForceCoefficient(0.5 * 0.01 * 40), 1},
		{"torque of ρU²L²/2 has coefficient 1", u.TorqueCoefficient(0.5 * 0.01 * 1600), 1},
		{"ν from U·L", u.ToLattice(Viscosity, 0.01), u.Nu},
	} {
		if math.Abs(s.got-s.want) > 1e-14*s.want { // a few roundings
			t.Errorf("%s: got %v, want %v", s.what, s.got, s.want)
		}
	}
	three := mustParse(t, channel).Units()
	if got, want := three.ToLatticeForce(1), 0.05*0.05*16*16; math.Abs(got-want) > 1e-14 {
		t.Errorf("ρU²L² in three dimensions is %v, want %v", got, want)
	}
}

func TestUnitsConvertThereAndBack(t *testing.T) {
	for _, text := range []string{channel, cylinder} {
		u := mustParse(t, text, "reference.length=0.3 mm", "reference.density=1060", "reference.speed=0.7 cm/s").Units()
		for q := Number; q <= Torque; q++ {
			const x = 1.7
			si, ok := u.ToSI(q, x)
			back, ok2 := u.FromSI(q, si)
			if !ok || !ok2 || math.Abs(back-x) > 4e-15 {
				t.Errorf("%v by way of SI: %v (%v, %v)", q, back, ok, ok2)
			}
			if back := u.FromLattice(q, u.ToLattice(q, x)); math.Abs(back-x) > 4e-15 {
				t.Errorf("%v by way of the lattice: %v", q, back)
			}
		}
		for name, back := range map[string]float64{
			"length":       u.FromLatticeLength(u.ToLatticeLength(2)),
			"time":         u.FromLatticeTime(u.ToLatticeTime(2)),
			"velocity":     u.FromLatticeVelocity(u.ToLatticeVelocity(2)),
			"acceleration": u.FromLatticeAcceleration(u.ToLatticeAcceleration(2)),
			"force":        u.FromLatticeForce(u.ToLatticeForce(2)),
		} {
			if math.Abs(back-2) > 4e-15 {
				t.Errorf("%s: %v, want 2", name, back)
			}
		}
	}
}

func TestSIUnitsOfForceDependOnTheDimension(t *testing.T) {
	two, three := Units{Dim: 2, Length: 2, Speed: 3, Density: 5}, Units{Dim: 3, Length: 2, Speed: 3, Density: 5}
	if f, _ := two.ToSI(Force, 1); f != 5*9*2 || two.SIUnit(Force) != "kg.s^-2" {
		t.Errorf("force per depth: %v %s", f, two.SIUnit(Force))
	}
	if f, _ := three.ToSI(Force, 1); f != 5*9*4 || three.SIUnit(Force) != "kg.m.s^-2" {
		t.Errorf("force: %v %s", f, three.SIUnit(Force))
	}
	if _, ok := (Units{Dim: 2, Length: 1}).ToSI(Velocity, 1); ok {
		t.Error("a velocity has an SI value without an anchor for U")
	}
	if x, ok := (Units{Dim: 2, Length: 4}).FromSI(Length, 2); !ok || x != 0.5 {
		t.Error("a length has no SI value although L is anchored")
	}
}

func TestUnitStrings(t *testing.T) {
	for text, want := range map[string]struct {
		si  float64
		dim dimension
	}{
		"3.91 um":            {3.91e-6, dimension{m: 1}},
		"3.91µm":             {3.91e-6, dimension{m: 1}}, // micro sign
		"3.91 μm":            {3.91e-6, dimension{m: 1}}, // Greek mu
		"1 mPa.s":            {1e-3, dimension{-1, -1, 1}},
		"1 cP":               {1e-3, dimension{-1, -1, 1}},
		"0.5 dyn/cm":         {0.5e-3, dimension{0, -2, 1}},
		"1 cm/s":             {1e-2, dimension{1, -1, 0}},
		"1e-6 m^2/s":         {1e-6, dimension{2, -1, 0}},
		"1 cSt":              {1e-6, dimension{2, -1, 0}},
		"1000 kg/m^3":        {1000, dimension{-3, 0, 1}},
		"1000 kg/m³":         {1000, dimension{-3, 0, 1}},
		"1 g cm^-3":          {1000, dimension{-3, 0, 1}},
		"1 g·cm⁻³":           {1000, dimension{-3, 0, 1}},
		"9.81 m/s/s":         {9.81, dimension{1, -2, 0}},
		"9.81 m/s**2":        {9.81, dimension{1, -2, 0}},
		"+.5 N*m":            {0.5, dimension{2, -2, 1}},
		"-2 min":             {-120, dimension{s: 1}},
		"1 h":                {3600, dimension{s: 1}},
		"5 /s":               {5, dimension{s: -1}},
		"5 1/s":              {5, dimension{s: -1}},
		"2 kHz":              {2000, dimension{s: -1}},
		"1. dam":             {10, dimension{m: 1}},
		"1 ml":               {1e-6, dimension{m: 3}},
		"7 m/m":              {7, dimension{}},
		"  120  mbar  ":      {12000, dimension{-1, -2, 1}},
		"1 kg . m2 / s2 / J": {1, dimension{}},
	} {
		si, dim, err := parseUnitString(text)
		if err != nil || math.Abs(si-want.si) > 1e-14*math.Abs(want.si) || dim != want.dim {
			t.Errorf("%q is %v %v (%v), want %v %v", text, si, dim, err, want.si, want.dim)
		}
	}
}

func TestBadUnitStringsSayWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":           "is not a number with a unit",
		"um":         "is not a number with a unit",
		"1 2 m":      "is not a unit",
		"5":          "has no unit",
		"1 parsec":   `unknown unit "parsec"`,
		"1 kmin":     `unknown unit "kmin"`, // minutes take no prefix
		"1 m//s":     "is not a unit",
		"1 m^":       "is not a unit",
		"1 m^123":    "is not a unit",
		"1 .m":       "is not a unit",
		"1 m.":       "is not a unit",
		"1e999 m":    "out of range",
		"1e300 Ym^9": "out of range",
		"1e-3":       "has no unit",
		"nan m":      "is not a number with a unit",
	} {
		if _, _, err := parseUnitString(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %q", text, err, want)
		}
	}
}

func TestDimensionsAreNamedInMessages(t *testing.T) {
	for d, want := range map[dimension]string{
		{m: 1}: "a length", {1, -2, 0}: "an acceleration", {0, -2, 1}: "a surface tension or elasticity", {2, -3, 1}: "in kg.m^2.s^-3",
	} {
		if d.String() != want {
			t.Errorf("%#v is called %q, want %q", d, d, want)
		}
	}
}

func TestExamplesInMessagesAreLegal(t *testing.T) {
	for q := Length; q <= Torque; q++ {
		_, dim, err := parseUnitString(quantities[q].example)
		if err != nil || dim != q.in(3).dimension() {
			t.Errorf("the example of %v, %q, is %v (%v)", q, quantities[q].example, dim, err)
		}
	}
}

func TestDynamicViscosityNeedsTheDensity(t *testing.T) {
	text := edit(channel, `reference.density = "1 g/cm^3"`, "")
	text = edit(text, `"999 kg/m^3"`, "1.0")
	_, err := Parse("case.toml", []byte(text), nil)
	if err == nil || !strings.Contains(err.Error(), `reference.viscosity: "1 mPa.s" is physical`) || !strings.Contains(err.Error(), `add density = "1000 kg/m^3" to [reference]`) {
		t.Errorf("got %v", err)
	}
}

func TestAFaultyAnchorIsReportedOnce(t *testing.T) {
	text := edit(channel, `reference.length = "1 mm"`, `reference.length = "1 s"`)
	_, err := Parse("case.toml", []byte(text), nil)
	if want := `case.toml:5:11: reference.length: "1 s" is a time, must be a length: write for instance "3.91 um"`; fmt.Sprint(err) != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestUnitsHaveNamesForPeopleAndForColumns(t *testing.T) {
	two := Units{Dim: 2, Length: 0.01, Speed: 0.5, Density: 900}
	three := Units{Dim: 3, Length: 0.01, Speed: 0.5}
	for _, c := range []struct {
		q                      Quantity
		symbol2, suffix2       string
		symbol3, suffix3       string
		one                    float64 // in SI, in the plane
		anchoredWithoutDensity bool
	}{
		{Force, "N/m", "N_per_m", "N", "N", 900 * 0.25 * 0.01, false},
		{Torque, "N m/m", "N_m_per_m", "N m", "N_m", 900 * 0.25 * 1e-4, false},
		{Velocity, "m/s", "m_per_s", "m/s", "m_per_s", 0.5, true},
		{Pressure, "Pa", "Pa", "Pa", "Pa", 225, false},
		{FlowRate, "m^2/s", "m2_per_s", "m^3/s", "m3_per_s", 0.005, true},
		{Area, "m", "m", "m^2", "m2", 0.01, true},
		{Spin, "rad/s", "rad_per_s", "rad/s", "rad_per_s", 50, true},
		{Curvature, "1/m", "per_m", "1/m", "per_m", 100, true},
	} {
		if a, b, s, z := two.Symbol(c.q), two.Suffix(c.q), three.Symbol(c.q), three.Suffix(c.q); a != c.symbol2 || b != c.suffix2 || s != c.symbol3 || z != c.suffix3 {
			t.Errorf("%v: %q, %q in the plane and %q, %q in space", c.q, a, b, s, z)
		}
		if si, ok := two.ToSI(c.q, 1); !ok || math.Abs(si/c.one-1) > 1e-14 {
			t.Errorf("one reference unit of %v is %v in SI, want %v", c.q, si, c.one)
		}
		if three.Anchored(c.q) != c.anchoredWithoutDensity {
			t.Errorf("%v without a density: anchored %v", c.q, three.Anchored(c.q))
		}
	}
}

func TestPressureIsAgainstTheReferenceDensity(t *testing.T) {
	u := mustParse(t, cylinder).Units()
	if p := u.PressureOf(1); p != 0 {
		t.Errorf("pressure %v at the reference density", p)
	}
	if got, want := u.PressureOf(1.003), 0.003/(3*u.Velocity*u.Velocity); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("pressure %v, want c_s²(ρ − ρ0) = %v", got, want)
	}
}

func TestTimesHaveNoDigitsOfRounding(t *testing.T) {
	u := Units{Dt: 0.1 / 20}
	if got := u.TimeAt(140); got != 0.7 {
		t.Errorf("140 steps of 0.005 are %v", got)
	}
	last := -1.
	for step := range int64(100_000) {
		if at := u.TimeAt(step * 977); at <= last {
			t.Fatalf("time %v after %v", at, last)
		} else {
			last = at
		}
	}
	if x := math.MaxFloat64; !(Shown(x) <= x) || Shown(0) != 0 || !math.IsNaN(Shown(math.NaN())) {
		t.Error("numbers at the ends of their range change")
	}
}

// What rounding leaves of a quantity goes by the precision and by the lattice velocity that its unit has a power of.
func TestRoundingIsToldAsNothing(t *testing.T) {
	single, double := mustParse(t, cylinder, "fluid.precision=f32").Units(), mustParse(t, cylinder).Units()
	large := UnitsOf(map[string]float64{"resolution": 200, "velocity": 0.02, "viscosity": 0.01}, 3, "f32")
	const velocity, half = 0.1, 0x1p-24 // of the case; half a unit in the last place of f32
	for _, of := range []struct {
		what      string
		got, want float64
	}{
		{"ten roundoffs of a velocity, f32", single.Rounding(Velocity), 10 * half / velocity},
		{"of a pressure", single.Rounding(Pressure), 10 * half / velocity / velocity},
		{"of a force, a sum over as many nodes as L has", single.Rounding(Force), 10 * half / velocity / velocity / math.Sqrt(single.Resolution)},
		{"of a velocity, f64", double.Rounding(Velocity), 10 * 0x1p-53 / velocity},
		{"of a length: no difference of populations", single.Rounding(Length), 0},
		{"of a velocity in a case that is not known", Units{}.Rounding(Velocity), 0},
		{"6e-19 U", double.Told(Velocity, 1, 6e-19), 0},
		{"1e-12 U in f64", double.Told(Velocity, 1, 1e-12), 1e-12},
		{"-1.4e-6 U in f32", single.Told(Velocity, 1, -1.4e-6), 0},
		{"-1.4e-6 U in f64", double.Told(Velocity, 1, -1.4e-6), -1.4e-6},
		{"the force of a small coefficient, of half the unit", single.Told(Force, 0.5, 8.3e-6), 0},
		{"the force on a sphere of 0.05 L", large.Told(Force, 1, 0.98e-3), 0.98e-3},
		{"the force per mass that holds a laminar flow", large.Told(Acceleration, 1, 3e-4), 3e-4},
	} {
		if math.Abs(of.got-of.want) > 1e-15*math.Abs(of.want) {
			t.Errorf("%s: %g, want %g", of.what, of.got, of.want)
		}
	}
	if got := UnitsOf(map[string]float64{"resolution": 40, "velocity": velocity, "viscosity": 0.01}, 2, "f32").Rounding(Velocity); got != single.Rounding(Velocity) {
		t.Errorf("by what a run records %g, by the case %g", got, single.Rounding(Velocity))
	}
}
