//go:build unix

package casefile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Where no file can be opened, that is the cause, and the remedy is to allow more.
func TestALimitOnOpenFilesIsNotTakenForAPath(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"table.csv", "ball.stl", "case.toml"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("t,factor\n0,1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := strings.Replace(cylinder, `type = "velocity", value`, `type = "velocity", table = "table.csv", value`, 1)
	table := &Table{File: filepath.Join(dir, "table.csv")}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	none := before
	none.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	_, parsed := Parse(filepath.Join(dir, "case.toml"), []byte(text), nil)
	_, loaded := Load(filepath.Join(dir, "case.toml"), nil)
	read := table.read("factor")
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"a table is named": parsed, "the case is read": loaded, "a table is read": read} {
		if err == nil || !strings.Contains(err.Error(), "too many open files: raise the number of files that a process may have open (ulimit -n)") || strings.Contains(err.Error(), "relative to") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
