package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"lbmib/cmd/lbmib/bench/chart"
	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

func TestDefaultRowsCoverLatticesPrecisionsAndSchemes(t *testing.T) {
	var names []string
	for _, s := range plan(t, Selection{Kernel: each("go"), Threads: []int{1}}) {
		names = append(names, s.String())
	}
	var want []string
	for _, domain := range each("D2Q9 4096×2048", "D3Q19 256×256×256") {
		for _, precision := range each("f64", "f32", "f32/f16") {
			for _, scheme := range each("ab", "inplace") {
				want = append(want, fmt.Sprintf("%s box %s soa %s bgk go, threads 1", domain, precision, scheme))
			}
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("got\n%s", strings.Join(names, "\n"))
	}
}

func TestSizesChooseTheirLatticeAndFlowsTheirSize(t *testing.T) {
	for _, c := range []struct {
		s    Selection
		want string
	}{
		{Selection{Size: each("64x32")}, "D2Q9 64×32 box"},
		{Selection{Size: each("40x41x42")}, "D3Q19 40×41×42 box"},
		{Selection{Size: each("40x41x42", "64X32")}, "D3Q19 40×41×42 box, D2Q9 64×32 box"},
		{Selection{Size: each("64x32"), Lattice: each("D2Q9", "D3Q19")}, "D2Q9 64×32 box, D3Q19 256×256×256 box"},
		{Selection{Lattice: each("D2Q9"), Flow: each("cavity", "box")}, "D2Q9 1024×1024 cavity, D2Q9 4096×2048 box"},
		{Selection{Lattice: each("D3Q19"), Flow: each("duct")}, "D3Q19 192×192×192 duct"},
	} {
		c.s.Precision, c.s.Streaming = each("f64"), each("ab")
		var got []string
		for _, s := range plan(t, c.s) {
			got = append(got, fmt.Sprintf("%s %s %s", s.Lattice, s.Size, s.Flow))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("got %v, want %s", got, c.want)
		}
	}
}

func TestCombinationsThatMakeNoDifferenceAreLeftOut(t *testing.T) {
	specs := plan(t, Selection{
		Size: each("64x32"), Precision: each("f64"), Layout: each("soa", "soaos"), Block: []int{32, 64},
		Streaming: schemes, StepsPerSweep: []int{1, 2}, Stores: each("cached", "streaming"),
	})
	var got []string
	for _, s := range specs {
		got = append(got, s.layoutText()+" "+s.streamingText())
	}
	var want []string
	for _, layout := range each("soa", "soaos/32", "soaos/64") {
		for _, scheme := range each("ab-cached", "ab-streaming", "inplace", "inplace-2") {
			want = append(want, layout+" "+scheme)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestBadFlagsSayWhatIsWrongAndWhatToDo(t *testing.T) {
	t.Setenv(driver.PathVariable, "/nowhere/libcuda.so.1")
	for _, c := range []struct {
		s    Selection
		says []string
	}{
		{Selection{Lattice: each("D2Q7")}, each("--lattice D2Q7", "D2Q9, D3Q19")},
		{Selection{Precision: each("f16")}, each("--precision f16", "f32/f16")},
		{Selection{Layout: each("csoa")}, each("--layout csoa", "auto, soa, soaos, aos")},
		{Selection{Streaming: each("in-place")}, each("--streaming in-place", "inplace")},
		{Selection{Collision: each("cumulant")}, each("--collision cumulant", "bgk, trt, mrt, regularized")},
		{Selection{Backend: each("cuda")}, each("--backend cuda", "no usable CUDA driver", "--backend cpu")},
		{Selection{Backend: each("hybrid")}, each("--backend hybrid", "choose one of cpu, cuda")},
		{Selection{Kernel: each("sse")}, each("--kernel sse", "avx512, avx2, go")},
		{Selection{Stores: each("none")}, each("--stores none", "cached")},
		{Selection{Flow: each("sphere")}, each("--flow sphere", "cavity")},
		{Selection{Size: each("4096")}, each("--size 4096", "write 1024x512")},
		{Selection{Size: each("64x0")}, each("--size 64x0", `"0"`, "positive")},
		{Selection{Size: each("64xmany")}, each(`"many"`)},
		{Selection{Size: each("1000000x1000000")}, each("1000000 × 1000000", "smaller domain")},
		{Selection{Size: each("64x64x64"), Lattice: each("D2Q9")}, each("--size 64x64x64", "D3Q19", "--lattice D2Q9")},
		{Selection{Size: each("16x8")}, each("--size 16×8", "at least 32")},
		{Selection{Size: each("64x8"), Flow: each("cavity")}, each("--size 64×8", "--flow cavity", "at least 32")},
		{Selection{Threads: []int{-1}}, each("--threads -1", "0 takes all")},
		{Selection{Threads: []int{100000}}, each("--threads 100000", "processors")},
		{Selection{Size: each("64x32"), Block: []int{64}}, each("--block 64", "soaos")},
		{Selection{Size: each("64x32"), Layout: each("soaos"), Block: []int{33}}, each("33", "power of two")},
		{Selection{Size: each("64x32"), StepsPerSweep: []int{2}, Streaming: each("ab")}, each("--steps-per-sweep 2", "inplace")},
		{Selection{Size: each("64x32"), StepsPerSweep: []int{3}}, each("3 steps per sweep", "1 or 2")},
		{Selection{Size: each("64x32"), Stores: each("cached"), Streaming: each("inplace")}, each("--stores cached", "ab")},
	} {
		_, err := c.s.Plan()
		for _, text := range c.says {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%+v: the error is %v, want it to say %q", c.s, err, text)
			}
		}
	}
	for _, k := range lbm.KernelNames {
		if missing := lbm.MissingFor(k); len(missing) > 0 {
			if _, err := (Selection{Size: each("64x32"), Kernel: each(k)}).Plan(); err == nil || !strings.Contains(err.Error(), missing[0]) {
				t.Errorf("kernel %s: the error is %v, want it to name %s", k, err, missing[0])
			}
		}
	}
}

// quick is an effort for tests: rates mean nothing.
var quick = harness.Effort{Repeats: harness.LeastRepeats, Step: time.Millisecond}

func TestRowsOfThisMachineAreMeasuredAndChecked(t *testing.T) {
	specs := plan(t, Selection{Size: each("64x48"), Precision: each("f64", "f32/f16"), Threads: []int{1}})
	rows, err := New(quick, io.Discard).Run(context.Background(), specs)
	if err != nil || len(rows) != len(specs) {
		t.Fatalf("%d rows of %d, %v", len(rows), len(specs), err)
	}
	for i := range rows {
		r := &rows[i]
		if r.Status != harness.OK || !(r.MFLUPS > 0 && r.GBs > 0 && r.CopyGBs > 0 && r.UpdateGBs > 0 && r.Roofline > 0) ||
			!(r.MFLUPSLow <= r.MFLUPS && r.MFLUPS <= r.MFLUPSHigh) || r.Repeats != harness.LeastRepeats || r.Steps < 2*harness.LeastRepeats || len(r.Checks) != 4 {
			t.Errorf("%+v", *r)
		}
	}
}

func TestBytesPerNodeAreThoseOfEveryPopulationReadAndWritten(t *testing.T) {
	for _, c := range []struct {
		lattice, precision string
		want               int
	}{{"D2Q9", "f64", 144}, {"D2Q9", "f32", 72}, {"D2Q9", "f32/f16", 36}, {"D3Q19", "f64", 304}, {"D3Q19", "f32", 152}, {"D3Q19", "f32/f16", 76}} {
		if got := (&Spec{Lattice: c.lattice, Precision: c.precision}).bytesPerNode(); got != c.want {
			t.Errorf("%s %s: %d bytes per node, want %d", c.lattice, c.precision, got, c.want)
		}
	}
}

// Valero-Lara et al. (2015), eq. (7): B·10⁹/(10⁶·n·6·8) for D2Q9 in double precision; with
// the 288 GB/s of their device it is 667.
func TestTheIdealRateIsThatOfThePaper(t *testing.T) {
	r := newRow(Spec{Lattice: "D2Q9", Size: harness.Size{64, 32}, Precision: "f64", Streaming: "ab"})
	r.take([]sample{{mflups: 500, copyGBs: 288, updateGBs: 300}})
	if want := 288e9 / (1e6 * 9 * 6 * 8); math.Abs(r.Ideal-want) > 1e-9 {
		t.Errorf("the ideal rate is %g MFLUPS, want %g", r.Ideal, want)
	}
}

func TestTheLimitIsThatOfTheScheme(t *testing.T) {
	samples := []sample{{100, 40, 50}, {120, 30, 60}, {110, 20, 20}}
	// Of the repeats' shares .36 .576 .792 and .288 .288 .792.
	for scheme, want := range map[string]float64{"ab": 0.576, "inplace": 0.288} {
		r := newRow(Spec{Lattice: "D2Q9", Size: harness.Size{64, 32}, Precision: "f64", Streaming: scheme})
		r.take(samples)
		if d := r.Roofline - want; d > 1e-12 || d < -1e-12 || r.MFLUPS != 110 || r.CopyGBs != 30 || r.UpdateGBs != 50 {
			t.Errorf("%s: %+v, want a share of %g", scheme, r, want)
		}
	}
}

// faked is a measurer whose rates follow from the row alone. Those of trt
// are wrong, those of soaos refused.
func faked(_ context.Context, _ *harness.Limits, s Spec, _ harness.Effort) (Row, error) {
	r := newRow(s)
	found := []harness.Check{{Name: "error", Value: 0.001, Bound: 0.01}}
	switch {
	case s.Layout == "soaos":
		return r.without(harness.Refused, "no room"), nil
	case s.Collision == "trt":
		return r.finish(nil, 0, []harness.Check{{Name: "error", Value: 0.5, Bound: 0.01}}, &wrongFlow{"error is 0.5, must not exceed 0.01"})
	}
	copyGBs, updateGBs := 20*float64(s.Threads), 30*float64(s.Threads)
	if s.footprint() < 64<<20 {
		copyGBs, updateGBs = 3*copyGBs, 3*updateGBs
	}
	share := 0.95
	switch {
	case s.Kernel == "go":
		share = 0.3
	case s.Layout == "aos":
		share = 0.2
	case s.StepsPerSweep == 2:
		share = 1.3
	}
	gbs := copyGBs
	if s.limit() == "update" {
		gbs = updateGBs
	}
	mflups := share * gbs * 1e3 / float64(s.bytesPerNode())
	return r.finish([]sample{{0.98 * mflups, copyGBs, updateGBs}, {mflups, copyGBs, updateGBs}, {1.01 * mflups, copyGBs, updateGBs}}, 30, found, nil)
}

var aHost = harness.Host{CPU: "Processor 9000", Cores: 2, Memory: 16 << 30, Platform: "linux/amd64", Go: "go1.26", Version: "0.1.0", Date: "2026-11-20T12:00:00Z", Kernels: each("avx2", "go"), Features: each("AVX2")}

// document is what faked measures of a selection.
func document(t *testing.T, s Selection) Document {
	t.Helper()
	rows, err := (&Bench{Measure: harness.Each(faked), Progress: io.Discard}).Run(context.Background(), plan(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return NewDocument(aHost, rows)
}

func TestTheTableTellsOnceWhatIsTheSameInAllRows(t *testing.T) {
	d := document(t, Selection{Size: each("2048x1024"), Precision: each("f32"), Kernel: each("go"), Threads: []int{1}, Collision: each("trt", "bgk")})
	var b bytes.Buffer
	if err := d.WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	want := `Processor 9000, 2 cores, 16.0 GiB, linux/amd64, go1.26
lbmib 0.1.0, 2026-11-20T12:00:00Z
all rows: lattice D2Q9, size 2048×1024, flow box, precision f32, storage box, layout soa, backend cpu, kernel go, threads 1

streaming  collision  MFLUPS  spread  bytes  GB/s        limit  share   ideal
                      median       %  /node               GB/s         MFLUPS
ab         trt        FAILED       –     72     –            –      –       –
ab         bgk          83.3   −2 +1     72   6.0    copy 20.0   0.30    92.6
inplace    trt        FAILED       –     72     –            –      –       –
inplace    bgk         125.0   −2 +1     72   9.0  update 30.0   0.30    92.6

share: of the limit, the fastest copy (ab) or in-place update (inplace) that was found, measured
in turn with the flow, with the same threads over as many bytes: the median of the repeats' own
shares (roofline in JSON), not that of the medians beside it; spread: of all repeats;
ideal: Valero-Lara et al. (2015), eq. (7), the copy's bandwidth, six accesses to every population
D2Q9 2048×1024 box f32 soa ab trt go, threads 1: FAILED: error is 0.5, must not exceed 0.01
D2Q9 2048×1024 box f32 soa inplace trt go, threads 1: FAILED: error is 0.5, must not exceed 0.01
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestTheTableOfTheDefaultRowsFitsInto100Columns(t *testing.T) {
	d := document(t, Selection{})
	var b bytes.Buffer
	if err := d.WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimSpace(line)); n > 100 && !strings.Contains(line, "FAILED:") {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}

func TestRowsWithoutARateHaveNoneInJSON(t *testing.T) {
	d := document(t, Selection{Size: each("64x32"), Precision: each("f32"), Layout: each("soa", "soaos"), Collision: lbm.CollisionNames[:2], Streaming: each("ab"), Threads: []int{1}})
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Host      map[string]any
		CopyGBs   *float64 `json:"copy_gbs"`
		UpdateGBs *float64 `json:"update_gbs"`
		Rows      []map[string]any
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range each("cpu", "cores", "memory_bytes", "go", "lbmib", "date", "kernels") {
		if got.Host[key] == nil {
			t.Errorf("host has no %s", key)
		}
	}
	if got.CopyGBs == nil || *got.CopyGBs != 60 || got.UpdateGBs == nil || *got.UpdateGBs != 90 {
		t.Errorf("bandwidths are missing or wrong: %s", text)
	}
	states := map[string]int{}
	for _, r := range got.Rows {
		for _, key := range each("lattice", "size", "flow", "precision", "layout", "streaming", "collision", "backend", "kernel", "threads", "mflups", "bytes_per_node", "gbs", "roofline") {
			if r[key] == nil {
				t.Errorf("a row has no %s", key)
			}
		}
		status := r["status"].(string)
		states[status]++
		if (r["mflups"].(float64) > 0) != (status == "ok") || (r["reason"] != nil) != (status != "ok") {
			t.Errorf("%v", r)
		}
	}
	if states["ok"] != 1 || states["failed"] != 1 || states["refused"] != 2 {
		t.Errorf("states are %v", states)
	}
	if f, r := harness.Verdict(d.Rows); f != 1 || r != 2 {
		t.Errorf("the verdict counts %d failed and %d refused", f, r)
	}
}

func TestAFlowThatGoesWrongHasNoRate(t *testing.T) {
	s := plan(t, Selection{Size: each("64x48"), Precision: each("f64"), Streaming: each("ab"), Threads: []int{1}})[0]
	cfg, fl, err := s.config()
	if err != nil {
		t.Fatal(err)
	}
	var l harness.Limits
	defer l.Close()
	m, err := l.Over(s.footprint(), 1)
	if err != nil {
		t.Fatal(err)
	}
	f, err := lbm.New[float64](cfg, l.Workers(1))
	if err != nil {
		t.Fatal(err)
	}
	trial, err := newTrial[float64](&lazy{Fluid: f}, fl)
	if err != nil {
		t.Fatal(err)
	}
	samples, steps, err := trial.repeat(context.Background(), m, harness.Effort{Repeats: harness.LeastRepeats, Step: 50 * time.Millisecond})
	r, err := newRow(s).finish(samples, steps, trial.found, err)
	if err != nil || r.Status != harness.Wrong || r.MFLUPS != 0 || !strings.Contains(r.Reason, "amplitude") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAnInterruptedBenchKeepsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	b := &Bench{Progress: io.Discard, Measure: harness.Each(func(ctx context.Context, l *harness.Limits, s Spec, e harness.Effort) (Row, error) {
		if n++; n == 2 {
			cancel()
			return Row{}, ctx.Err()
		}
		return faked(ctx, l, s, e)
	})}
	rows, err := b.Run(ctx, plan(t, Selection{Size: each("64x32"), Precision: each("f32")}))
	if len(rows) != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New(quick, io.Discard).Run(stopped, plan(t, Selection{Size: each("64x32")})); !errors.Is(err, context.Canceled) {
		t.Errorf("a measurement goes on: %v", err)
	}
}

func TestRowsBeyondTheMemoryAreRefusedBeforeAllocation(t *testing.T) {
	s := plan(t, Selection{Size: each("40000x50000"), Precision: each("f64"), Streaming: each("ab"), Threads: []int{1}})[0]
	var l harness.Limits
	defer l.Close()
	r, err := measure(context.Background(), &l, s, quick) // 288 GB of lattices and as much again
	if err != nil || r.Status != harness.Refused || !strings.Contains(r.Reason, "the machine has") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestTheReportHasEveryRowAndPlot(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU())) // a plot over threads, whatever -cpu is
	dir := t.TempDir()
	b := &Bench{Measure: harness.Each(faked), Progress: io.Discard}
	asked := plan(t, Selection{Size: each("256x100"), Precision: each("f32")})
	rows, all, err := Report(context.Background(), b, dir, aHost, asked)
	if err != nil || len(rows) != len(asked) || len(all) <= len(rows) {
		t.Fatalf("%d rows of %d, %d in all, %v", len(rows), len(asked), len(all), err)
	}
	if failed, _ := harness.Verdict(all); failed == 0 {
		t.Error("rows of a plot that failed are not among all")
	}
	text, err := os.ReadFile(filepath.Join(dir, "lbm.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range each("Processor 9000", "16.0 GiB", "avx2, go", "256×100", "lbmib bench lbm --report DIR", "refused: no room", "inplace-2", "| ideal (MFLUPS) |", "eq. (7)", "| recursive |") {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	plots, err := sets()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range plots {
		if !strings.Contains(string(text), "("+s.Name+".png)") {
			t.Errorf("the report does not show %s", s.Name)
		}
		img := decode(t, filepath.Join(dir, s.Name+".png"))
		if n := inked(img); n < 100 { // of 80,000; frames and texts are grey
			t.Errorf("%s shows no data: %d coloured pixels", s.Name, n)
		}
	}
}

func decode(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// inked counts the pixels of the first colour, of every third row and column.
func inked(img image.Image) (n int) {
	r0, g0, b0, _ := chart.Color(0).RGBA()
	for y := 0; y < img.Bounds().Dy(); y += 3 {
		for x := 0; x < img.Bounds().Dx(); x += 3 {
			if r, g, b, _ := img.At(x, y).RGBA(); r == r0 && g == g0 && b == b0 {
				n++
			}
		}
	}
	return n
}

func TestBarsAreAsHighAsTheirRates(t *testing.T) {
	d := document(t, Selection{Size: each("2048x1024"), Precision: each("f32"), Streaming: each("ab"), Kernel: each("go"), Threads: []int{1}})
	all, err := sets()
	if err != nil {
		t.Fatal(err)
	}
	s := &all[3]
	area := func(share float64) int {
		r := slices.Clone(d.Rows)
		r[0].MFLUPS = share * r[0].limitMFLUPS()
		path := filepath.Join(t.TempDir(), "bars.png")
		if drawn, err := harness.Draw(&figure, s, path, r); !drawn || err != nil {
			t.Fatal(drawn, err)
		}
		return inked(decode(t, path))
	}
	if full, half := area(0.8), area(0.4); half < full*45/100 || half > full*55/100 { // the legend's sample is coloured too
		t.Errorf("a bar of half the rate has %d pixels of %d", half, full)
	}
	if drawn, err := harness.Draw(&figure, s, "/nonexistent/place.png", nil); drawn || err != nil {
		t.Errorf("no rows: drawn %v, %v", drawn, err)
	}
}

func TestARowReadFromJSONIsTheRow(t *testing.T) {
	specs, err := Selection{Size: each("64x48", "33x32x32"), Flow: flowNames, Precision: each("f64", "f32/f16"), Layout: each("soa", "soaos"), StepsPerSweep: []int{1, 2}}.Plan()
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
