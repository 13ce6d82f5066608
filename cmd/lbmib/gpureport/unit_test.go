package gpureport

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lbmib/cuda/driver"
	"lbmib/cuda/kernels"
	"lbmib/cuda/standin"
)

// made is a unit made in this process.
func made(t *testing.T, section, unit string, limit time.Duration) *Unit {
	t.Helper()
	file := filepath.Join(t.TempDir(), "unit.json")
	o := options(t, "exit 1")
	o.Quick = false
	if err := Do(context.Background(), section, unit, file, limit, o); err != nil {
		t.Fatal(err)
	}
	u, found := readUnit(file)
	if !found {
		t.Fatal("no file")
	}
	return u
}

func TestAUnitWhoseTimeIsUpIsIncomplete(t *testing.T) {
	standin.Use(t)
	if u := made(t, "fluid", "64x32", time.Millisecond); u.Status != incomplete || len(u.LeftOut) != 6 || len(u.Items) > 0 {
		t.Errorf("%+v", u)
	}
}

// Every kernel's own numbers are in the report.
func TestEveryKernelIsAskedFor(t *testing.T) {
	standin.Use(t)
	var all []*Unit
	for _, u := range kernelUnits(scope{}) {
		all = append(all, made(t, "kernels", u.name, time.Minute))
	}
	status, _ := verdictOf(all, true)
	found := 0
	for _, r := range dataOf[moduleRow](all) {
		for _, k := range r.Kernels {
			if found++; k.MaxThreads < 64 {
				t.Errorf("%+v", k)
			}
		}
	}
	want := 0
	for _, stem := range kernels.Stems() {
		ptx, err := kernels.PTX(stem)
		if err != nil {
			t.Fatal(err)
		}
		want += len(driver.Kernels(ptx))
	}
	if status != done || found != want || len(all) < 3 {
		t.Errorf("%d kernels of %d in %d units: %s", found, want, len(all), status)
	}
	spilled := Unit{Status: done, Items: []Item{{Name: "m", Status: done, Data: json.RawMessage(`{"module": "m", "load_ms": 12, "kernels": [{"name": "sweep", "registers": 255, "local_bytes": 48}]}`)}}}
	g := &gathering{Section: &Section{Units: []*Unit{&spilled}, Values: map[string]float64{}}}
	gatherKernels(g)
	if text := g.text.String(); !strings.Contains(text, "**Local memory**") || !strings.Contains(text, ": sweep 48.") || !strings.Contains(text, "| m | 12.0 | sweep | 255 | 48 | 0 | 0 |") {
		t.Error(text)
	}
}

// tool is a compute-sanitizer that says and does as a script says.
func tool(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "compute-sanitizer"), []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
}

// worked is the part of a tool that leaves what the run that it watches would leave.
const worked = `for out; do [ "$dir" ] && break; [ "$last" = --out ] && dir=$out; last=$out; done
if [ "$4" = run ]; then mkdir -p "$dir"; echo '{"steps": 20, "device": "stand-in"}' >"$dir/summary.json"; else echo '{'; echo '"rows": [{"op": "spread", "status": "ok"}]}'; fi
`

func TestTheSanitizersErrorsAreCounted(t *testing.T) {
	standin.Use(t)
	folder := toolkitFolder
	defer func() { toolkitFolder = folder }()
	toolkitFolder = t.TempDir()
	t.Setenv("PATH", t.TempDir())
	if u := made(t, "sanitizer", "compute-sanitizer", time.Minute); u.Status != absent || !strings.Contains(u.Items[0].Note, "compute-sanitizer is neither in PATH") {
		t.Errorf("%+v", u)
	}
	for _, c := range []struct {
		unit, script, status, says string
		errors                     float64
	}{
		{"memcheck, fixed cylinder", worked + "echo \"$2: $4 $6 $7\"; echo '========= ERROR SUMMARY: 0 errors'", done, "memcheck: run --backend cuda", 0},
		{"memcheck, fixed cylinder", "echo '========= ERROR SUMMARY: 3 errors'; exit 1", failed, "found 3 errors", 3},
		{"synccheck, moving cylinder", "echo '========= ERROR SUMMARY: 1 error'", failed, "found 1 errors", 1},
		{"racecheck, fixed cylinder", worked + "echo '========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)'", done, "RACECHECK", 0},
		{"racecheck, sort–reduce of 20000 points", "echo \"$4 $5\"; echo '========= RACECHECK SUMMARY: 5 hazards displayed (4 errors, 1 warning)'", failed, "bench ib", 4},
		{"memcheck, fixed cylinder", "exit 1", failed, "did not come to an end", -1},
		{"memcheck, fixed cylinder", worked + "echo '========= ERROR SUMMARY: 0 errors'; exit 2", failed, "the run itself failed", -1},
		{"memcheck, fixed cylinder", "echo '========= ERROR SUMMARY: 0 errors'", failed, "the run did not do its work", -1},
		{"memcheck, sort–reduce of 10000 points", worked + "echo '========= ERROR SUMMARY: 0 errors'; exit 1", done, "0 errors", 0},
		{"memcheck, sort–reduce of 20000 points", "echo 'unknown flag'; echo '========= ERROR SUMMARY: 0 errors'; exit 2", failed, "it printed no rows", -1},
		{"memcheck, fixed cylinder", "echo '========= Error: Device not supported. Please refer to the documentation'; exit 1", absent, "does not work on this machine", -1},
	} {
		tool(t, c.script+"\n")
		u := made(t, "sanitizer", c.unit, time.Minute)
		rows := dataOf[watchedRow]([]*Unit{u})
		if u.Status != c.status || len(rows) != 1 || !strings.Contains(u.Items[0].Note+strings.Join(rows[0].Says, "\n"), c.says) ||
			(rows[0].Errors == nil) != (c.errors < 0) || rows[0].Errors != nil && float64(*rows[0].Errors) != c.errors {
			t.Errorf("%s: %+v %+v", c.script, u, rows)
		}
	}
}

// The target is met where every tool has come to its end on every run.
func TestASanitizerThatHangsIsNotAPass(t *testing.T) {
	standin.Use(t)
	tool(t, worked+`case "$2 $4" in "synccheck run") while :; do sleep 1; done;; esac
echo '========= ERROR SUMMARY: 0 errors (0 errors)'
`)
	o := options(t, `exec `+os.Args[0]+` -test.run '^TestMakeAUnit$' -- "$@"`)
	o.Only, o.Patience = []string{"sanitizer"}, 3*time.Second
	t.Setenv("LBMIB_TEST_UNIT", "yes")
	d, _, err := Report(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	s := d.Sections[0]
	if _, there := s.Values["sanitizer"]; there || s.Status != failed {
		t.Errorf("%+v", s)
	}
	for _, u := range s.Units {
		if want := map[bool]string{true: failed, false: done}[strings.HasPrefix(u.Name, "synccheck")]; u.Status != want {
			t.Errorf("%s is %s: %+v", u.Name, u.Status, u)
		}
	}
}

// TestMakeAUnit is a unit's process of other tests.
func TestMakeAUnit(t *testing.T) {
	if os.Getenv("LBMIB_TEST_UNIT") == "" {
		t.Skip("it is a part of other tests")
	}
	a := flag.Args()
	limit, err := time.ParseDuration(a[8])
	if err == nil {
		err = Do(context.Background(), a[2], a[4], a[6], limit, Options{Quick: slices.Contains(a, "--quick"), Program: "/bin/true", Progress: os.Stderr})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A benchmark's rows are evidence where they were measured, and are right.
func TestRowsAreToldFromWhatIsSaidBesideThem(t *testing.T) {
	for row, says := range map[string]string{
		`{"status": "ok"}`: "",
		`{"status": "failed", "checks": [{"name": "allocations per call", "value": 3, "bound": 0}]}`: "",
		`{"status": "failed", "checks": [{"name": "difference", "value": 3, "bound": 1}]}`:           "difference is 3",
		`{"status": "refused", "reason": "no room"}`:                                                 "no room",
		``: "no row",
	} {
		rest, err := measuredRows("========= A\n{x\n{\n\"rows\": [" + row + "]}\n========= B\n")
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) || rest != "========= A\n{x\n\n========= B\n" {
			t.Errorf("%s: %v, beside %q", row, err, rest)
		}
	}
}

// Short reports watch a part of the runs: that is no pass.
func TestAShortReportDoesNotPassTheSanitizer(t *testing.T) {
	standin.Use(t)
	tool(t, "exit 1\n")
	for _, quick := range []bool{false, true} {
		sc, none := scope{quick: quick}, 0
		part := &Section{}
		for _, u := range sanitizerUnits(sc) {
			row, _ := json.Marshal(watchedRow{Tool: u.name, Errors: &none})
			part.Units = append(part.Units, &Unit{Status: done, Items: []Item{{Status: done, Data: row}}})
		}
		g := &gathering{scope: sc, Section: part}
		part.Values = map[string]float64{}
		gatherSanitizer(g)
		if _, there := part.Values["sanitizer"]; there == quick {
			t.Errorf("quick %t: %v", quick, part.Values)
		}
	}
}
