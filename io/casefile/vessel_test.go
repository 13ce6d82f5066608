package casefile

import (
	"math"
	"strings"
	"testing"
)

// tubeSTL is one facet, whose box is 4 × 2 × 1 units of the file.
const tubeSTL = `solid tube
facet normal 0 0 0
outer loop
vertex -2 0 0
vertex 2 0 0
vertex 0 2 1
endloop
endfacet
endsolid
`

// artery is a case with each type of port.
const artery = `
[reference]
resolution = 10
velocity = 0.05
reynolds = 50
length = "1 cm"
speed = "10 cm/s"
density = "1060 kg/m^3"

[domain]
lattice = "D3Q19"
vessel = { file = "tube.stl", scale = "5 mm" }

[[port]]
name = "in"
plane = { point = [-1, 0.5, 0.25], normal = [2, 0, 0] }
type = "velocity"
flow_rate = "5 ml/s"
profile = "poiseuille"
factor = "1 + 0.3*sin(2*pi*t)"

[[port]]
name = "branch"
plane = { point = [0, 0.5, 0], normal = [0, 0, 1] }
type = "windkessel"
resistance = "1 mmHg.s/ml"
capacitance = "0.1 ml/mmHg"

[[port]]
name = "out"
plane = { point = [1, 0.5, 0.25], normal = [-1, 0, 0] }
type = "pressure"
pressure = "80 mmHg"
ramp = 2

[run]
time = 5
`

func parseArtery(t *testing.T, text string) (*Case, error) {
	t.Helper()
	path := inFolder(t, map[string]string{"tube.stl": tubeSTL, "flow.csv": "t,flow_rate\n0,1\n0.5,3\n", "long.csv": "t,flow_rate\n0,1\n2,1\n", "open.csv": "t,flow_rate\n0,1\n1,2\n", "tube.obj": "x", "tube.nrrd": "x",
		"tube.nhdr": "NRRD0004\ndimension: 3\nsizes: 9 9 9\ntype: uint8\nencoding: raw\ndata file: elsewhere.raw\n"})
	return Parse(path, []byte(text), nil)
}

// Size and origin follow from the surface, with two nodes around; numbers with units are in reference units.
func TestVesselsAndPorts(t *testing.T) {
	c, err := parseArtery(t, artery)
	if err != nil {
		t.Fatal(err)
	}
	d := c.Domain
	if d.Nodes != [3]int{25, 15, 10} {
		t.Errorf("the domain has %v nodes, want the surface's 20 × 10 × 5 and 5 more", d.Nodes)
	}
	for a, lo := range [3]float64{-1, 0, 0} {
		if below := (lo-d.Origin[a])*10 - 0.5; !(below >= 2) || d.Vessel.Lo[a] != lo {
			t.Errorf("along %d the surface begins at %v, on node %v, want from 2 on", a, d.Vessel.Lo[a], below)
		}
	}
	mmHg := 133.322387415 / (1060 * 0.1 * 0.1)
	for _, q := range []struct {
		what      string
		got, want float64
	}{
		{"flow rate", c.Ports[0].FlowRate, 5e-6 / (0.1 * 1e-4)},
		{"normal", c.Ports[0].Normal[0], 1},
		{"resistance", c.Ports[1].Resistance, mmHg * 10},
		{"capacitance", c.Ports[1].Capacitance, 0.1 / mmHg},
		{"pressure", c.Ports[2].Pressure, 80 * mmHg},
		{"at the start", c.Ports[2].At(1), 0.5},
		{"factor", c.Ports[0].At(0.25), 1.3},
	} {
		if math.Abs(q.got-q.want) > 1e-12*math.Abs(q.want) {
			t.Errorf("%s: %v, want %v", q.what, q.got, q.want)
		}
	}
	if files := c.Files(); len(files) != 1 || files[0].Path != "tube.stl" {
		t.Errorf("files %v", files)
	}
	if ports, ok := c.Resolved()["port"].([]any); !ok || len(ports) != 3 {
		t.Errorf("the resolved case has the ports %v", c.Resolved()["port"])
	}
}

// A flow rate of a file comes again after its period.
func TestFlowOfAFile(t *testing.T) {
	c, err := parseArtery(t, strings.Replace(artery, "flow_rate = \"5 ml/s\"\nprofile = \"poiseuille\"\nfactor = \"1 + 0.3*sin(2*pi*t)\"",
		`flow = { file = "flow.csv", period = "0.1 s", time = "0.1 s", rate = 2 }`, 1))
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[float64]float64{0: 2, 0.25: 4, 0.5: 6, 0.75: 4, 1: 2, 3.5: 6} {
		if got := c.Ports[0].At(at); math.Abs(got-want) > 1e-9 {
			t.Errorf("at %v the flow rate is %v, want %v", at, got, want)
		}
	}
}

const fedCells = "[[suspension]]\nmodel = \"elastic\"\nhematocrit = 0.1\nshape = { type = \"sphere\", diameter = 0.2 }\nmaterial = { law = \"neo-hookean\", capillary = 0.1 }\n"

// TestCellsEnterAsTheyFillTheVesselAtFirst unless told otherwise.
func TestCellsEnterAsTheyFillTheVesselAtFirst(t *testing.T) {
	for _, given := range []struct {
		text string
		want float64
	}{{"", 0.1}, {"feed = 0.3\n", 0.3}, {"feed = 0\n", 0}} {
		c, err := parseArtery(t, edit(artery, "[run]", fedCells+given.text+"[run]"))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Suspensions[0].Feed; got != given.want {
			t.Errorf("%q: cells are %v of what flows in, want %v", given.text, got, given.want)
		}
	}
}

// TestCellsNeedAPortToEnter whose flow rate is given.
func TestCellsNeedAPortToEnter(t *testing.T) {
	_, err := Parse("blood.toml", []byte(twoKindsCase), []string{"suspension.0.feed=0.1"})
	if want := "suspension.0.feed=0.1: has no effect without [domain] vessel and [[port]], with whose fluid cells enter: remove it"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

func TestBadVesselsAndPorts(t *testing.T) {
	for _, bad := range []struct{ name, old, new, says string }{
		{"plane lattice", `"D3Q19"`, `"D2Q9"`, `domain.vessel: is a surface in space`},
		{"size", `lattice = `, "size = [1, 1, 1]\nlattice = ", `:11:1: domain.size: follows from the surface of domain.vessel`},
		{"boundary", `lattice = `, "boundary.left = { type = \"no-slip\" }\nlattice = ", `domain.boundary: has no effect with a vessel`},
		{"no file", `"tube.stl"`, `"none.stl"`, `domain.vessel.file: there is no file`},
		{"another format", `"tube.stl"`, `"tube.obj"`, `it must end in .stl, .nrrd or .nhdr`},
		{"threshold of a surface", `"tube.stl"`, `"tube.stl", threshold = 1`, `domain.vessel.threshold: has no effect on a surface`},
		{"image without a threshold", `"tube.stl"`, `"tube.nrrd"`, `domain.vessel.threshold: is missing`},
		{"image without its data", `"tube.stl"`, `"tube.nhdr", threshold = 1`, `elsewhere.raw`},
		{"image that is none", `"tube.stl"`, `"tube.nrrd", threshold = 1`, `it does not begin with NRRD000`},
		{"another unit", `"5 mm"`, `"5 km"`, `domain.vessel.scale: makes the surface 2e+07 nodes long`},
		{"no length", `"5 mm"`, `"5 mmHg"`, `domain.vessel.scale: "5 mmHg" is a pressure, must be a length`},
		{"ports of no vessel", `vessel = { file = "tube.stl", scale = "5 mm" }`, `size = [1, 1, 1]`, `port: needs a vessel`},
		{"nested grids", `[run]`, "[[refine]]\nbox = { min = [0, 0, 0], max = [1, 1, 1] }\n[run]", `refine: nested grids do not go with a vessel`},
		{"device", `time = 5`, "time = 5\nbackend = \"hybrid\"", `run.backend: "hybrid" does not go with a vessel`},
		{"a box", `[run]`, "[fluid]\nstorage = \"box\"\n[run]", `fluid.storage: is "box", which has no walls between nodes`},
		{"blocks", `[run]`, "[fluid]\nlayout = \"aos\"\n[run]", `fluid.layout: is "aos", beside domain.vessel`},
		{"two steps", `[run]`, "[fluid]\nsteps_per_sweep = 2\n[run]", `fluid.steps_per_sweep: two steps do not share a sweep beside domain.vessel`},
		{"ellipsoids", `[run]`, "[[suspension]]\nhematocrit = 0.1\nsemi_axes = [0.1, 0.1, 0.05]\nstrength = 1e-4\n[run]", `is given beside [[port]]`},
		{"cells that enter in too great a share", `[run]`, fedCells + "feed = 0.5\n[run]", `suspension.0.feed: 0.5 must be at least 0 and at most 0.4`},
		{"no plane", `plane = { point = [0, 0.5, 0], normal = [0, 0, 1] }`, ``, `port.1.plane: is missing`},
		{"no normal", `, normal = [0, 0, 1]`, ``, `port.1.plane.normal: is missing: give the direction into the fluid`},
		{"no direction", `normal = [0, 0, 1]`, `normal = [0, 0, 0]`, `port.1.plane.normal: has length 0`},
		{"twice", `name = "branch"`, `name = "in"`, `port.1.name: "in" is already the name of port 0`},
		{"type", `"windkessel"`, `"winkessel"`, `did you mean "windkessel"?`},
		{"speed and rate", `flow_rate = "5 ml/s"`, "flow_rate = 1\nspeed = 1", `port.0.speed: must be one of speed, flow_rate and flow`},
		{"no speed", `flow_rate = "5 ml/s"`, ``, `port.0.speed: is missing`},
		{"no rate", `"5 ml/s"`, `"5 ml"`, `port.0.flow_rate: "5 ml" is in m^3, must be a flow rate: write for instance "5 l/min"`},
		{"speed of a pressure", `pressure = "80 mmHg"`, "pressure = 1\nspeed = 1", `port.2.speed: has no effect with type = "pressure"`},
		{"no resistance", `resistance = "1 mmHg.s/ml"`, ``, `port.1.resistance: is missing`},
		{"negative capacitance", `"0.1 ml/mmHg"`, `-1`, `-1 must be greater than 0`},
		{"no capacitance", `capacitance = "0.1 ml/mmHg"`, ``, `port.1.capacitance: is missing`},
		{"rows beyond the period", `flow_rate = "5 ml/s"`, `flow = { file = "long.csv", period = 1 }`, `flow.period: 1 is shorter than the rows`},
		{"rows that do not close", `flow_rate = "5 ml/s"`, `flow = { file = "open.csv", period = 1 }`, `must be the same, where one follows the other`},
		{"factor of a flow", `flow_rate = "5 ml/s"`, `flow = { file = "flow.csv" }`, `port.0.factor: has no effect beside flow`},
		{"factor that ends", `1 + 0.3*sin(2*pi*t)`, `sqrt(3 - t)`, `port.0.factor: the expression`},
	} {
		t.Run(bad.name, func(t *testing.T) {
			_, err := parseArtery(t, edit(artery, bad.old, bad.new))
			if err == nil || !strings.Contains(err.Error(), bad.says) {
				t.Errorf("%v\nwant %q", err, bad.says)
			}
		})
	}
}
