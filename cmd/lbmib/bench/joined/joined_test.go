package joined

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/lbm"
	grids "lbmib/lbm/joined"
)

func plan(t *testing.T, s Selection) []Spec {
	t.Helper()
	specs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return specs
}

// small is a plane and a space in which all levels have room.
var small = Selection{Domain: []string{"10x6"}, Diameter: []int{8}, Threads: []int{1}}

// The finest box of the paper's domain is that of cases/refined-cylinder.toml, and each other one holds the next with two of its cells around.
func TestBoxesHoldTheBodyWithItsMargin(t *testing.T) {
	specs := plan(t, Selection{Domain: []string{"40x15"}, Levels: []int{2}, Threads: []int{1}})
	boxes := specs[0].boxes()
	want := []grids.Box{{Level: 1, Lo: [3]int{316, 196, 0}, Hi: [3]int{744, 404, 1}}, {Level: 2, Lo: [3]int{320, 200, 0}, Hi: [3]int{740, 400, 1}}}
	if len(boxes) != 2 || boxes[0] != want[0] || boxes[1] != want[1] {
		t.Errorf("boxes %v, want %v", boxes, want)
	}
	for _, s := range plan(t, Selection{Domain: []string{"40x15", "12x10x10", "5x4", "5x4x4"}, Diameter: []int{16, 32}, Levels: []int{1, 2, 3}, Threads: []int{1}}) {
		boxes := s.boxes()
		for l, b := range boxes {
			width := 2 << (s.Levels - 1 - l) // of cells of the level above
			for a, n := range s.Size.Axes() {
				if b.Level != l+1 || b.Lo[a]%width != 0 || b.Hi[a]%width != 0 || b.Lo[a] < 0 || b.Hi[a] > n {
					t.Errorf("%v: box %+v", s, b)
				}
			}
		}
		finest, at := boxes[s.Levels-1], s.center()
		for a, n := range s.Size.Axes() {
			for side, edge := range [2]int{finest.Lo[a], finest.Hi[a]} {
				room := math.Abs(float64(edge)-at[a]) / float64(s.Diameter)
				if edge != 0 && edge != n && !(room >= 0.5+s.Margin[2*a+side]) {
					t.Errorf("%v: box %+v leaves %g D along axis %d", s, finest, room, a)
				}
			}
		}
	}
}

func TestRowsAreMeasured(t *testing.T) {
	flat, deep := small, Selection{Domain: []string{"6x4x4"}, Diameter: []int{8}, Levels: []int{1}, Threads: []int{1}}
	flat.Precision = []string{"f64", "f32"}
	specs := append(plan(t, flat), plan(t, deep)...)
	b := New(harness.Effort{Repeats: 5, Step: time.Millisecond}, io.Discard, "")
	rows, err := b.Run(context.Background(), specs)
	if err != nil || len(rows) != 7 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if r.Status != harness.OK || len(r.Checks) != 3 || len(r.Grids) != r.Levels+1 || r.Kernel == "" || r.OneIs != measured || r.Steps == 0 {
			t.Errorf("%+v", r)
		}
		if (r.Levels > 0) != (r.SeamsMS > 0) || !(r.SeamsMS < r.JoinedMS) || r.Allocations != 0 {
			t.Errorf("%v: seams %g of %g ms, %g allocations", r.Spec, r.SeamsMS, r.JoinedMS, r.Allocations)
		}
		if (r.Levels == 0) != (r.Updates == float64(r.OneNodes)) || r.Levels == 0 && (r.OneMS != r.IdealMS || r.Nodes != r.OneNodes) {
			t.Errorf("%+v", r)
		}
		updates, ideal := 0., 0.
		for l, g := range r.Grids {
			own := g.Updates / float64(int(1)<<(r.Levels-l)) // in a step of the finest
			updates, ideal = updates+own, ideal+own/g.MFLUPS/1e3
		}
		if math.Abs(updates-r.Updates) > 1e-9*updates || !(ideal > 0) {
			t.Errorf("%v: levels make %g updates, all %g", r.Spec, updates, r.Updates)
		}
		var back Row
		text, err := json.Marshal(r)
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || back.Spec != r.Spec || back.Gain != r.Gain {
			t.Errorf("%+v becomes %+v, %v", r.Spec, back.Spec, err)
		}
	}
	d := NewDocument(harness.Host{}, rows)
	var table strings.Builder
	if err := d.WriteTable(&table); err != nil || !strings.Contains(table.String(), "ideal gain") || !strings.Contains(table.String(), "6×4×4") {
		t.Errorf("%v\n%s", err, table.String())
	}
}

// What the repeats gave becomes medians of ratios, and one grid that has no room is as fast as the finest level.
func TestTimesOfRepeats(t *testing.T) {
	r := newRow(plan(t, Selection{Domain: []string{"10x6"}, Diameter: []int{8}, Levels: []int{1}, Threads: []int{1}})[0])
	plan, err := r.plan()
	if err != nil {
		t.Fatal(err)
	}
	r.planned(plan)
	all := []sample{{joined: 2e-3, seams: 1e-4, levels: []float64{0.5e-3, 1e-3}, one: 8e-3, allocations: 3}, {joined: 4e-3, seams: 4e-4, levels: []float64{0.5e-3, 2.5e-3}, one: 8e-3},
		{joined: 2e-3, seams: 1e-4, levels: []float64{0.5e-3, 1e-3}, one: 6e-3, allocations: 1}}
	r.take(all)
	if r.JoinedMS != 2 || r.IdealMS != 1.5 || r.OneMS != 8 || r.SeamsShare != 0.05 || r.Efficiency != 0.75 || r.EfficiencyHigh != 0.75 || r.Gain != 3 || r.Allocations != 0 || r.OneIs != measured {
		t.Errorf("%+v", r)
	}
	for k := range all {
		all[k].one = 0
	}
	r.take(all)
	if want := float64(r.OneNodes) / r.Grids[1].Updates; r.OneIs != estimated || math.Abs(r.OneMS-want) > 1e-12 {
		t.Errorf("one grid takes %g ms, want %g, %s", r.OneMS, want, r.OneIs)
	}
	all[1].joined = math.Inf(1)
	all[0].joined = math.Inf(1)
	if r.take(all); r.Status != harness.Wrong {
		t.Errorf("an infinite time is %s", r.Status)
	}
}

// Mass that a node gets from nowhere, a flow at rest and one that is not finite are found, in either precision.
func TestChecksFindWhatIsWrong(t *testing.T) {
	specs := small
	specs.Precision, specs.Levels = []string{"f64", "f32"}, []int{2}
	for _, s := range plan(t, specs) {
		if s.Precision == "f32" {
			checksFind[float32](t, s)
		} else {
			checksFind[float64](t, s)
		}
	}
}

func checksFind[T lbm.Float](t *testing.T, s Spec) {
	var l harness.Limits
	defer l.Close()
	p, err := prepare[T](&l, s, "")
	if err != nil {
		t.Fatal(err)
	}
	good := checkOf(&s, lbm.Fluid[T](p.joined))
	if what := harness.Failed(good); what != "" {
		t.Fatal(what)
	}
	t.Log(good)
	leak := leaking[T]{p.joined, 10 * s.massBound() * float64(s.Size.Nodes())}
	rest := s
	for name, bad := range map[string][]harness.Check{
		"a leak": checkOf(&s, lbm.Fluid[T](leak)), "rest": rest.checks(0, lbm.Health{OK: true}), "speed": s.checks(0, lbm.Health{OK: true, MaxSpeed: 2 * velocity}),
		"divergence": s.checks(0, lbm.Health{MaxSpeed: velocity}), "NaN": s.checks(math.NaN(), lbm.Health{OK: true, MaxSpeed: velocity}),
	} {
		if harness.Failed(bad) == "" {
			t.Errorf("%v: %s passes: %v", s, name, bad)
		}
	}
}

// leaking is a fluid that gains some mass.
type leaking[T lbm.Float] struct {
	lbm.Fluid[T]
	gain float64
}

func (f leaking[T]) Momentum(lo, hi [3]int) (float64, [3]float64) {
	mass, j := f.Fluid.Momentum(lo, hi)
	if f.Steps() > 0 {
		mass += f.gain
	}
	return mass, j
}

// What a row takes on the heap is at most what is said, and not much less.
func TestARowTakesWhatIsSaid(t *testing.T) {
	flat := Selection{Domain: []string{"40x15"}, Diameter: []int{12}, Precision: []string{"f64", "f32"}, Threads: []int{1}}
	deep := Selection{Domain: []string{"6x4x4"}, Diameter: []int{8}, Levels: []int{0, 1}, Precision: []string{"f64", "f32"}, Threads: []int{1}}
	for _, s := range append(plan(t, flat), plan(t, deep)...) {
		var got, joined, seams int64
		if s.Precision == "f32" {
			got, joined, seams = taken[float32](t, s)
		} else {
			got, joined, seams = taken[float64](t, s)
		}
		grids, one, err := s.bytes()
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.plan()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: %d bytes on the heap, %d said; joined %d, planned %d, seams %d, %d for each of %d ghosts", s, got, grids+one, joined, plan.Bytes(s.valueBytes()), seams, seams/max(1, ghosts(plan)), ghosts(plan))
		if need := grids + one; got > need || got < need/2 {
			t.Errorf("%v: %d bytes on the heap, %d are said", s, got, need)
		}
		if !(joined > 0 && joined < got) || (seams > 1<<14) != (s.Levels > 0) {
			t.Errorf("%v: joined takes %d bytes of %d, seams %d", s, joined, got, seams)
		}
	}
}

// taken is what a row takes, its grids joined, and of that the seams.
func taken[T lbm.Float](t *testing.T, s Spec) (all, joined, seams int64) {
	var l harness.Limits
	defer l.Close()
	l.Workers(s.Threads)
	var m maker[T]
	before := m.taken()
	p, err := prepare[T](&l, s, "")
	if err != nil {
		t.Fatal(err)
	}
	timed(p.joined, 2<<s.Levels)
	after := m.taken()
	runtime.KeepAlive(p)
	return after - before, p.bytes, p.seamBytes
}

// What has no room is refused before anything is made of it, and one grid is left out where only that has none.
func TestWhatDoesNotFitIsRefusedFirst(t *testing.T) {
	s := plan(t, Selection{Domain: []string{"40x15", "1000x1000"}, Diameter: []int{40}, Levels: []int{2}, Threads: []int{1}})
	joined, one, err := s[0].bytes()
	if err != nil {
		t.Fatal(err)
	}
	if room, err := s[0].fits(joined + one); !room || err != nil {
		t.Errorf("one grid has room: %v, %v", room, err)
	}
	if room, err := s[0].fits(joined + one - 1); room || err != nil {
		t.Errorf("one grid has room: %v, %v", room, err)
	}
	if _, err := s[0].fits(joined - 1); err == nil || !strings.Contains(err.Error(), "grids of 1600×600 nodes at the finest") || !strings.Contains(err.Error(), "choose a smaller --domain") {
		t.Errorf("err = %v", err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var l harness.Limits
	defer l.Close()
	if _, err := s[1].fitsHere(nil); err != nil { // 1.6·10⁹ nodes
		if _, err := prepare[float64](&l, s[1], ""); err == nil || !strings.Contains(err.Error(), "choose a smaller --domain") {
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
		"--domain 40 has 1 sides, must have two or three":     {Domain: []string{"40"}},
		"--domain 40xY: \"Y\" is not a number of nodes":       {Domain: []string{"40xY"}},
		"a side of 2000 diameters must be at most 1000":       {Domain: []string{"2000x10"}},
		"--diameter 2 must be between 4 and":                  {Diameter: []int{2}},
		"must have fewer than 2.15e+09: choose a smaller one": {Domain: []string{"900x900x900"}, Diameter: []int{10}},
		"--levels 9 must be between 0 and 8":                  {Levels: []int{9}},
		"--levels -1 must be between 0 and 8":                 {Levels: []int{-1}},
		"--margin has 3 numbers, --domain 40x15 has 4 faces":  {Margin: []float64{1, 2, 3}},
		"--margin NaN must be between 0 and":                  {Domain: []string{"40x15"}, Margin: []float64{1, 2, 3, math.NaN()}},
		"use 140 or 144: choose other --domain, --diameter":   {Domain: []string{"13x13"}, Diameter: []int{11}, Levels: []int{2}},
		"--precision f16 is unknown":                          {Precision: []string{"f16"}},
		"--threads -1 must be":                                {Threads: []int{-1}},
	} {
		if _, err := s.Plan(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("err = %v, want %q", err, want)
		}
	}
	specs := plan(t, Selection{})
	if len(specs) != 6 || specs[0].Diameter != 40 || specs[5].Diameter != 12 || specs[5].Levels != 2 || specs[0].Levels != 0 || specs[0].Precision != "f64" {
		t.Errorf("usual are %v", specs)
	}
}

func TestTheReportHasItsRowsAndThoseAskedFor(t *testing.T) {
	dir := t.TempDir()
	asked := plan(t, small)
	b := &Bench{Effort: harness.Effort{Repeats: 5}, Progress: io.Discard, Measure: harness.Each(func(_ context.Context, _ *harness.Limits, s Spec, _ harness.Effort) (Row, error) {
		r := newRow(s)
		r.Kernel = "go"
		if s.Levels == 2 {
			return r.without(harness.Wrong, "it leaks"), nil
		}
		p, err := s.plan()
		if err != nil {
			return r, err
		}
		r.planned(p)
		now := sample{joined: 2e-3, seams: 1e-4, one: 8e-3, levels: make([]float64, s.Levels+1)}
		now.levels[0] = 1.5e-3
		r.take([]sample{now, now, now})
		return r, nil
	})}
	rows, all, err := Report(context.Background(), b, dir, harness.Host{CPU: "Processor 9000"}, asked)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "joined.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Processor 9000", "| kernel | go |", "## A cylinder's domain", "## A sphere's domain", "## The rows asked for", "FAILED: it leaks",
		"| 2 | 1.5 | 8 | 0.1 | 5.0 | 0.750 | 0.75…0.75 | 4.00 | 5.33 |", "lbmib bench joined --report DIR"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
	threads := len(plan(t, Selection{Domain: []string{"40x15"}, Levels: []int{2}, Threads: []int{1, 0}}))
	if failed, _ := harness.Verdict(all); failed != 1+2*2*threads {
		t.Errorf("%d rows failed, want %d: that asked for, and of two domains in two precisions", failed, 1+2*2*threads)
	}
	stopped := errors.New("stopped")
	b.Measure = func(context.Context, *harness.Limits, []Spec, harness.Effort) ([]Row, error) { return nil, stopped }
	if _, _, err := Report(context.Background(), b, t.TempDir(), harness.Host{}, asked); !errors.Is(err, stopped) {
		t.Errorf("the error is %v", err)
	}
}

// An interrupt between repeats, or while steps are counted, is the context's.
func TestAnInterruptEndsARow(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := New(harness.Effort{Repeats: 5, Step: time.Hour}, io.Discard, "")
	if rows, err := b.Run(ctx, plan(t, small)); !errors.Is(err, context.Canceled) || len(rows) != 0 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}
