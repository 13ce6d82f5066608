// Package hdf5 writes HDF5 files through libhdf5, which it opens at run time:
// no C compiler, no headers, and a program that runs (without HDF5 output)
// where the library is missing.
//
// A file is assembled in memory (compressed, so mostly smaller than its data)
// and handed out by [File.WriteTo]. HDF5 itself never touches a disk: it cannot
// recover from a write that fails (closing a file on a full disk may bring the
// process down), whereas a failed write in Go is an error like any other.
//
// Calls may come from any goroutine; they are serialised, since libhdf5 is
// usually built without its thread-safe option. Compression is not serialised
// and runs on all CPUs.
package hdf5

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"lbmib/internal/dynlib"
)

// PathVariable is the environment variable that names the library's file; when
// it is set, no other place is tried.
const PathVariable = "LBMIB_HDF5"

// The oldest release with 64-bit handles and H5Dwrite_chunk.
const minMajor, minMinor, minRelease = 1, 10, 3

const howToInstall = `install it with "apt-get install libhdf5-103-1" (Debian 12; other releases: the package libhdf5-… of the same name), ` +
	`"dnf install hdf5" (Fedora), "conda install hdf5" or "brew install hdf5" (macOS), or set ` + PathVariable + ` to the file of the library`

// lib is the one loaded library. mu guards it and every call into it.
var (
	mu  sync.Mutex
	lib *library
)

// library is a loaded libhdf5.
type library struct {
	functions
	types   typeIDs
	classes classIDs
	path    string
	version string
}

// Load finds libhdf5 and opens it; later calls return at once. It looks at the
// path in the environment variable LBMIB_HDF5 or, when that is not set, for the
// usual names in the loader's search path, in CONDA_PREFIX and in Homebrew's
// folders. The error lists what was tried and how to install the library.
func Load() error {
	mu.Lock()
	defer mu.Unlock()
	return loadLocked(candidates(os.Getenv, runtime.GOOS))
}

// Library returns the file (as the loader was asked for it) and the version of
// the library that Load opened; both are empty before.
func Library() (path, version string) {
	mu.Lock()
	defer mu.Unlock()
	if lib == nil {
		return "", ""
	}
	return lib.path, lib.version
}

// loadLocked opens the first usable candidate. A failure is not remembered, so
// that a library installed meanwhile is found.
func loadLocked(paths []string) error {
	if lib != nil {
		return nil
	}
	var tried []string
	for _, path := range paths {
		l, err := open(path)
		if err == nil {
			lib = l
			return nil
		}
		tried = append(tried, "  "+path+": "+err.Error())
	}
	return fmt.Errorf("hdf5: no usable HDF5 library (libhdf5 %d.%d.%d or newer); tried\n%s\n%s",
		minMajor, minMinor, minRelease, strings.Join(tried, "\n"), howToInstall)
}

// candidates lists the names to try, best first. Serial builds come before
// plain names: on Debian the plain name may be an MPI build.
func candidates(getenv func(string) string, goos string) []string {
	if path := getenv(PathVariable); path != "" {
		return []string{path}
	}
	if goos == "darwin" {
		paths := []string{"libhdf5.dylib", "/opt/homebrew/lib/libhdf5.dylib", "/usr/local/lib/libhdf5.dylib", "/opt/local/lib/libhdf5.dylib"}
		if prefix := getenv("CONDA_PREFIX"); prefix != "" {
			paths = append([]string{filepath.Join(prefix, "lib", "libhdf5.dylib")}, paths...)
		}
		return paths
	}
	var paths []string
	if prefix := getenv("CONDA_PREFIX"); prefix != "" {
		paths = append(paths, filepath.Join(prefix, "lib", "libhdf5.so"))
	}
	for _, stem := range []string{"libhdf5_serial.so", "libhdf5.so"} {
		for _, abi := range []string{".103", ".200", ".310", ".320", ""} {
			paths = append(paths, stem+abi)
		}
	}
	return paths
}

// open loads one candidate and checks that everything needed is there.
func open(path string) (*library, error) {
	handle, err := dynlib.Open(path, false)
	if err != nil {
		return nil, err
	}
	l, err := bind(handle)
	if err != nil {
		return nil, err // it stays mapped: unloading a library that has run is not safe
	}
	l.path = path
	return l, nil
}

// bind resolves functions and type identifiers. The version is looked at
// first: before 1.10 handles are 32 bits wide and no other call is safe.
func bind(handle uintptr) (*library, error) {
	l := &library{}
	var getVersion func(major, minor, release *uint32) int32
	if err := bindFunc(handle, "H5get_libversion", &getVersion); err != nil {
		return nil, fmt.Errorf("is not HDF5: %w", err)
	}
	var major, minor, release uint32
	if getVersion(&major, &minor, &release) < 0 {
		return nil, fmt.Errorf("does not tell its version")
	}
	l.version = fmt.Sprintf("%d.%d.%d", major, minor, release)
	if !atLeast(major, minor, release) {
		return nil, fmt.Errorf("is HDF5 %s, too old: %d.%d.%d or newer is needed", l.version, minMajor, minMinor, minRelease)
	}
	if err := bindAll(handle, &l.functions); err != nil {
		return nil, err
	}
	l.setAuto(errorStackDefault, 0, 0)
	if l.open() < 0 {
		return nil, fmt.Errorf("HDF5 %s does not initialise (H5open failed)", l.version)
	}
	// H5open has filled these.
	if err := bindIDs(handle, &l.types); err != nil {
		return nil, err
	}
	return l, bindIDs(handle, &l.classes)
}

func atLeast(major, minor, release uint32) bool {
	if major != minMajor {
		return major > minMajor
	}
	if minor != minMinor {
		return minor > minMinor
	}
	return release >= minRelease
}

// call runs f with the library to itself. The goroutine stays on one OS thread
// because thread-safe builds keep an error stack per thread, which is also why
// HDF5's own printing is switched off each time.
func call(f func(l *library) error) error {
	mu.Lock()
	defer mu.Unlock()
	if lib == nil {
		if err := loadLocked(candidates(os.Getenv, runtime.GOOS)); err != nil {
			return err
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	lib.setAuto(errorStackDefault, 0, 0)
	return f(lib)
}
