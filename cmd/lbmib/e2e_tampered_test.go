package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// half is a run to half its time, to be resumed.
func half(t *testing.T) (dir string) {
	t.Helper()
	dir = place(t, cylinder)
	lbmib(t, dir, "run", "case.toml", "--quiet", "--time=20").want(t, 0)
	return dir
}

// changed writes a file again with a passage replaced by one of the same length.
func changed(t *testing.T, path string, change func(text []byte)) {
	t.Helper()
	text := []byte(read(t, path))
	change(text)
	write(t, path, string(text))
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// A run that is resumed looks whether what it left is still what it wrote, says what is
// not, and goes on.
func TestAResumedRunTellsWhatWasChangedMeanwhile(t *testing.T) {
	t.Parallel()
	whole := finished(t, cylinder)
	begun := half(t)
	field := filepath.Join("fields", "case_000000240.vtkhdf") // of t = 3
	for _, c := range []struct {
		name   string
		tamper func(t *testing.T, run string)
		says   []string // fragments of warnings; none: there is none
		same   []string // files that end up as those of the whole run; none: all
		gone   string   // a file that is missing at the end
	}{
		{"nothing", func(*testing.T, string) {}, nil, nil, ""},
		{"a digit of forces.csv", func(t *testing.T, run string) {
			changed(t, filepath.Join(run, "forces.csv"), func(text []byte) {
				at := bytes.Index(text, []byte("\n")) + 1 + bytes.Index(text[bytes.Index(text, []byte("\n"))+1:], []byte("cylinder,")) + len("cylinder,0.")
				text[at] = '0' + (text[at]-'0'+1)%10
			})
		}, []string{"run/forces.csv: its first ", "are not those that this run wrote"}, []string{"probes.csv", "fields.vtkhdf.series"}, ""},
		{"a field is missing", func(t *testing.T, run string) { remove(t, filepath.Join(run, field)) },
			[]string{"run/" + field + ": the file is missing: it was taken out of fields.vtkhdf.series"}, []string{"forces.csv", "probes.csv"}, field},
		{"a byte of a field", func(t *testing.T, run string) {
			changed(t, filepath.Join(run, field), func(text []byte) { text[len(text)/2] ^= 1 })
		}, []string{"run/" + field + ": its ", "are not those that were written", "damaged or changed"}, []string{"forces.csv", "fields.vtkhdf.series"}, ""},
		{"a field is cut", func(t *testing.T, run string) {
			text := read(t, filepath.Join(run, field))
			write(t, filepath.Join(run, field), text[:100])
		}, []string{"run/" + field + ": it has 100 bytes, "}, []string{"forces.csv", "fields.vtkhdf.series"}, ""},
		{"a field is a pipe", func(t *testing.T, run string) {
			remove(t, filepath.Join(run, field))
			if err := syscall.Mkfifo(filepath.Join(run, field), 0o600); err != nil {
				t.Fatal(err)
			}
		}, []string{"run/" + field + ": it is not a regular file"}, []string{"forces.csv", "fields.vtkhdf.series"}, ""},
		{"the series is missing", func(t *testing.T, run string) { remove(t, filepath.Join(run, "fields.vtkhdf.series")) },
			[]string{"run/fields.vtkhdf.series: 6 of the 6 files that this run wrote were not in it"}, nil, ""},
		{"the series is no JSON", func(t *testing.T, run string) { write(t, filepath.Join(run, "fields.vtkhdf.series"), "{") },
			[]string{"fields.vtkhdf.series: is not a file series", "it was made anew"}, nil, ""},
		{"a foreign entry", func(t *testing.T, run string) {
			path := filepath.Join(run, "fields.vtkhdf.series")
			write(t, path, strings.Replace(read(t, path), `"time": 3`, `"time": 2`, 1))
		}, []string{"case_000000240.vtkhdf at t = 2, which this run did not write: the entry was taken out", "1 of the 6 files"}, nil, ""},
		{"a checkpoint's name", func(t *testing.T, run string) {
			dir := filepath.Join(run, "checkpoint")
			if err := os.Rename(filepath.Join(dir, "000000001440.ckpt"), filepath.Join(dir, "000000001700.ckpt")); err != nil {
				t.Fatal(err)
			}
		}, []string{"000000001700.ckpt: damaged checkpoint: its name says step 1700, it holds step 1440: it was renamed: give it its name back, 000000001440.ckpt", "resuming from the good one before: run/checkpoint/000000001600.ckpt"}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := place(t, cylinder)
			if err := os.CopyFS(filepath.Join(dir, "run"), os.DirFS(filepath.Join(begun, "run"))); err != nil {
				t.Fatal(err)
			}
			c.tamper(t, filepath.Join(dir, "run"))
			o := lbmib(t, dir, "run", "case.toml", "--resume")
			o.want(t, 0, c.says...)
			if (len(c.says) > 0) != strings.Contains(o.stderr, "warning:") {
				t.Errorf("it says\n%s", o.stderr)
			}
			if info, err := os.Lstat(filepath.Join(dir, "run", field)); err == nil && !info.Mode().IsRegular() {
				remove(t, filepath.Join(dir, "run", field)) // it cannot be compared
			}
			got, want := results(t, dir), results(t, whole)
			if len(c.same) == 0 {
				sameTree(t, got, want)
			}
			for _, name := range c.same {
				if got[name] != want[name] {
					t.Errorf("%s differs from that of the whole run", name)
				}
			}
			if c.gone != "" && (got[c.gone] != "" || strings.Contains(got["fields.vtkhdf.series"], filepath.Base(c.gone))) {
				t.Errorf("%s is there, or in the series", c.gone)
			}
			if len(c.says) == 0 || c.name == "a checkpoint's name" {
				return
			}
			var m, s struct{ Warnings []string }
			for name, into := range map[string]any{"manifest.json": &m, "summary.json": &s} {
				if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "run", name))), into); err != nil {
					t.Fatal(err)
				}
			}
			of := func(w string) bool { return strings.Contains(w, c.says[0]) } // others are of the case
			if !slices.ContainsFunc(m.Warnings, of) || !slices.Equal(m.Warnings, s.Warnings) {
				t.Errorf("the manifest has %q, the summary %q", m.Warnings, s.Warnings)
			}
			if !strings.Contains(read(t, filepath.Join(dir, "run", "report.html")), "warning: ") {
				t.Error("the report has no warning")
			}
		})
	}
}
