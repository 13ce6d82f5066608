package check

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/machine"
	"lbmib/io/casefile"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// Check, a run and the note after a divergence say the same about a Reynolds number that the grid
// does not resolve: values that pass the check, a turbulence model, or no.
func TestAdviceEndsInACaseThatRunsOrInANo(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for _, c := range []struct {
		name string
		sets []string
		of   string // the first proposal; empty: none
		says string
	}{
		{"finer grid", []string{"reference.reynolds=500"}, "safe", "reference.resolution=100"},
		{"model", []string{"reference.reynolds=3e4"}, "modelled", "--set fluid.les.type=smagorinsky --set fluid.les.constant=0."},
		{"operator beside the model", []string{"reference.reynolds=500", "fluid.collision=mrt", `fluid.les={type="smagorinsky", constant=0.1}`}, "safe", "fluid.collision=recursive"},
		{"no", []string{"reference.reynolds=1e9"}, "", "no: at Re = 1e+09 this case runs on no grid"},
	} {
		path := setuptest.InEmptyDirectory(t, setuptest.StreamCase)
		r := look(path, c.sets)
		first := ""
		if len(r.Proposals) > 0 {
			first = r.Proposals[0].Name
			again := look(path, append(c.sets, r.Proposals[0].Set...))
			if again.Err() != nil || again.trouble() == Unsafe {
				t.Errorf("%s: what is proposed is judged %s: %v", c.name, again.Verdict, again.Errors)
			}
		}
		cas, err := casefile.Load(path, c.sets)
		if err != nil {
			t.Fatal(err)
		}
		before, after := Advice(cas, false), Advice(cas, true)
		if first != c.of || before != after || !strings.Contains(before, c.says) {
			t.Errorf("%s: check proposes %q, a run says %q, after a divergence %q; want %q, …%s…", c.name, first, before, after, c.of, c.says)
		}
		if len(r.Proposals) == 0 && before != r.Note {
			t.Errorf("%s: check says %q, a run %q", c.name, r.Note, before)
		}
		for _, p := range r.Proposals[:min(1, len(r.Proposals))] {
			if !strings.Contains(before, strings.Join(p.Set, " --set ")) {
				t.Errorf("%s: a run says %q, check %v", c.name, before, p.Set)
			}
		}
	}
}

// The remark on the grid Reynolds number, the proposals of check and what a run says take the same operator, constant and grid
// with a model.
func TestTheModelThatIsRemarkedIsProposed(t *testing.T) {
	for _, operator := range []string{"bgk", "trt", "mrt", "regularized", "recursive"} {
		path := setuptest.InEmptyDirectory(t, setuptest.StreamCase)
		sets := []string{`fluid.les={type="smagorinsky", constant=0.1}`, "reference.reynolds=1e4", "fluid.collision=" + operator}
		r := look(path, sets)
		cas, err := casefile.Load(path, sets)
		if err != nil {
			t.Fatal(err)
		}
		last := r.Proposals[len(r.Proposals)-1]
		says := Advice(cas, false)
		if last.Name != "modelled" || last.Collision != "recursive" || !strings.Contains(says, strings.Join(last.Set, " --set ")) {
			t.Errorf("%s: check proposes %+v last, a run says %q", operator, last, says)
		}
		if want := fmt.Sprintf("the constant 0.1 on %g nodes per L", last.Resolution); operator != "recursive" && !strings.Contains(r.Scales.GridReynolds.Reason, want) {
			t.Errorf("%s: the remark is %q, want %q", operator, r.Scales.GridReynolds.Reason, want)
		}
	}
}

// scarceDomain is the override of a three-dimensional domain of which this machine's memory holds 51 to 62 nodes per L: too few
// to resolve a flow at Re = 1e8, with a model either. Measured: 51 of 12 × 8 × 8 in 25.2 GB. Checkpoints of it may be more than
// the disk has free, so its cases switch them off.
func scarceDomain(t *testing.T) string {
	have, err := machine.Memory()
	if err != nil {
		t.Fatal(err)
	}
	n := 4.
	for (n+1+4)*(n+1)*(n+1) <= 768*float64(have)/25.2e9 {
		n++
	}
	return fmt.Sprintf("domain.size=[%g,%g,%g]", n+4, n, n)
}

// What is proposed fits bodies whose size a file tells, and the layers of walls that swing.
func TestProposalsKnowBodiesOfFilesAndSwingingWalls(t *testing.T) {
	torus, err := os.ReadFile("../../cases/torus.stl")
	path := setuptest.InEmptyDirectory(t, setuptest.SphereCase)
	if err == nil {
		err = os.WriteFile(filepath.Join(filepath.Dir(path), "body.stl"), torus, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	r := look(path, []string{"reference.reynolds=1e8", scarceDomain(t), "output.checkpoint.every=0", `body.0.shape={type="stl", file="body.stl", scale=1.0, center=[2,2,2]}`})
	if !strings.Contains(r.Note, "with the model, up to Re = ") {
		t.Errorf("of a body of a file is said %q, %v", r.Note, r.Errors)
	}
	path = setuptest.InEmptyDirectory(t, setuptest.StreamCase)
	r = look(path, []string{`body.0.motion={type="prescribed", amplitude=[0.01,0], frequency=8}`, `domain.boundary.left={type="no-slip"}`, `domain.boundary.right={type="no-slip"}`, `domain.initial={type="rest"}`})
	if len(r.Proposals) == 0 {
		t.Errorf("of a layer of %g nodes on a wall that swings is said %q", r.Bodies[0].Layer.Value, r.Note)
	}
}

// A flow that is too fine for the machine is answered with what runs there: the settings pass the check, and so does the Reynolds
// number that is resolved; the slip of a run on too coarse a grid is answered with the same bound.
func TestANoEndsInWhatRuns(t *testing.T) {
	path := setuptest.InEmptyDirectory(t, setuptest.SphereCase)
	sets := []string{"reference.reynolds=1e8", scarceDomain(t), "output.checkpoint.every=0"}
	r := look(path, sets)
	_, set, ok := strings.Cut(r.Note, ": --set ")
	if !ok || len(r.Proposals) > 0 || !strings.HasPrefix(r.Note, "no: ") {
		t.Fatalf("proposals %v, note %q", r.Proposals, r.Note)
	}
	runs := look(path, append(slices.Clone(sets), strings.Split(set, " --set ")...))
	if runs.Err() != nil || runs.trouble() == Unsafe {
		t.Errorf("what runs is %s: %v", runs.Verdict, runs.Errors)
	}
	var resolved float64
	_, after, _ := strings.Cut(r.Note, "resolved up to Re = ")
	if _, err := fmt.Sscan(strings.TrimSpace(after), &resolved); err != nil || !(resolved > 1 && resolved < 1e8) {
		t.Fatalf("%v in %q", err, r.Note)
	}
	if p := look(path, append(slices.Clone(sets), fmt.Sprintf("reference.reynolds=%g", resolved))).Proposals; len(p) == 0 || p[0].Name != "safe" {
		t.Errorf("at Re = %g is proposed %+v", resolved, p)
	}
	cas, err := casefile.Load(path, sets)
	if err != nil {
		t.Fatal(err)
	}
	bound := fmt.Sprintf("%.4g nodes per L at most", math.Floor(r.room.holds))
	if says := Advice(cas, false); says != r.Note || !strings.Contains(says, bound) {
		t.Errorf("check says %q, a run %q; want %q", r.Note, says, bound)
	}
	fine, err := casefile.Load(path, append(sets, fmt.Sprintf("reference.resolution=%g", math.Floor(r.room.holds))))
	if err != nil {
		t.Fatal(err)
	}
	bound = fmt.Sprintf("%.4g nodes per L at most", math.Floor(proposed(fine).room.holds)) // by its own memory
	if says := FinerAdvice(fine); !strings.HasPrefix(says, "no: ") || !strings.Contains(says, bound) || strings.Contains(says, "try:") {
		t.Errorf("of slip is said %q, want %q", says, bound)
	}
	l := r.Bodies[0].Layer
	if l.Verdict != Unsafe || strings.Contains(l.Reason, "raise reference.resolution") || !strings.Contains(l.Reason, fmt.Sprintf("holds %.4g at most", math.Floor(r.room.holds))) {
		t.Errorf("of the layer is said %q", l.Reason)
	}
}

// What diverged with the values that are proposed is not told to take them.
func TestAFlowThatDivergedWithWhatIsProposedIsToldToLookElsewhere(t *testing.T) {
	path := setuptest.InEmptyDirectory(t, setuptest.StreamCase)
	r := look(path, []string{"reference.reynolds=500"})
	for _, p := range r.Proposals {
		cas, err := casefile.Load(path, append([]string{"reference.reynolds=500"}, p.Set...))
		if err != nil {
			t.Fatal(err)
		}
		if text := Advice(cas, true); strings.Contains(text, strings.Join(p.Set, " --set ")) {
			t.Errorf("with %s: %q", p.Name, text)
		}
	}
}

// What check warned of without need, and what it did not tell.
func TestSlowFlowsAndOscillationsAreJudgedByTheirOwnScales(t *testing.T) {
	checkingtest.NumbersAlone(t)
	creeping := look(setuptest.InEmptyDirectory(t, setuptest.CreepingCase), nil)
	if j := creeping.Scales.Tau; j.Verdict != OK || !(j.Value > 2.4) {
		t.Errorf("τ with trt: %+v", j)
	}
	if j := look(setuptest.InEmptyDirectory(t, setuptest.CreepingCase), []string{"fluid.collision=bgk"}).Scales.Tau; j.Verdict != Caution {
		t.Errorf("τ with bgk: %+v", j)
	}
	if j := creeping.Run.FlowThroughs; j.Verdict != OK {
		t.Errorf("flow-through of a creeping flow: %+v", j)
	}
	if j := look(setuptest.InEmptyDirectory(t, setuptest.CreepingCase), []string{"run.time=0.5"}).Run.FlowThroughs; j.Verdict != Caution {
		t.Errorf("flow-through of a short run: %+v", j)
	}
	coarse := look(setuptest.InEmptyDirectory(t, setuptest.CreepingCase), []string{"reference.resolution=6"})
	own := float64(coarse.Domain.Total) * float64(coarse.Run.Steps)
	for _, q := range coarse.Proposals {
		if q.Collision != "trt" || q.Name == "fast" && float64(q.Nodes)*float64(q.steps) > own {
			t.Errorf("of a creeping flow on 6 nodes, %d nodes and %d steps, is proposed %+v", coarse.Domain.Total, coarse.Run.Steps, q)
		}
	}

	swinging := []string{`body.0.motion={type="prescribed", amplitude=[0.01,0], frequency=8}`, `domain.boundary.left={type="no-slip"}`, `domain.boundary.right={type="no-slip"}`, `domain.initial={type="rest"}`}
	r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), swinging)
	// √(ν/(πf)) = √(0.01/8π) L
	if j := r.Bodies[0].Layer; j == nil || !(j.Value > 0.39 && j.Value < 0.41) || j.Verdict != Unsafe {
		t.Errorf("the layer of an oscillation is %+v nodes, want 0.4", j)
	}

	// Sound between left and right: 1/(2·16·0.1·√3) = 0.18 U/L and its multiples
	at := func(frequency string, more ...string) []SoundReport {
		return look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), append(append(swinging[1:], `body.0.motion={type="prescribed", amplitude=[0.05,0], frequency=`+frequency+`}`), more...)).Sounds
	}
	if s := at("0.18"); len(s) != 1 || s[0].Ratio.Verdict != Caution || !strings.Contains(s[0].Ratio.Reason, "outflow faces there, or lower reference.velocity to 0.05") {
		t.Errorf("at the lowest mode of the box: %+v", s)
	}
	if s := at("0.18", "reference.velocity=0.05"); len(s) != 0 {
		t.Errorf("with what is proposed: %+v", s)
	}
	if s := at("0.18", `domain.boundary.left={type="outflow"}`, `domain.boundary.right={type="outflow"}`); len(s) != 0 {
		t.Errorf("with outflow faces: %+v", s)
	}

	for place, near := range map[string]int{"[5.55, 6.0]": 1, "[5.7, 6.0]": 0} {
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), []string{`output.probes=[{name="p", at=` + place + `}]`})
		if len(r.Probes) != near {
			t.Errorf("a probe at %s: %+v", place, r.Probes)
		}
	}
}

// What to take with a turbulence model is one thing: in the verdict on the grid Reynolds number, in what is told of noise, and
// in proposals; and check does not call it unsafe.
func TestWhatToTakeWithAModelIsOneThing(t *testing.T) {
	checkingtest.NumbersAlone(t)
	les := `fluid.les={type="smagorinsky", constant=0.1}`
	for _, c := range []struct {
		name, text string
		sets       []string
		want       string
	}{
		{"regularized in a stream", setuptest.StreamCase, []string{les, "fluid.collision=regularized", "reference.reynolds=1e4"}, `fluid.collision = "recursive" with fluid.les and the constant 0.1`},
		{"trt in a stream", setuptest.StreamCase, []string{les, "fluid.collision=trt", "reference.reynolds=1e4"}, `fluid.collision = "recursive" with fluid.les and the constant 0.1`},
		{"mrt in a stream", setuptest.StreamCase, []string{les, "fluid.collision=mrt", "reference.reynolds=1e4"}, `fluid.collision = "recursive" with fluid.les and the constant 0.1`},
		{"bgk in a stream", setuptest.StreamCase, []string{les, "fluid.collision=bgk", "reference.reynolds=1e4"}, `fluid.collision = "recursive" with fluid.les and the constant 0.1`},
		{"recursive beside corners", setuptest.SquareCase, nil, `fluid.collision = "recursive" with fluid.les and the constant 0.2`},
		{"bgk beside corners", setuptest.SquareCase, []string{"fluid.collision=bgk"}, `fluid.collision = "recursive" with fluid.les and the constant 0.2`},
		{"regularized in a cavity", setuptest.CavityCase, []string{les, "fluid.collision=regularized", "reference.reynolds=4000"}, `fluid.collision = "bgk" with fluid.les and the constant 0.2`},
		{"bgk in a cavity, beyond all models", setuptest.CavityCase, []string{les, "fluid.collision=bgk", "reference.reynolds=1e6"}, "raise reference.resolution"},
	} {
		path := setuptest.InEmptyDirectory(t, c.text)
		cas, err := casefile.Load(path, c.sets)
		if err != nil {
			t.Fatal(err)
		}
		p, err := setup.New(cas)
		if err != nil {
			t.Fatal(err)
		}
		j := look(path, c.sets).Scales.GridReynolds
		if noise := NoiseText(p, 0.5); j.Verdict != Unsafe || !strings.Contains(j.Reason, c.want) || !strings.Contains(noise, c.want) {
			t.Errorf("%s: want %q; the grid Reynolds number %g is %s, %q; noise: %q", c.name, c.want, j.Value, j.Verdict, j.Reason, noise)
		}
		var operator string
		var constant float64
		if n, _ := fmt.Sscanf(c.want, "fluid.collision = %q with fluid.les and the constant %g", &operator, &constant); n != 2 {
			continue
		}
		taken := append(c.sets, "fluid.collision="+operator, fmt.Sprintf(`fluid.les={type="smagorinsky", constant=%g}`, constant))
		if j := look(path, taken).Scales.GridReynolds; j.Verdict == Unsafe {
			t.Errorf("%s: what to take is unsafe: %q", c.name, j.Reason)
		}
		if of := modelSettings(cas, constant, nil).collision; of != operator {
			t.Errorf("%s: proposals take %s, verdicts %s", c.name, of, operator)
		}
	}
}
