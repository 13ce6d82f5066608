// Command ptx compiles the .cu files in directories to PTX beside them, or with
// -check tells whether the PTX there is what they give. The first directory is
// also that of the headers. PTX for newer devices is written only where it differs
// from that for the oldest in more than its head.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"lbmib/cuda/kernels/internal/target"
)

// PTX differs between releases of the compiler, so there is one to be used.
const release = "19."

// Sums of products are contracted, as every CUDA compiler does.
var options = []string{
	"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-std=c++17", "-O3", "-ffp-contract=fast",
	"-Wall", "-Wextra", "-Werror", "-Wno-unused-command-line-argument", "-S",
}

func main() {
	check := flag.Bool("check", false, "compare with the PTX that is there and write nothing")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: ptx [-check] DIRECTORY...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Args(), *check); err != nil {
		fmt.Fprintln(os.Stderr, "ptx:", err)
		os.Exit(1)
	}
}

func run(dirs []string, check bool) error {
	compiler, err := clang()
	if err != nil {
		return err
	}
	var sources []string
	for _, dir := range dirs {
		here, err := filepath.Glob(filepath.Join(dir, "*.cu"))
		if err != nil || len(here) == 0 {
			return fmt.Errorf("%s holds no .cu files: name the directories of the kernels", dir)
		}
		if err := strays(dir, here); err != nil {
			return err
		}
		sources = append(sources, here...)
	}
	failures := make([]error, len(sources))
	var wait sync.WaitGroup
	turns := make(chan struct{}, runtime.NumCPU())
	for i, source := range sources {
		wait.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			failures[i] = one(compiler, dirs[0], source, check)
		})
	}
	wait.Wait()
	return errors.Join(failures...)
}

// clang finds the compiler: $CLANG, clang-19, or a clang of that release.
func clang() (string, error) {
	var tried []string
	for _, name := range []string{os.Getenv("CLANG"), "clang-19", "clang"} {
		if name == "" {
			continue
		}
		out, err := exec.Command(name, "--version").Output()
		if err == nil && strings.Contains(string(out), "clang version "+release) {
			return name, nil
		}
		tried = append(tried, name)
	}
	return "", fmt.Errorf("no clang of release %sx (tried %s): \"apt-get install clang-19\", or set CLANG to its file", release, strings.Join(tried, ", "))
}

// one compiles a file for all targets, and writes or compares the PTX.
func one(compiler, headers, source string, check bool) error {
	stem := strings.TrimSuffix(source, ".cu")
	oldest, err := compile(compiler, headers, source, target.Oldest)
	if err != nil {
		return err
	}
	if err := put(stem+".ptx", oldest, source, check); err != nil {
		return err
	}
	for _, t := range target.All {
		if t == target.Oldest {
			continue
		}
		text, err := compile(compiler, headers, source, t)
		if err != nil {
			return err
		}
		if same, err := t.From(oldest); err != nil {
			return fmt.Errorf("%s: %w", source, err)
		} else if bytes.Equal(same, text) {
			text = nil // no file is needed
		}
		if err := put(stem+"."+t.Arch+".ptx", text, source, check); err != nil {
			return err
		}
	}
	return nil
}

// compile is the PTX that the compiler makes of a file for a target.
func compile(compiler, headers, source string, t target.Target) ([]byte, error) {
	temporary, err := os.CreateTemp("", "lbmib-*.ptx")
	if err != nil {
		return nil, err
	}
	temporary.Close()
	defer os.Remove(temporary.Name())
	arch := []string{"--cuda-gpu-arch=" + t.Arch, "--cuda-feature=+ptx" + strings.ReplaceAll(t.Version, ".", "")}
	out, err := exec.Command(compiler, slices.Concat(options, arch, []string{"-I", headers, "-o", temporary.Name(), source})...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s, for %s: %w\n%s", source, t.Arch, err, out)
	}
	text, err := os.ReadFile(temporary.Name())
	return strip(text), err
}

// put writes the PTX of a source, or compares it with what is there; no text stands
// for no file.
func put(path string, text []byte, source string, check bool) error {
	there, err := os.ReadFile(path)
	switch {
	case err != nil && text == nil, err == nil && text != nil && bytes.Equal(there, text):
		return nil
	case check:
		return fmt.Errorf("%s is not what %s gives: \"go generate ./cuda/kernels\" and commit", path, source)
	case text == nil:
		return os.Remove(path)
	}
	return replace(path, text)
}

// replace writes a file as a whole: others may be reading it.
func replace(path string, text []byte) error {
	if err := os.WriteFile(path+".new", text, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// strip takes the compiler's comments out, which are a third of the text.
func strip(text []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		line, _, _ = bytes.Cut(line, []byte("//"))
		if line = bytes.TrimRight(line, " \t\n"); len(line) > 0 {
			b.Write(line)
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// strays reports PTX whose source is gone.
func strays(dir string, sources []string) error {
	made, err := filepath.Glob(filepath.Join(dir, "*.ptx"))
	if err != nil {
		return err
	}
	for _, m := range made {
		stem, _, _ := strings.Cut(filepath.Base(m), ".") // STEM.ptx or STEM.ARCH.ptx
		if !slices.Contains(sources, filepath.Join(dir, stem+".cu")) {
			return fmt.Errorf("%s has no source: remove it", m)
		}
	}
	return nil
}
