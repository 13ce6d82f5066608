package run

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"lbmib/cuda/driver"
	"lbmib/cuda/standin"
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
	"lbmib/lbm"
	"lbmib/run/backend"
	"lbmib/run/capacity"
	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// Runs are on the processor but where a test asks for the stand-in: once that has been
// loaded, the system finds it under the name of a driver, too.
func TestMain(m *testing.M) {
	if url := os.Getenv(pageToRead); url != "" {
		readPage(url)
	}
	if err := os.Setenv(driver.PathVariable, filepath.Join(os.DevNull, "libcuda.so.1")); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// onDevice brings a case to the state after some steps on a device.
func onDevice(t *testing.T, c *casefile.Case, steps int) *run[float64] {
	t.Helper()
	c.Run.Backend = "cuda"
	o := Options{Out: t.TempDir(), Threads: 2}
	o.apply(c)
	p, err := setup.New(c)
	if err != nil {
		t.Fatal(err)
	}
	r := newRun[float64](p, o)
	r.Pool = parallel.NewPool(2)
	t.Cleanup(r.Pool.Close)
	if err := r.simulate(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.made.Close)
	if _, _, err := r.open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.out.Fields.Wait()
		r.saves.Wait()
		r.out.Close()
		r.held.Release()
	})
	r.Sim.Fluid.Initialize(p.Initial())
	r.walk(t, steps)
	return r
}

// walk makes steps and waits until the device has made them.
func (r *run[T]) walk(t *testing.T, steps int) {
	t.Helper()
	for range steps {
		r.Sim.Step()
	}
	r.Step += int64(steps)
	if err := r.made.Wait(); err != nil {
		t.Fatal(err)
	}
}

func isDone(w *observe.Work) bool {
	select {
	case <-w.Done():
		return true
	default:
		return false
	}
}

// latest is the step of the last good checkpoint; −1: there is none.
func (r *run[T]) latest() int64 {
	saved, _, err := checkpoint.Latest(r.Dir.Checkpoints())
	if err != nil {
		return -1
	}
	return saved.Step
}

// delayed makes what is copied aside from now on late by so much an operation.
func delayed(t *testing.T, by time.Duration) {
	t.Setenv("LBMIB_STANDIN_DELAY", fmt.Sprint(by.Microseconds()))
}

// A checkpoint and fields are of the step that asked for them, though the run has gone on
// for many steps before they are on the host.
func TestStepsGoOnWhileACheckpointAndFieldsAreCopiedOut(t *testing.T) {
	standin.Use(t)
	still := onDevice(t, setuptest.Load(t, watchedCase, overlapping...), 20)
	r := onDevice(t, setuptest.Load(t, watchedCase, overlapping...), 20)
	delayed(t, 10*time.Millisecond) // nine populations take 270 ms
	if err := errors.Join(r.out.Health.Observe(), r.out.Fields.Write(false), r.saves.Observe()); err != nil {
		t.Fatal(err)
	}
	r.walk(t, 25)
	if isDone(r.saves.Work()) {
		t.Error("the checkpoint was there before the steps were: nothing shows that they did not wait")
	}
	if err := errors.Join(r.out.Fields.Wait(), r.saves.Wait(), r.out.Health.End(true)); err != nil {
		t.Fatal(err)
	}
	saved, _, err := checkpoint.Latest(r.Dir.Checkpoints())
	if err != nil || saved.Step != 20 {
		t.Fatalf("the checkpoint is %+v, %v", saved, err)
	}
	want := lbm.StateOf(still.Sim.Fluid)
	sections, err := observe.SectionsOf[float64](saved, "f", 9)
	if err != nil || !reflect.DeepEqual(sections, want.Populations) {
		t.Errorf("the populations are others (%v)", err)
	}
	held, err := observe.SectionsOf[float64](saved, "held", 3)
	if err != nil || !reflect.DeepEqual(held, still.Sim.Held()) {
		t.Errorf("what bodies hold is other (%v)", err)
	}
	if open, err := saved.Float64("open"); err != nil || !reflect.DeepEqual(open, want.Open) {
		t.Errorf("open faces are others (%v)", err)
	}
	if err := errors.Join(still.out.Fields.Write(false), still.out.Fields.Wait()); err != nil {
		t.Fatal(err)
	}
	sameFields(t, r.Dir.Path, still.Dir.Path)
}

// What a run on a device leaves is the same whether copies are late, and whether there is
// room for them at all.
func TestCapturesChangeNoBitOfTheResults(t *testing.T) {
	standin.Use(t)
	for name, text := range map[string]string{
		"in the plane": watchedCase,
		"in space, in place": strings.Replace(watchedSphere, "[run]", "[output]\nfields = { every = 0.5 }\nmeans = { from = 0.5, every = 0.1 }\n"+
			"slices = [ { name = \"cut\", axis = \"y\", at = 1.53, every = 0.25 } ]\ncheckpoint = { every = 0.4 }\n[fluid]\nstreaming = \"inplace\"\n[run]", 1),
	} {
		if testing.Short() && name != "in the plane" {
			continue // no goroutines that the other has not
		}
		t.Run(name, func(t *testing.T) {
			sets := []string{`run.backend="cuda"`, "output.plots=false", "run.time=1.0", "output.fields.every=0.25"}
			plain := leftBy(t, setuptest.Load(t, text, sets...), Options{})
			for kind, change := range map[string]func(){
				"late": func() { delayed(t, 50*time.Microsecond) },
				"without room": func() {
					t.Setenv("LBMIB_STANDIN_DELAY", "0")
					fillDevice(t, setuptest.Load(t, text, sets...))
				},
			} {
				change()
				other := leftBy(t, setuptest.Load(t, text, sets...), Options{})
				if len(other) != len(plain) || len(plain) < 20 {
					t.Errorf("%s: %d results, want %d, and 20 or more", kind, len(other), len(plain))
				}
				for name, want := range plain {
					if !reflect.DeepEqual(other[name], want) {
						t.Errorf("%s: %s differs", kind, name)
					}
				}
			}
		})
	}
}

// fillDevice takes all of the device's memory but what a case needs, and checks that there
// is no capture then, and that the report says so.
func fillDevice(t *testing.T, c *casefile.Case) {
	t.Helper()
	t.Setenv("LBMIB_STANDIN_MEMORY", fmt.Sprint(5<<28)) // a device whose reserve is what the case needs
	p, err := setup.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := capacity.Find(p); err != nil {
		t.Fatal(err)
	}
	if c := capacity.Captures(p); !c.Fit || !strings.Contains(c.String(), "more, so that outputs leave it beside the steps") {
		t.Errorf("with room: %+v, %q", c, c)
	}
	d, err := backend.OpenDevice()
	if err != nil {
		t.Fatal(err)
	}
	free, _, err := d.Memory()
	if err != nil {
		t.Fatal(err)
	}
	fill, err := d.Context().Alloc(int(free - p.Needs.Device - 1<<19)) // solids are counted later
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		fill.Free()
		d.Close()
	})
	if err := capacity.Find(p); err != nil {
		t.Fatal(err)
	}
	if c := capacity.Captures(p); c.Fit || !strings.Contains(c.String(), "do not fit, so that steps wait") {
		t.Errorf("without room: %+v, %q", c, c)
	}
	r := onDevice(t, c, 3)
	if r.Sim.CaptureState() != nil || r.Sim.CaptureBoxes([]lbm.Box{{Hi: r.Flow.Size}}) != nil {
		t.Error("something is captured without room for it")
	}
	r.made.Close()
}

// A state in which the flow has diverged is found beside the stepping. Nothing is written
// of it, and the checkpoint before stays.
func TestALostStateIsNeverWritten(t *testing.T) {
	standin.Use(t)
	r := onDevice(t, setuptest.Load(t, watchedCase, overlapping...), 20)
	if err := errors.Join(r.out.Health.Observe(), r.saves.Observe(), r.saves.Wait()); err != nil || r.latest() != 20 {
		t.Fatalf("the good checkpoint: step %d, %v", r.latest(), err)
	}
	r.walk(t, 20)
	state := lbm.StateOf(r.Sim.Fluid)
	state.Populations[3][777] = math.NaN()
	if err := r.Sim.Fluid.SetState(state); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.out.Health.Observe(), r.out.Fields.Write(false), r.saves.Observe()); err != nil {
		// The answer may have come in between, where others have the processors.
		if !strings.Contains(err.Error(), "the flow diverged by step 40") || r.latest() != 20 {
			t.Fatalf("the last checkpoint is of step %d, %v", r.latest(), err)
		}
		return
	}
	for range 5 {
		r.Sim.Step()
	}
	r.Step += 5
	ended := r.drain(nil)
	if exit.Code(ended) != exit.Diverged || strings.Count(ended.Error(), "the flow diverged") != 1 ||
		!strings.Contains(ended.Error(), "diverged by step 40") || !strings.Contains(ended.Error(), "000000000020.ckpt") {
		t.Errorf("the run ends by %v", ended)
	}
	if err := r.asRunError(r.out.Health.End(true)); exit.Code(err) != exit.Diverged || !strings.Contains(err.Error(), "diverged by step 40") {
		t.Errorf("the answer to the question is %v", err)
	}
	if r.latest() != 20 {
		t.Errorf("the last checkpoint is of step %d, want 20", r.latest())
	}
	if files, _ := os.ReadDir(filepath.Join(r.Dir.Path, "fields")); len(files) != 0 {
		t.Errorf("%d files of fields are there", len(files))
	}
}

// A checkpoint refers to the fields before it: without them it is not written, and the run
// ends by what has become of them.
func TestACheckpointBesideTheSteppingWaitsForItsFields(t *testing.T) {
	standin.Use(t)
	r := onDevice(t, setuptest.Load(t, watchedCase), 20)
	release, disk := make(chan bool), errors.New("disk full")
	r.out.Fields.Start(func() error { <-release; return disk })
	if err := r.saves.Observe(); err != nil {
		t.Fatal(err)
	}
	r.walk(t, 10)
	if isDone(r.saves.Work()) || r.latest() >= 0 {
		t.Error("the checkpoint did not wait for the fields")
	}
	close(release)
	if err := r.drain(nil); !errors.Is(err, disk) || exit.Code(err) != exit.InputOutput {
		t.Errorf("the run ends by %v", err)
	}
	if r.latest() >= 0 {
		t.Errorf("a checkpoint of step %d is there", r.latest())
	}
	if err := errors.Join(r.saves.Observe(), r.saves.Wait()); err != nil || r.latest() != 30 {
		t.Errorf("the next checkpoint: step %d, %v", r.latest(), err)
	}
}

// A run that a body has ended can be gone on with from where it ended: what a device had
// measured and not told by then is in the series when the checkpoint tells their length.
func TestACheckpointOfAStopKnowsAllThatWasMeasured(t *testing.T) {
	standin.Use(t)
	dir := t.TempDir()
	_, err := Run(t.Context(), setuptest.Load(t, stoneCase, "ib.contact.stiffness=1e-9", `run.backend="cuda"`, "output.forces.every=0.00625"), Options{Out: dir})
	if exit.Code(err) != exit.Diverged {
		t.Fatalf("the stone has not left the domain: %v", err)
	}
	saved, _, err := checkpoint.Latest(filepath.Join(dir, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	var m savedMeta
	if err := saved.DecodeMeta(&m); err != nil {
		t.Fatal(err)
	}
	file, err := os.Stat(filepath.Join(dir, "forces.csv"))
	if err != nil || file.Size() != m.Offsets.Forces {
		t.Errorf("forces.csv has %d bytes, the checkpoint knows of %d (%v)", file.Size(), m.Offsets.Forces, err)
	}
}
