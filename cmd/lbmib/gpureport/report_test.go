package gpureport

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lbmib/cuda/driver"
	"lbmib/cuda/standin"
)

// program is a file that does sections as a script says, whose $3 is the section and $5
// the file of its result.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

func options(t *testing.T, script string) Options {
	return Options{Out: filepath.Join(t.TempDir(), "gpu"), Quick: true, Version: "1.2 (abc)", Program: program(t, script), Progress: io.Discard}
}

// read is the report's two files.
func read(t *testing.T, dir string) (d Document, text string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 2 {
		t.Fatalf("the report is %v", files)
	}
	j, err := os.ReadFile(files[0])
	if err == nil {
		err = json.Unmarshal(j, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	md, err := os.ReadFile(files[1])
	if err != nil {
		t.Fatal(err)
	}
	return d, string(md)
}

func TestNoSectionTakesTheOthersDown(t *testing.T) {
	standin.Use(t)
	o := options(t, `case $3 in
fluid) echo "lost the device" >&2; exit 1;;
coupled) echo '{"status": "incomplete", "note": "its time was up", "values": {"coupled": 0.02}, "text": "half of it", "data": [1]}' >$5; exit 1;;
*) echo '{"status": "done", "values": {"spread": 9}, "text": "TEXT OF '$3'", "data": {"a": 1}}' >$5;;
esac
`)
	d, files, err := Report(context.Background(), o)
	if err != nil || !d.Complete || !slices.Equal(d.Failed(), []string{"fluid"}) || !strings.HasSuffix(files, ".md and .json") {
		t.Fatalf("%v %v %v", d, files, err)
	}
	got, text := read(t, o.Out)
	if len(got.Sections) != len(SectionNames()) || !got.StandIn || got.Version != "1.2 (abc)" || got.Sections[0].Text != "" {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"# lbmib on stand-in", "stand-in: rates mean nothing", "TEXT OF validation", "lost the device", "half of it", "its time was up",
		"| spreading 2²⁰ points, 128³: speed over 2 processor cores | ≥ 10.0 | 9.0 | FAIL |",
		"| bodies of 1 % volume, best schedule: overhead over the fluid alone | ≤ 0.030 | 0.020 | pass |", "| ≥ 0.900 | not measured | – |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "not complete") {
		t.Error("a complete report says that it is not")
	}
}

func TestAnInterruptedReportKeepsWhatItHas(t *testing.T) {
	standin.Use(t)
	o := options(t, `case $3 in
bandwidth) trap 'echo "{\"status\": \"incomplete\", \"text\": \"PART\"}" >$5; exit 1' INT; while :; do sleep 0.1; done;;
*) echo '{"status": "done", "text": "WHOLE"}' >$5;;
esac
`)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for {
			if files, _ := filepath.Glob(filepath.Join(o.Out, "*.md")); len(files) > 0 { // the first section is there
				time.Sleep(300 * time.Millisecond)
				cancel()
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	begin := time.Now()
	if _, _, err := Report(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("it took %v to end", took)
	}
	d, text := read(t, o.Out)
	if d.Complete || len(d.Sections) != 2 || !strings.Contains(text, "WHOLE") || !strings.Contains(text, "not complete") {
		t.Errorf("%+v\n%s", d, text)
	}
}

func TestWithoutADeviceThereIsNoReport(t *testing.T) {
	t.Setenv(driver.PathVariable, "/nowhere/libcuda.so.1")
	o := options(t, "")
	if d, _, err := Report(context.Background(), o); d != nil || err == nil || !strings.Contains(err.Error(), "no usable CUDA driver") {
		t.Errorf("%v, %v", d, err)
	}
	if _, err := os.Stat(o.Out); err == nil {
		t.Error("a directory was made")
	}
}

// section is a section made in this process.
func made(t *testing.T, name string, limit time.Duration) *Section {
	t.Helper()
	file := filepath.Join(t.TempDir(), "section.json")
	if err := Do(context.Background(), name, file, limit, options(t, "exit 1")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	s := &Section{}
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASectionWhoseTimeIsUpIsIncomplete(t *testing.T) {
	standin.Use(t)
	if s := made(t, "fluid", time.Millisecond); s.Status != incomplete {
		t.Errorf("%+v", s)
	}
}

func TestTheSanitizersErrorsAreCounted(t *testing.T) {
	standin.Use(t)
	t.Setenv("PATH", t.TempDir())
	if s := made(t, "sanitizer", time.Minute); s.Status != absent || !strings.Contains(s.Note, "compute-sanitizer is not in PATH") {
		t.Errorf("%+v", s)
	}
	dir := t.TempDir()
	tool := filepath.Join(dir, "compute-sanitizer")
	for _, c := range []struct {
		says, status string
		errors       float64
	}{{"ERROR SUMMARY: 0 errors", done, 0}, {"ERROR SUMMARY: 3 errors", failed, 3}} {
		if err := os.WriteFile(tool, []byte("#!/bin/sh\necho \"$1 $2 $4 $5\"; echo '========= "+c.says+"'\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir+":/bin:/usr/bin")
		s := made(t, "sanitizer", time.Minute)
		if n, ok := s.Values["sanitizer"]; s.Status != c.status || !ok || n != c.errors || !strings.Contains(s.Text, "run --backend cuda") {
			t.Errorf("%s: %+v", c.says, s)
		}
	}
	if err := os.WriteFile(tool, []byte("#!/bin/sh\nexit 1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if s := made(t, "sanitizer", time.Minute); s.Status != failed || s.Values["sanitizer"] != 0 || !strings.Contains(s.Note, "did not come to an end") {
		t.Errorf("%+v", s)
	}
}

func TestTargetsAreJudgedByTheirBounds(t *testing.T) {
	all := judge(map[string]float64{"cylinder": 0.6, "coupled": 0.031, "conformance": 0})
	want := map[string]string{"cylinder": "pass", "coupled": "FAIL", "conformance": "pass", "auto": "–"}
	for i := range all {
		if v, ok := want[all[i].Name]; ok && all[i].verdict() != v {
			t.Errorf("%s %s: %s, want %s", all[i].Name, all[i].measured(), all[i].verdict(), v)
		}
	}
	known := map[string]bool{}
	for _, x := range targets {
		known[x.Name] = true
	}
	if len(known) != len(targets) {
		t.Error("two targets have the same name")
	}
}

func TestTheReportsNameIsThatOfDeviceAndDay(t *testing.T) {
	d := Document{Device: "NVIDIA H200 (80 GB)/x", Date: "2026-11-22T03:04:05Z"}
	if got := d.stem(); got != "NVIDIA-H200-80-GB-x-2026-11-22" {
		t.Errorf("the name is %s", got)
	}
}
