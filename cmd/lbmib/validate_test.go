package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/run/exit"
	"lbmib/validation/suite"
)

func TestValidateRunsReportsAndKeeps(t *testing.T) {
	dir := t.TempDir()
	args := []string{"validate", "kernels", "poiseuille", "taylor-green", "--quick", "--json", "--report", "report"}
	o := lbmib(t, dir, args...)
	o.want(t, exit.Done, "[1/3] kernels", "pass largest error, trt, 4 nodes across", "trt4: done")
	var d suite.Document
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
		t.Fatalf("not one JSON document: %v\n%s", err, o.stdout)
	}
	if d.Failed != 0 || d.Passed != len(d.Cases) || d.Passed < 15 || d.Suite != "quick" {
		t.Errorf("%d passed, %d failed of %d, suite %s", d.Passed, d.Failed, len(d.Cases), d.Suite)
	}
	for _, r := range d.Cases {
		if r.Name == "" || r.Quantity == "" || r.Source == "" || !r.Pass {
			t.Errorf("row %+v", r)
		}
	}
	for _, f := range []string{"report.md", "report.json", "report.html", "taylor-green-order.png"} {
		if info, err := os.Stat(filepath.Join(dir, "report", f)); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty: %v", f, err)
		}
	}
	lbmib(t, dir, args[:5]...).want(t, exit.Done, "trt4: kept from before")
}

func TestValidateRefusesWhatItDoesNotKnow(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ args, says string }{
		{"cylnder", "cylinder-unbounded"},
		{"sphere --quick", "without --quick"},
		{"--threads=-1", "--threads"},
		{"--kernel sse2 kernels", "sse2"},
	} {
		lbmib(t, dir, append([]string{"validate"}, strings.Fields(c.args)...)...).want(t, exit.BadCase, c.says)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v was left behind by usage errors: %v", left, err)
	}
	lbmib(t, dir, "validate", "kernels", "--out", "/dev/null/x").want(t, exit.InputOutput, "--out DIR")
}

func TestValidateListsWithoutRunning(t *testing.T) {
	dir := t.TempDir()
	o := lbmib(t, dir, "validate", "--list", "--quick")
	o.want(t, exit.Done)
	if !strings.Contains(o.stdout, "dfg: ") || !strings.Contains(o.stdout, "passes in") {
		t.Errorf("the list is %s", o.stdout)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("--list left %v: %v", left, err)
	}
}
