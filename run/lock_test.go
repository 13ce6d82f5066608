package run

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/run/exit"
)

func TestADirectoryIsClaimedOnceAtATime(t *testing.T) {
	d := directory{path: t.TempDir()}
	first, err := d.claim(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.claim(io.Discard); exit.Code(err) != exit.BadCase || !strings.Contains(err.Error(), d.path+" is in use by another run: wait for it") {
		t.Errorf("a second claim: %v, want a refusal", err)
	}
	other, err := directory{path: t.TempDir()}.claim(io.Discard)
	if err != nil {
		t.Errorf("another directory: %v", err)
	}
	other.Release()
	first.Release()
	again, err := d.claim(io.Discard)
	if err != nil {
		t.Errorf("after the first was given up: %v", err)
	}
	again.Release()
	if _, err := (directory{path: filepath.Join(d.path, "missing")}).claim(io.Discard); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing directory: %v", err)
	}
}

func TestAnEarlierRunIsRemovedInAnOrderThatLeavesNothingNamed(t *testing.T) {
	d := directory{path: t.TempDir()}
	for _, name := range []string{"checkpoint/000000000010.ckpt", "fields/a_000000010.vtkhdf", "fields.vtkhdf.series", "slices/s_000000010.vtkhdf", "slices/s.vtkhdf.series",
		"forces.csv", "manifest.json", "summary.json", "notes.txt"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(d.file(name)), 0o777), os.WriteFile(d.file(name), nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	var turns []string
	for _, path := range d.left() {
		if turn := turnOf(path); len(turns) == 0 || turns[len(turns)-1] != turn {
			turns = append(turns, turn)
		}
	}
	if !slices.Equal(turns, []string{".ckpt", ".series", "", ".json"}) {
		t.Errorf("files are removed in the turns %q", turns)
	}
	if err := d.clear(true); err != nil {
		t.Fatal(err)
	}
	if left := d.left(); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
	if _, err := os.Stat(d.file("notes.txt")); err != nil {
		t.Errorf("what is nobody's to remove: %v", err)
	}
}
