//go:build unix

package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lbmib/cmd/lbmib/report"
)

// Where no file can be opened, permissions are not to blame.
func TestALimitOnOpenFilesIsNotTakenForPermissions(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	none := before
	none.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	_, err := report.Open(dir)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	if err == nil || !strings.Contains(err.Error(), "manifest.json") || !strings.Contains(err.Error(), "(ulimit -n)") || strings.Contains(err.Error(), "make it readable") {
		t.Error(err)
	}
}
