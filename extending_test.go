package lbmib_test

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// mostFiles bounds the files that an addition touches.
var mostFiles = map[string]int{"shape": 2, "delta": 3, "boundary rule": 3, "schedule": 2, "output": 2}

// example is what docs/extending.md puts into the tree, and the cases that it runs.
type example struct {
	files map[string]string // text by path
	cases map[string]string
	said  map[string]int             // files by the heading of a section
	found map[string]map[string]bool // those of its fences
}

var (
	heading = regexp.MustCompile("^## An? ([^:]+): ([0-9]+) files?$")
	mark    = regexp.MustCompile("^<!-- (new file|line|text|case): ([^ ]+)(?: (before|after|instead of): (.+))? -->$")
)

// readExample takes the marked fences of a page.
func readExample(t *testing.T, page string) example {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	e := example{map[string]string{}, map[string]string{}, map[string]int{}, map[string]map[string]bool{}}
	section, lines := "", strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		if h := heading.FindStringSubmatch(lines[i]); h != nil {
			section = h[1]
			e.said[section], _ = strconv.Atoi(h[2])
			e.found[section] = map[string]bool{}
		}
		m := mark.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		var body []string
		for i += 2; lines[i] != "```"; i++ {
			body = append(body, lines[i])
		}
		fence := strings.Join(body, "\n") + "\n"
		if m[1] == "case" {
			e.cases[m[2]] = fence
			continue
		}
		e.found[section][m[2]] = true
		e.add(t, m, fence)
	}
	return e
}

// add puts a fence into its file where its mark says.
func (e *example) add(t *testing.T, mark []string, fence string) {
	t.Helper()
	path, where, anchor := mark[2], mark[3], mark[4]
	if mark[1] == "new file" {
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("%s is there already", path)
		}
		e.files[path] = fence
		return
	}
	text, ok := e.files[path]
	if !ok {
		read, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text = string(read)
	}
	at := strings.Index(text, anchor)
	if at < 0 || strings.Count(text, anchor) > 1 {
		t.Fatalf("%s has %q %d times, must have it once", path, anchor, strings.Count(text, anchor))
	}
	begin := strings.LastIndex(text[:at], "\n") + 1
	end := at + strings.Index(text[at:], "\n") + 1
	switch where {
	case "before":
		text = text[:begin] + fence + text[begin:]
	case "after":
		text = text[:end] + fence + text[end:]
	default:
		text = text[:at] + strings.TrimSuffix(fence, "\n") + text[at+len(anchor):]
	}
	e.files[path] = text
}

// build compiles the program with the files of the example in place of its own.
func (e *example) build(t *testing.T) (program string) {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	for path, text := range e.files {
		own, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		replace[own] = filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		if err := os.WriteFile(replace[own], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	list, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "lbmib")
	if err := os.WriteFile(list, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-overlay", list, "-o", program, "./cmd/lbmib").CombinedOutput(); err != nil {
		t.Fatalf("docs/extending.md does not compile: %v\n%s", err, out)
	}
	return program
}

// What the page adds compiles, touches as many files as it says, and works in a run.
func TestThePageOnExtendingIsTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the program")
	}
	e := readExample(t, "docs/extending.md")
	for section, files := range e.found {
		if n := len(files); n != e.said[section] && n > 0 || e.said[section] > mostFiles[section] && n > 0 {
			t.Errorf("a %s touches %d files, the page says %d, at most %d are allowed", section, n, e.said[section], mostFiles[section])
		}
	}
	program, out := e.build(t), map[string]string{}
	for name, text := range e.cases {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "run", name, "--backend", "cpu", "--quiet", "--out", "out")
		cmd.Dir = dir
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, said)
		}
		out[name] = filepath.Join(dir, "out")
	}
	bench := exec.Command(program, "bench", "coupled", "--schedule", "late", "--size", "160x120", "--diameter", "16", "--volume-fraction", "0.042", "--json")
	if said, err := bench.CombinedOutput(); err != nil || !strings.Contains(string(said), `"schedule": "late"`) || !strings.Contains(string(said), `"status": "ok"`) {
		t.Errorf("the schedule late is not measured: %v\n%s", err, said)
	}
	if u := last(t, filepath.Join(out["wind.toml"], "probes.csv"), "u"); !(u > 0.499 && u < 0.501) {
		t.Errorf("a stress of 0.1 ρU² at Re = 10 drives the middle at %v U, want 0.5: u = τRe·y", u)
	}
	if e := last(t, filepath.Join(out["layers.toml"], "energy.csv"), "energy"); !(math.Abs(e/(math.Exp(-math.Pi*math.Pi/10)/2)-1) < 0.01) {
		t.Errorf("layers of shear have the energy %v left at t = 0.5, want ½ exp(−8π²t/Re) = %v", e, math.Exp(-math.Pi*math.Pi/10)/2)
	}
	if cd := last(t, filepath.Join(out["rounded.toml"], "forces.csv"), "cd"); !(cd > 0) {
		t.Errorf("the drag of the example's body is %v, want more than 0", cd)
	}
}

// last is a column's last number in a CSV file.
func last(t *testing.T, path, column string) float64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	for i, name := range rows[0] {
		if name == column {
			v, err := strconv.ParseFloat(rows[len(rows)-1][i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	t.Fatalf("%s has no column %s: %v", path, column, rows[0])
	return 0
}
