package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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

// A release has the binary, its licences, what shells and man read, and the sum of all.
func TestAReleaseIsPackedWhole(t *testing.T) {
	if !checkingtest.Full() {
		t.Skip("builds the whole program anew, without paths of this machine: with LBMIB_TESTS=full")
	}
	dir := t.TempDir()
	c := exec.Command("../../scripts/release.sh", "9.8.7", dir)
	c.Env = append(os.Environ(), "PLATFORMS="+runtime.GOOS+"/"+runtime.GOARCH)
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
	g, err := gzip.NewReader(strings.NewReader(string(packed)))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "lbmib")
	have := map[string]bool{}
	for r := tar.NewReader(g); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		have[h.Name] = true
		if h.Name == name+"/lbmib" {
			text, err := io.ReadAll(r)
			if err == nil {
				err = os.WriteFile(program, text, 0o755)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, file := range []string{"LICENSE", "THIRD_PARTY_NOTICES", "CITATION.cff", "README.md", "docs/case-file.md", "docs/python.md", "python/lbmib.py", "python/pyproject.toml", "docs/tutorials/cylinder.md", "docs/gallery/torus.png", "lbmib.1", "completions/lbmib.bash", "completions/lbmib.zsh", "completions/lbmib.fish"} {
		if !have[name+"/"+file] {
			t.Errorf("the archive lacks %s", file)
		}
	}
	if out, err := exec.Command(program, "--version").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "lbmib 9.8.7") {
		t.Errorf("the binary says %q, %v", out, err)
	}
}
