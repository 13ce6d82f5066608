package gpureport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lbmib/cuda/driver"
	"lbmib/cuda/standin"
)

// program is a file that does units as a script says, in which $3 is the section, $5 the
// unit and $7 its file.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nS=$3 U=$5 F=$7\n"+script), 0o777); err != nil {
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

// wellDone is the end of scripts: the unit is done.
const wellDone = `echo '{"status": "done", "items": [{"name": "all", "status": "done"}]}' >$F` + "\n"

func TestNoUnitTakesTheOthersDown(t *testing.T) {
	standin.Use(t)
	o := options(t, `case "$S $U" in
"fluid 64x32") echo "lost the device" >&2; exit 1;;
"bandwidth "*) echo '{"status": "incomplete", "note": "its time was up", "not_run": ["8 MiB"], "items": [{"name": "4 MiB", "status": "done", "data": {"bytes": 4194304, "copy_gbs": 123.4}}]}' >$F; exit 1;;
esac
`+wellDone)
	d, files, err := Report(context.Background(), o)
	if err != nil || !d.Complete || !slices.Equal(d.Failed(), []string{"fluid"}) || !strings.HasSuffix(files, ".md and .json") {
		t.Fatalf("%+v %v %v", d, files, err)
	}
	got, text := read(t, o.Out)
	if len(got.Sections) != len(SectionNames()) || !got.StandIn || got.Version != "1.2 (abc)" || got.Sections[0].Text != "" {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"# lbmib on stand-in", "stand-in: rates mean nothing", "lost the device", "| 4 MiB | 123.4 | 0.0 |", "its time was up",
		"- **not run**: copy and update: 1: 8 MiB", "- **failed**: 64x32: its process ended without a result: exit status 1; it said last: lost the device"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "not complete") {
		t.Error("a complete report says that it is not")
	}
	for _, s := range got.Sections {
		if want := map[string]string{"fluid": failed, "bandwidth": incomplete}[s.Name]; want != "" && s.Status != want || want == "" && s.Status != done {
			t.Errorf("%s is %s", s.Name, s.Status)
		}
	}
}

// The item that was at work when its process died or fell silent is in the report by its
// name, and another process goes on behind it.
func TestAnItemThatEndsItsProcessIsNamedAndTheUnitGoesOn(t *testing.T) {
	standin.Use(t)
	for _, c := range []struct{ name, end, status, says string }{
		{"dies by a signal", "echo 'last words' >&2; kill -KILL $$", died, "its process ended in the middle: signal: killed; it said last: last words"},
		{"exits", "exit 3", died, "exit status 3"},
		{"falls silent", "sleep 60", hung, "nothing was heard of it for"},
		{"falls silent and does not hear", "trap '' INT; while :; do sleep 1; done", hung, "and its process was killed"},
		{"leaves a process behind", "sleep 1000 & sleep 1000", hung, "nothing was heard of it for"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := options(t, `if grep -q row.2 $F 2>/dev/null && grep -q `+c.status+` $F; then
sed 's/"status": *""/"status": "failed"/' $F >$F.new; mv $F.new $F; exit; fi
echo '{"name": "x", "status": "", "items": [{"name": "row 1", "status": "done"}], "running": "row 2"}' >$F
`+c.end+"\n")
			o.Only, o.Patience = []string{"bandwidth"}, 500*time.Millisecond
			begin := time.Now()
			d, _, err := Report(context.Background(), o)
			if err != nil || time.Since(begin) > 20*time.Second {
				t.Fatalf("%v after %v", err, time.Since(begin))
			}
			u := d.Sections[0].Units[0]
			if i := u.item("row 2"); u.item("row 1").Status != done || i == nil || i.Status != c.status || !strings.Contains(i.Note, c.says) || u.Status != failed {
				t.Errorf("%+v", u)
			}
			if _, text := read(t, o.Out); !strings.Contains(text, "- **"+c.status+"**: copy and update: row 2: ") {
				t.Errorf("the report does not name it:\n%s", text)
			}
		})
	}
}

func TestAUnitWithoutProgressAfterARestartIsGivenUp(t *testing.T) {
	standin.Use(t)
	o := options(t, `echo '{"name": "x", "status": "lost", "items": [{"name": "row 1", "status": "done"}]}' >$F`)
	o.Only = []string{"bandwidth"}
	d, _, err := Report(context.Background(), o)
	if err != nil || d.Sections[0].Status != failed || !strings.Contains(d.Sections[0].Note, "no progress after a restart") {
		t.Errorf("%v %+v", err, d.Sections[0])
	}
}

// A hang is known as one within the limit of every section, and leaves time for what is
// behind it; a report of chosen sections is complete with them.
func TestAHangIsNamedInShortReportsToo(t *testing.T) {
	for _, s := range sections {
		for _, limit := range []time.Duration{s.full, s.quick} {
			if p := s.patienceWithin(limit); p < leastPatience || p+grace+leastTime > limit {
				t.Errorf("section %s: with %v to spend the patience is %v", s.name, limit, p)
			}
		}
	}
	standin.Use(t)
	o := options(t, `if grep -q hung $F 2>/dev/null; then sed 's/"status": *""/"status": "failed"/' $F >$F.new; mv $F.new $F; exit; fi
echo '{"name": "x", "status": "", "items": [{"name": "row 1", "status": "done"}], "running": "row 2"}' >$F
exec sleep 60
`)
	o.Only, o.Progress = []string{"bandwidth"}, stalled{}
	d, _, err := Report(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if u := d.Sections[0].Units[0]; u.Status != failed || u.item("row 2") == nil || u.item("row 2").Status != hung {
		t.Errorf("%+v", u)
	}
	if _, text := read(t, o.Out); !d.Complete || strings.Contains(text, "not complete") || !strings.Contains(text, "these sections alone: bandwidth") {
		t.Errorf("complete: %t\n%s", d.Complete, text)
	}
}

// stalled is a reader that takes nothing: the report goes on beside it.
type stalled struct{}

func (stalled) Write([]byte) (int, error) { select {} }

func TestUnfinishedSectionsAreNamed(t *testing.T) {
	d := Document{Sections: []*Section{{Name: "a", Status: done}, {Name: "b", Status: incomplete}, {Name: "c", Status: failed, Units: []*Unit{{Status: failed, LeftOut: []string{"row"}}}}}}
	if got := d.Unfinished(); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("%v", got)
	}
}

// All processes of a report share a cache, the caller's where there is one.
func TestProcessesShareTheDriversCache(t *testing.T) {
	t.Setenv("CUDA_CACHE_PATH", "/there")
	t.Setenv("CUDA_CACHE_MAXSIZE", "7")
	if got := cacheVariables("/x"); !slices.Equal(got, []string{"CUDA_CACHE_DISABLE=0"}) {
		t.Errorf("%v", got)
	}
	dir := t.TempDir()
	t.Setenv("CUDA_CACHE_PATH", "")
	t.Setenv("CUDA_CACHE_MAXSIZE", "")
	t.Setenv("XDG_CACHE_HOME", dir)
	if got := cacheVariables("/x"); !slices.Equal(got, []string{"CUDA_CACHE_DISABLE=0", "CUDA_CACHE_PATH=" + dir + "/lbmib/cuda", "CUDA_CACHE_MAXSIZE=1073741824"}) {
		t.Errorf("%v", got)
	}
}

// What had no time is "not run", and no target of it is met.
func TestWhatHadNoTimeIsNotRun(t *testing.T) {
	s := sections[slices.IndexFunc(sections, func(s section) bool { return s.name == "conformance" })]
	sc := scope{tiny: true}
	part := &Section{Name: s.name}
	for i, u := range s.units(sc) {
		made := &Unit{Name: u.name, Status: done, Items: []Item{{Name: "a check", Status: done}}}
		if i == 3 {
			made.LeftOut = []string{"another"}
			made.conclude()
		}
		part.Units = append(part.Units, made)
	}
	s.conclude(part, sc, "card", true)
	d := Document{Sections: []*Section{part}}
	verdict := func() string {
		d.judge()
		return d.Targets[0].verdict()
	}
	if part.Status != incomplete || verdict() != notRun || !strings.Contains(part.Text, "| fluid f32 ab | 1 | 0 | 1 | 0 |") {
		t.Errorf("%s, the target is %s:\n%s", part.Status, verdict(), part.Text)
	}
	part.Units[3].LeftOut, part.Units[3].Status = nil, done
	s.conclude(part, sc, "card", true)
	if part.Status != done || verdict() != "pass" {
		t.Errorf("%s, the target is %s", part.Status, verdict())
	}
	part.Units[5] = &Unit{Name: part.Units[5].Name, Status: notRun, Note: "there was no time left for it"}
	s.conclude(part, sc, "card", true)
	if part.Status != incomplete || verdict() != notRun {
		t.Errorf("%s, the target is %s", part.Status, verdict())
	}
	part.Units[0].Items[0].Status = hung
	part.Units[0].conclude()
	s.conclude(part, sc, "card", true)
	if part.Status != failed || verdict() != "FAIL" {
		t.Errorf("%s, the target is %s", part.Status, verdict())
	}
}

// auto is held against the best of all schedules, or not at all.
func TestAutoIsJudgedWhereAllSchedulesWereMeasured(t *testing.T) {
	row := func(schedule string, rate float64) string {
		return fmt.Sprintf(`{"schedule": %q, "status": "ok", "size": [8192, 4096], "volume_fraction": 0.01, "mflups_pure": 100, "mflups_coupled": %g, "overhead": %g}`, schedule, rate, 1-rate/100)
	}
	units := func(rows ...string) (all []*Unit) {
		for _, r := range rows {
			all = append(all, &Unit{Items: []Item{{Status: done, Data: json.RawMessage(r)}}})
		}
		return all
	}
	g := &gathering{Section: &Section{Values: map[string]float64{}, Units: units(row("serial", 20), row("device", 98), row("auto", 97))}}
	gatherCoupled(g)
	if _, there := g.Values["auto"]; there || math.Abs(g.Values["coupled"]-0.02) > 1e-12 {
		t.Errorf("%v", g.Values)
	}
	g.Units = append(g.Units, units(row("pipelined", 99))...)
	gatherCoupled(g)
	if math.Abs(g.Values["auto"]-97./99) > 1e-12 || math.Abs(g.Values["coupled"]-0.01) > 1e-12 {
		t.Errorf("%v", g.Values)
	}
}

// The sections' limits leave time for all of them, and the whole is as short as it is said
// to be, however processes end.
func TestTheSectionsLimitsAddUpToLessThanTheWhole(t *testing.T) {
	const overhead = 5 * time.Second // to name the device, write the report and forsake a process
	for _, c := range []struct {
		quick bool
		said  time.Duration
	}{{false, 9 * time.Minute}, {true, 4 * time.Minute}} {
		sum := time.Duration(0)
		for _, s := range sections {
			sum += s.limit(c.quick)
			if s.limit(c.quick) < leastTime || s.patience <= grace || s.patience > s.full {
				t.Errorf("section %s has %v and a patience of %v", s.name, s.limit(c.quick), s.patience)
			}
		}
		if sum >= wholeTime(c.quick) || wholeTime(c.quick)+overhead+forsake >= c.said {
			t.Errorf("quick %t: sections take up to %v of %v, and the report is to take less than %v", c.quick, sum, wholeTime(c.quick), c.said)
		}
	}
}

// Units have files of their own, and names that a process finds again.
func TestUnitsHaveNamesOfTheirOwn(t *testing.T) {
	for _, sc := range []scope{{}, {quick: true}, {tiny: true}} {
		for _, s := range sections {
			known := map[string]bool{}
			for _, u := range s.units(sc) {
				if known[fileName(u.name)] {
					t.Errorf("%s: two units are written to %s", s.name, fileName(u.name))
				}
				known[fileName(u.name)] = true
			}
			if len(known) == 0 {
				t.Errorf("%s has no units", s.name)
			}
		}
	}
}

func TestAnInterruptedReportKeepsWhatItHas(t *testing.T) {
	standin.Use(t)
	o := options(t, `case "$S" in
bandwidth) echo '{"status": "", "items": [{"name": "4 MiB", "status": "done", "data": {"bytes": 4194304, "copy_gbs": 123.4}}], "planned": ["4 MiB", "8 MiB", "16 MiB"], "running": "8 MiB"}' >$F
trap '' INT; while :; do echo at work; sleep 0.1; done;;
esac
`+wellDone)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for {
			if files, _ := filepath.Glob(filepath.Join(o.Out, "*.parts", "bandwidth*")); len(files) > 0 {
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
	if d.Complete || len(d.Sections) != 3 || !strings.Contains(text, "not complete") {
		t.Errorf("%+v\n%s", d, text)
	}
	for _, want := range []string{"| 4 MiB | 123.4 | 0.0 |", `it was interrupted, while "8 MiB" was at work`, "- **not run**: copy and update: 2: 8 MiB; 16 MiB"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
}

// A unit that is at work at its limit is stopped, whether it hears or not.
func TestNoUnitOutlastsItsLimit(t *testing.T) {
	for _, script := range []string{"while :; do echo x; sleep 0.05; done", "trap '' INT; while :; do echo x; sleep 0.05; done"} {
		begin := time.Now()
		e := watched(exec.Command(program(t, script)), io.Discard, 2*time.Second, time.Minute, nil)
		if took := time.Since(begin); e.cause != byLimit || took > 3*time.Second {
			t.Errorf("%q: %+v after %v", script, e, took)
		}
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

func TestTargetsAreJudgedByTheirBounds(t *testing.T) {
	all := judge(map[string]float64{"cylinder": 0.6, "coupled": 0.031, "conformance": 0}, map[string]string{"coupled": done, "sanitizer": absent, "fluid": failed})
	want := map[string]string{"cylinder": "pass", "coupled": "FAIL", "conformance": "pass", "auto": "–", "validation": notRun, "sanitizer": absent, "D2Q9 f64": "no result"}
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

func TestTheReportsNameIsThatOfDeviceAndTime(t *testing.T) {
	d := Document{Device: "NVIDIA H200 (80 GB)/x", Date: "2026-11-22T03:04:05Z"}
	if got := d.stem(); got != "NVIDIA-H200-80-GB-x-2026-11-22T030405Z" {
		t.Errorf("the name is %s", got)
	}
}
