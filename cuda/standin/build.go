package standin

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The flags of every compilation. Square roots set no errno, as on a device.
var flags = []string{
	"-x", "c++", "-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-pthread", "-DLBMIB_HOST",
	"-fno-math-errno", "-U_FORTIFY_SOURCE",
	"-w", // what there is to warn of, clang says when it makes the PTX
}

var linkFlags = []string{"-shared", "-pthread", "-Wl,-z,nodelete", "-Wl,-z,defs"}

// indexLibrary is the library beside it, of src/index; all stand-ins in a process
// share one.
const indexLibrary = "liblbmib-standin-index.so.1"

// kept is how long what nobody asked for stays in the cache.
const kept = 7 * 24 * time.Hour

type builder struct {
	root, cache string
	flags       []string
	compiler    string
	version     string
}

// unit is a file to compile, with what it includes from.
type unit struct {
	source  string
	include []string // directories
	object  string   // in the cache
}

// findCompiler looks for $CXX, then g++, then c++.
func (b *builder) findCompiler() error {
	var tried []string
	for _, name := range []string{os.Getenv("CXX"), "g++", "c++"} {
		if name == "" {
			continue
		}
		if out, err := exec.Command(name, "--version").Output(); err == nil {
			b.compiler, b.version = name, string(out)
			return nil
		}
		tried = append(tried, name)
	}
	return fmt.Errorf("standin: no C++ compiler (tried %s): \"apt-get install g++\", or set CXX", strings.Join(tried, ", "))
}

// headers is the directory of device.h.
func (b *builder) headers() string { return filepath.Join(b.root, "cuda", "kernels") }

// library builds the library of the runtime and the kernels in directories.
func (b *builder) library(kernels []string) (string, error) {
	units, err := b.units(kernels)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, u := range units {
		io.WriteString(h, u.object)
	}
	fmt.Fprint(h, linkFlags)
	dir := filepath.Join(b.cache, hex.EncodeToString(h.Sum(nil))[:24])
	path := filepath.Join(dir, "libcuda.so.1")
	unlock, err := lock(dir + ".lock")
	if err != nil {
		return "", fmt.Errorf("standin: %w", err)
	}
	defer unlock()
	if _, err := os.Stat(path); err == nil {
		now := time.Now()
		return path, errors.Join(os.Chtimes(dir, now, now))
	}
	b.prune()
	if err := b.compile(units); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("standin: %w", err)
	}
	return path, b.link(dir, path, units)
}

// link makes the library of the objects, and the one of the first beside it.
func (b *builder) link(dir, path string, units []unit) error {
	index := filepath.Join(dir, indexLibrary)
	if err := b.make(index, slices.Concat(linkFlags, []string{"-Wl,-soname," + indexLibrary, units[0].object}, b.flags)); err != nil {
		return err
	}
	args := append(slices.Clone(linkFlags), "-Wl,-soname,libcuda.so.1", "-Wl,-rpath,$ORIGIN")
	for _, u := range units[1:] {
		args = append(args, u.object)
	}
	return b.make(path, slices.Concat(args, []string{index}, b.flags))
}

// units lists what is compiled, the index first. The name of an object is the hash of all that it
// is made of.
func (b *builder) units(kernels []string) ([]unit, error) {
	own := filepath.Join(b.root, "cuda", "standin", "src")
	var list []unit
	add := func(pattern string, include ...string) error {
		sources, err := filepath.Glob(pattern)
		if err != nil || len(sources) == 0 {
			return fmt.Errorf("standin: no files %s", pattern)
		}
		for _, s := range sources {
			list = append(list, unit{source: s, include: include})
		}
		return nil
	}
	if err := add(filepath.Join(own, "index", "index.cpp"), own); err != nil {
		return nil, err
	}
	if err := add(filepath.Join(own, "*.cpp"), own); err != nil {
		return nil, err
	}
	for _, dir := range kernels {
		if err := add(filepath.Join(dir, "*.cu"), dir, b.headers(), own); err != nil {
			return nil, err
		}
	}
	for i := range list {
		sum, err := b.hash(list[i])
		if err != nil {
			return nil, fmt.Errorf("standin: %w", err)
		}
		list[i].object = filepath.Join(b.cache, sum+".o")
	}
	return list, nil
}

func (b *builder) hash(u unit) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.GOARCH, b.compiler, b.version, flags, b.flags)
	files := []string{u.source}
	for i := 0; i < len(files); i++ {
		text, err := os.ReadFile(files[i])
		if err != nil {
			return "", err
		}
		fmt.Fprintln(h, filepath.Base(files[i]), len(text))
		h.Write(text)
		for _, name := range included.FindAllSubmatch(text, -1) {
			if path := find(string(name[1]), append([]string{filepath.Dir(files[i])}, u.include...)); path != "" && !slices.Contains(files, path) {
				files = append(files, path)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:24], nil
}

var included = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"]+)"`)

// find is the first file of that name in directories, or "".
func find(name string, dirs []string) string {
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// compile makes the objects that are not in the cache.
func (b *builder) compile(units []unit) error {
	failures := make([]error, len(units))
	var wait sync.WaitGroup
	turns := make(chan struct{}, runtime.NumCPU())
	for i, u := range units {
		if _, err := os.Stat(u.object); err == nil {
			now := time.Now()
			failures[i] = os.Chtimes(u.object, now, now)
			continue
		}
		wait.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			args := slices.Concat(flags, b.flags, []string{"-c", u.source})
			for _, dir := range u.include {
				args = append(args, "-I", dir)
			}
			failures[i] = b.make(u.object, args)
		})
	}
	wait.Wait()
	return errors.Join(failures...)
}

// make runs the compiler and puts what it makes in place as a whole.
func (b *builder) make(target string, args []string) error {
	partial := fmt.Sprintf("%s.%d", target, os.Getpid())
	defer os.Remove(partial)
	if out, err := exec.Command(b.compiler, append(args, "-o", partial)...).CombinedOutput(); err != nil {
		return fmt.Errorf("standin: %s %s: %w\n%s", b.compiler, strings.Join(args, " "), err, out)
	}
	return os.Rename(partial, target)
}

// prune removes what nobody has asked for of late.
func (b *builder) prune() {
	entries, _ := os.ReadDir(b.cache)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > kept {
			os.RemoveAll(filepath.Join(b.cache, e.Name()))
		}
	}
}

// lock waits until no other process, or other call, builds.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s cannot be locked: %w", path, err)
	}
	return func() { f.Close() }, nil // which unlocks
}
