package casefile

import (
	"strings"
	"testing"
)

func TestRefine(t *testing.T) {
	c := mustParse(t, cylinder+"\n[[refine]]\naround = \"cylinder\"\nmargin = [2, 6, 1.5, 1.5]\nlevel = 2\n[[refine]]\nbox = { min = [1, 2], max = [3, 4] }\n")
	want := []Refine{
		{Around: "cylinder", Margin: [3][2]float64{{2, 6}, {1.5, 1.5}}, Level: 2, Key: "refine.0"},
		{Min: [3]float64{1, 2}, Max: [3]float64{3, 4}, Level: 1, Key: "refine.1"},
	}
	if len(c.Refine) != 2 || c.Refine[0] != want[0] || c.Refine[1] != want[1] {
		t.Errorf("%+v", c.Refine)
	}
	if c := mustParse(t, cylinder+"\n[[refine]]\naround = \"cylinder\"\n"); c.Refine[0].Margin != [3][2]float64{{1, 1}, {1, 1}, {1, 1}} {
		t.Errorf("by default the margin is %v", c.Refine[0].Margin)
	}
}

// Levels are part of what a run is; without any a case is what it was before there were levels.
func TestRefineTakesPartInTheHash(t *testing.T) {
	plain, refined := mustParse(t, cylinder), mustParse(t, cylinder+"\n[[refine]]\naround = \"cylinder\"\n")
	if plain.Hash() == refined.Hash() {
		t.Error("a case has the hash of the same on one grid")
	}
	if m := plain.Resolved(); len(m["refine"].([]any)) != 0 {
		t.Errorf("a case without levels has %v", m["refine"])
	}
}

func TestBadRefinesAreRefused(t *testing.T) {
	for keys, says := range map[string]string{
		`level = 1`:                                   `refine.0.around: is missing`,
		`around = "rod"`:                              `refine.0.around: no body is called "rod"`,
		`around = "cylinder", level = 0`:              `refine.0.level`,
		`around = "cylinder", level = 9`:              `refine.0.level`,
		`around = "cylinder", margin = -1`:            `must not be negative`,
		`around = "cylinder", margin = [1, 2]`:        `refine.0.margin: has 2 entries, must have 4`,
		`around = "cylinder", margin = "far"`:         `refine.0.margin`,
		`around = "cylinder", box = { min = [1, 1] }`: `refine.0.box: given beside around`,
		`box = { min = [1, 1] }`:                      `refine.0.box.max: is missing`,
		`box = { min = [1, 1], max = [1, 2] }`:        `must exceed min`,
		`box = { min = [-1, 1], max = [2, 2] }`:       `refine.0.box.min`,
		`around = "cylinder", boxes = 1`:              `refine.0.boxes`,
		`box = { min = [1, 1, 1], max = [2, 2, 2] }`:  `must have 2 entries`,
	} {
		text := "refine = [{ " + keys + " }]\n" + cylinder
		if _, err := Parse("case.toml", []byte(text), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q is not in %v", keys, says, err)
		}
	}
}
