package hdf5

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// child runs the test that calls it again in a process with other settings:
// the library is loaded once per process.
func child(t *testing.T, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), append(env, "HDF5_TEST_CHILD=1")...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func isChild() bool { return os.Getenv("HDF5_TEST_CHILD") != "" }

func TestMissingLibraryIsAnErrorThatTellsWhatToDo(t *testing.T) {
	if !isChild() {
		child(t, PathVariable+"=/nonexistent/libhdf5.so")
		return
	}
	for range 2 { // a failure is looked at anew each time
		err := Load()
		if err == nil {
			t.Fatal("Load found a library that does not exist")
		}
		for _, part := range []string{"/nonexistent/libhdf5.so", PathVariable, "apt-get install libhdf5-103-1", "dnf", "conda", "brew"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("the error lacks %q:\n%v", part, err)
			}
		}
	}
	if path, version := Library(); path != "" || version != "" {
		t.Errorf("Library() = %q, %q without a library", path, version)
	}
	if _, err := Create(); err == nil || !strings.Contains(err.Error(), "apt-get install") {
		t.Errorf("Create: error %v, want the one of Load", err)
	}
}

func TestAnotherLibraryIsRefused(t *testing.T) {
	if !isChild() {
		child(t, PathVariable+"=libc.so.6")
		return
	}
	if err := Load(); err == nil || !strings.Contains(err.Error(), "libc.so.6: is not HDF5") {
		t.Errorf("error %v, want one that says that libc is not HDF5", err)
	}
}

func TestLoadTellsWhatItOpened(t *testing.T) {
	if err := Load(); err != nil {
		t.Fatal(err)
	}
	path, version := Library()
	if !strings.Contains(path, "hdf5") || len(strings.Split(version, ".")) != 3 {
		t.Errorf("Library() = %q, %q", path, version)
	}
}

func TestNamedLibraryIsTheOnlyOneTried(t *testing.T) {
	none := func(string) string { return "" }
	named := func(key string) string {
		return map[string]string{PathVariable: "/opt/libhdf5.so", "CONDA_PREFIX": "/conda"}[key]
	}
	conda := func(key string) string { return map[string]string{"CONDA_PREFIX": "/conda"}[key] }
	if got := candidates(named, "linux"); !slices.Equal(got, []string{"/opt/libhdf5.so"}) {
		t.Errorf("with %s set: %v", PathVariable, got)
	}
	if got := candidates(none, "linux"); got[0] != "libhdf5_serial.so.103" || !slices.Contains(got, "libhdf5.so.310") {
		t.Errorf("on Linux: %v", got)
	}
	if got := candidates(conda, "linux"); got[0] != "/conda/lib/libhdf5.so" {
		t.Errorf("in a conda environment: %v", got)
	}
	if got := candidates(none, "darwin"); !slices.Contains(got, "/opt/homebrew/lib/libhdf5.dylib") {
		t.Errorf("on macOS: %v", got)
	}
}

func TestVersionsBefore1_10_3AreTooOld(t *testing.T) {
	for _, c := range []struct {
		major, minor, release uint32
		ok                    bool
	}{{1, 8, 23, false}, {1, 10, 2, false}, {1, 10, 3, true}, {1, 12, 0, true}, {1, 14, 6, true}, {2, 0, 0, true}} {
		if got := atLeast(c.major, c.minor, c.release); got != c.ok {
			t.Errorf("%d.%d.%d: %v, want %v", c.major, c.minor, c.release, got, c.ok)
		}
	}
}
