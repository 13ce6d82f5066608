package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/relaxation"
	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/ib/elastic/rbf"
)

// faked is a measurer whose times follow from the row alone. Those of columns are
// wrong, those on more than 64³ nodes refused.
func faked(_ context.Context, _ *harness.Limits, specs []Spec, _ harness.Effort) (rows []Row, err error) {
	for _, s := range specs {
		r := newRow(&s)
		d, err := ib.NewDelta[float64](s.Delta)
		if err != nil {
			return nil, err
		}
		c := newCost(&s.Problem, d, s.grids(), nil)
		c.positions, c.uses, c.fieldLines = int64(s.Points)*24, int64(s.Points)*192, int64(s.Points)
		ms := float64(s.Points) / 1e3 / float64(s.Threads)
		serial := float64(s.Points) / 1e3
		if s.Order == kept || s.Order == sorted {
			ms, serial = ms/2, serial/2
		}
		switch {
		case s.Algorithm == "columns":
			r = r.without(harness.Wrong, "relative error of the total force is 0.5, must not exceed 1e-13")
		case s.Size[0] > 128 && s.Size.Dim() == 3:
			r = r.without(harness.Refused, "no room")
		default:
			r.take([]sample{{0.98 * ms, serial, 20, 7}, {ms, serial, 20, 7}, {1.02 * ms, serial, 20, 7}}, &c)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// fakedDrive is likewise.
func fakedDrive(_ context.Context, _ *Unstructured, drivers []Driver) (all []Timing, err error) {
	for _, d := range drivers {
		t := Timing{Driver: d, Outcome: harness.Outcome{Status: harness.OK}, Interpolate: float64(d.Points) * 1e-6 / float64(d.Threads), InterpolateSpeedup: float64(d.Threads)}
		t.Spread, t.SpreadSpeedup = 2*t.Interpolate, 0.8*float64(d.Threads)
		if d.Algorithm == "columns" {
			t = Timing{Driver: d, Outcome: harness.Outcome{Status: harness.Wrong, Reason: "relative error of the total force is 0.5, must not exceed 1e-11"}}
		}
		all = append(all, t)
	}
	return all, nil
}

var aHost = harness.Host{CPU: "Processor 9000", Cores: 2, Memory: 16 << 30, Platform: "linux/amd64", Go: "go1.26", Version: "0.1.0", Date: "2026-11-20T12:00:00Z"}

func fake() *Bench {
	b := New(harness.Effort{Repeats: 5}, io.Discard, "")
	b.Measure, b.drive = faked, fakedDrive
	b.relaxations, b.redCells = fakedRelaxations(1), fakedRedCells
	return b
}

// fakedRelaxations are of errors that go with a power of the spacing, on small grids.
func fakedRelaxations(order float64) func(context.Context, string, int) ([]*relaxation.State, error) {
	return func(_ context.Context, delta string, _ int) (all []*relaxation.State, err error) {
		for n := 2; n <= 16; n *= 2 {
			s := &relaxation.State{Grid: relaxation.Grid{Nodes: n, Data: 1, Delta: delta, Substeps: 1, End: 16}, Mach: 1e-3, Volume: 1, Seconds: 1e-2}
			e := math.Pow(s.Spacing(), order)
			for a := range s.Velocity {
				s.Velocity[a] = make([]float64, n*n*n)
			}
			for k := range s.Velocity[0] {
				s.Velocity[0][k] = 1 + 1e-3*e
			}
			s.Sites, s.Began = []geometry.Vec{{2 * e}}, []geometry.Vec{{}}
			all = append(all, s)
		}
		return all, nil
	}
}

// fakedRedCells take times that go with cells over threads.
func fakedRedCells(_ context.Context, all []redCellsTiming, _ int, _ string) (float64, error) {
	for i := range all {
		m := &all[i]
		m.Interpolate = 1e-3 * float64(m.Cells) / float64(m.Threads)
		m.Spread = 10 * m.Interpolate
	}
	return 2e-3, nil
}

func TestRowsAndTablesInJSON(t *testing.T) {
	rows, err := fake().Run(context.Background(), plan(t, Selection{Grid: each("16", "200"), Algorithm: each("serial"), Order: each("new", "set"), Points: each(1000)}))
	if err != nil {
		t.Fatal(err)
	}
	tables, err := fake().Tables(context.Background(), TableNames, Shorter{Steps: 7, Points: 512, Threads: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(NewDocument(aHost, rows, tables))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Host    map[string]any
		CopyGBs float64 `json:"copy_gbs"`
		Rows    []map[string]any
		Tables  []struct {
			Name, Title, Source string
			Steps               int
			Notes               []string
			Rows                []map[string]any
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.CopyGBs != 20 || got.Host["cpu"] != "Processor 9000" || len(got.Rows) != 6 || len(got.Tables) != len(TableNames) {
		t.Fatalf("got %s", text)
	}
	for _, r := range got.Rows {
		for _, key := range each("op", "algorithm", "delta", "grid", "staggered", "components", "points", "distribution", "precision", "backend", "threads", "order",
			"ms_per_call", "ms_low", "ms_high", "mpoints_per_s", "weights_per_s", "allocations_per_call", "bytes_per_call", "gbs", "copy_gbs", "roofline", "ratio_to_serial") {
			if r[key] == nil {
				t.Errorf("a row has no %s", key)
			}
		}
		if (r["ms_per_call"].(float64) > 0) != (r["status"] == "ok") || (r["reason"] != nil) != (r["status"] != "ok") {
			t.Errorf("%v", r)
		}
	}
	for _, table := range got.Tables {
		if table.Source == "" || len(table.Rows) == 0 || len(table.Notes) == 0 || strings.Contains("kassen1 kassen2 kassen5", table.Name) && table.Steps != 7 {
			t.Errorf("%+v", table)
		}
		for _, r := range table.Rows {
			for _, key := range each("op", "algorithm", "points", "threads", "refinement", "seconds_per_call", "speedup", "status") {
				if r[key] == nil {
					t.Errorf("%s: a row has no %s", table.Name, key)
				}
			}
		}
	}
}

func TestTableKassen1PutsThePapersNumbersBeside(t *testing.T) {
	s := Shorter{Algorithms: each("serial", "sort-reduce"), Threads: each(2), Steps: 11}
	tables, err := fake().Tables(context.Background(), each("kassen1"), s)
	if err != nil {
		t.Fatal(err)
	}
	d := NewDocument(aHost, nil, tables)
	var b bytes.Buffer
	if err := d.WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"steps timed: 11", "65536 points (published: 65536, 1000 steps)",
		"interpolate  serial       3          1        0.06554  0.06554  0.06554  0.06554    1.29633  1.31373  1.30763  1.35101",
		"spread       sort-reduce  4          2        0.06554  0.06554  0.06554  0.06554    0.23282  0.26431  0.25783  0.26590",
		"spread       sort-reduce  4          1        0.13107",
		"spread       sort-reduce  4          2        1.60  1.60  1.60  1.60       5.72   5.06   5.19   5.16",
		"at new places in every call, spreading by sort-reduce on one thread takes 1.00 of serial's time at refinement 64", ": 1.12)", // tethered ones take 1.25
		"Tesla K80", "0.07288",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table does not say %q:\n%s", want, b.String())
		}
	}
}

func TestTableKassen2ScalesWithThreads(t *testing.T) {
	tables, err := fake().Tables(context.Background(), each("kassen2"), Shorter{Algorithms: each("sort-reduce"), Threads: []int{1, 2, 4}, Points: 1000})
	if err != nil {
		t.Fatal(err)
	}
	d := NewDocument(aHost, nil, tables)
	var b bytes.Buffer
	if err := d.WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{ // times of the fakes go as points over threads
		"sort-reduce           4    4000      0.00100  0.00200         1.00    1.00",
		"sort-reduce           4    1000      0.00025  0.00050         2.00       2.00",
		"published, GPU     1024  524288      0.45442  0.43561         1.03    0.91",
		"published, CPU        –   65536            –        –         1.91       1.85",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table does not say %q:\n%s", want, b.String())
		}
	}
}

func TestTables3And4TellOrdersBesideThePapers(t *testing.T) {
	for _, c := range []struct {
		order  float64
		status string
	}{{1, harness.OK}, {0.7, harness.Wrong}, {1.7, harness.Wrong}} {
		b := fake()
		b.relaxations = fakedRelaxations(c.order)
		tables, err := b.Tables(context.Background(), each("kassen3", "kassen4"), Shorter{Threads: each(1)})
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range tables {
			last := table.Rows[len(table.Rows)-1]
			if len(table.Rows) != 3 || math.Abs(last.Convergence.L2Order-c.order) > 1e-9 || last.Status != c.status || (last.Reason != "") != (c.status == harness.Wrong) {
				t.Errorf("%s, order %g: %d rows, the last %+v, %+v", table.Name, c.order, len(table.Rows), last, last.Convergence)
			}
		}
		if failed, _ := Verdict(nil, tables); failed != 2*map[bool]int{true: 1}[c.status == harness.Wrong] {
			t.Errorf("order %g: %d rows failed", c.order, failed)
		}
		d := NewDocument(aHost, nil, tables)
		var text bytes.Buffer
		if err := d.WriteTable(&text); err != nil {
			t.Fatal(err)
		}
		want := each("1.4684e-04  1.560  1.0847e-03  0.815  holds", "3.5909e-04  1.024  6.0956e-04  0.939  holds")
		if c.status == harness.Wrong {
			want = each("0.815  FAILED", "0.939  FAILED", "distance of the last order in L2")
		}
		for _, w := range want {
			if !strings.Contains(text.String(), w) {
				t.Errorf("order %g: the tables do not say %q:\n%s", c.order, w, text.String())
			}
		}
	}
}

func TestTable5HasRedCellsOnThreads(t *testing.T) {
	tables, err := fake().Tables(context.Background(), each("kassen5"), Shorter{Threads: each(1, 2), Algorithms: each("sort-reduce")})
	if err != nil {
		t.Fatal(err)
	}
	if rows := tables[0].Rows; len(rows) != 16 || rows[15].Cells != 8 || rows[15].Points != 8*8832 || rows[15].Speedup != 2 || rows[15].PaperSeconds != 0.11354 || rows[14].PaperSeconds != 0.01199 {
		t.Errorf("%d rows, the last %+v", len(rows), rows[len(rows)-1])
	}
	d := NewDocument(aHost, nil, tables)
	var b bytes.Buffer
	if err := d.WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range each(
		"sort-reduce 2 2 0.00100 0.01000 1.00e-03 1.00e-02 2.00 2.00 1.00 1.00",
		"sort-reduce 8 2 0.00400 0.04000 1.00e-03 1.00e-02 2.00 2.00 – –",
		"8 512 0.01199 0.11354 1.11 0.96", "2 ms a cell and step", "κ = 2κ′",
	) {
		if !strings.Contains(text, want) {
			t.Errorf("the table does not say %q:\n%s", want, b.String())
		}
	}
}

// TestRedCellsAreMeasured: sites interpolate the shear and spread all of their force, whoever does it, and no support of a
// cell's sites is in that of another.
func TestRedCellsAreMeasured(t *testing.T) {
	all := []redCellsTiming{{Algorithm: "sort-reduce", Cells: 1, Threads: 1}, {Algorithm: "serial", Cells: 8, Threads: 1}, {Algorithm: "none", Cells: 1, Threads: 1}}
	for i := range all {
		all[i].Status = harness.OK
	}
	laws, err := redCells(context.Background(), all, 2, "")
	if err != nil || !(laws > 0) {
		t.Fatal(laws, err)
	}
	for _, m := range all[:2] {
		if m.Status != harness.OK || !(m.Interpolate > 0) || !(m.Spread > 0) || len(m.Checks) != 2 {
			t.Errorf("%+v", m)
		}
	}
	if all[2].Status != harness.Refused {
		t.Errorf("%+v", all[2])
	}
	surface, err := rbf.NewRedCell(864, 8832, redRadius)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rbf.NewMembrane(surface, rbf.Material{Shear: redShear})
	if err != nil {
		t.Fatal(err)
	}
	b, _ := newRedCells(m)
	owner := map[[3]int]int{}
	for k, y := range b.y {
		at := [3]int{}
		for a := range at { // blocks of 0.5 µm: supports of 1 µm are apart where blocks beside each other have one owner
			at[a] = int(math.Floor(y[a]/0.5)) & 31
		}
		owner[at] = 1 + k/8832
	}
	for at, cell := range owner {
		for i := range 27 {
			beside := [3]int{(at[0] + i%3 - 1) & 31, (at[1] + i/3%3 - 1) & 31, (at[2] + i/9 - 1) & 31}
			if other := owner[beside]; other != 0 && other != cell {
				t.Fatalf("cells %d and %d meet at %v", cell, other, at)
			}
		}
	}
}

func TestTablePPMHasTheLargestProblemsOfThePaper(t *testing.T) {
	tables, err := fake().Tables(context.Background(), each("ppm"), Shorter{Algorithms: each("serial", "sort-reduce"), Threads: each(2)})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(tables[0].Rows); got != 16*3 { // serial on one thread, sort-reduce on one and two
		t.Errorf("%d rows", got)
	}
	for _, r := range tables[0].Rows {
		if want := map[int]int{2: 4096 << 10, 3: 2048 << 10}[r.Dim]; r.Points != want || r.PaperSpeedup == 0 || r.PaperWithTransfer == 0 {
			t.Errorf("%+v", r)
		}
	}
	d := NewDocument(aHost, nil, tables)
	var b bytes.Buffer
	if err := d.WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	found := ""
	for line := range strings.Lines(b.String()) {
		words := strings.Join(strings.Fields(line), " ")
		if strings.HasPrefix(words, "interpolate m4prime 3D f32") {
			found = words
		}
	}
	if want := "interpolate m4prime 3D f32 2097152 – 1.00 serial – 2.00 sort-reduce 13.00 5.10"; found != want {
		t.Errorf("got %q, want %q", found, want)
	}
	for points, edges := range map[int][2]int{0: {2048, 128}, 4096: {64, 13}, 1: {8, 8}} {
		two, three := ppmCase{dim: 2}, ppmCase{dim: 3}
		if a, b := two.problem(points, "go").Size[0], three.problem(points, "go").Size[2]; a != edges[0] || b != edges[1] {
			t.Errorf("--points %d: edges %d and %d, want %v", points, a, b, edges)
		}
	}
}

func TestWrongResultsOfRowsAndTablesCount(t *testing.T) {
	specs := plan(t, Selection{Grid: each("16", "200"), Algorithm: each("serial"), Op: each("spread"), Order: each("new")})
	rows, err := fake().Run(context.Background(), specs)
	if err != nil {
		t.Fatal(err)
	}
	tables := []Table{{Rows: []TableRow{{Outcome: harness.Outcome{Status: harness.OK}}, {Outcome: harness.Outcome{Status: harness.Wrong, Reason: "off"}}, {Outcome: harness.Outcome{Status: harness.Refused}}}}}
	if f, r := Verdict(rows, tables); f != 1 || r != 2 {
		t.Errorf("%d failed, %d refused", f, r)
	}
	if lines := tables[0].reasons(); len(lines) != 2 || !strings.Contains(lines[0], "off") {
		t.Errorf("told %q", lines)
	}
}

func TestTheTableOfTheDefaultRowsFitsIntoATerminal(t *testing.T) {
	rows, err := fake().Run(context.Background(), plan(t, Selection{Points: each(1000)}))
	if err != nil {
		t.Fatal(err)
	}
	d := NewDocument(aHost, rows, nil)
	var b bytes.Buffer
	if err := d.WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "all rows: delta cosine4, grid 128³, field staggered, components 3, points 1000, distribution random, precision f64, backend cpu, kernel "+rows[0].Kernel) {
		t.Errorf("got\n%s", b.String())
	}
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimSpace(line)); n > 125 && !strings.Contains(line, "FAILED:") && !strings.HasPrefix(line, "all rows") {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}

func TestTheReportHasEveryRowPlotAndTable(t *testing.T) {
	dir := t.TempDir()
	asked := plan(t, Selection{Grid: each("16"), Algorithm: each("serial"), Precision: each("f32")})
	b := fake()
	plots, err := b.plots("")
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() { // drawing is slow under the race detector: lines and bars
		plots = []section{plots[1], plots[3]}
	}
	b.plots = func(string) ([]section, error) { return plots, nil }
	rows, all, tables, err := b.Report(context.Background(), dir, aHost, asked, Shorter{Points: 4096})
	if err != nil || len(rows) != len(asked) || len(all) <= len(rows) || len(tables) != len(reportTables()) {
		t.Fatalf("%d rows of %d, %d in all, %d tables, %v", len(rows), len(asked), len(all), len(tables), err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ib.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range each("Processor 9000", "16.0 GiB", "16³", "lbmib bench ib --report DIR", "refused: no room", "Table 1", "Tesla K80", "C2050", "steps timed: 10", "best of serial, sort-reduce, blocks; kernel ", "(3 of what takes longer at once)", "| sort-reduce | sorted |", "Kassen, Shankar & Fogelson") {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	for _, s := range plots {
		if !strings.Contains(string(text), "("+s.Name+".png)") {
			t.Errorf("the report does not show %s", s.Name)
		}
		if n := inked(t, filepath.Join(dir, s.Name+".png")); n < 100 {
			t.Errorf("%s shows no data: %d coloured pixels", s.Name, n)
		}
	}
	if drawn, err := harness.Draw(&figure, &plots[0], "/nonexistent/place.png", nil); drawn || err != nil {
		t.Errorf("no rows: drawn %v, %v", drawn, err)
	}
}

// inked counts the pixels that are no grey, of every third row and column: frames
// and texts are.
func inked(t *testing.T, path string) (n int) {
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
	for y := 0; y < img.Bounds().Dy(); y += 3 {
		for x := 0; x < img.Bounds().Dx(); x += 3 {
			if r, g, b, _ := img.At(x, y).RGBA(); max(r, g, b)-min(r, g, b) > 0x3000 {
				n++
			}
		}
	}
	return n
}

// The plots show what they say: points grow, boxes stay the same while grids grow.
func TestPlotsHaveTheRowsThatTheirTextSays(t *testing.T) {
	plots, err := sets("")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range plots {
		for _, s := range p.Specs {
			if strings.HasPrefix(p.Name, "grid-") && (s.Box != 32 || s.Size[0] < 32) || !strings.HasPrefix(p.Name, "grid-") && s.Box != 0 {
				t.Errorf("%s: %v", p.Name, &s)
			}
			if !strings.HasSuffix(p.Name, s.Op) {
				t.Errorf("%s has a row of %s", p.Name, s.Op)
			}
		}
	}
}
