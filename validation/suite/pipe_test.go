//go:build unix

package suite

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A pipe in the place of a file of a run is not waited for.
func TestAPipeIsNoKeptRun(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "manifest.json"), 0o600); err != nil {
		t.Skip(err)
	}
	c, err := load(tiny().Runs[0], t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		_, kept := keptRun(dir, c)
		done <- kept
	}()
	select {
	case kept := <-done:
		if kept {
			t.Error("a pipe is taken for a run")
		}
	case <-time.After(time.Minute):
		t.Error("a pipe is waited for")
	}
}
