package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/run/setup/setuptest"
)

// stillCase is a disc in fluid at rest: all that is measured is rounding.
const stillCase = `
[reference]
resolution = 10
velocity = 0.05
reynolds = 20
length  = "1 mm"
speed   = "1 mm/s"
density = "1000 kg/m^3"
[domain]
lattice = "D2Q9"
size = [4.0, 3.0]
force = [1e-7, 0.0]
[domain.boundary]
left = { type = "periodic" }
right = { type = "periodic" }
bottom = { type = "no-slip" }
top = { type = "no-slip" }
[fluid]
precision = "f32"
[[body]]
name = "disc"
shape = { type = "circle", center = [2.0, 1.5], diameter = 1.0 }
[run]
time = 1.0
[output]
forces = { every = 0.02 }
probes = [ { name = "beside", at = [0.5, 1.0], every = 0.1 } ]
sections = [ { name = "across", axis = "x", at = 1.0, every = 0.1 } ]
plots = false
`

// What is nothing but rounding is told as 0, in reference units and in SI; summary.json keeps the number as it is.
func TestRoundingIsToldAsZero(t *testing.T) {
	dir := t.TempDir()
	s, err := Run(t.Context(), setuptest.Load(t, stillCase), Options{Out: dir, Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(s.String()), " ")
	for _, want := range []string{"mean force (0, 0) N/m", "density constant but for rounding", "mean velocity (0.000, 0.000) U, pressure 0 ρU² = (0, 0) m/s, 0 Pa", "flow rate 0 UL,", "slip 0 U"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	written, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var of struct {
		Sections map[string]struct {
			FlowRate float64 `json:"flow_rate_mean"`
		} `json:"sections"`
	}
	if err := json.Unmarshal(written, &of); err != nil || of.Sections["across"].FlowRate == 0 {
		t.Errorf("summary.json has lost the flow rate: %+v, %v", of, err)
	}
}
