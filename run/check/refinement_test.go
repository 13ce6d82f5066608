package check

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/io/casefile"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// caseFiles are all cases of the tree.
func caseFiles(t *testing.T) (all []string) {
	t.Helper()
	for _, pattern := range []string{"../../cases/*.toml", "../../cases/templates/*.toml", "../../validation/cases/*.toml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		all = append(all, files...)
	}
	return all
}

// Proposals for a case on nested grids have the nodes of its levels, and take the time of their updates, not those of one grid.
func TestProposalsCountTheNodesOfLevels(t *testing.T) {
	r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), []string{twice, "reference.reynolds=200", "domain.size=[40.0, 12.0]"})
	if len(r.Errors) > 0 || len(r.Proposals) == 0 {
		t.Fatalf("errors %v, proposals %v, note %q", r.Errors, r.Proposals, r.Note)
	}
	for _, p := range r.Proposals {
		one := 40 * 12 * p.Resolution * p.Resolution
		finer := p.Resolution / 20
		if want := float64(r.Grids.Nodes) * finer * finer; !(math.Abs(float64(p.Nodes)/want-1) < 0.1) || !(float64(p.Nodes) < 0.5*one) {
			t.Errorf("%s at %v: %d nodes, want about %.0f; one grid has %.0f", p.Name, p.Resolution, p.Nodes, want, one)
		}
		if whole := one / 100e6 * float64(p.steps); !(float64(p.Seconds) < 0.5*whole) { // at 100 MFLUPS, as in look
			t.Errorf("%s at %v: %.3g s, one grid would take %.3g", p.Name, p.Resolution, float64(p.Seconds), whole)
		}
	}
}

// What is proposed is accepted: with the tables at its end a case is one that passes, on those grids, and is judged as it was; and it is what --refine auto takes.
func TestProposedGridsAreAccepted(t *testing.T) {
	proposed := map[string]int{}
	for _, file := range caseFiles(t) {
		if base := filepath.Base(file); base == "unstructured.toml" || strings.HasPrefix(base, "vessel-") { // of bench ib; vessels whose surfaces the suite makes, and to which none is proposed
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := casefile.Parse(file, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := Assess(c, setup.Kernel{})
		r.conclude()
		from := &proposer{r, c, speeds{mflups: 100}}
		from.proposeGrids()
		if note := r.RefinementNote; strings.Contains(note, "lbm: ") { // a refusal of a package, which is no reason
			t.Errorf("%s: %s", file, note)
		}
		f := r.Refinement
		if f == nil {
			continue
		}
		proposed[filepath.Base(file)] = len(f.Levels)
		pasted := append(append([]byte{}, text...), "\n"+f.Tables...)
		with := Judge(file, pasted, nil, setup.Kernel{})
		if err := with.Err(); err != nil || with.Grids == nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if severity[with.Verdict] > severity[r.Verdict] {
			t.Errorf("%s is judged %s, with levels %s", file, r.Verdict, with.Verdict)
		}
		if with.Grids.Updates != f.Updates || float64(f.Gain) < leastGain {
			t.Errorf("%s: %v updates, %v were promised, a gain of %v", file, with.Grids.Updates, f.Updates, f.Gain)
		}
		auto, set, note, err := WithGrids(c)
		if err != nil || set != f.Set || !strings.Contains(note, "levels of nested grids") {
			t.Errorf("%s: %q, %q, %v", file, set, note, err)
			continue
		}
		same, err := casefile.Parse(file, pasted, nil)
		if err != nil || same.Hash() != auto.Hash() {
			t.Errorf("%s: --refine auto is another case than the tables make (%v)", file, err)
		}
	}
	for file, levels := range map[string]int{"cylinder-re20.toml": 3, "cylinder.toml": 3, "sphere.toml": 3, "oscillating-cylinder.toml": 2} {
		if proposed[file] != levels {
			t.Errorf("%s: %d levels are proposed, want %d", file, proposed[file], levels)
		}
	}
	for _, file := range []string{"refined-cylinder.toml", "airfoil.toml", "cavity.toml", "sinking-discs.toml", "stirred-vessel.toml", "torus.toml"} {
		if proposed[file] != 0 {
			t.Errorf("%s: levels are proposed", file)
		}
	}
}

// Why there is no proposal, or one of fewer levels, is told where it is true and matters.
func TestWhatStandsAgainstLevelsIsTold(t *testing.T) {
	long := strings.Replace(setuptest.StreamCase, "[16.0, 12.0]", "[40.0, 15.0]", 1)
	for _, c := range []struct {
		name, text string
		sets       []string
		levels     int    // proposed
		more, why  string // words
	}{
		{"a stream", long, nil, 3, "", ""},
		{"a domain of odd nodes", long, []string{"domain.size=[40.05, 15.0]"}, 0, "", "with domain.size = [40.2, 15.0], which are whole cells of 4 nodes, 3 levels would do"},
		{"a domain of even nodes", long, []string{"domain.size=[40.1, 15.0]"}, 2, "with domain.size = [40.2, 15.0]", ""},
		{"a free body", long, []string{`body.0.motion={type="free", density=1.5}`}, 0, "", `body "rod" may go anywhere`},
		{"the host beside a device", long, []string{"run.backend=hybrid"}, 3, "", ""},
		{"coarse nodes that are too coarse", long, []string{"reference.reynolds=300"}, 2, "", ""},
		{"an operator that the coarser grid is too coarse for", long, []string{"fluid.collision=trt", "reference.reynolds=150"}, 0, "", "on the coarsest of 2, the grid Reynolds number would be 15, above 14.8: with trt waves grow where fluid enters from 14.8 on"}, // by the Λ of that level
		{"an operator that it is not too coarse for", long, []string{"fluid.collision=trt"}, 2, "", ""},
		{"a narrow domain", long, []string{"domain.size=[8.0, 6.0]"}, 0, "", ""},
		{"no body", setuptest.CavityCase, nil, 0, "", ""},
		{"walls", long, []string{`domain.boundary.top={type="no-slip"}`, `domain.boundary.left={type="velocity", profile="parabolic", peak=1.0}`, `domain.boundary.bottom={type="no-slip"}`, "reference.reynolds=60"}, 2, "", ""},
		{"a body near the inflow", long, []string{"body.0.shape.center=[1.2, 7.5]"}, 2, "", ""},
	} {
		r := look(setuptest.InEmptyDirectory(t, c.text), c.sets)
		if c.name == "the host beside a device" { // which may not be there
			r.Refinement, r.RefinementNote = proposeGrids(mustProblem(t, c.text, c.sets), room{})
		}
		levels, more := 0, ""
		if r.Refinement != nil {
			levels, more = len(r.Refinement.Levels), r.Refinement.More
		}
		if levels != c.levels || (c.more == "") != (more == "") || !strings.Contains(more, c.more) || (c.why == "") != (r.RefinementNote == "") || !strings.Contains(r.RefinementNote, c.why) {
			t.Errorf("%s: %d levels, more %q, why %q; errors %v", c.name, levels, more, r.RefinementNote, r.Errors)
		}
	}
}

func mustProblem(t *testing.T, text string, sets []string) *setup.Problem {
	t.Helper()
	return setuptest.Problem(t, text, sets...)
}

// Where bodies are near to each other one box holds them, else each has one of its own.
func TestBoxesOfSeveralBodies(t *testing.T) {
	wide := strings.Replace(setuptest.StreamCase, "[16.0, 12.0]", "[60.0, 40.0]", 1)
	second := func(at string) string {
		return strings.Replace(wide, "[run]", "[[body]]\nname = \"other\"\nshape = { type = \"circle\", center = "+at+", diameter = 1.0 }\n[run]", 1)
	}
	for at, want := range map[string]string{
		"[5.0, 8.0]":  "[[refine]]\nbox = { min = [3.0, 3.5], max = [13.5, 10.5] }\nlevel = 2\n",
		"[5.0, 30.0]": "[[refine]]\naround = \"rod\"\nmargin = [1.5, 8.0, 2.0, 2.0]\nlevel = 2\n\n[[refine]]\naround = \"other\"\nmargin = [1.5, 8.0, 2.0, 2.0]\nlevel = 2\n",
	} {
		r := look(setuptest.InEmptyDirectory(t, second(at)), nil)
		if r.Refinement == nil || r.Refinement.Tables != want {
			t.Errorf("another at %s: %+v, %q, want %q", at, r.Refinement, r.RefinementNote, want)
		}
	}
	many := strings.Replace(wide, "[run]", "array = { count = [6, 6], step = [2.0, 2.0] }\n[run]", 1)
	if r := look(setuptest.InEmptyDirectory(t, many), nil); r.Refinement == nil || strings.Count(r.Refinement.Tables, "[[refine]]") != 1 {
		t.Errorf("an array: %+v, %q, %v", r.Refinement, r.RefinementNote, r.Errors)
	}
}

// The page shows tables that can be pasted, and that they were taken where they were.
func TestProposedGridsArePrinted(t *testing.T) {
	path := setuptest.InEmptyDirectory(t, strings.Replace(setuptest.StreamCase, "[16.0, 12.0]", "[40.0, 15.0]", 1))
	for _, auto := range []bool{false, true} {
		r := checkOn(path, nil, setup.Kernel{}, auto, func(*casefile.Case, *setup.Problem, setup.Kernel) speeds { return speeds{mflups: 100, seam: 1e-7} })
		var page bytes.Buffer
		r.Write(&page, nil)
		if r.Refinement == nil || r.Refinement.Taken != auto || (r.Grids != nil) != auto || !strings.Contains(page.String(), "  [[refine]]\n  around = \"rod\"\n") {
			t.Fatalf("auto %t: %+v\n%s", auto, r.Refinement, page.String())
		}
		if auto && !(float64(r.Estimate.SeamSeconds) > 0 && r.Estimate.SeamSeconds < r.Estimate.Seconds.Value) {
			t.Errorf("seams take %v of %v s", r.Estimate.SeamSeconds, r.Estimate.Seconds.Value)
		}
		p, proposed := r.OnGrids()
		if p.Grids == nil || proposed == auto {
			t.Errorf("auto %t: grids %v, proposed %t", auto, p.Grids, proposed)
		}
	}
}

// With a turbulence model each level has the eddy viscosity of its own nodes, and is judged with the model.
func TestLevelsWithATurbulenceModel(t *testing.T) {
	text := strings.Replace(setuptest.StreamCase, "[16.0, 12.0]", "[40.0, 15.0]", 1) + "\n[[refine]]\naround = \"rod\"\nmargin = 2\nlevel = 2\n"
	r := look(setuptest.InEmptyDirectory(t, text), []string{`fluid.collision="recursive"`, `fluid.les={type="smagorinsky", constant=0.1}`, "reference.reynolds=500"})
	if r.Grids == nil {
		t.Fatal(r.Errors)
	}
	for i, want := range []struct {
		filter  float64
		verdict Verdict
	}{{0.02, Caution}, {0.01, Caution}, {0.005, ""}} { // U Δx/ν = 100, 50 and 25, beyond 40 the flow is mostly the model's
		if l := r.Grids.Levels[i]; math.Abs(float64(l.Filter)-want.filter) > 1e-12 || l.GridReynolds.Verdict != want.verdict {
			t.Errorf("level %d: filter %v, grid Reynolds number %+v, want %v and %s", i, l.Filter, l.GridReynolds, want.filter, want.verdict)
		}
	}
}
