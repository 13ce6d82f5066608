package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// moved makes a directory, holds it, moves it and makes another in its place.
func moved(t *testing.T, link func(*os.File) string) (h *Held, path, now string) {
	t.Helper()
	top := t.TempDir()
	path, now = filepath.Join(top, "run"), filepath.Join(top, "elsewhere")
	if err := MakeDir(filepath.Join(path, "fields")); err != nil {
		t.Fatal(err)
	}
	h, err := hold(path, link)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Release)
	if _, moved := h.Moved(); moved {
		t.Error("it is said to be moved and is not")
	}
	if err := Write(filepath.Join(path, "before"), text("1")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(path, now), os.MkdirAll(filepath.Join(path, "fields"), 0o777)); err != nil {
		t.Fatal(err)
	}
	return h, path, now
}

func TestADirectoryThatIsHeldGetsWhatIsWrittenWhereverItIsMovedTo(t *testing.T) {
	h, path, now := moved(t, descriptorLink)
	if h.link == "" {
		t.Skip("this system has no paths by way of descriptors")
	}
	for _, name := range []string{"after", "fields/a.vtkhdf", "new/below/b"} {
		if err := MakeDir(filepath.Dir(filepath.Join(path, name))); err != nil {
			t.Fatal(err)
		}
		if err := Write(filepath.Join(path, name), text("2")); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(now, name)); err != nil || string(got) != "2" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if got, err := ReadFile(filepath.Join(path, name)); err != nil || string(got) != "2" {
			t.Errorf("%s read back: %q, %v", name, got, err)
		}
	}
	wantTree(t, path, map[string]string{"fields": "dir"})
	wantTree(t, filepath.Join(path, "fields"), map[string]string{})
	if entries, err := ReadDir(path); err != nil || len(entries) != 4 {
		t.Errorf("the directory lists %v, %v", entries, err)
	}
	if _, err := Stat(filepath.Join(path, "no")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), filepath.Join(path, "no")) || strings.Contains(err.Error(), "proc") {
		t.Errorf("what is not there: %v", err)
	}
	if where, moved := h.Moved(); !moved || where != now {
		t.Errorf("moved to %q, %v", where, moved)
	}
	h.Release()
	if at, err := At(filepath.Join(path, "x")); err != nil || at != filepath.Join(path, "x") {
		t.Errorf("after its release a path means %q, %v", at, err)
	}
}

func TestWithoutPathsByDescriptorsAMovedDirectoryRefusesWrites(t *testing.T) {
	_, path, now := moved(t, func(*os.File) string { return "" })
	for _, err := range []error{Write(filepath.Join(path, "after"), text("2")), MakeDir(filepath.Join(path, "new"))} {
		if err == nil || !strings.Contains(err.Error(), "was moved or replaced while this process writes to it") {
			t.Errorf("the error is %v", err)
		}
	}
	wantTree(t, path, map[string]string{"fields": "dir"})
	wantTree(t, now, map[string]string{"fields": "dir", "before": "1"})
}

func TestLinksInADirectoryThatIsHeldKeepWorking(t *testing.T) {
	path, disk := t.TempDir(), t.TempDir()
	if err := os.Symlink(disk, filepath.Join(path, "fields")); err != nil {
		t.Fatal(err)
	}
	h, err := Hold(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Release()
	if err := Write(filepath.Join(path, "fields", "a"), text("far")); err != nil {
		t.Fatal(err)
	}
	wantTree(t, disk, map[string]string{"a": "far"})
}
