package durable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// text is content that writes s, in two pieces.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		for _, piece := range []string{s[:len(s)/2], s[len(s)/2:]} {
			if _, err := w.Write([]byte(piece)); err != nil {
				return err
			}
		}
		return nil
	}
}

// tree is everything in a directory: name → content, "dir" for directories.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			all[e.Name()] = "dir"
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(content)
	}
	return all
}

func wantTree(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	if got := tree(t, dir); !reflect.DeepEqual(got, want) {
		t.Errorf("the directory holds %q, want %q", got, want)
	}
}

// faulty is a file on a disk that fails.
type faulty struct {
	*os.File
	write, sync, close error
}

func (f faulty) Write(b []byte) (int, error) {
	if f.write != nil {
		n, _ := f.File.Write(b[:len(b)/2])
		return n, &fs.PathError{Op: "write", Path: f.Name(), Err: f.write}
	}
	return f.File.Write(b)
}

func (f faulty) Sync() error { return errors.Join(f.sync, f.File.Sync()) }

func (f faulty) Close() error { return errors.Join(f.close, f.File.Close()) }

// on makes files on a disk that fails as f does.
func on(f faulty) func(string) (File, error) {
	return func(name string) (File, error) {
		var err error
		f.File, err = os.Create(name)
		return f, err
	}
}

var errContent = errors.New("the picture has no pixels: draw something")

func TestAFailureLeavesTheOldFileAndNoTemporary(t *testing.T) {
	for _, c := range []struct {
		name    string
		create  func(string) (File, error)
		content func(io.Writer) error
		cause   error
		says    string // after path and cause
	}{
		{"create", func(string) (File, error) { return nil, syscall.EROFS }, text("new"), syscall.EROFS, "make the directory writable"},
		{"write", on(faulty{write: syscall.ENOSPC}), text("new"), syscall.ENOSPC, "free some space"},
		{"write beyond the limit on sizes", on(faulty{write: syscall.EFBIG}), text("new"), syscall.EFBIG, "ulimit -f"},
		{"content", Create, func(w io.Writer) error { return errors.Join(text("ne")(w), errContent) }, errContent, "draw something"},
		{"sync", on(faulty{sync: syscall.EIO}), text("new"), syscall.EIO, "check the disk"},
		{"close", on(faulty{close: syscall.EDQUOT}), text("new"), syscall.EDQUOT, "free some space"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "f")
		for _, before := range []map[string]string{{}, {"f": "old"}} {
			for name, content := range before {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			err := WriteWith(c.create, path, c.content)
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, c.cause) || e.Path != path || e.InPlace {
				t.Fatalf("%s: error %#v, want an *Error of %v", c.name, err, c.cause)
			}
			for _, part := range []string{path, c.cause.Error(), c.says} {
				if strings.Count(err.Error(), part) != 1 {
					t.Errorf("%s: %q does not say %q once", c.name, err, part)
				}
			}
			wantTree(t, dir, before)
		}
	}
}

func TestAPanicInTheContentLeavesTheOldFileAndNoTemporary(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := Write(path, text("old")); err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = Write(path, func(io.Writer) error { panic("index out of range") })
	}()
	wantTree(t, dir, map[string]string{"f": "old"})
	if err := Write(path, text("new")); err != nil { // nor is the path locked for ever
		t.Error(err)
	}
}

func TestAFailureToRenameLeavesWhatStandsThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.MkdirAll(filepath.Join(path, "inside"), 0o777); err != nil {
		t.Fatal(err)
	}
	err := Write(path, text("new"))
	if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "something else stands in its place") {
		t.Errorf("error %v, want one that names the directory in its place", err)
	}
	wantTree(t, dir, map[string]string{"f": "dir"})
	wantTree(t, path, map[string]string{"inside": "dir"})
}

func TestADirectoryThatCannotBeSyncedIsToldWithTheFileInPlace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	err := write(path, text("new"), Create, func(d string) error {
		if d != dir {
			t.Errorf("%s is synced, want %s", d, dir)
		}
		return syscall.EIO
	})
	var e *Error
	if !errors.As(err, &e) || !e.InPlace || !strings.Contains(err.Error(), "written, but its directory cannot be synced") {
		t.Errorf("error %v, want one that says that the file is in place", err)
	}
	wantTree(t, dir, map[string]string{"f": "new"})
}

func TestWhatCannotBeSyncedIsNoFailure(t *testing.T) {
	for err, fails := range map[error]bool{nil: false, syscall.EINVAL: false, syscall.ENOTSUP: false, syscall.ENOSYS: false, syscall.EIO: true, syscall.ENOSPC: true} {
		if got := Sync(syncing{err}); (got != nil) != fails {
			t.Errorf("a file whose Sync says %v: %v", err, got)
		}
	}
	if err := SyncDir(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing directory: %v", err)
	}
}

type syncing struct{ err error }

func (s syncing) Sync() error { return s.err }

func TestTheFileIsOnTheDiskBeforeItHasItsName(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	var order []string
	create := func(name string) (File, error) {
		f, err := os.Create(name)
		return recording{f, path, &order}, err
	}
	err := write(path, text("new"), create, func(string) error {
		order = append(order, fmt.Sprintf("directory synced, named %v", exists(path)))
		return nil
	})
	want := []string{"file synced, named false", "directory synced, named true"}
	if err != nil || !reflect.DeepEqual(order, want) {
		t.Errorf("%v (%v), want %v", order, err, want)
	}
}

type recording struct {
	*os.File
	final string
	order *[]string
}

func (r recording) Sync() error {
	*r.order = append(*r.order, fmt.Sprintf("file synced, named %v", exists(r.final)))
	return r.File.Sync()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestTheUmaskGivesThePermissions(t *testing.T) {
	for umask, want := range map[int]fs.FileMode{0o022: 0o644, 0o027: 0o640, 0o077: 0o600} {
		path := filepath.Join(t.TempDir(), "f")
		// Neither an old file nor a killed process's temporary passes its own on.
		for _, name := range []string{path, Temporary(path)} {
			if err := os.WriteFile(name, []byte("old and longer"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(name, 0o604); err != nil {
				t.Fatal(err)
			}
		}
		before := syscall.Umask(umask)
		err := Write(path, text("new"))
		syscall.Umask(before)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode() != want {
			t.Errorf("umask %#o: mode %v (%v), want %v", umask, info.Mode(), err, want)
		}
		wantTree(t, filepath.Dir(path), map[string]string{"f": "new"})
	}
}

func TestNothingIsWrittenThroughALinkInPlaceOfTheTemporary(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "f"), filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("another's"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, Temporary(path)); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, text("new")); err != nil {
		t.Fatal(err)
	}
	wantTree(t, dir, map[string]string{"f": "new", "other": "another's"})
}

// Every writer writes a long run of one letter; a mixture, a part or nothing
// would be seen by the reader.
func TestManyWritersAndAReaderSeeWholeFilesOnly(t *testing.T) {
	const size, rounds = 1 << 16, 10
	dir := t.TempDir()
	shared := filepath.Join(dir, "shared")
	letters := func(c byte) string { return strings.Repeat(string(c), size) }
	if err := Write(shared, text(letters('0'))); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	var writing sync.WaitGroup
	for i := range 4 {
		c := byte('a' + i)
		want[string(c)] = letters(c)
		writing.Go(func() {
			for range rounds {
				for _, path := range []string{shared, filepath.Join(dir, string(c))} {
					if err := Write(path, text(letters(c))); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		writing.Wait()
		close(done)
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		got, err := os.ReadFile(shared)
		if err != nil || len(got) != size || bytes.Count(got, got[:1]) != size {
			t.Fatalf("a reader sees %d bytes (%v), want %d that are the same", len(got), err, size)
		}
	}
	want["shared"] = tree(t, dir)["shared"]
	wantTree(t, dir, want)
	if len(writers.of) != 0 {
		t.Errorf("%d paths are still locked", len(writers.of))
	}
}

func TestJSONIsWrittenWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := WriteJSON(path, map[string]int{"steps": 3}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"f": "{\n  \"steps\": 3\n}\n"}
	wantTree(t, dir, want)
	if err := WriteJSON(path, math.NaN()); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a number that JSON cannot hold: error %v, want one that names the file", err)
	}
	wantTree(t, dir, want)
}

func TestTemporaryNamesAreKnownAgain(t *testing.T) {
	if got := Temporary(filepath.Join("run", "f.json")); got != filepath.Join("run", ".f.json.tmp") {
		t.Errorf("temporary name %s", got)
	}
	for name, want := range map[string]string{".f.json.tmp": "f.json", "..f.tmp": ".f", "f.json": "", "f.tmp": "", ".f": "", ".tmp": "", "..tmp": "", "tmp": ""} {
		if got, ok := Final(name); got != want || ok != (want != "") {
			t.Errorf("%s stands for %q, %v, want %q", name, got, ok, want)
		}
	}
}

func TestDirectoriesAreMadeToTheLast(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b", "c")
	for range 2 { // the second time there is nothing to do
		if err := MakeDir(deep); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(filepath.Join(deep, "f"), text("new")); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(deep, "f", "d")
	err := MakeDir(below)
	if !errors.Is(err, syscall.ENOTDIR) || !strings.Contains(err.Error(), below) || !strings.Contains(err.Error(), "a file stands where the directory should be") {
		t.Errorf("below a file: %v", err)
	}
}

func TestADirectoryThatIsMissingIsNamedWithItsRemedy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "f")
	err := Write(path, text("new"))
	if want := path + ": cannot be written: no such file or directory: make its directory or choose another"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
