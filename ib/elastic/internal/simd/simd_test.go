package simd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Package elastic tests what kernels compute.
func TestTheKernelsAreWhatTheGeneratorMakes(t *testing.T) {
	dir := t.TempDir()
	asm, stubs := "kernels_amd64.s", "kernels_amd64.go"
	cmd := exec.Command("go", "run", "./gen", "-out", filepath.Join(dir, asm), "-stubs", filepath.Join(dir, stubs), "-pkg", "simd")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	for _, name := range []string{asm, stubs} {
		if !bytes.Equal(body(t, name), body(t, filepath.Join(dir, name))) {
			t.Errorf("%s is not what gen makes: run go generate", name)
		}
	}
}

// body is a file without its first line, which repeats the command.
func body(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	return rest
}
