package run

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"lbmib/io/checkpoint"
	"lbmib/io/vtkhdf"
	"lbmib/run/capacity"
	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// Images every 20 steps, checkpoints every 120: most images are still in flight
// while stepping goes on.
var overlapping = []string{"output.fields.every=0.25", `output.fields.quantities=["density"]`, "run.time=2.25"}

func TestFieldsAreThoseOfTheirStepHoweverLongWritingTakes(t *testing.T) {
	for name, c := range map[string]struct{ text, often string }{
		"in the plane": {watchedCase, "0.05"},
		"in space":     {watchedSphere, "0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			often := []string{"run.time=0.3", "output.fields.every=" + c.often, "output.checkpoint.keep=1", "output.plots=false"}
			beside := leftBy(t, setuptest.Load(t, c.text, append(often, "output.checkpoint.every=0.3")...), Options{})
			// A checkpoint waits for the image of its step: nothing overlaps.
			after := leftBy(t, setuptest.Load(t, c.text, append(often, "output.checkpoint.every="+c.often)...), Options{})
			images := 0
			for name := range after {
				if strings.HasSuffix(name, ".vtkhdf") {
					images++
				}
			}
			if images < 6 {
				t.Errorf("%d images and files of markers are compared, want 6 or more", images)
			}
			if len(beside) != len(after) {
				t.Errorf("%d results beside stepping, %d without", len(beside), len(after))
			}
			for name, want := range after {
				if !reflect.DeepEqual(beside[name], want) {
					t.Errorf("%s differs where it was written beside stepping", name)
				}
			}
		})
	}
}

// seriesIn are the names that a run directory's series of images and of markers
// list; the test fails if a file listed is missing, or one there is not listed.
func seriesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, s := range []string{"fields.vtkhdf.series", "markers.vtkhdf.series"} {
		entries, err := vtkhdf.ReadSeries(filepath.Join(dir, s))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name)
			if info, err := os.Stat(filepath.Join(dir, e.Name)); err != nil || !info.Mode().IsRegular() {
				t.Errorf("%s lists %s, which is no file: %v", s, e.Name, err)
			}
		}
	}
	there, err := os.ReadDir(filepath.Join(dir, "fields"))
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, e := range there {
		if e.Type().IsRegular() {
			files++
		}
	}
	if files != len(names) {
		t.Errorf("%d files of fields and markers are there, %d are listed", files, len(names))
	}
	return names
}

// sameFields fails the test unless two run directories hold the same fields.
func sameFields(t *testing.T, dir, want string) {
	t.Helper()
	names := seriesIn(t, want)
	if got := seriesIn(t, dir); !reflect.DeepEqual(got, names) {
		t.Errorf("the series lists %v, want %v", got, names)
	}
	for _, name := range append(names, "fields.vtkhdf.series", "markers.vtkhdf.series") {
		a, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		b, err := os.ReadFile(filepath.Join(want, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(a) != string(b) {
			t.Errorf("%s differs", name)
		}
	}
}

// wholeRun is the directory of a run of watchedCase without disturbance.
func wholeRun(t *testing.T, sets ...string) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, watchedCase, sets...), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func statusIn(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s Summary
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s.Status
}

func TestAnImageThatCannotBeWrittenEndsTheRunAndLosesNothing(t *testing.T) {
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, watchedCase, append(overlapping, "run.time=1.0")...), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	inTheWay := filepath.Join(dir, "fields", "case_000000160.vtkhdf")
	if err := os.Mkdir(inTheWay, 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := Run(t.Context(), setuptest.Load(t, watchedCase, overlapping...), Options{Out: dir, Resume: true})
	if exit.Code(err) != exit.InputOutput || !strings.Contains(err.Error(), inTheWay) {
		t.Fatalf("error %v with code %d, want one that names %s, and %d", err, exit.Code(err), inTheWay, exit.InputOutput)
	}
	if s := statusIn(t, dir); s != "failed" {
		t.Errorf("status %q, want failed", s)
	}
	if names := seriesIn(t, dir); len(names) != 2*7 { // steps 20 … 140, with markers
		t.Errorf("the series list %d files, want the 14 before the one that failed: %v", len(names), names)
	}
	// No checkpoint comes after the image that is missing.
	if saved, _, err := checkpoint.Latest(filepath.Join(dir, "checkpoint")); err != nil || saved.Step != 120 {
		t.Errorf("the last checkpoint is %+v (%v), want that of step 120", saved, err)
	}

	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), setuptest.Load(t, watchedCase, overlapping...), Options{Out: dir, Resume: true}); err != nil {
		t.Fatal(err)
	}
	sameFields(t, dir, wholeRun(t, overlapping...))
}

// cancelledAfter is a context that is cancelled once it was asked so many times:
// a run asks before every step.
type cancelledAfter struct {
	context.Context
	steps int
}

func (c *cancelledAfter) Err() error {
	if c.steps--; c.steps < 0 {
		return context.Canceled
	}
	return nil
}

func TestAnInterruptedRunFinishesTheImageInFlight(t *testing.T) {
	dir := t.TempDir()
	_, err := Run(&cancelledAfter{t.Context(), 100}, setuptest.Load(t, watchedCase, overlapping...), Options{Out: dir})
	if exit.Code(err) != exit.Interrupted {
		t.Fatalf("error %v with code %d, want %d", err, exit.Code(err), exit.Interrupted)
	}
	names := seriesIn(t, dir)
	if len(names) != 2*5 || names[4] != "fields/case_000000100.vtkhdf" {
		t.Errorf("the series list %v, want those up to step 100", names)
	}
	if _, err := Run(t.Context(), setuptest.Load(t, watchedCase, overlapping...), Options{Out: dir, Resume: true}); err != nil {
		t.Fatal(err)
	}
	sameFields(t, dir, wholeRun(t, overlapping...))
}

func TestARunThatDivergesFinishesTheImageInFlight(t *testing.T) {
	dir := t.TempDir()
	c := setuptest.Load(t, watchedCase, "reference.velocity=0.15", "reference.reynolds=1e5", "run.soft_start=0.0", "run.time=40.0",
		"output.fields.every=0.1", `output.fields.quantities=["density"]`)
	s, err := Run(t.Context(), c, Options{Out: dir})
	if exit.Code(err) != exit.Diverged {
		t.Fatalf("error %v with code %d, want %d", err, exit.Code(err), exit.Diverged)
	}
	every := c.StepsOf(0.1)
	images := (s.Steps - 1) / every // none of a state that is lost
	if names := seriesIn(t, dir); int64(len(names)) != 2*images {
		t.Errorf("%d steps every %d: the series list %d files, want %d", s.Steps, every, len(names), 2*images)
	}
}

func TestTheNextImageAndCheckpointsWaitForTheOneInFlight(t *testing.T) {
	disk := errors.New("disk full")
	for name, next := range map[string]func(r *run[float64]) error{
		"image": func(r *run[float64]) error { return r.out.Fields.Observe() }, "checkpoint": func(r *run[float64]) error { return r.saves.Observe() },
	} {
		r := setUp(t, setuptest.Load(t, watchedCase), 1)
		begin := time.Now()
		r.out.Fields.Start(func() error { time.Sleep(20 * time.Millisecond); return disk })
		if err := next(r); err != disk {
			t.Errorf("the next %s tells %v, want the error of the image before", name, err)
		}
		if waited := time.Since(begin); waited < 20*time.Millisecond {
			t.Errorf("the next %s waited %v, want 20 ms or more", name, waited)
		}
		if r.out.Fields.InFlight() {
			t.Errorf("the next %s was begun all the same", name)
		}
	}
}

func TestTheMemoryOfFieldsIsForeseen(t *testing.T) {
	onLevels := "\n[[refine]]\naround = \"cylinder\"\nlevel = 2\n"
	for name, text := range map[string]string{"in the plane": watchedCase, "in space": watchedSphere, "on levels": watchedCase + onLevels,
		"on levels, to their grids": strings.Replace(watchedCase, "quantities =", `format = "amr", quantities =`, 1) + onLevels} {
		without := setuptest.Load(t, text, "output.fields.every=0.0")
		p, err := setup.New(without)
		if err != nil {
			t.Fatal(err)
		}
		r := setUp(t, setuptest.Load(t, text, "output.fields.every=1.0"), 0)
		image := &observe.Extract[float64]{FieldSeries: r.Problem.FieldSeries()[0]}
		image.Take(&r.State)
		image.Convert(r.Problem)
		held := image.Held()
		if least := capacity.Memory(p) + held; capacity.Memory(r.Problem) < least {
			t.Errorf("%s: %d bytes with fields, want %d or more: %d without them and %d that are held", name, capacity.Memory(r.Problem), least, capacity.Memory(p), held)
		}
	}
}
