package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"time"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/io/casefile"
	"lbmib/run"
	"lbmib/run/exit"
	"lbmib/run/setup"
	"lbmib/validation/cases"
)

// fewNodes is a number of nodes below which threads would wait for each other
// longer than they work.
const fewNodes = 4096

// Options say how the suite is run.
type Options struct {
	Out      string // directory of the runs, which are kept
	Threads  int    // 0: all processors
	Kernel   setup.Kernel
	Version  string // of the program: runs of another are done again
	Backend  string // of all runs; empty: the cases'
	Kept     bool   // finished runs of any version are taken and nothing is run
	Progress io.Writer
	Requests *run.Requests // for the run at hand; nil: there are none
}

// common is what all runs of the suite leave out: pictures of their own, and
// checkpoints, since a run that is interrupted is short enough to be done again.
var common = []string{"output.plots=false", "output.checkpoint.every=0.0"}

// Do runs the plans in order and returns a row per quantity. A run that fails
// fails the quantities that need it, and nothing else. A cancelled context ends
// it with the rows so far and the context's error.
func Do(ctx context.Context, plans []Plan, o Options) ([]Outcome, error) {
	held, err := o.hold()
	if err != nil {
		return nil, err
	}
	defer held.Release()
	var all []Outcome
	for i, p := range plans {
		fmt.Fprintf(o.Progress, "[%d/%d] %s: %s\n", i+1, len(plans), p.Name, p.Title)
		rows, err := p.do(ctx, o)
		all = append(all, rows...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// Hold makes the directory of the runs and holds it until release: its path means the same
// directory to Do and WriteReport, also after it was moved. Release tells of that.
func (o *Options) Hold() (release func(), err error) {
	held, err := o.hold()
	if err != nil {
		return nil, err
	}
	return func() {
		if text := held.Warning(o.Out, "suite"); text != "" {
			fmt.Fprintln(o.Progress, text)
		}
		held.Release()
	}, nil
}

func (o *Options) hold() (*durable.Held, error) {
	if err := durable.MakeDir(o.Out); err != nil {
		return nil, &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("the runs need a directory: %w (with --out DIR)", err)}
	}
	held, err := durable.Hold(o.Out)
	if err != nil {
		return nil, &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("the directory of the runs cannot be read: %w: %s", err, durable.Remedy(err, "make it readable or choose another with --out DIR"))}
	}
	return held, nil
}

// Outcome is a quantity, its value and its gate.
type Outcome struct {
	Test  Test
	Value float64 // NaN where there is none
	Wall  float64 // seconds of the runs that it came from, or of computing it
	Note  string  // why there is no value
}

// Pass tells whether the value lies within its gate.
func (o *Outcome) Pass() bool { return o.Note == "" && o.Test.Gate.Holds(o.Value) }

// do runs a plan: every quantity is told as soon as its runs have finished.
func (p *Plan) do(ctx context.Context, o Options) ([]Outcome, error) {
	r := &Results{runs: map[string]*finished{}}
	why := map[string]error{} // runs failed
	rows := make([]Outcome, len(p.Tests))
	told := make([]bool, len(p.Tests))
	tell := func() {
		for i, t := range p.Tests {
			if told[i] || !t.ready(r, why) {
				continue
			}
			rows[i], told[i] = t.evaluate(r, why), true
			fmt.Fprintln(o.Progress, "  "+rows[i].line())
		}
	}
	tell()
	for _, plan := range p.Runs {
		f, err := p.finish(ctx, plan, o)
		if errors.Is(err, errNotRun) {
			continue
		}
		if ctx.Err() != nil {
			return made(rows, told), interrupted(o)
		}
		if err != nil {
			why[plan.Name] = err
			fmt.Fprintf(o.Progress, "  %s: %v\n", plan.Name, err)
		} else {
			r.runs[plan.Name] = f
		}
		tell()
	}
	return made(rows, told), nil
}

// errNotRun is of a run that has not finished, where nothing is to be run.
var errNotRun = errors.New("not run")

// made are the rows that were told.
func made(rows []Outcome, told []bool) (out []Outcome) {
	for i, r := range rows {
		if told[i] {
			out = append(out, r)
		}
	}
	return out
}

// interrupted is the error of a suite that was stopped.
func interrupted(o Options) error {
	return &exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("interrupted: the runs that had finished are kept in %s, and the same command goes on from there", o.Out)}
}

// ready tells whether all runs of a test have finished or failed.
func (t *Test) ready(r *Results, why map[string]error) bool {
	for _, n := range t.From {
		if r.runs[n] == nil && why[n] == nil {
			return false
		}
	}
	return true
}

// evaluate is the outcome of a test whose runs have ended.
func (t *Test) evaluate(r *Results, why map[string]error) Outcome {
	out := Outcome{Test: *t, Value: math.NaN()}
	for _, n := range t.From {
		if err := why[n]; err != nil {
			out.Note = fmt.Sprintf("run %s failed: %v", n, err)
			return out
		}
		out.Wall += r.runs[n].summary.WallSeconds
	}
	begin := time.Now()
	r.err = nil
	out.Value = t.Value(r)
	if len(t.From) == 0 {
		out.Wall = time.Since(begin).Seconds()
	}
	switch {
	case r.err != nil:
		out.Value, out.Note = math.NaN(), r.err.Error()
	case math.IsNaN(out.Value) || math.IsInf(out.Value, 0):
		out.Value, out.Note = math.NaN(), "the runs give no number"
	}
	return out
}

// line is an outcome for people.
func (o *Outcome) line() string {
	verdict, g := "pass", o.Test.Gate
	if !o.Pass() {
		verdict = "FAIL"
	}
	if o.Note != "" {
		return fmt.Sprintf("%s %s: %s", verdict, g.Quantity, o.Note)
	}
	deviation := ""
	if d := g.Deviation(o.Value); !math.IsNaN(d) {
		deviation = fmt.Sprintf(" (%+.2f %%)", 100*d)
	}
	if g.ReportOnly() {
		return fmt.Sprintf("told %s: %.5g%s, remembered reference %.5g, no bounds", g.Quantity, o.Value, deviation, g.Reference)
	}
	return fmt.Sprintf("%s %s: %.5g%s, reference %.5g, bounds %.5g … %.5g", verdict, g.Quantity, o.Value, deviation, g.Reference, g.Low, g.High)
}

// finish does a run, or finds it finished.
func (p *Plan) finish(ctx context.Context, plan Run, o Options) (*finished, error) {
	c, err := o.load(plan)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(o.Out, p.Name, plan.Name)
	if version, kept := keptRun(dir, c); kept && (o.Kept || version == o.Version) {
		fmt.Fprintf(o.Progress, "  %s: kept from before\n", plan.Name)
		return readFinished(dir, c)
	}
	if o.Kept {
		fmt.Fprintf(o.Progress, "  %s: not run\n", plan.Name)
		return nil, errNotRun
	}
	nodes, told, err := nodesOf(c)
	if err != nil {
		return nil, err
	}
	threads := o.Threads
	if nodes < fewNodes {
		threads = 1
	}
	fmt.Fprintf(o.Progress, "  %s: %s, %d steps …\n", plan.Name, told, c.Run.Steps)
	// No checkpoint is there to continue from: what an interrupted run left is replaced.
	s, err := run.Run(ctx, c, run.Options{Out: dir, Threads: threads, Kernel: o.Kernel, Overwrite: true, Progress: o.Progress, Version: o.Version, Requests: o.Requests})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(o.Progress, "  %s: %s at t = %.4g L/U after %s\n", plan.Name, s.Status, s.Time, time.Duration(s.WallSeconds*float64(time.Second)).Round(100*time.Millisecond))
	return readFinished(dir, c)
}

// nodesOf is how many nodes a case has, and what a step updates of them where they are of several levels.
func nodesOf(c *casefile.Case) (nodes int64, told string, err error) {
	if len(c.Refine) == 0 { // what the domain is made of; a problem would have the bodies made twice
		n := c.Domain.Nodes
		nodes = int64(n[0]) * int64(n[1]) * int64(n[2])
		return nodes, fmt.Sprintf("%d nodes", nodes), nil
	}
	p, err := setup.New(c)
	if err != nil {
		return 0, "", err
	}
	return p.Nodes(), fmt.Sprintf("%d nodes, %.0f updates a step", p.Nodes(), p.Updates()), nil
}

// surfacesIn is where, in the directory of the runs, surfaces of vessels are.
const surfacesIn = "surfaces"

// load reads the case of a run of the suite in a directory, where it leaves the surface of a vessel.
func load(plan Run, out string) (*casefile.Case, error) {
	text, err := cases.Files.ReadFile(plan.Case)
	if err != nil {
		return nil, fmt.Errorf("there is no case %s: %w", plan.Case, err)
	}
	sets, err := plan.withSurface(filepath.Join(out, surfacesIn))
	if err != nil {
		return nil, err
	}
	return casefile.Parse(plan.Case, text, slices.Concat(common, sets))
}

// load reads the case of a run for the suite's backend.
func (o *Options) load(plan Run) (*casefile.Case, error) {
	c, err := load(plan, o.Out)
	if err != nil || o.Backend == "" {
		return c, err
	}
	plan.Sets = append(slices.Clone(plan.Sets), "run.backend="+o.Backend)
	return load(plan, o.Out)
}

// keptRun tells whether a directory holds the finished run of a case, and of which
// version of the program.
func keptRun(dir string, c *casefile.Case) (version string, kept bool) {
	text, err := regular.ReadFile(filepath.Join(dir, "manifest.json"), regular.Most)
	if err != nil {
		return "", false
	}
	var m struct {
		Case    map[string]any `json:"case"`
		Hash    string         `json:"case_sha256"`
		Version string         `json:"version"`
		Status  string         `json:"status"`
	}
	if json.Unmarshal(text, &m) != nil || m.Hash != c.Hash() || m.Status != "done" && m.Status != "steady" {
		return "", false
	}
	if _, err := durable.Stat(filepath.Join(dir, "summary.json")); err != nil {
		return "", false
	}
	now, err := physics(c.Resolved())
	if err != nil {
		return "", false
	}
	then, err := physics(m.Case)
	return m.Version, err == nil && now == then
}

// physics is a resolved case as JSON, without what does not change results.
func physics(resolved map[string]any) (string, error) {
	text, err := json.Marshal(resolved)
	if err != nil {
		return "", err
	}
	var all map[string]any // a copy of numbers and texts alone, like one that was read
	if err := json.Unmarshal(text, &all); err != nil {
		return "", err
	}
	for _, key := range [][2]string{{"run", "threads"}, {"output", "directory"}} {
		if t, ok := all[key[0]].(map[string]any); ok {
			delete(t, key[1])
		}
	}
	text, err = json.Marshal(all)
	return string(text), err
}

// KeptVersions are the versions of the program that made the kept runs of plans.
func KeptVersions(plans []Plan, out string) (versions []string) {
	for _, p := range plans {
		for _, plan := range p.Runs {
			c, err := load(plan, out)
			if err != nil {
				continue
			}
			if v, kept := keptRun(filepath.Join(out, p.Name, plan.Name), c); kept && !slices.Contains(versions, v) {
				versions = append(versions, v)
			}
		}
	}
	return versions
}
