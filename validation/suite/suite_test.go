package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lbmib/io/plot"
	"lbmib/io/statistics"
	"lbmib/run"
	"lbmib/run/exit"
	"lbmib/validation/cases"
	"lbmib/validation/reference"
)

func TestEveryGateHasACheckAndEveryCheckAGate(t *testing.T) {
	checks := map[[2]string]bool{}
	for _, g := range Groups() {
		for _, c := range g.Checks {
			key := [2]string{g.Name, c.Quantity}
			if checks[key] {
				t.Errorf("%v stands twice", key)
			}
			checks[key] = true
		}
	}
	gated := map[[2]string]bool{}
	for _, g := range reference.Gates() {
		key := [2]string{g.Group, g.Quantity}
		gated[key] = true
		if !checks[key] {
			t.Errorf("the gate of %v has no check", key)
		}
	}
	for key := range checks {
		if !gated[key] {
			t.Errorf("the check of %v has no gate", key)
		}
	}
}

func TestEveryRunIsACaseThatIsAcceptedAndNeeded(t *testing.T) {
	used := map[string]bool{}
	for _, g := range Groups() {
		names := map[string]bool{}
		for _, r := range g.Runs {
			if names[r.Name] {
				t.Errorf("%s: run %s stands twice", g.Name, r.Name)
			}
			names[r.Name] = true
			used[r.Case] = true
			if _, err := load(r, t.TempDir()); err != nil {
				t.Errorf("%s, run %s: %v", g.Name, r.Name, err)
			}
		}
		needed := map[string]bool{}
		for _, c := range g.Checks {
			for _, n := range c.From {
				needed[n] = true
				if !names[n] {
					t.Errorf("%s: %s needs run %s, which there is not", g.Name, c.Quantity, n)
				}
			}
		}
		for n := range names {
			if !needed[n] {
				t.Errorf("%s: nothing needs run %s", g.Name, n)
			}
		}
		for _, f := range g.Figures {
			for _, n := range f.From {
				if !names[n] {
					t.Errorf("%s: figure %s needs run %s, which there is not", g.Name, f.Name, n)
				}
			}
		}
	}
	files, err := fs.Glob(cases.Files, "*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, f := range files {
		if !used[f] {
			t.Errorf("no run uses %s", f)
		}
		if _, err := load(Run{Case: f}, t.TempDir()); err != nil { // as a user would run it
			t.Error(err)
		}
	}
}

func TestGroupsAreChosenByNameAndSuite(t *testing.T) {
	quick, err := Select(nil, true)
	if err != nil || len(quick) < 10 {
		t.Fatalf("%d groups in the quick suite: %v", len(quick), err)
	}
	full, err := Select(nil, false)
	if err != nil || len(full) != len(Groups()) {
		t.Errorf("%d groups in the full suite, want all %d: %v", len(full), len(Groups()), err)
	}
	one, err := Select([]string{"dfg"}, true)
	if err != nil || len(one) != 1 || len(one[0].Runs) == 0 || len(one[0].Runs) >= len(one[0].Group.Runs)+1 {
		t.Errorf("dfg alone: %+v, %v", one, err)
	}
	for _, r := range one[0].Runs {
		if r.Name == "2D1-D40" {
			t.Error("the quick suite runs D = 40, which no quick gate needs")
		}
	}
	if _, err := Select([]string{"dgf"}, false); err == nil || !strings.Contains(err.Error(), "dfg") {
		t.Errorf("an unknown group gives %v, want the names that there are", err)
	}
	if _, err := Select([]string{"sphere"}, true); err == nil || !strings.Contains(err.Error(), "--quick") {
		t.Errorf("a group without quick gates gives %v", err)
	}
}

// tiny is a plan of one short run and one run that cannot be.
func tiny() Plan {
	check := func(name, from string, value func(r *Results) float64, low, high float64) Test {
		return Test{Check{name, []string{from}, value}, reference.Gate{Group: "tiny", Quantity: name, Reference: 1, Low: low, High: high, Source: "itself", Confidence: "V", Tolerance: "none"}}
	}
	decay := func(r *Results) float64 {
		x, u := r.Line("short", "row", end, "x", "u")
		a, b, _ := statistics.Harmonic(x, u, 2*math.Pi)
		return math.Hypot(a, b)
	}
	h := 1. / 32
	short := []string{resolution(16), "run.time=0.02", lines(line("row", []float64{h, 0.25 - h}, []float64{1 - h, 0.25 - h}, 16, 0.02))}
	g := Group{Name: "tiny", Title: "Tiny", About: "A test.",
		Runs: []Run{{"short", "taylor-green.toml", short}, {"wrong", "taylor-green.toml", []string{"reference.velocity=0.9"}}},
		Figures: []Figure{{Name: "row", Title: "Row", X: "x", Y: "u", From: []string{"short"}, Lines: func(r *Results) []plot.Line {
			x, u := r.Line("short", "row", end, "x", "u")
			return []plot.Line{{Name: "u", X: x, Y: u}}
		}}},
	}
	return Plan{g, []Test{
		check("amplitude", "short", decay, 0.8, 1.2),
		check("amplitude, too high a bound", "short", decay, 1.1, 1.2),
		check("a file that is not there", "short", func(r *Results) float64 { return average(r.Column("short", "none.csv", "t")) }, 0, 1),
		check("a column that is not there", "short", func(r *Results) float64 { _, w := r.Line("short", "row", end, "x", "w"); return last(w) }, 0, 1),
		check("of a run that fails", "wrong", decay, 0, 2),
		check("beside a doubtful reference", "short", func(*Results) float64 { return 17 }, math.NaN(), math.NaN()),
	}}
}

func TestPlansAreRunKeptAndReported(t *testing.T) {
	dir := t.TempDir()
	var progress bytes.Buffer
	o := Options{Out: filepath.Join(dir, "runs"), Threads: 1, Version: "v1", Progress: &progress}
	plans := []Plan{tiny()}
	do := func() []Outcome {
		t.Helper()
		progress.Reset()
		outcomes, err := Do(context.Background(), plans, o)
		if err != nil || len(outcomes) != 6 {
			t.Fatalf("%d outcomes, want 6: %v\n%s", len(outcomes), err, progress.String())
		}
		return outcomes
	}
	first := do()
	if want := math.Cos(math.Pi/16) * math.Exp(-8*math.Pi*math.Pi*0.1*0.02); math.Abs(first[0].Value-want) > 0.01 {
		t.Errorf("amplitude %g, want %g within 0.01", first[0].Value, want)
	}
	for i, want := range []struct {
		pass bool
		note string
	}{{true, ""}, {false, ""}, {false, "none.csv"}, {false, `"w"`}, {false, "Mach"}, {true, ""}} {
		if first[i].Pass() != want.pass || !strings.Contains(first[i].Note, want.note) {
			t.Errorf("%s: pass %v, note %q", first[i].Test.Quantity, first[i].Pass(), first[i].Note)
		}
	}
	if text := progress.String(); strings.Contains(text, "kept") || !strings.Contains(text, "FAIL amplitude, too high a bound") || !strings.Contains(text, "told beside a doubtful reference: 17") {
		t.Errorf("progress:\n%s", text)
	}
	if again := do(); again[0].Value != first[0].Value || !strings.Contains(progress.String(), "short: kept") {
		t.Errorf("a finished run is done again, or gives %g instead of %g:\n%s", again[0].Value, first[0].Value, progress.String())
	}
	o.Version = "v2"
	do()
	if strings.Contains(progress.String(), "kept") {
		t.Error("the run of another version is kept")
	}
	o.Version, o.Kept = "v3", true
	if kept := do(); kept[0].Value != first[0].Value {
		t.Errorf("the kept run gives %g instead of %g", kept[0].Value, first[0].Value)
	}
	if v := KeptVersions(plans, o.Out); len(v) != 1 || v[0] != "v2" {
		t.Errorf("runs are of %v, want v2", v)
	}
	reported(t, filepath.Join(dir, "report"), NewDocument(first, true, Host{"v1", "a processor", 1}, time.Second), plans, o)
}

// reported writes and reads the reports.
func reported(t *testing.T, dir string, d *Document, plans []Plan, o Options) {
	t.Helper()
	if d.Passed != 1 || d.Failed != 4 || d.Told != 1 {
		t.Errorf("%d passed, %d failed, %d told, want 1, 4 and 1", d.Passed, d.Failed, d.Told)
	}
	if err := WriteReport(dir, d, plans, o); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var back Document
	if err := json.Unmarshal([]byte(read("report.json")), &back); err != nil || len(back.Cases) != 6 || back.Cases[0].Value != d.Cases[0].Value || !math.IsNaN(float64(back.Cases[2].Value)) {
		t.Errorf("report.json holds %+v: %v", back, err)
	}
	for name, texts := range map[string][]string{
		"report.md":   {"a processor", "**FAIL**", "tiny-row.png", "amplitude"},
		"report.html": {"a processor", "FAIL", "data:image/png;base64,iVBOR", "</html>"},
	} {
		for _, text := range texts {
			if !strings.Contains(read(name), text) {
				t.Errorf("%s does not say %q", name, text)
			}
		}
	}
	var b bytes.Buffer
	if err := d.WriteText(&b); err != nil || !strings.Contains(b.String(), "1 passed, 4 failed") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// mover moves a directory when the first run is told, and makes another in its place.
type mover struct {
	bytes.Buffer
	from, to string
	err      error
}

func (m *mover) Write(text []byte) (int, error) {
	if strings.Contains(string(text), " nodes, ") && m.to != "" {
		m.err = errors.Join(os.Rename(m.from, m.to), os.Mkdir(m.from, 0o777))
		m.to = ""
	}
	return m.Buffer.Write(text)
}

// The runs of a suite and its report are where its directory is, not in what has taken its
// place.
func TestADirectoryOfRunsThatIsMovedKeepsThem(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "runs"), filepath.Join(dir, "moved")
	progress := &mover{from: from, to: to}
	o := Options{Out: from, Threads: 1, Version: "v", Progress: progress}
	release, err := o.Hold()
	if err != nil {
		t.Fatal(err)
	}
	plans := []Plan{tiny()}
	outcomes, err := Do(context.Background(), plans, o)
	if err != nil || progress.err != nil || !outcomes[0].Pass() {
		t.Fatalf("%v, %v\n%s", err, progress.err, progress.String())
	}
	if r := plans[0].kept(o); len(r.runs) == 0 {
		t.Error("the report finds no run")
	}
	release()
	if !strings.HasSuffix(progress.String(), "everything that this suite wrote is in "+to+"\n") {
		t.Errorf("it says\n%s", progress.String())
	}
	if left, err := os.ReadDir(from); err != nil || len(left) > 0 {
		t.Errorf("the other directory holds %v (%v)", left, err)
	}
	if runs, err := filepath.Glob(filepath.Join(to, "*", "*", "summary.json")); err != nil || len(runs) == 0 {
		t.Errorf("the directory of the runs has no summary (%v)", err)
	}
}

func TestAChangedCaseIsRunAgain(t *testing.T) {
	dir := t.TempDir()
	c, err := load(tiny().Runs[0], t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Run(context.Background(), c, run.Options{Out: dir, Threads: 1, Quiet: true, Version: "v"}); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		sets []string
		kept bool
	}{{nil, true}, {[]string{"run.threads=2"}, true}, {[]string{"run.time=0.04"}, false}, {[]string{"reference.reynolds=11.0"}, false}, {[]string{"output.statistics.from=0.01"}, false}} {
		run := tiny().Runs[0]
		run.Sets = append(run.Sets, x.sets...)
		changed, err := load(run, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if version, got := keptRun(dir, changed); got != x.kept || got && version != "v" {
			t.Errorf("with %v the run is kept: %v, want %v", x.sets, got, x.kept)
		}
	}
}

func TestKeptRunsThatAreMissingAreLeftOut(t *testing.T) {
	p := tiny()
	p.Runs, p.Tests = p.Runs[:1], p.Tests[:2]
	var progress bytes.Buffer
	outcomes, err := Do(context.Background(), []Plan{p}, Options{Out: t.TempDir(), Threads: 1, Version: "v", Kept: true, Progress: &progress})
	if err != nil || len(outcomes) != 0 || !strings.Contains(progress.String(), "short: not run") {
		t.Errorf("%d outcomes of nothing, %v:\n%s", len(outcomes), err, progress.String())
	}
}

func TestAnInterruptedSuiteSaysHowToGoOn(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Do(ctx, []Plan{tiny()}, Options{Out: t.TempDir(), Threads: 1, Version: "v", Progress: &bytes.Buffer{}})
	var coded *exit.Error
	if !errors.As(err, &coded) || coded.Code != exit.Interrupted || !strings.Contains(err.Error(), "goes on from there") {
		t.Errorf("got %v", err)
	}
}

func TestTheListTellsRunsBoundsAndSources(t *testing.T) {
	plans, err := Select([]string{"duct", "dfg"}, false)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteList(&b, plans); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"run n32: duct.toml", "Nabh (1998)", "2D-1 drag, D = 20: 5.5795", " …"} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("the list does not say %q:\n%s", text, b.String())
		}
	}
}

func TestRunsAreMadeOnTheBackendAskedFor(t *testing.T) {
	o := Options{Backend: "cuda"}
	for file, want := range map[string]string{"cylinder.toml": "cuda", "couette.toml": "cuda", "settling.toml": "cuda"} {
		run := Run{Name: "one", Case: file, Sets: []string{"run.threads=1"}}
		c, err := o.load(run)
		if err != nil {
			t.Fatal(err)
		}
		if c.Run.Backend != want || c.Run.Threads != 1 {
			t.Errorf("%s is computed on %s, want %s", file, c.Run.Backend, want)
		}
		if len(run.Sets) != 1 {
			t.Errorf("%s: the run was changed: %v", file, run.Sets)
		}
		if c, err = (&Options{}).load(run); err != nil || c.Run.Backend != "auto" {
			t.Errorf("%s without a backend is computed on %s, %v", file, c.Run.Backend, err)
		}
	}
}
