package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestViewWithoutATerminalIsRefusedBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	o := lbmib(t, dir, "run", "case.toml", "--view")
	o.want(t, 2, "--view draws on standard error", "not a terminal", "leave --view out")
	if o.stdout != "" || strings.Count(o.stderr, "\n") != 1 {
		t.Errorf("more is said: %q and %q", o.stdout, o.stderr)
	}
	if _, err := os.Lstat(filepath.Join(dir, "run")); !os.IsNotExist(err) {
		t.Errorf("the run directory is there (%v)", err)
	}
}

func TestViewAndQuietExcludeEachOther(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	if code := invoke([]string{"run", "case.toml", "--view", "--quiet"}, &stdout, &stderr); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	for _, want := range []string{"--view", "--quiet"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q does not name %s", stderr.String(), want)
		}
	}
}
