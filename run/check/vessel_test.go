package check

import (
	"bytes"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/run/setup/setuptest"
)

// A vessel that is too narrow for its grid is told by a run, too: its thickness, and the grid Reynolds number at the inlet.
func TestARunTellsWhatIsUnsafeInAVessel(t *testing.T) {
	r := look("../../cases/stenosis.toml", []string{"reference.resolution=10", "output.directory=" + t.TempDir()})
	if r.Vessel == nil || r.Vessel.Thinnest.Verdict != Unsafe || r.Vessel.Ports[0].GridReynolds.Verdict != Unsafe {
		t.Fatalf("the vessel is judged %+v, errors %v", r.Vessel, r.Errors)
	}
	toldByARun(t, "stenosis at 10 nodes", r)
	text := ""
	for _, m := range RemarksOn(r.problem, nil) {
		text += m.String() + "\n"
	}
	for _, want := range []string{"unsafe: thickness of the vessel, 3.19 nodes where thinnest, is fewer than 4", `unsafe: grid Reynolds number at port "inlet", 20, is above 17.2`} {
		if !strings.Contains(text, want) {
			t.Errorf("a run does not tell %q but\n%s", want, text)
		}
	}
}

// A check of the vessel beside the cases tells its fluid, its width and its ports.
func TestVesselsAreTold(t *testing.T) {
	surface, err := filepath.Abs("../../cases/stenosis.stl")
	if err != nil {
		t.Fatal(err)
	}
	text := `
[reference]
resolution = 24
velocity = 0.02
reynolds = 100
[domain]
lattice = "D3Q19"
vessel = { file = "` + surface + `" }
[[port]]
name = "inlet"
plane = { point = [0, 0, 0], normal = [1, 0, 0] }
type = "velocity"
speed = 1
[[port]]
name = "narrowed"
plane = { point = [6.77661, 2.29431, 0], normal = [-0.819152, -0.573576, 0] }
type = "pressure"
[[port]]
name = "open"
plane = { point = [6.77661, -2.29431, 0], normal = [-0.819152, 0.573576, 0] }
type = "pressure"
[run]
time = 5
`
	r := look(setuptest.InEmptyDirectory(t, text), []string{`fluid.collision="trt"`})
	v := r.Vessel
	if v == nil || len(r.Errors) > 0 {
		t.Fatalf("vessel %v, errors %v", v, r.Errors)
	}
	near := func(what string, got, want, share float64) {
		t.Helper()
		if !(math.Abs(got/want-1) <= share) {
			t.Errorf("%s is %v, want %v to %g of it", what, got, want, share)
		}
	}
	near("fluid", float64(v.Nodes), v.Volume*24*24*24, 0.01)
	near("narrowest", float64(v.Thinnest.Value), 0.339*24, 0.08)
	near("widest", float64(v.Thickest), 24, 0.02)
	near("area of the inlet", v.Ports[0].Area, math.Pi/4, 0.01)
	near("flow rate", float64(v.Ports[0].FlowRate), v.Ports[0].Area, 1e-12)
	near("Reynolds number", float64(v.Ports[0].Reynolds), 100, 0.01)
	near("Mach number", float64(v.Ports[0].Mach.Value), 2*0.02*math.Sqrt(3), 0.01)
	near("grid Reynolds number", float64(v.Ports[0].GridReynolds.Value), 2*100./24, 0.01)
	if v.Ports[0].GridReynolds.Verdict != Caution { // above 8
		t.Errorf("grid Reynolds number: %+v", *v.Ports[0].GridReynolds)
	}
	if v.Pockets != 0 || v.Cracks != 0 || v.Thin > 20 || v.Guessed > 18*v.Thin || v.Cut == 0 || len(v.Ports) != 3 {
		t.Errorf("%+v", v)
	}
	var page bytes.Buffer
	r.Write(&page, nil)
	for _, says := range []string{"Vessel\n", "% of the box", "port inlet", "into the vessel: (1, 0, 0)", "cut links"} {
		if !strings.Contains(page.String(), says) {
			t.Errorf("the page does not say %q:\n%s", says, page.String())
		}
	}
}
