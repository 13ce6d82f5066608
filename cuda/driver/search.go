package driver

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/ebitengine/purego"

	"lbmib/internal/dynlib"
)

// PathVariable is the environment variable that names the driver's library, or
// the folder that it lies in; when it is set, no other place is tried.
const PathVariable = "LBMIB_CUDA_LIBRARY"

// search is where a driver's library is looked for, the best first.
type search struct {
	names   []string // for the loader, which has folders of its own
	files   []string
	folders []string // may not exist
}

// everywhere is the search where nothing is asked for: what the loader knows,
// then the folders that drivers and containers are known to use.
func everywhere() search {
	return search{names: []string{"libcuda.so.1", "libcuda.so"}, folders: usualFolders(runtime.GOARCH)}
}

// in is the search for a file, a name for the loader, or in a folder.
func in(path string) search {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return search{folders: []string{path}}
	}
	if !dynlib.IsPath(path) {
		return search{names: []string{path}}
	}
	return search{files: []string{path}}
}

func usualFolders(arch string) []string {
	system := "/usr/lib/" + map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[arch] + "-linux-gnu"
	return []string{
		"/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", // containers on clusters
		"/usr/lib/wsl/lib",                                                        // Windows' subsystem for Linux
		"/run/opengl-driver/lib",                                                  // NixOS
		system, system + "/nvidia", system + "/nvidia/current", system + "/tegra", // Debian, Ubuntu, Jetson
		"/usr/lib64", "/usr/lib64/nvidia", "/usr/lib", "/usr/lib/nvidia", // Fedora, SUSE, Arch
		"/.singularity.d/libs", "/var/lib/snapd/lib/gl",
		"/usr/local/cuda/compat", // newer than the system's driver, for data centres' devices
	}
}

// Attempt is a library that was tried and cannot be used.
type Attempt struct {
	File   string // as the loader was asked for it, or where it found it
	Loaded bool   // it is a library; false: there is no such file, or another kind
	Err    error
}

func (a Attempt) String() string { return a.File + ": " + a.Err.Error() }

// open is the first driver that works. Where none does, the error is that of the
// library which came nearest to it, with all others.
func (s search) open() (*Driver, error) {
	all := &NotFound{}
	files, empty := s.libraries()
	for _, file := range files {
		if all.has(file) {
			continue
		}
		d, err := start(file)
		if err == nil {
			return d, nil
		}
		a := Attempt{File: file, Err: err}
		if d != nil {
			a.File, a.Loaded = d.path, true
		}
		if !all.has(a.File) { // the loader may find one file by two names
			all.Tried = append(all.Tried, a)
		}
	}
	all.Without = empty
	nearest := 0
	for i, a := range all.Tried {
		if nearness(a) > nearness(all.Tried[nearest]) {
			nearest = i
		}
	}
	if len(all.Tried) == 0 || nearness(all.Tried[nearest]) == 0 {
		return nil, all
	}
	err := all.Tried[nearest].Err
	if others := slices.Delete(slices.Clone(all.Tried), nearest, nearest+1); len(others) > 0 {
		return nil, &Unusable{Err: err, Others: others}
	}
	return nil, err
}

// nearness is how near a library has come to being a driver in use, from 0: it
// says whose error tells most.
func nearness(a Attempt) int {
	var (
		none  *NoDevice
		old   *TooOld
		other *Error
	)
	switch {
	case errors.As(a.Err, &none):
		return 4
	case errors.As(a.Err, &other) && other.Code != stubLibrary:
		return 3
	case errors.As(a.Err, &old):
		return 2
	case errors.As(a.Err, &other):
		return 1
	}
	return 0
}

// libraries lists what to try: no file twice, whatever its names. Empty are the
// folders without any.
func (s search) libraries() (files, empty []string) {
	files = append(slices.Clone(s.names), s.files...)
	seen := map[string]bool{}
	for _, folder := range s.folders {
		here := librariesIn(folder)
		if len(here) == 0 {
			empty = append(empty, folder)
		}
		for _, file := range here {
			if real := realPath(file); !seen[real] {
				seen[real] = true
				files = append(files, file)
			}
		}
	}
	return files, empty
}

// librariesIn lists the driver's libraries in a folder: by the names that
// programs ask for, then by their releases, which are all that some containers
// have, the newest first.
func librariesIn(folder string) (files []string) {
	for _, name := range []string{"libcuda.so.1", "libcuda.so"} {
		if _, err := os.Lstat(filepath.Join(folder, name)); err == nil {
			files = append(files, filepath.Join(folder, name))
		}
	}
	entries, _ := os.ReadDir(folder)
	var releases []string
	for _, e := range entries {
		if _, ok := releaseOf(e.Name()); ok {
			releases = append(releases, e.Name())
		}
	}
	slices.SortFunc(releases, func(a, b string) int {
		x, _ := releaseOf(a)
		y, _ := releaseOf(b)
		return slices.Compare(y, x)
	})
	for _, name := range releases {
		files = append(files, filepath.Join(folder, name))
	}
	return files
}

// releaseOf reads libcuda.so.550.54.15 as 550, 54, 15; one number alone is the
// version of the interface, not a release.
func releaseOf(name string) (numbers []int, ok bool) {
	rest, ok := strings.CutPrefix(name, "libcuda.so.")
	if !ok {
		return nil, false
	}
	for part := range strings.SplitSeq(rest, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return numbers, len(numbers) > 1
}

// start loads a library and initialises the driver in it. A driver beside an
// error tells only where the library is.
func start(file string) (*Driver, error) {
	runtime.LockOSThread() // the loader keeps the reason of a failure by thread
	defer runtime.UnlockOSThread()
	handle, err := dynlib.Open(file, false)
	if err != nil {
		return nil, err
	}
	d := &Driver{path: file}
	if symbol, err := purego.Dlsym(handle, "cuDriverGetVersion"); err == nil && !dynlib.IsPath(file) {
		d.path = fileAt(symbol, file)
	}
	if err := d.use(handle); err != nil {
		return d, err // it stays mapped: unloading a library that has run is not safe
	}
	if dynlib.IsPath(file) {
		loadCompiler(file)
	}
	return d, nil
}

// loadCompiler loads the compiler of the driver in a file, which lies beside it. The
// driver asks the loader for it by its name alone when it first compiles. Where the
// folder is not one of the loader's that finds nothing, and with two drivers on the
// system one of another release, unless it is in the process already.
func loadCompiler(file string) {
	for _, folder := range []string{filepath.Dir(file), filepath.Dir(realPath(file))} {
		names, _ := filepath.Glob(filepath.Join(folder, "libnvidia-ptxjitcompiler.so.*"))
		for _, name := range names {
			if _, err := purego.Dlopen(name, purego.RTLD_LAZY|purego.RTLD_LOCAL); err == nil {
				return
			}
		}
	}
}

// realPath follows links; a path that leads nowhere stays as it is.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// fileAt is the file that an address of this process is mapped from, or
// otherwise where the system does not tell.
func fileAt(address uintptr, otherwise string) string {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return otherwise
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		fields := strings.Fields(lines.Text()) // from-to rights offset device inode path
		if len(fields) < 6 {
			continue
		}
		from, to, _ := strings.Cut(fields[0], "-")
		low, err1 := strconv.ParseUint(from, 16, 64)
		high, err2 := strconv.ParseUint(to, 16, 64)
		if err1 == nil && err2 == nil && uint64(address) >= low && uint64(address) < high {
			return fields[5]
		}
	}
	return otherwise
}
