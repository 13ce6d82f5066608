package casefile

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// ρU²L² is 1.6e-14 N: see TestMembranesHaveUnits.
func TestLoadsAreReadAsWritten(t *testing.T) {
	c := mustParse(t, withMembrane(`shear = 1, loads = [ { at = "x-max", part = 0.05, force = ["100 pN", 0, "-8e-3 pN"], ramp = "8 ms" }, { at = "z-min", part = 1, force = [0, 0, 2] } ]`))
	got := c.Cells[0].Motion.Loads
	for a, want := range [3]float64{6250, 0, -0.5} {
		if math.Abs(got[0].Force[a]-want) > 1e-9 {
			t.Fatalf("the first force is %v", got[0].Force)
		}
		got[0].Force[a] = want
	}
	if want := []EndLoad{{At: "x-max", Part: 0.05, Force: [3]float64{6250, 0, -0.5}, Ramp: 2}, {At: "z-min", Part: 1, Force: [3]float64{0, 0, 2}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if axis, upper := got[0].Axis(); axis != 0 || !upper {
		t.Errorf("%s is an end along axis %d, its upper one: %t", got[0].At, axis, upper)
	}
	if axis, upper := got[1].Axis(); axis != 2 || upper {
		t.Errorf("%s is an end along axis %d, its upper one: %t", got[1].At, axis, upper)
	}
	body := c.Resolved()["body"].([]any)[0].(map[string]any)
	if s := fmt.Sprint(body["motion"].(map[string]any)["loads"]); !strings.Contains(s, "x-max") || !strings.Contains(s, "ramp:2") {
		t.Errorf("the resolved case has the loads %s", s)
	}
	body = mustParse(t, withMembrane("shear = 1")).Resolved()["body"].([]any)[0].(map[string]any)
	if _, has := body["motion"].(map[string]any)["loads"]; has {
		t.Error("a resolved case without loads has some, and another hash than before")
	}
}

func TestBadLoadsAreRefused(t *testing.T) {
	for load, says := range map[string]string{
		`at = "top", part = 0.1, force = [1, 0, 0]`:                `body.0.motion.loads.0.at: "top" is not an end of an elastic body: it must be one of x-min, x-max`,
		`part = 0.1, force = [1, 0, 0]`:                            `loads.0.at: is missing: it must be one of x-min`,
		`at = "x-max", force = [1, 0, 0]`:                          `loads.0.part: is missing: give the part of the vertices`,
		`at = "x-max", part = 0, force = [1, 0, 0]`:                `loads.0.part: 0 must be above 0 and at most 1: give the part`,
		`at = "x-max", part = 5, force = [1, 0, 0]`:                `5 must be above 0 and at most 1`,
		`at = "x-max", part = 0.1`:                                 `loads.0.force: is missing: give the force on all of them together`,
		`at = "x-max", part = 0.1, force = [0, 0, 0]`:              `loads.0.force: is 0 along all axes: give a force, or remove the load`,
		`at = "x-max", part = 0.1, force = [1, 0]`:                 `loads.0.force: has 2 entries, must have 3 entries`,
		`at = "x-max", part = 0.1, force = ["1 Pa", 0, 0]`:         `"1 Pa" is a pressure, must be a force: write for instance "1 nN"`,
		`at = "x-max", part = 0.1, force = [1e31, 0, 0]`:           `1e+31 is out of bounds, must be within ±1e+30`,
		`at = "x-max", part = 0.1, force = [1, 0, 0], ramp = -1`:   `loads.0.ramp: -1 must not be negative`,
		`at = "x-max", part = 0.1, force = [1, 0, 0], vertex = 12`: `loads.0.vertex: unknown key`,
	} {
		if _, err := Parse("case.toml", []byte(withMembrane("shear = 1, loads = [ { "+load+" } ]")), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q is not in %v", load, says, err)
		}
	}
	for keys, says := range map[string]string{
		`loads = { at = "x-max" }`: `body.0.motion.loads: must be an array of tables`,
		`loads = [` + strings.Repeat(`{ at = "x-max", part = 1, force = [1, 0, 0] }, `, 65) + `]`: `body.0.motion.loads: are 65, must be at most 64 on a body`,
	} {
		if _, err := Parse("case.toml", []byte(withMembrane("shear = 1, "+keys)), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q is not in %v", keys, says, err)
		}
	}
	flat := strings.NewReplacer("D3Q19", "D2Q9", "[8, 8, 8]", "[8, 8]", `type = "rbc", center = [4, 4, 4], diameter = 2, angle = 30, axis = [1, 0, 0]`, `type = "circle", center = [4, 4], diameter = 2`)
	if _, err := Parse("case.toml", []byte(flat.Replace(withMembrane(`shear = 1, loads = [ { at = "z-max", part = 1, force = [1, 0] } ]`))), nil); err == nil || !strings.Contains(err.Error(), `"z-max" does not exist with D2Q9: use an end along x or y`) {
		t.Errorf("an end along z in the plane: %v", err)
	}
	c := mustParse(t, flat.Replace(withMembrane(`shear = 1, loads = [ { at = "y-min", part = 1, force = ["1 nN", 0] } ]`)))
	if got := c.Cells[0].Motion.Loads[0].Force[0]; math.Abs(got/62500-1) > 1e-12 { // on a strip one L deep
		t.Errorf("1 nN on a ring is %g ρU²L, want 62500", got)
	}
}
