package transfer

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/ib"
)

// quick is an effort for tests: times mean nothing.
var quick = harness.Effort{Repeats: harness.LeastRepeats, Step: 50 * time.Microsecond}

func TestEveryStrategyIsRightWhereverPointsAre(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU())) // two threads, whatever -cpu is
	for _, s := range []Selection{
		{Order: each("new", "kept", "sorted", "set"), Layout: layouts, Threads: each(2)},
		{Order: each("new", "sorted"), Grid: each("24x17"), Collocated: true, Precision: each("f32"), Layout: layouts, Threads: each(1)},
		{Distribution: each("sphere", "rbc"), Precision: each("f32"), Delta: each("roma3"), Order: each("new"), Threads: each(1)},
		{Grid: each("13x9"), Delta: each("hat2"), Distribution: each("sphere", "perturbed"), Collocated: true, Components: each(1), Threads: each(1)},
	} {
		s.Points, s.Algorithm = each(300), ib.TransferNames()
		if s.Grid == nil {
			s.Grid = each("16")
		}
		specs := plan(t, s)
		rows, err := New(quick, io.Discard, "").Run(context.Background(), specs)
		if err != nil || len(rows) != len(specs) {
			t.Fatalf("%d rows of %d, %v", len(rows), len(specs), err)
		}
		for i := range rows {
			r := &rows[i]
			if r.Status != harness.OK || !(r.MsLow > 0 && r.MsLow <= r.Ms && r.Ms <= r.MsHigh) || r.Allocations != 0 || len(r.Checks) != 6 ||
				!(r.MPoints > 0 && r.GBs > 0 && r.CopyGBs > 0 && r.Roofline > 0 && r.ToSerial > 0) || (r.Weights > 0) != (r.Op != set) ||
				r.Repeats != harness.LeastRepeats || r.Calls < r.Repeats || r.Bytes <= 0 {
				t.Errorf("%+v", *r)
			}
			if r.isYardstick() && r.ToSerial != 1 {
				t.Errorf("serial takes %g of its own time", r.ToSerial)
			}
		}
	}
}

// Forces that markers have are not those of the lists: what is spread must be theirs, and
// results must come from them only when asked for.
func TestMarkersAsStructuresHaveTheirOwnValues(t *testing.T) {
	p := plan(t, Selection{Grid: each("16"), Points: each(100), Algorithm: each("serial"), Order: each("new"), Op: each("spread"), Layout: each("aos")})[0].Problem
	s, err := newStage[float64](&p)
	if err != nil {
		t.Fatal(err)
	}
	m, err := newStructures(s)
	if err == nil {
		err = m.SetPoints(s.placed[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	m.Spread(s.sum, s.force)
	if m.Markers[7].Force[2] != s.force[2][7] {
		t.Errorf("the force is %v, want %v", m.Markers[7].Force[2], s.force[2][7])
	}
	m.Markers[7].Force[2] = 5
	m.Spread(s.sum, s.force)
	m.Interpolate(s.values, s.field)
	if m.Markers[7].Force[2] != 5 || s.values[2][7] != 0 {
		t.Errorf("between calls the force becomes %v, and values %v are brought", m.Markers[7].Force[2], s.values[2][7])
	}
	m.tell(true)
	m.Interpolate(s.values, s.field)
	if v := m.Markers[7].Velocity[2]; v == 0 || s.values[2][7] != v {
		t.Errorf("told is %v of %v", s.values[2][7], v)
	}
}

// spoiled is a transfer with a defect.
type spoiled struct {
	ib.Transfer[float64]
	points                     func(x []geometry.Vec) []geometry.Vec
	afterSpread, afterInterpol func(out [][]float64)
}

func (s *spoiled) SetPoints(x []geometry.Vec) error {
	if s.points != nil {
		x = s.points(slices.Clone(x))
	}
	return s.Transfer.SetPoints(x)
}

func (s *spoiled) Spread(field, values [][]float64) {
	s.Transfer.Spread(field, values)
	if s.afterSpread != nil {
		s.afterSpread(field)
	}
}

func (s *spoiled) Interpolate(values, field [][]float64) {
	s.Transfer.Interpolate(values, field)
	if s.afterInterpol != nil {
		s.afterInterpol(values)
	}
}

var leak []float64

// defects are what a strategy may do wrong, with what the checks then say.
var defects = map[string]struct {
	spoiled
	says string
}{
	"a point lies a bit off": {spoiled{points: func(x []geometry.Vec) []geometry.Vec {
		x[7][1] += 1e-8
		return x
	}}, "from serial"},
	"a point is lost when spreading": {spoiled{afterSpread: func(out [][]float64) {
		out[1][100] *= 1 - 1e-6
	}}, "total force"},
	"two nodes are exchanged": {spoiled{afterSpread: func(out [][]float64) {
		out[0][50], out[0][51] = out[0][51], out[0][50]
	}}, "the spread field from serial"},
	"two points are exchanged": {spoiled{afterInterpol: func(out [][]float64) {
		out[2][0], out[2][1] = out[2][1], out[2][0]
	}}, "from the definition"},
	"a value is no number": {spoiled{afterInterpol: func(out [][]float64) {
		out[0][10] = out[0][10] / 0 * 0
	}}, "is NaN"},
	"a call allocates": {spoiled{afterSpread: func([][]float64) {
		leak = make([]float64, 8)
	}}, "allocations"},
}

func TestAWrongResultHasNoTime(t *testing.T) {
	specs := plan(t, Selection{Grid: each("16"), Points: each(300), Algorithm: each("sort-reduce"), Order: each("new"), Op: each("spread"), Threads: each(1)})
	for name, defect := range defects {
		l := &harness.Limits{}
		g, err := newGame[float64](l, specs, quick)
		if err != nil {
			t.Fatal(err)
		}
		wrongly := defect.spoiled
		wrongly.Transfer = g.turns[0].transfer
		g.turns[0].transfer = &wrongly
		if err := g.play(context.Background()); err != nil {
			t.Fatal(err)
		}
		l.Close()
		if r := &g.turns[0].row; r.Status != harness.Wrong || r.Ms != 0 || !strings.Contains(r.Reason, defect.says) {
			t.Errorf("%s: %s, %q, want something on %q", name, r.Status, r.Reason, defect.says)
		}
		if serial := &g.turns[1].row; serial.Status != harness.OK {
			t.Errorf("%s: serial is blamed: %s", name, serial.Reason)
		}
	}
}

func TestWhatIsSlowIsLeftOutUnlessAskedFor(t *testing.T) {
	for _, spare := range []bool{true, false} {
		specs := plan(t, Selection{Grid: each("16"), Points: each(30), Algorithm: each("serial", "sort-reduce"), Order: each("new"), Op: each("spread"), Threads: each(1)})
		specs[1].spare = spare
		l := &harness.Limits{}
		g, err := newGame[float64](l, specs, quick)
		if err != nil {
			t.Fatal(err)
		}
		lazy := &spoiled{Transfer: g.turns[1].transfer, afterSpread: func([][]float64) { time.Sleep(slowest * time.Millisecond) }}
		g.turns[1].transfer = lazy
		if err := g.play(context.Background()); err != nil {
			t.Fatal(err)
		}
		l.Close()
		if r := &g.turns[1].row; (r.Status == harness.Slow) != spare || spare && !strings.Contains(r.Reason, "--algorithm") {
			t.Errorf("asked for %v: %s %s", !spare, r.Status, r.Reason)
		}
	}
}

func TestLongCallsOfAReportAreRepeatedLess(t *testing.T) {
	specs := plan(t, Selection{Grid: each("16"), Points: each(30), Algorithm: each("serial", "sort-reduce"), Order: each("new", "kept"), Op: each("spread"), Threads: each(1)})
	l := &harness.Limits{}
	defer l.Close()
	e := harness.Effort{Repeats: 6, Step: 2 * time.Millisecond, Long: 3}
	g, err := newGame[float64](l, specs, e)
	if err != nil {
		t.Fatal(err)
	}
	// Serial is long in one order: so are the repeats of what stands beside it.
	for _, turn := range g.turns {
		if turn.row.Algorithm == "serial" && turn.row.Order == fresh {
			turn.transfer = &spoiled{Transfer: turn.transfer, afterSpread: func([][]float64) { time.Sleep(5 * time.Millisecond) }}
		}
	}
	if err := g.play(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, turn := range g.turns {
		r := &turn.row
		if want := map[string]int{fresh: 3, kept: 6}[r.Order]; r.Status != harness.OK || r.Repeats != want || r.Algorithm == "serial" && r.ToSerial != 1 {
			t.Errorf("%v: %s, %d repeats, want %d; %g of serial", r.Spec, r.Status, r.Repeats, want, r.ToSerial)
		}
	}
}

func TestRowsNameTheirKernel(t *testing.T) {
	best := plan(t, Selection{})[0].Kernel
	for asked, want := range map[string]string{"": best, "auto": best, "go": "go", "avx512": "avx2"} {
		if asked == "avx512" && best != "avx2" { // the processor has none
			want = ""
		}
		s := Selection{Grid: each("16"), Points: each(300), Algorithm: each("sort-reduce"), Order: each("new"), Precision: each("f64", "f32"), Kernel: asked}
		specs, err := s.Plan()
		if want == "" {
			if err == nil {
				t.Errorf("kernel %s is planned without a processor that has it", asked)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		rows, err := New(quick, io.Discard, "").Run(context.Background(), specs)
		if err != nil || len(rows) != 4 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for _, r := range rows {
			if r.Kernel != want || r.Status != harness.OK {
				t.Errorf("%q asked for: kernel %q, want %q; %s %s", asked, r.Kernel, want, r.Status, r.Reason)
			}
		}
	}
}

func TestProblemsBeyondTheMemoryAreRefusedBeforeAllocation(t *testing.T) {
	specs := plan(t, Selection{Grid: each("2000"), Algorithm: each("serial"), Op: each("spread"), Order: each("new")})
	rows, err := New(quick, io.Discard, "").Run(context.Background(), specs) // 3 · 64 GB and more
	if err != nil || rows[0].Status != harness.Refused || !strings.Contains(rows[0].Reason, "the machine has") || rows[0].Ms != 0 {
		t.Errorf("%+v, %v", rows, err)
	}
}

func TestAnInterruptedBenchKeepsTheProblemsItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	b := fake()
	b.Measure = func(ctx context.Context, l *harness.Limits, specs []Spec, e harness.Effort) ([]Row, error) {
		if n++; n == 2 {
			cancel()
			return nil, ctx.Err()
		}
		return faked(ctx, l, specs, e)
	}
	rows, err := b.Run(ctx, plan(t, Selection{Grid: each("16", "32"), Algorithm: each("serial")}))
	if len(rows) != 4 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if r.Size[0] != 16 {
			t.Errorf("a row of the second problem: %+v", r)
		}
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	specs := plan(t, Selection{Grid: each("16"), Points: each(10), Algorithm: each("serial")})
	if _, err := New(quick, io.Discard, "").Run(stopped, specs); !errors.Is(err, context.Canceled) {
		t.Errorf("a measurement goes on: %v", err)
	}
	if _, err := drive(stopped, BuiltIn(), []Driver{{"serial", 1, 16, 10, 2}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a test goes on: %v", err)
	}
}

func TestTimesAreMediansAndRatiosThoseOfTheirRounds(t *testing.T) {
	s := plan(t, Selection{Algorithm: each("sort-reduce"), Op: each("spread"), Order: each("new"), Points: each(1000)})[0]
	c := cost{positions: 3000, values: 5000, fieldLines: 100, uses: 64000}
	r := newRow(&s)
	r.take([]sample{{ms: 2, serialMs: 4, copyGBs: 0.02, calls: 3}, {ms: 1, serialMs: 1, copyGBs: 0.04, calls: 3}, {ms: 4, serialMs: 16, copyGBs: 0.01, calls: 3}}, &c)
	// Bytes 3000 + 5000 + 2·6400 = 20800; shares .52, .52, .52; ratios .5, 1, .25.
	const tiny = 1e-12
	for what, d := range map[string]float64{
		"ms": r.Ms - 2, "low": r.MsLow - 1, "high": r.MsHigh - 4, "to serial": r.ToSerial - 0.5, "bytes": float64(r.Bytes) - 20800,
		"GB/s": r.GBs - 0.0104, "share": r.Roofline - 0.52, "copy": r.CopyGBs - 0.02, "Mpoints": r.MPoints - 0.5, "weights": r.Weights - 32e6, "limit": r.limitMs() - 1.04,
	} {
		if d > tiny || d < -tiny {
			t.Errorf("%s is off by %g", what, d)
		}
	}
	if r.Calls != 9 || r.Repeats != 3 {
		t.Errorf("%d calls, %d repeats", r.Calls, r.Repeats)
	}
}
