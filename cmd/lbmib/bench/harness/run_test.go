package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lbmib/cmd/lbmib/bench/table"
)

// toy is a spec: a number, measured with others of its family.
type toy struct {
	Family family
	Number int
}

type family string

func (f family) String() string { return string(f) }
func (t toy) String() string    { return fmt.Sprintf("%s%d", t.Family, t.Number) }
func (t toy) Is(u toy) bool     { return t == u }

type toyRow struct {
	toy
	Outcome
	Square int
}

func (r toyRow) Result() string { return fmt.Sprintf("%d squared is %d", r.Number, r.Square) }

// squares refuses 3 and finds 4 wrong.
func squares(_ context.Context, _ *Limits, specs []toy, _ Effort) (rows []toyRow, err error) {
	for _, s := range specs {
		r := toyRow{s, Outcome{Status: OK}, s.Number * s.Number}
		switch s.Number {
		case 3:
			r = toyRow{s, Outcome{Refused, "no room"}, 0}
		case 4:
			r = toyRow{s, Outcome{Wrong, "it is 17"}, 0}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

var toys = []toy{{"a", 1}, {"b", 2}, {"a", 3}, {"b", 4}, {"c", 5}}

func TestRowsComeInTheOrderOfTheirSpecsWhateverIsMeasuredTogether(t *testing.T) {
	for _, together := range []bool{false, true} {
		var progress strings.Builder
		var seen [][]toy
		b := &Bench[toy, toyRow]{Progress: &progress, Measure: func(ctx context.Context, l *Limits, specs []toy, e Effort) ([]toyRow, error) {
			seen = append(seen, specs)
			return squares(ctx, l, specs, e)
		}}
		want := "[1/5] a1 … 1 squared is 1\n[2/5] b2 … 2 squared is 4\n[3/5] a3 … refused: no room\n[4/5] b4 … FAILED: it is 17\n[5/5] c5 … 5 squared is 25\n"
		if together {
			b.Group = func(s toy) fmt.Stringer { return s.Family }
			want = "[1/3] a: 2 rows … 0.0 s, 1 refused\n[2/3] b: 2 rows … 0.0 s, 1 FAILED\n[3/3] c: 1 rows … 0.0 s\n"
		}
		rows, err := b.Run(context.Background(), toys)
		if err != nil || len(rows) != len(toys) || progress.String() != want {
			t.Fatalf("%d rows, %v, told\n%swant\n%s", len(rows), err, progress.String(), want)
		}
		for i, r := range rows {
			if !r.Is(toys[i]) {
				t.Errorf("row %d is %v, want %v", i, r, toys[i])
			}
		}
		if together && !slices.Equal(seen[1], []toy{{"b", 2}, {"b", 4}}) {
			t.Errorf("together with b2 is measured %v", seen[1])
		}
		if failed, refused := Verdict(rows); failed != 1 || refused != 1 {
			t.Errorf("%d failed, %d refused", failed, refused)
		}
	}
}

func TestWhatWasMeasuredBeforeAnInterruptionIsKept(t *testing.T) {
	stopped := errors.New("stopped")
	var progress strings.Builder
	b := &Bench[toy, toyRow]{Progress: &progress, Group: func(s toy) fmt.Stringer { return s.Family },
		Measure: func(ctx context.Context, l *Limits, specs []toy, e Effort) ([]toyRow, error) {
			if specs[0].Family == "b" {
				return nil, stopped
			}
			return squares(ctx, l, specs, e)
		}}
	rows, err := b.Run(context.Background(), toys)
	if err != stopped || len(rows) != 2 || rows[1].Number != 3 || !strings.HasSuffix(progress.String(), "b: 2 rows … interrupted\n") {
		t.Errorf("%v, %v, told %s", rows, err, progress.String())
	}
}

func TestAReportHasItsSectionsAndPlots(t *testing.T) {
	dir := t.TempDir()
	rows, _ := squares(context.Background(), nil, toys, Effort{})
	numbers := &Table[toyRow]{Legend: "a legend\n", Columns: []table.Property[toyRow]{
		table.Name("family", "", func(r *toyRow) string { return r.Family.String() }),
		table.Quantity("square", "", func(r *toyRow) string { return r.OrState(fmt.Sprint(r.Square)) }),
	}}
	square := func(r *toyRow) float64 { return float64(r.Square) }
	sections := []Section[toy, toyRow]{
		{Title: Asked, Specs: toys[1:2]},
		{Name: "growth", Title: "Growth", Why: "They grow.", Specs: toys[:3], Group: func(*toyRow) string { return "all" }, X: func(r *toyRow) float64 { return float64(r.Number) }},
		{Name: "none", Title: "Nothing", Specs: toys[3:4], Group: func(*toyRow) string { return "" }},
		{Title: "Not measured", Specs: []toy{{"z", 9}}},
	}
	if all := Union(toys[3:], sections); !slices.Equal(all, []toy{toys[3], toys[4], toys[1], toys[0], toys[2], {"z", 9}}) {
		t.Errorf("the union is %v", all)
	}
	r := Report[toy, toyRow]{
		Title: "Squares", Head: "\nof numbers\n", Tail: ToRepeat("toys", "Mind them."), Sections: sections, Table: numbers,
		Figure: &Figure[toyRow]{Label: "square", Value: square, Limit: square, Above: func(*toyRow) string { return "" }},
		More:   func(b *strings.Builder) { b.WriteString("\nmore\n") },
	}
	path := filepath.Join(dir, "toys.md")
	var progress strings.Builder
	if err := r.Write(path, rows, &progress); err != nil || progress.String() != "report: "+path+"\n" {
		t.Fatal(err, progress.String())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(text), "of numbers\n")
	want := `
## The rows asked for

| family | square |
|---|--:|
| b | 4 |

## Growth

They grow.

![Growth](growth.png)

| family | square |
|---|--:|
| a | 1 |
| b | 4 |
| a | refused |

- a3: refused: no room

## Nothing

| family | square |
|---|--:|
| b | FAILED |

- b4: FAILED: it is 17

## Not measured

No row was measured.

more

## To repeat it

<!-- not run: measures for minutes -->
` + "```sh\nlbmib bench toys --report DIR\n```" + `

on a machine that does nothing else. Mind them.
`
	if body != want {
		t.Errorf("got\n%s\nwant\n%s", body, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "growth.png")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "none.png")); err == nil {
		t.Error("a plot without rows is drawn")
	}
	if text := numbers.Text(Host{}, rows); !strings.Contains(text, "a legend\na3: refused: no room\nb4: FAILED: it is 17\n") {
		t.Errorf("the table is\n%s", text)
	}
}

func TestASizeIsAListOfItsAxes(t *testing.T) {
	for _, c := range []struct {
		size       Size
		text, json string
		nodes, dim int
	}{{Size{64, 32}, "64×32", "[64,32]", 2048, 2}, {Size{4, 5, 6}, "4×5×6", "[4,5,6]", 120, 3}, {Size{8, 8, 1}, "8×8×1", "[8,8,1]", 64, 3}} {
		text, err := json.Marshal(c.size)
		var back Size
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || string(text) != c.json || back != c.size || c.size.String() != c.text || c.size.Nodes() != c.nodes || c.size.Dim() != c.dim {
			t.Errorf("%v: %s, back %v, %d nodes, %v", c.size, text, back, c.size.Nodes(), err)
		}
		if p := c.size.Padded(); p[0]*p[1]*p[2] != c.nodes {
			t.Errorf("%v is padded to %v", c.size, p)
		}
	}
}

func TestTheLargestRowHasTheMostThreadsThenBytes(t *testing.T) {
	type row struct {
		threads int
		bytes   int64
		gbs     float64
	}
	rows := []row{{1, 900, 5}, {2, 100, 6}, {2, 200, 7}, {2, 200, 8}, {4, 500, 0}}
	of := func(r *row) (int, int64, float64) { return r.threads, r.bytes, r.gbs }
	if best := Largest(rows, of); best == nil || best.gbs != 7 {
		t.Errorf("the largest is %v", best)
	}
	if best := Largest(rows[4:], of); best != nil {
		t.Errorf("without a bandwidth the largest is %v", best)
	}
}

func TestStepsTakeAsLongAsAskedFor(t *testing.T) {
	asked := 0
	run := func(each time.Duration) func(int) (time.Duration, error) {
		return func(n int) (time.Duration, error) { asked += n; return time.Duration(n) * each, nil }
	}
	if n, err := StepsFor(time.Second, run(time.Millisecond)); n != 1000 || err != nil || asked > 300 {
		t.Errorf("%d steps of a millisecond make a second, after %d to find out, %v", n, asked, err)
	}
	if n, _ := StepsFor(time.Second, run(time.Minute)); n != 2 {
		t.Errorf("%d steps of a minute", n)
	}
	stopped := errors.New("stopped")
	if _, err := StepsFor(time.Second, func(int) (time.Duration, error) { return 0, stopped }); err != stopped {
		t.Errorf("the error is %v", err)
	}
}
