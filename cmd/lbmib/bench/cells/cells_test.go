package cells

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/lbm"
)

func plan(t *testing.T, s Selection) []Spec {
	t.Helper()
	specs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return specs
}

// Bounding boxes of cells keep their distance in every box, to the images of others and of their own, and boxes
// are filled as asked for where that can be.
func TestCellsArePackedWithoutOverlap(t *testing.T) {
	for _, diameter := range []float64{8, 15.64} {
		d, err := newDisc(642, diameter)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range plan(t, Selection{Cells: []int{1, 2, 3, 7, 16, 61, 64, 200}, Haematocrit: []float64{0.02, 0.2, 0.45, 0.7}, Diameter: []float64{diameter}, Threads: []int{1}}) {
			centers, err := d.centers(s.Cells, s.Size)
			if err != nil || len(centers) != s.Cells {
				t.Fatalf("%v: %d centers, %v", s, len(centers), err)
			}
			for i, c := range centers {
				for _, o := range centers[:i] {
					free := math.Inf(-1) // the widest gap of all axes
					for a := range c {
						n := float64(s.Size[a])
						free = math.Max(free, math.Abs(math.Remainder(c[a]-o[a], n))-d.extent[a])
					}
					if !(free >= apart-1e-9) {
						t.Fatalf("%v: cells at %v and %v are %g nodes apart", s, c, o, free)
					}
				}
			}
			for a, n := range s.Size {
				if !(float64(n) >= d.extent[a]+apart) {
					t.Errorf("%v: a cell of %v does not fit", s, d.extent)
				}
			}
			if got := float64(s.Cells) * d.volume / float64(s.Size.Nodes()); got != s.Haematocrit || got > 0.6 {
				t.Errorf("%v is filled by %v, told is %v", s, got, s.Haematocrit)
			}
		}
	}
	if s := plan(t, Selection{Cells: []int{64}})[0]; max(s.Size[0], s.Size[1], s.Size[2]) > 2*min(s.Size[0], s.Size[1], s.Size[2]) {
		t.Errorf("%v is no cube", s)
	}
}

// Boxes of 16 cells and more come within 4 % of what is asked for, of one or two within 17 %, as one is 6 nodes high;
// more than a half cannot be packed.
func TestBoxesAreFilledAsAskedFor(t *testing.T) {
	for _, h := range []float64{0.02, 0.2, 0.45} {
		for _, s := range plan(t, Selection{Cells: []int{1, 2, 16, 61, 64, 200, 10_000}, Haematocrit: []float64{h}, Threads: []int{1}}) {
			within := 0.04
			if s.Cells < 16 {
				within = 0.17
			}
			if !(math.Abs(s.Haematocrit/h-1) < within) {
				t.Errorf("%v is filled by %.3f, asked for %.2f", s, s.Haematocrit, h)
			}
		}
	}
	for _, s := range plan(t, Selection{Cells: []int{16, 200}, Haematocrit: []float64{0.7}, Threads: []int{1}}) {
		if !(s.Haematocrit > 0.46 && s.Haematocrit < 0.6) {
			t.Errorf("%v is filled by %.3f: the densest packing of flat discs has about 0.5", s, s.Haematocrit)
		}
	}
}

func TestRowsAreMeasured(t *testing.T) {
	specs := slices.Concat(
		plan(t, Selection{Cells: []int{1, 3}, Vertices: []int{162}, Diameter: []float64{8}, Precision: []string{"f64", "f32"}, Threads: []int{1}}),
		plan(t, Selection{Cells: []int{2}, Vertices: []int{162}, Diameter: []float64{8}, Law: []string{"neo-hookean", "hooke"}, Delta: []string{"peskin4"}, Threads: []int{1}}),
		plan(t, Selection{Cells: []int{2}, Vertices: []int{162}, Diameter: []float64{8}, Contact: []float64{2}, Threads: []int{1}}))
	b := New(harness.Effort{Repeats: 5, Step: time.Millisecond}, io.Discard, "")
	rows, err := b.Run(context.Background(), specs)
	if err != nil || len(rows) != 7 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if r.Status != harness.OK || len(r.Checks) != 2 || !(r.AloneMS > 0 && r.WithMS > 0 && r.LawsMS > 0 && r.TransfersMS > 0 && r.ContactMS > 0 == (r.Spec.Contact > 0) && r.Steps > 0) || r.SupportNodes == 0 || r.Strategy == "" {
			t.Errorf("%+v", r)
		}
		for _, c := range r.Checks {
			if !(c.Value > 0) {
				t.Errorf("%v: %v: nothing was measured", r.Spec, c)
			}
		}
		if got := r.AloneMS + r.LawsMS + r.TransfersMS + r.ContactMS + r.RestMS; math.Abs(got-r.AloneMS-1e-3*r.CellUS*float64(r.Cells)) > 1e-9*r.WithMS {
			t.Errorf("%v: the parts are %g ms, the step with cells has %g", r.Spec, got, r.WithMS)
		}
		var back Row
		text, err := json.Marshal(r)
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || back.Spec != r.Spec {
			t.Errorf("%+v becomes %+v, %v", r.Spec, back.Spec, err)
		}
	}
	d := NewDocument(harness.Host{}, rows)
	var table strings.Builder
	if err := d.WriteTable(&table); err != nil || !strings.Contains(table.String(), "the rest") || !strings.Contains(table.String(), "neo-hookean") {
		t.Errorf("%v\n%s", err, table.String())
	}
}

// A force of a hundredth of a millionth of all, and a cell that leaks, are found.
func TestChecksFindWhatIsWrong(t *testing.T) {
	s := plan(t, Selection{Cells: []int{2}, Vertices: []int{162}, Diameter: []float64{8}, Threads: []int{1}})[0]
	var l harness.Limits
	defer l.Close()
	p, err := prepare[float64](&l, s, "")
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	sim := p.with.Sim
	drift, err := momentumDrift(sim)
	if err != nil || harness.Failed(s.checks(drift, volumeChange(sim.Cells))) != "" {
		t.Fatalf("%v, %v", err, s.checks(drift, volumeChange(sim.Cells)))
	}
	// The sum of the forces of 16 steps, from the momentum that a known force brings in.
	forces := 0.
	for range 16 {
		sim.Step()
		for _, f := range sim.Cells[0].Force() {
			forces += f.Norm()
		}
		for _, f := range sim.Cells[1].Force() {
			forces += f.Norm()
		}
	}
	before := momentum(sim)
	sim.Fluid.Correct([]int32{5}, []int32{0}, [][]float64{{1e-8 * forces}, {0}, {0}})
	if got := momentum(sim).Sub(before).Norm() / forces; math.Abs(got/1e-8-1) > 1e-3 || harness.Failed(s.checks(got, 0)) == "" {
		t.Errorf("a force of 1e-8 of all changes the momentum by %g of them: %v", got, s.checks(got, 0))
	}
	for k := range sim.Cells[1].Points() {
		x := sim.Cells[1].Points()
		x[k] = x[k].Scale(1.004)
	}
	if got := volumeChange(sim.Cells); math.Abs(got-0.012048) > 1e-3 || harness.Failed(s.checks(0, got)) == "" {
		t.Errorf("a cell 0.4 %% larger every way has changed by %g", got)
	}
	if harness.Failed(s.checks(math.NaN(), math.NaN())) == "" {
		t.Error("NaN is passed")
	}
}

// What a row takes on the heap is at most what is said, and not much less, of a box full of cells and of one
// that is nearly empty.
func TestARowTakesWhatIsSaid(t *testing.T) {
	held := func() (heap, all int64) {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc), int64(m.TotalAlloc)
	}
	for _, s := range plan(t, Selection{Cells: []int{16}, Haematocrit: []float64{0.45, 0.05}, Precision: []string{"f64", "f32"}, Threads: []int{1}}) {
		var got int64
		var err error
		if s.Precision == "f32" {
			got, err = taken[float32](s, held)
		} else {
			got, err = taken[float64](s, held)
		}
		need, e := s.bytes()
		if err != nil || e != nil {
			t.Fatal(err, e)
		}
		t.Logf("%v: %d bytes on the heap, %d said", s, got, need)
		if got > need || got < need/2 {
			t.Errorf("%v: %d bytes on the heap, %d are said", s, got, need)
		}
	}
}

// taken is what a row takes, with its parts alone, which are given back after it.
func taken[T lbm.Float](s Spec, held func() (heap, all int64)) (int64, error) {
	var l harness.Limits
	defer l.Close()
	before, _ := held()
	p, err := prepare[T](&l, s, "")
	if err != nil {
		return 0, err
	}
	defer p.close()
	if _, err := momentumDrift(p.with.Sim); err != nil {
		return 0, err
	}
	after, begin := held()
	_, err = partsAlone(p, harness.Effort{Repeats: 1, Step: time.Millisecond}, "")
	_, end := held()
	return after - before + end - begin, err
}

// Ten thousand cells are refused where there is no room, before anything is made of them.
func TestWhatDoesNotFitIsRefusedFirst(t *testing.T) {
	s := plan(t, Selection{Cells: []int{10_000, mostCells}, Threads: []int{1}})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := s[0].fits(8 << 30)
	if err == nil || !strings.Contains(err.Error(), "10000 cells of 642 vertices take") || !strings.Contains(err.Error(), "8.59 GB: choose fewer --cells") {
		t.Errorf("err = %v", err)
	}
	if err := s[0].fits(64 << 30); err != nil {
		t.Error(err)
	}
	var l harness.Limits
	defer l.Close()
	if err := s[1].fitsHere(); err != nil { // a million: 1.6 TB
		if _, err := prepare[float64](&l, s[1], ""); err == nil || !strings.Contains(err.Error(), "choose fewer --cells") {
			t.Errorf("err = %v", err)
		}
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}

func TestBadSelectionsAreRefused(t *testing.T) {
	for want, s := range map[string]Selection{
		"--cells 0 must be between 1 and":               {Cells: []int{0}},
		"--vertices 12 must be between 162 and":         {Vertices: []int{12}},
		"--haematocrit 0.9 must be between 0.001 and":   {Haematocrit: []float64{0.9}},
		"--haematocrit NaN must be":                     {Haematocrit: []float64{math.NaN()}},
		"--diameter 3 must be between 6 and 200":        {Diameter: []float64{3}},
		"--law rubber is unknown: choose one of skalak": {Law: []string{"rubber"}},
		"--precision f16 is unknown":                    {Precision: []string{"f16"}},
		"--delta hat9 is unknown":                       {Delta: []string{"hat9"}},
		"--threads -1 must be":                          {Threads: []int{-1}},
	} {
		if _, err := s.Plan(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("err = %v, want %q", err, want)
		}
	}
	if specs := plan(t, Selection{}); len(specs) != 3 || specs[2].Cells != 64 || specs[0].Vertices != 642 || specs[0].Delta != "roma3" || specs[0].Law != "skalak" {
		t.Errorf("usual are %v", specs)
	}
	if specs := plan(t, Selection{Cells: []int{1}, Vertices: []int{600, 650}}); len(specs) != 1 {
		t.Errorf("two rows of the same cells: %v", specs)
	}
}

func TestTheReportHasItsRowsAndThoseAskedFor(t *testing.T) {
	dir := t.TempDir()
	asked := plan(t, Selection{Cells: []int{5}, Law: []string{"skalak", "hooke"}})
	b := &Bench{Effort: harness.Effort{Repeats: 5}, Progress: io.Discard, Measure: harness.Each(func(_ context.Context, _ *harness.Limits, s Spec, _ harness.Effort) (Row, error) {
		r := newRow(s)
		r.Kernel = "go"
		if s.Law == "hooke" {
			return r.without(harness.Wrong, "it leaks"), nil
		}
		r.take([]sample{{1e-3, 3e-3}, {1e-3, 4e-3}, {1e-3, 5e-3}}, parts{1e-3, 0.5e-3, 0.25e-3})
		return r, nil
	})}
	rows, all, err := Report(context.Background(), b, dir, harness.Host{CPU: "Processor 9000"}, asked)
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "cells.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Processor 9000", "| kernel | go |", "## More and more cells", "## The rows asked for", "FAILED: it leaks",
		"| 1 | 4 | 1 | 0.5 | 0.25 | 1.25 | 600.0 | 400.0…800.0 |", "lbmib bench cells --report DIR"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
	if failed, _ := harness.Verdict(all); failed != 3 {
		t.Errorf("%d rows failed, want 3: two of the report", failed)
	}
	stopped := errors.New("stopped")
	b.Measure = func(context.Context, *harness.Limits, []Spec, harness.Effort) ([]Row, error) { return nil, stopped }
	if _, _, err := Report(context.Background(), b, t.TempDir(), harness.Host{}, asked); !errors.Is(err, stopped) {
		t.Errorf("the error is %v", err)
	}
}
