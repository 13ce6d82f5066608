package vtkhdf

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSeriesReadsBackAsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fields.vtkhdf.series")
	if got, err := ReadSeries(path); err != nil || len(got) != 0 {
		t.Fatalf("a missing series: %v, %v, want it empty", got, err)
	}
	var entries []Entry
	for _, e := range []Entry{{"fields/flow_0.vtkhdf", 0}, {"fields/flow_1000.vtkhdf", 0.1}, {"fields/flow_2000.vtkhdf", 1.0 / 3}} {
		if err := WriteSeries(path, entries); err != nil {
			t.Fatal(err)
		}
		got, err := ReadSeries(path)
		if err != nil || !slices.Equal(got, entries) {
			t.Fatalf("got %v, %v, want %v", got, err, entries)
		}
		entries = append(entries, e)
	}
	text := string(read(t, path))
	if !strings.Contains(text, `"file-series-version": "1.0"`) || !strings.Contains(text, `"name": "fields/flow_1000.vtkhdf"`) {
		t.Errorf("not ParaView's format:\n%s", text)
	}
}

func TestEmptySeriesHasAListOfFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.series")
	if err := WriteSeries(path, nil); err != nil {
		t.Fatal(err)
	}
	if text := string(read(t, path)); !strings.Contains(text, `"files": []`) {
		t.Errorf("readers want a list:\n%s", text)
	}
}

func TestBadSeriesIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.series")
	for _, text := range []string{"", "{", `{"file-series-version": "2.0", "files": []}`, `[]`} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadSeries(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: error %q, want one that names the path", text, err)
		}
	}
	before := read(t, path)
	for _, e := range []Entry{{"", 1}, {"a", math.NaN()}, {"a", math.Inf(-1)}} {
		if err := WriteSeries(path, []Entry{e}); err == nil || !strings.Contains(err.Error(), "entry 0") {
			t.Errorf("%v: error %q, want one that names the entry", e, err)
		}
	}
	if string(read(t, path)) != string(before) {
		t.Error("a refused series changed the file")
	}
}
