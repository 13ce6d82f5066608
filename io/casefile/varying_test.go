package casefile

import (
	"math"
	"strings"
	"testing"
)

func TestForcesMayVaryWithTime(t *testing.T) {
	c := mustParse(t, cylinder, `domain.force=["0.1*sin(2*pi*t)", "2*pi"]`)
	f := c.Domain.Force
	if f[0].Constant() || math.Abs(f[0].At(0.25)-0.1) > 1e-15 || f[0].At(0) != 0 {
		t.Errorf("force along x %v at 1/4, %v at 0", f[0].At(0.25), f[0].At(0))
	}
	if !f[1].Constant() || f[1].Value != 2*math.Pi || f[2] != (Varying{}) {
		t.Errorf("forces %+v", f[1:])
	}
	anchored := edit(cylinder, `# length = "1 cm"`, "length = \"1 cm\"\nspeed = \"10 cm/s\"")
	c = mustParse(t, anchored, `domain.force=["2 m/s^2", "t/150"]`)
	if got := c.Domain.Force[0]; !got.Constant() || math.Abs(got.Value-2) > 1e-14 { // U²/L = 1 m/s²
		t.Errorf("a force with a unit is %+v, want 2 U²/L", got)
	}
}

func TestAVaryingNumberThatFailsIsNotANumber(t *testing.T) {
	v := mustParse(t, cylinder, `domain.force=["sqrt(t)", 0]`).Domain.Force[0]
	if v.At(4) != 2 || !math.IsNaN(v.At(-1)) {
		t.Errorf("√t is %v at 4 and %v at −1", v.At(4), v.At(-1))
	}
}

func TestFacesMultiplyStartOscillationFactorAndTable(t *testing.T) {
	face := func(keys string) *Face {
		t.Helper()
		path := inFolder(t, map[string]string{"inflow.csv": "\ufeff# measured\nt, factor\n1, 0.5\n2, 1.5\n4, 0.5\n"})
		c, err := Parse(path, []byte(edit(cylinder, `value = [1.0, 0.0] }`, `value = [1.0, 0.0], `+keys+` }`)), nil)
		if err != nil {
			t.Fatalf("%s: %v", keys, err)
		}
		return &c.Domain.Boundary[0]
	}
	for _, c := range []struct {
		keys    string
		t, want float64
	}{
		{"factor = 1", 7, 1},
		{"factor = 1.25", 7, 1.25},
		{`factor = "1 + 0.2*sin(2*pi*t)"`, 0.25, 1.2},
		{"ramp = 2", 1, 0.5}, {"ramp = 2", 3, 1}, {"ramp = 2, factor = 1.2", 1, 0.6},
		{"period = 4", 1, 1}, {"period = 4, phase = 1.5707963267948966, ramp = 2", 0, 0},
		{`table = "inflow.csv"`, 0, 0.5}, {`table = "inflow.csv"`, 1, 0.5}, {`table = "inflow.csv"`, 1.25, 0.75}, {`table = "inflow.csv"`, 2, 1.5},
		{`table = "inflow.csv"`, 3, 1}, {`table = "inflow.csv"`, 9, 0.5}, {`table = "inflow.csv", ramp = 4`, 2, 0.75},
		{`table = "inflow.csv", repeat = true`, 5, 1.5}, {`table = "inflow.csv", repeat = true`, -1, 1.5}, {`table = "inflow.csv", repeat = true`, 31.25, 0.75},
	} {
		if got := face(c.keys).At(c.t); math.Abs(got-c.want) > 1e-14 { // a few roundings
			t.Errorf("%s: %v at t = %v, want %v", c.keys, got, c.t, c.want)
		}
	}
	if f := face("factor = 1"); f.At(1e9) != 1 {
		t.Errorf("a face that does not vary has the factor %v", f.At(1e9))
	}
}

func TestPressureFacesVaryToo(t *testing.T) {
	c := mustParse(t, cylinder, "domain.boundary.right={type='pressure', density=1.01, factor='0.5*(1 + cos(pi*t))'}")
	if got := c.Domain.Boundary[1].At(1); math.Abs(got) > 1e-15 {
		t.Errorf("factor %v at t = 1, want 0", got)
	}
}

func TestBadTablesAreRefusedWithFileAndLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "the first line must be the header t,factor: add it",
		"0,1\n1,2\n":                      "the first line must be the header t,factor: add it",
		"t,factor\n":                      "has 0 rows below its header, must have at least 2",
		"t,factor\n0,1\n":                 "has 1 rows below its header, must have at least 2",
		"t,factor\n0,1\n1,2,3\n":          "x.csv:3: the row has 3 entries, must have 2",
		"t,factor\n0,1\n1;2\n":            "x.csv:3: the row has 1 entries, must have 2",
		"t,factor\n0,1\n1,\"a\n":          "is no CSV",
		"t,factor\n0,1\n1,zwei\n":         `x.csv:3: "zwei" must be a finite number`,
		"t,factor\n0,1\n1,nan\n":          `x.csv:3: "nan" must be a finite number`,
		"t,factor\n0,1\n1,Inf\n":          `x.csv:3: "Inf" must be a finite number`,
		"t,factor\n0,1\n1,1\n1,2\n":       "x.csv:4: t = 1 must be greater than 1 in the row before: sort the rows",
		"t,factor\n# note\n\n0,1\n-1,1\n": "x.csv:5: t = -1 must be greater than 0",
		"t,factor\n0,1\n1,2\n":            "the factor is 1 in the first row and 2 in the last, must be the same with repeat = true",
		"t,factor\n0,1\n1,3\n2,1\n":       "prescribes 3 U, which has Mach number 0.52",
	} {
		path := inFolder(t, map[string]string{"x.csv": text})
		_, err := Parse(path, []byte(edit(cylinder, `value = [1.0, 0.0] }`, `value = [1.0, 0.0], table = "x.csv", repeat = true }`)), nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: %v\nwant one line with %q", text, err, want)
		}
	}
}

func TestTablesAreBounded(t *testing.T) {
	full := Table{T: make([]float64, maxRows), Factor: make([]float64, maxRows)}
	if err := full.append([]string{"1", "1"}); err == nil || !strings.Contains(err.Error(), "more than 1000000 rows") {
		t.Errorf("a row too many gives %v", err)
	}
	last := Table{T: full.T[:maxRows-1], Factor: full.Factor[:maxRows-1]}
	if err := last.append([]string{"1", "1"}); err != nil {
		t.Errorf("the last row that fits gives %v", err)
	}
}
