package driver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ebitengine/purego"

	"lbmib/cuda/standin"
)

// put makes a file, with its folders, of a source in C, or of plain text that is none.
func put(t *testing.T, file, source string, flags ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if source == "text" {
		if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	c := file + ".c"
	if err := os.WriteFile(c, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", append(flags, "-w", "-shared", "-fPIC", "-o", file, c)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// works makes a folder with a library that works, by a name.
func works(t *testing.T, folder, name string) string {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	built := standin.Build(t, "testdata")
	siblings, _ := filepath.Glob(filepath.Join(filepath.Dir(built), "*.so*"))
	for _, from := range siblings {
		to := filepath.Base(from)
		if from == built {
			to = name
		}
		if err := os.Link(from, filepath.Join(folder, to)); err != nil {
			if text, err := os.ReadFile(from); err != nil || os.WriteFile(filepath.Join(folder, to), text, 0o755) != nil {
				t.Fatal(err)
			}
		}
	}
	return filepath.Join(folder, name)
}

// oldDriver is a driver of CUDA 10.2.
const oldDriver = "int cuDriverGetVersion(int *v) { *v = 10020; return 0; }"

// stub has every function that this package calls, and each gives the code of the
// toolkit's library for linking.
func stub() string {
	var b strings.Builder
	fmt.Fprintln(&b, "int cuDriverGetVersion(int *v) { *v = 12000; return 0; }")
	for f := range reflect.TypeFor[entries]().NumField() {
		if name := reflect.TypeFor[entries]().Field(f).Tag.Get("cu"); strings.HasPrefix(name, "cu") {
			fmt.Fprintf(&b, "int %s() { return 34; }\n", name)
		}
	}
	return b.String()
}

func TestContainersAndDistributionsAreKnown(t *testing.T) {
	for arch, folders := range map[string][]string{
		"amd64": {"/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/wsl/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/run/opengl-driver/lib"},
		"arm64": {"/usr/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu/tegra"},
	} {
		for _, folder := range folders {
			if !slices.Contains(usualFolders(arch), folder) {
				t.Errorf("%s is not searched on %s", folder, arch)
			}
		}
	}
	if s := everywhere(); s.names[0] != "libcuda.so.1" || len(s.folders) == 0 {
		t.Errorf("the search is %+v", s)
	}
}

// Programs and installers know the library by three names; some containers bring the
// one of the release alone, and links that lead nowhere.
func TestTheLibraryIsFoundByAnyOfItsNames(t *testing.T) {
	for _, name := range []string{"libcuda.so.1", "libcuda.so", "libcuda.so.550.54.15"} {
		root := t.TempDir()
		var s search
		for _, folder := range usualFolders("amd64") {
			s.folders = append(s.folders, filepath.Join(root, folder))
		}
		file := works(t, s.folders[5], name)
		if name != "libcuda.so.1" {
			if err := os.Symlink("libcuda.so.999.1", filepath.Join(s.folders[5], "libcuda.so.1")); err != nil {
				t.Fatal(err)
			}
		}
		d, err := s.open()
		if err != nil || d.Path() != file {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheNewestReleaseOfAFolderIsTriedFirst(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"libcuda.so.470.9", "libcuda.so.550.54.15", "libcuda.so.1", "libcuda.so.550.54.9", "libcuda.so.x.1", "libcudart.so.12.1"} {
		put(t, filepath.Join(dir, name), "text")
	}
	var names []string
	for _, file := range librariesIn(dir) {
		names = append(names, filepath.Base(file))
	}
	if want := []string{"libcuda.so.1", "libcuda.so.550.54.15", "libcuda.so.550.54.9", "libcuda.so.470.9"}; !slices.Equal(names, want) {
		t.Errorf("tries %v, want %v", names, want)
	}
}

func TestALibraryThatCannotBeUsedDoesNotStopTheSearch(t *testing.T) {
	root := t.TempDir()
	s := search{names: []string{"libnonesuch-cuda.so.1"}}
	for _, name := range []string{"text", "old", "stub", "empty", "works"} {
		s.folders = append(s.folders, filepath.Join(root, name))
	}
	put(t, filepath.Join(root, "text", "libcuda.so.1"), "text")
	put(t, filepath.Join(root, "old", "libcuda.so.1"), oldDriver)
	put(t, filepath.Join(root, "stub", "libcuda.so"), stub())
	file := works(t, filepath.Join(root, "works"), "libcuda.so.1")
	d, err := s.open()
	if err != nil || d.Path() != file {
		t.Fatalf("the one that works is not found: %v", err)
	}

	s.folders = s.folders[:4]
	_, err = s.open()
	var old *TooOld
	if !errors.As(err, &old) || old.Major != 10 {
		t.Fatalf("the error is %v", err)
	}
	for _, says := range []string{"10.2", "11.0 is needed", "libnonesuch-cuda.so.1: cannot be loaded", "text/libcuda.so.1: cannot be loaded", "stub/libcuda.so: ", "stub library"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%q does not say %q", err, says)
		}
	}

	t.Setenv("LBMIB_STANDIN_DEVICES", "0") // a driver without a device tells more than an old one
	s.folders = append(s.folders, filepath.Join(root, "works"))
	var none *NoDevice
	if _, err = s.open(); !errors.As(err, &none) || none.Path != file {
		t.Errorf("the error is %v", err)
	}
}

func TestWhereNothingIsFoundAllPlacesAreNamed(t *testing.T) {
	dir := t.TempDir()
	_, err := search{names: []string{"libnonesuch-cuda.so.1"}, folders: []string{dir + "/a", dir + "/b"}}.open()
	var missing *NotFound
	if !errors.As(err, &missing) || len(missing.Tried) != 1 || missing.Tried[0].Loaded {
		t.Fatalf("the error is %v", err)
	}
	for _, says := range []string{"libnonesuch-cuda.so.1: cannot be loaded", "no libcuda.so in " + dir + "/a, " + dir + "/b", "install NVIDIA's driver"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%q does not say %q", err, says)
		}
	}
}

// What the loader finds is told by its file.
func TestALibraryOfTheLoadersIsToldByItsFile(t *testing.T) {
	handle, err := purego.Dlopen("libm.so.6", purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	symbol, err := purego.Dlsym(handle, "cos")
	if err != nil {
		t.Fatal(err)
	}
	if file := fileAt(symbol, "nothing"); !filepath.IsAbs(file) || !strings.Contains(file, "libm") {
		t.Errorf("cos is in %s", file)
	}
	if file := fileAt(1, "nothing"); file != "nothing" {
		t.Errorf("the address 1 is in %s", file)
	}
}

func TestTheVariableMayNameAFolderAndIsNamedWhereItIsWrong(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(PathVariable, dir)
	_, err := Open("")
	if err == nil || !strings.Contains(err.Error(), "no libcuda.so in "+dir) || !strings.Contains(err.Error(), "where "+PathVariable+"="+dir+" points") {
		t.Errorf("an empty folder: %v", err)
	}
	file := works(t, dir, "libcuda.so.535.1")
	if d, err := Open(""); err != nil || d.Path() != file {
		t.Errorf("a folder with the library: %v", err)
	}
	old := filepath.Join(t.TempDir(), "libcuda.so.1")
	put(t, old, oldDriver)
	t.Setenv(PathVariable, old)
	var tooOld *TooOld
	if _, err := Open(""); !errors.As(err, &tooOld) || !strings.HasPrefix(err.Error(), PathVariable+"="+old+": ") {
		t.Errorf("an old driver: %v", err)
	}
}

// The driver asks for its compiler by name: it is there although the loader does not know
// the folder.
func TestTheCompilerBesideTheDriverIsLoaded(t *testing.T) {
	const name = "libnvidia-ptxjitcompiler.so.1"
	if _, err := purego.Dlopen(name, purego.RTLD_LAZY); err == nil {
		t.Skip("this system's loader knows a compiler of a driver")
	}
	dir := t.TempDir()
	file := works(t, dir, "libcuda.so.1")
	put(t, filepath.Join(dir, "libnvidia-ptxjitcompiler.so.550.54.15"), "int compiler;", "-Wl,-soname,"+name)
	if _, err := Open(file); err != nil {
		t.Fatal(err)
	}
	if _, err := purego.Dlopen(name, purego.RTLD_LAZY); err != nil {
		t.Errorf("the driver would not find its compiler: %v", err)
	}
}
