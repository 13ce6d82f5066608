package suspension

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
)

func plan(t *testing.T, s Selection) []Spec {
	t.Helper()
	specs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return specs
}

// TestBoxesAreFilledAsAskedFor: to 4 % of the haematocrit from a thousand on, and the paper's half million in six million nodes.
func TestBoxesAreFilledAsAskedFor(t *testing.T) {
	for _, s := range plan(t, Selection{Ellipsoids: []int{1000, 1500, 20_000, 500_000}, Haematocrit: []float64{0.05, 0.2, 0.45}, Threads: []int{1}}) {
		shape := s.shape()
		if got := float64(s.Ellipsoids) * shape.Volume() / float64(s.Size.Nodes()); math.Abs(got-s.Haematocrit) > 1e-12 || s.Size[0]%s.Copies != 0 {
			t.Errorf("%v is filled by %g", s, got)
		}
	}
	s := plan(t, Selection{Ellipsoids: []int{500_000}, Threads: []int{1}})[0]
	if math.Abs(float64(s.Ellipsoids)/500_000-1) > 0.04 || math.Abs(float64(s.Size.Nodes())/6e6-1) > 0.04 || math.Abs(s.Haematocrit-0.45) > 0.005 {
		t.Errorf("%v is not the paper's", s)
	}
}

func TestRowsAreMeasured(t *testing.T) {
	specs := plan(t, Selection{Ellipsoids: []int{120, 3000}, Haematocrit: []float64{0.2}, Precision: []string{"f64", "f32"}, Threads: []int{1}})
	b := New(harness.Effort{Repeats: 5, Step: time.Millisecond}, io.Discard, "")
	rows, err := b.Run(context.Background(), specs)
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if r.Status != harness.OK || len(r.Checks) != 1 || !(r.Checks[0].Value > 0) || !(r.AloneMS > 0 && r.FluidMS > 0 && r.ForcesMS > 0 && r.MotionMS > 0 && r.CouplingMS > 0 && r.MUpdates > 0) {
			t.Errorf("%+v", r)
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
	if err := d.WriteTable(&table); err != nil || !strings.Contains(table.String(), "coupling") {
		t.Errorf("%v\n%s", err, table.String())
	}
	s := specs[0]
	if harness.Failed(s.checks(1e-9)) == "" || harness.Failed(s.checks(math.NaN())) == "" {
		t.Error("momentum that is not kept passes")
	}
}

// TestARowTakesWhatIsSaid on the heap at most, and not much less.
func TestARowTakesWhatIsSaid(t *testing.T) {
	held := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for _, s := range plan(t, Selection{Ellipsoids: []int{12_000}, Haematocrit: []float64{0.05, 0.45}, Threads: []int{1}}) {
		var l harness.Limits
		before := held()
		p, err := prepare[float64](&l, s, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := momentumDrift(p.with); err != nil {
			t.Fatal(err)
		}
		got := held() - before
		need, err := s.bytes()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: %d bytes on the heap, %d said", s, got, need)
		if got > need || got < need/2 {
			t.Errorf("%v: %d bytes on the heap, %d are said", s, got, need)
		}
		runtime.KeepAlive(p)
		p.with.Close()
		l.Close()
	}
	s := plan(t, Selection{Ellipsoids: []int{mostEllipsoids}, Haematocrit: []float64{0.01}, Threads: []int{1}})[0]
	if err := s.fits(64 << 30); err == nil || !strings.Contains(err.Error(), "choose fewer --ellipsoids") {
		t.Errorf("err = %v", err)
	}
}

func TestBadSelectionsAreRefused(t *testing.T) {
	for want, s := range map[string]Selection{
		"--ellipsoids 0 must be between 1 and":       {Ellipsoids: []int{0}},
		"--haematocrit 0.7 must be between 0.01 and": {Haematocrit: []float64{0.7}},
		"--equatorial NaN must be between 1 and":     {Equatorial: []float64{math.NaN()}},
		"--precision f16 is unknown":                 {Precision: []string{"f16"}},
		"--delta hat2 is unknown":                    {Delta: []string{"hat2"}},
		"--threads -1 must be":                       {Threads: []int{-1}},
	} {
		if _, err := s.Plan(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("err = %v, want %q", err, want)
		}
	}
}
