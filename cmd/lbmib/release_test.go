package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
)

func TestAReleaseNeedsAVersion(t *testing.T) {
	for _, version := range []string{"next", "1.2", "../1.2.3"} {
		if out, err := exec.Command("../../scripts/release.sh", version).CombinedOutput(); err == nil || !strings.Contains(string(out), "is no version") {
			t.Errorf("%q: %v, %q", version, err, out)
		}
	}
}

// A release has the binary, its licences, what shells and man read, and the sum of all. With LBMIB_TESTS=full the program is built as for a
// release; else the script packs one that stands for it, and does all the rest.
func TestAReleaseIsPackedWhole(t *testing.T) {
	dir := t.TempDir()
	c := exec.Command("../../scripts/release.sh", "9.8.7", dir)
	c.Env = append(os.Environ(), "PLATFORMS="+runtime.GOOS+"/"+runtime.GOARCH)
	if !checkingtest.Full() { // a small program, which is packed in no time
		built := filepath.Join(t.TempDir(), "lbmib")
		if err := os.WriteFile(built, []byte("#!/bin/sh\nexec "+shellQuoted(binary)+" \"$@\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		c.Env = append(c.Env, "BUILT="+built)
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	name := fmt.Sprintf("lbmib-9.8.7-%s-%s", runtime.GOOS, runtime.GOARCH)
	packed, err := os.ReadFile(filepath.Join(dir, name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if want := fmt.Sprintf("%x  %s.tar.gz\n", sha256.Sum256(packed), name); err != nil || string(sums) != want {
		t.Errorf("%v: the sums are %q, want %q", err, sums, want)
	}
	have := unpacked(t, packed)
	for _, file := range []string{"LICENSE", "THIRD_PARTY_NOTICES", "CITATION.cff", "README.md", "docs/case-file.md", "docs/python.md", "python/lbmib.py", "python/pyproject.toml", "docs/tutorials/cylinder.md", "docs/gallery/torus.png"} {
		if want, err := os.ReadFile(filepath.Join("../..", file)); err != nil || have[name+"/"+file] != string(want) {
			t.Errorf("the archive has %s otherwise than the tree, or not (%v)", file, err)
		}
	}
	for file, begin := range map[string]string{"lbmib.1": ".TH", "completions/lbmib.bash": "", "completions/lbmib.zsh": "#compdef lbmib", "completions/lbmib.fish": ""} {
		if text := have[name+"/"+file]; len(text) < 500 || !strings.Contains(text, "lbmib") || !strings.Contains(text, begin) {
			t.Errorf("the archive has %s with %d bytes", file, len(text))
		}
	}
	program := filepath.Join(dir, "lbmib")
	if err := os.WriteFile(program, []byte(have[name+"/lbmib"]), 0o755); err != nil {
		t.Fatal(err)
	}
	want := "lbmib 9.8.7"
	if !checkingtest.Full() {
		want = "lbmib " + release
	}
	if out, err := exec.Command(program, "--version").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("the binary says %q, %v, want %s", out, err, want)
	}
}

// unpacked are the files of an archive by their names.
func unpacked(t *testing.T, packed []byte) map[string]string {
	t.Helper()
	g, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for r := tar.NewReader(g); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return have
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		have[h.Name] = string(text)
	}
}

// The linker sets variables by their names, and says nothing where there is none.
func TestWhatIsStampedIsThere(t *testing.T) {
	variables := map[string]*string{"release": &release, "commit": &commit}
	for file, want := range map[string]int{"../../scripts/release.sh": 2, "../../Makefile": 1} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		stamps := regexp.MustCompile(`-X main\.(\w+)=`).FindAllStringSubmatch(string(text), -1)
		for _, s := range stamps {
			if variables[s[1]] == nil {
				t.Errorf("%s stamps main.%s, which is no variable", file, s[1])
			}
		}
		if len(stamps) != want {
			t.Errorf("%s stamps %q", file, stamps)
		}
	}
}

// make run tells what it does before it is silent for minutes.
func TestMakeRunSaysThatItBuilds(t *testing.T) {
	c := exec.Command("make", "-n", "run")
	c.Dir = "../.."
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	rest := string(out)
	for _, step := range []string{`echo "building bin/lbmib: some minutes the first time`, "go build ", "scripts/install.sh hdf5", "bin/lbmib run cases/cylinder.toml"} {
		_, after, ok := strings.Cut(rest, step)
		if !ok {
			t.Fatalf("make run does not %q, or in another order:\n%s", step, out)
		}
		rest = after
	}
}
