package plot

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// checkRefused checks that an error names the path and left no file.
func checkRefused(t *testing.T, name, path string, err error) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", name)
		return
	}
	if !strings.Contains(err.Error(), path) {
		t.Errorf("%s: %q does not name the path", name, err)
	}
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(files) > 0 {
		t.Errorf("%s: files were written: %v", name, files)
	}
}

// strip is a field whose picture is small, hence quick to write.
func strip() *Field { return sample(60, 2, 60, 2, func(x, y float64) float64 { return x }) }

func TestPictureIsReplacedWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "map.png")
	if err := os.WriteFile(path, []byte("an older picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := FieldMap(path, strip()); err != nil {
		t.Fatal(err)
	}
	decode(t, path)
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files beside the picture, expected none", len(files)-1)
	}
}

func TestFailureToWriteNamesPathAndCause(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	path := filepath.Join(missing, "map.png")
	err := FieldMap(path, strip())
	checkRefused(t, "no folder", path, err)
	if !os.IsNotExist(unwrapped(err)) {
		t.Errorf("cause of %q is lost", err)
	}
	// A folder of that name makes the last step, the renaming, fail.
	taken := filepath.Join(t.TempDir(), "map.png")
	if err := os.MkdirAll(filepath.Join(taken, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := FieldMap(taken, strip()); err == nil {
		t.Error("a folder was replaced by a picture")
	}
	if files, _ := os.ReadDir(filepath.Dir(taken)); len(files) != 1 {
		t.Errorf("the temporary file was left: %v", files)
	}
}

// unwrapped is the innermost error.
func unwrapped(err error) error {
	for {
		inner, ok := err.(interface{ Unwrap() error })
		if !ok || os.IsNotExist(err) {
			return err
		}
		err = inner.Unwrap()
	}
}

func TestPicturesCanBeDrawnAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	var wait sync.WaitGroup
	for _, draw := range []func() error{
		func() error { return FieldMap(filepath.Join(dir, "same.png"), strip()) },
		func() error { return FieldMap(filepath.Join(dir, "same.png"), strip()) },
		func() error { return FieldMap(filepath.Join(dir, "other.png"), strip()) },
	} {
		wait.Go(func() {
			if err := draw(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	decode(t, filepath.Join(dir, "same.png"))
}
