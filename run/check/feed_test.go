package check

import (
	"bytes"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/run/setup/setuptest"
)

// Cells that enter a vessel are counted: those of the start, those that wait, and how many enter in a time unit.
func TestCellsThatEnterAreTold(t *testing.T) {
	surface, err := filepath.Abs("../../cases/stenosis.stl")
	if err != nil {
		t.Fatal(err)
	}
	text := `
[reference]
resolution = 24
velocity = 0.01
reynolds = 10
[domain]
lattice = "D3Q19"
vessel = { file = "` + surface + `" }
initial = { type = "rest" }
[[port]]
name = "inlet"
plane = { point = [0.05, 0, 0], normal = [1, 0, 0] }
type = "velocity"
speed = 1
[[port]]
name = "narrowed"
plane = { point = [6.7356, 2.2656, 0], normal = [-0.819152, -0.573576, 0] }
type = "pressure"
[[port]]
name = "open"
plane = { point = [6.7356, -2.2656, 0], normal = [-0.819152, 0.573576, 0] }
type = "pressure"
[fluid]
collision = "trt"
[ib]
delta = "peskin4"
[[suspension]]
model = "elastic"
hematocrit = 0.02
feed = 0.3
shape = { type = "sphere", diameter = 0.25 }
material = { law = "neo-hookean", capillary = 0.1, mesh = 162 }
[run]
time = 5
`
	r := look(setuptest.InEmptyDirectory(t, text), nil)
	if len(r.Errors) > 0 || len(r.Suspended) != 1 || r.Suspended[0].Feed == nil {
		t.Fatalf("errors %v, suspensions %+v", r.Errors, r.Suspended)
	}
	s := &r.Suspended[0]
	volume := math.Pi / 6 * 0.25 * 0.25 * 0.25
	if want := 0.02 * float64(r.Vessel.Nodes) / (24 * 24 * 24) / volume; math.Abs(float64(s.Count)-want) > 0.05*want+1 {
		t.Errorf("%d cells, want about %.3g", s.Count, want)
	}
	if all, want := float64(s.Count+s.Waiting), 1.1*0.3*float64(r.Vessel.Nodes)/(24*24*24)/volume; math.Abs(all-want) > 0.05*want+3 {
		t.Errorf("%v cells with those that wait, want about %.3g", all, want)
	}
	if want := 0.3 * r.Vessel.Ports[0].Area / volume; math.Abs(float64(s.Rate)/want-1) > 0.05 {
		t.Errorf("%v cells enter in L/U, want %.4g", s.Rate, want)
	}
	if s.Feed.Verdict != Caution {
		t.Errorf("a share of 0.3 is judged %s, want caution", s.Feed.Verdict)
	}
	var page bytes.Buffer
	r.Write(&page, nil)
	if !strings.Contains(page.String(), "of what flows in") {
		t.Errorf("the page does not tell it:\n%s", page.String())
	}
}

// A check leaves the packing of many cells after a while, says so, and refuses nothing because of where they are then.
func TestAPackingThatTakesLongIsLeft(t *testing.T) {
	text := `
[reference]
resolution = 16
velocity = 0.02
reynolds = 1
[domain]
lattice = "D3Q19"
size = [LENGTH, 2.0, 2.0]
boundary = { bottom = { type = "no-slip" }, top = { type = "no-slip" }, front = { type = "periodic" }, back = { type = "periodic" }, left = { type = "periodic" }, right = { type = "periodic" } }
initial = { type = "rest" }
[fluid]
collision = "trt"
[ib]
delta = "peskin4"
[[suspension]]
model = "elastic"
hematocrit = 0.3
shape = { type = "sphere", diameter = 0.5 }
material = { law = "neo-hookean", capillary = 0.1, mesh = 162 }
[run]
time = 1
`
	for length, left := range map[string]bool{"2.0": false, "60.0": true} {
		r := look(setuptest.InEmptyDirectory(t, strings.Replace(text, "LENGTH", length, 1)), nil)
		if len(r.Errors) > 0 || len(r.Suspended) != 1 {
			t.Fatalf("length %s: errors %v, suspensions %+v", length, r.Errors, r.Suspended)
		}
		var out bytes.Buffer
		r.Write(&out, nil)
		grown := float64(r.Suspended[0].Grown)
		if left != (grown > 0) || grown >= 1 || left != strings.Contains(out.String(), "a run packs them before its first step") {
			t.Errorf("length %s: %d cells grown to %g of their size\n%s", length, r.Suspended[0].Count, grown, &out)
		}
	}
}
