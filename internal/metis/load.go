package metis

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"lbmib/internal/dynlib"
)

// PathVariable is the environment variable that names the library's file; where it is set, no other place is tried.
const PathVariable = "LBMIB_METIS"

const howToInstall = `install it with "apt-get install libmetis5" (Debian, Ubuntu), "dnf install metis" (Fedora), "conda install metis" or ` +
	`"brew install metis" (macOS), or set ` + PathVariable + ` to the file of the library`

// lib is the one loaded library; mu guards it and every call into it.
var (
	mu  sync.Mutex
	lib *library
)

// library is a loaded libmetis.
type library struct {
	path  string
	wide  bool // idx_t has 64 bits, else 32
	long  bool // real_t has 64 bits, else 32
	kway  partitioner
	split partitioner

	setDefaults func(options unsafe.Pointer) int32
	action      func(signal int32, set, old unsafe.Pointer) int32 // sigaction of the C library
}

// partitioner is METIS_PartGraphKway, or METIS_PartGraphRecursive, which takes the same.
type partitioner func(vertices, constraints, start, neighbours, weights, sizes, edges, parts, shares, imbalance, options, cut, part unsafe.Pointer) int32

// Load finds libmetis and opens it; later calls return at once. It looks at the path in the environment variable LBMIB_METIS or, where that
// is not set, for the usual names in the loader's search path, in CONDA_PREFIX and in Homebrew's folders. The error lists what was
// tried and how to install the library.
func Load() error {
	mu.Lock()
	defer mu.Unlock()
	return load()
}

// Library tells of the library that Load opened: its file, as the loader was asked for it, and the bits of its whole numbers. Both are empty before.
func Library() (path string, bits int) {
	mu.Lock()
	defer mu.Unlock()
	switch {
	case lib == nil:
		return "", 0
	case lib.wide:
		return lib.path, 64
	}
	return lib.path, 32
}

func load() error {
	if lib != nil {
		return nil
	}
	if !built {
		return errors.New("metis: this program was built without it (tag nometis)")
	}
	var tried []string
	for _, path := range candidates(os.Getenv, runtime.GOOS) {
		l, err := open(path)
		if err == nil {
			lib = l
			return nil
		}
		tried = append(tried, "  "+path+": "+err.Error())
	}
	return fmt.Errorf("metis: no usable METIS library (version 5); tried\n%s\n%s", strings.Join(tried, "\n"), howToInstall)
}

// candidates lists the names to try, best first.
func candidates(getenv func(string) string, system string) (paths []string) {
	if path := getenv(PathVariable); path != "" {
		return []string{path}
	}
	names := []string{"libmetis.so.5", "libmetis.so"}
	if system == "darwin" {
		names = []string{"libmetis.dylib", "/opt/homebrew/lib/libmetis.dylib", "/usr/local/lib/libmetis.dylib", "/opt/local/lib/libmetis.dylib"}
	}
	if prefix := getenv("CONDA_PREFIX"); prefix != "" {
		paths = append(paths, filepath.Join(prefix, "lib", names[0]))
	}
	return append(paths, names...)
}

// open loads a candidate and finds out how wide its numbers are.
func open(path string) (*library, error) {
	handle, err := dynlib.Open(path, false)
	if err != nil {
		return nil, err
	}
	l := &library{path: path}
	for _, f := range []struct {
		from uintptr
		name string
		to   any
	}{
		{handle, "METIS_PartGraphKway", &l.kway},
		{handle, "METIS_PartGraphRecursive", &l.split},
		{handle, "METIS_SetDefaultOptions", &l.setDefaults},
		{purego.RTLD_DEFAULT, "sigaction", &l.action},
	} {
		at, err := purego.Dlsym(f.from, f.name)
		if err != nil {
			return nil, fmt.Errorf("is not METIS 5: no function %s", f.name)
		}
		purego.RegisterFunc(f.to, at)
	}
	return l, l.probe()
}
