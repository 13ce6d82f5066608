package checking_test

import (
	"slices"
	"strings"
	"testing"

	"lbmib/internal/checking"
	"lbmib/internal/checking/checkingtest"
)

// suite has parts that pass, fail in each way there is, and clean up.
func suite(t checking.T, order *[]string) {
	t.Run("passes", func(t checking.T) { t.Logf("of no interest") })
	t.Run("errs and goes on", func(t checking.T) {
		t.Errorf("one is %d", 2)
		t.Errorf("and wrong")
	})
	t.Run("ends", func(t checking.T) {
		t.Cleanup(func() { *order = append(*order, "first") })
		t.Cleanup(func() { *order = append(*order, "second") })
		t.Fatal("over ", 3)
		*order = append(*order, "not reached")
	})
	t.Run("panics", func(checking.T) { panic("lost") })
	t.Run("has parts", func(t checking.T) {
		if t.Run("inner", func(t checking.T) { t.Fatalf("deep") }) {
			t.Errorf("an inner failure is no failure")
		}
		if !t.Run("well", func(checking.T) {}) {
			t.Errorf("an inner part fails without a reason")
		}
	})
}

func TestAProgramFindsWhatATestWould(t *testing.T) {
	var order, told []string
	found := checking.Program{Each: func(f checking.Finding) { told = append(told, f.String()) }}.Run("all", func(t checking.T) { suite(t, &order) })
	want := []string{"ok passes", "FAILED errs and goes on: one is 2; and wrong", "FAILED ends: over 3", "FAILED panics: panic: lost", "FAILED has parts: inner: deep"}
	if !slices.Equal(told, want) || len(found) != len(want) {
		t.Errorf("found %s", strings.Join(told, "\n"))
	}
	if !slices.Equal(order, []string{"second", "first"}) {
		t.Errorf("cleaned up in the order %v", order)
	}
}

func TestPartsCanBeLeftOut(t *testing.T) {
	var order []string
	found := checking.Program{Skip: func(name string) bool { return name != "passes" }}.Run("all", func(t checking.T) { suite(t, &order) })
	if len(found) != 1 || found[0].Name != "passes" || len(order) != 0 {
		t.Errorf("found %v", found)
	}
}

func TestWhatGoesWrongOutsideOfAllPartsIsFound(t *testing.T) {
	found := checking.Program{}.Run("all", func(t checking.T) { t.Fatalf("no device") })
	if len(found) != 1 || found[0].String() != "FAILED all: no device" {
		t.Errorf("found %v", found)
	}
}

func TestATestRunsPartsAsSubtests(t *testing.T) {
	var names []string
	checkingtest.T{T: t}.Run("outer", func(c checking.T) {
		c.Run("inner", func(c checking.T) { names = append(names, c.(checkingtest.T).Name()) })
	})
	if !slices.Equal(names, []string{t.Name() + "/outer/inner"}) {
		t.Errorf("ran %v", names)
	}
}

func TestAllocationsAreCounted(t *testing.T) {
	var kept [][]byte
	if n := checking.Allocations(func() { kept = append(kept[:0], make([]byte, 100)) }); n < 1 && !checking.Racing {
		t.Errorf("an allocation is counted as %g", n)
	}
	if len(kept) != 1 {
		t.Error("nothing was done")
	}
}
