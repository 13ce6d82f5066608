package casefile

import (
	"strings"
	"testing"
)

// withFlag is a cylinder and a line that bends.
func withFlag(keys string) string {
	return withBody(`shape = { type = "line", points = [[11, 7.5], [14, 7.5]] }
motion = { type = "elastic", ` + keys + ` }

[[body]]
name = "post"
shape = { type = "circle", center = [10.5, 7.5], diameter = 1 }

[[body]]
name = "ball"
shape = { type = "circle", center = [18, 12], diameter = 1 }
motion = { type = "free", density = 2 }
`)
}

func TestLinesThatBend(t *testing.T) {
	c := mustParse(t, withFlag(`law = "beam", mass = 0.5, bending = 0.02, stretching = 3, thickness = 0.3, bending_damping = 0.1, rest = "drawn",
	hold = { start = { type = "clamped", body = "post" }, end = "hinged" }`))
	if len(c.Cells) != 0 || len(c.Bodies) != 3 {
		t.Fatalf("%d cells, %d bodies", len(c.Cells), len(c.Bodies))
	}
	want := Beam{Mass: 0.5, Bending: 0.02, Stretching: 3, Thickness: 0.3, BendingDamping: 0.1, Rest: "drawn", Hold: [2]BeamEnd{{"clamped", "post"}, {Type: "hinged"}}}
	if b := c.Bodies[0]; *b.Motion.Beam != want || b.Fluid != "both" || b.Motion.Type != "elastic" {
		t.Errorf("%+v of %+v", *b.Motion.Beam, b)
	}
	c = mustParse(t, withFlag(`bending = 1, hold = { start = { type = "hinged", body = "ball" }, end = { type = "clamped", body = "post" } }`))
	if got := c.Bodies[0].Motion.Beam.Hold; got != [2]BeamEnd{{"hinged", "ball"}, {"clamped", "post"}} { // a body that moves freely, and one that does not
		t.Errorf("held by %+v", got)
	}
	c = mustParse(t, withFlag(`bending = 0`))
	if got := *c.Bodies[0].Motion.Beam; got != (Beam{Rest: "straight", Hold: [2]BeamEnd{{Type: "free"}, {Type: "free"}}}) {
		t.Errorf("by default %+v", got)
	}
	if c.Output.Every("filaments") != c.Output.Every("forces") {
		t.Error("filaments.csv is not as often as forces.csv")
	}
}

func TestBadLinesAreRefused(t *testing.T) {
	for keys, says := range map[string]string{
		`mass = 1`:                                                               `body.0.motion.bending: is missing: give E I`,
		`bending = -1`:                                                           `body.0.motion.bending: -1 must not be negative`,
		`bending = 1, mass = -1`:                                                 `must not be negative`,
		`bending = 1, stretching = 0`:                                            `remove it for a line that keeps its length`,
		`bending = 1, law = "hooke"`:                                             `is "hooke", a law of surfaces, but the shape is a line: use "beam"`,
		`bending = 1, shear = 1`:                                                 `body.0.motion.shear: has no effect on a line: it belongs to surfaces`,
		`bending = 1, mass = 0.2, thickness = 0.3`:                               `0.2 is less than that of the fluid which a thickness of 0.3 displaces, must be at least 0.3`,
		`bending = 1, rest = "curly"`:                                            `must be one of straight, drawn`,
		`bending = 1, hold = { start = "glued" }`:                                `"glued" is not a way to hold an end: it must be one of free, hinged, clamped`,
		`bending = 1, hold = { begin = "free" }`:                                 `body.0.motion.hold.begin`,
		`bending = 1, hold = { end = { body = "post" } }`:                        `body.0.motion.hold.end.type: is missing`,
		`bending = 1, hold = { end = { type = "free", body = "post" } }`:         `holds nothing, the end is free`,
		`bending = 1, hold = { end = { type = "hinged", body = "pots" } }`:       `there is no body "pots" (did you mean "post"?)`,
		`bending = 1, hold = { start = { type = "hinged", body = "cylinder" } }`: `"cylinder" is elastic, must be fixed, prescribed or free: a line is held at a place of a body that does not bend; hold it by a rigid one`,
		`bending = 1, mesh = 642`:                                                `body.0.motion.mesh: has no effect on a line`,
	} {
		if _, err := Parse("case.toml", []byte(withFlag(keys)), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q is not in %v", keys, says, err)
		}
	}
	if _, err := Parse("case.toml", []byte(withMembrane("shear = 1, thickness = 1")), nil); err == nil || !strings.Contains(err.Error(), `has no effect on a surface: it belongs to lines`) {
		t.Errorf("thickness of a surface: %v", err)
	}
	if _, err := Parse("case.toml", []byte(withMembrane(`law = "beam"`)), nil); err == nil || !strings.Contains(err.Error(), `is "beam", that of lines`) {
		t.Errorf("law of a surface: %v", err)
	}
	if _, err := Parse("case.toml", []byte(cylinder), []string{"output.filaments.every=1"}); err == nil || !strings.Contains(err.Error(), "has no effect without a line whose motion is elastic") {
		t.Errorf("filaments of a case without any: %v", err)
	}
}

func TestLinesInSpace(t *testing.T) {
	inSpace := func(shape, motion string) string {
		return edit(edit(withMembrane("shear = 1"), `type = "rbc", center = [4, 4, 4], diameter = 2`, shape), `type = "elastic", shear = 1`, motion)
	}
	line := `type = "line", points = [[2, 4, 4], [4, 4, 5]]`
	c := mustParse(t, inSpace(line, `type = "elastic", bending = 0.1, mass = 0.2, hold = { start = "clamped" }`))
	if b := c.Bodies[0]; b.Motion.Beam == nil || b.Motion.Beam.Bending != 0.1 {
		t.Errorf("%+v", b)
	}
	for says, text := range map[string]string{
		"is a line in space, which has no surface for markers of a body that is fixed": inSpace(line, `type = "fixed"`),
		"which has no surface to be a part of":                                         inSpace(`type = "union", of = [ { `+line+` } ]`, `type = "fixed"`),
		"thickness: has no effect in three dimensions":                                 inSpace(line, `type = "elastic", bending = 0.1, thickness = 0.1`),
		"rest: is drawn, which is not available in three dimensions":                   inSpace(line, `type = "elastic", bending = 0.1, rest = "drawn"`),
	} {
		if _, err := Parse("case.toml", []byte(text), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
}
