package run

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/run/check"
	"lbmib/run/setup"
)

// sameCells holds that two runs have written the same cells.csv, the second one resumed half way.
func sameCells(t *testing.T, whole, half string) {
	t.Helper()
	one, err := os.ReadFile(filepath.Join(whole, "cells.csv"))
	if err != nil {
		t.Fatal(err)
	}
	two, err := os.ReadFile(filepath.Join(half, "cells.csv"))
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("resumed half way cells.csv ends otherwise (%v):\n%s\n%s", err, one, two)
	}
}

// checkSays holds that a check of the case at path, alone in the working directory, says something on its page or in its errors, and writes nothing.
func checkSays(t *testing.T, path, says string, sets ...string) {
	t.Helper()
	var page bytes.Buffer
	r := check.Check(path, sets, setup.Kernel{})
	r.Write(&page, nil)
	all := page.String() + strings.Join(r.Errors, "\n")
	if !strings.Contains(strings.Join(strings.Fields(all), " "), strings.TrimSpace(says)) {
		t.Errorf("%v: %q is not in\n%s", sets, says, all)
	}
	if written, err := os.ReadDir("."); err != nil || len(written) != 1 {
		t.Errorf("%v: something was written beside the case (%v)", sets, err)
	}
}
