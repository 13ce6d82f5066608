package casefile

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withProfile parses a case beside a file of a profile.
func withProfile(t *testing.T, text, csv string, sets ...string) (*Case, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.csv"), []byte(csv), 0o644); err != nil {
		t.Fatal(err)
	}
	return Parse(filepath.Join(dir, "case.toml"), []byte(text), sets)
}

// An inflow is as a table has it, linear between rows, whose order does not matter.
func TestAnInflowMayBeATable(t *testing.T) {
	const face = `domain.boundary.left={ type = "velocity", profile = { file = "in.csv", length = 0.5, speed = 2 } }`
	c, err := withProfile(t, cylinder, "y, speed\n30,0\n# the middle\n0,0\n10,0.3\n", face)
	if err != nil {
		t.Fatal(err)
	}
	f := c.Domain.Boundary[0]
	for y, want := range map[float64]float64{0: 0, 2.5: 0.3, 5: 0.6, 10: 0.3, 15: 0} {
		if u := f.Rows.At([3]float64{0, y, 0}); math.Abs(u[0]-want) > 1e-15 || u[1] != 0 {
			t.Errorf("at y = %v the velocity is %v, want %v", y, u, want)
		}
	}
	if math.Abs(f.Peak-0.6) > 0.6*0.0125/5 {
		t.Errorf("the peak is %v, want 0.6 within half a node", f.Peak)
	}
	if files := c.Files(); len(files) != 1 || files[0].Path != "in.csv" || len(files[0].SHA256) != 64 {
		t.Errorf("the case refers to %v", files)
	}
	other, err := withProfile(t, cylinder, "y, speed\n30,0\n0,0\n10,0.4\n", face)
	if err != nil || other.Hash() == c.Hash() {
		t.Errorf("another table gives the same case, or %v", err)
	}
	right, err := withProfile(t, cylinder, "y,u,v\n0,1,0.5\n15,1,-0.5\n", `domain.boundary.right={ type = "velocity", profile = { file = "in.csv" } }`)
	if err != nil {
		t.Fatal(err)
	}
	if f := right.Domain.Boundary[1]; f.Rows.At([3]float64{40, 7.5, 0}) != [3]float64{1, 0, 0} || !(f.Peak < 0) {
		t.Errorf("what leaves is %v with a peak of %v", f.Rows.At([3]float64{40, 7.5, 0}), f.Peak)
	}
}

// In space a table has the places of a grid, between which the velocity is bilinear.
func TestAnInflowTableOfSpaceIsAGrid(t *testing.T) {
	text := spatial(`{ type = "sphere", center = [3, 4, 5], diameter = 1 }`)
	const face = `domain.boundary={ left = { type = "velocity", profile = { file = "in.csv" } }, right = { type = "outflow" } }`
	c, err := withProfile(t, text, "z,y,speed\n0,0,0\n9,0,1\n9,9,0\n0,9,1\n", face)
	if err != nil {
		t.Fatal(err)
	}
	if u := c.Domain.Boundary[0].Rows.At([3]float64{0, 4.5, 2.25}); math.Abs(u[0]-0.5) > 1e-15 {
		t.Errorf("in the middle along y the velocity is %v, want 0.5", u)
	}
	if u := c.Domain.Boundary[0].Rows.At([3]float64{0, 2.25, 2.25}); math.Abs(u[0]-(0.75*0.25*2)) > 1e-15 {
		t.Errorf("between the corners the velocity is %v, want 3/8", u)
	}
	if _, err := withProfile(t, text, "y,speed\n0,0\n9,1\n", face); err != nil {
		t.Errorf("the same along z: %v", err)
	}
	for csv, want := range map[string]string{
		"y,z,speed\n0,0,1\n0,9,1\n9,0,1\n":             "has no row for y = 9 L, z = 9 L: every combination",
		"y,z,speed\n0,0,1\n0,9,1\n9,0,1\n9,9,1\n0,9,2": "in.csv:6: the place y = 0 L, z = 9 L stands in line 3, too",
		"x,z,speed\n": `in.csv:1: the column "x" is none of this face: name places y and z`,
	} {
		if _, err := withProfile(t, text, csv, face); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", csv, err, want)
		}
	}
}

// What is wrong with a table is told with its line.
func TestBadInflowTables(t *testing.T) {
	const face = `domain.boundary.left={ type = "velocity", profile = { file = "in.csv" } }`
	for csv, want := range map[string]string{
		"":                               "the first line must be a header such as y,speed",
		"y;speed\n0;1\n":                 `in.csv:1: the column "y;speed" is none of this face`,
		"y\n0\n15\n":                     "there must be a column speed, of velocities into the domain, or columns u, v of components, not both",
		"y,speed,u\n0,1,1\n":             "not both",
		"speed\n1\n":                     "there is no column of places: name one y",
		"y,y,speed\n":                    "the column y stands twice",
		"y,speed\n0,1\n15,fast\n":        `in.csv:3: "fast" must be a finite number`,
		"y,speed\n0,1\n15\n":             "in.csv:3: the row has 1 entries, must have 2",
		"y,speed\n0,1\n# x\n0,2\n15,1\n": "in.csv:4: the place y = 0 L stands in line 2, too",
		"y,speed\n0,1\n":                 "has 1 places along y, must have at least 2",
		"y,speed\n0,1\n14,1\n":           "has rows from 0 to 14 L along y, the face reaches from 0 to 15 L: add rows at its ends",
		"y,speed\n0,1\n15,8\n":           "Mach number",
		"y,speed\n0,1\n15,1e300\n":       "must be a finite number",
	} {
		_, err := withProfile(t, cylinder, csv, face)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "domain.boundary.left") {
			t.Errorf("%q: %v, want %q", csv, err, want)
		}
	}
	for set, want := range map[string]string{
		`domain.boundary.left={ type = "velocity", profile = { file = "no.csv" } }`:                 "there is no file",
		`domain.boundary.left={ type = "velocity", profile = {} }`:                                  "domain.boundary.left.profile.file: is missing: give a CSV file with the header y,speed",
		`domain.boundary.left={ type = "velocity", value = [1, 0], profile = { file = "in.csv" } }`: "has no effect beside a table for the profile",
		`domain.boundary.left={ type = "velocity", profile = { file = "in.csv", scale = 2 } }`:      "profile.scale: unknown key",
	} {
		if _, err := withProfile(t, cylinder, "y,speed\n0,1\n15,1\n", set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}
