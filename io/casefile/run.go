package casefile

import (
	"math"
	"slices"
	"strings"

	"lbmib/internal/parallel"
)

// maxSteps bounds a run so that step numbers are exact in float64.
const maxSteps = 1 << 53

// LongestSoftStart is the duration, in L/U, over which bodies come to rest
// relative to the initial flow where none is given, if nothing asks for less: a body that is
// there at once starts with a bang, whose sound rings for long between reflecting walls.
const LongestSoftStart = 2.0

// mostParts bounds run.parts.
const mostParts = 4096

// AutoSoftStart is Run.SoftStart where it depends on what starts, and how fast.
const AutoSoftStart = -1

// Run says how long and on what a case runs.
type Run struct {
	Time       float64 // L/U; where steps is given, the duration of these
	Steps      int64   // where time is given, the nearest number
	Backend    string  // auto | cpu | cuda | hybrid
	Threads    int     // 0: all
	Parts      int     // that one grid is divided into; 0: one for each rank
	Seed       int64   // of random numbers
	SoftStart  float64 // L/U over which bodies come from the initial flow to their own velocity; 0: at once; AutoSoftStart: by what starts
	StopSteady float64 // stop where |∂u/∂t| falls below this many U²/L everywhere; 0: never
	StopCd     float64 // stop where the 95 % confidence interval of the mean Cd has this half width relative to it; 0: never
	StopBody   string  // whose Cd that is
}

// StepsGiven tells whether the case gives its duration in steps, which is another time on another grid.
func (c *Case) StepsGiven() bool {
	run, _ := c.root["run"].(map[string]any)
	_, given := run["steps"]
	return given
}

func readRun(t *table) {
	run := &t.r.c.Run
	u := t.r.c.Reference.units(0)
	scaled := t.r.clean("reference.resolution", "reference.velocity")
	switch {
	case t.has("time") && t.has("steps"):
		t.fail("steps", "given beside time, must be one of the two: remove one")
	case t.has("steps"):
		run.Steps = t.integer("steps", 1, maxSteps, 0, "give the number of time steps")
		if scaled {
			run.Time = float64(run.Steps) * u.Dt
		}
	case t.has("time"):
		run.Time = t.number("time", spec{Time, positive, "give the duration in L/U"}, 0)
		if scaled && run.Time/u.Dt > maxSteps {
			t.fail("time", "%v takes %.3g steps, must be at most 2^53 (9e15): shorten it", run.Time, run.Time/u.Dt)
		} else if scaled {
			run.Steps = t.r.c.StepsOf(run.Time)
		}
	default:
		t.missing("time", "give time in L/U, or steps")
	}
	t.note("time", run.Time)
	t.note("steps", run.Steps)
	run.Backend = t.choice("backend", "auto")
	if v := t.r.c.Domain.Vessel; v != nil && run.Backend == "hybrid" {
		t.fail("backend", "%q does not go with a vessel, which is computed wholly on the CPU or wholly on a GPU: take \"auto\", \"cpu\" or, without bodies in it, \"cuda\"", run.Backend)
	}
	run.Threads = int(t.integer("threads", 0, parallel.MaxThreads, 0, "0 uses all cores"))
	t.note("parts", "auto")
	t.ask("parts", ask{form: "auto", def: "auto"})
	if v, ok := t.get("parts"); ok && v != any("auto") {
		run.Parts = int(t.integer("parts", 1, mostParts, 0, "give how many parts the grid is divided into, or \"auto\" for one on each rank"))
	}
	run.Seed = t.integer("seed", math.MinInt64, math.MaxInt64, 0, "")
	run.SoftStart = AutoSoftStart
	t.note("soft_start", "auto")
	t.ask("soft_start", ask{form: "auto", def: "auto"})
	if v, ok := t.get("soft_start"); ok && v != any("auto") {
		run.SoftStart = t.number("soft_start", spec{Time, notNegative, "give the duration in L/U, or 0 for an impulsive start"}, 0)
	}
	readStop(t.table("stop_when"))
}

// readStop reads what ends a run early: a steady flow, a mean Cd known well
// enough, or either.
func readStop(t *table) {
	if !t.present {
		return
	}
	run := &t.r.c.Run
	if !t.has("steady") && !t.has("cd_interval") {
		t.missing("steady", "give the largest |∂u/∂t| in U²/L, for instance steady = 1e-5, or cd_interval, for instance 0.005")
	}
	run.StopSteady = t.optional("steady", spec{Number, positive, "give the largest |∂u/∂t| in U²/L, for instance 1e-5"})
	if !t.has("cd_interval") {
		t.refuse("has no effect without cd_interval", "body")
		return
	}
	run.StopCd = t.number("cd_interval", spec{Number, bound{func(x float64) bool { return 0 < x && x < 1 }, "must be between 0 and 1"},
		"give the half width of the confidence interval over the mean Cd, for instance 0.005"}, 0)
	readStopBody(t)
}

// readStopBody reads whose Cd it is, which may be left out where there is one body.
func readStopBody(t *table) {
	if !t.r.clean("body") {
		t.has("body")
		return
	}
	var names []string
	for _, b := range t.r.c.Bodies {
		names = append(names, b.Name)
	}
	name := t.text("body", "")
	shown := strings.Join(names[:min(len(names), 10)], ", ")
	switch {
	case len(names) == 0:
		t.fail("cd_interval", "needs a body, and the case has none: remove it, or add a body")
	case t.has("body") && !slices.Contains(names, name):
		t.fail("body", "%q is no body%s: it must be one of %s", name, didYouMean(name, names), shown)
	case !t.has("body") && len(names) > 1:
		t.missing("body", "say whose Cd it is, as the case has several bodies: "+shown)
	case name == "":
		name = names[0]
	}
	t.r.c.Run.StopBody = name
	t.note("body", name)
}
