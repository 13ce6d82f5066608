package table

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

var columns = []string{"t", "step", "body", "cd"}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	return string(must[[]byte](t)(os.ReadFile(path)))
}

func appendRow(t testing.TB, w *Writer, i int) {
	t.Helper()
	if err := w.Append(0.05*float64(i), int64(10*i), "cylinder", 1/float64(i+3)); err != nil {
		t.Fatal(err)
	}
}

func TestValuesComeBackBitForBit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forces.csv")
	w := must[*Writer](t)(Create(path, columns))
	if got := content(t, path); got != "t,step,body,cd\n" {
		t.Errorf("the header on disk is %q", got)
	}
	values := []float64{0, math.Copysign(0, -1), 0.1, 1. / 3, 1e300, 5e-324, 123456789, math.Inf(1), math.Inf(-1), math.NaN()}
	bodies := []string{"a", "", "left, upper", `the "big" one`, " padded ", "Zylinder ø", "a", "a", "a", "a"}
	for i, v := range values {
		if err := w.Append(v, i, bodies[i], int64(math.MinInt64)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := w.Append(1., 1, "a", 1.); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a row after Close: %v", err)
	}
	table := must[*Table](t)(Read(path))
	if table.Rows() != len(values) || !reflect.DeepEqual(table.Columns, columns) {
		t.Fatalf("%d rows of %q", table.Rows(), table.Columns)
	}
	got := must[[]float64](t)(table.Float("t", nil))
	for i, v := range values {
		if math.Float64bits(got[i]) != math.Float64bits(v) && !(math.IsNaN(got[i]) && math.IsNaN(v)) {
			t.Errorf("row %d: %v came back as %v", i, v, got[i])
		}
	}
	if text := must[[]string](t)(table.Text("body", nil)); !reflect.DeepEqual(text, bodies) {
		t.Errorf("texts came back as %q", text)
	}
	if text := must[[]string](t)(table.Text("t", nil)); text[len(text)-1] != "" || text[2] != "0.1" {
		t.Errorf("NaN is not an empty cell, or 0.1 not short: %q", text)
	}
	only := must[func(int) bool](t)(table.Where("body", "a"))
	if steps := must[[]float64](t)(table.Float("step", only)); !reflect.DeepEqual(steps, []float64{0, 6, 7, 8, 9}) {
		t.Errorf("rows of body a: steps %v", steps)
	}
}

func TestSingleColumnOfNaNKeepsItsRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.csv")
	w := must[*Writer](t)(Create(path, []string{"p"}))
	for _, v := range []any{1., math.NaN(), "", 2.} {
		if err := w.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if rows := must[*Table](t)(Read(path)).Rows(); rows != 4 {
		t.Errorf("%d rows of 4", rows)
	}
}

func TestKilledAndResumedRunLeavesTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.csv")
	w := must[*Writer](t)(Create(whole, columns))
	var offset int64
	for i := range 40 {
		if i == 15 {
			offset = must[int64](t)(w.Sync())
		}
		appendRow(t, w, i)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := content(t, whole)
	// Killed anywhere after the checkpoint: between rows, in a row, at the
	// checkpoint itself.
	for cut := int(offset); cut <= len(want); cut++ {
		path := filepath.Join(dir, "killed.csv")
		if err := os.WriteFile(path, []byte(want[:cut]), 0o666); err != nil {
			t.Fatal(err)
		}
		w := must[*Writer](t)(Resume(path, columns, offset))
		if cut == len(want) || cut%50 == 0 { // the disk is only synced for some, it is slow
			for i := 15; i < 40; i++ {
				appendRow(t, w, i)
			}
			if got := must[int64](t)(w.Sync()); got != int64(len(want)) {
				t.Fatalf("killed at byte %d: the table ends at %d, want %d", cut, got, len(want))
			}
			if content(t, path) != want {
				t.Fatalf("killed at byte %d: the resumed table differs", cut)
			}
		} else if got := content(t, path); got != want[:offset] {
			t.Fatalf("killed at byte %d: resumed behind %q", cut, got)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestResumeRefusesWhatIsNotItsTableAndLeavesIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forces.csv")
	w := must[*Writer](t)(Create(path, columns))
	appendRow(t, w, 1)
	appendRow(t, w, 2)
	size := must[int64](t)(w.Sync())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := content(t, path)
	for _, test := range []struct {
		columns []string
		offset  int64
		says    string
	}{
		{columns[:3], size, "header"},
		{[]string{"t", "step", "body", "cl"}, size, "header"},
		{append(columns[:4:4], "a column longer than the whole file, "+strings.Repeat("x", 200)), size, "header"},
		{columns, size + 1, "has only"},
		{columns, size - 1, "no row ends there"},
		{columns, 3, "header alone"},
		{columns, -1, "header alone"},
		{nil, size, "no columns"},
	} {
		_, err := Resume(path, test.columns, test.offset)
		if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q at %d: error %v, want one that says %q", test.columns, test.offset, err, test.says)
		}
	}
	if content(t, path) != want {
		t.Error("a refused table was changed")
	}
	if _, err := Resume(path+".missing", columns, size); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing table: %v", err)
	}
}

func TestHalfWrittenLastLineIsNotCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forces.csv")
	for text, rows := range map[string]int{
		"t,cd\n1,2\n3,4\n":     2,
		"t,cd\n1,2\n3,4":       1,
		"t,cd\n1,2\n3":         1,
		"t,cd\n1,2\n\"half, 3": 1,
		"t,cd\n":               0,
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if table, err := Read(path); err != nil || table.Rows() != rows {
			t.Errorf("%q: %v, want %d rows", text, err, rows)
		}
	}
}

func TestDamagedTablesAreRefusedWithTheirPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forces.csv")
	for text, says := range map[string]string{
		"":                        "empty",
		"t,cd":                    "empty",
		"t,cd\n1,2\n3\n4,5\n":     "line 3",
		"t,cd\n1,2\n3,4,5\n":      "line 3",
		"t,cd\n1,\"2\n3,4\n5,6\n": "line",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: error %v, want one that says %q", text, err, says)
		}
	}
	if err := os.WriteFile(path, []byte("t,cd\n1,2\n3,four\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	table := must[*Table](t)(Read(path))
	if _, err := table.Float("cd", nil); err == nil || !strings.Contains(err.Error(), path+":3") || !strings.Contains(err.Error(), `"four"`) {
		t.Errorf("a word for a number: %v", err)
	}
	if _, err := table.Float("cl", nil); err == nil || !strings.Contains(err.Error(), `"cl"`) || !strings.Contains(err.Error(), "t, cd") {
		t.Errorf("a missing column: %v", err)
	}
	if err := os.WriteFile(path, []byte("t,\x1b[31mcd\n1,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	table = must[*Table](t)(Read(path))
	if _, err := table.Float("cl", nil); err == nil || strings.Contains(err.Error(), "\x1b") || !strings.Contains(err.Error(), `t, "\x1b[31mcd"`) {
		t.Errorf("a missing column beside one whose name is no text: %q", err)
	}
}

func TestRefusedRowLeavesNoTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forces.csv")
	w := must[*Writer](t)(Create(path, columns))
	for says, row := range map[string][]any{
		"3 values for 4": {1., 2, "a"},
		"float32":        {1., 2, "a", float32(3)},
		"<nil>":          {1., 2, "a", nil},
		"several lines":  {1., 2, "a\nb", 3.},
	} {
		if err := w.Append(row...); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%v: error %v, want one that says %q", row, err, says)
		}
	}
	appendRow(t, w, 0)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "t,step,body,cd\n0,0,cylinder,0.3333333333333333\n" {
		t.Errorf("the table holds %q", got)
	}
	for _, bad := range [][]string{nil, {""}, {"t", "t"}, {"a\nb"}} {
		if _, err := Create(path+".new", bad); err == nil {
			t.Errorf("columns %q are accepted", bad)
		}
	}
	if _, err := os.Stat(path + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused table was created: %v", err)
	}
}

func TestFullDiskIsReportedAndStays(t *testing.T) {
	full := must[*os.File](t)(os.OpenFile("/dev/full", os.O_WRONLY, 0))
	w := newWriter("forces.csv", full, columns)
	var err error
	rows := 0
	for ; err == nil && rows < 2*flushAt; rows++ {
		err = w.Append(1., rows, "cylinder", 2.)
	}
	_, again := w.Sync()
	for _, e := range []error{err, again, w.Append(1., 1, "cylinder", 2.), w.Close()} {
		if !errors.Is(e, syscall.ENOSPC) || !strings.Contains(e.Error(), "forces.csv") || !strings.Contains(e.Error(), "free some space") {
			t.Errorf("after %d rows: %v", rows, e)
		}
	}
	if _, err := Create(filepath.Join(t.TempDir(), "missing", "forces.csv"), columns); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "directory exists") {
		t.Errorf("a missing directory: %v", err)
	}
}

func TestAppendAllocatesNothing(t *testing.T) {
	w := must[*Writer](t)(Create(filepath.Join(t.TempDir(), "forces.csv"), columns))
	i := 0
	name := strings.Repeat("b", 8)
	if n := testing.AllocsPerRun(5000, func() {
		i++
		if err := w.Append(0.05*float64(i), int64(i), name, 1/float64(i)); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per row", n)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// A checkpoint beside the stepping refers to what was flushed before it: that is in the
// file, and the table goes on while it is committed to the disk.
func TestWhatIsFlushedIsInTheFileWhileRowsAreAppended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forces.csv")
	w := must[*Writer](t)(Create(path, columns))
	appendRow(t, w, 1)
	offset := must[int64](t)(w.Flush())
	flushed := content(t, path)
	if int64(len(flushed)) != offset {
		t.Errorf("%d bytes are in the file, %d flushed", len(flushed), offset)
	}
	committed := make(chan error)
	go func() { committed <- w.Commit() }()
	for i := range 2000 { // enough to be written before the end
		appendRow(t, w, i)
	}
	if err := <-committed; err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); !strings.HasPrefix(got, flushed) || len(got) < len(flushed)+2000 {
		t.Errorf("the table has %d bytes, and does not begin with the %d flushed", len(got), offset)
	}
	w = must[*Writer](t)(Resume(path, columns, offset))
	if err := w.Close(); err != nil || content(t, path) != flushed {
		t.Errorf("resumed at what was flushed: %v", err)
	}
}

// Whoever follows a run sees its rows, however few there are.
func TestRowsAreInTheFileWithinASecondOfTheNext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "slow.csv")
	w, err := Create(path, []string{"t"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for k := range 2 {
		if err := w.Append(float64(k)); err != nil {
			t.Fatal(err)
		}
	}
	if got := content(t, path); got != "t\n" {
		t.Errorf("rows that follow each other at once are buffered, the file has %q", got)
	}
	time.Sleep(flushAfter)
	if err := w.Append(2.); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "t\n0\n1\n2\n" {
		t.Errorf("after a second the file has %q", got)
	}
}
