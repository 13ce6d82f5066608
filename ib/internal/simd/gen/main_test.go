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
			t.Errorf("%s is not what the generator writes: run go generate in ib/internal/simd", name)
		}
	}
}
