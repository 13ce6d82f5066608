package sweep

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/finite"
	"lbmib/run"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// channel is a case that takes milliseconds; %-free, for it is written as it is.
const channel = `
[reference]
resolution = 8
velocity   = 0.05
reynolds   = 10
[domain]
lattice = "D2Q9"
size    = [0.5, 1.0]
force   = [0.8, 0.0]
initial = { type = "rest" }
[domain.boundary]
left   = { type = "periodic" }
right  = { type = "periodic" }
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[fluid]
collision = "bgk"
[run]
time = 4.0
[output]
checkpoint = { every = 1.0 }
plots = false
probes = [ { name = "middle", at = [0.25, 0.5], every = 1.0 } ]
`

// write writes a case file.
func write(t *testing.T, text string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "case.toml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func axesOf(t *testing.T, over ...string) (axes []Axis) {
	t.Helper()
	for _, o := range over {
		a, err := ParseAxis(o)
		if err != nil {
			t.Fatal(err)
		}
		axes = append(axes, a)
	}
	return axes
}

func plan(t *testing.T, file, dir string, over ...string) *Plan {
	t.Helper()
	p, err := NewPlan(file, nil, axesOf(t, over...), dir, false, setup.Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func runPlan(t *testing.T, p *Plan) (*Document, string, error) {
	t.Helper()
	var told bytes.Buffer
	d, err := p.Run(context.Background(), Options{Threads: 1, Progress: &told, Continue: "lbmib sweep again"})
	if d == nil {
		t.Fatal(err)
	}
	return d, told.String(), err
}

func TestCommasInsideBracketsAndQuotesDoNotPart(t *testing.T) {
	for text, want := range map[string][]string{
		"a.b=1,2.5, -3e2":                 {"1", "2.5", "-3e2"},
		"a=[1, 2],[3, 4]":                 {"[1, 2]", "[3, 4]"},
		`a="x,y",'z,',w`:                  {`"x,y"`, `'z,'`, "w"},
		`a={ b = [1, 2], c = "}" },{b=1}`: {`{ b = [1, 2], c = "}" }`, "{b=1}"},
		`a="q\",q",1`:                     {`"q\",q"`, "1"},
		"a=b=c,d":                         {"b=c", "d"},
	} {
		if a, err := ParseAxis(text); err != nil || !slices.Equal(a.Values, want) {
			t.Errorf("%s: %q, %v, want %q", text, a.Values, err, want)
		}
	}
}

func TestBadAxesAreRefusedWithARemedy(t *testing.T) {
	for text, want := range map[string]string{
		"a":         "must be key=v1,v2",
		"=1,2":      "must be key=v1,v2",
		"a=1,,2":    "value 2 is empty",
		"a=":        "value 1 is empty",
		"a=[1,2":    "']' is missing",
		"a=1],2":    "closes nothing",
		`a="x,2`:    "is not closed",
		"a=1,2,1":   "values 1 and 3 are both 1",
		"a=[1},[2]": "closes nothing",
	} {
		if _, err := ParseAxis(text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v, want %q and the flag", text, err, want)
		}
	}
}

func TestCombinationsHaveShortNamesOfTheirOwn(t *testing.T) {
	p := plan(t, write(t, channel), t.TempDir(), "reference.reynolds=10,20", `fluid.collision="bgk","trt"`)
	var names []string
	for _, c := range p.Runs {
		names = append(names, c.Name)
	}
	want := []string{"reynolds=10_collision=bgk", "reynolds=10_collision=trt", "reynolds=20_collision=bgk", "reynolds=20_collision=trt"}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q: the last key fastest", names, want)
	}
	if fileWord("[0.5, 0.0]") == fileWord("[0.50, 0.0]") {
		t.Error("two values share a word")
	}
	for _, value := range []string{`"a/b: *?"`, strings.Repeat("long ", 40), `""`, "../../x"} {
		if w := fileWord(value); w == "" || len(w) > 40 || strings.ContainsAny(w, "/\\ *?\"'") {
			t.Errorf("%q becomes %q, which is no part of a file's name", value, w)
		}
	}
}

func TestBadCombinationsAreRefusedBeforeTheFirstRun(t *testing.T) {
	file := write(t, channel)
	for name, c := range map[string]struct {
		sets, over []string
		want       []string
	}{
		"unknown key":         {over: []string{"reference.resolutoin=8,16"}, want: []string{"resolutoin = 8", "did you mean"}},
		"bad value":           {over: []string{"reference.resolution=8,-16"}, want: []string{"resolution = -16", "greater than 0"}},
		"bad in combination":  {over: []string{"reference.velocity=0.05,0.1", "fluid.collision=bgk,magic"}, want: []string{"velocity = 0.05, collision = magic"}},
		"nothing to sweep":    {want: []string{"--over key=v1,v2"}},
		"twice":               {over: []string{"run.time=1,2", "run.time=3,4"}, want: []string{"given twice"}},
		"set and swept":       {sets: []string{"run.time=3"}, over: []string{"run.time=1,2"}, want: []string{"--over and by --set"}},
		"directory":           {over: []string{"output.directory=a,b"}, want: []string{"a directory of its own"}},
		"larger than memory":  {over: []string{"reference.resolution=8,4000000"}, want: []string{"resolution = 4000000", "nodes"}},
		"too many for anyone": {over: []string{"run.seed=" + many(200), "reference.reynolds=" + many(200)}, want: []string{"more than 10000"}},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		_, err := NewPlan(file, c.sets, axesOf(t, c.over...), dir, false, setup.Kernel{})
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: the directory was made", name)
		}
	}
}

// many are so many values.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("1" + strings.Repeat("0", i%3) + string(rune('0'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10)))
	}
	return b.String()
}

func TestASweepLeavesOneTableOfAllRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sweep")
	d, _, err := runPlan(t, plan(t, write(t, channel), dir, "reference.resolution=4,8,16", "fluid.collision=bgk,trt"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "sweep.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 7 {
		t.Fatalf("sweep.csv has %d rows, want a head and 6: %v", len(rows), err)
	}
	if u := slices.Index(rows[0], "middle.u"); u < 0 || rows[1][u] == "" || rows[0][0] != "reference.resolution" || rows[6][0] != "16" {
		t.Errorf("sweep.csv has head %q and last row %q, want swept keys and the probe's last values", rows[0], rows[6])
	}
	for _, f := range []string{"sweep.json", "sweep.png", "resolution=4_collision=bgk/summary.json"} {
		if info, err := os.Stat(filepath.Join(dir, f)); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty: %v", f, err)
		}
	}
	var table strings.Builder
	if err := d.WriteTable(&table, 0); err != nil || !strings.Contains(table.String(), "| resolution | collision | status |") {
		t.Errorf("the table begins %.200q, %v", table.String(), err)
	}
	if len(d.Orders) == 0 || !strings.Contains(table.String(), "Convergence with resolution") {
		t.Errorf("three resolutions give no order of convergence: %v", d.Orders)
	}
}

func TestASweepGoesOnWhereItStopped(t *testing.T) {
	file, dir := write(t, channel), filepath.Join(t.TempDir(), "sweep")
	// The first run is finished, the second was interrupted after a checkpoint.
	if _, _, err := runPlan(t, plan(t, file, dir, "reference.reynolds=10")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := plan(t, file, dir, "reference.reynolds=10,20")
	d, err := p.Run(ctx, Options{Threads: 1, Progress: io.Discard, Continue: "lbmib sweep again"})
	if exit.Code(err) != exit.Interrupted || !strings.Contains(err.Error(), "lbmib sweep again") || len(d.Runs) != 0 {
		t.Errorf("a cancelled sweep gives %v and %d runs, want exit 130, how to continue and none", err, len(d.Runs))
	}
	before, err := os.Stat(filepath.Join(dir, "reynolds=10", "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	d, told, err := runPlan(t, p)
	if err != nil || len(d.Runs) != 2 || d.Runs[0].Status != "done" || d.Runs[1].Status != "done" {
		t.Fatalf("%v, %v", d.Runs, err)
	}
	after, err := os.Stat(filepath.Join(dir, "reynolds=10", "manifest.json"))
	if err != nil || !after.ModTime().Equal(before.ModTime()) || !strings.Contains(told, "done earlier") {
		t.Errorf("the finished run was done again: %s", told)
	}
	if u := d.Runs[0].find("middle", "u"); !(u > 0.5) {
		t.Errorf("the finished run gives u = %g, want what it gave before", u)
	}
}

// A second sweep over other keys would silently put its table in place of the first.
func TestASweepOverOtherKeysDoesNotReplaceATable(t *testing.T) {
	file, dir := write(t, channel), filepath.Join(t.TempDir(), "sweep")
	if _, _, err := runPlan(t, plan(t, file, dir, "reference.reynolds=10")); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(dir, "sweep.csv"))
	if err != nil {
		t.Fatal(err)
	}
	axes := axesOf(t, "fluid.collision=bgk,trt")
	_, err = NewPlan(file, nil, axes, dir, false, setup.Kernel{})
	for _, want := range []string{"a sweep over reference.reynolds, this one is over fluid.collision", "--overwrite", "--out DIR"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if now, err := os.ReadFile(filepath.Join(dir, "sweep.csv")); err != nil || !bytes.Equal(now, table) {
		t.Errorf("the table is now %q, %v", now, err)
	}
	p, err := NewPlan(file, nil, axes, dir, true, setup.Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	if d, _, err := runPlan(t, p); err != nil || len(d.Runs) != 2 || d.Over[0].Key != "fluid.collision" {
		t.Errorf("to be overwritten: %d runs, %v", len(d.Runs), err)
	}
	if err := os.Remove(filepath.Join(dir, "sweep.json")); err != nil {
		t.Fatal(err)
	}
	if _, err = NewPlan(file, nil, axes, dir, true, setup.Kernel{}); err == nil || !strings.Contains(err.Error(), "sweep.csv is there, but no sweep.json") {
		t.Errorf("a table that may be somebody else's: %v", err)
	}
}

// Further values of the same keys join the table, whose rows all stay.
func TestASweepGoesOnWithOtherValues(t *testing.T) {
	file, dir := write(t, channel), filepath.Join(t.TempDir(), "sweep")
	for _, over := range []string{"reference.reynolds=10,20", "reference.reynolds=40"} {
		d, _, err := runPlan(t, plan(t, file, dir, over))
		if err != nil {
			t.Fatal(err)
		}
		var values []string
		for _, r := range d.Runs {
			values = append(values, r.Values["reference.reynolds"])
		}
		if over == "reference.reynolds=40" && (!slices.Equal(values, []string{"10", "20", "40"}) || !slices.Equal(d.Over[0].Values, values)) {
			t.Errorf("the table has the values %q over %q, want 10, 20 and 40", values, d.Over[0].Values)
		}
	}
	_, err := NewPlan(file, []string{"reference.velocity=0.04"}, axesOf(t, "reference.reynolds=80"), dir, false, setup.Kernel{})
	if err == nil || !strings.Contains(err.Error(), "reynolds = 10, of an earlier sweep") || !strings.Contains(err.Error(), "another case") {
		t.Errorf("rows of another case stay in the table: %v", err)
	}
}

// A sweep's runs are run directories like any other: with their page.
func TestRunsOfASweepHaveTheirReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sweep")
	plots := strings.Replace(channel, "plots = false", "plots = true", 1)
	if _, _, err := runPlan(t, plan(t, write(t, plots), dir, "reference.reynolds=10")); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "reynolds=10", "report.html"))
	if err != nil || !bytes.Contains(page, []byte("speed")) {
		t.Errorf("report.html has %d bytes: %v", len(page), err)
	}
}

// cancelAt cancels a context when a text is told.
type cancelAt struct {
	text   string
	cancel func()
}

func (c cancelAt) Write(p []byte) (int, error) {
	if strings.Contains(string(p), c.text) {
		c.cancel()
	}
	return len(p), nil
}

func TestAnInterruptedRunResumesToTheSameResult(t *testing.T) {
	file, dir := write(t, strings.Replace(channel, "time = 4.0", "time = 40.0", 1)), filepath.Join(t.TempDir(), "sweep")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := plan(t, file, dir, "reference.reynolds=10,20")
	d, err := p.Run(ctx, Options{Threads: 1, Progress: cancelAt{"[2/2]", cancel}, Continue: "again"})
	if exit.Code(err) != exit.Interrupted || len(d.Runs) == 0 {
		t.Fatalf("%v after %d runs, want exit 130", err, len(d.Runs))
	}
	d, _, err = runPlan(t, p)
	if err != nil {
		t.Fatal(err)
	}
	whole, _, err := runPlan(t, plan(t, file, filepath.Join(t.TempDir(), "whole"), "reference.reynolds=10,20"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole.Runs {
		if a, b := d.Runs[i].find("middle", "u"), whole.Runs[i].find("middle", "u"); a != b || math.IsNaN(a) {
			t.Errorf("run %d: u = %v after an interruption, %v without", i, a, b)
		}
	}
}

func TestADivergedRunIsRecordedAndTheSweepGoesOn(t *testing.T) {
	unstable := strings.Replace(channel, "force   = [0.8, 0.0]", "force   = [4e3, 0.0]", 1)
	dir := filepath.Join(t.TempDir(), "sweep")
	p := plan(t, write(t, unstable), dir, "domain.force=[4e3, 0.0],[0.8, 0.0]")
	for range 2 { // the second time from what is recorded
		d, _, err := runPlan(t, p)
		if exit.Code(err) != exit.Diverged || len(d.Runs) != 2 {
			t.Fatalf("%v after %d runs, want exit 3 after 2", err, len(d.Runs))
		}
		if d.Runs[0].Status != "diverged" || d.Runs[0].Error == "" || d.Runs[1].Status != "done" {
			t.Errorf("%s (%q) and %s, want diverged with a message and done", d.Runs[0].Status, d.Runs[0].Error, d.Runs[1].Status)
		}
	}
}

func TestTheRunOfAnotherCaseIsNotContinued(t *testing.T) {
	file, dir := write(t, channel), filepath.Join(t.TempDir(), "sweep")
	if _, _, err := runPlan(t, plan(t, file, dir, "reference.reynolds=10")); err != nil {
		t.Fatal(err)
	}
	_, err := NewPlan(file, []string{"reference.velocity=0.04"}, axesOf(t, "reference.reynolds=10,20"), dir, false, setup.Kernel{})
	if err == nil || !strings.Contains(err.Error(), "another case") || !strings.Contains(err.Error(), "--out") {
		t.Errorf("%v, want a refusal that names the remedy", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "reynolds=20")); !errors.Is(err, os.ErrNotExist) {
		t.Error("a run was begun")
	}
}

// Estimates of errors are columns behind all that tables had at first, probes included, also of a body that
// one run alone has; without an estimate the cell is empty. Columns that came later are behind them.
func TestErrorsAreBehindTheFirstColumns(t *testing.T) {
	d := &Document{}
	for i, names := range [][]string{{"rod"}, {"rod", "wheel"}} {
		s := &run.Summary{Bodies: map[string]run.BodySummary{}}
		for _, name := range names {
			s.Bodies[name] = run.BodySummary{DragError: finite.Number([]float64{0.25, math.NaN()}[i])}
		}
		d.Runs = append(d.Runs, Run{Name: "a", Summary: s, quantities: append(quantitiesOf(s), Quantity{Of: "wake", Name: "u", probe: true})})
	}
	rows := rowsOf(t, d)
	n := slices.Index(rows[0], "rod.cd_error")
	if slices.Index(rows[0], "wake.u") > n || !slices.Equal(rows[0][n:n+2], []string{"rod.cd_error", "wheel.cd_error"}) || !slices.Equal(rows[1][n:n+2], []string{"0.25", ""}) || !slices.Equal(rows[2][n:n+2], []string{"", ""}) {
		t.Errorf("rows are %q, %q, %q", rows[0], rows[1], rows[2])
	}
	if later := rows[0][n+2:]; !slices.Contains(later, "wheel.converged") || slices.Contains(later, "wheel.cd_mean") {
		t.Errorf("rows end with %q", later)
	}
}

// Of bodies that move freely the answer is how they move: their coefficients are in files alone.
func TestASweepOfFreeBodiesIsOfTheirMotion(t *testing.T) {
	motion := &run.MotionStatistics{VelocityMean: []finite.Number{0, -0.6}, SpinMean: finite.Number(0), MotionWindow: [2]finite.Number{4, 9}, MotionConverged: true}
	b := run.BodySummary{CdMean: 1e-5, ClMean: 8, SoftStart: finite.Number(math.NaN()), MotionStatistics: motion}
	s := &run.Summary{Bodies: map[string]run.BodySummary{"ball": b}}
	d := &Document{Runs: []Run{{Name: "a", Status: "done", Summary: s, quantities: quantitiesOf(s), entries: entriesOf(s)}}}
	var told, file bytes.Buffer
	if err := d.WriteTable(&told, 0); err != nil {
		t.Fatal(err)
	}
	if err := d.writeCSV(&file); err != nil {
		t.Fatal(err)
	}
	if text := told.String(); strings.Contains(text, "Cd") || !strings.Contains(text, "mean vy / U") || !strings.Contains(text, "-0.6000") || !strings.Contains(text, "4–9") || !strings.Contains(text, "yes") {
		t.Errorf("the table is\n%s", text)
	}
	if text := file.String(); !strings.Contains(text, "ball.cd_mean") || !strings.Contains(text, "ball.vy_mean") {
		t.Errorf("sweep.csv is\n%s", text)
	}
}

// What lessens the worth of the runs is told below the table.
func TestASweepTellsTheCautionsOfItsRuns(t *testing.T) {
	d := &Document{Runs: []Run{
		{Name: "a", Status: "done", Summary: &run.Summary{Cautions: []string{"caution: c"}, Bodies: map[string]run.BodySummary{"rod": {DragError: 0.02}}}},
		{Name: "b", Status: "done", Summary: &run.Summary{Cautions: []string{"unsafe: u"}, Bodies: map[string]run.BodySummary{"rod": {DragError: 0.11}}}},
	}}
	d.warn()
	all := strings.Join(d.Warnings, "\n")
	for _, want := range []string{"the drag of rod is off by about 2 to 11 %", "b: unsafe: u"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q lacks %q", all, want)
		}
	}
}

// Every run of a sweep takes the nested grids that are proposed for it, and the same command finds them again.
func TestRunsTakeProposedGrids(t *testing.T) {
	file := write(t, `
[reference]
resolution = 8
velocity = 0.1
reynolds = 20
[domain]
lattice = "D2Q9"
size = [20.0, 12.0]
initial = { type = "uniform", velocity = [1.0, 0.0] }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
[[body]]
name  = "rod"
shape = { type = "circle", center = [5.0, 6.0], diameter = 1.0 }
[run]
time = 0.2
[output]
plots  = false
`)
	dir := t.TempDir()
	for _, told := range []string{"--refine auto: 2 levels", "done earlier"} {
		p, err := NewRefinedPlan(file, nil, axesOf(t, "reference.reynolds=20,40"), dir, false, setup.Kernel{})
		if err != nil {
			t.Fatal(err)
		}
		d, text, err := runPlan(t, p)
		if err != nil || len(d.Runs) != 2 || strings.Count(text, told) != 2 {
			t.Fatalf("%v; %q, want %q twice", err, text, told)
		}
	}
	if _, err := NewPlan(file, nil, axesOf(t, "reference.reynolds=20,40"), dir, false, setup.Kernel{}); err == nil || !strings.Contains(err.Error(), "the run of another case") {
		t.Errorf("a sweep on one grid goes on with one on several: %v", err)
	}
}
