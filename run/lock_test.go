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
	"lbmib/run/observe"
	"lbmib/run/rundir"
)

func TestADirectoryIsClaimedOnceAtATime(t *testing.T) {
	d := rundir.Dir{Path: t.TempDir()}
	first, err := d.Claim(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Claim(io.Discard); exit.Code(err) != exit.BadCase || !strings.Contains(err.Error(), d.Path+" is in use by another run: wait for it") {
		t.Errorf("a second claim: %v, want a refusal", err)
	}
	other, err := rundir.Dir{Path: t.TempDir()}.Claim(io.Discard)
	if err != nil {
		t.Errorf("another directory: %v", err)
	}
	other.Release()
	first.Release()
	again, err := d.Claim(io.Discard)
	if err != nil {
		t.Errorf("after the first was given up: %v", err)
	}
	again.Release()
	if _, err := (rundir.Dir{Path: filepath.Join(d.Path, "missing")}).Claim(io.Discard); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing directory: %v", err)
	}
}

func TestAnEarlierRunIsRemovedInAnOrderThatLeavesNothingNamed(t *testing.T) {
	d := rundir.Dir{Path: t.TempDir(), Outputs: observe.Patterns()}
	for _, name := range []string{"checkpoint/000000000010.ckpt", "fields/a_000000010.vtkhdf", "fields.vtkhdf.series", "slices/s_000000010.vtkhdf", "slices/s.vtkhdf.series",
		"forces.csv", "manifest.json", "summary.json", "notes.txt"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(d.File(name)), 0o777), os.WriteFile(d.File(name), nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	var turns []string
	for _, path := range d.Left() {
		if turn := rundir.TurnOf(path); len(turns) == 0 || turns[len(turns)-1] != turn {
			turns = append(turns, turn)
		}
	}
	if !slices.Equal(turns, []string{".ckpt", ".series", "", ".json"}) {
		t.Errorf("files are removed in the turns %q", turns)
	}
	if err := d.Clear(true); err != nil {
		t.Fatal(err)
	}
	if left := d.Left(); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
	if _, err := os.Stat(d.File("notes.txt")); err != nil {
		t.Errorf("what is nobody's to remove: %v", err)
	}
}
