package casefile

import (
	"strings"
	"testing"
)

// withSheet is a rectangle that is a sheet.
func withSheet(motion string) string {
	return edit(edit(withMembrane("shear = 1"), `type = "rbc", center = [4, 4, 4], diameter = 2`, `type = "rectangle", center = [4, 4, 4], length = 2, width = 1`),
		`type = "elastic", shear = 1`, `type = "elastic", `+motion)
}

func TestSheets(t *testing.T) {
	c := mustParse(t, withSheet(`law = "plate", mass = 1, stretching = 1000, shear = 10, bending = 1e-4, poisson = 0.4, stretching_damping = 0.1, hold = { left = "hinged", top = "clamped" }`))
	want := Plate{1, 1000, 10, 1e-4, 0.4, 0.1, [4]string{"hinged", "free", "free", "clamped"}}
	if b := c.Bodies[0]; len(c.Bodies) != 1 || *b.Motion.Plate != want || b.Fluid != "both" || b.Shape.Number("length") != 2 || b.Shape.Number("width") != 1 {
		t.Errorf("%+v of %+v", *b.Motion.Plate, b)
	}
	c = mustParse(t, withSheet(`stretching = 26, bending = 0`))
	if got := *c.Bodies[0].Motion.Plate; got != (Plate{Stretching: 26, Shear: 10, Poisson: 0.3, Hold: [4]string{"free", "free", "free", "free"}}) {
		t.Errorf("by default %+v", got)
	}
	if c.Output.Every("sheets") != c.Output.Every("forces") {
		t.Error("sheets.csv is not as often as forces.csv")
	}
}

func TestBadSheetsAreRefused(t *testing.T) {
	for keys, says := range map[string]string{
		`bending = 1`:                                              `body.0.motion.stretching: is missing: give E h`,
		`stretching = 1`:                                           `body.0.motion.bending: is missing: give D`,
		`stretching = 0, bending = 1`:                              `must be greater than 0`,
		`stretching = 1, bending = -1`:                             `must not be negative`,
		`stretching = 1, bending = 1, mass = -1`:                   `must not be negative`,
		`stretching = 1, bending = 1, poisson = 1`:                 `must be between -1 and 1`,
		`stretching = 1, bending = 1, law = "beam"`:                `is "beam", but the shape is a rectangle`,
		`stretching = 1, bending = 1, thickness = 0.1`:             `body.0.motion.thickness: has no effect on a sheet`,
		`stretching = 1, bending = 1, mesh = 42`:                   `body.0.motion.mesh: has no effect on a sheet`,
		`stretching = 1, bending = 1, hold = { left = "glued" }`:   `"glued" is not a way to hold an edge: it must be one of free, hinged, clamped`,
		`stretching = 1, bending = 1, hold = { start = "hinged" }`: `body.0.motion.hold.start`,
		`stretching = 1, bending = "1 kg"`:                         `body.0.motion.bending`,
	} {
		if _, err := Parse("case.toml", []byte(withSheet(keys)), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q is not in %v", keys, says, err)
		}
	}
	if _, err := Parse("case.toml", []byte(cylinder), []string{"output.sheets.every=1"}); err == nil || !strings.Contains(err.Error(), "has no effect without a sheet") {
		t.Errorf("sheets of a case without any: %v", err)
	}
	for says, text := range map[string]string{
		`is "plate", that of sheets, but the shape is "sphere"`: edit(withSheet(`law = "plate", stretching = 1, bending = 1`), `type = "rectangle", center = [4, 4, 4], length = 2, width = 1`, `type = "sphere", center = [4, 4, 4], diameter = 2`),
		`width: -1 must be greater than 0`:                      edit(withSheet(`stretching = 1, bending = 1`), `length = 2, width = 1`, `length = 2, width = -1`),
	} {
		if _, err := Parse("case.toml", []byte(text), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
	// A rigid one is a thin plate.
	if c := mustParse(t, edit(withSheet(`stretching = 1, bending = 1`), `type = "elastic", stretching = 1, bending = 1`, `type = "fixed"`)); c.Bodies[0].Fluid != "both" {
		t.Errorf("a rigid rectangle has its fluid %s", c.Bodies[0].Fluid)
	}
}
