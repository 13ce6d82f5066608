package coupled

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cuda/driver"
	"lbmib/cuda/standin"
	"lbmib/hybrid"
)

// On few nodes bodies take most of a step: time of steps that are not counted would
// bring their share above one.
func TestTheShareOfBodiesIsThatOfTheTimedSteps(t *testing.T) {
	specs, err := Selection{Size: []string{"48x32"}, Diameter: []int{16}, VolumeFraction: []float64{0.52}, Algorithm: []string{"buffered-otf"}, Threads: []int{1}}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	var l harness.Limits
	defer l.Close()
	p, err := prepare[float64](&l, specs[0], "")
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	for range 20 {
		if _, share, err := rate(p.coupled, 1); err != nil || !(share > 0 && share <= 1) {
			t.Fatalf("bodies take %g of a step, %v", share, err)
		}
		if _, share, err := rate(p.pure, 1); err != nil || share != 0 {
			t.Fatalf("no bodies take %g of a step, %v", share, err)
		}
	}
}

func TestTheReportHasItsRowsAndThoseAskedFor(t *testing.T) {
	dir := t.TempDir()
	asked, err := Selection{Size: []string{"800x300"}, Diameter: []int{20}, Algorithm: []string{"serial", "atomic"}}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	b := &Bench{Effort: harness.Effort{Repeats: 5}, Progress: io.Discard, Measure: harness.Each(func(_ context.Context, _ *harness.Limits, s Spec, _ harness.Effort) (Row, error) {
		r := newRow(s)
		r.Kernel = "go"
		if s.Algorithm == "atomic" {
			return r.without(harness.Wrong, "force is off"), nil
		}
		r.take([]sample{{100, 90, 0.08}, {100, 95, 0.09}, {100, 92, 0.07}})
		return r, nil
	})}
	rows, all, err := Report(context.Background(), b, dir, harness.Host{CPU: "Processor 9000"}, asked)
	if err != nil || len(rows) != 4 || len(all) != 4+2*3+3*5+3*2 {
		t.Fatalf("%d rows, %d in all, %v", len(rows), len(all), err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "coupled.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Processor 9000", "| kernel | go |", "## Bodies in a stream", "## The rows asked for", "sort-reduce", "1600×600", "800×300",
		"8.0 | 5.0…10.0 | 8.00", "FAILED: force is off", "lbmib bench coupled --report DIR"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
	failed, _ := harness.Verdict(all)
	if failed != 2 {
		t.Errorf("%d rows failed, want 2", failed)
	}
	stopped := errors.New("stopped")
	b.Measure = func(context.Context, *harness.Limits, []Spec, harness.Effort) ([]Row, error) { return nil, stopped }
	if _, _, err := Report(context.Background(), b, t.TempDir(), harness.Host{}, asked); !errors.Is(err, stopped) {
		t.Errorf("the error is %v", err)
	}
}

func TestEveryScheduleOfEveryBackendIsMeasured(t *testing.T) {
	standin.Use(t)
	specs, err := Selection{Size: []string{"96x48"}, Diameter: []int{12}, VolumeFraction: []float64{0.1}, Schedule: hybrid.Schedules,
		Backend: harness.Backends, Threads: []int{1}}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	b := New(harness.Effort{Repeats: 5, Step: time.Millisecond}, io.Discard, "")
	rows, err := b.Run(context.Background(), specs)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range rows {
		if r.Status != harness.OK || !(r.MFLUPSCoupled > 0) || !(r.MFLUPSPure > 0) {
			t.Errorf("%+v", r)
		}
		if (r.Schedule == "auto") != (r.Chosen != "") || (r.Backend == "cuda") != (r.Device == "stand-in") || (r.Backend == "cuda") != (r.Kernel == "cuda") {
			t.Errorf("%+v", r)
		}
		seen[r.Backend+" "+r.Schedule] = true
	}
	for _, want := range []string{"cpu serial", "cpu pipelined", "cpu auto", "cuda serial", "cuda pipelined", "cuda device", "cuda auto"} {
		if !seen[want] {
			t.Errorf("no row of %s", want)
		}
	}
	if len(rows) != 7 {
		t.Errorf("%d rows, want 7", len(rows))
	}
}

func TestSchedulesGoWithBackends(t *testing.T) {
	if _, err := (Selection{Schedule: []string{"device"}}).Plan(); err == nil || !strings.Contains(err.Error(), "--backend cuda") {
		t.Errorf("the CPU has the error %v", err)
	}
	if specs, err := (Selection{}).Plan(); err != nil || len(specs) != 2 || specs[0].Schedule != "serial" {
		t.Errorf("usual are %v, %v", specs, err)
	}
	t.Setenv(driver.PathVariable, "/nowhere/libcuda.so.1")
	if _, err := (Selection{Backend: []string{"cuda"}}).Plan(); err == nil || !strings.Contains(err.Error(), "--backend cuda: cuda: no usable CUDA driver") {
		t.Errorf("without a driver the error is %v", err)
	}
}

func TestARowReadFromJSONIsTheRow(t *testing.T) {
	specs, err := Selection{Size: []string{"200x100"}, Diameter: []int{12}, VolumeFraction: []float64{0.02, 0.04}, Precision: []string{"f64", "f32"}, Schedule: []string{"serial", "auto"}}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range specs {
		row := newRow(want)
		text, err := json.Marshal(row)
		var back Row
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil {
			t.Fatal(err)
		}
		if back.Spec != want {
			t.Errorf("%+v becomes %+v", want, back.Spec)
		}
	}
}

// Crowds in the plane and in space, of bodies that stand, move and are free, hold what bodies of a
// stream hold; the parts of a step are told per marker and per node.
func TestCrowdsAreHeldAgainstTheFluidsMomentum(t *testing.T) {
	var specs []Spec
	for _, s := range []Selection{
		{Size: []string{"32x28x30"}, Diameter: []int{9}, VolumeFraction: []float64{0.014, 0.1}, Motion: motions, Threads: []int{1}},
		{Size: []string{"64x48"}, Diameter: []int{8}, VolumeFraction: []float64{0.3}, Motion: motions[1:], Precision: []string{"f64", "f32"}, Threads: []int{1}},
	} {
		more, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		specs = append(specs, more...)
	}
	b := New(harness.Effort{Repeats: 5, Step: time.Millisecond}, io.Discard, "")
	rows, err := b.Run(context.Background(), specs)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 6+4 {
		t.Fatalf("%d rows, want 10", len(rows))
	}
	for _, r := range rows {
		if r.Status != harness.OK || len(r.Checks) != 2 || !(r.MarkerNS > 0 && r.SupportNS > 0 && r.FluidNS > 0 && r.TransferNS > 0) || !(r.Markers > 0 && r.SupportNodes > r.Markers) {
			t.Errorf("%v: %+v", r.Spec, r)
		}
		if want := map[int]string{2: "D2Q9", 3: "D3Q19"}[r.Size.Dim()]; r.Lattice != want {
			t.Errorf("%v: %s", r.Spec, r.Lattice)
		}
	}
	if one := (Spec{Size: harness.Size{32, 28, 30}, Diameter: 9, Motion: "fixed"}); math.Abs(one.fraction(1)-math.Pi/6*9*9*9/(32*28*30)) > 1e-15 {
		t.Errorf("a sphere fills %g", one.fraction(1))
	}
	if _, err := (Selection{Size: []string{"32x32x32"}, Diameter: []int{12}, VolumeFraction: []float64{0.5}}).Plan(); err == nil || !strings.Contains(err.Error(), "do not fit") {
		t.Errorf("too many spheres: %v", err)
	}
}
