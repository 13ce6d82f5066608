package run

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lbmib/hybrid/rigid"
	"lbmib/run/check"
	"lbmib/run/exit"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// pathCase is a rod between two walls, with a post in its way and a second rod.
const pathCase = `
[reference]
resolution = 8
velocity = 0.05
reynolds = 10
[domain]
lattice = "D2Q9"
size = [8.0, 6.0]
[domain.boundary]
left = { type = "outflow" }
right = { type = "outflow" }
bottom = { type = "no-slip" }
top = { type = "no-slip" }
[[solid]]
name = "post"
shape = { type = "box", min = [3.5, 0.0], max = [4.5, 1.0] }
[[body]]
name = "rod"
shape = { type = "circle", center = [4.0, 3.0], diameter = 1.0 }
motion = { type = "prescribed", velocity = [0.0, 0.0] }
[[body]]
name = "other"
shape = { type = "circle", center = [1.5, 3.0], diameter = 1.0 }
[run]
time = 10.0
[output]
plots = false
`

// What a prescribed motion leads to is told before anything is written, with its
// key and the time: the one at which a run would stop.
func TestPrescribedPathsAreFollowedBeforeTheRun(t *testing.T) {
	for name, c := range map[string]struct {
		motion string
		says   string
		t      float64 // at which it should be so, by hand; to a node
	}{
		"out of the domain":        {`velocity=[1.0, 0.0]`, `body "rod" leaves the domain: its markers need nodes`, 3.5},
		"by an integral":           {`velocity=["t", 0.0]`, "leaves the domain", 2.6},
		"into a wall":              {`displacement=[2.5, "2.8*sin(0.2*t)"]`, "leaves the domain", 5.5},
		"into another body":        {`velocity=[-0.38, 0.0]`, `reaches into body`, 3.95},
		"a post in the way":        {`velocity=[0.0, -0.25]`, "solid node", 5.8},
		"both ways, late":          {`amplitude=[0.0, 1.6], frequency=0.04`, "solid node", 16.6},
		"by turning":               {`angle="t/4", pivot=[4.0, 5.0]`, "leaves the domain", 7.3},
		"along a wall, but not in": {`velocity=[0.2, 0.0]`, "", 0},
		"near, but not in":         {`amplitude=[0.9, 0.9], frequency=0.3`, "", 0},
	} {
		sets := []string{"body.0.motion={type=\"prescribed\", " + c.motion + "}"}
		switch name {
		case "both ways, late":
			sets = append(sets, "run.time=40")
		case "out of the domain": // farther, its centre leaves, which the case file refuses
			sets = append(sets, "run.time=3.8")
		case "by an integral":
			sets = append(sets, "run.time=3")
		case "by turning":
			sets = append(sets, "run.time=8")
		case "along a wall, but not in":
			sets = append(sets, "body.0.shape.center=[4.0, 5.45]")
		}
		cas := setuptest.Load(t, pathCase, sets...)
		dir := filepath.Join(t.TempDir(), "out")
		if c.says == "" {
			if err := check.Examine(cas, setup.Kernel{}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		_, err := Run(t.Context(), cas, Options{Out: dir})
		if exit.Code(err) != exit.BadCase || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "body.0.motion") {
			t.Errorf("%s: %v, want code %d, the key and %q", name, err, exit.BadCase, c.says)
			continue
		}
		if _, e := os.Stat(dir); e == nil {
			t.Errorf("%s: a directory was made", name)
		}
		if e := check.Examine(cas, setup.Kernel{}); e == nil || e.Error() != err.Error() {
			t.Errorf("%s: check tells %v, run %v", name, e, err)
		}
		at := regexp.MustCompile(`at t = ([0-9.]+) L/U`).FindStringSubmatch(err.Error())
		if at == nil {
			t.Errorf("%s: %v tells no time", name, err)
			continue
		}
		if got, _ := strconv.ParseFloat(at[1], 64); got < c.t-0.35 || got > c.t+0.35 {
			t.Errorf("%s: at t = %g, want %g", name, got, c.t)
		}
	}
}

// The time that is told is that of the step at which a run would have stopped.
func TestTheTimeIsThatAtWhichARunWouldStop(t *testing.T) {
	cas := setuptest.Load(t, pathCase, `body.0.motion={type="prescribed", velocity=[1.0, 0.0]}`, "run.time=3.8")
	p, err := setup.New(cas)
	if err != nil {
		t.Fatal(err)
	}
	r := setUp(t, setuptest.Load(t, pathCase, "body.0.motion={type=\"prescribed\", velocity=[1.0, 0.0]}", "run.time=2"), 0)
	told := r.Problem
	told.Steps = p.Steps
	err = told.FollowPaths()
	if err == nil {
		t.Fatal("the path is not refused")
	}
	for r.Sim.Err() == nil && r.Sim.Fluid.Steps() < p.Steps {
		r.Sim.Step()
	}
	astray, ok := r.Sim.Err().(*rigid.MotionError)
	want := "at t = " + strconv.FormatFloat(float64(astray.Step)*p.Units.Dt, 'g', 4, 64) + " L/U"
	if !ok || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, the run stops %s", err, want)
	}
}

// A box of finer nodes that is given by its corners does not follow a path: what leaves it is told before the run, with the step at which that would stop.
func TestPathsOutOfTheFinestLevelAreRefused(t *testing.T) {
	text := pathCase + "\n[[refine]]\nbox = { min = [0.5, 2.0], max = [5.5, 4.5] }\n" // nodes 4 to 44 and 16 to 36
	moves := func(motion string) []string {
		return []string{"run.time=8", `body.0.motion={type="prescribed", ` + motion + `}`}
	}
	for name, c := range map[string]struct{ motion, says string }{
		"upwards":            {`velocity=[0.0, 0.25]`, `its markers need node [31 36], at [3.938 4.562] L`},
		"along, and back":    {`amplitude=[1.2, 0.0], frequency=0.2`, `body "rod" leaves the finest level: its markers need node [44 `},
		"where it begins":    {`amplitude=[0.0, 0.9], frequency=0.01, phase=1.5`, "at t = 0 L/U body"},
		"within":             {`amplitude=[0.6, 0.0], frequency=0.2`, ""},
		"standing":           {`velocity=[0.0, 0.0]`, ""}, // as in a sweep from 0 on
		"around, it follows": {`velocity=[0.0, 0.25]`, ""},
	} {
		text := text
		if name == "around, it follows" {
			text = pathCase + "\n[[refine]]\naround = \"rod\"\nmargin = 0.5\n[[refine]]\naround = \"other\"\nmargin = 0.5\n"
		}
		cas := setuptest.Load(t, text, moves(c.motion)...)
		err := check.Examine(cas, setup.Kernel{})
		if c.says == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if exit.Code(exit.AsBadCase(err)) != exit.BadCase || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
			continue
		}
		dir := filepath.Join(t.TempDir(), "out")
		if _, e := Run(t.Context(), cas, Options{Out: dir}); exit.Code(e) != exit.BadCase {
			t.Errorf("%s: run tells %v", name, e)
		}
		if _, e := os.Stat(dir); e == nil {
			t.Errorf("%s: a directory was made", name)
		}
	}
	sets := moves(`velocity=[0.0, 0.25]`)
	told := check.Examine(setuptest.Load(t, text, sets...), setup.Kernel{})
	r := setUp(t, setuptest.Load(t, text, "run.time=0.1", sets[1]), 0)
	for r.Sim.Err() == nil && r.Sim.Fluid.Steps() < 2000 {
		r.Sim.Step()
	}
	var astray *rigid.MotionError
	if !errors.As(r.Sim.Err(), &astray) || told == nil {
		t.Fatalf("%v, the run stops by %v", told, r.Sim.Err())
	}
	if want := "at t = " + strconv.FormatFloat(float64(astray.Step)*r.Units.Dt, 'g', 4, 64) + " L/U"; !strings.Contains(told.Error(), want) {
		t.Errorf("%v, the run stops %s", told, want)
	}
}
