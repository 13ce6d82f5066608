package check

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lbmib/internal/checking/checkingtest"
	"lbmib/io/casefile"
	"lbmib/run/exit"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// fourVelocities are faces of a stream along x that leave nothing to the flow.
var fourVelocities = []string{`domain.boundary.right={type="velocity", value=[1,0]}`, `domain.boundary.bottom={type="velocity", value=[1,0]}`, `domain.boundary.top={type="velocity", value=[1,0]}`}

// look is Check without the time that measuring takes.
func look(path string, sets []string) *Report {
	return check(path, sets, setup.Kernel{}, func(*casefile.Case, *setup.Problem, setup.Kernel) speeds { return speeds{mflups: 100} })
}

func TestASoundCaseHasNoRemarks(t *testing.T) {
	for name, text := range map[string]string{"stream": setuptest.StreamCase, "cavity": setuptest.CavityCase, "sphere": setuptest.SphereCase} {
		sets := []string{"reference.velocity=0.05"}
		if name == "sphere" {
			sets = append(sets, "reference.reynolds=40") // a boundary layer of 1.6 nodes
		}
		if name == "stream" {
			sets = append(sets, "body.0.shape.center=[5.0,6.02]") // so that it sheds soon
		}
		r := look(setuptest.InEmptyDirectory(t, text), sets)
		if r.Verdict != OK || r.Err() != nil || len(r.Proposals) > 0 || r.Note != "" {
			t.Errorf("%s: verdict %s, errors %v, proposals %v, note %q", name, r.Verdict, r.Errors, r.Proposals, r.Note)
			for _, j := range append(r.judgements(), r.scaleJudgements()...) {
				t.Log(*j)
			}
		}
	}
}

func TestScalesAreThoseOfTheCase(t *testing.T) {
	r := look(setuptest.InEmptyDirectory(t, setuptest.SphereCase), nil)
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12*want { // a few roundings
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("dx", r.Scales.Dx.Value, 0.1)
	near("dt", r.Scales.Dt.Value, 0.01)
	near("dx in m", float64(*r.Scales.Dx.SI), 1e-4)
	near("dt in s", float64(*r.Scales.Dt.SI), 0.01*1e-3/2e-2)
	near("viscosity", float64(r.Scales.Viscosity), 0.1*10/50)
	near("tau", float64(r.Scales.Tau.Value), 0.56)
	near("mach", float64(r.Scales.Mach.Value), 0.1*math.Sqrt(3))
	near("grid Reynolds", float64(r.Scales.GridReynolds.Value), 5)
	if r.Domain.Total != 40*30*30 || r.Run.Steps != 200 {
		t.Errorf("%d nodes, %d steps", r.Domain.Total, r.Run.Steps)
	}
	b := r.Bodies[0]
	near("diameter", float64(b.Nodes.Value), 10)
	near("spacing", float64(b.Spacing.Value), math.Sqrt(100*math.Pi/float64(b.Markers)))
	if b.Condition == nil || !(b.Condition.Value >= 1) {
		t.Errorf("condition number %+v of a matrix is at least 1", b.Condition)
	}
	if b.Blockage != nil {
		t.Error("a periodic box has no side walls")
	}
}

// twice refines the stream's rod twice.
const twice = `refine=[{around="rod", margin=[1.5, 4.0, 1.5, 1.5], level=2}]`

// Every quantity: what makes it worse, and the verdict and words it then gets.
func TestQuantitiesAreJudged(t *testing.T) {
	body := func(r *Report) BodyReport { return r.Bodies[0] }
	for _, c := range []struct {
		name, text string
		sets       []string
		of         func(*Report) Judged
		want       Verdict
		says       string
	}{
		{"τ near 1/2", setuptest.StreamCase, []string{"reference.reynolds=700"}, func(r *Report) Judged { return r.Scales.Tau }, Caution, "below 0.51"},
		{"τ at 1/2", setuptest.StreamCase, []string{"reference.reynolds=3000"}, func(r *Report) Judged { return r.Scales.Tau }, Unsafe, "below 0.503"},
		{"τ near 1/2 on the coarsest level", setuptest.StreamCase, []string{"reference.reynolds=200", twice}, func(r *Report) Judged { return r.Grids.Levels[0].Tau }, Caution, "below 0.51: bgk hardly damps small scales here and may diverge; or fewer levels: level 0 has nodes 4 times as wide"},
		{"τ at 1/2 on the coarsest level", setuptest.StreamCase, []string{"reference.reynolds=700", twice}, func(r *Report) Judged { return r.Grids.Levels[0].Tau }, Unsafe, "below 0.503"},
		{"τ on the level between", setuptest.StreamCase, []string{"reference.reynolds=500", twice}, func(r *Report) Judged { return r.Grids.Levels[1].Tau }, Caution, "level 1 has nodes 2 times as wide"},
		{"τ on levels", setuptest.StreamCase, []string{twice}, func(r *Report) Judged { return r.Grids.Levels[0].Tau }, OK, ""},
		{"τ large", setuptest.StreamCase, []string{"reference.reynolds=5"}, func(r *Report) Judged { return r.Scales.Tau }, Caution, "above 1"},
		{"Mach", setuptest.StreamCase, []string{"reference.velocity=0.15"}, func(r *Report) Judged { return r.Scales.Mach }, Caution, "above 0.1: errors grow as Ma², by themselves about 2.3 % of drag"},
		{"Mach of a face", setuptest.StreamCase, []string{"domain.boundary.left.value=[1.5,0]"}, func(r *Report) Judged { return r.Scales.Mach }, Caution, "above 0.1: errors grow as Ma², by themselves about 2.3 % of drag"},
		{"Mach without a body", setuptest.CavityCase, []string{"reference.velocity=0.15"}, func(r *Report) Judged { return r.Scales.Mach }, Caution, "above 0.1: errors grow as Ma²; lower reference.velocity"},
		{"grid Reynolds", setuptest.StreamCase, []string{"reference.reynolds=300"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Caution, "above 10"},
		{"grid Reynolds, bgk", setuptest.StreamCase, []string{"reference.reynolds=1000"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "above 40"},
		{"grid Reynolds, open faces, trt, 3/16", setuptest.StreamCase, []string{"reference.reynolds=250", "fluid.collision=trt", "fluid.magic=0.1875"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "above 10.6"},
		{"grid Reynolds, open faces, trt", setuptest.StreamCase, []string{"reference.reynolds=250", "fluid.collision=trt"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Caution, "above 8"},
		{"grid Reynolds, open faces, trt, high", setuptest.StreamCase, []string{"reference.reynolds=500", "fluid.collision=trt"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "where fluid enters"},
		{"grid Reynolds, open faces, mrt", setuptest.StreamCase, []string{"reference.reynolds=205", "fluid.collision=mrt"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "above 10"},
		{"grid Reynolds, open faces, recursive", setuptest.StreamCase, []string{"reference.reynolds=1e5", "fluid.collision=recursive"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "add fluid.les"},
		{"τ, recursive", setuptest.StreamCase, []string{"reference.reynolds=1e5", "fluid.collision=recursive"}, func(r *Report) Judged { return r.Scales.Tau }, OK, ""},
		{"grid Reynolds, lid that is a velocity face, recursive", setuptest.CavityCase, []string{"domain.boundary.top.type=velocity", "reference.reynolds=2000", "fluid.collision=recursive"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "move along themselves"},
		{"grid Reynolds, four velocity faces of a stream, recursive", setuptest.StreamCase, append([]string{"reference.reynolds=800", "fluid.collision=recursive"}, fourVelocities...), func(r *Report) Judged { return r.Scales.GridReynolds }, Caution, "shear layers are thinner"},
		{"grid Reynolds, pressure to outflow, bgk", setuptest.StreamCase, []string{"reference.reynolds=600", `domain.boundary.left={type="pressure"}`}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "above 21.2: with bgk waves grow between a pressure and an outflow face"},
		{"grid Reynolds, outflow to pressure, regularized", setuptest.StreamCase, []string{"reference.reynolds=600", "fluid.collision=regularized", `domain.boundary.left={type="outflow"}`, `domain.boundary.right={type="pressure"}`}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "above 20.9: with regularized waves grow"},
		{"grid Reynolds, pressure to outflow, recursive", setuptest.StreamCase, []string{"reference.reynolds=600", "fluid.collision=recursive", `domain.boundary.left={type="pressure"}`}, func(r *Report) Judged { return r.Scales.GridReynolds }, Caution, "shear layers are thinner"},
		{"grid Reynolds, velocity to pressure, bgk", setuptest.StreamCase, []string{"reference.reynolds=600", `domain.boundary.right={type="pressure"}`}, func(r *Report) Judged { return r.Scales.GridReynolds }, Caution, "shear layers are thinner"},
		{"grid Reynolds, lid, recursive", setuptest.CavityCase, []string{"reference.reynolds=2000", "fluid.collision=recursive"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "move along themselves"},
		{"grid Reynolds, lid, regularized", setuptest.CavityCase, []string{"reference.reynolds=200", "fluid.collision=regularized"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Caution, "move along themselves"},
		{"grid Reynolds, lid, mrt", setuptest.CavityCase, []string{"reference.reynolds=1600", "fluid.collision=mrt"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "above 30"},
		{"grid Reynolds, walls, bgk", setuptest.CavityCase, []string{"reference.reynolds=640"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "above 15"},
		{"grid Reynolds, periodic, trt", setuptest.SphereCase, []string{"reference.reynolds=190", "fluid.collision=trt", "fluid.magic=0.1875"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Caution, "above 10"},
		{"grid Reynolds, periodic, trt, high", setuptest.SphereCase, []string{"reference.reynolds=250", "fluid.collision=trt", "fluid.magic=0.1875"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Unsafe, "above 20: shear layers are thinner than the grid, and with trt waves grow in any stream from 20 on"},
		{"grid Reynolds, walls, trt", setuptest.CavityCase, []string{"reference.reynolds=640", "fluid.collision=trt"}, func(r *Report) Judged { return r.Scales.GridReynolds }, Caution, "above 10"},
		{"resolution", setuptest.StreamCase, []string{"reference.resolution=8"}, func(r *Report) Judged { return body(r).Nodes }, Caution, "fewer than 10"},
		{"no resolution", setuptest.StreamCase, []string{"reference.resolution=4"}, func(r *Report) Judged { return body(r).Nodes }, Unsafe, "fewer than 5"},
		{"spacing", setuptest.StreamCase, []string{"body.0.spacing=1.8"}, func(r *Report) Judged { return body(r).Spacing }, Caution, "leaks"},
		{"weights that are not exact", setuptest.StreamCase, []string{"body.0.spacing=0.4"}, func(r *Report) Judged { return *body(r).Condition }, Caution, "relaxed"},
		{"thin boundary layer", setuptest.StreamCase, []string{"reference.reynolds=300"}, func(r *Report) Judged { return *body(r).Layer }, Caution, "fewer than 1.5: fluid slips along walls whose boundary layer is so thin, and drag is off by about 11 %"},
		{"no boundary layer", setuptest.StreamCase, []string{"reference.reynolds=700"}, func(r *Report) Judged { return *body(r).Layer }, Unsafe, "fewer than 1: fluid slips along walls whose boundary layer is so thin, and drag is off by about 36 %"},
		{"boundary layer", setuptest.StreamCase, nil, func(r *Report) Judged { return *body(r).Layer }, OK, ""},
		{"plate in eddies", setuptest.StreamCase, []string{`body.0.shape={type="line", points=[[4,3],[5,3.2]]}`, `fluid.les={type="smagorinsky", constant=0.1}`}, func(r *Report) Judged { return *body(r).Eddies }, Caution, "with fluid on both sides"},
		{"blockage", setuptest.StreamCase, []string{"domain.size=[16,6]", "body.0.shape.center=[5,3]"}, func(r *Report) Judged { return *body(r).Blockage }, Caution, "above 0.1"},
		{"blockage in a channel", setuptest.StreamCase, []string{"domain.size=[16,6]", "body.0.shape.center=[5,3]", "domain.boundary.top.type=no-slip", "domain.boundary.bottom.type=no-slip"}, func(r *Report) Judged { return *body(r).Blockage }, OK, ""},
		{"rounding of f64", setuptest.StreamCase, []string{"reference.velocity=1e-3"}, func(r *Report) Judged { return r.Scheme.Rounding }, OK, ""},
		{"rounding of f32", setuptest.StreamCase, []string{"fluid.precision=f32"}, func(r *Report) Judged { return r.Scheme.Rounding }, OK, ""},
		{"rounding of f32 in a slow lattice", setuptest.StreamCase, []string{"fluid.precision=f32", "reference.velocity=1e-3"}, func(r *Report) Judged { return r.Scheme.Rounding }, Caution, "raise reference.velocity"},
		{"rounding of f16", setuptest.StreamCase, []string{"fluid.precision=f32/f16"}, func(r *Report) Judged { return r.Scheme.Rounding }, OK, ""},
		{"rounding of f16 in a slow lattice", setuptest.StreamCase, []string{"fluid.precision=f32/f16", "reference.velocity=0.01"}, func(r *Report) Judged { return r.Scheme.Rounding }, Caution, "raise reference.velocity"},
		{"rounding of f16 in a smooth flow", setuptest.CavityCase, []string{"fluid.precision=f32/f16", "reference.velocity=0.05", "reference.resolution=512"}, func(r *Report) Judged { return r.Scheme.Rounding }, OK, ""},
		{"steady in f64", setuptest.CavityCase, []string{"run.stop_when.steady=1e-6"}, func(r *Report) Judged { return *r.Run.Steady }, OK, ""},
		{"steady in f32", setuptest.CavityCase, []string{"run.stop_when.steady=1e-4", "fluid.precision=f32"}, func(r *Report) Judged { return *r.Run.Steady }, Caution, "below 0.0002"},
		{"steady in f16", setuptest.CavityCase, []string{"run.stop_when.steady=0.1", "fluid.precision=f32/f16"}, func(r *Report) Judged { return *r.Run.Steady }, Caution, "below 0.2"},
		{"short run", setuptest.StreamCase, []string{"run.time=10"}, func(r *Report) Judged { return *r.Run.FlowThroughs }, Caution, "less than 1"},
		{"long run", setuptest.StreamCase, []string{"run.time=1e9"}, func(r *Report) Judged { return r.Estimate.Seconds }, Caution, "more than a day"},
	} {
		cas, err := casefile.Parse("case.toml", []byte(c.text), c.sets)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		r := Assess(cas, setup.Kernel{})
		r.estimate(cas, speeds{mflups: 100})
		j := c.of(r)
		if j.Verdict != c.want || !strings.Contains(j.Reason, c.says) || (j.Reason == "") != (c.want == OK) || strings.Contains(j.Reason, "%!") {
			t.Errorf("%s: judged %+v, want %s: …%s…", c.name, j, c.want, c.says)
		}
		if severity[r.Verdict] < severity[c.want] {
			t.Errorf("%s: the whole is judged %s, its worst part %s", c.name, r.Verdict, c.want)
		}
		toldByARun(t, c.name, r)
	}
}

// toldByARun fails where a run would not tell what is judged of a case: all that is unsafe, and all cautions but those about the length
// of the run, the machine, and the weights of markers.
func toldByARun(t *testing.T, name string, r *Report) {
	t.Helper()
	untold := map[*Judged]bool{r.Run.FlowThroughs: true, r.Run.Steady: true, &r.Memory.Judged: true, &r.Output.Disk: true, &r.Estimate.Seconds: true}
	for i := range r.Bodies {
		untold[r.Bodies[i].Condition] = true
	}
	var told []string
	for _, m := range RemarksOn(r.problem, nil) {
		told = append(told, m.String())
	}
	all := strings.Join(told, "\n")
	for _, j := range r.judgements() {
		if severity[j.Verdict] > severity[OK] && !untold[j] && !strings.Contains(all, j.Reason) {
			t.Errorf("%s: check says %s: %s; a run tells\n%s", name, j.Verdict, j.Reason, all)
		}
	}
}

func TestWhatARunWouldRefuseIsRefusedWithItsPlace(t *testing.T) {
	for _, c := range []struct {
		name string
		sets []string
		says []string
	}{
		{"a body outside the domain", []string{"body.0.shape.center=[-1,6]"}, []string{"--set body.0.shape.center=[-1,6]", "outside the domain"}},
		{"a support that leaves the domain", []string{"body.0.shape.center=[0.4,6]"}, []string{"--set body.0.shape.center=[0.4,6]", `body "rod"`, "the domain has 0..319", "enlarge domain.size"}},
		{"too few markers", []string{"reference.resolution=2"}, []string{"case.toml:15:1: body.0", "at least 8 are needed"}},
		{"a solid in a support", []string{"solid.0.shape={type=\"box\", min=[5.5,5], max=[6,7]}"}, []string{"case.toml:17:28: body.0.shape.center", "solid node"}},
		{"two bodies in one place", []string{"body.1={name=\"twin\", shape={type=\"circle\", center=[5.02,6.0], diameter=1}}"}, []string{"body", "reaches into body"}},
		{"more nodes than can be counted", []string{"reference.resolution=1e9"}, []string{"case.toml:8:1: domain.size", "16000000000 × 12000000000", "at reference.resolution = 1e+09", "fewer than 2^31"}},
		{"a directory that cannot be", []string{"output.directory=/dev/null/x"}, []string{"--set output.directory=/dev/null/x", "--out DIR"}},
	} {
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), c.sets)
		code := exit.BadCase
		if c.name == "a directory that cannot be" { // as a run ends with
			code = exit.InputOutput
		}
		if r.Verdict != Refused || exit.Code(r.Err()) != code {
			t.Errorf("%s: judged %s with exit code %d, want %d", c.name, r.Verdict, exit.Code(r.Err()), code)
			continue
		}
		for _, s := range c.says {
			if !strings.Contains(r.Err().Error(), s) {
				t.Errorf("%s: %q is not in %q", c.name, s, r.Err())
			}
		}
	}
}

func TestEveryProblemOfTheFileIsListed(t *testing.T) {
	r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), []string{"reference.reynolds=-1", "fluid.colision=trt"})
	if len(r.Errors) != 2 || !strings.Contains(r.Errors[1], "did you mean fluid.collision?") {
		t.Errorf("errors: %q", r.Errors)
	}
	if r = look("missing.toml", nil); r.Verdict != Refused || !strings.Contains(r.Errors[0], "missing.toml") {
		t.Errorf("a missing file: %+v", r)
	}
}

// What is proposed must pass, as it is pasted: behind the sets of the user.
func TestProposalsPassTheCheck(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, c := range []struct {
		name, text string
		sets       []string
		want       []string
	}{
		{"high Reynolds number", setuptest.StreamCase, []string{"reference.reynolds=500"}, []string{"safe", "fast", "accurate"}},
		{"low Reynolds number", setuptest.StreamCase, []string{"reference.reynolds=2"}, []string{"safe", "fast", "accurate"}},
		{"fast lattice", setuptest.StreamCase, []string{"reference.velocity=0.17"}, []string{"safe", "fast", "accurate"}},
		{"body of two nodes", setuptest.StreamCase, []string{"reference.resolution=2"}, []string{"safe", "fast", "accurate"}},
		{"bgk beside walls", setuptest.CavityCase, []string{"reference.reynolds=640"}, []string{"safe", "fast", "accurate"}},
		{"steps given", setuptest.CavityCase, []string{"reference.reynolds=640", "run.steps=1000"}, []string{"safe", "fast", "accurate"}},
		{"trt with its parameter at open faces", setuptest.StreamCase, []string{"reference.reynolds=400", "fluid.collision=trt", "fluid.magic=0.25"}, []string{"safe", "fast", "accurate"}},
		{"in space", setuptest.SphereCase, []string{"reference.resolution=7"}, []string{"safe", "fast", "accurate"}},
		{"beyond any machine", setuptest.StreamCase, []string{"reference.reynolds=1e9"}, nil},
	} {
		path := setuptest.InEmptyDirectory(t, c.text)
		r := look(path, c.sets)
		var names []string
		for _, p := range r.Proposals {
			names = append(names, p.Name)
			again := look(path, slices.Concat(c.sets, p.Set))
			if again.Err() != nil || again.trouble() != OK {
				t.Errorf("%s: the proposal %s is itself judged %s: %v", c.name, p.Name, again.Verdict, again.Errors)
			}
			if math.Abs(again.Run.Time-r.Run.Time) > 0.01*r.Run.Time && r.Run.Time > 0 { // to a step
				t.Errorf("%s: the proposal %s runs to %v L/U, asked for were %v", c.name, p.Name, again.Run.Time, r.Run.Time)
			}
			if again.Domain.Total != p.Nodes || float64(again.Scales.Tau.Value) != p.Tau || !(p.Seconds > 0) {
				t.Errorf("%s: the proposal %+v is not what it leads to", c.name, p)
			}
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%s: proposals %v, want %v (note %q)", c.name, names, c.want, r.Note)
		}
		if (len(c.want) == 0) != (r.Note != "") {
			t.Errorf("%s: note %q beside %d proposals", c.name, r.Note, len(names))
		}
	}
}

func TestCheckWritesNothing(t *testing.T) {
	path := setuptest.InEmptyDirectory(t, setuptest.StreamCase)
	look(path, []string{"output.fields.every=1"})
	if files, err := filepath.Glob("*"); err != nil || len(files) != 1 {
		t.Errorf("the directory holds %v (%v), only the case was there", files, err)
	}
	if files, _ := filepath.Glob(".*"); len(files) > 0 {
		t.Errorf("the directory holds %v", files)
	}
}

func TestAnEarlierRunInTheDirectoryIsTold(t *testing.T) {
	path := setuptest.InEmptyDirectory(t, setuptest.StreamCase)
	if err := os.MkdirAll("case.out", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("case.out/manifest.json", []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r := look(path, nil)
	r.Write(&out, nil)
	if !r.Output.Earlier || !strings.Contains(out.String(), "holds an earlier run") {
		t.Errorf("an earlier run is not told:\n%s", out.String())
	}
}

func TestOutputsAreCounted(t *testing.T) {
	r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), []string{"output.checkpoint.every=10", "output.fields={every=5, quantities=[\"velocity\",\"vorticity\"]}"})
	nodes := int64(320 * 240)
	if f := r.Output.Fields; f.Count != 8 || f.Bytes != 4*4*nodes { // three components and one, single precision
		t.Errorf("fields %+v", f)
	}
	if c := r.Output.Checkpoints; c.Count != 4 || c.Kept != 2 || c.Bytes != 9*8*nodes {
		t.Errorf("checkpoints %+v", c)
	}
}

func TestTheReportFitsATerminalAndIsPlainWithoutColours(t *testing.T) {
	for _, sets := range [][]string{nil, {"fluid.precision=f32/f16", "fluid.layout=soaos", "reference.velocity=0.01", "run.stop_when.steady=1e-6"}, {"reference.reynolds=300", "body.0.spacing=1.8"}, {"reference.resolution=2"}, {"reference.reynolds=1e9", "run.time=1e9"}} {
		var out, coloured bytes.Buffer
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), sets)
		r.Write(&out, nil)
		r.Write(&coloured, func(v Verdict, word string) string { return "<" + word + ">" })
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > PageWidth {
				t.Errorf("%v: a line of %d characters: %s", sets, n, line)
			}
		}
		if strings.Contains(out.String(), "%!") || strings.Contains(out.String(), "\x1b") {
			t.Errorf("%v: not plain:\n%s", sets, out.String())
		}
		if plain := strings.NewReplacer("<", "", ">", "").Replace(coloured.String()); plain != out.String() || plain == coloured.String() {
			t.Errorf("%v: colours change the text:\n%s", sets, coloured.String())
		}
	}
}

func TestTheReportIsJSONWhateverTheCase(t *testing.T) {
	for _, sets := range [][]string{nil, {"reference.reynolds=300"}, {"reference.resolution=2"}, {"foo=1"}} {
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), sets)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatalf("%v: %v", sets, err)
		}
		var m map[string]any
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"errors", "bodies", "proposals"} {
			if _, isList := m[key].([]any); !isList {
				t.Errorf("%v: %s is %v, must be a list even if empty", sets, key, m[key])
			}
		}
		if m["verdict"] != string(r.Verdict) {
			t.Errorf("%v: verdict %v", sets, m["verdict"])
		}
	}
}

func TestTheProbeIsNoLargerThanTheCaseAndBounded(t *testing.T) {
	for _, size := range [][3]int{{1600, 600, 1}, {4, 100, 1}, {1, 1, 1}, {1 << 20, 1 << 19, 1}, {1440, 720, 720}, {400, 200, 200}, {64, 64, 64}} {
		const limit = 100000
		p := probeSize(size, limit)
		if nodes := p[0] * p[1] * p[2]; nodes < 1 || nodes > limit || p[0] > size[0] || p[1] > size[1] || p[2] > size[2] {
			t.Errorf("%v is probed by %v", size, p)
		}
		if size[2] > 1 && p[2] < 8 && limit/p[0] >= 64 {
			t.Errorf("%v is probed by %v: of so few layers many nodes have neighbours across a face", size, p)
		}
	}
	c, err := casefile.Parse("case.toml", []byte(setuptest.CavityCase), nil)
	if err != nil {
		t.Fatal(err)
	}
	for precision, kernel := range map[string]string{"f64": "go", "f32": "", "f32/f16": ""} {
		c.Fluid.Precision = precision
		if rate := measureRate(c, setup.Kernel{Name: kernel}); !(rate > 0.01 && rate < 1e5) { // one core with the race detector … a hundred cores
			t.Errorf("%s by kernel %q: %v MFLUPS", precision, kernel, rate)
		}
	}
}

func TestTwoDigitsAreKept(t *testing.T) {
	for v, want := range map[float64][2]float64{33.3: {34, 33}, 0.0577: {0.058, 0.057}, 400: {400, 400}, 1234: {1300, 1200}, 7.2: {8, 7.2}, 0.1: {0.1, 0.1}} {
		if up, down := roundUp(v), roundDown(v); up != want[0] || down != want[1] {
			t.Errorf("%v is rounded to %v and %v, want %v", v, up, down, want)
		}
	}
}

func TestDurationsAreReadable(t *testing.T) {
	for s, want := range map[float64]string{0.2: "1 s", 59: "59 s", 75: "1:15", 3723: "1:02:03", 10 * 86400: "10 days", 4e9: "127 years", math.NaN(): "an unknown time"} {
		if got := span(s); got != want {
			t.Errorf("%v s is %q, want %q", s, got, want)
		}
	}
	for n, want := range map[float64]string{12: "12", 1234567: "1 234 567", 1e16: "1e+16"} {
		if got := count(n); got != want {
			t.Errorf("%v is counted as %q, want %q", n, got, want)
		}
	}
}
