package casefile

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func mustParse(t *testing.T, text string, sets ...string) *Case {
	t.Helper()
	c, err := Parse("dir/case.toml", []byte(text), sets)
	if err != nil {
		t.Fatalf("a good case is refused:\n%v", err)
	}
	return c
}

// A case of bench ib is told as such, and not by all that it lacks; one of a flow that
// has such tables by mistake is.
func TestACaseOfPointsInAShearIsNamed(t *testing.T) {
	const tables = "[shear]\nrate = \"1 /s\"\n[spring]\nstiffness = \"1 N/m\"\n"
	_, err := Parse("points.toml", []byte(tables), nil)
	if want := "run it by lbmib bench ib points.toml"; err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v, want one line that says %q", err, want)
	}
	_, err = Parse("flow.toml", []byte("[reference]\nresolution = 4\n"+tables), nil)
	if want := "shear: unknown key"; err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "bench ib") {
		t.Errorf("the error is %v, want it to say %q", err, want)
	}
}

func TestDocumentedCaseIsReadAsWritten(t *testing.T) {
	c := mustParse(t, cylinder)
	one := Varying{Value: 1}
	periodic := Face{Type: "periodic", Density: 1, Factor: one}
	slip := Face{Type: "free-slip", Density: 1, Factor: one}
	circle := &given{notes: new(notes)}
	circle.note("type", "circle")
	circle.note("center", place{10, 7.5})
	circle.note("diameter", 1.)
	circle.made, circle.shape = c.Bodies[0].Shape.made, c.Bodies[0].Shape.shape
	want := &Case{
		File: "dir/case.toml", Name: "case", Title: "Flow past a circular cylinder, Re = 100",
		Reference: Reference{Resolution: 40, Velocity: 0.1, Reynolds: 100, Viscosity: 0.01},
		Domain: Domain{
			Lattice: "D2Q9", Dim: 2, Size: [3]float64{40, 15}, Nodes: [3]int{1600, 600, 1},
			Initial: Initial{Type: "uniform", Velocity: [3]float64{1}},
			Boundary: [6]Face{
				{Type: "velocity", Value: [3]float64{1}, Profile: "uniform", Density: 1, Factor: one},
				{Type: "outflow", Density: 1, Factor: one}, slip, slip, periodic, periodic,
			},
		},
		Fluid:  Fluid{Collision: "bgk", Magic: 3. / 16, Precision: "f64", Layout: "auto", Storage: "auto", Streaming: "auto"},
		IB:     IB{Delta: "roma3", Forcing: "direct", Iterations: 1, Spread: "auto", Correction: "slip", Inside: "free", Contact: Contact{2, 1}},
		Bodies: []Body{{"cylinder", Shape{Type: "circle", given: circle}, 0, "outside", Motion{Type: "fixed"}, "body.0", c.Bodies[0].notes, 0}},
		Run:    Run{Time: 150, Steps: 60000, Backend: "auto", SoftStart: AutoSoftStart, StopSteady: 1e-6},
		Output: Output{
			Directory: "cylinder.out", notes: c.Output.notes,
			Fields:     FieldsOut{25, []string{"velocity", "density", "vorticity"}, "image"},
			Checkpoint: CheckpointOut{50, 2},
			Probes:     []Probe{{"wake", [3]float64{15, 7.5}, 0.05}},
			Statistics: Statistics{75}, Plots: true,
		},
		positions: c.positions, text: c.text, root: c.root, notes: c.notes,
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got\n%+v\nwant\n%+v", c, want)
	}
}

func TestEveryKeyOfThreeDimensionsAndSIIsRead(t *testing.T) {
	c := mustParse(t, channel)
	// L = 1 mm, L/U = 0.1 s, so U = 1 cm/s, UL = 1e-5 m²/s and U²/L = 0.1 m/s²
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-14*math.Abs(want) { // a few roundings
			t.Errorf("%s = %v, want %v", what, got, want)
		}
	}
	near("speed", c.Reference.Speed, 0.01)
	near("viscosity", c.Reference.Viscosity, 0.1) // 1e-6 m²/s, by the density
	near("reynolds", c.Reference.Reynolds, 10)
	near("size", c.Domain.Size[0], 4)
	near("force", c.Domain.Force[0].At(3), 0.01)
	left := c.Domain.Boundary[0]
	near("peak", left.Peak, 1.5)
	near("ramp", left.Ramp, 2)
	near("period", left.Period, 4)
	near("phase", left.Phase, 1.5)
	near("density", c.Domain.Boundary[1].Density, 0.999)
	near("wall", c.Domain.Boundary[3].Value[0], 0.5)
	near("diameter", c.Bodies[0].Shape.Number("diameter"), 0.25)
	near("time", c.Run.Time, 6400*0.05/16)
	if c.Domain.Nodes != [3]int{64, 16, 16} || c.Domain.Dim != 3 {
		t.Errorf("nodes %v of dimension %d, want 64×16×16 of 3", c.Domain.Nodes, c.Domain.Dim)
	}
	if c.Domain.Boundary[4].Type != "periodic" || c.Domain.Boundary[5].Type != "periodic" {
		t.Error("faces of which neither is given are not periodic")
	}
	if c.Solids[0].Name != "solid0" || c.Solids[1].Name != "bump" || c.Solids[0].Shape.Place("max") != [3]float64{0.25, 0.25, 1} {
		t.Errorf("solids %+v", c.Solids)
	}
	if c.Bodies[0].Name != "body0" || c.Bodies[0].Spacing != 0.8 {
		t.Errorf("body %+v", c.Bodies[0])
	}
	if want := (Fluid{Collision: "trt", Magic: 0.25, Precision: "f32/f16", Layout: "soaos", Block: 128, Storage: "auto", Streaming: "inplace"}); c.Fluid != want {
		t.Errorf("fluid %+v, want %+v", c.Fluid, want)
	}
	if c.IB.Iterations != 5 || c.IB.Tolerance != 1e-3 {
		t.Errorf("ib %+v", c.IB)
	}
}

func TestDefaultsOfAMinimalCase(t *testing.T) {
	c := mustParse(t, minimal)
	if c.Title != "case" || c.Output.Directory != "case.out" || !c.Output.Plots {
		t.Errorf("title %q, directory %q, plots %v", c.Title, c.Output.Directory, c.Output.Plots)
	}
	if c.Domain.Initial.Type != "rest" || c.Domain.Boundary[0].Type != "periodic" {
		t.Errorf("domain %+v", c.Domain)
	}
	o := c.Output
	if o.Every("forces") != 0.05 || o.Fields.Every != 0 || o.Checkpoint != (CheckpointOut{2, 2}) || !math.IsNaN(o.Statistics.From) {
		t.Errorf("output %+v", o)
	}
}

func TestIntervalsOfZeroMeanNoFieldsAndNoCheckpoints(t *testing.T) {
	c := mustParse(t, cylinder, "output.fields.every=0", "output.checkpoint.every=0")
	if c.Output.Fields.Every != 0 || c.StepsOf(c.Output.Fields.Every) != 0 {
		t.Errorf("fields are still written every %v L/U", c.Output.Fields.Every)
	}
	if c.Output.Checkpoint.Every != 0 || c.StepsOf(c.Output.Checkpoint.Every) != 0 {
		t.Errorf("checkpoints are still written every %v L/U", c.Output.Checkpoint.Every)
	}
	if _, given := c.Resolved()["output"].(map[string]any)["fields"]; given {
		t.Error("the resolved case asks for fields")
	}
	for _, key := range []string{"output.fields.every", "output.checkpoint.every"} {
		_, err := Parse("case.toml", []byte(cylinder), []string{key + "=-1"})
		if err == nil || !strings.Contains(err.Error(), "must not be negative") || !strings.Contains(err.Error(), "or 0 for none") {
			t.Errorf("%s = -1 gives %v", key, err)
		}
	}
}

func TestBodiesStartSoftlyUnlessToldOtherwise(t *testing.T) {
	for _, set := range []string{"run.seed=0", `run.soft_start="auto"`} {
		if c := mustParse(t, cylinder, set); c.Run.SoftStart != AutoSoftStart || c.Resolved()["run"].(map[string]any)["soft_start"] != "auto" {
			t.Errorf("%s: soft start takes %v L/U, want what starts to tell", set, c.Run.SoftStart)
		}
	}
	for set, want := range map[string]float64{"run.soft_start=0": 0, "run.soft_start=2": 2, "run.soft_start=3.5": 3.5} {
		c := mustParse(t, cylinder, set)
		if c.Run.SoftStart != want || c.Resolved()["run"].(map[string]any)["soft_start"] != want {
			t.Errorf("%s: soft start takes %v L/U, want %v", set, c.Run.SoftStart, want)
		}
	}
	if mustParse(t, cylinder, "run.soft_start=0").Hash() == mustParse(t, cylinder).Hash() {
		t.Error("the start does not take part in the hash, though it changes the flow")
	}
	_, err := Parse("case.toml", []byte(cylinder), []string{"run.soft_start=-1"})
	if err == nil || !strings.Contains(err.Error(), "must not be negative: give the duration in L/U, or 0 for an impulsive start") {
		t.Errorf("a negative start gives %v", err)
	}
}

func TestMarkerSpacingIsAutomaticUnlessGiven(t *testing.T) {
	for set, want := range map[string]any{"body.0.name=rod": "auto", "body.0.spacing=auto": "auto", "body.0.spacing=1.3": 1.3} {
		c := mustParse(t, cylinder, set)
		got := c.Resolved()["body"].([]any)[0].(map[string]any)["spacing"]
		if number, _ := want.(float64); got != want || c.Bodies[0].Spacing != number {
			t.Errorf("%s: spacing %v, resolved %v, want %v", set, c.Bodies[0].Spacing, got, want)
		}
	}
}

func TestStepsOfRoundsToTheNearestStep(t *testing.T) {
	c := mustParse(t, cylinder) // Δt = 0.0025
	for _, s := range []struct {
		t    float64
		want int64
	}{{0.05, 20}, {150, 60000}, {0.0063, 3}, {1e-9, 1}, {0, 0}, {-1, 0}, {math.NaN(), 0}} {
		if got := c.StepsOf(s.t); got != s.want {
			t.Errorf("StepsOf(%v) = %d, want %d", s.t, got, s.want)
		}
	}
}

func TestResolvedHasEveryDefaultUnderTheFormatsKeys(t *testing.T) {
	path := inFolder(t, map[string]string{"in.csv": "t,factor\n0,1\n1,2\n2,1\n", "part.stl": "solid\n", "start.vtkhdf": "x"})
	for name, text := range map[string]string{"minimal": minimal, "cylinder": cylinder, "channel": channel, "plane": plane, "space": space} {
		c, err := Parse(path, []byte(text), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		encoded, err := json.Marshal(c.Resolved())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		// The resolved case without the redundant alternatives is itself a
		// case file (TOML by way of overrides), and the same case.
		m := c.Resolved()
		delete(m["reference"].(map[string]any), "reynolds")
		delete(m["run"].(map[string]any), "time")
		var root map[string]any
		encoded2, _ := json.Marshal(m)
		if err := json.Unmarshal(encoded2, &root); err != nil {
			t.Fatal(err)
		}
		again := &Case{File: path, Name: "case"}
		r := &reader{c: again}
		r.read(root)
		if len(r.errs) > 0 {
			t.Errorf("%s: the resolved case is refused: %v\n%s", name, r.errs, encoded)
			continue
		}
		if encoded3, _ := json.Marshal(again.Resolved()); again.Hash() != c.Hash() || string(encoded3) != string(encoded) {
			t.Errorf("%s: the resolved case is another one:\n%s\n%s", name, encoded, encoded3)
		}
	}
}

func TestHashFollowsThePhysicsAndOutputRowsOnly(t *testing.T) {
	hash := mustParse(t, cylinder).Hash()
	for _, set := range []string{
		"title=other", "output.directory=elsewhere", "run.threads=3", "run.time=300", "run.steps=100000",
		"run.stop_when.steady=1e-3", "run.backend=cpu", "output.plots=false", "output.checkpoint.every=7",
		"ib.inside=free", "fluid.streaming=ab", "fluid.streaming=inplace", "fluid.layout=aos", "fluid.layout=soaos", "fluid={layout=\"soaos\", block=128}",
	} {
		if mustParse(t, cylinder, set).Hash() != hash {
			t.Errorf("%s changes the hash, so that a run could not be continued with it", set)
		}
	}
	for _, set := range []string{
		"reference.resolution=41", "reference.reynolds=101", "domain.size=[40,16]", "domain.boundary.top.type=no-slip",
		"fluid.precision=f32", "fluid.precision=f32/f16", "fluid.collision=trt", "ib.delta=peskin4", "ib.inside=damped", "body.0.shape.diameter=1.1", "body.0.name=rod",
		"output.forces.every=0.1", "output.fields.every=5", "output.probes.0.at=[16,7.5]", "run.seed=1",
	} {
		if mustParse(t, cylinder, set).Hash() == hash {
			t.Errorf("%s does not change the hash", set)
		}
	}
}

func TestLoadReadsAFileAndReportsOneThatIsMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tube.v2.toml")
	_, err := Load(path, nil)
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "is the path right?") {
		t.Errorf("a missing file gives %v", err)
	}
	if err := os.WriteFile(path, []byte("\ufeff"+cylinder), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path, []string{"run.time=100"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "tube.v2" || c.File != path || c.Run.Time != 100 {
		t.Errorf("name %q, file %q, time %v", c.Name, c.File, c.Run.Time)
	}
}

// Λ is 3/16 but where fluid enters on a grid that is coarse for it.
func TestMagicIsThreeSixteenthsUnlessFluidEntersFast(t *testing.T) {
	text := func(left string) string {
		return "[reference]\nresolution = 10\nvelocity = 0.05\nreynolds = 60\n[domain]\nlattice = \"D2Q9\"\nsize = [4.0, 1.0]\n" + left +
			"[fluid]\ncollision = \"trt\"\n[run]\ntime = 1.0\n"
	}
	entered := text("[domain.boundary]\nleft = { type = \"velocity\", value = [1.0, 0.0] }\nright = { type = \"outflow\" }\n")
	for _, c := range []struct {
		text, set string
		want      float64
	}{
		{entered, "reference.reynolds=60", 3. / 16},
		{entered, "reference.reynolds=125", 8 / 12.5 / 12.5},
		{entered, "reference.reynolds=1000", 0.01},
		{entered, "fluid.magic=0.25", 0.25},
		{text(""), "reference.reynolds=125", 3. / 16},
	} {
		if got := mustParse(t, c.text, c.set).Fluid.Magic; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: Λ = %g, want %g", c.set, got, c.want)
		}
	}
}

// Where one viscosity is needed of a fluid that thins, it is that at the wall of a pipe: of one that does not thin by then, that at rest.
func TestAFluidThatThinsHasTheGridReynoldsNumberOfItsWalls(t *testing.T) {
	of := func(time string) *Case {
		c, err := Parse("case.toml", []byte(`
reference = { resolution = 10, velocity = 0.05, reynolds = 1000 }
domain = { lattice = "D2Q9", size = [2, 1], boundary = { left = { type = "velocity", value = [1, 0] }, right = { type = "outflow" } } }
fluid = { collision = "trt", rheology = { type = "carreau-yasuda", zero_viscosity = 0.05, time = `+time+`, exponent = 0.3 } }
run = { time = 1 }
`), nil)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for time, want := range map[string]float64{"1e-7": 2, "1e9": 100, "0.125": 0.1 / (0.001 + 0.049*math.Pow(2, -0.35))} {
		c := of(time)
		if got := c.GridReynolds(); math.Abs(got/want-1) > 1e-5 {
			t.Errorf("λ = %s: a grid Reynolds number of %g, want %g", time, got, want)
		}
		if tau := c.WallTau(); math.Abs((tau-0.5)-3*0.05/want) > 1e-6 { // U Δx/ν of the lattice is 0.05/ν
			t.Errorf("λ = %s: τ = %g at the wall, want %g", time, tau, 0.5+3*0.05/want)
		}
		if got, want := c.Fluid.Magic, min(3./16, max(0.01, 8/(want*want))); math.Abs(got/want-1) > 1e-4 {
			t.Errorf("λ = %s: Λ = %g, want %g", time, got, want)
		}
	}
}
