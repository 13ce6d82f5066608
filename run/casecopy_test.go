package run

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"lbmib/run/rundir"
	"lbmib/run/setup/setuptest"
)

// A run that has ended and is resumed has the copy of its case as before, also where that was lost: without it the manifest is of no use.
func TestAFinishedRunHasTheCopyOfItsCase(t *testing.T) {
	dir, c := t.TempDir(), setuptest.Load(t, heldChannel, "run.time=1")
	again := func(resume bool) {
		t.Helper()
		if _, err := Run(t.Context(), c, Options{Out: dir, Quiet: true, Resume: resume}); err != nil {
			t.Fatal(err)
		}
	}
	again(false)
	file := filepath.Join(dir, rundir.CaseCopy)
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	again(true)
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the copy is %q, %v, was %q", got, err, want)
	}
}
