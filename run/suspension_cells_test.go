package run

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/io/table"
	"lbmib/run/check"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// Red cells of nine nodes in a tube 18 nodes wide.
const bloodCase = `
[reference]
resolution = 18
velocity   = 0.02
reynolds   = 2.16
length     = "18 um"
speed      = "1 mm/s"
[domain]
lattice = "D3Q19"
size    = [0.83333333, 1.111111111, 1.111111111]
force   = [14.8, 0, 0]
[domain.boundary]
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
front  = { type = "no-slip" }
back   = { type = "no-slip" }
[fluid]
collision = "trt"
[ib]
delta = "peskin4"
[[solid]]
shape = { type = "cylinder", center = [0.416666666, 0.5555555555, 0.5555555555], diameter = 1.0, length = 1.0, direction = [1, 0, 0] }
fluid = "inside"
[[suspension]]
model = "elastic"
hematocrit = 0.12
seed  = 3
shape = { type = "rbc", diameter = 0.5 }
material = { law = "skalak", capillary = 0.1, area = 3.0, bending = 1e-4, mesh = 162, volume_penalty = 100 }
[run]
time = 0.2
[output]
cells      = { every = 0.1 }
suspension = { every = 0.02, profile = "radial" }
checkpoint = { every = 0.1 }
plots = false
`

// TestBloodGoesOnWhereItWasInterrupted with the same bytes, on another number of threads, and its tables agree with each other.
func TestBloodGoesOnWhereItWasInterrupted(t *testing.T) {
	whole, half := t.TempDir(), t.TempDir()
	s, err := Run(t.Context(), setuptest.Load(t, bloodCase, "run.threads=1"), Options{Out: whole})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), setuptest.Load(t, bloodCase, "run.time=0.1", "run.threads=2"), Options{Out: half}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), setuptest.Load(t, bloodCase, "run.threads=2"), Options{Out: half, Resume: true}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"suspension.csv", "suspension_profile.csv", "cells.csv"} {
		one, err := os.ReadFile(filepath.Join(whole, name))
		two, e := os.ReadFile(filepath.Join(half, name))
		if err != nil || e != nil || !bytes.Equal(one, two) {
			t.Errorf("%s of a run that was interrupted differs (%v, %v)", name, err, e)
		}
	}
	rows, err := table.Read(filepath.Join(whole, "suspension.csv"))
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) float64 {
		v, err := rows.Float(name, nil)
		if err != nil || len(v) != 10 {
			t.Fatalf("%s: %d values, %v", name, len(v), err)
		}
		return v[len(v)-1]
	}
	if h, d := of("hematocrit"), of("discharge_hematocrit"); math.Abs(h-0.12) > 0.02 || math.Abs(h/d/of("fahraeus_ratio")-1) > 1e-12 || !(d > h) {
		t.Errorf("haematocrit %g, of what flows %g", h, d)
	}
	if v := of("relative_viscosity"); !(v > 1) || !(of("flow_rate") > 0) { // the flow begins
		t.Errorf("viscosity %g", v)
	}
	if layer := of("cell_free_layer"); !(layer > 1./18 && layer < 0.35) {
		t.Errorf("layer free of cells %g", layer)
	}
	if of("volume_drift_max") > 0.01 || of("area_drift_max") > 0.05 || !(of("gap_min") > 0) {
		t.Errorf("volumes by %g, areas by %g, gap %g", of("volume_drift_max"), of("area_drift_max"), of("gap_min"))
	}
	if s.Suspension == nil || s.Suspension.Cells != int(of("cells")) || !strings.Contains(s.String(), "blood in glass tubes has") {
		t.Errorf("summary %+v\n%s", s.Suspension, s)
	}
	profile, err := table.Read(filepath.Join(whole, "suspension_profile.csv"))
	if err != nil {
		t.Fatal(err)
	}
	filled, err := profile.Float("hematocrit", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range filled {
		if !(h >= 0 && h <= 1) {
			t.Errorf("a layer is filled by %g", h)
		}
	}
}

// TestBloodIsChecked: what cannot be is refused, with its place and the remedy; and what is there is told.
func TestBloodIsChecked(t *testing.T) {
	if testing.Short() {
		t.Skip("has no goroutines, which the race detector looks at")
	}
	path := setuptest.InEmptyDirectory(t, bloodCase)
	for says, set := range map[string]string{
		"of the fluid's volume in the region, 0.12 asked":    "suspension.0.region={min=[0,0,0],max=[0.83333333,1.111111111,0.9]}",
		"Suspension of cell":                                 "run.seed=0",
		"below 6, one and a half times a delta's support:":   `ib.correction="none"`,
		"must be more than 0 and at most 0.6":                "suspension.0.hematocrit=0.9",
		"must be one haematocrit":                            "suspension.0.discharge_hematocrit=0.2",
		"cannot be packed without overlap":                   "suspension.0.hematocrit=0.58",
		"there must be 1 to":                                 "suspension.0.hematocrit=0.001",
		"has no effect in a suspension, whose cells":         "suspension.0.shape.center=[0,0,0]",
		`"cylinder" is not a shape of suspended cells`:       `suspension.0.shape.type="cylinder"`,
		`has no effect with model = "elastic"`:               "suspension.0.strength=1",
		"suspension.0.material: the membrane of body":        "suspension.0.material.area=100",
		"are forces on single bodies":                        "suspension.0.material.loads=[]",
		"is open, where cells would leave":                   `domain.boundary.top={type="pressure", density=1}`,
		"beside [[body]]":                                    `body=[{name="s", shape={type="sphere", center=[0.4,0.5,0.5], diameter=0.2}}]`,
		`is "radial", which needs a round tube`:              "domain.force=[0, 0, 0]",
		"use ib.delta = \"peskin4\"":                         `ib.delta="roma3"`,
		"has all nodes of the lattice inside":                "solid.0.shape.diameter=9.0",
		"unknown key; did you mean suspension.0.hematocrit?": "suspension.0.hematocrite=0.1",
		"must be greater than 0":                             "suspension.0.material.viscosity_ratio=0.0",
	} {
		var page bytes.Buffer
		r := check.Check(path, []string{set}, setup.Kernel{})
		r.Write(&page, nil)
		if all := page.String() + strings.Join(r.Errors, "\n"); !strings.Contains(strings.Join(strings.Fields(all), " "), says) {
			t.Errorf("%s: %q is not in\n%s", set, says, all)
		}
	}
}

// How far the packing of cells has come is told now and then, until they are whole and far enough apart; nothing where a run is quiet.
func TestPackingIsToldWhileItLasts(t *testing.T) {
	var said bytes.Buffer
	if _, err := setup.New(setuptest.Load(t, bloodCase), setup.TellPacking(packingLines(&said, false, 0))); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	cells, _, _ := strings.Cut(strings.TrimPrefix(lines[0], "packing "), " ")
	if last := "packing " + cells + " cells: whole, and moved apart to the last vertex"; lines[0] != "packing "+cells+" cells: grown to 35 % of their size" || lines[len(lines)-1] != last {
		t.Errorf("of %d lines the first is %q, the last %q", len(lines), lines[0], lines[len(lines)-1])
	}
	if packingLines(&said, true, 0) != nil {
		t.Error("a quiet run would tell of packing")
	}
}
