package driver_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/cuda/driver"
	"lbmib/cuda/standin"
)

func TestAMissingDriverSaysWhatWasTriedAndWhatToDo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libcuda.so.1")
	_, err := driver.Open(path)
	var e *driver.NotFound
	if !errors.As(err, &e) || len(e.Tried) != 1 {
		t.Fatalf("error %v", err)
	}
	for _, part := range []string{path, "install NVIDIA's driver", "450", driver.PathVariable, "--backend cpu"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	t.Setenv(driver.PathVariable, path)
	if _, err := driver.Open(""); !errors.As(err, &e) || len(e.Tried) != 1 {
		t.Errorf("the variable is not the only place tried: %v", err)
	}
	if lines := driver.Describe(); !strings.Contains(strings.Join(lines, " "), path) {
		t.Errorf("the description %q does not name the path", lines)
	}
}

func TestAFileThatIsNoDriverIsCalledSo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libcuda.so.1")
	check(t, os.WriteFile(path, []byte("not a library"), 0o644))
	var e *driver.NotFound
	if _, err := driver.Open(path); !errors.As(err, &e) {
		t.Errorf("a text file: %v", err)
	}
	if _, err := driver.Open("libm.so.6"); !errors.As(err, &e) || !strings.Contains(err.Error(), "no CUDA driver") {
		t.Errorf("another library: %v", err)
	}
}

func TestAnOldDriverIsToldTheReleaseNeeded(t *testing.T) {
	t.Setenv("LBMIB_STANDIN_VERSION", "10020")
	_, err := driver.Open(standin.Build(t, "testdata"))
	var e *driver.TooOld
	if !errors.As(err, &e) || e.Major != 10 || e.Minor != 2 || !strings.Contains(err.Error(), "11.0 is needed") {
		t.Errorf("error %v", err)
	}
}

func TestNoDeviceAndWrongDeviceAreErrors(t *testing.T) {
	path := standin.Build(t, "testdata")
	d := must(driver.Open(path))(t)
	var e *driver.NoDevice
	for _, i := range []int{-1, 1} {
		if _, err := d.Context(i); !errors.As(err, &e) || e.Count != 1 || !strings.Contains(err.Error(), "0..0") {
			t.Errorf("device %d: %v", i, err)
		}
	}
	t.Run("too old", func(t *testing.T) {
		t.Setenv("LBMIB_STANDIN_COMPUTE", "52")
		var e *driver.Unsupported
		if _, err := d.Context(0); !errors.As(err, &e) || !strings.Contains(err.Error(), "5.2, 6.0 is needed") {
			t.Errorf("error %v", err)
		}
	})
	t.Setenv("LBMIB_STANDIN_DEVICES", "0")
	if _, err := driver.Open(path); !errors.As(err, &e) || !strings.Contains(err.Error(), "--gpus all") {
		t.Errorf("no device: %v", err)
	}
}

func TestTheDriverAndItsDevicesAreDescribed(t *testing.T) {
	path := standin.Build(t, "testdata")
	t.Setenv(driver.PathVariable, path)
	t.Setenv("LBMIB_STANDIN_MEMORY", "3221225472")
	lines := driver.Describe()
	if len(lines) != 2 || lines[0] != "driver "+path+", CUDA 12.0" ||
		!strings.HasPrefix(lines[1], "device 0: stand-in, 3.00 GiB, compute capability 6.0") {
		t.Errorf("%q", lines)
	}
	d := must(driver.Open(""))(t)
	if major, minor := d.Version(); d.Path() != path || major != 12 || minor != 0 {
		t.Errorf("%s, version %d.%d", d.Path(), major, minor)
	}
}

func TestAClosedContextIsNotUsed(t *testing.T) {
	r := device(t)
	check(t, r.Close())
	check(t, r.Close())
	if _, err := r.Alloc(8); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("error %v", err)
	}
}
