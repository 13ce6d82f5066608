package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unstable blows up within some L/U: at this Reynolds number bgk has no
// viscosity to speak of on so coarse a grid, and the body stops the flow at once.
var unstable = strings.NewReplacer(
	"velocity   = 0.1", "velocity   = 0.15",
	"reynolds   = 60", "reynolds   = 1e5",
	"time = 40.0", "time = 40.0\nsoft_start = 0.0",
	"checkpoint = { every = 2.0", "checkpoint = { every = 0.2",
).Replace(cylinder)

func TestAFlowThatDivergesIsStoppedAndLeavesTheLastGoodState(t *testing.T) {
	t.Parallel()
	dir := place(t, unstable)
	o := lbmib(t, dir, "run", "case.toml", "--json")
	o.want(t, 3, "the flow diverged by step ", "at node [", "x = ", "likely cause: τ = 0.50", "bgk",
		"try: --set reference.", "lbmib check case.toml", "the last good checkpoint is kept: "+filepath.Join("run", "checkpoint")+"/")

	var printed map[string]any
	if err := json.Unmarshal([]byte(o.stdout), &printed); err != nil {
		t.Fatalf("standard output is not JSON: %v\n%s", err, o.stdout)
	}
	s := summaryOf(t, dir)
	if printed["status"] != "diverged" || s["status"] != "diverged" {
		t.Errorf("status is %v printed and %v in summary.json, want diverged", printed["status"], s["status"])
	}
	for name, b := range s["bodies"].(map[string]any) {
		if note, _ := b.(map[string]any)["note"].(string); !strings.Contains(note, "the flow diverged") || !strings.Contains(note, "try: --set reference.") || strings.Contains(note, "run longer") {
			t.Errorf("the note of %s is %q, want what to do about a flow that diverged", name, note)
		}
	}
	steps := int64(s["steps"].(float64))
	last := lastState(t, dir)
	if last.Step >= steps || steps-last.Step > 100 {
		t.Errorf("the last good state is of step %d, the flow diverged by step %d: want one at most 100 steps before", last.Step, steps)
	}
	rows, err := csv.NewReader(strings.NewReader(read(t, filepath.Join(dir, "run", "forces.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows[1:] { // forces every 0.05 L/U are every 3 steps
		if row[1] != fmt.Sprint(3*(i+1)) {
			t.Fatalf("row %d of forces.csv is of step %s, want %d", i+1, row[1], 3*(i+1))
		}
	}
	if n := int64(len(rows) - 1); n < last.Step/3 || n > steps/3 {
		t.Errorf("forces.csv has %d rows, want those up to step %d..%d", n, last.Step, steps)
	}

	// The state is good enough to go on from: it ends as the whole run did.
	lbmib(t, dir, "run", "case.toml", "--resume").want(t, 3, fmt.Sprintf("the flow diverged by step %d ", steps))
}

// failed fails the test unless a run that could not write ended as it should:
// code 4, the file named, everything with a final name complete.
func failed(t *testing.T, o outcome, dir, whole, reason string) {
	t.Helper()
	o.want(t, 4, "run"+string(filepath.Separator), reason)
	if state := lastState(t, dir); state.Step == 0 {
		t.Error("there is no good checkpoint but that of the beginning")
	}
	want := results(t, whole)
	for name, content := range results(t, dir) {
		switch {
		case strings.HasSuffix(name, ".tmp"):
			t.Errorf("the temporary file %s is left", name)
		case strings.HasSuffix(name, ".csv"):
			if !strings.HasPrefix(want[name], content) {
				t.Errorf("%s is not the beginning of what it should be", name)
			}
		case strings.HasPrefix(name, "fields"+string(filepath.Separator)) && want[name] != content:
			t.Errorf("%s differs from what it should be (%d and %d bytes)", name, len(content), len(want[name]))
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "run", "summary.json")); err == nil && !strings.Contains(string(text), `"status": "failed"`) {
		t.Errorf("summary.json does not say that the run failed:\n%s", text)
	}
}

func TestAFullDiskEndsTheRunAndLosesNothing(t *testing.T) {
	t.Parallel()
	// 6 MB of fields on a disk of 2.
	text := edited(t, cylinder, "fields     = { every = 3.0", "fields     = { every = 0.5")
	whole := finished(t, text)
	dir := place(t, text)
	disk := filepath.Join(dir, "run")
	if err := os.Mkdir(disk, 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk).CombinedOutput(); err != nil {
		// Only root may mount; the limit on file sizes is tested everywhere.
		t.Logf("no disk can be mounted here (%s): nothing to fill", strings.TrimSpace(string(out)))
		return
	}
	t.Cleanup(func() { _ = exec.Command("umount", disk).Run() })
	failed(t, lbmib(t, dir, "run", "case.toml", "--quiet"), dir, whole, "no space left on device")

	if out, err := exec.Command("mount", "-o", "remount,size=64m", disk).CombinedOutput(); err != nil {
		t.Fatalf("the disk cannot be made larger: %s", out)
	}
	lbmib(t, dir, "run", "case.toml", "--quiet", "--resume").want(t, 0)
	sameRun(t, dir, whole)
}

func TestALimitOnFileSizesEndsTheRunAndLosesNothing(t *testing.T) {
	t.Parallel()
	// 600 kB of forces where a file may have 400 KiB; a checkpoint has 250 kB.
	text := edited(t, cylinder, "forces     = { every = 0.05 }", "forces     = { every = 0.0125 }")
	whole := finished(t, text)
	dir := place(t, text)
	limited := exec.Command("bash", "-c", `ulimit -f 400 && exec "$@"`, "bash", binary, "run", "case.toml", "--quiet")
	limited.Dir = dir
	var stderr strings.Builder
	limited.Stderr = &stderr
	if err := limited.Run(); limited.ProcessState == nil {
		t.Fatal(err)
	}
	failed(t, outcome{limited.ProcessState.ExitCode(), "", stderr.String()}, dir, whole, "forces.csv: rows could not be written: file too large")

	lbmib(t, dir, "run", "case.toml", "--quiet", "--resume").want(t, 0)
	sameRun(t, dir, whole)
}

func TestTemporariesOfAKilledProcessAreSwept(t *testing.T) {
	t.Parallel()
	whole := finished(t, cylinder, "--steps=400")
	dir := finished(t, cylinder, "--steps=300")
	for _, name := range []string{".summary.json.tmp", "fields/.case_000000240.vtkhdf.tmp", "plots/.speed.png.tmp", "checkpoint/.000000000320.ckpt.tmp"} {
		write(t, filepath.Join(dir, "run", name), "half")
	}
	lbmib(t, dir, "run", "case.toml", "--quiet", "--resume", "--steps=400").want(t, 0)
	sameRun(t, dir, whole)
	if left, _ := filepath.Glob(filepath.Join(dir, "run", "checkpoint", ".*")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// A directory that is not a run's is refused, with --overwrite too; and of a run's
// directory only the run's own files are replaced.
func TestForeignFilesAreNeverTouched(t *testing.T) {
	t.Parallel()
	short := edited(t, cylinder, "time = 40.0", "time = 1.0")
	dir := place(t, short)
	for _, sub := range []string{"plots", "fields"} {
		if err := os.MkdirAll(filepath.Join(dir, "run", sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "run", "plots", "paper.png"), "precious")
	write(t, filepath.Join(dir, "run", "forces.csv"), "precious")
	before := tree(t, dir)
	for _, flag := range []string{"--quiet", "--overwrite"} {
		lbmib(t, dir, "run", "case.toml", flag).want(t, 2, "forces.csv is there", "no manifest.json of a run", "--out DIR")
		sameTree(t, tree(t, dir), before)
	}
	if err := os.Remove(filepath.Join(dir, "run", "forces.csv")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		lbmib(t, dir, "run", "case.toml", "--quiet", "--overwrite").want(t, 0)
		if got := read(t, filepath.Join(dir, "run", "plots", "paper.png")); got != "precious" {
			t.Errorf("a file of somebody else has become %q", got)
		}
	}
}

// A run that has ended is told again, and nothing of it is written anew.
func TestAFinishedRunIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := finished(t, edited(t, edited(t, cylinder, "time = 40.0", "time = 1.0"), "every = 3.0", "every = 0.5"))
	before := tree(t, dir)
	o := lbmib(t, dir, "run", "case.toml", "--resume")
	o.want(t, 0)
	if !strings.Contains(o.stdout, "done after") || strings.Contains(o.stdout, "NaN MFLUPS") {
		t.Errorf("the summary reads %q", o.stdout)
	}
	sameTree(t, tree(t, dir), before)

	// Killed between its last two files, it is done all the same, and its manifest says so.
	manifest := filepath.Join(dir, "run", "manifest.json")
	running := strings.Replace(read(t, manifest), `"status": "done"`, `"status": "running"`, 1)
	if err := os.WriteFile(manifest, []byte(running), 0o666); err != nil {
		t.Fatal(err)
	}
	lbmib(t, dir, "run", "case.toml", "--resume").want(t, 0)
	var said struct {
		Status     string
		Steps      int
		ExitStatus *int `json:"exit_status"`
	}
	if err := json.Unmarshal([]byte(read(t, manifest)), &said); err != nil || said.Status != "done" || said.Steps == 0 || said.ExitStatus == nil || *said.ExitStatus != 0 {
		t.Errorf("after a run that was killed with its summary written the manifest says %+v (%v)", said, err)
	}

	// What was changed since is told.
	path := filepath.Join(dir, "run", "forces.csv")
	changed(t, path, func(text []byte) {
		at := bytes.Index(text, []byte("cylinder,")) + len("cylinder,0.")
		text[at] = '0' + (text[at]-'0'+1)%10
	})
	text := read(t, path)
	lbmib(t, dir, "run", "case.toml", "--resume").want(t, 0, "warning: run/forces.csv: its ", "are not those that were written", "put it back from a copy")
	if read(t, path) != text {
		t.Error("the file was changed again")
	}
	kept := func() (manifest, summary []string) {
		t.Helper()
		var m, s struct{ Warnings []string }
		for name, into := range map[string]any{"manifest.json": &m, "summary.json": &s} {
			if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "run", name))), into); err != nil {
				t.Fatal(err)
			}
		}
		return m.Warnings, s.Warnings
	}
	if m, s := kept(); len(m) != 1 || !slices.Equal(m, s) || !strings.Contains(m[0], "run/forces.csv") {
		t.Errorf("the manifest has the warnings %q, the summary %q", m, s)
	}
	if !strings.Contains(read(t, filepath.Join(dir, "run", "report.html")), "warning: ") {
		t.Error("the report has no warning")
	}

	// So are lists, and put right.
	list := filepath.Join(dir, "run", "fields.vtkhdf.series")
	right := read(t, list)
	write(t, list, strings.Replace(right, `"time": 1`, `"time": 0.75`, 1))
	lbmib(t, dir, "run", "case.toml", "--resume").want(t, 0, "warning: run/fields.vtkhdf.series: it lists ", "at t = 0.75, which this run did not write: the entry was taken out", "they were put back")
	if read(t, list) != right {
		t.Errorf("the list is\n%s\nnot\n%s", read(t, list), right)
	}
	m, sum := kept()
	if len(m) != 3 || !slices.Equal(m, sum) {
		t.Errorf("the manifest has the warnings %q, the summary %q", m, sum)
	}

	// What was told before is not told twice.
	before = tree(t, dir)
	lbmib(t, dir, "run", "case.toml", "--resume").want(t, 0)
	sameTree(t, tree(t, dir), before)
}
