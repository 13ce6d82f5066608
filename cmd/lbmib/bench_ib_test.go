package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/transfer"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

func TestBenchIBMeasuresASmallGrid(t *testing.T) {
	o := lbmib(t, t.TempDir(), "bench", "ib", "--grid", "16", "--points", "200", "--algorithm", "serial,sort-reduce", "--order", "new,kept,set",
		"--distribution", "random,rbc", "--precision", "f32", "--seconds", "0.0005", "--json")
	o.want(t, exit.Done, "[1/2] 200 random points, cosine4, 16³ staggered, components 3, f32: 10 rows … ")
	var d transfer.Document
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
		t.Fatalf("not one JSON document: %v\n%s", err, o.stdout)
	}
	if len(d.Rows) != 20 || d.CopyGBs <= 0 || d.Host.CPU == "" {
		t.Fatalf("got %s", o.stdout)
	}
	for _, r := range d.Rows {
		if r.Status != "ok" || r.Ms <= 0 || r.ToSerial <= 0 || r.Allocations != 0 || r.Repeats != 5 {
			t.Errorf("%+v", r)
		}
	}
}

func TestBenchIBRunsTheCase(t *testing.T) {
	text, err := os.ReadFile("../../cases/unstructured.toml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	coarse := strings.Replace(string(text), "[16, 32, 64, 128]", "[16]", 1)
	if err := os.WriteFile(filepath.Join(dir, "coarse.toml"), []byte(coarse), 0o666); err != nil {
		t.Fatal(err)
	}
	o := lbmib(t, dir, "bench", "ib", "coarse.toml", "--steps", "2", "--points", "100", "--algorithm", "serial")
	o.want(t, exit.Done, "coarse.toml: 100 points, 2 steps … done")
	for _, text := range []string{"Seconds per call", "steps timed: 2", "16³", "serial", "interpolate", "spread"} {
		if !strings.Contains(o.stdout, text) {
			t.Errorf("the table does not say %q:\n%s", text, o.stdout)
		}
	}
}

func TestCheckAndRunTellWhoseCaseItIs(t *testing.T) {
	const file = "../../cases/unstructured.toml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "test.toml"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"check", "run"} {
		o := lbmib(t, dir, command, "test.toml")
		o.want(t, exit.BadCase, "test.toml:1:1: ", "lbmib bench ib test.toml")
		if n := strings.Count(o.stderr, "\n"); n != 1 {
			t.Errorf("%s says %d lines, want one:\n%s", command, n, o.stderr)
		}
	}
}

func TestBenchIBTakesTheKernelFromTheEnvironment(t *testing.T) {
	t.Setenv(setup.KernelVariable, "go")
	o := lbmib(t, t.TempDir(), "bench", "ib", "--grid", "16", "--points", "100", "--algorithm", "serial", "--seconds", "0.0002")
	o.want(t, exit.Done)
	if !strings.Contains(o.stdout, "kernel go") {
		t.Errorf("the table does not name the kernel:\n%s", o.stdout)
	}
	o = lbmib(t, t.TempDir(), "bench", "ib", "--table", "kassen1", "--steps", "1", "--points", "50", "--algorithm", "serial")
	o.want(t, exit.Done)
	if !strings.Contains(o.stdout, "cosine4, kernel go") {
		t.Errorf("the table does not name the kernel:\n%s", o.stdout)
	}
}

func TestBenchIBShortensTables(t *testing.T) {
	o := lbmib(t, t.TempDir(), "bench", "ib", "--table", "ppm", "--points", "64", "--algorithm", "serial", "--seconds", "0.0002", "--json")
	o.want(t, exit.Done, "table ppm")
	var d transfer.Document
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
		t.Fatalf("not one JSON document: %v\n%s", err, o.stdout)
	}
	if len(d.Tables) != 1 || len(d.Tables[0].Rows) != 16 || len(d.Rows) != 0 {
		t.Errorf("got %s", o.stdout)
	}
}

func TestBenchIBRefusesBadFlagsBeforeMeasuring(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bad.toml"), []byte("[points]\nnumber = -1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ flags, says string }{
		{"--algorithm sorted", "--algorithm sorted is unknown"},
		{"--grid 2", "cosine4 reaches over 4"},
		{"--repeats 4", "--repeats 4 must be at least 5"},
		{"--seconds 0", "--seconds 0 must be more than 0"},
		{"--table table1", "--table table1 is unknown: choose one of kassen1, kassen2, kassen3, kassen4, kassen5, ppm"},
		{"--table kassen1 --grid 64", "--grid says what rows to measure"},
		{"--table kassen1 --points 1,2", "takes one"},
		{"--table kassen1 bad.toml", "ask for one or the other"},
		{"--table kassen3 --delta roma3,hat2", "--delta with 2 names"},
		{"--table kassen1 --delta roma3", "--delta says what rows to measure"},
		{"--table kassen3 --steps 5", "--steps 5 shortens no table of convergence"},
		{"--table kassen4 --algorithm serial", "--algorithm serial: the tables kassen3 and kassen4"},
		{"--table kassen3,kassen1 --points 5", "--points 5: the tables kassen3"},
		{"--table kassen1 --report out", "leave --table"},
		{"--steps 5", "--steps 5 goes with --table"},
		{"--steps=-5 --table kassen1", "--steps -5 must be at least 1"},
		{"none.toml", "none.toml: no such file"},
		{"bad.toml", "bad.toml: run.step: is missing"},
		{"--report /dev/null/x", "--report: "},
		{"--kernel sse2", "--kernel=sse2: there is no such kernel"},
	} {
		o := lbmib(t, dir, append([]string{"bench", "ib"}, strings.Fields(c.flags)...)...)
		o.want(t, exit.BadCase, c.says)
		if o.stdout != "" || strings.Contains(o.stderr, "[1/") || strings.Contains(o.stderr, " … ") {
			t.Errorf("%s: something was measured:\n%s%s", c.flags, o.stdout, o.stderr)
		}
	}
}

func TestBenchIBFailsWithWrongResultsAndRefusals(t *testing.T) {
	for _, c := range []struct {
		row, table string
		code       int
	}{{"ok", "ok", exit.Done}, {"slow", "ok", exit.Done}, {"refused", "ok", exit.BadCase}, {"failed", "ok", exit.Internal}, {"ok", "failed", exit.Internal}} {
		state := func(s string) harness.Outcome { return harness.Outcome{Status: s} }
		failed, refused := transfer.Verdict([]transfer.Row{{Outcome: state("ok")}, {Outcome: state(c.row)}}, []transfer.Table{{Rows: []transfer.TableRow{{Outcome: state(c.table)}}}})
		err := benchVerdict(failed, refused, "x")
		if exit.Code(err) != c.code {
			t.Errorf("row %s, table %s: %v, exit code %d, want %d", c.row, c.table, err, exit.Code(err), c.code)
		}
	}
}
