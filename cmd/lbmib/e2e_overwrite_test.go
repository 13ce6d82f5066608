package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Of a sweep that is replaced sweep.json, which says whose the files are, goes from the disk
// last, whenever the power fails: the directory is synced before each removal.
func TestAnEarlierSweepIsRemovedInTurn(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	dir := place(t, cylinder)
	args := []string{"sweep", "case.toml", "--over", "reference.reynolds=20,30", "--set", "run.time=0.5", "--quiet", "--out=out"}
	if out, err := exec.Command("sh", append([]string{"-c", `cd "$0" && exec "$@"`, dir, binary}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	calls := filepath.Join(dir, "calls")
	wrap := []string{"-c", `cd "$0" && exec "$@"`, dir, strace, "-f", "-y", "-e", "trace=unlinkat,unlink,fsync", "-o", calls, binary}
	if out, err := exec.Command("sh", append(append(wrap, args...), "--overwrite")...).CombinedOutput(); err != nil {
		t.Skipf("strace may not follow processes here: %v: %s", err, out)
	}
	text, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	removed := regexp.MustCompile(`unlink.*"[^"]*/(sweep\.(?:png|csv|json))"`)
	synced, order := true, ""
	begun := map[string]string{} // by thread: a call that another thread's interrupted in the record
	for line := range strings.Lines(string(text)) {
		thread, call, _ := strings.Cut(strings.TrimSpace(line), " ")
		if head, ok := strings.CutSuffix(call, "<unfinished ...>"); ok {
			begun[thread] = head
			continue
		}
		if _, rest, ok := strings.Cut(call, " resumed>"); ok {
			call = begun[thread] + rest
		}
		line = call
		if strings.Contains(line, "fsync(") && strings.Contains(line, "/out>") {
			synced = true
		}
		if m := removed.FindStringSubmatch(line); m != nil && strings.Contains(line, "= 0") {
			if !synced {
				t.Errorf("%s is removed before what was removed before it is on the disk", m[1])
			}
			synced, order = false, order+" "+m[1]
		}
	}
	if order != " sweep.png sweep.csv sweep.json" {
		t.Errorf("removed are%s", order)
	}
}
