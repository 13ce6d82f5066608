package lbmib_test

import (
	"os/exec"
	"strings"
	"testing"
)

// What is generic is compiled anew in every package that names it with a type: half of what the compiler did before package
// precompiled was there. Packages that make simulations do not compile again what those are made of.
func TestKernelsAreCompiledInTheirPackagesAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	packages := []string{"lbmib/run/setup", "lbmib/run/observe", "lbmib/cmd/lbmib/bench/coupled"}
	for _, p := range packages {
		file, err := exec.Command("go", "list", "-export", "-f", "{{.Export}}", p).Output()
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		symbols, err := exec.Command("go", "tool", "nm", strings.TrimSpace(string(file))).Output()
		if err != nil || !strings.Contains(string(symbols), p+".") {
			t.Fatalf("the symbols of %s cannot be read: %v", p, err)
		}
		for line := range strings.Lines(string(symbols)) {
			for _, of := range []string{"lbmib/lbm.(*CPU[", "lbmib/lbm.newRowKernel[", "lbmib/lbm.(*Local[", "lbmib/lbm/joined.(*Fluid[", "lbmib/cuda.(*Fluid[", "lbmib/cuda.(*Coupling[",
				"lbmib/ib.(*sortReduce[", "lbmib/hybrid.(*pipelined[", "]).lbmib/run/setup.setBodies"} {
				if name := strings.Fields(line); len(name) == 3 && strings.EqualFold(name[1], "T") && strings.Contains(name[2], of) {
					t.Fatalf("%s compiles %s, which another package has: make it by a function of package precompiled, or embed no type with its methods", p, name[2])
				}
			}
		}
	}
}
