package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// keys fails the test unless an object has all of the named keys.
func keys(t *testing.T, what string, object any, names ...string) map[string]any {
	t.Helper()
	m, ok := object.(map[string]any)
	if !ok {
		t.Fatalf("%s is %v, want an object", what, object)
	}
	for _, name := range names {
		if _, ok := m[name]; !ok {
			t.Errorf("%s has no key %q", what, name)
		}
	}
	return m
}

func TestJSONIsOneDocumentWithTheDocumentedKeys(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	o := lbmib(t, dir, "run", "case.toml", "--json", "--steps=800")
	o.want(t, 0, "L/U", "MFLUPS", "100 %") // progress
	d := json.NewDecoder(strings.NewReader(o.stdout))
	var printed any
	if err := d.Decode(&printed); err != nil {
		t.Fatalf("%v\n%s", err, o.stdout)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		t.Errorf("after the document standard output holds more (%v):\n%s", err, o.stdout)
	}
	s := keys(t, "the summary", printed, "case", "status", "steps", "time", "nodes", "markers", "backend", "device", "precision", "kernel", "streaming", "layout", "wall_seconds", "mflups", "share", "bodies")
	share := keys(t, "share", s["share"], "lbm", "ib", "boundary", "output")
	keys(t, "bodies.cylinder", keys(t, "bodies", s["bodies"], "cylinder")["cylinder"], "cd_mean", "cd_amplitude", "cl_mean", "cl_amplitude", "cl_rms",
		"strouhal", "recirculation_length", "slip_max", "force_gap", "periods", "converged")
	for name, want := range map[string]any{"case": "case", "status": "done", "steps": 800., "time": 10., "nodes": 80. * 48, "backend": "cpu", "precision": "f64"} {
		if s[name] != want {
			t.Errorf("%s is %v, want %v", name, s[name], want)
		}
	}
	total := 0.
	for name, v := range share {
		if f := v.(float64); f < 0 {
			t.Errorf("share %s is %v", name, f)
		} else {
			total += f
		}
	}
	if total > 1.001 {
		t.Errorf("the shares sum to %v, more than the whole time", total)
	}
	var written any
	if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "run", "summary.json"))), &written); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(written, printed) {
		t.Errorf("summary.json differs from what is printed:\n%v\n%v", written, printed)
	}
}

func TestARunLeavesTheDocumentedFiles(t *testing.T) {
	t.Parallel()
	all := tree(t, filepath.Join(finished(t, cylinder, "--steps=800"), "run"))
	for _, name := range []string{"manifest.json", "summary.json", "forces.csv", "probes.csv", "fields/case_000000240.vtkhdf", "fields/case_markers_000000240.vtkhdf",
		"fields.vtkhdf.series", "markers.vtkhdf.series", "checkpoint/000000000800.ckpt", "plots/forces.png", "plots/speed.png", "plots/vorticity.png"} {
		if all[filepath.FromSlash(name)] == "" {
			t.Errorf("%s is missing", name)
		}
	}
	head, _, _ := strings.Cut(strings.TrimPrefix(all["forces.csv"], "file "), "\n")
	if want := "t,step,body,fx,fy,tx,ty,tz,cd,cl,slip_max,cv_fx,cv_fy"; !strings.HasPrefix(head, want) {
		t.Errorf("forces.csv begins %q, want %q", head, want)
	}
}

func TestARunTooShortForStatisticsIsStillARun(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string]string{"no row of forces": "--steps=2", "one row": "--steps=4"} {
		dir := place(t, cylinder)
		o := lbmib(t, dir, "run", "case.toml", "--json", steps)
		t.Run(name, func(t *testing.T) { o.want(t, 0) })
		if s := summaryOf(t, dir); s["status"] != "done" {
			t.Errorf("%s: status %v after %s", name, s["status"], steps)
		}
	}
}

func TestQuietSaysNothing(t *testing.T) {
	t.Parallel()
	o := lbmib(t, place(t, cylinder), "run", "case.toml", "--quiet", "--steps=100")
	if o.want(t, 0); o.stdout+o.stderr != "" {
		t.Errorf("got %q and %q", o.stdout, o.stderr)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	o := lbmib(t, t.TempDir(), "version")
	o.want(t, 0)
	if !regexp.MustCompile(`^lbmib \d+\.\d+\.\d+\S*( \([0-9a-f]{12}(, modified)?\))?\n$`).MatchString(o.stdout) {
		t.Errorf("got %q", o.stdout)
	}
}

// commandNames lists the commands that the help of the program names.
func commandNames(t *testing.T) (names []string) {
	t.Helper()
	o := lbmib(t, t.TempDir(), "--help")
	o.want(t, 0)
	_, list, _ := strings.Cut(o.stdout, "Commands:\n")
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			break
		}
		if len(line)-len(strings.TrimLeft(line, " ")) == 2 { // deeper lines go on with a text
			names = append(names, fields[0])
		}
	}
	return names
}

func TestHelpEndsWithExamplesThatExist(t *testing.T) {
	t.Parallel()
	names := commandNames(t)
	for _, want := range []string{"run", "check", "doctor", "version"} {
		if !slices.Contains(names, want) {
			t.Fatalf("the help lists the commands %v, without %s", names, want)
		}
	}
	for _, name := range append([]string{""}, names...) {
		args := []string{name, "--help"}
		if name == "" {
			args = args[1:]
		}
		o := lbmib(t, t.TempDir(), args...)
		o.want(t, 0)
		_, examples, found := strings.Cut(o.stdout, "\nExamples:\n")
		if !found || strings.TrimSpace(examples) == "" {
			t.Errorf("lbmib %s: no examples at the end:\n%s", strings.Join(args, " "), o.stdout)
		}
		for line := range strings.Lines(examples) {
			words := strings.Fields(line)
			if len(words) < 2 || words[0] != "lbmib" || !slices.Contains(names, words[1]) || name != "" && words[1] != name {
				t.Errorf("lbmib %s: the example %q is none of this command", strings.Join(args, " "), strings.TrimSpace(line))
			}
			for _, w := range words {
				if strings.HasPrefix(w, "cases/") {
					if _, err := os.Stat(filepath.Join("..", "..", w)); err != nil {
						t.Errorf("lbmib %s: the example %q names a case that is not there: %v", strings.Join(args, " "), strings.TrimSpace(line), err)
					}
				}
			}
		}
	}
}
