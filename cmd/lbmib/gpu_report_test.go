package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/gpureport"
	"lbmib/cmd/lbmib/runner"
	"lbmib/cuda/driver"
	"lbmib/cuda/standin"
)

func TestGPUReportHasEverySection(t *testing.T) {
	standin.Use(t)
	dir := t.TempDir()
	o := lbmib(t, dir, "gpu-report", "--quick", "--out", "gpu")
	if o.code != runner.ExitDone || !strings.Contains(o.stderr, "[9/9]") {
		t.Errorf("exit code %d: %s", o.code, o.stderr)
	}
	if !strings.Contains(o.stdout, "stand-in: rates mean nothing") || !strings.Contains(o.stdout, "report: gpu/stand-in-") {
		t.Errorf("says %s", o.stdout)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "gpu", "stand-in-*"))
	if len(files) != 2 {
		t.Fatalf("the report is %v", files)
	}
	text, err := os.ReadFile(files[0])
	var d gpureport.Document
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil || !d.StandIn || !d.Complete {
		t.Fatalf("%v\n%s", err, text)
	}
	var names []string
	for _, s := range d.Sections {
		names = append(names, s.Name)
		if s.Status != "done" && s.Name != "sanitizer" || s.Status == "done" && len(s.Data) == 0 {
			t.Errorf("%s: %s: %s\n%s", s.Name, s.Status, s.Note, s.Data)
		}
	}
	if !slices.Equal(names, gpureport.SectionNames()) {
		t.Errorf("the sections are %v", names)
	}
	for _, target := range d.Targets { // of numbers of a device, none is of the stand-in's
		if target.Measured != nil && target.Name != "conformance" && target.Name != "sanitizer" {
			t.Errorf("%s is %g", target.Title, *target.Measured)
		}
	}
	markdown, err := os.ReadFile(files[1])
	if err != nil || !strings.Contains(string(markdown), "stand-in: rates mean nothing") || !strings.Contains(string(markdown), "| fluid f64 ab | 2 | 0 | 0 |") {
		t.Errorf("%v\n%s", err, markdown)
	}
}

func TestGPUReportNeedsADevice(t *testing.T) {
	t.Setenv(driver.PathVariable, "/nowhere/libcuda.so.1")
	dir := t.TempDir()
	lbmib(t, dir, "gpu-report").want(t, runner.ExitBadCase, "gpu-report: cuda: no usable CUDA driver")
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("it leaves %v", entries)
	}
}
