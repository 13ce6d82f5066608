package durable

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// What is removed is on the disk before what the next turn removes, in all its directories.
func TestFilesAreRemovedInTurn(t *testing.T) {
	var done []string
	note := func(what string) func(string) error {
		return func(path string) error {
			done = append(done, what+path)
			return nil
		}
	}
	files := []string{"a/1.ckpt", "a/2.ckpt", "x.csv", "x.json"}
	if err := removeInTurn(files, filepath.Ext, note("-"), note("sync ")); err != nil {
		t.Fatal(err)
	}
	want := []string{"-a/1.ckpt", "-a/2.ckpt", "sync a", "-x.csv", "sync .", "-x.json"}
	if !slices.Equal(done, want) {
		t.Errorf("done is %q, want %q", done, want)
	}
	done = nil
	full := errors.New("full")
	if err := removeInTurn(files, filepath.Ext, note("-"), func(string) error { return full }); !errors.Is(err, full) || len(done) != 2 {
		t.Errorf("%v, after %q", err, done)
	}
}
