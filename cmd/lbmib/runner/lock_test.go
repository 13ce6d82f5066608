package runner

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

func TestADirectoryIsClaimedOnceAtATime(t *testing.T) {
	d := directory{path: t.TempDir()}
	first, err := d.claim(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.claim(io.Discard); ExitCode(err) != ExitBadCase || !strings.Contains(err.Error(), d.path+" is in use by another run: wait for it") {
		t.Errorf("a second claim: %v, want a refusal", err)
	}
	other, err := directory{path: t.TempDir()}.claim(io.Discard)
	if err != nil {
		t.Errorf("another directory: %v", err)
	}
	other.Close()
	first.Close()
	again, err := d.claim(io.Discard)
	if err != nil {
		t.Errorf("after the first was given up: %v", err)
	}
	again.Close()
	if _, err := (directory{path: filepath.Join(d.path, "missing")}).claim(io.Discard); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing directory: %v", err)
	}
}
