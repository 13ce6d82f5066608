package lbm

import "testing"

// An operator that no assembly has is computed in Go, whatever is asked for.
func TestAnOperatorWithoutAssemblyIsComputedInGo(t *testing.T) {
	for _, name := range []string{"auto", KernelNames[1], "go"} {
		if len(MissingFor(name)) > 0 && name != "auto" {
			continue
		}
		k, err := newRowKernel[float64, float64](name, D2Q9, "another")
		if err != nil || k.name != "go" || k.cached != nil || k.plain == nil {
			t.Errorf("%s: kernel %q, error %v, want go", name, k.name, err)
		}
	}
}
