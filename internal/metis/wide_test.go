package metis

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A library whose numbers have 64 bits is told from one of 32, and asked with such numbers.
func TestWidthsOfNumbersAreFound(t *testing.T) {
	if !built {
		t.Skip("built with the tag nometis")
	}
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Fatal("no C compiler: scripts/install.sh cc")
	}
	file := filepath.Join(t.TempDir(), "libmetis64.so")
	if out, err := exec.Command(compiler, "-shared", "-fPIC", "-O1", "-o", file, "testdata/wide.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	mu.Lock()
	kept := lib
	lib = nil
	mu.Unlock()
	defer func() { lib = kept }()
	t.Setenv(PathVariable, file)
	kway, _, err := Partition(square(16), 4, []float64{1, 1, 2, 4}, 1.03)
	if err != nil {
		t.Fatal(err)
	}
	if path, bits := Library(); path != file || bits != 64 || !lib.long {
		t.Errorf("%s: %d bits, real numbers of 64 bits %v", path, bits, lib.long)
	}
	have := [4]int{}
	for _, p := range kway {
		have[p]++
	}
	if have != [4]int{32, 32, 64, 128} {
		t.Errorf("%v", have)
	}
	// what a library finds wrong is told
	if _, err := lib.call(lib.kway, square(4), 2, reals(true, []float64{0.5, 0.5}), reals(true, []float64{7})); err == nil || !strings.Contains(err.Error(), "finds the graph wrong") {
		t.Errorf("%v", err)
	}
}
