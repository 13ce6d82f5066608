package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lbmib/cmd/lbmib/gpureport"
	"lbmib/cuda/driver"
	"lbmib/cuda/standin"
	"lbmib/run/exit"
)

func TestGPUReportHasEverySection(t *testing.T) {
	standin.Use(t)
	dir := t.TempDir()
	o := lbmib(t, dir, "gpu-report", "--quick", "--out", "gpu")
	if o.code != exit.Done || !strings.Contains(o.stderr, "[10/10]") {
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
	if err != nil || !strings.Contains(string(markdown), "stand-in: rates mean nothing") || !strings.Contains(string(markdown), "| fluid f64 ab | 2 | 0 | 0 | 1 |") {
		t.Errorf("%v\n%s", err, markdown)
	}
}

// rowsOf are the items of a section by their states.
func rowsOf(s *gpureport.Section) map[string][]string {
	rows := map[string][]string{}
	for _, u := range s.Units {
		for _, i := range u.Items {
			rows[i.Status] = append(rows[i.Status], i.Name)
		}
	}
	return rows
}

// reported is the report in a directory.
func reported(t *testing.T, dir string) (d gpureport.Document, text string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "stand-in-*"))
	if len(files) != 2 {
		t.Fatalf("the report is %v", files)
	}
	j, err := os.ReadFile(files[0])
	if err == nil {
		err = json.Unmarshal(j, &d)
	}
	md, mdErr := os.ReadFile(files[1])
	if err != nil || mdErr != nil {
		t.Fatal(err, mdErr)
	}
	return d, string(md)
}

// A kernel that faults, or never ends, costs the rows that launch it and no others.
func TestAFaultInAKernelCostsItsOwnRows(t *testing.T) {
	library := standin.Use(t)
	for _, c := range []struct {
		name, variable, section string
		state                   string
		is                      func(row string) bool
	}{
		{"a sweep faults", "LBMIB_STANDIN_FAIL=sweep_bgk_d2q9_f32@3", "fluid", "failed", func(r string) bool { return strings.Contains(r, "D2Q9") && strings.Contains(r, " f32 ") }},
		{"a sweep never ends", "LBMIB_STANDIN_HANG=sweep_bgk_d3q19_f16@3", "fluid", "hung", func(r string) bool { return strings.Contains(r, "D3Q19") && strings.Contains(r, " f32/f16 ") }},
		{"the force of the device's coupling faults", "LBMIB_STANDIN_FAIL=force_first@2", "coupled", "failed", func(r string) bool {
			return strings.Contains(r, ", device,") || strings.Contains(r, ", auto,") // which tries it
		}},
		{"a strategy of spreading faults", "LBMIB_STANDIN_FAIL=spread_tiles@2", "transfer", "failed", func(r string) bool {
			return r == "all strategies in turn" || r == "auto" || r == "sort-reduce" // auto is that one
		}},
		{"a check faults", "LBMIB_STANDIN_FAIL=health_merge_d2q9_f16@1", "conformance", "failed", func(r string) bool { return r == "fluid f32/f16" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			variable, value, _ := strings.Cut(c.variable, "=")
			cmd, end := command(t, dir, []string{"LBMIB_CUDA_LIBRARY=" + library, variable + "=" + value}, "gpu-report", "--only", c.section, "--patience", "4s", "--out", "gpu")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			o := end()
			if o.code != exit.Internal || !strings.Contains(o.stderr, "something is wrong in: "+c.section) {
				t.Errorf("exit code %d: %s", o.code, o.stderr)
			}
			d, text := reported(t, filepath.Join(dir, "gpu"))
			bad := 0
			for _, u := range d.Sections[0].Units {
				for _, i := range u.Items {
					wrong := c.is(i.Name)
					if c.section == "conformance" {
						wrong = strings.HasPrefix(u.Name, "fluid f32/f16") && strings.HasPrefix(i.Name, "health")
					}
					if c.section == "transfer" && u.Name == "on the processor" {
						wrong = false
					}
					if want := map[bool]string{true: c.state, false: "done"}[wrong]; i.Status != want {
						t.Errorf("%s: %s is %s, want %s: %s", u.Name, i.Name, i.Status, want, i.Note)
					}
					if wrong {
						bad++
						if !strings.Contains(text, "- **"+c.state+"**: "+u.Name+": "+i.Name) || !strings.Contains(o.stderr, i.Name+" … ") {
							t.Errorf("%s is not named", i.Name)
						}
					}
				}
				if len(u.LeftOut) > 0 {
					t.Errorf("%s: not run: %v", u.Name, u.LeftOut)
				}
			}
			if bad == 0 {
				t.Error("nothing went wrong")
			}
		})
	}
}

// stuck starts a report whose third row of the fluid never ends, and waits until it is at
// work at it.
func stuck(t *testing.T, dir string) (cmd *exec.Cmd, ended <-chan outcome, parts string) {
	t.Helper()
	cmd, end := command(t, dir, []string{"LBMIB_STANDIN_HANG=sweep_bgk_d2q9_f32@3"}, "gpu-report", "--only", "fluid", "--patience", "1m", "--out", "gpu")
	ended = begin(t, cmd, end)
	for limit := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		files, _ := filepath.Glob(filepath.Join(dir, "gpu", "*.parts", "fluid.64x32.json"))
		if len(files) == 1 {
			if text, err := os.ReadFile(files[0]); err == nil && strings.Contains(string(text), `"running": "D2Q9 64×32 box f32 soa ab`) {
				return cmd, ended, files[0]
			}
		}
		if time.Now().After(limit) {
			t.Fatal("the row is not begun")
		}
	}
}

// What was measured before a signal is in the report, beside the name of the row that was
// at work, and nothing is left running.
func TestAnInterruptedReportKeepsEverythingMeasured(t *testing.T) {
	standin.Use(t)
	dir := t.TempDir()
	cmd, ended, _ := stuck(t, dir)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if o := <-ended; o.code != exit.Interrupted || !strings.Contains(o.stderr, "interrupted after 1 sections") {
		t.Errorf("exit code %d: %s", o.code, o.stderr)
	}
	d, text := reported(t, filepath.Join(dir, "gpu"))
	if rows := rowsOf(d.Sections[0]); len(rows["done"]) != 2 || d.Complete || !strings.Contains(text, "| f64 | ab |") && !strings.Contains(text, "f64") {
		t.Errorf("%v\n%s", rows, text)
	}
	for _, want := range []string{`it was interrupted, while "D2Q9 64×32 box f32 soa ab bgk cuda" was at work`, "**not run**: 64x32: 4: D2Q9 64×32 box f32 soa ab", "32x6x5: the report was interrupted before it"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
}

// A report that is killed leaves what was measured, and no process.
func TestAKilledReportLeavesWhatWasMeasured(t *testing.T) {
	standin.Use(t)
	dir := t.TempDir()
	cmd, ended, file := stuck(t, dir)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended // all that writes to its output has ended, the unit's process, too
	var u gpureport.Unit
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &u)
	}
	// The unit's process may have heard of the end, and then says itself what was at work.
	named := strings.HasPrefix(u.Running, "D2Q9 64×32 box f32 soa ab") || strings.Contains(u.Note, `while "D2Q9 64×32 box f32 soa ab`)
	if err != nil || len(u.Items) != 2 || u.Items[1].Status != "done" || len(u.Items[1].Data) == 0 || !named {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestGPUReportRefusesSectionsThatThereAreNot(t *testing.T) {
	dir := t.TempDir()
	lbmib(t, dir, "gpu-report", "--only", "fluids").want(t, exit.BadCase, "--only fluids: there is no such section: choose one of kernels, ")
}

func TestGPUReportNeedsADevice(t *testing.T) {
	t.Setenv(driver.PathVariable, "/nowhere/libcuda.so.1")
	dir := t.TempDir()
	lbmib(t, dir, "gpu-report").want(t, exit.BadCase, "gpu-report: cuda: no usable CUDA driver")
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("it leaves %v", entries)
	}
}

// onThePath puts a script before all programs.
func onThePath(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

// What the sanitizer watches are runs that the program makes: their arguments are good. How long they take on the stand-in says
// nothing.
func TestTheSanitizersRunsAreMade(t *testing.T) {
	standin.Use(t)
	onThePath(t, "compute-sanitizer", `[ "$2" = memcheck ] || { echo "Error: Device not supported"; exit 1; }
shift 2; "$@"; echo "========= ERROR SUMMARY: 0 errors"
`)
	dir := t.TempDir()
	o := lbmib(t, dir, "gpu-report", "--only", "sanitizer", "--spare", patience.String(), "--patience", patience.String(), "--out", "gpu")
	d, text := reported(t, filepath.Join(dir, "gpu"))
	made := 0
	for _, u := range d.Sections[0].Units {
		want := "absent"
		if strings.HasPrefix(u.Name, "memcheck") {
			want, made = "done", made+1
		}
		if u.Status != want {
			t.Errorf("%s is %s, want %s: %+v", u.Name, u.Status, want, u)
		}
	}
	if o.code != exit.Done || made != 5 || !d.Complete {
		t.Errorf("exit code %d, %d runs, complete: %t\n%s%s", o.code, made, d.Complete, o.stderr, text)
	}
}

// What is profiled are runs that the program makes.
func TestTheProfiledRunsAreMade(t *testing.T) {
	standin.Use(t)
	onThePath(t, "nvidia-smi", "exit 0\n")
	onThePath(t, "ncu", `while [ "$1" != "$BIN" ]; do shift; done; exec "$@"`+"\n")
	cmd := exec.Command("bash", "../../validation/gpu/profile.sh")
	cmd.Env = append(os.Environ(), "OUT="+filepath.Join(t.TempDir(), "results"), "BIN="+binary, "NODES=32x8x6", "GRID=480x240", "DIAMETER=12", "POINTS=500", "TRANSFER_GRID=16")
	said, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "failed steps: none") {
		t.Errorf("%v:\n%s", err, said)
	}
}
