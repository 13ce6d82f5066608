//go:build unix

package regular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lbmib/internal/durable"
)

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("file"), []byte("text"), 0o600), os.Symlink(at("file"), at("link")),
		syscall.Mkfifo(at("pipe"), 0o600), os.Symlink(at("pipe"), at("link to a pipe"))); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		at("file"): "", at("link"): "", at("pipe"): "is a pipe", at("link to a pipe"): "is a pipe",
		dir: "is a directory", "/dev/zero": "is a device", at("none"): "no such file",
	} {
		done := make(chan error, 1)
		go func() {
			text, err := ReadFile(path, 4)
			if err == nil && string(text) != "text" {
				t.Errorf("%s holds %q", path, text)
			}
			done <- err
		}()
		select {
		case err := <-done:
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
			if missing := want == "no such file"; err != nil && (errors.Is(err, fs.ErrNotExist) != missing || errors.Is(err, ErrKind) == missing) {
				t.Errorf("%s: %v is of another kind", path, err)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s is waited for", path)
		}
	}
}

// What takes the place of a file that was summed is told, not waited for.
func TestSumsAreOfRegularFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	s := durable.NewSummer()
	s.Write([]byte("text"))
	if err := errors.Join(os.WriteFile(at("same"), []byte("text"), 0o600), os.WriteFile(at("changed"), []byte("tent"), 0o600),
		os.WriteFile(at("longer"), []byte("text and more"), 0o600), os.Mkdir(at("directory"), 0o700), syscall.Mkfifo(at("pipe"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		longer bool
		says   string // empty: it is good
	}{
		{"same", false, ""}, {"longer", true, ""}, {"longer", false, "it has 13 bytes, 4 were written"},
		{"changed", true, "its 4 bytes are not those that were written (SHA-256)"}, {"none", false, "it cannot be read: no such file"},
		{"directory", true, "it is not a regular file"}, {"pipe", true, "it is not a regular file"},
	} {
		done := make(chan error, 1)
		go func() { done <- CheckSum(t.Context(), at(c.name), s.Sum(), c.longer) }()
		select {
		case err := <-done:
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %q", c.name, err, c.says)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s is waited for", c.name)
		}
	}
}

// A hole takes no room on the disk, but would in memory.
func TestLargeFilesAreRefusedByTheirSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40)); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(path, 1<<20); !errors.Is(err, ErrSize) || !strings.Contains(err.Error(), "at most 1048576") {
		t.Error(err)
	}
}
