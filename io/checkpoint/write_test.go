package checkpoint

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"lbmib/internal/durable"
)

// faulty is a file on a disk that fails.
type faulty struct {
	*os.File
	room        int // bytes until the disk is full
	sync, close error
}

func (f *faulty) Write(b []byte) (int, error) {
	if len(b) > f.room {
		n, _ := f.File.Write(b[:f.room])
		f.room = 0
		return n, &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	f.room -= len(b)
	return f.File.Write(b)
}

func (f *faulty) Sync() error {
	if f.sync != nil {
		return f.sync
	}
	return f.File.Sync()
}

func (f *faulty) Close() error {
	return errors.Join(f.close, f.File.Close())
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestFailingDiskLeavesEarlierCheckpointsUntouched(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, dir, 1, small(), 1)
	sound, err := os.ReadFile(mustWrite(t, t.TempDir(), 2, state(), 1))
	if err != nil {
		t.Fatal(err)
	}
	whole := len(sound)
	disk := func(f faulty) func(string) (durable.File, error) {
		return func(name string) (durable.File, error) {
			var err error
			f.File, err = os.Create(name)
			return &f, err
		}
	}
	type failing struct {
		create func(string) (durable.File, error)
		cause  error
		remedy string
	}
	tests := []failing{
		{disk(faulty{room: whole + 100, sync: syscall.EIO}), syscall.EIO, "check the disk"},
		{disk(faulty{room: whole + 100, close: syscall.EDQUOT}), syscall.EDQUOT, "free some space"},
		{func(string) (durable.File, error) { return nil, syscall.EROFS }, syscall.EROFS, "make the directory writable"},
		{func(string) (durable.File, error) { return os.OpenFile("/dev/full", os.O_WRONLY, 0) }, syscall.ENOSPC, "free some space"},
	}
	for _, room := range []int{0, headBytes, headBytes + 1, whole / 2, whole - tailBytes - 1, whole - 1} {
		tests = append(tests, failing{disk(faulty{room: room}), syscall.ENOSPC, "free some space"})
	}
	for i, test := range tests {
		path, err := write(dir, 2, description{"cylinder", 1.5}, state(), 1, test.create)
		if path != "" || !errors.Is(err, test.cause) {
			t.Fatalf("%d: path %q, error %v, want %v", i, path, err, test.cause)
		}
		for _, part := range []string{filepath.Join(dir, "000000000002.ckpt"), test.cause.Error(), test.remedy, "earlier checkpoints are untouched"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%d: error %q does not say %q", i, err, part)
			}
		}
		if got := names(t, dir); !reflect.DeepEqual(got, []string{"000000000001.ckpt"}) {
			t.Fatalf("%d: the directory holds %q", i, got)
		}
	}
	if c, damaged, err := Latest(dir); err != nil || len(damaged) != 0 || c.Step != 1 {
		t.Errorf("the earlier checkpoint: %v, damaged %v", err, damaged)
	}
	// The same disk with just enough room, so that the cases above fail for
	// want of a byte and nothing else.
	if _, err := write(dir, 2, description{"cylinder", 1.5}, state(), 1, disk(faulty{room: whole})); err != nil {
		t.Errorf("with enough room: %v", err)
	}
}

func TestFileInPlaceOfTheDirectoryIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{path, filepath.Join(path, "below")} {
		_, err := Write(dir, 1, nil, nil, 1)
		if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "a file stands where the directory should be") {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func TestTheLastKeptRemain(t *testing.T) {
	dir := t.TempDir()
	for step := int64(10); step <= 50; step += 10 {
		mustWrite(t, dir, step, small(), 2)
	}
	if got := names(t, dir); !reflect.DeepEqual(got, []string{"000000000040.ckpt", "000000000050.ckpt"}) {
		t.Errorf("kept %q", got)
	}
	mustWrite(t, dir, 50, small(), 2) // the same step again replaces its file
	mustWrite(t, dir, 45, small(), 1) // going on behind a later file must not lose the new one
	if got := names(t, dir); !reflect.DeepEqual(got, []string{"000000000045.ckpt", "000000000050.ckpt"}) {
		t.Errorf("kept %q", got)
	}
	mustWrite(t, dir, 1_234_567_890_123, small(), 1) // thirteen digits sort last
	if got := names(t, dir); !reflect.DeepEqual(got, []string{"1234567890123.ckpt"}) {
		t.Errorf("kept %q", got)
	}
}

func TestTemporariesOfAKilledRunAreIgnoredAndCleaned(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, dir, 1, small(), 2)
	for _, name := range []string{durable.Temporary(fileName(2)), durable.Temporary(fileName(3)), "notes.txt", "7.ckpt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("partial"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if c, damaged, err := Latest(dir); err != nil || c.Step != 1 || len(damaged) != 0 {
		t.Errorf("latest: %v, damaged %v", err, damaged)
	}
	mustWrite(t, dir, 3, small(), 1)
	if got := names(t, dir); !reflect.DeepEqual(got, []string{"000000000003.ckpt", "7.ckpt", "notes.txt"}) {
		t.Errorf("the directory holds %q", got)
	}
}

func TestClearRemovesCheckpointsAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, dir, 1, small(), 2)
	for _, name := range []string{durable.Temporary(fileName(2)), "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Clear(dir); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !reflect.DeepEqual(got, []string{"notes.txt"}) {
		t.Errorf("left %q", got)
	}
	if err := Clear(filepath.Join(dir, "missing")); err != nil {
		t.Errorf("a missing directory: %v", err)
	}
}

func TestWhatCannotBeKeptIsRefusedBeforeWriting(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "checkpoint")
	one := []Section{{Name: "a", Data: []float64{1}}}
	for name, test := range map[string]struct {
		step     int64
		meta     any
		sections []Section
		keep     int
		says     string
	}{
		"negative step": {-1, nil, one, 1, "steps count from 0"},
		"keep none":     {1, nil, one, 0, "keep at least 1"},
		"meta":          {1, math.NaN(), one, 1, "JSON"},
		"type":          {1, nil, []Section{{Name: "a", Data: []int{1}}}, 1, "[]int"},
		"no name":       {1, nil, []Section{{Name: "", Data: []float64{1}}}, 1, "UTF-8"},
		"name":          {1, nil, []Section{{Name: "\xff", Data: []float64{1}}}, 1, "UTF-8"},
		"name twice":    {1, nil, append(one, one...), 1, `two sections are named "a"`},
	} {
		_, err := Write(dir, test.step, test.meta, test.sections, test.keep)
		if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want one that says %q", name, err, test.says)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory was made: %v", err)
	}
}
