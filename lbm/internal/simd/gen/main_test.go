package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The committed files are what the generator writes.
func TestCommittedFilesAreGenerated(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run go generate in lbm/internal/simd", name)
		}
	}
	for _, kind := range []string{"../kernels_*.s", "../spans_*.s", "../sums_*.s"} {
		found, err := filepath.Glob(kind)
		for _, name := range found {
			if files[filepath.Base(name)] == nil {
				t.Errorf("%s is written by no generator", name)
			}
		}
		if err != nil || len(found) != 2 {
			t.Errorf("assembly files %v, want those of two instruction sets", found)
		}
	}
}

// What registers cannot hold is spilled; the kernels that were tuned to fit must
// go on to fit.
func TestKernelsFitTheRegisters(t *testing.T) {
	for _, isa := range []string{"avx512", "avx2"} {
		for _, k := range kernelsOf(isa) {
			_, _, slots := emit(k.target, k.program())
			bound := 0
			if isa == "avx512" && k.lattice.dim == 3 && k.op == "bgk" {
				bound = 1
			} else if isa == "avx2" && k.lattice.dim == 3 && k.op == "trt" {
				bound = 4
			}
			if isa == "avx2" && k.lattice.dim == 3 && k.byStress() {
				bound = 5 // the stress has six components
			}
			if isa == "avx2" && k.byFrame() { // beside it the momentum and the parts along the axes are kept
				bound = map[int]int{2: 1, 3: 9}[k.lattice.dim]
			}
			if isa == "avx512" && k.half() && bound > 0 {
				bound++ // for the noise
			}
			if slots > bound {
				t.Errorf("%s needs %d stack slots, bound %d", k.name(), slots, bound)
			}
		}
	}
}
