package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Pipes where files should be are refused, not waited for: as the case, as its
// files, as libraries and in place of what a run has left.
func TestPipesInPlaceOfFilesAreRefused(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	lbmib(t, dir, "run", "case.toml", "--quiet", "--steps=160").want(t, 0)
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(dir, "run", "checkpoint", "*.ckpt"))
	if err != nil || len(kept) == 0 {
		t.Fatal(kept, err)
	}
	instead := func(path string) {
		if err := os.Rename(path, path+".away"); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range kept {
		instead(path)
	}
	begin := time.Now()
	lbmib(t, dir, "check", "pipe").want(t, 2, "pipe is a pipe, not a regular file: give the path of a file")
	lbmib(t, dir, "run", "pipe").want(t, 2, "pipe is a pipe, not a regular file")
	lbmib(t, dir, "check", "/dev/zero").want(t, 2, "/dev/zero is a device, not a regular file")
	lbmib(t, dir, "bench", "ib", "pipe").want(t, 2, "pipe is a pipe")
	lbmibWith(t, dir, []string{"LBMIB_HDF5=" + pipe}, "run", "case.toml", "--out=new").want(t, 4, "is a pipe, not a regular file")
	lbmibWith(t, dir, []string{"LBMIB_CUDA_LIBRARY=" + pipe}, "run", "case.toml", "--out=new", "--backend=cuda").want(t, 2, "is a pipe, not a regular file")
	lbmib(t, dir, "run", "case.toml", "--resume").want(t, 4, "is a pipe, not a regular file")
	instead(filepath.Join(dir, "run", "forces.csv"))
	instead(filepath.Join(dir, "run", "manifest.json"))
	lbmib(t, dir, "plot", "run").want(t, 2, "is a pipe, not a regular file")
	if spent := time.Since(begin); spent > time.Minute {
		t.Errorf("it took %v", spent)
	}
}
