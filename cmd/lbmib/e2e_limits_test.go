package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// limited runs the program in a shell that has set limits first.
func limited(t *testing.T, dir, limits string, args ...string) (code int, says string) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", limits + ` && exec "$0" "$@"`, binary}, args...)...)
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(out)
}

func TestALimitOnMemoryIsAnErrorThatNamesIt(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("address space is not limited here")
	}
	t.Parallel()
	dir := place(t, cylinder)
	// Go itself needs about 1.3 GiB of address space to begin, its threads more: with 1.43 GiB
	// one start in fifty is aborted before the program's first line, with 1.53 none of 200.
	for _, args := range [][]string{{"run", "case.toml"}, {"check", "case.toml"}} {
		code, says := limited(t, dir, "ulimit -v 1800000", args...)
		if code != 4 || !strings.Contains(says, "there is too little memory to begin: ulimit -v allows 1.7 GiB") || !strings.Contains(says, "raise ulimit -v (to ") {
			t.Errorf("%v: exit code %d: %s", args, code, says)
		}
	}
	// What the case takes does not fit beside the program.
	large := strings.Replace(cylinder, "resolution = 8", "resolution = 600", 1)
	write(t, filepath.Join(dir, "large.toml"), large)
	enough := 3_500_000 + 73_728*runtime.NumCPU()
	for _, args := range [][]string{{"run", "large.toml"}, {"check", "large.toml"}} {
		code, says := limited(t, dir, fmt.Sprintf("ulimit -v %d", enough), args...)
		if code != 2 || !strings.Contains(says, "6000 × 3600 nodes in f64 need about") || !strings.Contains(says, "ulimit -v allows ") || !strings.Contains(says, "raise ulimit -v (to ") {
			t.Errorf("%v: exit code %d: %s", args, code, says)
		}
	}
	if code, says := limited(t, dir, fmt.Sprintf("ulimit -v %d", enough), "run", "case.toml", "--time=1", "--quiet"); code != 0 {
		t.Errorf("what fits ends with %d: %s", code, says)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 3 { // two cases, and the run that fits
		t.Errorf("the directory holds %v", entries)
	}
}

func TestALimitOnOpenFilesIsAnErrorThatNamesIt(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	for n := 4; n <= 7; n++ { // Go's runtime needs some itself
		for _, args := range [][]string{{"run", "case.toml"}, {"check", "case.toml"}, {"version"}} {
			if code, says := limited(t, dir, fmt.Sprintf("ulimit -n %d", n), args...); code != 4 || !strings.HasPrefix(says, "lbmib: there are too few files to begin") || !strings.Contains(says, "(ulimit -n)") {
				t.Errorf("ulimit -n %d, %v: exit code %d: %s", n, args, code, says)
			}
		}
	}
	told := 0
	for n := 8; n <= 12; n++ {
		code, says := limited(t, dir, fmt.Sprintf("ulimit -n %d", n), "run", "case.toml", "--overwrite", "--quiet", "--time=1", "--set", "output.fields.every=0")
		if strings.Contains(says, "too many open files") {
			told++
			if (code != 4 && code != 2) || !strings.Contains(says, "ulimit -n") || strings.Contains(says, "make it readable") {
				t.Errorf("ulimit -n %d: exit code %d: %s", n, code, says)
			}
		}
	}
	if told == 0 {
		t.Error("no limit was met")
	}
}
